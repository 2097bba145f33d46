"""The example that learns, and the bot that it writes: what needs PyTorch is left out where it is missing."""

import importlib.util
import os
import random
import subprocess
import sys
from pathlib import Path

import croupier
import numpy
import pytest
from croupier._croupier import Table

EXAMPLES = Path(__file__).parents[3] / "examples" / "python"
PROGRAM = os.environ.get("CROUPIER_PROGRAM")

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples are not here")


@pytest.fixture
def bot(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import uno_bot

    return uno_bot


@pytest.fixture
def folder(bot, tmp_path):
    """A bot whose network nobody has taught."""
    chance = random.Random(1)
    layers = [
        ([[chance.gauss(0, 0.1) for _ in range(columns)] for _ in range(rows)], [0.0] * rows)
        for rows, columns in ((8, 191), (len(bot.MOVES), 8))
    ]
    (tmp_path / "uno_network.py").write_text(f"NETWORK = {bot.Network.write(layers)!r}\n")
    (tmp_path / "uno_bot.py").write_text((EXAMPLES / "uno_bot.py").read_text())
    return tmp_path


def test_the_bot_writes_a_view_in_the_same_numbers_as_the_package(bot):
    chance = random.Random(1)
    for seed in range(20):
        game, table = croupier.Game("uno", seed=seed, scores=[1, 20, 300, 4]), Table("uno", {"scores": "1,20,300,4"})
        table.deal(seed)
        while game.to_move is not None:
            for seat in range(4):
                assert bot.observe(game.view(seat)) == table.observe(seat)["observation"].tolist()
            legal = game.legal()
            mask = table.observe(game.to_move)["action_mask"]
            assert [bot.MOVES[action] for action in mask.nonzero()[0]] == legal
            move = chance.choice(legal)
            game.play(move)
            table.play(bot.MOVE[move])


def plain_advantages(seats, chosen, values, ended, rewards, decay):
    """The definition, one decision after the other: follow the seat to its next decision or the end."""
    steps, games = seats.shape

    def of(step, game):
        seat = seats[step, game]
        for later in range(step, steps):
            if later > step and seats[later, game] == seat and chosen[later, game]:
                surprise = values[later, game] - values[step, game]
                return surprise + decay * (of(later, game) or 0.0)
            if ended[later, game]:
                return rewards[later, game, seat] - values[step, game]
        return None

    return {
        (step, game): of(step, game) for step in range(steps) for game in range(games) if chosen[step, game]
    }


def test_advantages_are_those_of_the_definition(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    from advantages import advantages

    batch = croupier.batch("uno", 6, seed=1, copy=True)
    chance = numpy.random.default_rng(1)
    shown, seats, ended, rewards, chosen = batch.show(), [], [], [], []
    for _ in range(150):
        seats.append(shown.seats), chosen.append(shown.masks.sum(axis=1) > 1)
        shown = batch.step((shown.masks * chance.random(shown.masks.shape)).argmax(axis=1))
        ended.append(shown.ended), rewards.append(shown.rewards)
    values = chance.normal(size=(150, 6))
    given = [numpy.array(seats), numpy.array(chosen), values, numpy.array(ended), numpy.array(rewards), 0.9]
    found, known = advantages(*given)
    plain = plain_advantages(*given)
    assert {place for place, worth in plain.items() if worth is not None} == set(zip(*known.nonzero()))
    assert known.sum() > 100
    for place in zip(*known.nonzero()):
        assert found[place] == pytest.approx(plain[place], abs=1e-5)


@pytest.mark.skipif(PROGRAM is None, reason="CROUPIER_PROGRAM does not name the program croupier")
def test_the_bot_takes_part_in_a_contest_whose_folder_is_read_as_columns(folder):
    words = ["tournament", "uno", "--rounds", "2", "--seed", "1", "--out", "results"]
    words += [f"json:{folder}/uno_bot.py", "careful", "naive", "random"]
    held = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    assert held.returncode == 0, held.stderr
    found = croupier.results(folder / "results")
    standings, pairs = found["standings"], found["pairs"]
    assert sorted(standings["name"]) == ["Learned", "careful", "naive", "random"]
    lengths = {len(column) for column in standings.values()}
    assert lengths == {4} and standings["rank"].dtype.kind == "i"
    assert standings["games"].tolist() == [48] * 4 and standings["faults"].sum() == 0
    assert len(pairs["name"]) == len(pairs["other"]) == 12 or len(pairs["name"]) == 6
    assert found["report"]["game"] == "uno" and found["report"]["games"] == 48
    for name in ("pandas", "polars"):
        if importlib.util.find_spec(name):
            frame = importlib.import_module(name).DataFrame(standings)
            assert len(frame) == 4


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_it_learns(tmp_path):
    words = ["--rounds", "20", "--width", "8", "--games", "80", "--out", "learned"]
    learned = subprocess.run(
        [sys.executable, EXAMPLES / "learn_uno.py", *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=600,
    )
    assert learned.returncode == 0, learned.stderr
    assert "against random:" in learned.stdout
    assert (tmp_path / "learned" / "uno_network.py").is_file()
