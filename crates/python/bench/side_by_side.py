"""Random play through the package beside OpenSpiel and RLCard: they take turns, medians are compared.

usage: side_by_side.py [seconds a turn] [turns]
"""

import random
import statistics
import sys
import time
import warnings

import croupier
import croupier.pettingzoo
import numpy

warnings.filterwarnings("ignore")


def timed(play, seconds):
    """How many decisions a second `play` makes; it makes some and tells how many."""
    play()
    begun, decisions = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        decisions += play()
    return decisions / (time.perf_counter() - begun)


def batch(name, games=4096):
    """Random play with observation and mask after every decision."""
    games = croupier.batch(name, games, seed=1)

    def play():
        for _ in range(20):
            games.step_random()
        return 20 * len(games)

    return play


def bare(name, games=512):
    """Random play inside, looked at after 1,000 decisions."""
    games = croupier.batch(name, games, seed=1)

    def play():
        games.step_random(1000)
        return 1000 * len(games)

    return play


def openspiel(name, observed):
    """The usual loop in Python, with or without observation and mask."""
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)

    def play():
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                actions, weights = zip(*outcomes)
                state.apply_action(chance.choices(actions, weights)[0])
                continue
            if observed:
                player = state.current_player()
                if name == "hearts":
                    state.information_state_tensor(player)
                else:
                    state.observation_tensor(player)
                state.legal_actions_mask()
            legal = state.legal_actions()
            state.apply_action(legal[int(chance.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def zoo(env):
    """One game of random play through PettingZoo, with observation and mask."""
    chance = random.Random(1)
    seeds = iter(range(1, 10**9))

    def play():
        env.reset(seed=next(seeds))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(chance.random() * len(legal))]))
            decisions += 1
        return decisions

    return play


def rlcard_run():
    """RLCard's own run() with its random agents: the documented way."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play():
        before = env.timestep
        try:
            env.run(is_training=False)
        except IndexError:  # its deck can run out
            pass
        return env.timestep - before

    return play


class RLCardZoo:
    """RLCard's Uno as an AEC environment, with observation and mask, without further wrappers."""

    def __init__(self):
        import rlcard
        from pettingzoo import AECEnv

        class Env(AECEnv):
            def __init__(self):
                self.inner = rlcard.make("uno", config={"seed": 1})
                self.possible_agents = [f"player_{n}" for n in range(self.inner.num_players)]

            def reset(self, seed=None, options=None):
                self.state, seat = self.inner.reset()
                self.agents = list(self.possible_agents)
                self.agent_selection = self.agents[seat]
                self.rewards = dict.fromkeys(self.agents, 0)
                self._cumulative_rewards = dict.fromkeys(self.agents, 0)
                self.terminations = dict.fromkeys(self.agents, False)
                self.truncations = dict.fromkeys(self.agents, False)
                self.infos = {agent: {} for agent in self.agents}

            def observe(self, agent):
                state = self.inner.get_state(self.possible_agents.index(agent))
                mask = numpy.zeros(self.inner.num_actions, numpy.int8)
                mask[list(state["legal_actions"])] = 1
                return {"observation": state["obs"].astype(numpy.float32), "action_mask": mask}

            def step(self, action):
                if self.terminations[self.agent_selection]:
                    self._was_dead_step(action)
                    return
                _, seat = self.inner.step(action)
                self.agent_selection = self.possible_agents[seat]
                if self.inner.is_over():
                    for agent, payoff in zip(self.agents, self.inner.get_payoffs(), strict=True):
                        self.rewards[agent] = payoff
                        self.terminations[agent] = True

        self.env = Env()

    def play(self):
        play = zoo(self.env)

        def safely():
            try:
                return play()
            except IndexError:  # its deck can run out
                return 0

        return safely


COMPARED = [
    ("observation and mask, uno beside crazy eights", batch("uno"), lambda: openspiel("crazy_eights(players=4)", True), 100),
    ("observation and mask, intensity beside hearts", batch("intensity"), lambda: openspiel("hearts", True), 100),
    ("bare, uno beside crazy eights", bare("uno"), lambda: openspiel("crazy_eights(players=4)", False), 40),
    ("bare, intensity beside hearts", bare("intensity"), lambda: openspiel("hearts", False), 40),
    ("PettingZoo uno beside RLCard's run", zoo(croupier.pettingzoo.env("uno")), rlcard_run, 5),
    ("PettingZoo uno beside RLCard through PettingZoo", zoo(croupier.pettingzoo.env("uno")), lambda: RLCardZoo().play(), 5),
]


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for what, ours, peer, wanted in COMPARED:
        peer = peer()
        rates = [(timed(ours, seconds), timed(peer, seconds)) for _ in range(turns)]
        mine, theirs = (statistics.median(side) for side in zip(*rates))
        print(f"{what}: {mine:,.0f} beside {theirs:,.0f} decisions a second, {mine / theirs:.1f} times (wanted: {wanted})", flush=True)


if __name__ == "__main__":
    main()
