"""Hands by number: sizes that are known, and orbits of small decks listed one by one."""

from __future__ import annotations

from itertools import combinations, permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.cards.hand_index import HandIndex, unordered
from regretless.core.errors import BadParameter


@pytest.mark.parametrize(
    ("rounds", "size"),
    [
        ((2,), 169),
        ((2, 3), 1_286_792),
        ((2, 3, 1), 55_190_538),
        ((2, 3, 1, 1), 2_428_287_420),
        ((2, 4), 13_960_050),
        ((2, 5), 123_156_254),
        ((3,), 1_755),
        ((3, 1), 63_193),
        ((4,), 16_432),
        ((5,), 134_459),
    ],
)
def test_sizes_of_holdem(rounds, size):
    """Waugh 2013, table 1; boards as everybody counts them."""
    assert HandIndex(rounds).size == size


def deals(rounds, cards):
    """All ways to deal sets of so many cards, one after the other."""
    if not rounds:
        yield ()
        return
    for first in combinations(cards, rounds[0]):
        for rest in deals(rounds[1:], [card for card in cards if card not in first]):
            yield (first, *rest)


def smallest(deal, suits):
    """The slow twin: the least of all renamings."""
    images = []
    for renaming in permutations(range(suits)):
        parts = [
            tuple(sorted(c // suits * suits + renaming[c % suits] for c in part)) for part in deal
        ]
        images.append(tuple(parts))
    return min(images)


@pytest.mark.parametrize(
    ("rounds", "ranks", "suits"),
    [
        ((1,), 3, 2),
        ((2,), 4, 4),
        ((2, 1), 3, 3),
        ((1, 1, 1), 3, 3),
        ((2, 2), 3, 4),
        ((2, 3), 3, 3),
        ((1, 2, 1), 4, 2),
        ((3, 1), 5, 1),
        ((2, 1, 1), 2, 4),
    ],
)
def test_equal_numbers_are_equal_hands(rounds, ranks, suits):
    every = list(deals(rounds, range(ranks * suits)))
    index = HandIndex(rounds, ranks, suits)
    cards = np.array([sum(deal, ()) for deal in every])
    numbers = index.index(cards)
    twins = {}
    for deal, number in zip(every, numbers.tolist(), strict=True):
        twins.setdefault(smallest(deal, suits), set()).add(number)
    assert all(len(found) == 1 for found in twins.values())
    assert len(set.union(*twins.values())) == len(twins) == index.size
    assert sorted(set(numbers.tolist())) == list(range(index.size))
    assert np.array_equal(index.weights(cards), np.bincount(numbers)[numbers])
    back = index.cards(np.arange(index.size))
    assert np.array_equal(index.index(back), np.arange(index.size))
    ends = np.cumsum(rounds)
    for begin, end in zip(ends - rounds, ends, strict=True):
        assert (np.diff(back[:, begin:end].astype(int), axis=1) > 0).all()


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(2,), (2, 3), (2, 3, 1), (2, 3, 1, 1), (2, 5), (5,)]),
    st.integers(0, 2**32),
    st.permutations(range(4)),
)
def test_renaming_suits_and_the_order_within_a_round_change_nothing(rounds, seed, renaming):
    rng = np.random.default_rng(seed)
    index = HandIndex(rounds)
    cards = rng.permuted(np.tile(np.arange(52), (20, 1)), axis=1)[:, : sum(rounds)]
    renamed = cards // 4 * 4 + np.array(renaming)[cards % 4]
    begin = 0
    for count in rounds:
        part = slice(begin, begin + count)
        renamed[:, part] = rng.permuted(renamed[:, part], axis=1)
        begin += count
    numbers = index.index(cards)
    assert np.array_equal(index.index(renamed), numbers)
    assert np.array_equal(index.index(index.cards(numbers)), numbers)
    assert ((factorial(4) % index.weights(cards)) == 0).all()


def test_all_flops_weigh_as_much_as_there_are():
    flops = HandIndex((3,))
    assert flops.weights(flops.cards(np.arange(flops.size))).sum() == 22_100


@pytest.mark.parametrize(
    ("rounds", "ranks", "suits"), [((2, 3), 4, 3), ((2, 1, 1), 3, 4), ((1,), 2, 1)]
)
def test_weights_do_not_need_the_cards(rounds, ranks, suits):
    index = HandIndex(rounds, ranks, suits)
    slow = index.weights(index.cards(np.arange(index.size)))
    assert index.weights_from(0, index.size).tolist() == slow.tolist()
    assert index.weights_from(index.size - 1, 1).tolist() == slow[-1:].tolist()
    with pytest.raises(BadParameter, match="count"):
        index.weights_from(1, index.size)


def test_the_turn_card_is_told_from_the_flop_or_not():
    cards = np.array([[48, 51, 0, 5, 10, 15], [48, 51, 15, 5, 10, 0]])
    told, untold = HandIndex((2, 3, 1)).index(cards), unordered(4).index(cards)
    assert told[0] != told[1]
    assert untold[0] == untold[1]
    assert unordered(0).size == 169


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: HandIndex(()), "each must deal at least one card"),
        (lambda: HandIndex((2, 0)), "each must deal at least one card"),
        (lambda: HandIndex((2, 3), ranks=14), "ranks=14"),
        (lambda: HandIndex((2,) * 5), "cards=10"),
        (lambda: HandIndex((1,) * 8), "too many rounds"),
        (lambda: unordered(6), "board cards=6"),
        (lambda: HandIndex((2,)).index([[1, 1]]), "a card appears twice"),
        (lambda: HandIndex((2,)).index([[1, 52]]), "card=52: must be 0 to 51"),
        (lambda: HandIndex((2,)).index([[1, -1]]), "card=-1: must be 0 to 51"),
        (lambda: HandIndex((2,)).index([[1, 2, 3]]), "2 per hand"),
        (lambda: HandIndex((2,)).index([[1.0, 2.0]]), "whole numbers"),
        (lambda: HandIndex((2,)).cards([169]), "index=169"),
        (lambda: HandIndex((2,)).cards([0.5]), "whole numbers"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(BadParameter, match=message):
        call()
