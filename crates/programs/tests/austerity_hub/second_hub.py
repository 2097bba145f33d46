"""A second hub for Austerity, as small as it can be: `second_hub.py tokens points deck player...`.

It plays only games in which everybody behaves, and asserts that they do.
"""

import subprocess
import sys

tokens, points, deck_file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
programs = sys.argv[4:]

with open(deck_file) as lines:
    deck = []
    for line in lines:
        bonus, worth, price = line.rstrip("\n").split(":")
        deck.append((bonus, int(worth), [int(part) for part in price.split(",")]))

piles = [tokens] * 4
hands = [{"tokens": [0] * 5, "off": [0] * 4, "points": 0} for _ in programs]
market = []
players = [
    subprocess.Popen(
        [program, str(len(programs)), str(seat)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    for seat, program in enumerate(programs)
]


def joined(numbers):
    return ",".join(map(str, numbers))


def tell(message, to=players):
    for player in to:
        player.stdin.write(message + "\n")
        player.stdin.flush()


def turn_up():
    if deck:
        bonus, worth, price = card = deck.pop(0)
        market.append(card)
        print(f"New card = Bonus {bonus}, worth {worth}, costs {joined(price)}")
        tell(f"newcard{bonus}:{worth}:{joined(price)}")


def turn(seat):
    name, hand = chr(ord("A") + seat), hands[seat]
    tell("dowhat", [players[seat]])
    answer = players[seat].stdout.readline()
    assert answer.endswith("\n"), answer
    answer = answer[:-1]
    if answer == "wild":
        hand["tokens"][4] += 1
        print(f"Player {name} took a wild")
        tell(f"wild{name}")
    elif answer.startswith("take"):
        taken = [int(part) for part in answer[4:].split(",")]
        assert sorted(taken) == [0, 1, 1, 1], answer
        for colour, number in enumerate(taken):
            piles[colour] -= number
            hand["tokens"][colour] += number
        assert min(piles) >= 0, answer
        print(f"Player {name} drew {joined(taken)}")
        tell(f"took{name}:{joined(taken)}")
    else:
        assert answer.startswith("purchase"), answer
        place, payment = answer[8:].split(":")
        paid = [int(part) for part in payment.split(",")]
        bonus, worth, price = market.pop(int(place))
        missing = 0
        for colour in range(4):
            need = max(0, price[colour] - hand["off"][colour])
            assert paid[colour] == min(need, hand["tokens"][colour]), answer
            missing += need - paid[colour]
            hand["tokens"][colour] -= paid[colour]
            piles[colour] += paid[colour]
        assert paid[4] == missing <= hand["tokens"][4], answer
        hand["tokens"][4] -= missing
        hand["off"]["PBYR".index(bonus)] += 1
        hand["points"] += worth
        print(f"Player {name} purchased {place} using {joined(paid)}")
        tell(f"purchased{name}:{place}:{joined(paid)}")
        turn_up()


def play():
    while max(hand["points"] for hand in hands) < points:
        for seat in range(len(players)):
            turn(seat)
            if not market:
                return


tell(f"tokens{tokens}")
for _ in range(8):
    turn_up()
play()
best = max(hand["points"] for hand in hands)
winners = [chr(ord("A") + seat) for seat, hand in enumerate(hands) if hand["points"] == best]
print(f"Winner(s) {','.join(winners)}")
tell("eog")
for player in players:
    assert player.wait() == 0
