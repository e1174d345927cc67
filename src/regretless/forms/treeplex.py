"""The decisions of one player: the parent sequence of every decision point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import TooLarge, UnknownName

if TYPE_CHECKING:
    from scipy import sparse

EMPTY = np.empty(0, dtype=np.int32)
MOST_SEQUENCES = 2**31 - 1  # their numbers have 32 bits


def require_numbers(roots: Ints, spec: str = "this form") -> None:
    """Refuse more sequences than there are numbers for: in 32 bits they would wrap silently."""
    if int(roots[-1]) > MOST_SEQUENCES:
        raise TooLarge(
            f"{spec} has {int(roots[-1]):,} sequences: must be at most {MOST_SEQUENCES:,}"
        )


class Point(NamedTuple):
    """One decision point; sequences count within the player, 0 is the empty one."""

    label: str
    actions: tuple[str, ...]
    sequences: Indices
    parent: int


@dataclass(frozen=True, eq=False)
class Treeplex:
    """Decision points in topological order; sequence 0 is the empty one.

    `sequences[point]` lists the sequences of its actions, in the order of `actions`."""

    labels: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    parents: Indices
    sequences: tuple[Indices, ...]
    size: int  # number of sequences
    # [point] fewest moves before it, including chance; empty if unknown
    depths: Indices = field(default_factory=lambda: EMPTY)

    @classmethod
    def of_points(
        cls, points: Iterable[Point], size: int, depth: Callable[[str], int] | None = None
    ) -> Treeplex:
        """Build from decision points in topological order; `depth` computes depths from labels."""
        listed = list(points)
        depths = EMPTY if depth is None else np.array([depth(p.label) for p in listed], np.int32)
        return cls(
            labels=tuple(point.label for point in listed),
            actions=tuple(point.actions for point in listed),
            parents=np.array([point.parent for point in listed], dtype=np.int32),
            sequences=tuple(point.sequences for point in listed),
            size=size,
            depths=depths,
        )

    @cached_property
    def points(self) -> dict[str, int]:
        """Decision point of every label."""
        return {label: point for point, label in enumerate(self.labels)}

    def point(self, label: str) -> int:
        """The decision point with this label."""
        if label not in self.points:
            raise UnknownName("decision point", label, self.labels)
        return self.points[label]

    @cached_property
    def below(self) -> list[list[int]]:
        """The decision points that follow each sequence."""
        below: list[list[int]] = [[] for _ in range(self.size)]
        for point, parent in enumerate(self.parents):
            below[parent].append(point)
        return below

    @cached_property
    def constraints(self) -> sparse.csr_matrix:
        """Matrix E of the sequence form: E x = (1, 0, …, 0) for every realization plan x."""
        return constraint_matrix(self._owners(), self.parents)

    def dense_constraints(self) -> Floats:
        """The same as an array: for small matrices that is faster."""
        rows, columns, entries = constraint_entries(self._owners(), self.parents)
        E = np.zeros((1 + len(self.parents), self.size))
        E[rows, columns] = entries
        return E

    def _owners(self) -> Ints:
        """The decision point of every sequence but the empty one."""
        owners = np.zeros(self.size - 1, dtype=np.int64)
        for point, sequences in enumerate(self.sequences):
            owners[sequences - 1] = point
        return owners


def constraint_entries(owners: Ints, parents: Ints | Indices) -> tuple[Ints, Ints, Floats]:
    """Rows, columns and entries of the matrix E of a player."""
    points, size = len(parents), len(owners) + 1
    rows = np.concatenate([[0], 1 + owners, 1 + np.arange(points)])
    columns = np.concatenate([np.arange(size), parents])
    return rows, columns, np.concatenate([np.ones(size), -np.ones(points)])


def constraint_matrix(owners: Ints, parents: Ints | Indices) -> sparse.csr_matrix:
    """Matrix E of a player: E x = (1, 0, …, 0) for every realization plan x.

    `owners` is the decision point of every sequence but the empty one, `parents` the sequence
    above every decision point."""
    from scipy import sparse  # slow to import, needed by exact methods only

    rows, columns, entries = constraint_entries(owners, parents)
    shape = (1 + len(parents), len(owners) + 1)
    return sparse.csr_matrix((entries, (rows, columns)), shape=shape)


@dataclass(frozen=True)
class PointList:
    """Decision points in the order found, before they are laid out in blocks."""

    parents: Sequence[int]  # sequences numbered as found; 0 is the empty one
    actions: Sequence[tuple[str, ...]]
    labels: Sequence[str]
    depths: Sequence[int] = ()  # as in a treeplex

    def blocked(self) -> tuple[Treeplex, np.ndarray, np.ndarray]:
        """Group decision points by depth and number of actions.

        Returns the treeplex, its blocks [first sequence, actions, lanes, first point], and
        the new number of every sequence."""
        counts = np.array([len(names) for names in self.actions], dtype=np.int64)
        first_found = np.concatenate([[1], 1 + np.cumsum(counts)])
        depth = self._depths(first_found)
        order = np.lexsort((np.arange(counts.size), counts, depth))
        keys = np.stack([depth[order], counts[order]], axis=1)
        changes = np.flatnonzero(np.any(keys[1:] != keys[:-1], axis=1)) + 1
        renumbered = np.zeros(first_found[-1], dtype=np.int64)
        blocks, sequences, following = [], [], 1
        for group in np.split(np.arange(counts.size), changes) if counts.size else []:
            points = order[group]
            width = int(counts[points[0]])
            grid = following + np.arange(width * points.size).reshape(width, points.size)
            renumbered[first_found[points] + np.arange(width)[:, None]] = grid
            blocks.append((following, width, points.size, int(group[0])))
            sequences += list(grid.T.astype(np.int32))
            following += grid.size
        plex = Treeplex(
            labels=tuple(self.labels[point] for point in order),
            actions=tuple(self.actions[point] for point in order),
            parents=renumbered[np.asarray(self.parents, dtype=np.int64)[order]].astype(np.int32)
            if counts.size
            else np.empty(0, np.int32),
            sequences=tuple(sequences),
            size=following,
            depths=np.array(self.depths, np.int32)[order] if len(self.depths) else EMPTY,
        )
        return plex, np.array(blocks, dtype=np.int64).reshape(-1, 4), renumbered

    def _depths(self, first_found: np.ndarray) -> np.ndarray:
        # A decision point is found after the one above it, so one pass suffices.
        owner = np.zeros(first_found[-1], dtype=np.int64)
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for point, parent in enumerate(self.parents):
            owner[first_found[point] : first_found[point + 1]] = point
            depth[point] = depth[owner[parent]] + 1 if parent else 0
        return depth
