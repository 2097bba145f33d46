import pickle
import sys
import warnings

import croupier
import numpy
import pytest

pytest.importorskip("pettingzoo")

import croupier.pettingzoo  # noqa: E402
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test  # noqa: E402


def moved(env, steps, seed=0):
    chance = numpy.random.default_rng(seed)
    for _ in range(steps):
        observation, *_ = env.last()
        legal = numpy.flatnonzero(observation["action_mask"])
        env.step(int(chance.choice(legal)))
        if env._over:
            break
    return env


def test_pettingzoo_agrees(decided):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(croupier.pettingzoo.env(decided), num_cycles=300)
        seed_test(lambda: croupier.pettingzoo.env(decided), num_cycles=50)
        render_test(lambda render_mode=None: croupier.pettingzoo.env(decided, render_mode))


def test_pettingzoos_benchmark_runs(monkeypatch, capsys):
    benchmark = sys.modules[performance_benchmark.__module__]
    clock = iter(numpy.arange(0, 10**6, 0.01))
    monkeypatch.setattr(benchmark.time, "time", lambda: next(clock))
    performance_benchmark(croupier.pettingzoo.env("uno"))
    assert "turns per second" in capsys.readouterr().out


def test_every_seat_observes_at_any_time(decided):
    env = croupier.pettingzoo.env(decided)
    env.reset(seed=3)
    for _ in range(40):
        for agent in env.possible_agents:
            seen = env.observe(agent)
            mask = seen["action_mask"]
            assert mask.dtype == numpy.int8 and seen["observation"].dtype == numpy.float32
            assert mask.any() == (agent == env.agent_selection)
        moved(env, 1)
        if env._over:
            break
    assert env.metadata["is_parallelizable"] is False


def test_checks_are_made(decided):
    env = croupier.pettingzoo.env(decided)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=3)
    before = pickle.dumps(env.observe(env.agent_selection))
    mask = env.observe(env.agent_selection)["action_mask"]
    for wrong in (int(mask.argmin()), -1, len(mask), 10**15, 2**64):
        with pytest.raises(croupier.IllegalMove):
            env.step(wrong)
    for wrong in (None, 1.5, "1"):
        with pytest.raises(TypeError):
            env.step(wrong)
    assert pickle.dumps(env.observe(env.agent_selection)) == before


def test_a_game_ends_for_everybody(decided):
    env = croupier.pettingzoo.env(decided)
    env.reset(seed=3)
    moved(env, 100_000)
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert abs(sum(env.rewards.values())) < 1e-9 and max(env.rewards.values()) > 0
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    with pytest.raises(RuntimeError, match="reset"):
        env.step(None)


def test_a_pickled_environment_goes_on_alike(decided):
    env = croupier.pettingzoo.env(decided)
    assert pickle.loads(pickle.dumps(env)).possible_agents == env.possible_agents
    env.reset(seed=3)
    moved(env, 5)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.agent_selection == env.agent_selection
    assert moved(twin, 500, 4).rewards == moved(env, 500, 4).rewards
    env.reset(), twin.reset()
    assert env.observe("player_0")["observation"].tolist() == twin.observe("player_0")["observation"].tolist()


def test_the_autoreset_mode_of_a_batch_is_one_of_gymnasiums():
    vector = pytest.importorskip("gymnasium.vector")
    assert vector.AutoresetMode(croupier.batch("uno", 2, seed=1).autoreset_mode).name == "SAME_STEP"


def test_who_forgot_to_reset_is_told():
    env = croupier.pettingzoo.env("uno")
    with pytest.raises(AttributeError, match="reset"):
        env.last()
    with pytest.raises(KeyError, match="there are: player_0, player_1"):
        env.observe("player_9")


def test_options_belong_to_the_environment():
    env = croupier.pettingzoo.env("austerity", players=3)
    env.reset(seed=1, options={"unknown": 1})
    with pytest.raises(ValueError, match=r"env\('austerity', players="):
        env.reset(seed=1, options={"players": 2})


def test_unknown_names_and_options_raise():
    with pytest.raises(ValueError):
        croupier.pettingzoo.env("poker")
    with pytest.raises(ValueError):
        croupier.pettingzoo.env("war")
    with pytest.raises(ValueError):
        croupier.pettingzoo.env("uno", wings=2)
    with pytest.raises(ValueError):
        croupier.pettingzoo.env("uno", render_mode="opera")
    assert len(croupier.pettingzoo.env("austerity", players=3).possible_agents) == 3
