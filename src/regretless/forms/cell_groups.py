"""Sites in groups, so that threads can share a sweep over lanes that share rows.

Lanes of different sites add to the rows of their cell. If these sites are in different groups, they
add to different rows, which are added up after the sweep, in the order of groups: groups depend on
the layout alone, so any number of threads gives the same bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.forms.public_layout import PublicLayout
from regretless.forms.schedule import split_round
from regretless.kernels.public_arrays import (
    ACTIONS,
    AT_MORE,
    AT_SUMS,
    BASE,
    BOARDS,
    CELLS,
    DECISION,
    END,
    FIRST,
    HANDS,
    KIND,
    LANE,
    MORE,
    OWNERS,
    PARENT,
    PLAYER,
    ROW,
    SPAN,
    STAGE,
)

GROUPS = 8  # more of them keep more threads busy, and need more rows


class CellRows(NamedTuple):
    """Rows of sums: the first ones of a round are its cells, further ones follow."""

    table: Ints  # [round, player, column] CELLS, MORE, OWNERS
    lanes: Indices  # [lane] its row
    owners: Indices  # the cell of every further row


def site_groups(layout: PublicLayout) -> tuple[int, Ints]:
    """The round whose sites are in groups, and [site] the group; 0 before that round."""
    first = split_round(layout, GROUPS)
    lanes = np.zeros(len(layout.sites), dtype=np.int64)
    np.add.at(lanes, layout.site_of_item, layout.lanes.max(axis=1))
    found = np.zeros(len(layout.sites), dtype=np.int64)
    for number in range(len(layout.rounds) - 1, first, -1):
        sites = slice(layout.round_sites[number].start, layout.round_sites[number].stop)
        np.add.at(lanes, layout.sites[sites, PARENT], lanes[sites])
    here = slice(layout.round_sites[first].start, layout.round_sites[first].stop)
    middle = np.cumsum(lanes[here]) - lanes[here] / 2
    found[here] = np.minimum(middle * GROUPS / max(lanes[here].sum(), 1), GROUPS - 1)
    for number in range(first + 1, len(layout.rounds)):
        sites = slice(layout.round_sites[number].start, layout.round_sites[number].stop)
        found[sites] = found[layout.sites[sites, PARENT]]
    return first, found


def cell_rows(layout: PublicLayout, cells: Indices) -> CellRows:
    """Rows of sums for lanes with these cells."""
    table = np.zeros((len(layout.rounds), layout.players, 3), dtype=np.int64)
    lanes = cells.astype(np.int32)
    owners: list[np.ndarray] = []
    groups = site_groups(layout)[1]
    for player, mine in enumerate(layout.cells):
        if mine is None:
            continue
        for number, round in enumerate(layout.rounds):
            count = mine.counts[round]
            sites = layout.round_sites[number]
            sides = layout.site_sides[sites.start : sites.stop, player]
            sizes = sides[:, HANDS] * layout.sites[sites.start : sites.stop, BOARDS]
            here = slice(int(sides[0, LANE]), int(sides[0, LANE] + sizes.sum()))
            group = np.repeat(groups[sites.start : sites.stop], sizes)
            first = np.full(count, GROUPS, dtype=np.int64)  # the group that owns a cell
            np.minimum.at(first, cells[here], group)
            guest = group != first[cells[here]]
            keys, back = np.unique(group[guest] * count + cells[here][guest], return_inverse=True)
            lanes[here][guest] = count + back
            table[number, player, [CELLS, MORE, OWNERS]] = (
                count,
                keys.size,
                sum(part.size for part in owners),
            )
            owners.append(keys % count)
    every = np.concatenate(owners).astype(np.int32) if owners else np.empty(0, np.int32)
    return CellRows(table, lanes, every)


def lane_cells(layout: PublicLayout, player: int, round: int) -> Indices:
    """The cell of every lane of a round, board by board; 0 if lanes share nothing."""
    mine = layout.cells[player]
    if mine is None:
        return np.zeros(len(layout.level(player, round).counts), np.int32)
    is_sorted = round == len(layout.sides[player]) - 1
    return mine.rows[round][layout.order[player]] if is_sorted else mine.rows[round]


def shared_numbers(layout: PublicLayout) -> int:
    """How many numbers shared rows need in a sweep: their play, and two sums."""
    if not any(mine is not None for mine in layout.cells):
        return 0
    players = range(layout.players)
    cells = [lane_cells(layout, player, round) for player in players for round in layout.rounds]
    table = cell_rows(layout, np.concatenate(cells)).table
    return int(layout.roots[-1]) + 2 * row_places(layout, table)[2]


def shared_decisions(layout: PublicLayout, item_sides: Ints, table: Ints) -> Ints:
    """[decision, column] of players with cells, as kernels learn and play them."""
    found = []
    _, first_items = np.unique(layout.items[:, STAGE], return_index=True)
    for number, item in enumerate(first_items):
        stage = layout.stages[number]
        begin, end = layout.nodes.stage_table[number, [FIRST, END]]
        for node in layout.nodes.table[begin:end]:
            cells, more, owners = table[stage.round - layout.first, node[PLAYER]]
            if node[KIND] != DECISION or not cells:
                continue
            side, row = item_sides[item, node[PLAYER]], node[ROW]
            base, sums = side[BASE] + row * side[SPAN], side[AT_SUMS] + row * side[SPAN]
            further = side[AT_MORE] + row * more * stage.prefixes
            lines = (node[PLAYER], node[ACTIONS], stage.prefixes)
            found.append((*lines, base, side[SPAN], sums, further, owners, more))
    return np.array(found, dtype=np.int64).reshape(-1, 9)


def row_places(layout: PublicLayout, table: Ints) -> tuple[Ints, Ints, int]:
    """[item, player] where the sums of cells and of further rows begin, and how many there are.

    One player learns at a time: all use the same memory."""
    players = layout.players
    firsts, further = np.zeros((2, len(layout.stages), players), dtype=np.int64)
    most = 0
    for player, mine in enumerate(layout.cells):
        at = 0
        for places, column in ((firsts, CELLS), (further, MORE)):
            for number, stage in enumerate(layout.stages):
                rows = int(table[stage.round - layout.first, player, column]) * stage.prefixes
                places[number, player] = at
                at += rows * int(layout.nodes.rows[number, player])
        most = max(most, at if mine is not None else 0)
    stages = layout.items[:, STAGE]
    return firsts[stages], further[stages], most
