"""Hand strength in games with few cards: every final board, every hand, every rival.

For decks of any size and any number of cards, and slow: hold'em with 52 cards has tables of
its own (`cards.strengths`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from regretless.abstraction._deal_rules import DealRules
from regretless.cards.strengths import BINS
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import TooLarge
from regretless.games._hand_strengths import hand_strengths
from regretless.kernels.hand_buckets import number_board

MOST_WORK = 10**11  # comparisons of two hands


class Showdowns(NamedTuple):
    """A final board, up to suits."""

    board: Ints
    weight: int  # actual boards like this one
    beats: Ints  # [hand, rival] 2 for a win, 1 for a tie
    meets: Ints  # [hand, rival] whether both can be dealt

    @property
    def halves(self) -> Ints:
        """[hand] two per rival beaten, one per tie."""
        return np.asarray((self.beats * self.meets).sum(axis=1))


class Outcomes(NamedTuple):
    """All hands of a round up to suits; sums over the boards to come."""

    sums: Floats  # [hand, 3] strength, its square, boards
    histograms: Ints  # [hand, bin] boards


def showdowns(deal: DealRules) -> Iterator[Showdowns]:
    """Every final board up to suits."""
    index, last = deal.boards(len(deal.board) - 1), len(deal.hands)
    boards = index.cards(np.arange(index.size)) if index else np.empty((1, 0), np.uint8)
    weights = index.weights(boards) if index else np.ones(1, np.int64)
    if len(boards) * last**2 > MOST_WORK:
        raise TooLarge(
            f"{deal.ranks}×{deal.suits} cards: {len(boards):,} boards of {last:,} hands are too "
            "many to be enumerated; hold'em with 52 cards has tables of its own"
        )
    apart = _apart(deal)
    for board, weight in zip(boards.astype(np.int64), weights.tolist(), strict=True):
        ranks = hand_strengths(deal.deck, deal.ranking, board.tolist())
        live = (ranks >= 0).astype(np.int64)
        beats = 1 + np.sign(ranks[:, None] - ranks)
        yield Showdowns(board, weight, beats, apart * live * live[:, None])


def _apart(deal: DealRules) -> Ints:
    """[hand, rival] whether they have no card in common."""
    has = np.zeros((len(deal.hands), deal.cards), np.int64)
    np.put_along_axis(has, deal.deck.hands, 1, axis=1)
    return np.asarray(has @ has.T == 0, np.int64)


def rivals(deal: DealRules) -> int:
    """How many hands a rival may hold, given a hand and a final board."""
    left = deal.cards - deal.hole - deal.shown(len(deal.board) - 1)
    return sum(1 for _ in combinations(range(left), deal.hole))


@cache
def outcomes(deal: DealRules, round: int) -> Outcomes:
    """The strength of every hand of a round."""
    index, most = deal.index(round), 2 * rivals(deal)
    sums, histograms = np.zeros((index.size, 3)), np.zeros((index.size, BINS), np.int64)
    numbers = np.empty(len(deal.hands), np.int64)
    for one in showdowns(deal):
        won = one.halves
        share = won / max(most, 1)
        bins = np.minimum(won * BINS // max(most, 1), BINS - 1)
        live = one.meets.any(axis=1) if most else np.ones(len(won), bool)
        for early in combinations(one.board.tolist(), deal.shown(round)):
            number_board(index.tables, deal.hands, np.array(early, np.int64), numbers)
            rows = numbers[live]
            parts = np.stack([share, share**2, np.ones(len(won))], axis=1)[live]
            np.add.at(sums, rows, one.weight * parts)
            np.add.at(histograms, (rows, bins[live]), one.weight)
    return Outcomes(sums, histograms)
