"""Restricted games, in which players can use only some sequences (Bošanský et al. 2014, section 4).

A player without an included sequence follows a default strategy: one action at every decision
point. A plan of the restricted game thus extends to a plan of the whole game.

There is a choice for the payoffs of the restricted game where a player has no sequence left. Here
they are the payoffs of the extended plans, so that the restricted game is the whole one with fewer
strategies. `LeafRestrictor` makes the choice of the paper. Both end in an equilibrium."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import GameTree
from regretless.games._state import CHANCE, TERMINAL
from regretless.kernels import restriction as kernels
from regretless.kernels.search import INSIDE, LEAF, cut
from regretless.kernels.treeplex import Plex

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, eq=False)
class Restriction:
    """The restricted game in its own numbering, and its map into the whole game."""

    plex: Plex
    kept: Ints  # the whole game's sequence of every restricted one
    points: Ints  # the whole game's decision point of every restricted one
    extends: Ints  # the restricted sequence whose plan a sequence of the whole game gets
    pairs: Indices  # [entry, player] restricted sequences
    payoffs: Floats  # [entry] of player 1, including chance

    @property
    def sizes(self) -> tuple[int, int]:
        """Sequences of both players."""
        return int(self.plex.roots[1]), int(self.plex.roots[2] - self.plex.roots[1])

    def extended(self, plan: Floats) -> Floats:
        """The plan of the whole game, extended by the default strategy."""
        return np.where(self.extends >= 0, plan[self.extends], 0.0)

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """The payoff of every pair of restricted sequences to player 1."""
        from scipy import sparse

        own = (self.pairs[:, 0], self.pairs[:, 1] - self.plex.roots[1])
        return sparse.csr_matrix((self.payoffs, own), shape=self.sizes)


class Entries(NamedTuple):
    """Pairs of restricted sequences and their payoffs to player 1."""

    pairs: Indices
    payoffs: Floats


class Restrictor:
    """Cuts restricted games out of one explicit form of two players."""

    def __init__(self, whole: SequenceForm, default: Indices) -> None:
        """`default` is the action of the default strategy at every decision point."""
        self.whole, self.default = whole, default
        self.size = int(whole.plex.roots[-1])

    def restricted(self, included: Flags) -> Restriction:
        """The game with these sequences; their ancestors must be included too."""
        whole = self.whole.plex
        plex, kept, points = _sub_plex(whole, included)
        stand_ins = np.empty(self.size, np.int64)
        for player in range(2):
            kernels.stand_ins(whole, player, included, self.default, stand_ins)
        number = np.full(self.size, -1, np.int64)
        number[kept] = np.arange(kept.size)
        extends = np.where(stand_ins >= 0, number[stand_ins], -1)
        return Restriction(plex, kept, points, extends, *self.entries(included, extends))

    def entries(self, included: Flags, extends: Ints) -> Entries:
        """The payoffs of the extended plans, by restricted sequences."""
        return Entries(*kernels.live_entries(self.whole.table, extends))


def _sub_plex(whole: Plex, included: Flags) -> tuple[Plex, Ints, Ints]:
    """The included part of a plex, with the old numbers of its sequences and points.

    A block is split into blocks of lanes with the same number of included actions."""
    kept: list[Ints] = []
    points: list[Ints] = [np.empty(0, np.int64)]
    blocks: list[tuple[int, int, int, int]] = []
    roots, ranges = [0], [0]
    following = at = 0
    for player in range(whole.roots.size - 1):
        kept.append(whole.roots[player : player + 1])
        following += 1
        for block in whole.blocks[whole.ranges[player] : whole.ranges[player + 1]]:
            for grid, places in _by_width(block, included):
                blocks.append((following, len(grid), places.size, at))
                kept.append(grid.ravel())
                points.append(places)
                following += grid.size
                at += places.size
        roots.append(following)
        ranges.append(len(blocks))
    old, old_points = np.concatenate(kept), np.concatenate(points)
    number = np.full(int(whole.roots[-1]), -1, np.int64)
    number[old] = np.arange(old.size)
    plex = Plex(
        roots=np.array(roots, np.int64),
        ranges=np.array(ranges, np.int64),
        blocks=np.array(blocks, np.int64).reshape(-1, 4),
        parents=number[whole.parents[old_points]].astype(np.int32),
    )
    return plex, old, old_points


def _by_width(block: Ints, included: Flags) -> list[tuple[Ints, Ints]]:
    """Included sequences [action, lane] and decision points, by the number of actions left."""
    first, actions, lanes, point = map(int, block)
    inside = included[first : first + actions * lanes].reshape(actions, lanes) != 0
    counts = inside.sum(axis=0)
    groups = []
    for width in np.unique(counts[counts > 0]):
        chosen = np.flatnonzero(counts == width)
        lane, action = np.nonzero(inside[:, chosen].T)
        grid = (first + action * lanes + chosen[lane]).reshape(chosen.size, int(width)).T
        groups.append((grid, point + chosen))
    return groups


class LeafRestrictor(Restrictor):
    """Restricted games with temporary leaves, as in section 4.1 of the paper.

    A node at which the player to move has no sequence left becomes a leaf. Its value is that of the
    player's default strategy against a best response. This best response knows the node and sees
    everything below it: one pass over the tree computes it for all nodes, and the leaf is worth no
    more than the paper's to the player who is stuck there, as the proof of convergence requires."""

    def __init__(self, tree: GameTree, default: Indices) -> None:
        super().__init__(tree.form, default)
        self.tree = tree
        self.players = tree.players
        self.last = tree.last_sequences()
        self.reach = tree.chance_reach()
        self.worth = np.stack([self._stuck(0), -self._stuck(1)], axis=1)

    def entries(self, included: Flags, extends: Ints) -> Entries:
        tree = self.tree
        allowed = np.where(tree.edges < 0, 1, included[tree.edges]).astype(np.uint8)
        alive = np.empty(allowed.size, np.uint8)
        cut(tree.tree.nodes, allowed, alive)
        ends = np.flatnonzero((alive == INSIDE) & (self.players == TERMINAL))
        leaves = np.flatnonzero(alive == LEAF)
        paid = np.concatenate(
            [
                tree.tree.payoffs[tree.tree.nodes[ends, 3], 0],
                self.worth[leaves, self.players[leaves]],
            ]
        )
        nodes = np.concatenate([ends, leaves])
        pairs = extends[self.last[nodes]].astype(np.int32)
        return Entries(pairs, self.reach[nodes] * paid)

    def _stuck(self, player: int) -> Floats:
        """At every node: the value of the player's default strategy against the best response."""
        tree, nodes = self.tree, self.tree.tree.nodes
        value = np.zeros(len(nodes))
        ends = self.players == TERMINAL
        value[ends] = tree.tree.payoffs[nodes[ends, 3], player]
        points = tree.plex_points()
        choices = np.zeros(len(nodes), np.int64)  # chance takes none: 0 stays within its children
        choices[points >= 0] = self.default[points[points >= 0]]
        for level in range(len(tree.levels) - 2, -1, -1):
            here = np.arange(tree.levels[level], tree.levels[level + 1])
            here = here[~ends[here]]
            if not here.size:
                continue
            below = slice(tree.levels[level + 1], tree.levels[level + 2])
            starts = nodes[here, 1] - tree.levels[level + 1]
            expected = np.add.reduceat(value[below] * tree.chance[below], starts)
            worst = np.minimum.reduceat(value[below], starts)
            default = value[nodes[here, 1] + choices[here]]
            who = self.players[here]
            value[here] = np.where(who == CHANCE, expected, np.where(who == player, default, worst))
        return value
