"""A public form as an explicit sequence form, without walking states."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.core.memory import require
from regretless.forms.public_chances import compatible_ways, lane_chances, lane_weights
from regretless.forms.public_layout import PublicLayout
from regretless.forms.public_points import Points
from regretless.forms.sequence import SequenceForm, is_zero_sum, memory_bytes, table
from regretless.forms.treeplex import Treeplex, require_numbers
from regretless.games._betting_tree import Kind
from regretless.kernels.public_arrays import MID, NET, TIE


def expand(layout: PublicLayout, points: Points, spec: str) -> SequenceForm:
    """All terminals of a two-player public tree, as rows of (sequences, chance, payoffs)."""
    if layout.players != 2:
        raise Unsuitable(
            "only a two-player public form can be enumerated: this one has more players"
        )
    kinds = {node.kind for stage in layout.stages for node in stage.nodes}
    if kinds & {Kind.LEAF, Kind.RUNOUT} or any(cell is not None for cell in layout.cells):
        raise Unsuitable("a public form with leaves, run-outs or shared cells cannot be enumerated")
    if layout.locks:
        raise Unsuitable("a public form with locks cannot be enumerated: use the sequence form")
    sizes = replace(layout.sizes, terminals=expanded_terminals(layout))
    require(
        memory_bytes(sizes), f"the sequence form of {spec}, with {sizes.terminals:,} terminals,"
    )
    entering = [points.entering(player) for player in range(2)]
    scale = lane_chances(layout)[0], lane_weights(layout)[1]
    sequences, chance, payoffs = [], [], []
    for item, stage in enumerate(layout.items.stage.tolist()):
        for n, node in enumerate(layout.stages[stage].nodes):
            if node.kind in (Kind.FOLD, Kind.SHOWDOWN):
                last = [points.last(player, item, n, entering[player][item]) for player in (0, 1)]
                rows = terminal_rows(layout, item, n, last, scale)
                sequences.append(rows[0])
                chance.append(rows[1])
                payoffs.append(rows[2])
    require_numbers(layout.roots, spec)
    pairs = np.concatenate(sequences).astype(np.int32)
    probability = np.concatenate(chance)
    both = np.concatenate(payoffs)
    parents = [points.parents(player) for player in range(2)]
    return SequenceForm(
        spec=spec,
        players=2,
        zero_sum=is_zero_sum(both),
        treeplexes=tuple(
            Treeplex.of_points(points.all(player), layout.sizes.sequences[player], _depth)
            for player in range(2)
        ),
        plex=points.blocks()._replace(parents=np.concatenate(parents).astype(np.int32)),
        nodes=layout.sizes.nodes,
        sequences=pairs,
        chance=probability,
        payoffs=both,
        table=table(pairs, probability[:, None] * both),
        game=layout.game,
    )


def expanded_terminals(layout: PublicLayout) -> int:
    """Terminals of all pairs of hands, whether or not they can be dealt together."""
    terminals = 0
    for item, stage in enumerate(layout.items.stage.tolist()):
        kinds = [node.kind for node in layout.stages[stage].nodes]
        rivals = int(layout.site_sides[layout.site_of_item[item], 1].hands)
        ends = sum(kind in (Kind.FOLD, Kind.SHOWDOWN) for kind in kinds)
        terminals += ends * int(layout.lanes[item, 0]) * rivals
    return terminals


def _depth(label: str) -> int:
    """Moves before a decision point, including deals, as a walk would count them."""
    cards, _, betting = label.partition(":")
    return 2 + cards.count("/") + sum(letter.isalpha() for letter in betting)


def terminal_rows(
    layout: PublicLayout,
    item: int,
    n: int,
    last: list[Ints],
    scale: tuple[Floats, Floats],
    only: tuple[int, int] | None = None,
) -> tuple[Ints, Floats, Floats]:
    """Sequences, chance and payoffs, for all pairs of hands, boards and prefixes.

    `only`: one board of the site and one prefix."""
    number = int(layout.items[item].stage)
    stage = layout.stages[number]
    node, site = stage.nodes[n], layout.sites[layout.site_of_item[item]]
    boards = int(site.boards)
    row = int(layout.nodes.table[int(layout.nodes.stage_table[number].first) + n].pay)
    one, two = (layout.level(player, stage.round) for player in (0, 1))
    before = [
        sum(len(side[r].counts) for r in layout.rounds if r < stage.round) for side in layout.sides
    ]
    rows = [layout.grid(lanes, item) for lanes in last]
    by_board: list[tuple[Ints, Floats, Floats]] = []
    chosen = slice(None) if only is None else slice(only[1], only[1] + 1)
    for place in range(boards) if only is None else only[:1]:
        board = int(site.board) + place
        lanes, theirs = one.lanes(board), two.lanes(board)
        own = scale[0][before[0] + lanes.start : before[0] + lanes.stop]
        other = scale[1][before[1] + theirs.start : before[1] + theirs.stop]
        ways = compatible_ways(one, two, board) * own[:, None] * other
        i, j = np.nonzero(ways)
        weight = np.zeros((3, i.size))
        weight[MID] = 1.0
        if node.kind is Kind.SHOWDOWN:
            below = layout.relations[0].below[lanes][i]
            upto = layout.relations[0].upto[lanes][i]
            weight[NET] = np.where(j < below, 1.0, np.where(j >= upto, -1.0, 0.0))
            weight[TIE] = (j >= below) & (j < upto)
        ends = [rows[0][i, place, chosen], rows[1][j, place, chosen]]
        pairs = np.stack(ends, axis=-1).reshape(-1, 2)
        paid = []
        for player, sign in ((0, 1.0), (1, -1.0)):
            pay = np.array(layout.nodes.pay[row + 3 * player : row + 3 * player + 3])[:, chosen]
            signed = weight * np.array([sign, 1.0, 1.0])[:, None]
            paid.append((signed.T @ pay).ravel())
        by_board.append((pairs, np.repeat(ways[i, j], ends[0].shape[1]), np.stack(paid, axis=1)))
    pairs_found, chances_found, won = zip(*by_board, strict=True)
    return np.concatenate(pairs_found), np.concatenate(chances_found), np.concatenate(won)
