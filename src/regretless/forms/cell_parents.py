"""The treeplex of hands that share cells, where cells remember: what lies above every cell."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Ints
from regretless.core.errors import ImperfectRecall
from regretless.forms.public_layout import PublicLayout
from regretless.forms.public_points import Points
from regretless.games._betting_tree import Kind


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
