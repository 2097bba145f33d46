"""Learns Uno by playing against itself, and writes a bot that can take part in contests.

    pip install ./crates/python torch
    python examples/python/learn_uno.py --minutes 10 --out learned
    croupier tournament uno --rounds 20 --out results json:learned/uno_bot.py careful naive random

Proximal policy optimisation (Schulman and others, 2017): one small network decides for all four seats of
many games at once. A seat is rewarded at the end of a game alone, so what a decision was worth is
estimated from the value of the seat's own next decision (generalised advantage estimation).
"""

import argparse
import pathlib
import shutil
import time

import croupier
import numpy
import torch
from torch import nn
from uno_bot import Network

GAMES, STEPS, MINIBATCH, EPOCHS = 512, 128, 8192, 3
CLIP, LAMBDA, ENTROPY, RATE = 0.2, 0.95, 0.01, 1e-3


class Player(nn.Module):
    """What it likes to do, and which reward it expects."""

    def __init__(self, numbers, actions, width):
        super().__init__()
        self.likes = layers(numbers, width, actions)
        self.expects = layers(numbers, width, 1)

    def policy(self, observations, masks):
        likes = self.likes(observations).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=likes, validate_args=False)

    def value(self, observations):
        return self.expects(observations).squeeze(-1)


def layers(numbers, width, outputs):
    last = nn.Linear(width, outputs)
    # At first everything is liked alike, and nothing is expected.
    nn.init.zeros_(last.weight), nn.init.zeros_(last.bias)
    return nn.Sequential(
        nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last
    )


def play(batch, player):
    """So many steps of all games: what was seen, done and expected, and what came of it."""
    seen = []
    step = batch.show()
    for _ in range(STEPS):
        # The arrays of a batch are overwritten; these are kept.
        observations = torch.from_numpy(step.observations.copy())
        masks, seats = torch.from_numpy(step.masks.copy()), step.seats.copy()
        with torch.no_grad():
            policy, values = player.policy(observations, masks), player.value(observations)
            actions = policy.sample()
        step = batch.step(actions.numpy())
        seen.append(
            (observations, masks, seats, actions, policy.log_prob(actions), values)
            + (step.ended.copy(), step.rewards.copy())
        )
    observations, masks, seats, actions, chances, values, ended, rewards = zip(*seen, strict=True)
    advantages, known = judge(
        numpy.array(seats), torch.stack(values).numpy(), numpy.array(ended), numpy.array(rewards)
    )
    flat = [torch.stack(rows).flatten(0, 1) for rows in (observations, masks, actions, chances, values)]
    flat.append(torch.from_numpy(advantages).flatten())
    known = torch.from_numpy(known).flatten()
    return [rows[known] for rows in flat]


def judge(seats, values, ended, rewards):
    """What each decision was worth beyond what was expected, and of which that is known.

    Backwards in time: what follows a decision of a seat is its own next decision, or the end of the game.
    """
    games = numpy.arange(seats.shape[1])
    follows = numpy.zeros_like(rewards[0])
    later = numpy.zeros_like(follows)
    is_known = numpy.zeros(follows.shape, dtype=bool)
    advantages = numpy.zeros_like(values)
    known = numpy.zeros(values.shape, dtype=bool)
    for time_ in reversed(range(len(seats))):
        over = ended[time_]
        follows[over], later[over], is_known[over] = rewards[time_][over], 0.0, True
        here = games, seats[time_]
        known[time_] = is_known[here]
        surprise = numpy.where(is_known[here], follows[here] - values[time_], 0.0)
        advantages[time_] = surprise + LAMBDA * later[here]
        follows[here], later[here], is_known[here] = values[time_], advantages[time_], True
    return advantages, known


def improve(player, optimiser, seen):
    """Makes better decisions likelier, but no decision much likelier at once."""
    observations, masks, actions, chances, values, advantages = seen
    returns = values + advantages
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(actions)).split(MINIBATCH):
            policy = player.policy(observations[some], masks[some])
            ratio = (policy.log_prob(actions[some]) - chances[some]).exp()
            gain = torch.min(
                ratio * advantages[some], ratio.clamp(1 - CLIP, 1 + CLIP) * advantages[some]
            )
            error = (player.value(observations[some]) - returns[some]).pow(2)
            loss = (0.5 * error - gain - ENTROPY * policy.entropy()).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(player.parameters(), 0.5)
            optimiser.step()


def policy_of(player):
    """The function that croupier.compare asks: the action that the player likes best."""

    @croupier.in_numbers
    def learned(observation, mask):
        with torch.no_grad():
            likes = player.likes(torch.from_numpy(observation)).numpy()
        return int(numpy.where(mask, likes, -numpy.inf).argmax())

    return learned


def export(player, folder):
    """Writes the bot: the program of this folder, and its network as a module beside it."""
    layers = [
        (layer.weight.tolist(), layer.bias.tolist())
        for layer in player.likes
        if isinstance(layer, nn.Linear)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    network = folder / "uno_network.py"
    network.write_text(f"NETWORK = {Network.write(layers)!r}\n", encoding="utf-8")
    shutil.copy(pathlib.Path(__file__).with_name("uno_bot.py"), folder)
    return folder / "uno_bot.py"


def learn(minutes, seed, width):
    torch.manual_seed(seed)
    batch = croupier.batch("uno", GAMES, seed=seed)
    player = Player(batch.encoding["numbers"], batch.actions, width)
    optimiser = torch.optim.Adam(player.parameters(), lr=RATE)
    begun, rounds = time.monotonic(), 0
    while (spent := time.monotonic() - begun) < 60 * minutes:
        # The steps become smaller towards the end.
        optimiser.param_groups[0]["lr"] = RATE * max(1 - spent / (60 * minutes), 0.05)
        improve(player, optimiser, play(batch, player))
        rounds += 1
        if rounds % 10 == 0:
            found = croupier.compare("uno", policy_of(player), "random", games=400, seed=1, to_the_end=True)
            ahead = found["difference"]["estimate"]
            print(
                f"{spent:4.0f} s, {batch.decisions:,} decisions: {ahead:+.2f} points beside random",
                flush=True,
            )
    return player


def main():
    parser = argparse.ArgumentParser(description="Learns Uno and writes a bot.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("learned"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=128, help="how wide the layers are")
    parser.add_argument("--games", type=int, default=20_000, help="how many games judge it")
    arguments = parser.parse_args()
    player = learn(arguments.minutes, arguments.seed, arguments.width)
    print("written:", export(player, arguments.out))
    for opponent in ("random", "naive", "careful"):
        found = croupier.compare(
            "uno", policy_of(player), opponent, games=arguments.games, seed=2, to_the_end=True
        )
        ahead, (low, high) = found["difference"]["estimate"], found["difference"]["ci95"]
        print(
            f"beside {opponent}: {ahead:+.3f} points a game, 95 % interval {low:+.3f} to {high:+.3f}, "
            f"verdict {found['verdict']}, {found['games']:,} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
