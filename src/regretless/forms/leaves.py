"""Leaves with given values: a public tree that ends with a round.

The value of a leaf is a matrix per player: the values of its hands against the rival's hands.
A vector would not do: the value of a hand depends on the range of the other player, which
changes during solving."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.forms.public_layout import PublicLayout
from regretless.games._betting_tree import Kind, Stage


@dataclass(frozen=True, eq=False)
class Leaves:
    """The values at the end of a round.

    `values[player]` has a matrix [own lane, rival lane] for every leaf, ordered by site of the
    round, and within a site by stage, node, board and prefix."""

    after: int  # the last round played, as the rules count rounds
    values: tuple[Floats, ...]  # [player] flat, including chance


def leaf_tables(layout: PublicLayout, leaves: Leaves | None) -> tuple[Ints, Floats]:
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


def leaf_entries(layout: PublicLayout, site: int) -> int:
    """The number of entries of all leaf matrices of a site, for one player."""
    hands = layout.site_sides[site].hands
    leaves = sum(
        stage.prefixes * sum(node.kind is Kind.LEAF for node in stage.nodes)
        for stage in layout.stages
        if stage.round == layout.rounds[-1]
    )
    return int(leaves * layout.sites[site].boards * hands[0] * hands[1])


def arranged(layout: PublicLayout, found: dict[tuple[int, str], tuple[Floats, Floats]]) -> Leaves:
    """Leaves of a tree that ends with its last round, from matrices by board and betting."""
    after = layout.rounds[-1]
    parts: tuple[list[Floats], ...] = ([], [])
    for site in layout.round_sites[-1]:
        first, boards = int(layout.sites[site].board), int(layout.sites[site].boards)
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
