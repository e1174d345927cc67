"""Showdowns before the last board: results over all boards to come, as matrices.

A matrix is computed once, from the last round to the first: the pairs of lanes of a board are
the combined pairs of lanes of the boards that continue it. It replaces a walk over all run-outs
in every iteration. Before the flop of hold'em it is taken from the table of all
pairs of hands instead."""

from __future__ import annotations

from math import comb

import numpy as np

from regretless.cards.equities import preflop_results
from regretless.core.arrays import Floats, Ints
from regretless.forms.public_chances import (
    actual_hands,
    board_counts,
    deal_chances,
    hand_numbers,
    lane_weights,
)
from regretless.forms.public_layout import PublicLayout
from regretless.games._betting_tree import Kind, tabled
from regretless.kernels.runouts import Shown, add_showdowns, gather


def runout_tables(layout: PublicLayout, *, uneven: bool) -> tuple[Ints, Floats, Floats]:
    """[player, board] first entry, and for every [rival lane, own lane] wins minus losses, and
    ties, weighted by their probabilities."""
    boards = sum(len(layout.sides[0][round].boards) for round in layout.rounds)
    places = np.full((layout.players, boards + 1), -1, dtype=np.int64)
    if not any(n.kind is Kind.RUNOUT for stage in layout.stages for n in stage.nodes):
        return places, np.empty(0), np.empty(0)
    won, tied = _matrices(layout, uneven)
    parts: dict[int, list[Floats]] = {0: [], 1: []}
    end = 0
    weights = lane_weights(layout)
    for player in range(2):
        number = lane = 0
        for round in layout.rounds:
            level = layout.sides[player][round]
            for board in range(len(level.boards)):
                lanes = level.lanes(board)
                if round in won:
                    own = weights[player][lane + lanes.start : lane + lanes.stop, None]
                    sign = 1.0 if player == 0 else -1.0
                    one, tie = won[round][board], tied[round][board] if uneven else None
                    if player:
                        one, tie = one.T, None if tie is None else tie.T
                    places[player, number] = end
                    parts[0].append((sign * own * one).T.ravel())
                    if tie is not None:
                        parts[1].append((own * tie).T.ravel())
                    end += one.size
                number += 1
            lane += len(level.counts)
    return (
        places,
        np.concatenate(parts[0]),
        np.concatenate(parts[1]) if uneven else np.empty(0),
    )


def _matrices(
    layout: PublicLayout, uneven: bool
) -> tuple[dict[int, list[Floats]], dict[int, list[Floats]]]:
    """[round][board] of the first player's lanes against the second's, before the last round."""
    rules = layout.deck.rules
    rounds = {s.round for s in layout.stages for n in s.nodes if n.kind is Kind.RUNOUT}
    short = {round: _from_table(layout, round) for round in rounds if tabled(rules, round)}
    won, tied = _summed(layout, min(rounds - set(short), default=rules.rounds), uneven)
    return (
        won | {round: [both[0]] for round, both in short.items()},
        tied | {round: [both[1]] for round, both in short.items()},
    )


def _from_table(layout: PublicLayout, round: int) -> tuple[Floats, Floats]:
    """The same if the only board is the empty one."""
    mine, theirs = (side[round] for side in layout.sides)
    table = preflop_results()
    rows = hand_numbers(mine.hands, layout.deck.kinds)
    hands, lane = actual_hands(theirs, 0)
    chosen = np.ix_(rows, hand_numbers(hands, layout.deck.kinds))
    begin = np.searchsorted(lane, np.arange(len(theirs.counts)))
    scale: Floats = deal_chances(layout)[0] * mine.counts[:, None].astype(np.float64)
    won: Floats = scale * np.add.reduceat(table.net[chosen], begin, axis=1)
    tied: Floats = scale * np.add.reduceat(table.ties[chosen], begin, axis=1)
    return won, tied


def _summed(
    layout: PublicLayout, needed: int, uneven: bool
) -> tuple[dict[int, list[Floats]], dict[int, list[Floats]]]:
    """The same for the rounds from `needed` on, over their boards."""
    last = len(layout.sides[0]) - 1
    one, two = layout.sides
    won: dict[int, list[Floats]] = {}
    tied: dict[int, list[Floats]] = {}
    for round in range(last - 1, needed - 1, -1):
        shape = list(zip(np.diff(one[round].first), np.diff(two[round].first), strict=True))
        won[round] = [np.zeros(size) for size in shape]
        tied[round] = [np.zeros(size if uneven else (0, 0)) for size in shape]
        following, other = one[round + 1], two[round + 1]
        for board, parent in enumerate(following.parents.tolist()):
            lanes, theirs = following.lanes(board), other.lanes(board)
            above, across = following.above[lanes], other.above[theirs]
            weight = float(following.weights[board])
            if round == last - 1:
                hands, lane = actual_hands(other, board)
                mine = Shown(
                    following.hands[lanes],
                    (following.counts[lanes] * weight).astype(np.float64),
                    layout.relations[0].below[lanes],
                    layout.relations[0].upto[lanes],
                    above,
                )
                add_showdowns(mine, hands, lane, across, won[round][parent], tied[round][parent])
            else:
                gather(won[round + 1][board], above, across, weight, won[round][parent])
                if uneven:
                    gather(tied[round + 1][board], above, across, weight, tied[round][parent])
    return _weighted(layout, won), _weighted(layout, tied)


def _weighted(layout: PublicLayout, found: dict[int, list[Floats]]) -> dict[int, list[Floats]]:
    """Multiply by the chance of one actual deal and the number of boards represented."""
    rules = layout.deck.rules
    chance = deal_chances(layout)[0]
    left = rules.ranks * rules.suits - sum(rules.board[: layout.first + 1]) - 2 * rules.hole
    for count in rules.board[layout.first + 1 :]:
        chance /= comb(left, count)
        left -= count
    boards = board_counts(layout)
    return {
        round: [chance * times * matrix for times, matrix in zip(boards[round], rows, strict=True)]
        for round, rows in found.items()
        if round in boards  # later rounds are only run out, never played
    }
