"""The public tree as kernels read it: named bundles of flat arrays, and codes."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Floats, Indices, Ints

# Columns of `nodes`: kind, player who decides or is left, first child, number of children,
# row of the first action in the player's sequences, row of the first action in the
# workspace, row of `pay`, next stage, next prefix, set of live players, number among the
# deals of its stage.
NODE_COLUMNS = 11
DECISION, FOLD, SHOWDOWN, DEAL = 0, 1, 2, 3  # kinds of nodes
UPDATE, BEST, VALUE, GRADIENT = 0, 1, 2, 3  # what happens at own decisions
REGRETS, BEHAVIOUR, PLAN = 0, 1, 2  # what the source holds
SORTED, MATRIX, JOINT = 0, 1, 2  # how terminals are evaluated


class Lanes(NamedTuple):
    """The lanes of all items; on the last board hands stand from weak to strong."""

    ties: Indices  # [hand of a board] first hand of the board that is stronger
    sources: Indices  # exit of the round before that leads here
    counts: Floats  # actual hands that it stands for
    scale: Floats  # chance of one actual deal, times what it stands for


class Pairs(NamedTuple):
    """Two-card games: all actual hands of every board, from weak to strong."""

    first: Ints  # [spot] first hand, then the total
    lane: Indices  # of every hand, counted within the board
    cards: Indices  # [hand, 2]
    ties: Indices  # first hand of the board that is stronger
    shown: Indices  # 1 for one hand of every lane: the others earn the same


class Tables(NamedTuple):
    """Weights of joint hands, for matrix and joint evaluation."""

    first: Ints  # [spot] first entry
    ways: Floats  # actual hands of the others that go with the lanes of an entry
    share: Floats  # [live set, entry, player] part of the pot


class Public(NamedTuple):
    """The public tree in flat arrays."""

    stages: Ints  # [stage, (round, first node, end node, prefixes, first place)]
    nodes: Ints  # [node, NODE_COLUMNS]
    children: Ints
    slots: Ints  # [player, node] row of the workspace with the player's reach
    rounds: Ints  # first item of every round, then the total
    items: Ints  # [item, (stage, hands, lane, entry, width, boards, spot, board, exit)]
    exits: Ints  # first exit of every round, then the total
    bases: Ints  # [item, player] first sequence
    pay: Floats  # [row, prefix] of every terminal: what the loser pays, pot, chips of players
    lanes: Lanes
    pairs: Pairs
    tables: Tables


class Work(NamedTuple):
    """Scratch rows of one thread."""

    reach: Floats
    value: Floats
    chosen: Floats  # probability of every action
    table: Floats  # [hand, terminal and prefix] reach of the others
    won: Floats  # [hand, terminal and prefix]
    sums: Floats


class Shared(NamedTuple):
    """What items hand to each other."""

    source: Floats  # regrets, behaviour or plan, of all sequences
    exits: Floats  # [player, exit] reach at the end of a round
    values: Floats  # [lane] value at the beginning of a round
    returns: Floats  # [exit] value at the end of a round


class Kept(NamedTuple):
    """What own decisions write."""

    regret: Floats  # or the gradient, or the best response
    predicted: Floats  # regret plus prediction; empty if nothing is predicted
    average: Floats


class How(NamedTuple):
    """Which sweep this is."""

    player: int
    mode: int
    reading: int
    terminal: int
    tiny: float  # regrets up to this are rounding, not regret
