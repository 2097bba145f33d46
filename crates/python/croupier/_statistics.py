"""What many games tell."""

from collections.abc import Iterable
from html import escape
from typing import Any

import numpy

from . import _croupier


class Statistics(dict[str, Any]):
    """What was found in many games; draws its histogram in a notebook, where it has one."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"these statistics have no '{name}'; they have: {', '.join(self)}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        return (Statistics, (dict(self),))

    def _repr_html_(self) -> str:
        histogram = self.get("histogram")
        if histogram is None or not histogram.any():
            return _table(self)
        return _drawn(histogram, f"{self['games']:,} games of {self['game']}, seed {self['seed']}")


def simulate(
    name: str,
    players: Iterable[str] = (),
    *,
    games: int = 100_000,
    seed: int | None = None,
    threads: int | None = None,
    **options: Any,
) -> Statistics:
    """Plays many games between built-in players, or of War, and tells how they went.

    Without players, those play whom the game suggests as opponents.
    """
    if isinstance(players, str):
        raise TypeError("players is a list of names, one for every seat, not one name")
    players = list(players)
    if not all(isinstance(player, str) for player in players):
        raise TypeError("simulate() plays built-in players, by name; compare() and tournament() take functions")
    found = _croupier._simulate(
        name, players, games=games, seed=seed, threads=threads, options=options
    )
    return Statistics(found)


def _table(statistics: Statistics) -> str:
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_short(value))}</td>" for value in player.values()) + "</tr>"
        for player in statistics.get("players", ())
    )
    names: dict[str, Any] = next(iter(statistics.get("players", ())), {})
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return " – ".join(_short(one) for one in value)
    return str(value)


def _drawn(histogram: Any, title: str) -> str:
    """The histogram as a picture. The longest half percent stays outside, or the rest would be squeezed."""
    width, height, left, top = 720, 260, 12, 34
    so_far = histogram.cumsum()
    shown = int(numpy.searchsorted(so_far, 0.995 * so_far[-1])) + 1
    each = -(-shown // 120)
    bars = numpy.add.reduceat(histogram[:shown], range(0, shown, each))
    step = (width - 2 * left) / len(bars)
    tall = (height - top - 28) * bars / max(int(bars.max()), 1)
    rects = "".join(
        f'<rect x="{left + place * step:.2f}" y="{height - 24 - high:.2f}" '
        f'width="{max(step - 0.6, 0.4):.2f}" height="{high:.2f}">'
        f"<title>{place * each}–{place * each + each - 1} turns: {count:,} games</title></rect>"
        for place, (high, count) in enumerate(zip(tall, bars, strict=True))
    )
    beyond = int(so_far[-1] - so_far[shown - 1])
    note = f"turns 0 to {shown - 1:,}" + (f"; {beyond:,} longer games are not shown" if beyond else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'font-family="sans-serif" font-size="12" fill="currentColor">'
        f'<text x="{left}" y="20" font-size="15">{escape(title)}</text><g fill="#2a7f8f">{rects}</g>'
        f'<text x="{left}" y="{height - 6}">{note}</text></svg>'
    )
