"""The order of hands at a showdown, for many deals at once.

Payoffs depend only on the order of the hands. So an order is kept instead of strengths:
how many opponents each position would beat, which compares like the hands."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.cards.ranking import Strength
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.play.deals import NAMES, Deal, Rows

Order: TypeAlias = tuple[int, ...]  # by position, higher is better

_NUMBERS = {name: number for number, name in enumerate(NAMES)}


def orders(rules: PokerRules, rows: Rows) -> list[Order]:
    """The order of the hands of every deal, if all players reached a showdown."""
    players, hole = rules.players, rules.hole
    holes = rows[:, : players * hole].reshape(len(rows), players, hole)
    boards = np.repeat(rows[:, None, players * hole :], players, axis=1)
    hands = np.concatenate([holes, boards], axis=2).reshape(len(rows) * players, -1)
    strengths = _strengths(rules, hands).reshape(len(rows), players)
    beaten = (strengths[:, :, None] > strengths[:, None, :]).sum(axis=2)
    return [tuple(row) for row in beaten.tolist()]


def order_of(rules: PokerRules, deal: Deal) -> Order:
    """The order of the hands of one deal."""
    cards = [card for hole in deal.holes for card in hole] + list(deal.board)
    return orders(rules, np.array([[_NUMBERS[card] for card in cards]], np.uint8))[0]


@lru_cache(maxsize=2**16)
def settled(betting: Betting, order: Order) -> tuple[float, ...]:
    """What every position wins when this betting is over."""
    return tuple(won + 0.0 for won in betting.settle(order))  # -0.0 becomes 0.0


def _strengths(rules: PokerRules, hands: Rows) -> npt.NDArray[np.integer]:
    """Numbers that compare like the hands of these rows."""
    if rules.ranking is Ranking.BEST_FIVE and hands.shape[1] >= 5:
        return _best_five(hands)
    known = [_slow_strength(rules.ranking, bytes(hand)) for hand in np.sort(hands, axis=1)]
    places = {each: place for place, each in enumerate(sorted(set(known)))}
    return np.array([places[each] for each in known])


def _best_five(hands: Rows) -> npt.NDArray[np.integer]:
    from regretless.cards.evaluator import ranks  # its tables take a moment to load

    count = hands.shape[1]
    if count <= 7:
        return ranks(hands)
    # The best five are among some seven cards; from twelve cards on there are fewer fives.
    parts = combinations(range(count), 7 if count < 12 else 5)
    best = np.zeros(len(hands), np.int16)
    for part in parts:
        np.maximum(best, ranks(hands[:, part]), out=best)
    return best


@lru_cache(maxsize=2**16)
def _slow_strength(ranking: Ranking, hand: bytes) -> Strength:
    cards = [divmod(card, 4) for card in hand]
    return ranking.strength(cards)
