import json, random, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "Anything"}), flush=True)
    elif message["type"] == "turn":
        move = random.choice(message["legal"])
        print(json.dumps({"type": "move", "id": message["id"], "move": move}), flush=True)
