"""Whatever a caller passes, it gets an exception of one line: no panic, no crash, no hang."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

import croupier
import numpy
import pytest
from conftest import interrupted

JUNK = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63,
    2**64 - 1,
    2**64,
    -(2**70),
    10**5000,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "7",
    "\0",
    "\ud800",
    "🂡" * 1000,
    b"uno",
    [],
    [None],
    {},
    object(),
    int,
    numpy.float64("nan"),
    numpy.array([1, 2]),
    numpy.int8(-3),
]
LOOP = []
LOOP.append(LOOP)
JUNK.append(LOOP)

REFUSALS = (ValueError, TypeError, IndexError, OSError, MemoryError)


def refused_or_done(call):
    """The call does what it can, or raises an exception of one line that is no defect of ours."""
    try:
        return call()
    except REFUSALS as error:
        assert str(error).strip() and "\n" not in str(error).strip()
        assert "defect" not in str(error)
        return None


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_junk_in_every_place_is_refused_or_understood(junk):
    game = croupier.Game("uno", seed=1)
    before = game.record()
    batch = croupier.batch("uno", 4, seed=1)
    calls = [
        lambda: croupier.Game(junk),
        lambda: croupier.Game("uno", seed=junk),
        lambda: croupier.Game("uno", scores=junk, seed=1),
        lambda: croupier.Game("friday13", seed=1, players=junk),
        lambda: croupier.Record(junk),
        lambda: croupier.player(junk),
        lambda: croupier.player("random").choose(junk),
        lambda: croupier.player("random").choose(game, seed=junk),
        lambda: game.copy().play(junk),
        lambda: game.view(junk),
        lambda: game.html(junk),
        lambda: batch.step(junk),
        lambda: batch.step([junk] * 4),
        lambda: batch.reset(seed=junk),
        lambda: croupier.batch(junk, 4),
        lambda: croupier.batch("uno", 4, threads=junk),
        lambda: croupier.batch("uno", 4, seed=junk),
        lambda: croupier.simulate(junk, games=1),
        lambda: croupier.simulate("war", games=10, seed=junk),
        lambda: croupier.simulate("war", games=10, threads=junk),
        lambda: croupier.simulate("uno", junk, games=10),
        lambda: croupier.simulate("uno", [junk] * 4, games=10),
        lambda: croupier.compare(junk, "random", "random", games=4),
        lambda: croupier.compare("uno", junk, "random", games=4),
        lambda: croupier.compare("uno", "random", "random", games=4, seed=junk),
        lambda: croupier.compare("uno", "random", "random", games=4, rank_by=junk),
        lambda: croupier.compare("uno", "random", "random", games=4, threads=junk),
        lambda: croupier.tournament(junk, {}),
        lambda: croupier.tournament("uno", junk),
        lambda: croupier.tournament("uno", dict.fromkeys("abcd", junk), rounds=1),
        lambda: croupier.tournament("uno", dict.fromkeys("abcd", "random"), rounds=1, format=junk),
        lambda: croupier.results(junk),
    ]
    if not isinstance(junk, int) or junk < 100:
        # As many as somebody asks for are played, so these would take for ever.
        calls += [
            lambda: batch.step_random(junk),
            lambda: croupier.simulate("war", games=junk),
            lambda: croupier.compare("uno", "random", "random", games=junk),
            lambda: croupier.tournament("uno", dict.fromkeys("abcd", "random"), rounds=junk),
        ]
    if not isinstance(junk, int) or not 100 < junk < 2**63:
        calls += [lambda: croupier.batch("uno", junk)]
    for call in calls:
        refused_or_done(call)
    assert game.record() == before


def test_more_than_the_machine_can_hold_is_refused():
    for name in ("uno", "friday13", "intensity", "austerity"):
        for games in (2**40, 2**63, 2**64 - 1):
            with pytest.raises(ValueError, match="memory"):
                croupier.batch(name, games)
    with pytest.raises(ValueError, match="1 to 1024"):
        croupier.compare("uno", "random", "random", games=4, threads=2**63)


def legal_of(batch):
    return batch.show().masks.argmax(axis=1)


@pytest.mark.parametrize(
    "shape",
    [
        lambda actions: actions.astype(numpy.int8),
        lambda actions: actions.astype(numpy.uint64),
        lambda actions: actions.astype(">i8"),
        lambda actions: numpy.repeat(actions, 3)[::3],
        lambda actions: actions[::-1].copy()[::-1],
        lambda actions: numpy.asfortranarray(actions),
        lambda actions: actions.tolist(),
        lambda actions: tuple(actions),
        lambda actions: frozen(actions),
    ],
)
def test_actions_may_come_in_any_form(shape):
    one, other = (croupier.batch("uno", 8, seed=1) for _ in range(2))
    actions = legal_of(one)
    assert (one.step(shape(actions)).observations == other.step(actions).observations).all()


def frozen(actions):
    actions = actions.copy()
    actions.flags.writeable = False
    return actions


def test_the_arrays_of_a_batch_may_be_its_actions():
    batch = croupier.batch("friday13", 8, seed=1)
    for _ in range(6):
        step = batch.show()
        step.seats[:] = legal_of(batch)
        for array in (step.seats, step.scores[:, 0]):
            array[:] = legal_of(batch)
        batch.step(step.seats)


def test_an_array_that_plays_tricks_gets_an_exception():
    batch = croupier.batch("uno", 8, seed=1)
    legal = legal_of(batch)

    class Steps:
        def __array__(self, dtype=None, copy=None):
            return batch.step(legal).masks.argmax(axis=1)

    batch.step(Steps())
    assert batch.decisions == 16

    class Raises:
        def __array__(self, dtype=None, copy=None):
            raise LookupError("no actions today")

    with pytest.raises(LookupError, match="no actions today"):
        batch.step(Raises())
    with pytest.raises(TypeError):
        batch.step(numpy.ones(8, dtype=bool))
    with pytest.raises(croupier.IllegalMove):
        batch.step(numpy.full(8, 2**64 - 1, dtype=numpy.uint64))


def test_arrays_that_were_spoilt_leave_the_games_as_they_were():
    batch = croupier.batch("uno", 8, seed=1)
    step = batch.step_random()
    step.masks.flags.writeable = False
    batch.step_random()
    seeds, decisions = batch.seeds.tolist(), batch.decisions
    for attempt in (batch.step_random, lambda: batch.step(legal_of(batch)), lambda: batch.reset(seed=9)):
        with pytest.raises(ValueError, match="can no longer be written"):
            attempt()
    assert batch.seeds.tolist() == seeds and batch.decisions == decisions
    batch = croupier.batch("uno", 8, seed=1)
    rewards = batch.show().rewards
    with pytest.raises(ValueError, match="own"):
        rewards.resize((1, 1), refcheck=False)
    rewards.shape = (4, 8)
    batch.step_random(), batch.step_random()
    rewards.dtype = numpy.float64
    batch.step_random()
    with pytest.raises(ValueError, match="its size was changed"):
        batch.step_random()


FULL = """
import croupier, resource
held = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
for more in range(20, 620, 60):
    resource.setrlimit(resource.RLIMIT_AS, (held + more * 2**20, -1))
    try:
        croupier.batch("uno", 50_000, seed=1, threads=1)
        print("made")
    except MemoryError as error:
        print(error)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="nobody tells how much memory is held")
def test_a_batch_for_which_the_memory_is_short_is_refused_wherever_it_ends():
    tried = subprocess.run([sys.executable, "-c", FULL], capture_output=True, text=True, timeout=300)
    said = tried.stdout.splitlines()
    assert tried.returncode == 0 and len(said) == 10, tried.stderr
    assert set(said) <= {"made", "there is not enough free memory for so many games: take fewer"}
    assert said[0] != "made" and said[-1] == "made"


@pytest.mark.parametrize("error", [ZeroDivisionError, SystemExit, KeyboardInterrupt, GeneratorExit, MemoryError])
def test_whatever_a_policy_raises_comes_out(error):
    def raises(view, legal):
        raise error("oh")

    with pytest.raises(error):
        croupier.compare("uno", raises, "random", games=8)
    with pytest.raises(error):
        croupier.tournament("uno", {"a": raises, "b": "random", "c": "random", "d": "random"})


@pytest.mark.parametrize(
    "answer",
    [None, 7, 1.5, b"draw", "\ud800", ["draw"], {}, object(), 10**5000, float("nan")],
    ids=lambda answer: type(answer).__name__,
)
def test_a_policy_that_returns_something_else_is_told(answer):
    with pytest.raises((TypeError, ValueError)):
        croupier.compare("uno", lambda view, legal: answer, "random", games=8)
    numbers = croupier.in_numbers(lambda observation, mask: answer)
    if not isinstance(answer, int):
        with pytest.raises(TypeError, match="must return an action"):
            croupier.compare("uno", numbers, "random", games=8)


@pytest.mark.parametrize("answer", ["", "draw " * 10_000, "play\nred 5", "\0"])
def test_a_policy_that_returns_nonsense_commits_faults(answer):
    found = croupier.compare("uno", lambda view, legal: answer, "random", games=8, seed=1)
    assert found["faults"]["a"] > 0


@pytest.mark.parametrize("action", [-1, 61, 2**62, -(2**62), 2**64])
def test_a_policy_that_takes_no_action_commits_faults(action):
    policy = croupier.in_numbers(lambda observation, mask: action)
    assert croupier.compare("uno", policy, "random", games=8, seed=1)["faults"]["a"] > 0


def test_a_policy_may_do_what_it_likes_with_what_it_is_given():
    def spoils(view, legal):
        choice = legal[0]
        view.clear(), legal.clear()
        return choice

    @croupier.in_numbers
    def overwrites(observation, mask):
        choice = int(mask.argmax())
        observation[:] = numpy.nan
        mask[:] = 1
        return choice

    for policy in (spoils, overwrites):
        assert croupier.compare("uno", policy, "random", games=40, seed=1)["faults"] == {"a": 0, "b": 0}


def test_policies_are_called_in_the_thread_of_the_caller():
    threads = set()

    def policy(view, legal):
        threads.add(threading.get_ident())
        return legal[0]

    croupier.compare("uno", policy, policy, games=40, seed=1, threads=3)
    assert threads == {threading.get_ident()}


def test_a_policy_may_call_everything_again():
    batch = croupier.batch("uno", 8, seed=1)
    game = croupier.Game("uno", seed=1)
    calls = []

    def within(view, legal):
        return legal[-1]

    def policy(view, legal):
        if len(calls) < 3:
            calls.append(croupier.compare("uno", within, "random", games=4, seed=1)["games"])
            croupier.tournament("uno", dict.fromkeys("abcd", "random"), rounds=1, seed=1)
            croupier.player("random").choose(game)
            croupier.simulate("war", games=10, seed=1)
            batch.step_random()
            batch.step(legal_of(batch))
        return legal[0]

    croupier.compare("uno", policy, policy, games=8, seed=1, threads=2)
    assert calls == [4, 4, 4]


def test_a_policy_that_asks_itself_for_ever_gets_an_exception():
    def policy(view, legal):
        croupier.compare("uno", policy, "random", games=4, seed=1)

    with pytest.raises(RecursionError):
        croupier.compare("uno", policy, "random", games=4, seed=1)


def test_callables_of_all_kinds_are_policies():
    class Odd:
        def __call__(self, view, legal):
            return legal[0]

        def __getattr__(self, name):
            raise RuntimeError(f"no {name}")

    found = croupier.compare("uno", Odd(), "random", games=8, seed=1)
    assert found["a"] == "function 1"
    with pytest.raises(TypeError):
        croupier.compare("uno", lambda: "draw", "random", games=8)


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a\0b", "x" * 10_000, "\ud800"])
def test_names_that_would_spoil_a_table_are_refused(name):
    with pytest.raises((ValueError, TypeError)):
        croupier.tournament("uno", {name: "random", "b": "random", "c": "random", "d": "random"})


def test_no_bytes_break_the_reading_of_records():
    game = croupier.Game("uno", seed=5)
    for _ in range(12):
        game.play(game.legal()[0])
    text = game.record().text
    chance = random.Random(1)
    for _ in range(400):
        place, count = chance.randrange(len(text)), chance.randrange(5)
        spoilt = text[:place] + chance.choice(["", '"', "{", "9" * 30, "\0", "é"]) + text[place + count :]
        try:
            croupier.Record(spoilt).game().legal()
        except ValueError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize("wrong", [b"", b"\0", b"\xff\xfe", b"rank,name\n1\n", b'"', b"a," * 10**5])
def test_folders_that_were_spoilt_are_refused(tmp_path, wrong):
    (tmp_path / "standings.csv").write_bytes(b"rank,name\n1,a\n")
    (tmp_path / "pairs.csv").write_bytes(wrong)
    (tmp_path / "report.json").write_bytes(b"{}")
    try:
        croupier.results(tmp_path)
    except ValueError as error:
        assert "pairs.csv" in str(error)
    (tmp_path / "pairs.csv").write_bytes(b"")
    (tmp_path / "report.json").write_bytes(wrong)
    with pytest.raises(ValueError, match="report.json"):
        croupier.results(tmp_path)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_a_signal_handler_that_calls_a_batch_in_its_own_step_gets_an_exception():
    batch = croupier.batch("uno", 64, seed=1)
    said = []

    def again(signum, frame):
        try:
            batch.step_random()
        except RuntimeError as error:
            said.append(str(error))
            raise TimeoutError from None

    before = signal.signal(signal.SIGALRM, again)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(TimeoutError):
            batch.step_random(2**50)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert "middle of a step" in said[0]
    assert batch.step_random().masks.any()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_everything_works_anew_in_a_forked_child():
    croupier.compare("uno", "random", "random", games=400, seed=1)
    stop = threading.Event()
    at_work = threading.Thread(target=lambda: keep_stepping(stop))
    at_work.start()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        found = croupier.compare("uno", lambda view, legal: legal[0], "random", games=40, seed=1)
        batch = croupier.batch("uno", 256, seed=1)
        batch.step_random(10)
        os.write(write, json.dumps([found["games"], batch.decisions]).encode())
        os._exit(0)
    os.close(write)
    stop.set()
    at_work.join()
    with os.fdopen(read) as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0 and json.loads(said) == [40, 2560]


def keep_stepping(stop):
    batch = croupier.batch("uno", 256, seed=1)
    while not stop.is_set():
        batch.step_random()


STUCK = {
    "a loop": "while True: pass",
    "a sleep": "time.sleep(10**6)",
    "a comparison": 'croupier.compare("uno", "random", "random", games=2**50, to_the_end=True)',
    "an expert": 'croupier.player("expert:time=60m").choose(croupier.Game("intensity", seed=1))',
}


@pytest.mark.parametrize("stuck", STUCK)
def test_ctrl_c_reaches_a_policy_that_does_not_end(stuck):
    code = f"""
import croupier, time
def policy(view, legal):
    print("ready", flush=True)
    {STUCK[stuck]}
try:
    croupier.compare("uno", policy, "random", games=8)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    assert interrupted(code) == "stopped\n"


def test_a_player_is_shared_between_threads():
    player = croupier.player("expert:iterations=20")
    game = croupier.Game("uno", seed=1)
    chosen = []
    threads = [threading.Thread(target=lambda: chosen.append(player.choose(game))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(chosen) == 4 and len(set(chosen)) == 1
