"""Probabilities of the deals of a public tree, lane by lane."""

from __future__ import annotations

from functools import cache
from math import comb, prod

import numpy as np

from regretless.cards.boards import RoundBoards, compatible, expanded
from regretless.core.arrays import Floats, Indices, Ints
from regretless.forms.public_layout import PublicLayout


def lane_chances(layout: PublicLayout) -> tuple[Floats, ...]:
    """[player][lane of the rounds played] chance of one actual deal, times the number of boards
    and hands of the lane, and its weight in the range."""
    chances, boards, weights = deal_chances(layout), board_counts(layout), lane_weights(layout)
    by_player = []
    for player, side in enumerate(layout.sides):
        parts = [
            np.repeat(boards[round], np.diff(side[round].first)) * side[round].counts * chance
            for round, chance in zip(layout.rounds, chances, strict=True)
        ]
        by_player.append(np.concatenate(parts) * weights[player])
    return tuple(by_player)


def board_counts(layout: PublicLayout) -> dict[int, Floats]:
    """[round][board] the number of actual boards it represents."""
    by_round: dict[int, Floats] = {}
    counts = np.ones(1)
    for round in layout.rounds:
        level = layout.sides[0][round]
        known = round < len(layout.root.boards)
        counts = np.ones(1) if known else counts[level.parents] * level.weights
        by_round[round] = counts
    return by_round


def actual_hands(level: RoundBoards, board: int) -> tuple[Indices, Indices]:
    """All actual hands of a board in the order of their lanes, and their lanes."""
    if len(level.stabilisers[board]) == 1:
        hands = level.hands[level.lanes(board)]
        return hands, np.arange(len(hands), dtype=np.int32)
    hands, lane = expanded(level, board)
    order = np.argsort(lane, kind="stable")
    return hands[order], lane[order]


def deal_chances(layout: PublicLayout) -> list[float]:
    """[round] chance of one actual deal of hands and boards, before the weights of hands."""
    rules = layout.deck.rules
    given = len(layout.root.boards)
    left = rules.ranks * rules.suits - sum(rules.board[:given])
    deals = float(_pair_weight(layout)) if layout.deck.weights else float(_deals(layout, left))
    left -= rules.hole * rules.players
    chances = []
    for round in layout.rounds:
        if round >= given:
            deals *= comb(left, rules.board[round])
            left -= rules.board[round]
        chances.append(1 / deals)
    return chances


def lane_weights(layout: PublicLayout) -> tuple[Floats, ...]:
    """[player][lane] weight of the hand in the range; 1 without ranges."""
    by_player = []
    for player, side in enumerate(layout.sides):
        parts = []
        for round in layout.rounds:
            hands = side[round].hands
            if layout.deck.weights:
                parts.append(layout.deck.weights[player][hand_numbers(hands, layout.deck.kinds)])
            else:
                parts.append(np.ones(len(hands)))
        by_player.append(np.concatenate(parts))
    return tuple(by_player)


def compatible_ways(level: RoundBoards, rival: RoundBoards, board: int) -> Ints:
    """[lane, rival lane] actual rival hands that share no card with the representative."""
    if level is rival:
        return compatible(level, board)
    mine, theirs = level.hands[level.lanes(board)], rival.hands[rival.lanes(board)]
    counts = rival.counts[rival.lanes(board)]
    if mine.shape[1] == 1:
        ways: Ints = counts - (mine == theirs.T).astype(np.int64)
        return ways
    hands, lanes = expanded(rival, board)
    marks = np.zeros((len(hands), level.permutations.shape[1]))
    np.put_along_axis(marks, hands.astype(np.int64), 1.0, axis=1)
    ways_by_lane = np.zeros((len(mine), len(theirs)), dtype=np.int64)
    for row, hand in enumerate(mine):
        free = marks[:, hand].sum(axis=1) == 0
        ways_by_lane[row] = np.bincount(lanes[free], minlength=len(theirs))
    return ways_by_lane


def _deals(layout: PublicLayout, left: int) -> int:
    rules = layout.deck.rules
    return prod(comb(left - rules.hole * q, rules.hole) for q in range(rules.players))


def _pair_weight(layout: PublicLayout) -> float:
    """Sum of the weights of all pairs of hands that can be dealt at the root.

    Without a given board it is summed over the boards of the first round, each of which
    leaves the same hands to compatible deals."""
    weights, round = lane_weights(layout), layout.first
    mine, theirs = (side[round] for side in layout.sides)
    boards = board_counts(layout)[round]
    total = 0.0
    for board in range(len(mine.boards)):
        lanes, others = mine.lanes(board), theirs.lanes(board)
        ways = compatible_ways(mine, theirs, board)
        here = weights[0][lanes] * mine.counts[lanes] * boards[board]
        total += float(here @ ways @ weights[1][others])
    if layout.root.boards:
        return total
    rules = layout.deck.rules
    left = rules.ranks * rules.suits - rules.hole * rules.players
    return total / comb(left, rules.board[round])


def hand_numbers(hands: Indices, kinds: int) -> Ints:
    """The position of every hand in lexicographic order."""
    hole, table = hands.shape[1], _binomials(kinds, hands.shape[1])
    number = np.zeros(len(hands), dtype=np.int64)
    for place in range(hole):
        number += table[kinds - 1 - hands[:, place], hole - place]
    numbers: Ints = comb(kinds, hole) - 1 - number
    return numbers


@cache
def _binomials(most: int, least: int) -> Ints:
    """[n, k] the number of ways to choose k of n."""
    return np.array([[comb(n, k) for k in range(least + 1)] for n in range(most + 1)])
