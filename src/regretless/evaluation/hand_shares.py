"""A table of the equities of single hands on a board, from which range equities follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import hands
from regretless.cards.pair_equity import Equity
from regretless.cards.plain_ranks import plain_shares
from regretless.core.arrays import Floats, Ints
from regretless.strategy.compact import WHOLE

FLOP, TURN = 3, 4


@dataclass(frozen=True, eq=False)
class Shares:
    """The equity of every hand of one player against every hand of the other."""

    held: tuple[Ints, Ints]  # [player] numbers of its hands
    parts: Floats  # [hand, other hand]

    @classmethod
    def on(cls, board: tuple[int, ...], ranges: tuple[Floats, Floats]) -> Shares:
        """Uses a kernel on flops, none on later boards."""
        mine, other = (np.flatnonzero(own > 0) for own in ranges)
        if len(board) >= TURN:
            return cls((mine, other), plain_shares(board, mine, other))
        from regretless.cards.equities import board_shares

        return cls((mine, other), board_shares(board)[np.ix_(mine, other)].clip(0, 1))

    def packed(self) -> np.ndarray:
        """The table at 16 bits per number."""
        return np.rint(self.parts * WHOLE).astype(np.uint16)

    @classmethod
    def unpacked(cls, parts: np.ndarray, ranges: tuple[Floats, Floats]) -> Shares:
        """The table from its 16-bit numbers."""
        mine, other = (np.flatnonzero(own > 0) for own in ranges)
        return cls((mine, other), parts / WHOLE)

    def equity(self, first: Floats, second: Floats) -> Equity:
        """Equities of two ranges, as weights of all hands."""
        one, two = (hands()[held] for held in self.held)
        shared = (one[:, None, :, None] == two[None, :, None, :]).any(axis=(2, 3))
        meets = (~shared).astype(np.float64)
        won = self.parts * meets
        weights = first[self.held[0]], second[self.held[1]]
        by_hand = []
        for own, shares, met in ((0, won, meets), (1, (meets - won).T, meets.T)):
            rival = weights[1 - own]
            with np.errstate(invalid="ignore", divide="ignore"):
                means = np.where(weights[own] > 0, shares @ rival / (met @ rival), np.nan)
            whole = np.full(HOLDINGS, np.nan)
            whole[self.held[own]] = means
            by_hand.append(whole)
        share = float(weights[0] @ won @ weights[1] / (weights[0] @ meets @ weights[1]))
        return Equity(share, 1 - share, (by_hand[0], by_hand[1]))
