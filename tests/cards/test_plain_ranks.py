"""Ranking without kernels agrees with the kernel and with the obvious way."""

import numpy as np
import pytest

from regretless.cards.equities import equity
from regretless.cards.evaluator import ranks
from regretless.cards.holdings import read_cards
from regretless.cards.plain_ranks import plain_ranks
from regretless.cards.ranges import read_range
from regretless.cards.ranking import strength
from regretless.evaluation.hand_shares import Shares

# Few ranks or suits: then the strong hands are frequent.
DECKS = [
    range(52),
    [c for c in range(52) if c // 4 < 5 or c // 4 == 12],
    [c for c in range(52) if c % 4 < 2],
]


def order(values):
    """The same numbers for any values that compare alike."""
    known = {value: number for number, value in enumerate(sorted(set(values)))}
    return [known[value] for value in values]


@pytest.mark.parametrize("deck", DECKS)
def test_it_compares_like_the_kernel_and_the_definition(deck):
    rng = np.random.default_rng(len(deck))
    cards = np.array([rng.choice(deck, 7, replace=False) for _ in range(20_000)])
    found = plain_ranks(cards)
    assert order(found.tolist()) == order(ranks(cards).tolist())
    slow = [strength([(c // 4, c % 4) for c in hand]) for hand in cards[:1500].tolist()]
    assert order(found[:1500].tolist()) == order(slow)


@pytest.mark.parametrize("board", ["Td9d6h", "Td9d6hQc", "Td9d6hQc2s"])
def test_equities_of_ranges_from_those_of_hands(board):
    first, second = read_range("QQ+,AKs:0.3,T9s,87s"), read_range("22+:0.5,KQ,AdJd")
    cards = read_cards(board)
    exact = equity(first, second, board)
    live = ~np.isnan(exact.by_hand[0])
    shares = Shares.on(
        cards, (np.where(live, first, 0), np.where(~np.isnan(exact.by_hand[1]), second, 0))
    )
    found = shares.equity(first, second)
    assert found.first == pytest.approx(exact.first, abs=1e-12)
    for mine, theirs in zip(found.by_hand, exact.by_hand, strict=True):
        assert mine == pytest.approx(theirs, abs=1e-12, nan_ok=True)
    assert shares.packed() / 65_535 == pytest.approx(shares.parts, abs=0.501 / 65_535)  # nearest
    again = Shares.unpacked(shares.packed(), (first * live, second * ~np.isnan(exact.by_hand[1])))
    assert again.equity(first, second).first == pytest.approx(exact.first, abs=1e-5)
