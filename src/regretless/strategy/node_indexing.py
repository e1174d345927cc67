"""What is stored with a solution, so that it can be browsed: the index of decisions of its public
tree, built from the layout, and what sequences before the river earn."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import lane_chances
from regretless.forms.public_layout import PublicLayout
from regretless.games._betting_tree import Kind
from regretless.strategy.node_index import FULL_BOARD, NodeIndex, hand_numbers


def index_of(layout: PublicLayout) -> NodeIndex:
    """The index of a layout with two players and two hole cards each."""
    rules = layout.deck.rules
    if rules.players != 2 or rules.hole != 2 or layout.deck.copies > 1:
        raise Unsuitable("an index of decisions needs two players with two cards each")
    histories, nodes = _nodes(layout)
    shown = tuple(sum(rules.board[: round + 1]) for round in layout.rounds)
    sides = [[side[round] for round in layout.rounds] for side in layout.sides]
    counts = [np.concatenate([np.diff(level.first) for level in side]) for side in sides]
    numbers = [np.concatenate([level.hands for level in side]) for side in sides]
    early = [
        sum(len(level.counts) for level, n in zip(side, shown, strict=True) if n < FULL_BOARD)
        for side in sides
    ]
    chances = [one[:end] for one, end in zip(lane_chances(layout), early, strict=True)]
    return NodeIndex(
        first=layout.first,
        shown=shown,
        histories=histories,
        nodes=nodes,
        permutations=layout.sides[0][0].permutations,
        boards=tuple(
            np.array(level.boards, dtype=np.int64).reshape(len(level.boards), n)
            for level, n in zip(sides[0], shown, strict=True)
        ),
        lanes=(_ends(counts[0]), _ends(counts[1])),
        hands=(hand_numbers(numbers[0]), hand_numbers(numbers[1])),
        items=_items(layout),
        chances=(chances[0], chances[1]),
    )


def _ends(counts: Ints) -> Ints:
    ends: Ints = np.concatenate([[0], np.cumsum(counts)])
    return ends


def _nodes(layout: PublicLayout) -> tuple[tuple[str, ...], Ints]:
    histories, rows = [], []
    for number, stage in enumerate(layout.stages):
        position = number - int(layout.nodes.firsts[stage.round - layout.first])
        first = int(layout.nodes.stage_table[number].first)
        for n, node in enumerate(stage.nodes):
            if node.kind is not Kind.DECISION:
                continue
            row = int(layout.nodes.table[first + n].row)
            for prefix, betting in enumerate(node.bettings):
                histories.append(betting.history)
                place = [stage.round, position, prefix, stage.prefixes]
                rows.append([*place, row, node.player, len(node.children)])
    return tuple(histories), np.array(rows, dtype=np.int64).reshape(-1, 7)


def _items(layout: PublicLayout) -> tuple[Ints, ...]:
    bases = []
    for number, sites in enumerate(layout.round_sites):
        here = slice(int(layout.nodes.firsts[number]), int(layout.nodes.firsts[number + 1]))
        decides = [
            any(node.kind is Kind.DECISION for node in stage.nodes) for stage in layout.stages[here]
        ]
        # Stages without a decision keep their position; those at the end need none.
        used = max((n + 1 for n, one in enumerate(decides) if one), default=0)
        firsts = layout.sites[sites.start : sites.stop].first_item
        items = firsts[:, None] + np.arange(used)
        bases.append(layout.item_sides[items, :].first - layout.roots[:2])
    return tuple(bases)


def early_values(
    form: PublicForm, behaviour: np.ndarray, index: NodeIndex
) -> tuple[Floats, Floats]:
    """[player][sequence before the river] what it earns, chance included."""
    roots = form.layout.roots.tolist()
    by_player = []
    for player, end in enumerate(index.early):
        values = form.action_values(player, behaviour, early=end >= 0)
        stop = roots[player] + end if end >= 0 else roots[player + 1]
        by_player.append(values[roots[player] : stop].copy())
    return by_player[0], by_player[1]
