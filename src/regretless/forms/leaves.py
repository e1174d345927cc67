"""Leaves with given values: a public tree that ends with a round.

What follows a leaf is a matrix: what the first player's hands earn against the second's,
and the other way round. A vector would not do: what a hand is worth depends on the hands
that the other player brings, and those change while a strategy is found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.forms.public_layout import Layout
from regretless.forms.stages import Kind, Stage
from regretless.kernels.public_arrays import BOARD, BOARDS, HANDS


@dataclass(frozen=True, eq=False)
class Leaves:
    """The values of what follows a round.

    `values[player]` has a matrix [own lane, rival lane] for every leaf, in the order of the
    sites of the round, and within a site stage, node, board and prefix."""

    after: int  # the last round that is played, as the rules count rounds
    values: tuple[Floats, ...]  # [player] flat; chances included


def leaf_tables(layout: Layout, leaves: Leaves | None) -> tuple[Ints, Floats]:
    """[player, site] first entry, and all values."""
    starts = np.zeros((layout.players, len(layout.sites)), dtype=np.int64)
    if leaves is None:
        return starts, np.empty(0)
    end = 0
    for player in range(layout.players):
        for site in layout.round_sites[-1]:
            starts[player, site] = end
            end += leaf_entries(layout, site)
    return starts, np.concatenate(leaves.values)


def leaf_entries(layout: Layout, site: int) -> int:
    """Numbers of all leaf matrices of a site, for one player."""
    hands = layout.site_sides[site, :, HANDS]
    leaves = sum(
        stage.prefixes * sum(node.kind is Kind.LEAF for node in stage.nodes)
        for stage in layout.stages
        if stage.round == layout.rounds[-1]
    )
    return int(leaves * layout.sites[site, BOARDS] * hands[0] * hands[1])


def arranged(layout: Layout, found: dict[tuple[int, str], tuple[Floats, Floats]]) -> Leaves:
    """Leaves of a tree that ends with its last round, out of matrices by board and betting."""
    after = layout.rounds[-1]
    parts: tuple[list[Floats], ...] = ([], [])
    for site in layout.round_sites[-1]:
        first, boards = layout.sites[site, [BOARD, BOARDS]].tolist()
        for betting in _leaf_bettings([s for s in layout.stages if s.round == after]):
            for board in range(first, first + boards):
                for history in betting:
                    for player, part in enumerate(parts):
                        part.append(found[board, history][player].ravel())
    return Leaves(after, tuple(np.concatenate(part) for part in parts))


def _leaf_bettings(stages: list[Stage]) -> list[list[str]]:
    """[leaf][prefix] histories of betting."""
    return [
        [betting.history for betting in node.bettings]
        for stage in stages
        for node in stage.nodes
        if node.kind is Kind.LEAF
    ]
