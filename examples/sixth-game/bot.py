"""Plays the card in the middle of its hand."""
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Middle"}), flush=True)
    elif message["type"] == "turn":
        hand = message["view"]["hand"]
        move = f"play {hand[len(hand) // 2]}"
        print(json.dumps({"type": "move", "id": message["id"], "move": move}), flush=True)
