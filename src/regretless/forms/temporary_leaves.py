"""Restricted games with temporary leaves, as Bošanský et al. 2014 define them (section 4.1).

A node at which the player to move has no sequence left becomes a leaf. Its value is that of the
player's default strategy against a best response. This best response knows the node and sees
everything below it: computing it takes one pass over the tree for all nodes, and the leaf is worth
no more than the paper's to the player who is stuck there, as the proof of convergence requires."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.forms.restriction import Entries, Restrictor
from regretless.forms.tree import GameTree
from regretless.games._state import CHANCE, TERMINAL
from regretless.kernels.search import INSIDE, LEAF, cut


class LeafRestrictor(Restrictor):
    """Builds restricted games with temporary leaves from a game tree."""

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
