"""Scratch memory of sweeps over a public tree: shared, and per thread."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from regretless.forms.cell_groups import cell_rows, row_places, shared_decisions, shared_numbers
from regretless.forms.public_layout import PublicLayout
from regretless.forms.public_terminals import has_uneven_ties
from regretless.forms.public_typed import exit_counts, kept_places
from regretless.games._betting_tree import Kind
from regretless.kernels.hand_lanes import Lanes
from regretless.kernels.hand_rows import Rows
from regretless.kernels.public_arrays import Public, Shared, SharedRows, Work
from regretless.kernels.sorted_lanes import ROWS as SORTED_ROWS
from regretless.kernels.sorted_lanes import SortedLanes

# Per lane, measured on a flop: hands and their order in the layout, and what each precision
# adds.
LAYOUT_BYTES, NUMBERS_PER_LANE, ORDER_BYTES = 40, 10, 40


def workspace(layout: PublicLayout, tree: Public, kind: Any, split: int, evaluates: bool) -> Work:
    """Scratch of one thread, large enough for every site; `evaluates`: also for best responses."""
    reach, value, chosen = (int(sizes.sum()) for sizes in layout.work)
    columns, table = _columns(layout, tree)
    lanes = int(layout.lanes.max())
    actions = int(tree.nodes.actions.max(initial=1))
    rows = max(lanes, columns) * max(actions, 1)
    if isinstance(tree.ends, SortedLanes):
        rows = max(rows, SORTED_ROWS * int(layout.items.width.max()))
    if isinstance(tree.ends, Rows):
        rows = max(rows, columns * (1 + tree.deck))
    for mine in layout.cells:
        if mine is not None:
            widest = max(stage.prefixes for stage in layout.stages)
            rows = max(rows, max(mine.counts) * widest)
    exits = _exits(layout, tree, lambda number: number >= split)
    uneven = has_uneven_ties(layout, (Kind.SHOWDOWN, Kind.RUNOUT))
    return Work(
        reach=np.zeros(reach, kind),
        value=np.zeros(value, kind),
        best=np.zeros(value if evaluates else 1, kind),
        chosen=np.zeros(chosen, kind),
        table=np.zeros(table, kind),
        won=np.zeros(table, kind),
        total=np.zeros(table, kind),
        tied=np.zeros(table if uneven else 1, kind),
        places=np.zeros(columns, np.int64),
        sums=np.zeros(rows, kind),
        exits=np.zeros((layout.players, exits), kind),
        returns=np.zeros((2, exits), kind),
    )


def shared_space(layout: PublicLayout, tree: Public, kind: Any, split: int) -> Shared:
    """What sites of early rounds pass to each other."""
    exits = _exits(layout, tree, lambda number: number < split)
    return Shared(
        exits=np.zeros((layout.players, exits), kind),
        returns=np.zeros((2, exits), kind),
        kept=np.zeros((2, kept_places(layout, split)[1] + 1), kind),
    )


def shared_rows(layout: PublicLayout, tree: Public, kind: Any, learning: bool) -> SharedRows:
    """What rows that lanes share play, and if `learning` sums over lanes."""
    sums = row_places(layout, tree.cells)[2] if learning else 0
    play = int(layout.roots[-1]) if tree.cells.cells.any() else 0
    return SharedRows(
        decisions=shared_decisions(layout, tree.item_sides, tree.cells),
        owners=cell_rows(layout, tree.side.cells).owners,
        play=np.zeros(play, kind),
        advantage=np.zeros(sums, kind),
        played=np.zeros(sums, kind),
    )


def space_bytes(layout: PublicLayout, kinds: Collection[Any], threads: int) -> int:
    """Memory of the tree in all required precisions, and of its scratch; for spots accurate to
    about a tenth."""
    scratch = sum(int(sizes.sum()) for sizes in layout.work)
    shared = shared_numbers(layout)
    lanes = sum(len(level.counts) for side in layout.sides for level in side)
    total = LAYOUT_BYTES * lanes
    for kind in kinds:
        number = np.dtype(kind).itemsize
        total += lanes * (NUMBERS_PER_LANE * number + ORDER_BYTES) + 2 * threads * scratch * number
        total += number * shared
    return total + 60 * len(layout.items)


def _exits(layout: PublicLayout, tree: Public, wanted: Any) -> int:
    """How many numbers there are at the ends of the sites of some rounds."""
    rounds = layout.sites[layout.site_of_item].round_number
    mine = np.array([bool(wanted(int(number))) for number in rounds])
    ends = tree.item_sides.exit + exit_counts(layout)
    return int(ends[mine].max(initial=0)) + 1


def _columns(layout: PublicLayout, tree: Public) -> tuple[int, int]:
    """The most columns of a chunk, and the most numbers of a table of hands and columns."""
    if isinstance(tree.ends, Rows):
        chunks = tree.ends.chunks
        most = int((chunks.column_end - chunks.column).max(initial=1))
        return most, most * int(layout.site_sides.hands.max())
    most = table = 1
    if not isinstance(tree.ends, Lanes):
        return most, table
    for number, sites in enumerate(layout.round_sites):
        first, end = int(tree.ends.chunks[number, 0]), int(tree.ends.chunks[number, -1])
        hands = layout.site_sides[sites.start : sites.stop, :].hands.max(axis=1)
        items = layout.sites[sites.start : sites.stop].first_item
        for chunk in range(first, end):
            chunk_row = tree.ends.chunk_rows[chunk]
            positions = tree.ends.terminals.position[chunk_row.begin : chunk_row.stop]
            widths = layout.items[items[:, None] + positions].width.sum(axis=1)
            most = max(most, int(widths.max()))
            table = max(table, int((widths * hands).max()))
    return most, table
