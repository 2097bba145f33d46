"""The games as PettingZoo environments.

    >>> import croupier.pettingzoo
    >>> env = croupier.pettingzoo.env("uno")
    >>> env.reset(seed=7)
"""

import secrets
from typing import Any

import numpy

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        f"croupier.pettingzoo needs {_error.name}: pip install pettingzoo", name=_error.name
    ) from None

from ._croupier import Table, games

__all__ = ["Env", "env", "raw_env"]


class Env(AECEnv):
    """One game as an AEC environment.

    The observation of an agent is a dict: `observation` (float32) is what it sees, `action_mask` (int8)
    has a 1 for every action that it may take now, and is all zero while others are to move. Rewards come
    at the end: 1 for the first place, -1 for the last, evenly spaced between. An illegal action raises
    croupier.IllegalMove, and the game is as it was.
    """

    def __init__(self, game: str, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"there is no render mode '{render_mode}'; there are: ansi, human")
        self.metadata = {
            "name": f"croupier_{game}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.game = game
        self.options = options
        self.render_mode = render_mode
        self._table = Table(game, options)
        self.encoding = self._table.encoding
        self.possible_agents = [f"player_{seat}" for seat in range(self._table.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, numbers = self.encoding["actions"], self.encoding["numbers"]
        observation = spaces.Box(-numpy.inf, numpy.inf, (numbers,), numpy.float32)
        mask = spaces.Box(0, 1, (actions,), numpy.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._names = list(self.possible_agents)
        self._seeds = numpy.random.default_rng(secrets.randbits(64))
        self.agents: list[str] = []
        self._over = True

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game. Without a seed it is the next one after the last seed that was given.

        The options of the game belong to the environment, so they are refused here. Others are ignored:
        PettingZoo's own tests pass some that no environment has.
        """
        for name in options or ():
            if any(name in (option["name"] for option in game["options"]) for game in games()):
                raise ValueError(f"reset() takes no {name!r}: options belong to env({self.game!r}, {name}=…)")
        if seed is not None:
            self._seeds = numpy.random.default_rng(seed)
        first = self._table.deal(int(self._seeds.integers(2**64, dtype=numpy.uint64)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._over = first is None
        self.agent_selection = self._names[first or 0]

    def step(self, action: Any) -> None:
        if self._over:
            self._leave(action)
            return
        seat = self._table.play(action)
        if seat is None:
            self._end()
        else:
            self.agent_selection = self._names[seat]

    def _end(self) -> None:
        """Everybody gets a reward and has still to leave the table, in the order of the seats."""
        self._over = True
        for agent, reward in zip(self.possible_agents, self._table.rewards(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] = reward
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def _leave(self, action: Any) -> None:
        if not self.agents:
            raise RuntimeError("nobody is at the table: call reset(), which deals a game")
        if action is not None:
            raise ValueError("the game is over: when an agent is terminated, the only valid action is None")
        agent = self.agent_selection
        for kept in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            del kept[agent]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seats.get(agent)
        if seat is None:
            raise KeyError(f"there is no agent {agent!r}; there are: {', '.join(self._names)}")
        return self._table.observe(seat)

    def __getattr__(self, name: str) -> Any:
        # Whoever asks for the state of the game has missed this; __init__ knows no game.
        raise AttributeError(f"there is no {name!r}; the state of a game is there once reset() has dealt it")

    def render(self) -> str | None:
        """What everybody sees, a line for each thing: as a text in the mode ansi, printed in the mode human."""
        if self.render_mode is None:
            return None
        seen = self._table.open() or {}
        text = "".join(f"{name}: {value}\n" for name, value in seen.items())
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        pass

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_table"]
        return state | {"_played": self._table.played()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        played = state.pop("_played")
        self.__dict__.update(state)
        self._table = Table(self.game, self.options)
        if played is not None:
            seed, actions = played
            self._table.deal(seed)
            for action in actions:
                self._table.play(action)

    def __repr__(self) -> str:
        return f"<croupier.pettingzoo.Env {self.game}>"

    __str__ = __repr__


def env(game: str, render_mode: str | None = None, **options: Any) -> Env:
    """The environment of a game: "intensity", "friday13", "uno" or "austerity", with its options."""
    return Env(game, render_mode, **options)


raw_env = env
