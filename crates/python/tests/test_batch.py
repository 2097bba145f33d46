import sys
import threading

import croupier
import numpy
import pytest
from croupier._croupier import Table


def pick(masks, chance):
    """A legal action of every game, each equally likely."""
    return (masks * chance.random(masks.shape)).argmax(axis=1)


def test_a_batch_plays_what_single_tables_play(decided):
    """Random actions through a batch, and the same ones at tables that are dealt from its seeds."""
    batch = croupier.batch(decided, 16, seed=5)
    tables = [Table(decided, None) for _ in range(16)]
    turns = [table.deal(int(seed)) for table, seed in zip(tables, batch.seeds, strict=True)]
    games = [croupier.Game(decided, seed=int(seed)) for seed in batch.seeds]
    assert turns == [game.to_move for game in games]
    step = batch.show()
    assert step.masks.sum(axis=1).tolist() == [len(game.legal()) for game in games]
    chance = numpy.random.default_rng(1)
    ended = 0
    for _ in range(300):
        actions = pick(step.masks, chance)
        step = batch.step(actions)
        for number, table in enumerate(tables):
            seat = table.play(actions[number])
            assert step.ended[number] == (seat is None)
            if seat is None:
                ended += 1
                assert step.rewards[number].tolist() == pytest.approx(table.rewards())
                assert step.scores[number].tolist() == table.outcome()["scores"]
                assert step.places[number].tolist() == table.outcome()["places"]
                for last in range(batch.seats):
                    seen = table.observe(last)["observation"]
                    assert (step.final_observations[number, last] == seen).all()
                seat = table.deal(int(batch.seeds[number]))
            seen = table.observe(seat)
            assert step.seats[number] == seat
            assert (step.observations[number] == seen["observation"]).all()
            assert (step.masks[number] == seen["action_mask"]).all()
    assert batch.decisions == 300 * 16 and batch.finished == ended > 0


def test_all_seeds_are_distinct(decided):
    batch = croupier.batch(decided, 64, seed=5)
    current = batch.seeds.tolist()
    seen = set(current)
    assert len(seen) == 64
    for _ in range(400):
        batch.step_random()
        for number, seed in enumerate(batch.seeds.tolist()):
            if current[number] != seed:
                assert seed not in seen
                seen.add(seed)
                current[number] = seed
    assert len(seen) == 64 + batch.finished
    assert batch.seeds.tolist() != croupier.batch(decided, 64, seed=6).seeds.tolist()


def test_a_game_that_ends_is_dealt_anew_in_the_same_step(decided):
    batch = croupier.batch(decided, 32, seed=2)
    assert batch.autoreset_mode == "SameStep"
    for _ in range(2000):
        step = batch.step_random()
        assert (step.rewards[~step.ended] == 0).all()
        assert (step.masks.sum(axis=1) > 0).all(), "somebody can always move"
        if step.ended.any():
            rewards, places = step.rewards[step.ended], step.places[step.ended]
            assert numpy.allclose(rewards.sum(axis=1), 0, atol=1e-6)
            assert ((places == 1).any(axis=1)).all()
            assert (rewards.argmax(axis=1) == places.argmin(axis=1)).all()
            assert step.final_observations[step.ended].any(axis=(1, 2)).all()
            return
    pytest.fail("no game has ended")


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_threads_change_nothing(decided, threads):
    one = croupier.batch(decided, 300, seed=3, threads=1)
    many = croupier.batch(decided, 300, seed=3, threads=threads)
    for _ in range(20):
        a, b = one.step_random(3), many.step_random(3)
        for what in ("observations", "masks", "seats", "rewards", "ended"):
            assert (getattr(a, what) == getattr(b, what)).all()


def test_two_sets_of_arrays_alternate():
    batch = croupier.batch("uno", 8, seed=1)
    first = batch.show()
    kept = first.observations.copy()
    second = batch.step_random()
    assert (first.observations == kept).all(), "valid until the next step but one"
    third = batch.step_random()
    assert third.observations is first.observations
    assert second.observations is not first.observations
    free = croupier.batch("uno", 8, seed=1, copy=True)
    steps = [free.step_random() for _ in range(4)]
    kept = [step.observations.copy() for step in steps]
    assert len({id(step.observations) for step in steps}) == 4
    assert (free.show().observations == steps[-1].observations).all()
    free.step_random(), free.step_random()
    assert all((step.observations == seen).all() for step, seen in zip(steps, kept, strict=True))


def test_an_illegal_action_changes_nothing(decided):
    batch = croupier.batch(decided, 8, seed=1)
    step = batch.show()
    actions = step.masks.argmax(axis=1)
    wrong = actions.copy()
    wrong[5] = step.masks[5].argmin()
    seen = step.observations.copy()
    for bad in (wrong, actions * 0 - 1, actions * 0 + 10**9, actions * 0 + 2**62):
        with pytest.raises(croupier.IllegalMove, match="game [05]:"):
            batch.step(bad)
    assert (batch.show().observations == seen).all() and batch.decisions == 0
    batch.step(actions.tolist())
    assert batch.decisions == 8


@pytest.mark.parametrize("wrong", [None, 3, "12345678", [0.5] * 8, [[0] * 8], [None] * 8, [0] * 7, {}])
def test_actions_of_another_type_are_refused(wrong):
    batch = croupier.batch("uno", 8, seed=1)
    with pytest.raises((TypeError, ValueError)):
        batch.step(wrong)


def test_batches_that_cannot_be_are_refused():
    for games in (0, 2**60):
        with pytest.raises(ValueError):
            croupier.batch("uno", games)
    for games in (-1, "many", 1.5):
        with pytest.raises((TypeError, ValueError)):
            croupier.batch("uno", games)
    with pytest.raises(ValueError, match="nothing is decided in War"):
        croupier.batch("war", 8)
    with pytest.raises(ValueError, match="threads?"):
        croupier.batch("uno", 8, threads=0)
    with pytest.raises(ValueError):
        croupier.batch("uno", 8, seed=1).step_random(0)


def test_a_caller_may_spoil_its_arrays_and_nothing_else():
    batch = croupier.batch("uno", 8, seed=1)
    step = batch.show()
    step.masks.fill(1)
    with pytest.raises(croupier.IllegalMove):
        batch.step([60] * 8 if not step.observations[0, 53] else [0] * 8)
        batch.step([7] * 8)
    step.observations.flags.writeable = False
    batch.step_random()
    with pytest.raises(ValueError, match="can no longer be written"):
        batch.step_random()


def test_a_batch_is_shared_between_threads():
    batch = croupier.batch("uno", 256, seed=1)
    threads = [
        threading.Thread(target=lambda: [batch.step_random() for _ in range(50)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert batch.decisions == 4 * 50 * 256


def test_other_threads_run_while_a_batch_steps():
    """No thread gives way by itself here, so that this one runs only if the step lets it."""
    batch = croupier.batch("uno", 256, seed=1)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        # This one may wake too late, but hardly each time.
        assert any(ran_during(batch) for _ in range(100))
    finally:
        sys.setswitchinterval(interval)


def ran_during(batch):
    begun, ended = threading.Event(), []

    def step():
        begun.set()
        batch.step_random(100)
        ended.append(True)

    thread = threading.Thread(target=step)
    thread.start()
    begun.wait()
    ran = not ended
    thread.join()
    return ran


def test_reset_deals_anew():
    batch = croupier.batch("uno", 8, seed=1)
    seen = batch.show().observations.copy()
    batch.step_random(5)
    assert (batch.reset(seed=1).observations == seen).all()
    assert not (batch.reset(seed=2).observations == seen).all()
