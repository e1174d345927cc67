"""Chances of the outcomes of a jam/fold game of two or three players, with exact card removal.

`showdowns` have one axis per player; against one player, the others' axes are summed out with
their reach: first one (a table over the other two and the order is left), then the other.
Showdowns do not change if hands and order are permuted together, so that the axes may belong to
any players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from regretless.cards.orders import narrowed, orders
from regretless.cards.showdowns import Showdowns
from regretless.core.arrays import Floats
from regretless.games._jam_fold import LETTERS, Ending, JamFold

FOLDS, JAMS = range(2)  # of ACTIONS
Reach = Sequence[Floats]  # [player][action, history, class]


@dataclass(frozen=True, eq=False)
class EndingChances:
    """Sums over the cards of all others, for every ending."""

    rules: JamFold
    showdowns: Showdowns

    @property
    def memory_bytes(self) -> int:
        triples = self.showdowns.triples
        return self.showdowns.pairs.nbytes + (0 if triples is None else triples.nbytes)

    def against(self, player: int, reach: Reach) -> Floats:
        """[outcome, own sequence] by the others' reach."""
        classes = self.showdowns.classes
        found = np.zeros((len(self.rules.final_stacks), 1 + reach[player].size))
        axes = seats(self.rules.players, player)
        tables: dict[tuple[int, int], Floats] = {}
        row = 0
        for ending in self.rules.endings:
            table = self.showdowns.pairs
            if len(axes) > 2:
                table = self._without(axes[0], self.decision(ending, axes[0]), reach, tables)
            met = self._reach(reach, ending, axes[-2]) @ table.reshape(classes, -1)
            places = tuple(axes.index(one) for one in ending.inside)
            kept = met.reshape(classes, -1) @ marginal(places, len(axes))
            rows = slice(row, row + len(ending.orders))
            found[rows, self.cells(ending, player)] += self._at_own(ending, player, kept.T)
            row = rows.stop
        return found

    def _without(
        self,
        player: int,
        at: tuple[int, int] | None,
        reach: Reach,
        tables: dict[tuple[int, int], Floats],
    ) -> Floats:
        """[class, class, order] the hands of a player who acts like this summed out.

        A fold is what a jam leaves of both: their sum is one for each hand, and cheap."""
        if at is None:
            return self.showdowns.pairs_among_three
        if at not in tables:
            action, history = at
            if action == FOLDS:
                both = self.showdowns.without_first(reach[player][:, history].sum(axis=0))
                tables[at] = both - self._without(player, (JAMS, history), reach, tables)
            else:
                tables[at] = self.showdowns.without_first(reach[player][at])
        return tables[at]

    def matrix(self, player: int, worth: Floats) -> Floats:
        """Two players: [own sequence, sequence of the other] the sums, weighed by worth."""
        rival, classes = 1 - player, self.showdowns.classes
        sizes = [1 + 2 * len(self.rules.decisions[one]) * classes for one in (player, rival)]
        found = np.zeros(sizes)
        begin = 0
        for ending in self.rules.endings:
            end = begin + len(ending.orders)
            places = tuple((rival, player).index(one) for one in ending.inside)
            table = self.showdowns.pairs @ (marginal(places, 2) @ worth[begin:end])
            for axis, one in enumerate((rival, player)):
                if self.decision(ending, one) is None:
                    table = table.sum(axis=axis, keepdims=True)
            found[self.cells(ending, player), self.cells(ending, rival)] += table.T
            begin = end
        return found

    def _reach(self, reach: Reach, ending: Ending, player: int) -> Floats:
        """[class] how the player's own actions lead to this ending."""
        at = self.decision(ending, player)
        if at is None:
            return np.ones(self.showdowns.classes)
        vector: Floats = reach[player][at]
        return vector

    def decision(self, ending: Ending, player: int) -> tuple[int, int] | None:
        """The player's action and history before this ending, if it had a choice."""
        histories, before = self.rules.decisions[player], ending.history[:player]
        if before not in histories:
            return None
        return LETTERS.index(ending.history[player]), histories.index(before)

    def cells(self, ending: Ending, player: int) -> slice:
        """The player's last sequences before this ending."""
        at = self.decision(ending, player)
        if at is None:
            return slice(0, 1)
        classes = self.showdowns.classes
        first = 1 + (at[0] * len(self.rules.decisions[player]) + at[1]) * classes
        return slice(first, first + classes)

    def _at_own(self, ending: Ending, player: int, kept: Floats) -> Floats:
        """A player without a choice has one sequence for all its hands."""
        chosen = self.decision(ending, player) is not None
        return kept if chosen else kept.sum(axis=1, keepdims=True)


def ending_chances(rules: JamFold, showdowns: Showdowns) -> EndingChances:
    """The sums for a game of two or three players."""
    return EndingChances(rules, showdowns)


def seats(players: int, player: int) -> tuple[int, ...]:
    """The players in the order of the axes of showdowns: this one is the last."""
    return (*(one for one in range(players) if one != player), player)


def marginal(places: tuple[int, ...], hands: int) -> Floats:
    """[order of all hands, order of those at these places] 1 where the first implies the second."""
    found = np.zeros((len(orders(hands)), len(orders(len(places)))))
    found[np.arange(len(found)), narrowed(places, hands)] = 1.0
    return found
