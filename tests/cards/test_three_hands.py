"""Three hands all-in: one board by brute force; and the whole table, where there is one."""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, product
from math import comb

import numpy as np
import pytest

from regretless.cards import three_hands as made
from regretless.cards.equities import class_equities
from regretless.cards.evaluator import ranks, ranks_on_board
from regretless.cards.hand_index import boards_up_to_suits
from regretless.cards.holdings import CLASSES, class_names, hands, members
from regretless.cards.orders import narrowed, orders
from regretless.cards.showdowns import holdem_showdowns
from regretless.cards.three_hands import (
    BOARDS,
    DEALS,
    Counter,
    Work,
    assembled,
    deals_of_three,
    hand_lists,
)
from regretless.core.errors import BadFile, Interrupted

BOARD = (3, 16, 22, 37, 38)  # with a pair, so that there are many ties
AA, KK, AKS, AKO, SEVENS = (class_names().index(name) for name in ("AA", "KK", "AKs", "AKo", "77"))
TABLE = made.table_path().is_file()


@pytest.fixture(scope="module")
def sums():
    return Counter().count(np.array([BOARD]))


def by_hand(pivots):
    """[relation of the outer hands, class, class] on the board, with a middle hand of a class."""
    lists, strengths = hand_lists(), ranks_on_board(BOARD)
    apart = (lists.cards[:, None, :, None] != lists.cards[None, :, None, :]).all(axis=(2, 3))
    live = strengths >= 0
    belongs = np.eye(CLASSES)[lists.classes]
    found = np.zeros((4, CLASSES, CLASSES))
    for pivot in np.flatnonzero((lists.classes == pivots) & live):
        free = live & apart[pivot]
        above, ties = free & (strengths > strengths[pivot]), free & (strengths == strengths[pivot])
        below = free & (strengths < strengths[pivot])
        for at, (one, two) in enumerate(
            [(above, below), (ties, below), (ties, above), (ties, ties)]
        ):
            found[at] += belongs[one].T @ apart[np.ix_(one, two)] @ belongs[two]
    return found


@pytest.mark.parametrize("pivots", [AA, AKS, AKO, SEVENS])
def test_one_board_by_brute_force(sums, pivots):
    strict, below, above, _ = by_hand(pivots)
    pairs = [table + table.transpose(1, 0, 2) for table in sums[1:]]
    assert np.array_equal(sums[0][pivots], strict)
    assert np.array_equal(pairs[0][pivots], below)
    assert np.array_equal(pairs[1][pivots], above)


def test_orders_of_one_board(sums):
    """In every order of the hands there are as many deals, and all together as there are."""
    deals = np.full((CLASSES,) * 3, 12**3 * 2)  # more than there are: only differences matter
    counts = assembled(sums, deals).astype(np.int64)
    assert (counts.sum(axis=-1) == deals).all()
    strict, below, above, _ = by_hand(AKO)
    at = orders(3).index
    assert np.array_equal(counts[:, AKO, :, at((0, 1, 2))], strict)
    assert np.array_equal(counts[:, :, AKO, at((2, 0, 1))].T, strict)
    assert np.array_equal(counts[AKO, :, :, at((0, 0, 1))], below)
    assert np.array_equal(counts[AKO, :, :, at((0, 1, 0))].T, below)
    assert np.array_equal(counts[:, :, AKO, at((1, 0, 1))], above)
    assert np.array_equal(counts[:, :, AKO, at((0, 1, 1))].T, above)


def test_all_deals_of_one_board_are_counted(sums):
    """47 cards are left; ties of three are counted level by level."""
    lists, strengths = hand_lists(), ranks_on_board(BOARD)
    three_ties = 0
    for level in np.unique(strengths[strengths >= 0]):
        cards = lists.cards[strengths == level]
        apart = (cards[:, None, :, None] != cards[None, :, None, :]).all(axis=(2, 3)).astype(int)
        three_ties += int(np.einsum("ij,jk,ik->", apart, apart, apart))
    total = comb(47, 2) * comb(45, 2) * comb(43, 2)
    assert 6 * sums[0].sum() + 6 * sums[1].sum() + 6 * sums[2].sum() + three_ties == total


def test_deals_of_three_classes():
    deals = deals_of_three()
    assert deals.sum() == 1326 * 1225 * 1128
    assert deals.sum() * BOARDS == DEALS
    assert deals[AA, AA, AA] == 0
    assert deals[AA, AA, KK] == 6 * 1 * 6
    assert deals[AA, KK, SEVENS] == 6**3
    assert deals[AKS, AKS, AKS] == 4 * 3 * 2
    assert deals[AKO, AKO, AKO] == sum(
        len({*a, *b, *c}) == 6 for a, b, c in product(hands()[members()[AKO]], repeat=3)
    )
    assert deals[AA, AKO, AKS] == sum(
        len({*a, *b, *c}) == 6
        for a in hands()[members()[AA]]
        for b in hands()[members()[AKO]]
        for c in hands()[members()[AKS]]
    )


def few_boards():
    boards, weights = boards_up_to_suits()
    chosen = [np.flatnonzero(weights == weight)[0] for weight in (4, 12, 24)]
    return boards[chosen], weights[chosen]


def test_interrupted_work_continues(tmp_path, monkeypatch):
    whole, path = Work(*few_boards()), tmp_path / "part.npy"
    whole.run(2, path, lambda _: None)
    part = Work(*few_boards())
    assert [weight for _, weight in part.units] == [4, 12, 24]
    monkeypatch.setattr(made, "interrupted", lambda: part.done.sum() == 2)
    with pytest.raises(Interrupted, match="2 of 3 parts"):
        part.run(1, path, lambda _: None)
    part.write(path)
    again = Work(*few_boards())
    again.read(path)
    assert again.done.sum() == 2
    monkeypatch.setattr(made, "interrupted", lambda: False)
    again.run(1, path, lambda _: None)
    assert np.array_equal(again.kept, whole.kept)
    boards, weights = few_boards()
    counter = Counter()
    expected = sum(w * counter.count(b[None]) for b, w in zip(boards, weights, strict=True))
    assert np.array_equal(whole.sums, expected)


def test_a_missing_table_says_how_to_make_it(tmp_path, monkeypatch):
    monkeypatch.setenv("REGRETLESS_CACHE", str(tmp_path))
    made.three_hands.cache_clear()
    with pytest.raises(BadFile, match="`regretless three-hands` makes it, in about 20 minutes"):
        made.three_hands()


def test_pairs_are_the_equities_of_classes():
    pairs, equities = holdem_showdowns().pairs, class_equities()
    assert pairs.sum() == pytest.approx(1, abs=1e-12)
    assert np.allclose(pairs, pairs.transpose(1, 0, 2)[:, :, [0, 2, 1]], atol=1e-15)
    chances = pairs.sum(axis=2)
    assert np.allclose(chances, equities.deals / equities.deals.sum(), atol=1e-15)
    assert np.allclose((pairs[:, :, 1] + pairs[:, :, 0] / 2) / chances, equities.equities)


@pytest.mark.skipif(not TABLE, reason="the table of three hands has not been made")
class TestTheTable:
    """The whole table, against two other routes."""

    def test_two_of_three_hands_rank_as_in_the_table_of_two(self):
        counts = made.three_hands()
        assert sum(int(part.sum(dtype=np.int64)) for part in counts) == DEALS
        summed = sum(part.astype(np.float64) for part in counts) / DEALS
        pairs = holdem_showdowns().pairs
        for order in range(len(orders(2))):
            rows = narrowed((1, 2), 3) == order
            assert np.allclose(summed[:, :, rows].sum(axis=2), pairs[:, :, order], atol=1e-15)

    @pytest.mark.slow
    def test_random_deals_by_enumeration_of_all_boards(self):
        """Pairs have few deals: all are enumerated, and every board is ranked."""
        rng = np.random.default_rng(1)
        pairs = [class_names().index(r * 2) for r in "AKQJT98765432"]
        chosen = rng.choice(pairs, 3, replace=False)
        suits = np.array([[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]])
        ranks_of = chosen // 13
        found = np.zeros(len(orders(3)), np.int64)
        for two in range(6):
            for three in range(6):  # the first hand has clubs and diamonds: times six
                cards = [4 * r + suits[k] for r, k in zip(ranks_of, (0, two, three), strict=True)]
                found += 6 * ranked(np.array(cards))
        assert np.array_equal(made.three_hands()[tuple(chosen)], found)


@cache
def choices():
    """[board, 5] of 46 cards."""
    rows = np.fromiter(chain.from_iterable(combinations(range(46), 5)), np.uint8)
    return rows.reshape(-1, 5)


def ranked(cards):
    """[order] boards of three hands."""
    boards = np.setdiff1d(np.arange(52), cards).astype(np.uint8)[choices()]
    strengths = [
        ranks(np.hstack([np.tile(hand.astype(np.uint8), (len(boards), 1)), boards]))
        for hand in cards
    ]
    better = [sum((other > own).astype(int) for other in strengths) for own in strengths]
    found = np.zeros(len(orders(3)), np.int64)
    for key, count in zip(*np.unique(np.stack(better, 1), axis=0, return_counts=True), strict=True):
        levels = np.unique(key)
        found[orders(3).index(tuple(np.searchsorted(levels, key).tolist()))] += count
    return found
