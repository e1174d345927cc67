"""A public tree in one precision, ready to be swept: its arrays, the order of its steps, scratch.

Members of a team stay inside the kernel for all iterations of a call; the first is the caller."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.memory import give_back
from regretless.forms.cell_groups import site_groups
from regretless.forms.leaves import Leaves
from regretless.forms.public_layout import PublicLayout
from regretless.forms.public_typed import typed
from regretless.forms.schedule import Schedule, schedule, split_round
from regretless.forms.workspace import shared_rows, shared_space, workspace
from regretless.kernels import public as kernels
from regretless.kernels.public_arrays import Public, Shared, SharedRows, Task, Work
from regretless.kernels.team import Team

WORTH_SHARING = 20_000  # lanes; with fewer, synchronising costs more than it saves
PARTS_PER_THREAD = 32  # a slow thread leaves parts to the others
NO_WEIGHTS = np.empty((0, 4))


@dataclass(frozen=True, eq=False)
class Sweeper:
    """A tree, a schedule of all sites, and scratch: shared, and one per thread."""

    layout: PublicLayout
    tree: Public
    whole: Schedule
    shared: Shared
    work: list[Work]
    rows: SharedRows
    roots: list[tuple[int, list[slice]]]  # items of the first round: site, [player] where kept
    lock: RLock = field(default_factory=RLock)  # callers in several threads share the scratch

    def some(self, sites: Mapping[int, float]) -> Schedule:
        """A schedule of these sites alone, with factors of their payoffs."""
        return schedule(self.layout, self.tree.split, dict(sites))

    def run(self, whole: Schedule, task: Task, weights: Floats = NO_WEIGHTS) -> None:
        """On all threads, if there are parts to share. The caller holds the lock."""
        threads = len(self.work) if whole.parts else 1
        counters = np.zeros(2, np.int64)

        def take_part(member: int) -> None:
            team, work = Team(member, threads, counters), self.work[member]
            steps = whole.steps, whole.bounds
            kernels.sweep(self.tree, *steps, task, self.shared, work, weights, team)

        others = [self._pool.submit(take_part, member) for member in range(1, threads)]
        take_part(0)
        for other in others:
            other.result()

    def at_root(self, player: int, sites: Mapping[int, float] | None) -> tuple[float, float]:
        """The sums of what was kept at the root: value, and best response if one was sought."""
        total = np.zeros(2)
        for site, places in self.roots:
            if sites is None or site in sites:
                total += self.shared.kept[:, places[player]].sum(axis=1)
        return float(total[0]), float(total[1])

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(len(self.work) - 1)


def sweeper_of(
    layout: PublicLayout,
    kind: Any,
    terminal: str,
    leaves: Leaves | None,
    *,
    threads: int,
    learning: bool,
    evaluates: bool,
) -> Sweeper:
    """The sweeper of a layout in one precision: to learn in it, to judge strategies, or both."""
    split = split_round(layout, threads)
    alone = threads == 1 or layout.lanes.sum() < WORTH_SHARING
    if any(cell is not None for cell in layout.cells) and not alone:
        split, groups = site_groups(layout)
        whole = schedule(layout, split).by_group(groups)
    else:
        whole = schedule(layout, split).grouped(threads * PARTS_PER_THREAD)
    tree = typed(layout, kind, terminal, split, leaves)
    sweeper = Sweeper(
        layout=layout,
        tree=tree,
        whole=whole.alone() if alone else whole,
        shared=shared_space(layout, tree, kind, split),
        work=[workspace(layout, tree, kind, split, evaluates) for _ in range(threads)],
        rows=shared_rows(layout, tree, kind, learning),
        roots=_roots(layout, tree),
    )
    if layout.lanes.sum() >= WORTH_SHARING:
        give_back()
    return sweeper


def _roots(layout: PublicLayout, tree: Public) -> list[tuple[int, list[slice]]]:
    roots = []
    for site in layout.round_sites[0]:
        for item in np.flatnonzero(layout.site_of_item == site):
            starts, lanes = tree.item_sides[item, :].kept, layout.lanes[item]
            places = [slice(at, at + n) for at, n in zip(starts, lanes, strict=True)]
            roots.append((site, places))
    return roots
