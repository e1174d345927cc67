"""A public tree in the arrays that kernels read, in one precision."""

from __future__ import annotations

from itertools import product
from math import comb, perm, prod
from typing import Any

import numpy as np

from regretless.cards.boards import Level, compatible, expanded
from regretless.core.arrays import Floats, Indices
from regretless.forms.public_tree import Layout
from regretless.kernels.public_arrays import (
    Lanes,
    Pairs,
    Public,
    Tables,
)


def typed(layout: Layout, kind: Any, terminal: str) -> Public:
    """The tree as kernels read it, in one precision."""
    return Public(
        stages=layout.stage_table,
        nodes=layout.node_table,
        children=layout.children,
        slots=layout.slots,
        rounds=layout.rounds,
        items=layout.items,
        exits=layout.exits,
        bases=layout.bases,
        pay=layout.pay.astype(kind),
        lanes=_lanes(layout, kind),
        pairs=_pairs(layout, wanted=terminal == "sorted" and layout.deck.rules.hole == 2),
        tables=_tables(layout, kind, terminal),
    )


def chances(layout: Layout) -> Floats:
    """[lane] probability of one actual deal, times the boards and hands the lane stands for."""
    rules = layout.deck.rules
    cards = rules.ranks * rules.suits
    deals = prod(comb(cards - rules.hole * q, rules.hole) for q in range(rules.players))
    left = cards - rules.hole * rules.players
    found = []
    boards = np.ones(1)
    for round, level in enumerate(layout.levels):
        deals *= comb(left, rules.board[round])
        left -= rules.board[round]
        boards = boards[level.parents] * level.weights
        found.append(np.repeat(boards, np.diff(level.first)) * level.counts / deals)
    return np.concatenate(found)


def _lanes(layout: Layout, kind: Any) -> Lanes:
    earlier = sum(len(level.counts) for level in layout.levels[:-1])
    counts = np.concatenate([level.counts for level in layout.levels])
    scale = chances(layout)
    order = []
    for item in range(len(layout.items)):
        hands, boards, prefixes = layout.shape(item)
        by_board = layout.items[item, 2] + np.arange(boards * hands).reshape(boards, hands)
        order.append(np.repeat(by_board.T.ravel(), prefixes))
    lanes = np.concatenate(order)
    return Lanes(
        sources=layout.sources().astype(np.int32),
        ties=np.concatenate([np.zeros(earlier, np.int32), layout.ties]).astype(np.int32),
        counts=counts[lanes].astype(kind),
        scale=scale[lanes].astype(kind),
    )


def _pairs(layout: Layout, *, wanted: bool) -> Pairs:
    """All actual two-card hands of every board, those of the last round from weak to strong."""
    if not wanted:
        none = np.empty(0, np.int32)
        return Pairs(np.zeros(1, np.int64), none, np.empty((0, 2), np.int32), none, none)
    first, lanes, cards, ties, shown = [0], [], [], [], []
    for round, level in enumerate(layout.levels):
        for board in range(len(level.boards)):
            hands, lane = expanded(level, board)
            order = np.argsort(lane, kind="stable")
            hands, lane = hands[order], lane[order]
            firsts = np.concatenate([[True], np.diff(lane) != 0])
            ends = np.full(lane.size, lane.size)
            if round == len(layout.levels) - 1:
                here = layout.ties[level.lanes(board)]
                ends = np.searchsorted(lane, here[lane], side="left")
            first.append(first[-1] + lane.size)
            lanes.append(lane)
            cards.append(hands)
            ties.append(ends)
            shown.append(firsts)
    return Pairs(
        first=np.array(first, dtype=np.int64),
        lane=np.concatenate(lanes).astype(np.int32),
        cards=np.ascontiguousarray(np.concatenate(cards), dtype=np.int32),
        ties=np.concatenate(ties).astype(np.int32),
        shown=np.concatenate(shown).astype(np.int32),
    )


def _tables(layout: Layout, kind: Any, terminal: str) -> Tables:
    """Ways of every combination of lanes, and who wins which part of the pot."""
    if terminal == "sorted":
        return Tables(np.zeros(1, np.int64), np.empty(0, kind), np.empty((0, 0, 0), kind))
    first, ways, shares = [0], [], []
    for round, level in enumerate(layout.levels):
        for board in range(len(level.boards)):
            if terminal == "matrix":
                here = compatible(level, board).astype(kind).ravel()
            else:
                here = _joint_ways(level, board, layout.players)
                ties = layout.ties[level.lanes(board)] if round == len(layout.levels) - 1 else None
                shares.append(_shares(layout, int(np.diff(level.first)[board]), ties))
            ways.append(here)
            first.append(first[-1] + here.size)
    share = np.concatenate(shares, axis=1) if shares else np.empty((0, 0, 0))
    return Tables(np.array(first, np.int64), np.concatenate(ways).astype(kind), share.astype(kind))


def _joint_ways(level: Level, board: int, players: int) -> Floats:
    """One hole card each: ordered choices of actual cards for every combination of lanes."""
    counts = level.counts[level.lanes(board)]
    ways = []
    for hands in product(range(counts.size), repeat=players):
        chosen = [perm(int(counts[hand]), hands.count(hand)) for hand in set(hands)]
        ways.append(float(prod(chosen)))
    return np.array(ways)


def _shares(layout: Layout, hands: int, ties: Indices | None) -> Floats:
    """[live set, combination, player] part of the pot; before the last round one is left."""
    found = np.zeros((len(layout.live_sets), hands**layout.players, layout.players))
    for number, live in enumerate(layout.live_sets):
        for entry, held in enumerate(product(range(hands), repeat=layout.players)):
            strength = [
                (0 if ties is None else int(ties[hand])) if alive else -1
                for hand, alive in zip(held, live, strict=True)
            ]
            winners = [p for p in range(layout.players) if strength[p] == max(strength)]
            found[number, entry, winners] = 1 / len(winners)
    return found
