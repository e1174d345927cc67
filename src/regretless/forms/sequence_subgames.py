"""Subgames of a sequence form, found from its table of terminals and both treeplexes.

The table has no states and no order of moves. A decision point comes after one of the other
player if that one has several actions and only one of them occurs at terminals below both;
otherwise all of them would. The smallest closed set around a point has everything that comes
after it, and every point without a terminal elsewhere; in poker it begins with all points of the
same public state. If neither of two points knows the other's action, neither comes first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regretless.core.arrays import Flags, Indices, Ints
from regretless.core.errors import TooLarge, UnknownName, whole
from regretless.forms.sequence import SequenceForm
from regretless.forms.subgame import MOST_SUBGAMES, Subgame, public_part, require_round
from regretless.forms.tree import point_of_sequences


class SequenceSubgames:
    """Subgames of a sequence form."""

    def __init__(self, form: SequenceForm) -> None:
        self.form = form
        plex = form.plex
        self.owner = point_of_sequences(plex)
        counts = [len(treeplex.labels) for treeplex in form.treeplexes]
        self.first = np.cumsum([0, *counts])  # first decision point of every player
        self.labels = [label for treeplex in form.treeplexes for label in treeplex.labels]
        self.widths = np.array([len(a) for treeplex in form.treeplexes for a in treeplex.actions])
        self.paths = tuple(self._path(player) for player in range(2))
        self.below = self._counted(np.ones(form.terminals, bool))
        rules = form.game.rules if form.game is not None else None
        self.rounds = rules.rounds if rules is not None else 0  # 0: not poker

    def at(self, where: str) -> Subgame:
        seeds = self._seeds(where)
        return self._made(self._closed(seeds), self._name(seeds[0]))

    def cut(self, depth: int | None = None) -> list[Subgame]:
        by_rounds = self.rounds > 1
        if by_rounds:
            groups = self._rounds(require_round(depth, self.rounds))
        else:
            groups = self._decisions(1 if depth is None else whole("depth", depth, 0, 1000))
        if len(groups) > MOST_SUBGAMES:
            raise TooLarge(
                f"{self.form.spec} has {len(groups):,} subgames there: choose one with at="
            )
        return self._disjoint(groups)

    def children(self, subgame: Subgame) -> list[Subgame]:
        """The subgames that follow the first decision of this one."""
        inside = np.zeros(len(self.labels), bool)
        for player in range(2):
            names = self.form.treeplexes[player].points
            at = [names[point.label] for point in subgame.points[player]]
            inside[self.first[player] + np.array(at, dtype=np.int64)] = True
        rows = self._terminals(inside)
        later = self._after(inside, rows)
        for player in range(2):
            parents = self.form.plex.parents[self.first[player] : self.first[player + 1]]
            above = self.owner[parents]
            later[self.first[player] : self.first[player + 1]] |= (above >= 0) & inside[above]
        groups: dict[str, list[int]] = {}
        for point in np.flatnonzero(later & inside).tolist():
            groups.setdefault(self._public(point), []).append(point)
        return self._disjoint(list(groups.values()), largest=int(np.count_nonzero(rows)))

    def _disjoint(self, groups: Sequence[list[int]], largest: int = 0) -> list[Subgame]:
        """Closed sets, merged if they overlap; those of `largest` terminals are left out.

        The union of overlapping closed sets is closed."""
        kept: list[tuple[Flags, Flags, str]] = []  # points, terminals, name
        covered = np.zeros(self.form.terminals, bool)
        # Those that have most below them first: they have others within them.
        for group in sorted(groups, key=lambda group: -int(self.below[group].sum())):
            if any(other[0][group].all() for other in kept):
                continue
            points = self._closed(group)
            rows = self._terminals(points)
            if largest and np.count_nonzero(rows) >= largest:
                continue
            one = (points, rows, self._name(group[0]))
            if np.any(covered & rows):
                apart = [other for other in kept if not np.any(other[1] & rows)]
                overlapping = [one, *(other for other in kept if np.any(other[1] & rows))]
                kept = apart
                one = (
                    np.any([other[0] for other in overlapping], axis=0),
                    np.any([other[1] for other in overlapping], axis=0),
                    max(overlapping, key=lambda other: np.count_nonzero(other[1]))[2],
                )
            covered |= rows
            kept.append(one)
        return [self._made(points, name) for points, _, name in kept]

    def _path(self, player: int) -> tuple[Indices, Indices]:
        """[step, terminal] decision points on the path to a terminal, last one first, and the
        action taken; -1: there are no more."""
        plex = self.form.plex
        sequences = self.form.sequences[:, player].astype(np.int64)
        points, taken = [], []
        while True:
            here = self.owner[sequences]
            if not np.any(here >= 0):
                break
            points.append(here)
            taken.append(np.where(here >= 0, sequences, -1))
            above = plex.parents[here] if plex.parents.size else sequences
            sequences = np.where(here >= 0, above, sequences)
        shape = (len(points), self.form.terminals)
        return np.array(points, np.int32).reshape(shape), np.array(taken, np.int32).reshape(shape)

    def _counted(self, rows: Flags) -> Ints:
        """For every decision point, how many of these terminals are below it."""
        counts = np.zeros(len(self.labels) + 1, np.int64)  # the first entry is for missing steps
        for points, _ in self.paths:
            counts += np.bincount(points[:, rows].ravel() + 1, minlength=counts.size)
        return counts[1:]

    def _terminals(self, inside: Flags) -> Flags:
        rows = np.zeros(self.form.terminals, bool)
        for points, _ in self.paths:
            rows |= np.any((points >= 0) & inside[points], axis=0)
        return rows

    def _closed(self, seeds: Sequence[int]) -> Flags:
        """The smallest closed set of decision points around these."""
        inside = np.zeros(len(self.labels), bool)
        inside[np.asarray(seeds)] = True
        while True:
            rows = self._terminals(inside)
            grown = inside | self._after(inside, rows)
            grown |= (self._counted(rows) == self.below) & (self.below > 0)
            if np.array_equal(grown, inside):
                return inside
            inside = grown

    def _after(self, inside: Flags, rows: Flags) -> Flags:
        """Decision points of the other player that come after a point of this set."""
        later = np.zeros(len(self.labels), bool)
        chosen = np.flatnonzero(rows)
        size = int(self.form.plex.roots[-1])
        for mine, theirs in ((self.paths[0], self.paths[1]), (self.paths[1], self.paths[0])):
            pairs = []
            for point, done in zip(mine[0][:, chosen], mine[1][:, chosen], strict=True):
                here = (point >= 0) & inside[point] & (self.widths[point] > 1)
                for other, answer in zip(theirs[0][:, chosen], theirs[1][:, chosen], strict=True):
                    both = here & (other >= 0)
                    pairs.append(np.stack([done[both], answer[both]]).astype(np.int64))
            if not pairs:
                continue
            done, answer = np.unique(np.concatenate(pairs, axis=1), axis=1)
            key = self.owner[done] * size + self.owner[answer]
            later[self.owner[answer[_single(key, done)]]] = True
        return later

    def _seeds(self, where: str) -> list[int]:
        if self.rounds:
            wanted = where if where.startswith(("/", ":")) else public_part(where)
            known = {self._public(p) for p in range(len(self.labels))}
            exact = where in self.labels or where.startswith(("/", ":"))
            if wanted in known and exact:
                return [p for p in range(len(self.labels)) if self._public(p) == wanted]
        elif where in self.labels:
            return [p for p, label in enumerate(self.labels) if label == where]
        raise UnknownName("decision point", where, self.labels)

    def _public(self, point: int) -> str:
        """The public state of a point; in games other than poker every point has its own."""
        return public_part(self.labels[point]) if self.rounds else str(point)

    def _name(self, point: int) -> str:
        return public_part(self.labels[point]) if self.rounds else self.labels[point]

    def _rounds(self, before: int) -> list[list[int]]:
        groups: dict[str, list[int]] = {}
        for point, label in enumerate(self.labels):
            history = label.partition(":")[2]
            if history.count("/") == before and (history.endswith("/") or not history):
                groups.setdefault(public_part(label), []).append(point)
        return list(groups.values())

    def _decisions(self, before: int) -> list[list[int]]:
        depth = np.zeros(len(self.labels), np.int64)
        for point, parent in enumerate(self.form.plex.parents):
            above = self.owner[parent]
            depth[point] = depth[above] + 1 if above >= 0 else 0
        groups: dict[str, list[int]] = {}
        for point in np.flatnonzero(depth == before).tolist():
            groups.setdefault(self._public(point), []).append(point)
        return list(groups.values())

    def _made(self, inside: Flags, name: str) -> Subgame:
        form, rows = self.form, self._terminals(inside)
        points = tuple(
            tuple(point for point, mine in zip(form.points(player), chosen, strict=True) if mine)
            for player, chosen in enumerate(np.split(inside, self.first[1:2]))
        )
        assert len(points) == 2
        return Subgame(
            form, name, points, form.sequences[rows], form.chance[rows], form.payoffs[rows]
        )


def _single(keys: Ints, values: Ints) -> Flags:
    """For every entry, whether its key occurs with only one value."""
    _, back = np.unique(keys, return_inverse=True)
    count = int(back.max(initial=-1)) + 1
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1, np.int64)
    np.minimum.at(low, back, values)
    np.maximum.at(high, back, values)
    single: Flags = (low == high)[back]
    return single
