"""Generalised advantage estimation (Schulman and others, 2015) at tables of several seats."""

import numpy


def advantages(seats, chosen, values, ended, rewards, decay):
    """How much better each decision turned out than the critic expected, and for which that is known.

    All arrays have a row for every step and a column for every game: the seat to move, whether it had a
    choice, the value that the critic gave to the situation, whether the game ended with this move, and
    (with a third axis) the reward of every seat. Rewards are not discounted; `decay` is the lambda.

    From a seat's decision to its own next one the others move, so every seat is followed by itself:
    backwards in time, what comes after a decision is the value of the seat's next decision, or its reward
    if the game ends before. Moves without a choice are passed over. The last decisions of games that go on
    are not known yet.
    """
    games = numpy.arange(seats.shape[1])
    after = numpy.zeros_like(rewards[0])
    later = numpy.zeros_like(after)
    is_known = numpy.zeros(after.shape, dtype=bool)
    found = numpy.zeros_like(values)
    known = numpy.zeros(values.shape, dtype=bool)
    for step in reversed(range(len(seats))):
        over, free = ended[step], chosen[step]
        after[over], later[over], is_known[over] = rewards[step][over], 0.0, True
        here = games[free], seats[step][free]
        known[step][free] = is_known[here]
        surprise = numpy.where(is_known[here], after[here] - values[step][free], 0.0)
        found[step][free] = surprise + decay * later[here]
        after[here], later[here], is_known[here] = values[step][free], found[step][free], True
    return found, known
