"""The sequences of a full game in the public form with shared cells."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Ints
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.kernels.public_arrays import BOARD, BOARDS, HANDS, STAGE


def cell_links(full: Form, shared: PublicForm, player: int) -> Ints:
    """[sequence of the full form] the sequence of its cell; both count within the player."""
    links = np.zeros(full.sizes.sequences[player], dtype=np.int64)
    if isinstance(full, PublicForm):
        _link_lanes(full, shared, player, links)
        return links
    for point in full.points(player):
        there = shared.find(player, point.label)
        assert there is not None, point.label
        links[point.sequences] = there.sequences
    return links


def _link_lanes(full: PublicForm, shared: PublicForm, player: int, links: Ints) -> None:
    """Block by block: a lane is a hand on a board after a line of betting."""
    layout, cells = full.layout, shared.layout.cells[player]
    start = int(layout.roots[player])
    if cells is None:
        links[:] = np.arange(links.size)
        return
    begins = {
        (int(shared.layout.items[item, STAGE]), n): (first, shared.layout.widths(item, player))
        for item, n, first, _ in shared.lookup.decisions(player)
    }
    offset = int(shared.layout.roots[player])
    last = len(layout.sides[player]) - 1
    for item, n, first, actions in full.lookup.decisions(player):
        stage = int(layout.items[item, STAGE])
        round, prefixes = layout.stages[stage].round, layout.stages[stage].prefixes
        site = int(layout.site_of_item[item])
        boards = range(int(layout.sites[site, BOARD]), int(layout.sites[site, BOARDS]))
        boards = range(boards.start, boards.start + boards.stop)
        hands = int(layout.site_sides[site, player, HANDS])
        level = layout.level(player, round)
        lanes = np.stack([level.first[board] + np.arange(hands) for board in boards], axis=1)
        if round == last:
            lanes = layout.order[player][lanes]
        rows = cells.rows[round][lanes][:, :, None] * prefixes + np.arange(prefixes)
        width = layout.widths(item, player)
        there, span = begins[stage, n]
        for action in range(actions):
            numbers = first - start + action * width + np.arange(width)
            grid = layout.grid(numbers, item)
            links[grid] = there - offset + action * span + rows
