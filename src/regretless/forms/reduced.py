"""A smaller game in which part of what both players do is given.

At every decision point of the whole game the player decides freely, or plays as given, or goes
on by one of several continuations: behaviours among which it chooses once, at the first such
point that it comes to, knowing what it knows there. What is given is played out: with P[s, r] the
probability of a sequence s of the whole game once sequence r of the reduced game was chosen,
the reduced payoffs are P1' A P2. Depth-limited games (Brown, Sandholm & Amos 2018) are of
this kind, and subgames with the ranges that reach them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Flags, Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.form import plan_of
from regretless.forms.sequence import SequenceForm, Terminals, assembled
from regretless.forms.tree import point_of_sequences
from regretless.forms.treeplex import Layout

if TYPE_CHECKING:
    from scipy import sparse

GIVEN, FREE, CHOICE = range(3)  # how a decision point is played

Continuations = Mapping[str, Floats]  # behaviours of the whole game, by name


class Whole:
    """The game that is reduced, with what all its reductions share."""

    def __init__(self, form: SequenceForm) -> None:
        if form.players != 2 or not form.zero_sum:
            raise Unsuitable(f"{form.spec}: only two-player zero-sum games are reduced")
        self.form = form
        self.owners = point_of_sequences(form.plex)

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """What pairs of sequences pay player 1."""
        return self.form.matrix()

    def reduced(
        self, kinds: Ints, given: Floats, continuations: Sequence[Continuations]
    ) -> Reduced:
        """The game with decision points of these kinds; continuations are by player."""
        sides = [
            _Side(self, player, kinds, continuations[player]) for player in range(self.form.players)
        ]
        first, second = (side.played_out(given) for side in sides)
        paid = (first.T @ self.matrix @ second).tocoo()  # zeros stay: somebody comes there
        pairs = np.stack([paid.row, paid.col], axis=1).astype(np.int64)
        terminals = Terminals(pairs, np.ones(paid.nnz), np.stack([paid.data, -paid.data], axis=1))
        layouts = [side.layout for side in sides]
        spec = f"{self.form.spec}, reduced"
        form, numbers = assembled(spec, layouts, terminals, nodes=paid.nnz)
        free = [side.free for side in sides]
        kept = [numbers[i][side.above[side.free]] for i, side in enumerate(sides)]
        return Reduced(form, given, tuple(free), tuple(kept))


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduced game, as a sequence form that every solver can read."""

    form: SequenceForm
    given: Floats
    free: tuple[Ints, ...]  # [player] sequences of the whole game that are chosen freely
    kept: tuple[Ints, ...]  # [player] the same in the reduced game

    def extended(self, behaviour: Floats, player: int) -> Floats:
        """What is given, with the player's free decisions as in a behaviour of the reduced game.

        Where nobody comes, what is given stays."""
        live = self._live[self.kept[player]]
        found = self.given.copy()
        found[self.free[player][live]] = behaviour[self.kept[player][live]]
        return found

    @cached_property
    def _live(self) -> Flags:
        """[reduced sequence] whether its decision point can be reached."""
        plex = self.form.plex
        live = np.zeros(int(plex.roots[-1]), dtype=bool)
        live[self.form.sequences.ravel()] = True
        for first, actions, lanes, point in plex.blocks[::-1]:
            lane = live[first : first + actions * lanes].reshape(actions, lanes)
            lane[:] = lane.any(axis=0)
            np.logical_or.at(live, plex.parents[point : point + lanes], lane[0])
        return live


class _Side:
    """The decisions of one player in the reduced game, and what they stand for."""

    def __init__(self, whole: Whole, player: int, kinds: Ints, choices: Continuations) -> None:
        self.whole, self.player, self.kinds, self.choices = whole, player, kinds, choices
        plex = whole.form.plex
        size = int(plex.roots[-1])
        self.above = np.zeros(size, dtype=np.int64)  # the reduced sequence that leads to each
        self.inside = np.zeros(size, dtype=bool)  # whether it follows a choice of continuations
        self.following = 1
        self._parents: list[Ints] = [np.empty(0, np.int64)]
        self._points: list[tuple[int, bool]] = []  # and whether it is a choice
        blocks = plex.blocks[plex.ranges[player] : plex.ranges[player + 1]]
        free = [self._block(block) for block in blocks]
        self.free = np.concatenate([np.empty(0, np.int64), *free])

    def _block(self, block: Ints) -> Ints:
        """Number the reduced sequences of a block; those chosen freely are returned."""
        first, actions, lanes, start = map(int, block)
        points = start + np.arange(lanes)
        parents = self.whole.form.plex.parents[points].astype(np.int64)
        grid = first + np.arange(actions)[:, None] * lanes + np.arange(lanes)
        kinds = self.kinds[points]
        self.above[grid] = self.above[parents]
        self.inside[grid] = self.inside[parents] | (kinds == CHOICE)
        free = np.flatnonzero(kinds == FREE)
        assert not self.inside[grid[:, free]].any(), "a free decision follows a continuation"
        self.above[grid[:, free]] = self._numbered(points[free], parents[free], actions, False).T
        entered = np.flatnonzero((kinds == CHOICE) & ~self.inside[parents])
        numbers = self._numbered(points[entered], parents[entered], len(self.choices), True)
        self.above[grid[:, entered]] = numbers[:, 0] if entered.size else 0
        return grid[:, free].ravel()

    def _numbered(self, points: Ints, parents: Ints, width: int, is_choice: bool) -> Ints:
        """[point, action] sequences of new decision points below these sequences."""
        count = len(points) * width
        numbers = self.following + np.arange(count).reshape(len(points), width)
        self._parents.append(self.above[parents])
        self._points += [(int(point), is_choice) for point in points]
        self.following += count
        return numbers

    @property
    def layout(self) -> Layout:
        """The decision points, as they were found."""
        plex = self.whole.form.treeplexes[self.player]
        before = self.whole.form.treeplexes[: self.player]
        start = sum(len(other.labels) for other in before)
        names = tuple(self.choices)
        labels, actions = [], []
        for point, is_choice in self._points:
            label = plex.labels[point - start]
            labels.append(f"{label} onwards" if is_choice else label)
            actions.append(names if is_choice else plex.actions[point - start])
        return Layout(np.concatenate(self._parents).tolist(), actions, labels)

    def played_out(self, given: Floats) -> sparse.csr_matrix:
        """[sequence of the whole game, reduced sequence] its probability once that was chosen."""
        from scipy import sparse

        plex = self.whole.form.plex
        low, high = int(plex.roots[self.player]), int(plex.roots[self.player + 1])
        mine = np.arange(low, high)
        kinds = np.append(self.kinds, FREE)[self.whole.owners]  # nobody decides the empty sequence
        rows, columns, values = [], [], []
        for number, behaviour in enumerate(self.choices.values() or [given]):
            steps = np.where(kinds == FREE, 1.0, np.where(kinds == CHOICE, behaviour, given))
            plan = plan_of(self.whole.form, steps)
            taken = plan[mine] > 0
            if number:  # what precedes the choice is entered once
                taken &= self.inside[mine]
            chosen = mine[taken]
            rows.append(chosen - low)
            columns.append(self.above[chosen] + number * self.inside[chosen])
            values.append(plan[chosen])
        entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        return sparse.csr_matrix(entries, shape=(high - low, self.following))
