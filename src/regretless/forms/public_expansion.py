"""A public form written out as a sequence form, without walking states."""

from __future__ import annotations

import numpy as np

from regretless.cards.boards import compatible
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.public_tree import Layout
from regretless.forms.public_typed import chances
from regretless.forms.sequence import SequenceForm, table
from regretless.forms.stages import Kind
from regretless.forms.treeplex import Treeplex


def expand(layout: Layout, spec: str) -> SequenceForm:
    """All terminals of a two-player public tree, as rows of (sequences, chance, payoffs)."""
    if layout.players != 2:
        raise Unsuitable("a public form of two players can be written out: this one has more")
    entering = [layout.entering(player) for player in range(2)]
    scale = chances(layout)
    sequences, chance, payoffs = [], [], []
    for item in range(len(layout.items)):
        for n, node in enumerate(layout.stages[int(layout.items[item, 0])].nodes):
            if node.kind in (Kind.FOLD, Kind.SHOWDOWN):
                last = [layout.last(player, item, n, entering[player][item]) for player in (0, 1)]
                rows = _terminal(layout, item, n, last, scale)
                sequences.append(rows[0])
                chance.append(rows[1])
                payoffs.append(rows[2])
    found = np.concatenate(sequences).astype(np.int32)
    probability = np.concatenate(chance)
    won = np.concatenate(payoffs)
    both = np.stack([won, -won], axis=1)
    return SequenceForm(
        spec=spec,
        players=2,
        zero_sum=True,
        treeplexes=tuple(
            Treeplex.of_points(layout.points(player), layout.sizes.sequences[player])
            for player in range(2)
        ),
        plex=layout.plex(),
        nodes=layout.sizes.nodes,
        sequences=found,
        chance=probability,
        payoffs=both,
        table=table(found, probability[:, None] * both),
    )


def _terminal(
    layout: Layout, item: int, n: int, last: list[Ints], scale: Floats
) -> tuple[Ints, Floats, Floats]:
    """Sequences, chance and payoff of player 1, for all pairs of hands and all prefixes."""
    stage = layout.stages[int(layout.items[item, 0])]
    node, level = stage.nodes[n], layout.levels[stage.round]
    hands, boards, prefixes = layout.shape(item)
    number = int(layout.stage_table[layout.items[item, 0], 1]) + n
    pay = layout.pay[layout.node_table[number, 6], :prefixes]
    rows = [lanes.reshape(hands, boards, prefixes) for lanes in last]
    found: list[tuple[Ints, Floats, Floats]] = []
    for place in range(boards):
        board = int(layout.items[item, 7]) + place
        lane = int(layout.items[item, 2]) + place * hands
        ways = compatible(level, board) * scale[lane : lane + hands, None]
        one, two = np.nonzero(ways)
        sign = np.full(one.size, 1.0 if node.player == 0 else -1.0)
        if node.kind is Kind.SHOWDOWN:
            ties = layout.ties[level.lanes(board)]
            sign = np.sign(ties[one] - ties[two]).astype(float)
        pairs = np.stack([rows[0][one, place], rows[1][two, place]], axis=-1).reshape(-1, 2)
        chance = np.repeat(ways[one, two], prefixes)
        found.append((pairs, chance, (sign[:, None] * pay).ravel()))
    pairs_found, chances_found, won = zip(*found, strict=True)
    return np.concatenate(pairs_found), np.concatenate(chances_found), np.concatenate(won)
