"""GameShrink (Gilpin & Sandholm 2007; lossy as in GS1, 2006) on the signal tree of poker.

A node of the signal tree is a hand with the board so far, as one player sees them. Leaves are
isomorphic if they beat, tie and lose to the same numbers of rival hands: then every line of betting
pays the same on average. Siblings are isomorphic if their children can be matched one to one
with isomorphic ones; since that is an equivalence, it is enough to compare how many children of
every class there are. Isomorphic siblings are merged from the top down. Rhode Island hold'em has
13, 205 and 1,774 classes, which are those of the published program of 1,237,238 rows.

With `threshold` siblings are merged if the best matching has at most this mean penalty, where the
penalty of two leaves is the share of rival hands against which they end differently.

The theorem needs public actions and one order of hands for all players, which is checked. It
compares only a node's own outcomes: merged hands can still face different classes of rival hands,
whose strategies reveal more than that. Whether the result is lossless is reported as `lossless`;
`regretless abstract GAME --by lossless` merges only hands that lose nothing."""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np

from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction._strength import outcomes
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable, within
from regretless.forms.form import Form


def make(form: Form, *, threshold: float = 0.0) -> tuple[CardMap, ...]:
    """`threshold` 0 merges only isomorphic hands."""
    within("threshold", threshold, 0, 1)
    deals = Deals(form)
    check_ordered(deals)
    return tuple(_classes(SignalTree(deals, p), p, threshold) for p in range(form.players))


def check_ordered(deals: Deals) -> None:
    """Raise unless cards are dealt to all players alike and nobody's play is fixed.

    In all our poker games betting is public and hands have a single order of strength."""
    layout = deals.layout
    if layout.deck.weights or layout.locks:
        what = "ranges" if layout.deck.weights else "locks"
        raise Unsuitable(
            f"gameshrink: {layout.game.spec} has {what}: its signals are not symmetric"
        )


class SignalTree:
    """Hands on boards of a player as a tree, every node with the number of its class.

    Numbers count within a round; classes of equal number are isomorphic, siblings or not."""

    def __init__(self, deals: Deals, player: int) -> None:
        self.deals, self.player = deals, player
        self.rounds = list(deals.rounds)
        leaves, last = np.unique(np.stack(outcomes(deals, player)), axis=1, return_inverse=True)
        self.leaves: Floats = leaves.T / np.maximum(leaves.sum(axis=0), 1)[:, None]
        self.kinds: list[Ints] = [last.ravel()]  # [round][lane]
        self.children: list[list[tuple[tuple[int, int], ...]]] = []  # [round][kind] kinds, counts
        for round in reversed(self.rounds[1:]):
            kinds, children = self._above(round, self.kinds[0])
            self.kinds.insert(0, kinds)
            self.children.insert(0, children)
        self.distance = cache(self._distance)

    def _above(self, round: int, kinds: Ints) -> tuple[Ints, list[tuple[tuple[int, int], ...]]]:
        """Kinds of the previous round's nodes, by how many children of every kind they have."""
        above = self.deals.above(self.player, round)
        parents = self.deals.weights(self.player, round - 1)
        ways = np.rint(self.deals.weights(self.player, round) / parents[above]).astype(np.int64)
        pairs, place = np.unique(np.stack([above, kinds]), axis=1, return_inverse=True)
        counts = np.bincount(place.ravel(), ways).astype(np.int64)
        edges = np.searchsorted(pairs[0], np.arange(parents.size + 1))
        known: dict[tuple[tuple[int, int], ...], int] = {}
        numbers = np.zeros(parents.size, dtype=np.int64)
        for node in range(parents.size):
            here = slice(edges[node], edges[node + 1])
            children = tuple(zip(pairs[1, here].tolist(), counts[here].tolist(), strict=True))
            numbers[node] = known.setdefault(children, len(known))
        return numbers, list(known)

    def _distance(self, level: int, one: int, two: int) -> float:
        """Mean penalty of the best matching between the children of two kinds."""
        from scipy.optimize import linear_sum_assignment

        if one == two:
            return 0.0
        if level == len(self.children):
            return float(np.abs(self.leaves[one] - self.leaves[two]).sum() / 2)
        mine, theirs = self.children[level][one], self.children[level][two]
        costs = np.array(
            [[self.distance(level + 1, *sorted((a, b))) for b, _ in theirs] for a, _ in mine]
        )
        rows, columns = ([count for _, count in side] for side in (mine, theirs))
        if sum(rows) != sum(columns):
            return 1.0  # not siblings: there is no matching
        every = np.repeat(np.repeat(costs, rows, axis=0), columns, axis=1)
        return float(every[linear_sum_assignment(every)].mean())

    @cached_property
    def means(self) -> list[Floats]:
        """[round][kind] mean shares of rival hands that are beaten, tied and lost to."""
        by_round = [self.leaves]
        for children in reversed(self.children):
            below = by_round[0]
            rows = [
                np.average(below[[k for k, _ in one]], axis=0, weights=[n for _, n in one])
                for one in children
            ]
            by_round.insert(0, np.array(rows))
        return by_round

    def is_near(self, level: int, one: int, two: int, threshold: float) -> bool:
        """Whether the mean penalty is at most this; the means give a lower bound."""
        least = np.abs(self.means[level][one] - self.means[level][two]).sum() / 2
        return bool(least <= threshold and self.distance(level, one, two) <= threshold)


def _classes(tree: SignalTree, player: int, threshold: float) -> CardMap:
    """From the top down: siblings are nodes whose parents were merged."""
    deals = tree.deals
    cells: list[Ints] = []
    for level, round in enumerate(tree.rounds):
        kinds = tree.kinds[level]
        before = cells[-1][deals.above(player, round)] if cells else np.zeros_like(kinds)
        pairs, places = np.unique(np.stack([before, kinds]), axis=1, return_inverse=True)
        cells.append(_merged(tree, level, pairs, threshold)[places.ravel()])
    keys: list[list[object]] = [rows.tolist() for rows in cells]
    return deals.map_of(player, keys)


def _merged(tree: SignalTree, level: int, pairs: Ints, threshold: float) -> Ints:
    """[sibling] its class: siblings that are close enough are merged greedily."""
    leader = np.arange(pairs.shape[1])
    if threshold == 0:
        return leader

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = int(leader[node])
        return node

    for one in range(pairs.shape[1]):
        for two in range(one + 1, pairs.shape[1]):
            if pairs[0, two] != pairs[0, one]:
                break  # sorted by parent: no more siblings
            small, large = sorted((int(pairs[1, one]), int(pairs[1, two])))
            if find(one) != find(two) and tree.is_near(level, small, large, threshold):
                leader[find(two)] = find(one)
    return np.array([find(node) for node in range(leader.size)])
