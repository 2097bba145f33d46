"""The folder of a contest as columns."""

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import numpy


def results(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """What a contest wrote into its folder: columns of the standings and of all pairs, and the report.

    `results(folder)["standings"]` is a dict of arrays, which pandas.DataFrame and polars.DataFrame take
    as it is.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder '{folder}' of a contest")
    if not (folder / "standings.csv").is_file():
        raise FileNotFoundError(
            f"'{folder}' holds no contest: there is no standings.csv, which croupier tournament writes"
        )
    return {
        "standings": _columns(folder / "standings.csv"),
        "pairs": _columns(folder / "pairs.csv"),
        "report": _read(folder / "report.json", json.load),
    }


def _columns(path: Path) -> dict[str, Any]:
    names, *rows = _read(path, lambda file: list(csv.reader(file))) or [[]]
    if any(len(row) != len(names) for row in rows):
        raise ValueError(f"'{path}' is damaged: its lines are not equally long")
    return {name: _column(name, [row[place] for row in rows]) for place, name in enumerate(names)}


def _read(path: Path, read: Callable[[TextIO], Any]) -> Any:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return read(file)
    except (csv.Error, ValueError, RecursionError) as error:
        raise ValueError(f"'{path}' is damaged: {error}") from None


# Whatever they look like, these are texts.
_TEXTS = {"name", "other", "remark"}


def _column(name: str, values: list[str]) -> Any:
    if name in _TEXTS:
        return numpy.array(values, dtype=object)
    if all(values):
        try:
            return numpy.array([int(value) for value in values], dtype=numpy.int64)
        except (ValueError, OverflowError):
            pass
    try:
        return numpy.array([float(value) if value else numpy.nan for value in values])
    except ValueError:
        return numpy.array(values, dtype=object)
