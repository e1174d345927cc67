"""How strong hands are: the chance to beat a random hand at the end, and what to expect before."""

from __future__ import annotations

import numpy as np

from regretless.abstraction._maps import Deals
from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.forms.public_chances import compatible_ways

DIGITS = 12  # strengths that agree so far are equal: sums in another order differ behind


def outcomes(deals: Deals, player: int) -> tuple[Floats, Floats, Floats]:
    """[lane of the last round] rival hands that lose, tie and win against it."""
    layout = deals.layout
    round = layout.rounds[-1]
    if len(layout.level(player, round).boards[0]) < sum(layout.deck.rules.board):
        raise Unsuitable(f"{layout.game.spec}: hands are compared after cards that are never dealt")
    mine = layout.level(player, round)
    rival = layout.level(player if layout.players > 2 else 1 - player, round)
    relation = layout.relations[player]
    won = np.zeros((3, len(mine.counts)))
    for board in range(len(mine.boards)):
        lanes = mine.lanes(board)
        ways = compatible_ways(mine, rival, board)
        before = np.concatenate([np.zeros((len(ways), 1)), np.cumsum(ways, axis=1)], axis=1)
        rows = np.arange(len(ways))
        below, upto = before[rows, relation.below[lanes]], before[rows, relation.upto[lanes]]
        won[:, lanes] = below, upto - below, before[:, -1] - upto
    loses, ties, wins = (deals.in_order(player, round, row) for row in won)
    return loses, ties, wins


def expected_strengths(deals: Deals, player: int, power: int) -> list[Floats]:
    """[round][lane] the mean of a power of the strength at the end."""
    loses, ties, wins = outcomes(deals, player)
    strength = ((loses + ties / 2) / np.maximum(loses + ties + wins, 1)) ** power
    found = [strength]
    for round in reversed(deals.rounds[1:]):
        above, weights = deals.above(player, round), deals.weights(player, round)
        count = deals.count(player, round - 1)
        total = np.bincount(above, weights * found[0], count)
        found.insert(0, total / np.bincount(above, weights, count))
    return [np.round(values, DIGITS) for values in found]
