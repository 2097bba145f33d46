"""Card games, experts and honest comparisons, at the speed of Rust.

    >>> import croupier
    >>> game = croupier.Game("intensity", seed=7)
    >>> move = croupier.player("careful").choose(game)
    >>> game.play(move)
"""

import os as _os
from collections.abc import Callable as _Callable
from typing import Any as _Any

from . import _croupier
from ._croupier import (
    Batch,
    Game,
    IllegalMove,
    Player,
    Record,
    Step,
    __version__,
    compare,
    games,
    tournament,
)
from ._results import results
from ._statistics import Statistics, simulate

__all__ = [
    "Batch",
    "Game",
    "IllegalMove",
    "Player",
    "Record",
    "Statistics",
    "Step",
    "__version__",
    "batch",
    "compare",
    "games",
    "in_numbers",
    "player",
    "results",
    "simulate",
    "tournament",
]

batch = Batch
player = Player

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_croupier._forked)


def in_numbers(policy: _Callable[[_Any, _Any], int]) -> _Callable[[_Any, _Any], int]:
    """Marks a function that is asked in numbers: from an observation and a mask to an action.

    What the numbers mean stands on the page of the game.
    """
    if not callable(policy):
        raise TypeError(f"in_numbers() marks a function, not {type(policy).__name__}")

    def asked(observation: _Any, mask: _Any) -> int:
        return policy(observation, mask)

    asked.__name__ = getattr(policy, "__name__", type(policy).__name__)
    asked.in_numbers = True  # type: ignore[attr-defined]
    return asked
