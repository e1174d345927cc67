"""What the sweep is made of: vectors of lanes, and groups of hands with their rows."""

import numba
import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints.training import Trainer
from regretless.games._betting_tree import BettingTree
from regretless.kernels.lanes import WIDE, gather, load, spread, store, where_positive, zeros

SMALL = "holdem_nolimit:ranks=4,suits=3,stack=600,sizes=100%-a"
BUCKETS = "preflop=lossless,flop=percentile:5,turn=percentile:4,river=percentile:4"


def everything(a, b, places, out):
    """Every operation once."""
    x, y = load(a, 1), load(b, 2)
    store(out, 0, where_positive(x, x * y, y - x))
    store(out, WIDE, (x + y) / spread(np.float32(3)))
    store(out, 2 * WIDE, gather(a, places, 1))


def test_lanes_compute_what_numpy_computes():
    draws = np.random.default_rng(1)
    a, b = draws.normal(size=(2, 3 * WIDE)).astype(np.float32)
    places = draws.integers(a.size, size=2 * WIDE).astype(np.uint64)
    slow, fast = zeros(4 * WIDE), zeros(4 * WIDE)
    everything(a, b, places, slow)
    numba.njit(everything)(a, b, places, fast)
    np.testing.assert_array_equal(fast, slow)
    x, y = a[1 : 1 + WIDE], b[2 : 2 + WIDE]
    np.testing.assert_array_equal(slow[:WIDE], np.where(x > 0, x * y, y - x))
    np.testing.assert_array_equal(slow[2 * WIDE : 3 * WIDE], a[places[1 : 1 + WIDE]])
    assert (slow[3 * WIDE :] == 0).all()


def test_arrays_begin_with_a_cache_line():
    assert all(zeros(2, size).ctypes.data % 64 == 0 for size in (1, 7, 1000))


@pytest.fixture(scope="module")
def trainer():
    return Trainer(BettingTree(rl.load(SMALL).rules), hand_map(SMALL, BUCKETS), seed=4)


@pytest.mark.parametrize("number", range(3))
def test_groups_are_the_hands_of_a_bucket(trainer, number):
    dealer = trainer.dealer
    boards = [dealer.board(number), dealer.board(number + 1)]
    made = dealer.arrange(boards)
    for at, dealt in enumerate(boards):
        buckets = trainer.map.buckets(dealt)
        strength = trainer.cards.strengths(tuple(card for part in dealt for card in part))
        for grouping in range(5):
            hands = check(made, at, grouping, dealer.hands, buckets[min(grouping, 3)])
            if grouping == 4:
                check_order(made, at, hands, strength)


def check(made, at, grouping, cards, buckets):
    """[group] hands, whose labels and rows are right."""
    part = [array[at, grouping] for array in made]
    counts, begin, label, row, hand, held, card, weight, _ = part
    found = [hand[begin[g] : begin[g + 1]].tolist() for g in range(counts[0])]
    assert sorted(h for group in found for h in group) == np.flatnonzero(buckets >= 0).tolist()
    for number, group in enumerate(found):
        assert len(set(buckets[group].tolist())) == 1
        if grouping < 4:
            assert buckets[group[0]] == label[number]
        rows = range(row[number], row[number + 1])
        assert card[rows[0]] == 0
        assert weight[rows[0]] == len(group)
        want = {c: (cards[group] == c).any(axis=1).sum() for c in np.unique(cards[group])}
        assert {card[one] - 1: -weight[one] for one in rows[1:]} == want
        for place, one in enumerate(group, begin[number]):
            assert (card[held[place]] - 1).tolist() == cards[one].tolist()
    if grouping < 4:
        assert len(set(label[: counts[0]].tolist())) == counts[0]
        assert sorted(hand[begin[counts[0]] :]) == np.flatnonzero(buckets < 0).tolist()
    return found


def check_order(made, at, groups, strength):
    """From weak to strong, and equally strong groups end together."""
    ties = made.ties[at, 4]
    levels = [set(strength[group].tolist()) for group in groups]
    assert all(len(level) == 1 for level in levels)
    flat = [level.pop() for level in levels]
    assert flat == sorted(flat)
    for number, level in enumerate(flat):
        assert ties[number] == len(flat) - flat[::-1].index(level)
