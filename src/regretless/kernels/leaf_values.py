"""Leaves at the end of a round, with given values as matrices of hands against hands."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean
from regretless.kernels.public_arrays import LEAF, Public, Work


class LeafValues(NamedTuple):
    """The values of the leaves."""

    starts: Ints  # [player, site] first entry of `values`
    values: Floats  # [leaf, board, prefix, own lane, rival lane]


@lean
def evaluate_leaves(
    leaves: LeafValues, tree: Public, site: int, player: int, work: Work, factor: float
) -> None:
    """One matrix per line of betting and board."""
    rival, hands = 1 - player, tree.site_sides[site, player].hands
    theirs, round = tree.site_sides[site, rival].hands, tree.sites[site].round_number
    start = leaves.starts[player, site]
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site].first_item + stage - tree.firsts[round]
        W = tree.items[item].width
        for n in range(tree.stages[stage].first, tree.stages[stage].end):
            if tree.nodes[n].kind != LEAF:
                continue
            at = tree.items[item].at_value + tree.nodes[n].value * hands * W
            reach = tree.item_sides[item, rival].at_reach + tree.slots[rival, n] * theirs * W
            stride, across = (1, theirs) if tree.inside else (W, 1)
            for w in range(W):
                for h in range(hands):
                    total = work.value.dtype.type(0)
                    for other in range(theirs):
                        total += (
                            leaves.values[start + h * theirs + other]
                            * work.reach[reach + other * stride + w * across]
                        )
                    to = h + w * hands if tree.inside else h * W + w
                    work.value[at + to] = factor * total
                start += hands * theirs
