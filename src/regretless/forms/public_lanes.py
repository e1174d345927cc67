"""The lanes of a public tree: the hands of every player on every board, and how they compare."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from regretless.cards.boards import RoundBoards, levels
from regretless.cards.boards import sizes as board_sizes
from regretless.cards.ranking import Strength
from regretless.core.arrays import Indices, Ints
from regretless.games._betting import Ranking
from regretless.games._locked import HandLock
from regretless.games._poker import Deck, PokerState, count_deals

Sides = tuple[tuple[RoundBoards, ...], ...]  # [player][round]


class Relation(NamedTuple):
    """A player's lanes among the rival's lanes of the same board."""

    same: tuple[Indices, ...]  # [round][lane] rival lane of the same hand, or -1
    below: Indices  # [lane of the last level] rival lanes that are weaker
    upto: Indices  # and those that are not stronger


class Lanes(NamedTuple):
    """Lanes whose last level is sorted from weak to strong."""

    sides: Sides
    order: tuple[Indices, ...]  # [player] lanes of the last level before sorting
    relations: tuple[Relation, ...]  # [player] to the rival's lanes

    def alike(self, rounds: range) -> list[list[bytes]]:
        """[round][board] equal for boards with the same number of hands that compare alike."""
        keys_by_round = []
        for round in rounds:
            keys = []
            for board in range(len(self.sides[0][round].boards)):
                key: list[bytes] = []
                for side, relation in zip(self.sides, self.relations, strict=True):
                    lanes = side[round].lanes(board)
                    key.append(relation.same[round][lanes].tobytes())
                    if round == len(side) - 1:
                        key.append(relation.below[lanes].tobytes() + relation.upto[lanes].tobytes())
                keys.append(b"|".join(key))
            keys_by_round.append(keys)
        return keys_by_round


def hands_by_round(deck: Deck) -> tuple[int, ...]:
    """Hands on boards of every round, up to renaming of suits, counted without listing them."""
    rules = deck.rules
    if deck.copies > 1 and rules.hole == 1:
        full = (0,) * deck.copies + (deck.kinds,)
        return tuple(
            count_deals(full, (rules.hole, *rules.board[: r + 1])) for r in range(rules.rounds)
        )
    sizes = board_sizes(ranks=rules.ranks, suits=rules.suits, hole=rules.hole, board=rules.board)
    return tuple(size.lanes for size in sizes)


def sides_of(
    deck: Deck,
    root: PokerState,
    isomorphic: bool,
    locks: tuple[HandLock, ...],
    dealt: tuple[int, ...],
) -> Sides:
    """The boards, and for every player the hands that its range allows; shared if equal."""
    rules = deck.rules
    copies = deck.copies if rules.hole == 1 else 1
    weights = deck.weights
    fixed = [*weights, *(column for lock in locks for column in lock.play.T)]
    if any(any(lock.board) for lock in locks):
        isomorphic = False  # suits of a named board are distinct
    made: dict[bytes, tuple[RoundBoards, ...]] = {}
    sides = []
    for player in range(rules.players):
        allowed = None
        if weights:
            allowed = (weights[player] > 0).astype(np.uint8)
        key = weights[player].tobytes() if weights else b""
        if key not in made:
            made[key] = levels(
                ranks=deck.kinds if copies > 1 else rules.ranks,
                suits=rules.suits,
                hole=rules.hole,
                board=dealt,
                copies=copies,
                isomorphic=isomorphic or copies > 1,
                given=root.boards,
                allowed=allowed,
                fixed=fixed if copies == 1 else (),
            )
        sides.append(made[key])
    return tuple(sides)


def compared(deck: Deck, sides: Sides) -> Lanes:
    """Sort the last levels by strength, and relate the lanes of every player to the rival's; with
    more than two players to its own. Players who share lanes still do."""
    different = {id(side): side[-1] for side in sides}
    strengths = lane_strengths(deck, tuple(different.values()))
    sorts = {
        key: _by_strength(level, values)
        for (key, level), values in zip(different.items(), strengths, strict=True)
    }
    ordered = {id(side): (*side[:-1], sorts[id(side)][0]) for side in sides}
    both = tuple(ordered[id(side)] for side in sides)
    values = tuple(sorts[id(side)][1] for side in sides)
    players = len(sides)
    relations = tuple(
        _relation(both, values, player, player if players > 2 else 1 - player)
        for player in range(players)
    )
    return Lanes(both, tuple(sorts[id(side)][2] for side in sides), relations)


def _by_strength(level: RoundBoards, strengths: Ints) -> tuple[RoundBoards, Ints, Indices]:
    """The last level with the lanes of every board sorted from weak to strong, their strengths,
    and their old positions."""
    board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
    order = np.lexsort((np.arange(board.size), strengths, board))
    sorted_level = replace(
        level,
        counts=level.counts[order],
        above=level.above[order],
        hands=level.hands[order],
    )
    return sorted_level, strengths[order], order.astype(np.int32)


def lane_strengths(deck: Deck, levels: tuple[RoundBoards, ...]) -> list[Ints]:
    """[level][lane] a number that compares like the hand on its board, also across levels; 0
    if cards are still to come."""
    if len(levels[0].boards[0]) < sum(deck.rules.board):
        return [np.zeros(level.counts.size, dtype=np.int64) for level in levels]
    shown = deck.rules.hole + sum(deck.rules.board)
    if deck.copies == 1 and shown >= 5 and deck.rules.ranking is Ranking.BEST_FIVE:
        return [_best_five(deck, level) for level in levels]
    strengths = [_shown_strengths(deck, level) for level in levels]
    every = {strength for level in strengths for strength in level}
    order = {strength: number for number, strength in enumerate(sorted(every))}
    return [np.array([order[one] for one in level], dtype=np.int64) for level in strengths]


def _best_five(deck: Deck, level: RoundBoards) -> Ints:
    from regretless.cards.evaluator import ranks

    board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
    table = np.array(level.boards, dtype=np.int64).reshape(len(level.boards), -1)
    cards = np.concatenate([level.hands, table[board]], axis=1)
    suits, lowest = deck.rules.suits, 13 - deck.rules.ranks
    return np.asarray(ranks((cards // suits + lowest) * 4 + cards % suits), dtype=np.int64)


def _shown_strengths(deck: Deck, level: RoundBoards) -> list[Strength]:
    board = np.repeat(np.arange(len(level.boards)), np.diff(level.first))
    hands = level.hands.tolist()
    return [
        deck.strength(tuple(sorted((*hands[k], *level.boards[b])))) for k, b in enumerate(board)
    ]


def ranks_among(
    level: RoundBoards, strengths: Ints, rival: RoundBoards, theirs: Ints
) -> tuple[Indices, Indices]:
    """For every lane: how many rival lanes on its board are weaker, and how many not stronger."""
    most = max(int(strengths.max(initial=0)), int(theirs.max(initial=0))) + 1

    def keys(one: RoundBoards, values: Ints) -> Ints:
        board = np.repeat(np.arange(len(one.boards), dtype=np.int64), np.diff(one.first))
        numbers: Ints = board * most + values
        return numbers

    mine, other = keys(level, strengths), keys(rival, theirs)
    first = np.repeat(rival.first[:-1], np.diff(level.first))
    below = np.searchsorted(other, mine, side="left") - first
    upto = np.searchsorted(other, mine, side="right") - first
    return below.astype(np.int32), upto.astype(np.int32)


def _relation(sides: Sides, strengths: tuple[Ints, ...], player: int, rival: int) -> Relation:
    mine, theirs = sides[player], sides[rival]
    same = tuple(_same(one, other) for one, other in zip(mine, theirs, strict=True))
    below, upto = ranks_among(mine[-1], strengths[player], theirs[-1], strengths[rival])
    return Relation(same, below, upto)


def _same(level: RoundBoards, rival: RoundBoards) -> Indices:
    """For every lane the rival lane of the same hand on the same board, or -1."""
    most = level.permutations.shape[1]

    def keys(one: RoundBoards) -> Ints:
        key = np.repeat(np.arange(len(one.boards), dtype=np.int64), np.diff(one.first))
        for column in one.hands.T:
            key = key * most + column
        return key

    mine, theirs = keys(level), keys(rival)
    order = np.argsort(theirs)
    place = np.searchsorted(theirs, mine, sorter=order)
    nearest = order[np.minimum(place, theirs.size - 1)] if theirs.size else np.zeros_like(mine)
    first = np.repeat(rival.first[:-1], np.diff(level.first))
    return np.where(theirs[nearest] == mine, nearest - first, -1).astype(np.int32)
