"""Leaves at the end of a round, with given values as matrices of hands against hands."""

from __future__ import annotations

from typing import Any, NamedTuple

from numba.extending import overload

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean
from regretless.kernels.public_arrays import (
    AT_REACH,
    AT_VALUE,
    END,
    FIRST,
    HANDS,
    ITEM,
    KIND,
    LEAF,
    ROUND,
    VALUE,
    WIDTH,
    Public,
    Work,
)


class NoLeaves(NamedTuple):
    """A tree without leaves."""

    none: int


class LeafValues(NamedTuple):
    """The values of the leaves."""

    starts: Ints  # [player, site] first entry of `values`
    values: Floats  # [leaf, board, prefix, own lane, rival lane]


def evaluate_leaves(
    leaves: Any, tree: Any, site: int, player: int, work: Any, factor: float
) -> None:
    """work.value at every leaf of the site."""
    if isinstance(leaves, LeafValues):
        _evaluate(leaves, tree, site, player, work, factor)


@overload(evaluate_leaves, strict=False)
def _overloaded(leaves: Any, tree: Any, site: Any, player: Any, work: Any, factor: Any) -> Any:
    if leaves.instance_class is NoLeaves:
        return lambda leaves, tree, site, player, work, factor: None
    return lambda leaves, tree, site, player, work, factor: _evaluate(
        leaves, tree, site, player, work, factor
    )


@lean
def _evaluate(
    leaves: LeafValues, tree: Public, site: int, player: int, work: Work, factor: float
) -> None:
    """One matrix per line of betting and board."""
    rival, hands = 1 - player, tree.site_sides[site, player, HANDS]
    theirs, round = tree.site_sides[site, rival, HANDS], tree.sites[site, ROUND]
    start = leaves.starts[player, site]
    for stage in range(tree.firsts[round], tree.firsts[round + 1]):
        item = tree.sites[site, ITEM] + stage - tree.firsts[round]
        W = tree.items[item, WIDTH]
        for n in range(tree.stages[stage, FIRST], tree.stages[stage, END]):
            if tree.nodes[n, KIND] != LEAF:
                continue
            at = tree.items[item, AT_VALUE] + tree.nodes[n, VALUE] * hands * W
            reach = tree.item_sides[item, rival, AT_REACH] + tree.slots[rival, n] * theirs * W
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
