import json
import pickle

import croupier
import numpy
import pytest


def first(view, legal):
    assert isinstance(view, dict) and legal
    return legal[0]


@croupier.in_numbers
def lowest(observation, mask):
    assert observation.dtype == numpy.float32 and mask.dtype == numpy.int8
    return int(mask.argmax())


def test_war_is_simulated():
    stats = croupier.simulate("war", games=20_000, seed=1)
    assert stats.games == 20_000 and stats["histogram"].dtype == numpy.uint64
    assert stats.histogram.sum() == stats.finished
    mean = (stats.histogram * numpy.arange(len(stats.histogram))).sum() / stats.finished
    assert stats.mean_turns == pytest.approx(mean)
    low, high = stats.mean_turns_ci95
    assert low < mean < high
    assert croupier.simulate("war", games=20_000, seed=1, threads=1).wins == stats.wins
    assert stats._repr_html_().startswith("<svg")
    assert "<b>" not in croupier.Statistics(stats, game="<b>war")._repr_html_()
    assert pickle.loads(pickle.dumps(stats)).wins == stats.wins
    with pytest.raises(AttributeError):
        stats.nonsense  # noqa: B018


def test_players_are_simulated(decided):
    stats = croupier.simulate(decided, games=200, seed=1)
    assert stats.games == 200 and stats.decisions > 200
    assert sum(player["mean_points"] for player in stats.players) > 0
    assert "<table>" in stats._repr_html_()
    with pytest.raises(ValueError, match="no player"):
        croupier.simulate(decided, ["wizard"] * len(stats.players), games=10)
    with pytest.raises(ValueError):
        croupier.simulate(decided, ["random"], games=10)
    with pytest.raises(TypeError):
        croupier.simulate(decided, "random", games=10)


def test_who_passes_something_else_is_told_what_to_do():
    with pytest.raises(TypeError, match=r"compare\(\) and tournament\(\) take functions"):
        croupier.simulate("uno", [first] * 4, games=10)
    with pytest.raises(TypeError, match="a dict from names to players"):
        croupier.tournament("uno", ["careful", "random"])
    with pytest.raises(TypeError, match="marks a function"):
        croupier.in_numbers("careful")
    with pytest.raises(ValueError, match="nothing is decided in War"):
        croupier.compare("war", "random", "random")


@pytest.mark.parametrize("policy", [first, lowest])
def test_functions_are_compared_with_built_in_players(decided, policy):
    found = croupier.compare(decided, policy, "random", games=120, seed=1, to_the_end=True)
    assert found["a"] == policy.__name__ and found["b"] == "random"
    assert 100 <= found["games"] <= 120
    assert found["faults"] == {"a": 0, "b": 0}
    low, high = found["difference"]["ci95"]
    assert low <= found["difference"]["estimate"] <= high
    again = croupier.compare(decided, policy, "random", games=120, seed=1, to_the_end=True)
    assert again == found, "the same seed"


def test_the_better_player_is_found():
    found = croupier.compare("uno", "careful", "random", games=50_000, seed=1)
    assert found["verdict"] == "a" and found["games"] < 50_000


def test_an_illegal_move_is_a_fault_and_an_exception_ends_it():
    found = croupier.compare("uno", lambda view, legal: "play nothing", "random", games=8, seed=1)
    assert found["faults"]["a"] > 0 and found["faults"]["b"] == 0

    def fails(view, legal):
        raise ZeroDivisionError("oh")

    with pytest.raises(ZeroDivisionError, match="oh"):
        croupier.compare("uno", fails, "random", games=80)
    with pytest.raises(TypeError, match="must return a move"):
        croupier.compare("uno", lambda view, legal: 7, "random", games=80)
    with pytest.raises(TypeError, match="must return an action"):
        croupier.compare("uno", croupier.in_numbers(lambda o, m: "x"), "random", games=80)


def test_what_cannot_be_compared_is_refused():
    for wrong in (None, 7, ["random"]):
        with pytest.raises(TypeError):
            croupier.compare("uno", wrong, "random")
    with pytest.raises(ValueError, match="too few"):
        croupier.compare("uno", "random", "random", games=3)
    with pytest.raises(ValueError, match="nothing is decided"):
        croupier.compare("war", "random", "random")
    with pytest.raises(ValueError, match="by 'luck'"):
        croupier.compare("uno", "random", "random", rank_by="luck")
    with pytest.raises(ValueError, match="no player 'wizard'"):
        croupier.compare("uno", "wizard", "random")


def test_a_tournament_is_held():
    players = {"mine": first, "numbers": lowest, "careful": "careful", "naive": "naive"}
    table = croupier.tournament("uno", players, rounds=3, seed=1)
    assert {line["name"] for line in table["standings"]} == set(players)
    assert table["games"] == 3 * 24 and table["standings"][0]["rank"] == 1
    assert croupier.tournament("uno", players, rounds=3, seed=1)["standings"] == table["standings"]
    with pytest.raises(ValueError, match="only 1 take part"):
        croupier.tournament("uno", {"one": "random"})
    with pytest.raises(TypeError):
        croupier.tournament("uno", ["random"] * 4)
    with pytest.raises(ValueError):
        croupier.tournament("uno", players, format="knockout")


def test_a_folder_is_read_as_columns(tmp_path):
    with pytest.raises(FileNotFoundError):
        croupier.results(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="no contest"):
        croupier.results(tmp_path)
    (tmp_path / "standings.csv").write_text('rank,name,mean_points,remark\n1,"a, b",2.5,\n,staff,,late\n')
    (tmp_path / "pairs.csv").write_text("name,other,above,level,below\n")
    (tmp_path / "report.json").write_text(json.dumps({"game": "uno"}))
    found = croupier.results(tmp_path)
    assert found["standings"]["name"].tolist() == ["a, b", "staff"]
    assert found["standings"]["rank"][0] == 1 and numpy.isnan(found["standings"]["rank"][1])
    assert found["standings"]["mean_points"][0] == 2.5
    assert found["pairs"]["above"].tolist() == [] and found["report"]["game"] == "uno"
    (tmp_path / "pairs.csv").write_text("name,other\na\n")
    with pytest.raises(ValueError, match="damaged"):
        croupier.results(tmp_path)
