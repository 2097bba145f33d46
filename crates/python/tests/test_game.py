import copy
import json
import multiprocessing
import os
import pickle
import random
import threading

import croupier
import numpy
import pytest
from conftest import interrupted
from croupier._croupier import Table


def play_out(game, seed=0):
    chance = random.Random(seed)
    while game.to_move is not None:
        game.play(chance.choice(game.legal()))
    return game


def test_games_tell_of_themselves():
    games = {game["name"]: game for game in croupier.games()}
    assert list(games) == ["war", "intensity", "friday13", "uno", "austerity"]
    assert games["uno"]["seats"] == [4, 4]
    assert games["war"]["encoding"] is None
    for game in games.values():
        if game["decisions"]:
            encoding = game["encoding"]
            assert encoding["version"] == 1
            assert sum(field["length"] for field in encoding["fields"]) == encoding["numbers"]
            assert {"expert", "random"} <= {player["name"] for player in game["players"]}


def test_a_game_is_played_step_by_step(name):
    game = croupier.Game(name, seed=7)
    assert game.name == name and game.seed == 7 and game.to_move is not None
    assert game.outcome is None
    for seat in range(game.seats):
        assert isinstance(game.view(seat), dict)
    first = game.legal()[0]
    twin = game.copy()
    before = game.record()
    with pytest.raises(croupier.IllegalMove):
        game.play("castle")
    assert game.record() == before, "the game is as it was"
    twin.play(first)
    assert game.record() == before, "a copy is independent"
    play_out(game)
    assert game.legal() == []
    assert sorted(game.outcome) == ["places", "points", "scores"] or "note" in game.outcome
    with pytest.raises(croupier.IllegalMove, match="over"):
        game.play(first)


def test_an_illegal_move_names_the_rule():
    game = croupier.Game("intensity", seed=7)
    with pytest.raises(croupier.IllegalMove) as refused:
        game.play("play 10")
    assert str(refused.value) and "\n" not in str(refused.value)


def test_the_same_seed_deals_the_same_game(name):
    records = {str(play_out(croupier.Game(name, seed=3)).record()) for _ in range(3)}
    assert len(records) == 1
    assert croupier.Game(name).seed != croupier.Game(name).seed


def test_copies_and_pickles_go_on_alike(name):
    game = croupier.Game(name, seed=5)
    for _ in range(3):
        game.play(game.legal()[0])
    for twin in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert twin.record() == game.record()
        assert play_out(twin, 9).outcome == play_out(game.copy(), 9).outcome


def test_a_record_is_read_again(name):
    record = play_out(croupier.Game(name, seed=4)).record()
    again = croupier.Record(str(record))
    assert again == record and hash(again) == hash(record)
    assert again.game().to_move is None
    assert pickle.loads(pickle.dumps(record)) == record
    lines = [json.loads(line) for line in record.text.splitlines()]
    assert lines[0]["game"] == name and lines[-1]["line"] == "outcome"


@pytest.mark.parametrize("text", ["", "{}", "nonsense", '{"line":"move","seat":0,"move":"x"}', "\0"])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(ValueError):
        croupier.Record(text)


def test_options_are_keywords():
    assert croupier.Game("austerity", seed=1, players=3).seats == 3
    with pytest.raises(ValueError, match="there is no game 'poker'"):
        croupier.Game("poker")
    with pytest.raises(TypeError):
        croupier.Game("austerity", players="three" if False else 1.5)
    with pytest.raises(ValueError):
        croupier.Game("austerity", players=10_000)


def test_an_option_that_is_not_there_is_refused_everywhere():
    four = dict.fromkeys("abcd", "random")
    for call in (
        lambda: croupier.Game("uno", wings=2),
        lambda: croupier.batch("uno", 8, wings=2),
        lambda: croupier.simulate("uno", games=10, wings=2),
        lambda: croupier.simulate("war", games=10, wings=2),
        lambda: croupier.compare("uno", "random", "random", games=8, wings=2),
        lambda: croupier.tournament("uno", four, rounds=1, wings=2),
    ):
        with pytest.raises(ValueError, match="no option 'wings'"):
            call()


@pytest.mark.parametrize("junk", ["", "x", "-1", "🂡" * 1000, 0, 2**63, [1, 2], [-5] * 9])
def test_no_option_crashes_whatever_it_is_given(name, junk):
    for option in next(game for game in croupier.games() if game["name"] == name)["options"]:
        try:
            play_out(croupier.Game(name, seed=1, **{option["name"]: junk}))
        except (ValueError, TypeError, OSError):
            pass


@pytest.mark.parametrize("wrong", [None, 1, b"play 1", ["play 1"], object()])
def test_types_that_do_not_fit_raise_type_error(wrong):
    game = croupier.Game("uno", seed=1)
    with pytest.raises(TypeError):
        game.play(wrong)
    with pytest.raises(TypeError):
        croupier.Game(wrong)
    with pytest.raises(TypeError):
        croupier.player(wrong)
    with pytest.raises(TypeError):
        croupier.player("random").choose(wrong)
    with pytest.raises((TypeError, IndexError)):
        game.view(wrong if wrong != 1 else 99)
    if wrong not in (None, 1):
        with pytest.raises(TypeError):
            croupier.Game("uno", seed=wrong)


def test_numbers_out_of_range_are_refused_in_words():
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="from 0 to"):
            croupier.Game("uno", seed=seed)
    for seat in (-1, 4, 2**64):
        with pytest.raises(IndexError, match="no"):
            croupier.Game("uno", seed=1).view(seat)


def test_players_choose_and_explain(decided):
    game = croupier.Game(decided, seed=2)
    for spec in ("random", "expert:iterations=50"):
        assert croupier.player(spec).choose(game) in game.legal()
    thoughts = croupier.player("expert:iterations=50").explain(game)
    assert thoughts[0]["move"] in game.legal()
    assert thoughts == croupier.player("expert:iterations=50").explain(game), "the same seed"
    assert {"estimate", "error", "visits", "reason"} <= set(thoughts[0])
    assert croupier.player("random").explain(game) == []
    assert repr(pickle.loads(pickle.dumps(croupier.player("random")))) == 'croupier.player("random")'


def test_players_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="there is no player 'wizard'"):
        croupier.player("wizard")
    with pytest.raises(ValueError, match="no option 'speed'"):
        croupier.player("expert:speed=9")
    over = play_out(croupier.Game("uno", seed=1))
    with pytest.raises(croupier.IllegalMove, match="over"):
        croupier.player("random").choose(over)


def test_a_game_draws_itself_as_the_web_table_does(name):
    game = croupier.Game(name, seed=7)
    drawn = game._repr_html_()
    assert drawn.startswith("<iframe srcdoc=") and "sandbox" in drawn
    assert "--felt" in drawn, "the style sheet of the web table"
    assert "<script" not in drawn
    assert game.html(0).startswith("<!doctype html>")
    with pytest.raises(IndexError):
        game.html(99)


def test_a_record_draws_every_position(name):
    game = croupier.Game(name, seed=7)
    for _ in range(5):
        game.play(game.legal()[0])
    record = game.record()
    page = record.html()
    assert page.count("<section>") == 6
    for moves in range(6):
        earlier = record.game(moves)
        table = earlier.html().partition("<body>")[2].partition("</body>")[0]
        assert table in page
    assert earlier.record() == record
    drawn = record._repr_html_()
    assert drawn.startswith("<iframe srcdoc=") and "sandbox" in drawn and "<script" not in drawn
    with pytest.raises(ValueError, match="the record has 5 moves"):
        record.game(6)
    with pytest.raises(ValueError, match="from 0 to"):
        record.game(-1)


def test_a_long_record_draws_some_positions():
    record = play_out(croupier.Game("friday13", seed=7)).record()
    moves = sum('"line":"move"' in line for line in record.text.splitlines())
    sections = record.html().count("<section>")
    assert moves + 1 > 150 and 50 < sections <= 151


def test_games_are_shared_between_threads():
    game = croupier.Game("uno", seed=3)
    wrong = []

    def look_and_play():
        chance = random.Random(0)
        while True:
            game.view(0)
            moves = game.legal()
            if not moves:
                return
            try:
                game.play(chance.choice(moves))
            except croupier.IllegalMove:
                pass
            except BaseException as error:
                wrong.append(error)
                return

    threads = [threading.Thread(target=look_and_play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and game.to_move is None


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_is_told_what_is_wrong():
    game = croupier.Game("uno", seed=3)
    batch = croupier.batch("uno", 8, seed=1)
    table = Table("uno", None)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        said = []
        for attempt in (game.legal, batch.step_random, table.rewards):
            try:
                attempt()
                said.append("nothing")
            except RuntimeError as error:
                said.append(str(error))
        said.append(croupier.Game("uno", seed=3).name)
        os.write(write, json.dumps(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = json.loads(pipe.read())
    os.waitpid(child, 0)
    assert all("forked" in refusal for refusal in said[:3]) and said[3] == "uno"


LONG = {
    "simulate": 'croupier.simulate("war", games=2**60, seed=1)',
    "players": 'croupier.simulate("uno", games=2**60, seed=1)',
    "compare": 'croupier.compare("uno", "random", "random", games=2**50, to_the_end=True, seed=1)',
    "function": 'croupier.compare("uno", lambda v, m: m[0], "random", games=2**50, to_the_end=True)',
    "choose": 'croupier.player("expert:time=60m").choose(croupier.Game("intensity", seed=1))',
    "tournament": 'croupier.tournament("uno", dict(a="random", b="random", c="random", d="random"), rounds=2**30)',
    "random": 'croupier.batch("uno", 64, seed=1).step_random(2**40)',
}


@pytest.mark.parametrize("what", LONG)
def test_ctrl_c_ends_long_calls(what):
    code = f"""
import croupier, sys
print("ready", flush=True)
try:
    {LONG[what]}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    assert interrupted(code) == "stopped\n"
