"""A bot for Uno that plays what a network has learned.

It speaks JSON lines (docs/protocol.md) and needs nothing but Python. learn_uno.py writes the network into
uno_network.py, which has to lie beside this file:

    croupier match uno json:uno_bot.py careful naive random
"""

import base64
import json
import struct
import sys

COLOURS = ["red", "green", "blue", "yellow"]
FACES = [*"0123456789", "skip", "reverse", "draw-two"]
CARDS = [f"{colour} {face}" for colour in COLOURS for face in FACES] + ["wild", "wild-draw-four"]
MOVES = CARDS[:52] + [f"{wild} {colour}" for wild in CARDS[52:] for colour in COLOURS] + ["draw"]

CARD = {card: place for place, card in enumerate(CARDS)}
MOVE = {move: place for place, move in enumerate(MOVES)}


def observe(view):
    """The view in numbers: the encoding of docs/games/uno.md, version 1."""
    own = view["seat"]
    from_own = [(own + further) % 4 for further in range(4)]

    def count(cards):
        counts = [0.0] * len(CARDS)
        for card in cards:
            counts[CARD[card]] += 1.0
        return counts

    def one_of(names, name):
        return [float(other == name) for other in names]

    return [
        *count(view["hand"]),
        *count(view["discards"][-1:]),
        *count(view["discards"]),
        *one_of(COLOURS, view["last_colour_called"]),
        *(number for seat in from_own for number in one_of(COLOURS, view["colours_called"][seat])),
        *(float(view["cards_left"][seat]) for seat in from_own),
        1.0 if view["direction"] == "right" else -1.0,
        *(float(view["scores"][seat]) for seat in from_own),
    ]


class Network:
    """Layers of weights and biases, with max(0, x) between them."""

    def __init__(self, layers):
        self.layers = layers

    @classmethod
    def read(cls, text):
        """The network that `write` wrote."""
        layers = []
        for rows, columns, numbers in text:
            count = rows * columns + rows
            numbers = struct.unpack(f"<{count}e", base64.b64decode(numbers))
            weights = [numbers[row * columns : (row + 1) * columns] for row in range(rows)]
            layers.append((weights, numbers[rows * columns :]))
        return cls(layers)

    @staticmethod
    def write(layers):
        """The network as a text, in numbers of half precision: a Python literal."""
        text = []
        for weights, biases in layers:
            numbers = [number for row in weights for number in row] + list(biases)
            packed = base64.b64encode(struct.pack(f"<{len(numbers)}e", *numbers)).decode()
            text.append((len(weights), len(weights[0]), packed))
        return text

    def __call__(self, numbers):
        last = len(self.layers) - 1
        for place, (weights, biases) in enumerate(self.layers):
            # Most numbers are zero.
            set_ = [(column, number) for column, number in enumerate(numbers) if number]
            numbers = [
                bias + sum(row[column] * number for column, number in set_)
                for row, bias in zip(weights, biases)
            ]
            if place < last:
                numbers = [max(0.0, number) for number in numbers]
        return numbers


def choose(network, view, legal):
    """The legal move that the network likes best."""
    if len(legal) == 1:
        return legal[0]
    liked = network(observe(view))
    return max(legal, key=lambda move: liked[MOVE[move]])


def main():
    from uno_network import NETWORK

    network = Network.read(NETWORK)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "name": "Learned"}), flush=True)
        elif message["type"] == "turn":
            move = choose(network, message["view"], message["legal"])
            print(json.dumps({"type": "move", "id": message["id"], "move": move}), flush=True)


if __name__ == "__main__":
    main()
