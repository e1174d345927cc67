"""The decisions of one player in a reduced game, and what they represent in the whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.forms.form import Form, plan_of
from regretless.forms.treeplex import Treeplex

if TYPE_CHECKING:
    from scipy import sparse

GIVEN, FREE, CHOICE = range(3)  # how a decision point is played

Continuations = Mapping[str, Floats]  # behaviours of the whole game, by name


class Side:
    """Reduced sequences are numbered block by block, within the player."""

    def __init__(
        self, form: Form, owners: Ints, player: int, kinds: Ints, choices: Continuations
    ) -> None:
        """`owners` is the decision point of every sequence of the whole game."""
        self.form, self.player, self.choices = form, player, choices
        self.plex, self.kinds, self.owners = form.plex, kinds, owners
        size = int(self.plex.roots[-1])
        self.above = np.zeros(size, dtype=np.int64)  # the reduced sequence that leads to each
        self.stride = np.zeros(size, dtype=np.int64)  # from one continuation to the next; 0: none
        self.size, self.count = 1, 0  # of sequences and decision points
        self._blocks: list[tuple[int, int, int, int]] = []
        self._points: list[tuple[Ints, Ints, bool]] = []  # points, parents, whether a choice
        blocks = self.plex.blocks[self.plex.ranges[player] : self.plex.ranges[player + 1]]
        free = [self._block(block) for block in blocks]
        self.free = np.concatenate([np.empty(0, np.int64), *free])  # sequences chosen freely

    def _block(self, block: Ints) -> Ints:
        """Number the reduced sequences of a block; those chosen freely are returned."""
        first, actions, lanes, start = map(int, block)
        points = start + np.arange(lanes)
        parents = self.plex.parents[points].astype(np.int64)
        grid = first + np.arange(actions)[:, None] * lanes + np.arange(lanes)
        kinds, inside = self.kinds[points], self.stride[parents] > 0
        self.above[grid], self.stride[grid] = self.above[parents], self.stride[parents]
        free = np.flatnonzero(kinds == FREE)
        assert not inside[free].any(), "a free decision follows a continuation"
        if free.size:
            self.above[grid[:, free]] = self._numbered(points[free], parents[free], actions, False)
        entered = np.flatnonzero((kinds == CHOICE) & ~inside)
        if entered.size:
            width = len(self.choices)
            numbers = self._numbered(points[entered], parents[entered], width, True)
            self.above[grid[:, entered]] = numbers[0]
            self.stride[grid[:, entered]] = entered.size
        return grid[:, free].ravel()

    def _numbered(self, points: Ints, parents: Ints, width: int, is_choice: bool) -> Ints:
        """[action, lane] sequences of a new block of decision points."""
        lanes = len(points)
        numbers = self.size + np.arange(width * lanes).reshape(width, lanes)
        self._blocks.append((self.size, width, lanes, self.count))
        self._points.append((points, self.above[parents], is_choice))
        self.size, self.count = self.size + width * lanes, self.count + lanes
        return numbers

    @property
    def blocks(self) -> Ints:
        return np.array(self._blocks, dtype=np.int64).reshape(-1, 4)

    @property
    def parents(self) -> Indices:
        """[reduced decision point] the reduced sequence above it."""
        above = [np.empty(0, np.int64), *(parents for _, parents, _ in self._points)]
        return np.concatenate(above).astype(np.int32)

    def treeplex(self) -> Treeplex:
        """The same with labels and names of actions."""
        plex = self.form.treeplexes[self.player]
        start = sum(len(other.labels) for other in self.form.treeplexes[: self.player])
        names = tuple(self.choices)
        labels: list[str] = []
        actions: list[tuple[str, ...]] = []
        sequences: list[Indices] = []
        for (points, _, is_choice), (first, width, lanes, _) in zip(
            self._points, self._blocks, strict=True
        ):
            here = [plex.labels[point - start] for point in points]
            labels += [f"{label} onwards" for label in here] if is_choice else here
            actions += [names if is_choice else plex.actions[point - start] for point in points]
            grid = first + np.arange(width * lanes, dtype=np.int32).reshape(width, lanes)
            sequences += list(grid.T)
        return Treeplex(tuple(labels), tuple(actions), self.parents, tuple(sequences), self.size)

    def played_out(self, given: Floats) -> sparse.csr_matrix:
        """[sequence of the whole game, reduced sequence] its probability once that was chosen."""
        from scipy import sparse

        low, high = int(self.plex.roots[self.player]), int(self.plex.roots[self.player + 1])
        mine = np.arange(low, high)
        kinds = np.append(self.kinds, FREE)[self.owners]  # the empty sequence has no decision point
        rows, columns, values = [], [], []
        for number, behaviour in enumerate(self.choices.values() or [given]):
            steps = np.where(kinds == FREE, 1.0, np.where(kinds == CHOICE, behaviour, given))
            plan = plan_of(self.form, steps)
            taken = plan[mine] > 0
            if number:  # what precedes the choice is counted once
                taken &= self.stride[mine] > 0
            chosen = mine[taken]
            rows.append(chosen - low)
            columns.append(self.above[chosen] + number * self.stride[chosen])
            values.append(plan[chosen])
        entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        return sparse.csr_matrix(entries, shape=(high - low, self.size))
