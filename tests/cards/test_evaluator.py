"""The kernels that rank hands, against the slow twin, known counts and each other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.evaluator import (
    CATEGORIES,
    categories,
    category_name,
    holdings,
    ranks,
    ranks_on_board,
    strength_counts,
)
from regretless.cards.ranking import strength
from regretless.core.errors import BadParameter
from regretless.kernels.hands import classes, hand_tables

# Weakest category first: https://en.wikipedia.org/wiki/Poker_probability, and for five cards
# the formulas in test_ranking.py.
PUBLISHED = {
    5: [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40],
    7: [23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584],
}
DISTINCT_OF_SEVEN = 4824  # strengths that the best of seven cards can have


def slow(cards: list[int]) -> tuple[int, ...]:
    return strength([(card // 4, card % 4) for card in cards])


def random_hands(size: int, count: int) -> np.ndarray:
    order = np.random.default_rng(size).random((count, 52)).argsort(axis=1)
    return order[:, :size].astype(np.uint8)


def multiset_hands(size: int) -> np.ndarray:
    """A hand without a flush for every multiset of ranks."""
    found: set[tuple[int, ...]] = {()}
    for _ in range(size):
        found = {tuple(sorted((*h, r))) for h in found for r in range(13) if h.count(r) < 4}
    # Neighbours differ in suit, so equal ranks do, and no suit comes more than twice.
    return np.array(sorted(found)) * 4 + np.arange(size) % 4


def test_every_class_of_five_cards_is_where_the_slow_twin_puts_it() -> None:
    flushes = np.array(list(combinations(range(13), 5))) * 4 + 2
    hands = np.concatenate([multiset_hands(5), flushes])
    assert len(hands) == comb(17, 5) - 13 + comb(13, 5)
    strengths = [slow(hand) for hand in hands.tolist()]
    order = {found: place for place, found in enumerate(sorted(set(strengths)))}
    assert len(order) == len(classes()) == 7462
    assert ranks(hands).tolist() == [order[found] for found in strengths]
    assert categories(ranks(hands)).tolist() == [found[0] for found in strengths]


@pytest.mark.parametrize("size", [6, 7])
@pytest.mark.parametrize("make", [multiset_hands, lambda size: random_hands(size, 100_000)])
def test_more_cards_are_worth_their_best_five(size: int, make: Callable[[int], np.ndarray]) -> None:
    hands = make(size)
    best = np.max([ranks(hands[:, five]) for five in combinations(range(size), 5)], axis=0)
    np.testing.assert_array_equal(ranks(hands), best)


@pytest.mark.parametrize("size", [5, 6, 7])
def test_every_set_of_suited_ranks_is_worth_its_best_five(size: int) -> None:
    for suited in range(5, size + 1):
        sets = np.array(list(combinations(range(13), suited)))
        for suit in range(4):
            # The other cards share the lowest ranks, where they can tempt but not matter.
            others = sets[:, : size - suited] * 4 + (suit + 1) % 4
            hands = np.concatenate([others, sets * 4 + suit], axis=1)
            fives = [ranks(sets[:, five] * 4 + suit) for five in combinations(range(suited), 5)]
            np.testing.assert_array_equal(ranks(hands), np.max(fives, axis=0))


@st.composite
def two_hands(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Hands of equal size that often share most of their cards, so that ties happen."""
    size = draw(st.sampled_from([5, 6, 7]))
    deck = draw(st.permutations(range(52)))
    shared = draw(st.integers(0, size - 1))
    other = deck[:shared] + deck[size : 2 * size - shared]
    return deck[:size], draw(st.permutations(other))


@settings(deadline=None)  # the first example may have to compile
@given(two_hands())
def test_order_and_ties_are_those_of_the_slow_twin(hands: tuple[list[int], list[int]]) -> None:
    first, second = ranks(np.array(hands)).tolist()
    slow_first, slow_second = slow(hands[0]), slow(hands[1])
    assert (first < second) == (slow_first < slow_second)
    assert (first == second) == (slow_first == slow_second)
    assert CATEGORIES.index(category_name(first)) == slow_first[0]


@settings(deadline=None)
@given(st.permutations(range(52)), st.permutations(range(4)), st.sampled_from([5, 6, 7]))
def test_order_and_names_of_suits_do_not_matter(
    deck: list[int], suits: list[int], size: int
) -> None:
    renamed = [card // 4 * 4 + suits[card % 4] for card in deck[:size]]
    assert ranks([deck[:size]]) == ranks([renamed[::-1]])


def test_all_hands_of_five_cards_one_by_one() -> None:
    flat = (card for hand in combinations(range(52), 5) for card in hand)
    strengths = ranks(np.fromiter(flat, np.uint8, 5 * comb(52, 5)).reshape(-1, 5))
    assert np.bincount(categories(strengths)).tolist() == PUBLISHED[5]
    np.testing.assert_array_equal(np.bincount(strengths), strength_counts(5))


@pytest.mark.parametrize("size", [5, 7])
def test_counts_of_all_hands(size: int) -> None:
    counts = strength_counts(size)
    of_category = np.bincount(categories(np.arange(7462)), weights=counts)
    assert of_category.tolist() == PUBLISHED[size]
    assert counts.sum() == comb(52, size)
    if size == 7:
        assert np.count_nonzero(counts) == DISTINCT_OF_SEVEN


@settings(deadline=None)
@given(st.permutations(range(52)), st.sampled_from([3, 4, 5]))
def test_a_board_is_ranked_like_its_hands(deck: list[int], size: int) -> None:
    board = np.array(deck[:size])
    found = ranks_on_board(board)
    blocked = np.isin(holdings(), board).any(axis=1)
    free = holdings()[~blocked]
    assert len(free) == comb(52 - size, 2)
    hands = np.concatenate([np.tile(board, (len(free), 1)), free], axis=1)
    np.testing.assert_array_equal(found[~blocked], ranks(hands))
    assert (found[blocked] == -1).all()


def test_holdings_are_found_by_their_cards() -> None:
    low, high = holdings().astype(int).T
    assert (low < high).all()
    assert (high * (high - 1) // 2 + low).tolist() == list(range(1326))


def test_names_of_categories() -> None:
    assert [category_name(s) for s in (0, 1276, 1277, 7451, 7452, 7461)] == [
        "high card",
        "high card",
        "pair",
        "four of a kind",
        "straight flush",
        "straight flush",
    ]


def test_any_layout_of_the_array_will_do() -> None:
    hands = random_hands(7, 1000)
    expected = ranks(hands)
    for same in (np.asfortranarray(hands), hands.astype(np.int64), hands.tolist()):
        np.testing.assert_array_equal(ranks(same), expected)
    assert expected.dtype == np.int16
    assert ranks(np.zeros((0, 7), np.uint8)).shape == (0,)


def test_tables_are_small_and_cannot_be_changed() -> None:
    for size in (5, 6, 7):
        tables = hand_tables(size)
        assert sum(array.nbytes for array in tables) < 160_000
        assert not any(array.flags.writeable for array in tables)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ranks([0, 1, 2, 3, 4]), "cards of shape (5,): must be (hands, 5 to 7)"),
        (lambda: ranks([[0, 1, 2, 3]]), "cards of shape (1, 4): must be (hands, 5 to 7)"),
        (lambda: ranks([[0, 1, 2, 3, 52]]), "card=52: must be 0 to 51"),
        (lambda: ranks([[0, 1, 2, 3, -1]]), "card=-1: must be 0 to 51"),
        (lambda: ranks([[0, 1, 2, 3, 300]]), "card=300: must be 0 to 51"),
        (
            lambda: ranks([[0, 1, 2, 3, 4.5]]),
            "card of type float64: must be whole numbers, 0 to 51",
        ),
        (
            lambda: ranks([[0, 1, 2, 3, 4], [0, 1, 2, 3, 0]]),
            "cards [0, 1, 2, 3, 0]: a card appears twice",
        ),
        (lambda: ranks_on_board([0, 1]), "board of shape (2,): must be (3 to 5)"),
        (lambda: ranks_on_board([0, 1, 1]), "board [0, 1, 1]: a card appears twice"),
        (lambda: strength_counts(4), "size=4: must be 5 to 7"),
        (lambda: category_name(7462), "strength=7462: must be 0 to 7,461"),
    ],
)
def test_misuse_is_told(call: Callable[[], object], message: str) -> None:
    with pytest.raises(BadParameter) as caught:
        call()
    assert str(caught.value) == message


def test_kernels_run_without_the_compiler() -> None:
    script = """
from regretless.cards.evaluator import ranks, ranks_on_board
board = [50, 46, 42, 38, 3]
print(ranks([[34, 1, *board], [2, 7, *board], [48, 49, *board]]), max(ranks_on_board(board)))
"""
    told = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            capture_output=True,
            text=True,
            check=True,
            env={"NUMBA_DISABLE_JIT": off, "PATH": ""},
        ).stdout
        for off in ("0", "1")
    ]
    assert told[0] == told[1]
