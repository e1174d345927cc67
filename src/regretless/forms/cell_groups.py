"""Lanes that share rows: the groups of sites in which they are swept, and what lies above a cell.

Lanes of different sites add to the rows of their cell. If these sites are in different groups, they
add to different rows, which are added up after the sweep, in the order of groups: groups depend on
the layout alone, so any number of threads gives the same bits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Indices, Ints
from regretless.core.errors import ImperfectRecall
from regretless.forms.public_layout import PublicLayout
from regretless.forms.public_points import Points
from regretless.forms.schedule import split_round
from regretless.games._betting_tree import Kind
from regretless.kernels.public_arrays import (
    CELL_ROWS,
    DECISION,
    SHARED,
    Records,
    no_records,
    records,
)

GROUPS = 8  # more of them keep more threads busy, and need more rows


class CellRows(NamedTuple):
    """Rows of sums: the first ones of a round are its cells, further ones follow."""

    table: Records  # [round, player]
    lanes: Indices  # [lane] its row
    owners: Indices  # the cell of every further row


def site_groups(layout: PublicLayout) -> tuple[int, Ints]:
    """The round whose sites are in groups, and [site] the group; 0 before that round."""
    first = split_round(layout, GROUPS)
    lanes = np.zeros(len(layout.sites), dtype=np.int64)
    np.add.at(lanes, layout.site_of_item, layout.lanes.max(axis=1))
    groups = np.zeros(len(layout.sites), dtype=np.int64)
    for number in range(len(layout.rounds) - 1, first, -1):
        sites = slice(layout.round_sites[number].start, layout.round_sites[number].stop)
        np.add.at(lanes, layout.sites[sites].parent, lanes[sites])
    here = slice(layout.round_sites[first].start, layout.round_sites[first].stop)
    middle = np.cumsum(lanes[here]) - lanes[here] / 2
    groups[here] = np.minimum(middle * GROUPS / max(lanes[here].sum(), 1), GROUPS - 1)
    for number in range(first + 1, len(layout.rounds)):
        sites = slice(layout.round_sites[number].start, layout.round_sites[number].stop)
        groups[sites] = groups[layout.sites[sites].parent]
    return first, groups


def cell_rows(layout: PublicLayout, cells: Indices) -> CellRows:
    """Rows of sums for lanes with these cells."""
    table = no_records((len(layout.rounds), layout.players), CELL_ROWS)
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
            sizes = sides.hands * layout.sites[sites.start : sites.stop].boards
            here = slice(int(sides[0].lane), int(sides[0].lane + sizes.sum()))
            group = np.repeat(groups[sites.start : sites.stop], sizes)
            first = np.full(count, GROUPS, dtype=np.int64)  # the group that owns a cell
            np.minimum.at(first, cells[here], group)
            guest = group != first[cells[here]]
            keys, back = np.unique(group[guest] * count + cells[here][guest], return_inverse=True)
            lanes[here][guest] = count + back
            table[number, player] = count, keys.size, sum(part.size for part in owners)
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


def shared_decisions(layout: PublicLayout, item_sides: Records, table: Records) -> Records:
    """[decision] of players with cells, as kernels learn and play them."""
    decisions = []
    _, first_items = np.unique(layout.items.stage, return_index=True)
    for number, item in enumerate(first_items):
        stage = layout.stages[number]
        nodes = layout.nodes.stage_table[number]
        for node in layout.nodes.table[nodes.first : nodes.end]:
            cells, more, owners = table[stage.round - layout.first, node.player]
            if node.kind != DECISION or not cells:
                continue
            side, row = item_sides[item, node.player], node.row
            base, sums = side.first + row * side.span, side.at_sums + row * side.span
            further = side.at_more + row * more * stage.prefixes
            lines = (node.player, node.actions, stage.prefixes)
            decisions.append((*lines, base, side.span, sums, further, owners, more))
    return records(decisions, SHARED)


def row_places(layout: PublicLayout, table: Records) -> tuple[Ints, Ints, int]:
    """[item, player] where the sums of cells and of further rows begin, and how many there are.

    One player learns at a time: all use the same memory."""
    players = layout.players
    firsts, further = np.zeros((2, len(layout.stages), players), dtype=np.int64)
    most = 0
    for player, mine in enumerate(layout.cells):
        at = 0
        for places, counts in ((firsts, table.cells), (further, table.more)):
            for number, stage in enumerate(layout.stages):
                rows = int(counts[stage.round - layout.first, player]) * stage.prefixes
                places[number, player] = at
                at += rows * int(layout.nodes.rows[number, player])
        most = max(most, at if mine is not None else 0)
    stages = layout.items.stage
    return firsts[stages], further[stages], most


def cell_parents(points: Points, player: int) -> Ints:
    """The sequence above every decision point of a player with cells, in the order of its blocks.

    Raises ImperfectRecall if hands of one cell come from several cells."""
    layout = points.layout
    above = cells_above(layout, player)
    starts = {
        int(layout.items[item].stage): (
            int(layout.item_sides[item, player].first),
            layout.widths(item, player),
        )
        for item, _, owner in layout.owned_items()
        if owner == player
    }
    entering: dict[int, Ints] = {}  # [stage][cell, prefix] the last sequence before it
    for number, stage in enumerate(layout.stages):
        shape = (starts[number][1] // stage.prefixes, stage.prefixes)
        first = stage.round == layout.rounds[0]
        entering.setdefault(number, np.full(shape, int(layout.roots[player]) if first else -1))
        for n, node in enumerate(stage.nodes):
            if node.kind is not Kind.DEAL:
                continue
            below, cells = layout.stages[node.next_stage], above[stage.round + 1]
            wanted = entering.setdefault(
                node.next_stage, np.full((cells.size, below.prefixes), -1, dtype=np.int64)
            )
            leaving = _last(points, player, number, n, entering[number], starts[number])
            wanted[:, node.next_prefix : node.next_prefix + stage.prefixes] = leaving[cells]
    parents = []
    for item, n, _, _ in points.decisions(player):
        number = int(layout.items[item].stage)
        parents.append(_last(points, player, number, n, entering[number], starts[number]).ravel())
    return np.concatenate(parents) if parents else np.empty(0, np.int64)


def _last(
    points: Points, player: int, stage: int, n: int, entering: Ints, place: tuple[int, int]
) -> Ints:
    """The player's last sequence before node n of a stage, [cell, prefix]."""
    row, (base, span) = points.rows_above(player, stage)[n], place
    return entering if row < 0 else base + row * span + np.arange(span).reshape(entering.shape)


def cells_above(layout: PublicLayout, player: int) -> dict[int, Ints]:
    """[round][cell] the cell of the round before."""
    mine = layout.cells[player]
    assert mine is not None
    cells_by_round = {}
    for round in list(layout.rounds)[1:]:
        level, rows = layout.level(player, round), mine.rows[round]
        if round == len(layout.sides[player]) - 1:
            rows = rows[layout.order[player]]
        parents = np.repeat(level.parents, np.diff(level.first))  # [lane] the board before
        lanes = layout.level(player, round - 1).first[parents] + level.above
        before = mine.rows[round - 1][lanes]
        cells = np.full(mine.counts[round], -1, dtype=np.int64)
        cells[rows] = before
        if (cells[rows] != before).any():
            cell = int(rows[np.flatnonzero(cells[rows] != before)[0]])
            raise ImperfectRecall(
                f"game {layout.game.spec} with shared cells: cell {cell + 1} of player "
                f"{player + 1} in round {round + 1} has hands of several cells of the round before"
            )
        cells_by_round[round] = cells
    return cells_by_round
