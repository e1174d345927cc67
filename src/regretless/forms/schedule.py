"""The order of a sweep: a list of steps, each a site and what to do there.

Rounds before the split are swept round by round, and what they pass on is kept for all
sites. From the split on a sweep goes depth first below every site, so that what is passed on
stays in the cache, and every site of the split is a unit of work for a thread. What sites give
back is always summed in the same order: the split changes no bit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.core.arrays import Ints
from regretless.forms.public_layout import PublicLayout
from regretless.kernels.public_arrays import ADD, ASCEND, CLEAR, DESCEND, KEEP, Steps

SITES_PER_THREAD = 8  # a slow thread leaves sites to the others


@dataclass(frozen=True, eq=False)
class Schedule:
    """A sweep: first the head, then the parts in any order, then the tail."""

    head: Steps
    parts: tuple[Steps, ...]
    tail: Steps

    @cached_property
    def steps(self) -> Steps:
        """All steps in one list."""
        return _joined([self.head, *self.parts, self.tail])

    @cached_property
    def bounds(self) -> Ints:
        """The start of the head, of every part and of the tail in that list, then its end."""
        lengths = [len(part.rows) for part in (self.head, *self.parts, self.tail)]
        return np.cumsum([0, *lengths], dtype=np.int64)

    def alone(self) -> Schedule:
        """The same schedule as a single unit of work."""
        return Schedule(self.steps, (), NO_STEPS.tail)

    def grouped(self, pieces: int) -> Schedule:
        """The same with fewer parts, each of several consecutive sites: giving a part to a
        thread takes as long as sweeping over a small site."""
        ends = np.cumsum([len(part.rows) for part in self.parts])
        return self._joined(np.minimum(ends * pieces // max(int(ends[-1]), 1), pieces - 1))

    def by_group(self, groups: Ints) -> Schedule:
        """The same with one part for every group of sites."""
        return self._joined(groups[[int(part.rows[0, 0]) for part in self.parts]])

    def _joined(self, group: Ints) -> Schedule:
        """The same with one part for every group of parts."""
        parts = [
            _joined([part for part, mine in zip(self.parts, group, strict=True) if mine == number])
            for number in np.unique(group)
        ]
        return Schedule(self.head, tuple(parts), self.tail)


NOTHING = Steps(np.empty((0, 2), dtype=np.int64), np.empty(0))
NO_STEPS = Schedule(NOTHING, (), NOTHING)


def _joined(every: list[Steps]) -> Steps:
    return Steps(
        np.concatenate([steps.rows for steps in every]),
        np.concatenate([steps.factors for steps in every]),
    )


def split_round(layout: PublicLayout, threads: int) -> int:
    """The round whose sites threads share: the first with enough of them."""
    if threads == 1:
        return 0
    counts = [len(sites) for sites in layout.round_sites]
    for number, count in enumerate(counts):
        if count >= threads * SITES_PER_THREAD:
            return number
    return int(np.argmax(counts))


def schedule(layout: PublicLayout, split: int, factors: dict[int, float] | None = None) -> Schedule:
    """Steps of a sweep over all sites, or only over those in `factors`.

    A factor multiplies the payoffs of a site's terminals: one over its sampling probability.
    The ancestors of sampled sites must be among them."""

    def taken(sites: range) -> list[int]:
        return [site for site in sites if factors is None or site in factors]

    def steps(rows: list[tuple[int, int]]) -> Steps:
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        times = [1.0 if factors is None else factors[site] for site, _ in rows]
        return Steps(table, np.array(times, dtype=np.float64))

    def below(site: int, keep: int) -> list[tuple[int, int]]:
        children = taken(layout.children[site])
        if not layout.children[site]:
            return [(site, DESCEND | ASCEND | keep)]
        inner = [step for child in children for step in below(child, 0)]
        return [(site, DESCEND | CLEAR), *inner, (site, ASCEND | keep)]

    rounds = layout.round_sites
    head = [(site, DESCEND | CLEAR) for sites in rounds[:split] for site in taken(sites)]
    parts = [steps(below(site, KEEP)) for site in taken(rounds[split])]
    tail: list[tuple[int, int]] = []
    for sites in rounds[:split][::-1]:
        for site in taken(sites):
            tail += [(child, ADD) for child in taken(layout.children[site])]
            tail.append((site, DESCEND | ASCEND | KEEP))
    return Schedule(steps(head), tuple(parts), steps(tail))
