"""Hand strength: the chance of beating a random hand at the end, and its expectation before."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._maps import Deals
from regretless.core.arrays import Floats, Indices
from regretless.core.errors import Unsuitable
from regretless.forms.public_chances import compatible_ways

DIGITS = 12  # strengths equal to this many digits are equal: the rest is summation order


def outcomes(deals: Deals, player: int) -> tuple[Floats, Floats, Floats]:
    """[lane of the last round] rival hands that lose, tie and win against it."""
    loses, ties, wins = _outcomes(deals, player, None, 1)[0]
    return loses, ties, wins


def opponent_strengths(deals: Deals, player: int, clusters: Indices) -> Floats:
    """[lane of the last round, cluster] strength against the rival hands of each cluster, which
    is given for the rival's hands of the first round; 1/2 if there are none."""
    rival = _rival(deals, player)
    start = np.arange(deals.count(rival, deals.rounds[0]))
    for round in deals.rounds[1:]:
        start = start[deals.above(rival, round)]
    groups = clusters[start][deals.layout.order[rival]]  # in the order of the layout
    count = int(clusters.max()) + 1
    by_cluster = []
    for loses, ties, wins in _outcomes(deals, player, groups, count):
        total = loses + ties + wins
        by_cluster.append(np.where(total > 0, (loses + ties / 2) / np.maximum(total, 1), 0.5))
    return np.round(np.stack(by_cluster, axis=1), DIGITS)


def _rival(deals: Deals, player: int) -> int:
    return player if deals.layout.players > 2 else 1 - player


def _outcomes(
    deals: Deals, player: int, groups: Indices | None, count: int
) -> list[tuple[Floats, Floats, Floats]]:
    """[group of rival lanes][lane] rival hands that lose, tie and win against it."""
    layout = deals.layout
    round = layout.rounds[-1]
    if len(layout.level(player, round).boards[0]) < sum(layout.deck.rules.board):
        raise Unsuitable(f"{layout.game.spec}: showdowns come after cards that are never dealt")
    mine = layout.level(player, round)
    rival = layout.level(_rival(deals, player), round)
    relation = layout.relations[player]
    won = np.zeros((count, 3, len(mine.counts)))
    for board in range(len(mine.boards)):
        lanes = mine.lanes(board)
        every = compatible_ways(mine, rival, board)
        for group in range(count):
            ways = every if groups is None else every * (groups[rival.lanes(board)] == group)
            before = np.concatenate([np.zeros((len(ways), 1)), np.cumsum(ways, axis=1)], axis=1)
            rows = np.arange(len(ways))
            below, upto = before[rows, relation.below[lanes]], before[rows, relation.upto[lanes]]
            won[group][:, lanes] = below, upto - below, before[:, -1] - upto
    return [
        (
            deals.in_order(player, round, one[0]),
            deals.in_order(player, round, one[1]),
            deals.in_order(player, round, one[2]),
        )
        for one in won
    ]


def expected_strengths(deals: Deals, player: int, power: int) -> list[Floats]:
    """[round][lane] the mean of a power of the strength at the end."""
    loses, ties, wins = outcomes(deals, player)
    strength = ((loses + ties / 2) / np.maximum(loses + ties + wins, 1)) ** power
    means = [strength]
    for round in reversed(deals.rounds[1:]):
        above, weights = deals.above(player, round), deals.weights(player, round)
        count = deals.count(player, round - 1)
        total = np.bincount(above, weights * means[0], count)
        means.insert(0, total / np.bincount(above, weights, count))
    return [np.round(values, DIGITS) for values in means]
