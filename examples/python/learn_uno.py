"""Learns Uno by playing against itself, and writes a bot that can take part in contests.

    pip install ./crates/python torch
    python examples/python/learn_uno.py --out learned
    croupier tournament uno --rounds 20 --out results json:learned/uno_bot.py careful naive random

Proximal policy optimisation (Schulman and others, 2017): one small network decides for all four seats of
many games at once. A seat is rewarded at the end of a game alone; advantages.py tells what each decision
contributed to that.
"""

import argparse
import pathlib
import shutil
import time

import croupier
import numpy
import torch
from advantages import advantages
from torch import nn
from uno_bot import Network

GAMES, STEPS, MINIBATCH, EPOCHS = 512, 128, 4096, 3
CLIP, LAMBDA, ENTROPY, RATE = 0.2, 0.95, 0.01, 1e-3


class Learner(nn.Module):
    """The actor says how much it wants each action, the critic which reward is to be expected."""

    def __init__(self, numbers, actions, width):
        super().__init__()
        self.actor = layers(numbers, width, actions)
        self.critic = layers(numbers, width, 1)

    def policy(self, observations, masks):
        logits = self.actor(observations).masked_fill(masks == 0, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False)

    def value(self, observations):
        return self.critic(observations).squeeze(-1)


def layers(numbers, width, outputs):
    last = nn.Linear(width, outputs)
    # At first every action is as good as any other, and nothing is expected.
    nn.init.zeros_(last.weight), nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(numbers, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last)


def collect(batch, learner):
    """Some steps of all games: what was seen and done, how likely that was, and what came of it."""
    seen = []
    step = batch.show()
    for _ in range(STEPS):
        # The batch will write into its arrays again, so they are copied.
        observations, masks = torch.tensor(step.observations), torch.tensor(step.masks)
        seats = step.seats.copy()
        with torch.no_grad():
            policy, values = learner.policy(observations, masks), learner.value(observations)
            actions = policy.sample()
        step = batch.step(actions.numpy())
        seen.append(
            (observations, masks, actions, policy.log_prob(actions), values)
            + (seats, step.ended.copy(), step.rewards.copy())
        )
    *tensors, seats, ended, rewards = zip(*seen, strict=True)
    observations, masks, actions, likelihoods, values = map(torch.stack, tensors)
    chosen = (masks.sum(-1) > 1).numpy()
    found, known = advantages(
        numpy.array(seats), chosen, values.numpy(), numpy.array(ended), numpy.array(rewards), LAMBDA
    )
    found, known = torch.from_numpy(found), torch.from_numpy(known)
    return [rows[known] for rows in (observations, masks, actions, likelihoods, values, found)]


def improve(learner, optimiser, seen):
    """Makes better decisions likelier, but none much likelier at once."""
    observations, masks, actions, likelihoods, values, found = seen
    returns = values + found
    found = (found - found.mean()) / (found.std() + 1e-8)
    for _ in range(EPOCHS):
        for some in torch.randperm(len(actions)).split(MINIBATCH):
            policy = learner.policy(observations[some], masks[some])
            ratio = (policy.log_prob(actions[some]) - likelihoods[some]).exp()
            gain = torch.min(ratio * found[some], ratio.clamp(1 - CLIP, 1 + CLIP) * found[some])
            error = (learner.value(observations[some]) - returns[some]).pow(2)
            loss = (0.5 * error - gain - ENTROPY * policy.entropy()).mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learner.parameters(), 0.5)
            optimiser.step()


def learn(rounds, seed, width):
    torch.manual_seed(seed)
    batch = croupier.batch("uno", GAMES, seed=seed)
    learner = Learner(batch.encoding["numbers"], batch.actions, width)
    optimiser = torch.optim.Adam(learner.parameters(), lr=RATE)
    for number in range(rounds):
        # The steps become smaller towards the end.
        optimiser.param_groups[0]["lr"] = RATE * (1 - number / rounds)
        improve(learner, optimiser, collect(batch, learner))
        if (number + 1) % 20 == 0:
            found = croupier.compare("uno", policy_of(learner), "random", games=800, seed=1, to_the_end=True)
            ahead = found["difference"]["estimate"]
            print(f"{spent()}, {batch.decisions:,} decisions: {ahead:+.2f} points against random", flush=True)
    return learner


def spent():
    """How long this has taken, and how much of that the processor was at work."""
    return f"{time.monotonic() - BEGUN:.0f} s ({time.process_time():.0f} s of processor time)"


BEGUN = time.monotonic()


def policy_of(learner):
    """The function that croupier.compare asks: the action that the actor wants most."""

    @croupier.in_numbers
    def learned(observation, mask):
        with torch.no_grad():
            logits = learner.actor(torch.from_numpy(observation)).numpy()
        return int(numpy.where(mask, logits, -numpy.inf).argmax())

    return learned


def export(learner, folder):
    """Writes the bot: the program of this folder, and its network as a module beside it."""
    linear = [layer for layer in learner.actor if isinstance(layer, nn.Linear)]
    network = Network.write([(layer.weight.tolist(), layer.bias.tolist()) for layer in linear])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "uno_network.py").write_text(f"NETWORK = {network!r}\n", encoding="utf-8")
    shutil.copy(pathlib.Path(__file__).with_name("uno_bot.py"), folder)
    return folder / "uno_bot.py"


def main():
    parser = argparse.ArgumentParser(description="Learns Uno and writes a bot.")
    parser.add_argument("--rounds", type=int, default=100, help="of 65,536 decisions each")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("learned"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--width", type=int, default=128, help="how wide the layers are")
    parser.add_argument("--games", type=int, default=20_000, help="how many games judge it")
    arguments = parser.parse_args()
    # Layers as small as these gain nothing from more threads.
    torch.set_num_threads(1)
    learner = learn(arguments.rounds, arguments.seed, arguments.width)
    print(f"{spent()}: written {export(learner, arguments.out)}", flush=True)
    for opponent in ("random", "naive", "careful"):
        found = croupier.compare(
            "uno", policy_of(learner), opponent, games=arguments.games, seed=2, to_the_end=True
        )
        ahead, (low, high) = found["difference"]["estimate"], found["difference"]["ci95"]
        print(
            f"against {opponent}: {ahead:+.3f} points a game, 95 % interval {low:+.3f} to {high:+.3f}, "
            f"verdict {found['verdict']}, {found['games']:,} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
