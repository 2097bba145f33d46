#!/usr/bin/env python3
"""A small player of Intensity: leads and follows low, throws away high.

It is started once for every decision and reads integers from stdin.
"""

import sys


def legal(hand, this_round, earlier):
    """The cards of the hand that may be played."""
    if this_round:
        allowed = [card for card in hand if card // 10 == this_round[0] // 10]
    elif any(card // 10 == 3 for card in earlier):
        allowed = hand
    else:
        allowed = [card for card in hand if card // 10 != 3]
    return allowed or hand


def choose(hand, this_round, earlier):
    """The lowest legal card; the highest if the lead cannot be followed."""
    cards = legal(hand, this_round, earlier)
    can_follow = not this_round or cards[0] // 10 == this_round[0] // 10
    return min(cards) if can_follow else max(cards)


def run_tests():
    assert choose([11, 23, 25, 31], [24, 29], []) == 23  # follows
    assert choose([11, 23, 25, 31], [41], []) == 31  # cannot follow
    assert legal([31, 41], [], []) == [41]  # no calf may be led yet
    assert legal([31, 41], [], [36]) == [31, 41]
    assert choose([33, 34], [], []) == 33  # only calves to lead


numbers = iter([int(word) for word in sys.stdin.read().split()])


def take(count):
    return [next(numbers) for _ in range(count)]


question = next(numbers)
if question == 0:
    print("Low Python")
elif question == 1:
    print(*take(10)[-3:])
elif question == 2:
    held, laid, position = take(3)
    hand, this_round, earlier = take(held), take(laid), take(4 * (10 - held))
    passed_on, received = take(3), take(3)  # for a cleverer player than this one
    print(choose(hand, this_round, earlier))
elif question == 3:
    run_tests()
    print("ok")
