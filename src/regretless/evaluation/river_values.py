"""What hands earn on a river: plain recursion over the betting, with hand-by-hand matrices.

This is slow compared with the sweeps of a form, but needs only the strategy on one board. It
values decisions on the river when a solution is browsed, because their values are not
stored; a test compares it with the form."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import disjoint, hands
from regretless.cards.plain_ranks import plain_ranks
from regretless.core.arrays import Floats, Ints
from regretless.games._betting import Betting

Play = Callable[[Betting], Floats]  # [hand, action] of the player who acts


class River:
    """A complete board, the hands that players may hold on it, and how they play."""

    def __init__(self, board: tuple[int, ...], held: tuple[Ints, Ints], play: Play) -> None:
        self.held, self.play = held, play
        strength = np.zeros(HOLDINGS, dtype=np.int64)
        for mine in held:
            cards = np.concatenate([hands()[mine], np.tile(board, (len(mine), 1))], axis=1)
            strength[mine] = plain_ranks(cards)
        self.meets = disjoint()[np.ix_(*held)]
        first, second = strength[held[0]][:, None], strength[held[1]]
        self.first_wins = self.meets * (first > second)
        self.ties = self.meets * (first == second)

    def earned(self, betting: Betting, player: int, rival: Floats) -> Floats:
        """[hand] what the player's hands earn from here on against the rival's reach, times
        that reach; both indexed by hand number."""
        earned = np.full(HOLDINGS, np.nan)
        earned[self.held[player]] = self._earned(betting, player, rival[self.held[1 - player]])
        return earned

    def by_action(self, betting: Betting, rival: Floats) -> Floats:
        """[hand, action] what every action of the acting player earns, times that reach."""
        each = [self.earned(child, betting.actor, rival) for child in betting.children]
        return np.stack(each, axis=1)

    def _earned(self, betting: Betting, player: int, rival: Floats) -> Floats:
        if betting.over:
            return self._paid(betting, player, rival)
        chosen = self.play(betting)[self.held[betting.actor]]
        below = enumerate(betting.children)
        if betting.actor == player:
            own = [chosen[:, a] * self._earned(child, player, rival) for a, child in below]
        else:
            own = [self._earned(child, player, rival * chosen[:, a]) for a, child in below]
        whole: Floats = np.sum(own, axis=0)
        return whole

    def _paid(self, betting: Betting, player: int, rival: Floats) -> Floats:
        def turned(matrix: Floats) -> Floats:
            return matrix if player == 0 else matrix.T

        met: Floats = turned(self.meets) @ rival
        if any(betting.folded):
            folded: Floats = betting.settle((0, 0))[player] * met
            return folded
        ahead, tied = turned(self.first_wins) @ rival, turned(self.ties) @ rival
        first, second, tie = (betting.settle(s)[player] for s in ((1, 0), (0, 1), (0, 0)))
        return first * ahead + tie * tied + second * (met - ahead - tied)
