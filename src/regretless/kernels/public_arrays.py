"""The public tree for kernels: named bundles of flat arrays, and names of columns."""

from __future__ import annotations

from typing import Any, NamedTuple

from regretless.core.arrays import Floats, Indices, Ints

# Kinds of nodes. A run-out is a showdown before the last board, over all boards to come.
DECISION, FOLD, SHOWDOWN, DEAL, RUNOUT, LEAF = range(6)
# What happens at own decisions: learn; value as played and best response; the gradient; or
# the value of every action, in all rounds or in those before the last.
UPDATE, LOOK, GRADIENT, VALUES, EARLY_VALUES = range(5)
# The source of play: a learner's memory, current or average; or a given behaviour.
LEARNER, AVERAGE, BEHAVIOUR, PLAN = range(4)
SORTED, MATRIX, JOINT = range(3)  # how terminals are evaluated
# What a step does with its site; KEEP: its values are kept instead of passed to the site above.
DESCEND, CLEAR, ASCEND, KEEP, ADD = 1, 2, 4, 8, 16

# Columns of the tables.
# Of a stage: nodes, prefixes, segments, and how many of its nodes are deals.
FIRST, END, PREFIXES, SEGMENT, SEGMENT_END, DEALS = range(6)
(
    KIND,
    PLAYER,  # the player to act, or the one left
    ACTIONS,
    ROW,  # of the first action among the player's sequences of the stage
    CHOSEN,  # row of the first action in the workspace
    VALUE,  # row of the node's values in the workspace
    BELOW,  # row of the values of the first child; the others follow
    MINE,  # slot of the player's reach at the first child; the others follow
    PAY,  # first row of `pay`
    NUMBER,  # among the deals, or among the leaves, of its stage
    LOCK,  # first row of `locks`, or -1
    LIVE,  # set of players who have not folded
) = range(12)
NODE_COLUMNS = 12
FROM, DEAL_NUMBER, COUNT, START = range(4)  # of a segment: stage above, first deal, prefixes, where
ROUND, BOARDS, ITEM, PARENT, BOARD, TABLE = range(6)  # of a site
HANDS, LANE, PAIR, PAIR_END = range(4)  # of a site and player
STAGE, WIDTH, MOST, AT_CHOSEN, AT_VALUE = range(5)  # of an item
# Of an item and player; GUESSED and SUMMED are places in `Baselines`, AT_SUMS and AT_MORE in
# `SharedRows`: sums of cells, and of further rows.
LANES, SPAN, BASE, AT_REACH, EXIT, KEPT, AT_WIDE, GUESSED, SUMMED, AT_SUMS, AT_MORE = range(11)
ITEM_SIDE_COLUMNS = 11
CELLS, MORE, OWNERS = range(3)  # of a round and player: cells, further rows, their first owner
(
    SHARED_PLAYER,
    SHARED_ACTIONS,
    SHARED_PREFIXES,
    SHARED_BASE,  # of its sequences
    SHARED_SPAN,
    SHARED_SUMS,  # place of the sums of its cells
    SHARED_MORE,  # and of its further rows
    SHARED_OWNERS,
    SHARED_ROWS,  # number of further rows
) = range(9)  # of a decision with shared rows
POSITION, NODE = range(2)  # of a terminal: which item of its site, and node
BEGIN, STOP, UNEVEN, RAKED = range(4)  # of a chunk: terminals, and whether TIE or MID is paid
# If lanes are rows of hands (hand_rows.py): a chunk has columns, showdown columns first, and rows
# that are paid from them; a run-out takes no columns.
COLUMN, COLUMN_END, SHOWN, PAID, PAID_END = range(5)  # of a chunk
COLUMN_POSITION, COLUMN_SLOT, COLUMN_PREFIX = range(3)
PAID_POSITION, PAID_VALUE, PAID_PREFIX, PAID_COLUMN, PAID_ROW, PAID_MORE = range(6)
RUN_POSITION, RUN_VALUE, RUN_PREFIX, RUN_SLOT, RUN_NET, RUN_TIE = range(6)  # rows of `pay`
LOCK_SITE, LOCK_END, LOCK_FIRST, LOCK_DECK = range(4)  # of a lock: site or -1, end, numbers, hands
NET, MID, TIE = range(3)  # of pay: half the difference of win and loss, their mean, tie less mean


class Side(NamedTuple):
    """The hands of players on all boards; in the last round from weak to strong."""

    scale: Floats  # [lane] chance of one actual deal, times the deals of the lane
    weight: Floats  # [lane] of the hand in the range; empty if all are 1
    counts: Floats  # [lane] number of actual hands it represents
    above: Indices  # [lane] lane of the same hand on the parent board
    parent: Indices  # [lane] number of the parent board within its site
    below: Indices  # [lane] rival pairs (or lanes) that are weaker
    upto: Indices  # [lane] and those that tie
    same: Indices  # [lane] rival lane of the same hand, or -1
    hand: Indices  # [lane] number of the hand in the deck
    cells: Indices  # [lane] shared row, if there are any
    rows: Indices  # [lane] row of sums: the cell, or a further one, after all cells


class Locks(NamedTuple):
    """Decisions with a fixed strategy."""

    rows: Ints
    chosen: Floats  # [prefix, action, hand of the deck]; negative if a hand is free


class Public(NamedTuple):
    """The public tree in flat arrays."""

    stages: Ints
    nodes: Ints
    slots: Ints  # [player, node] row of the workspace with the player's reach
    segments: Ints  # which deals lead to the prefixes of a stage
    firsts: Ints  # [round] its first stage
    sites: Ints
    site_sides: Ints  # [site, player, column]
    items: Ints
    item_sides: Ints  # [item, player, column]
    cells: Ints  # [round, player, column] shared rows; 0 cells: every lane has its own
    pay: Floats  # [row, width] of every terminal: NET, MID, TIE of every player
    side: Side  # the lanes of all players, one after another, or shared by them
    ends: Any  # how terminals are evaluated (ends.py)
    leaves: Any  # given values after the last round (leaf_values.py)
    locks: Locks
    deck: int  # cards
    inside: bool  # lanes are [prefix][hand], as in two-card games, instead of [hand][board][prefix]
    split: int  # first round whose exits are in the workspace of a thread


class Work(NamedTuple):
    """Scratch of one thread; every round has its own part."""

    reach: Floats
    value: Floats
    best: Floats  # values of best responses
    chosen: Floats  # probability of every action
    table: Floats  # [hand][column] reach of the rival at terminals
    won: Floats  # [hand][column]
    total: Floats  # the same, over all rival hands
    tied: Floats  # the same, over rival hands that tie
    places: Ints  # [column] position of its reach
    sums: Floats
    exits: Floats  # [player, exit] reach at the end of a round; exits of an item are
    # [hand][board][deal][prefix], or [deal][prefix][hand] if lanes are [prefix][hand]
    returns: Floats  # [value or best, exit] values at the end of a round


class Shared(NamedTuple):
    """What sites of early rounds pass to each other."""

    exits: Floats
    returns: Floats
    kept: Floats  # [value or best, lane] values at the start of sites


class SharedRows(NamedTuple):
    """Rows that lanes share: their play, and sums over lanes, which are 0 between sweeps; empty if
    there are none."""

    decisions: Ints
    owners: Indices  # the cell of every further row of sums
    play: Floats  # [sequence] probabilities of players with cells
    advantage: Floats  # of the player who learns
    played: Floats


class Baselines(NamedTuple):
    """Guesses of what sites give back, for sweeps over a sample; empty if there are none."""

    guesses: Floats  # [lane] at the beginning of every site, of every player
    sums: Floats  # [exit] at the end of every site: the guesses of all sites below, added up
    rate: float  # by which a guess moves to what was found


class How(NamedTuple):
    """Which sweep this is."""

    player: int
    mode: int
    reading: int
    terminal: int


class Task(NamedTuple):
    """A sweep: what to do, the source of play, and the output."""

    how: How
    given: Floats  # behaviour or plan, of all sequences
    out: Floats  # gradient, or best response; may be empty
    learner: Any
    playing: Any  # the learner's memory that play comes from
    memory: Any  # the learner's memory
    rows: SharedRows
    baselines: Baselines


class Team(NamedTuple):
    """One of the threads that share a sweep (team.py)."""

    member: int
    threads: int
    bounds: Ints  # steps of the head, of every part, and of the tail
    counters: Ints
