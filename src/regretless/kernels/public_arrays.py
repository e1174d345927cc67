"""The public tree for kernels: named bundles of flat arrays, and names of columns."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

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

NET, MID, TIE = range(3)  # of pay: half the difference of win and loss, their mean, tie less mean

Records: TypeAlias = Any  # arrays of whole numbers with named fields


def fields(names: str) -> np.dtype[Any]:
    """Whole numbers by name."""
    return np.dtype([(name, np.int64) for name in names.split()])


def records(rows: Any, kind: np.dtype[Any]) -> Records:
    """Rows of numbers as records; kernels and NumPy read their fields as attributes."""
    assert kind.names is not None
    numbers = np.array(rows, dtype=np.int64).reshape(-1, len(kind.names))
    return numbers.view(kind)[:, 0].view(np.recarray)


def no_records(shape: int | tuple[int, ...], kind: np.dtype[Any]) -> Records:
    """Records of zeros."""
    return np.zeros(shape, kind).view(np.recarray)


# Nodes of a stage, its prefixes and segments, and how many of its nodes are deals.
STAGES = fields("first end prefixes segment segment_end deals")
# Of a node: who acts, or who is left; the row of its first action among the player's sequences of
# the stage, and in the workspace (chosen); the row of its values in the workspace, and of those of
# its first child (below), which the others follow; the slot of the player's reach at the first
# child (mine), likewise; its first row of `pay`; its number among the deals, or among the leaves,
# of its stage; its first row of `locks`, or -1; the set of players who have not folded.
NODES = fields("kind player actions row chosen value below mine pay number lock live")
SEGMENTS = fields("source deal count start")  # stage above, first deal, prefixes, where
# The round counts from the first one played. A site has boards from `board` on, whose tables are
# from `table` on.
SITES = fields("round_number boards first_item parent board table")
SITE_SIDES = fields("hands lane pair pair_end")  # of a site and player
ITEMS = fields("stage width most at_chosen at_value")
# Of an item and player: `first` sequence; guessed and summed are places in `Baselines`, at_sums and
# at_more in `SharedRows`: sums of cells, and of further rows.
ITEM_SIDES = fields("lanes span first at_reach exit kept at_wide guessed summed at_sums at_more")
CELL_ROWS = fields("cells more owners")  # of a round and player: cells, further rows, first owner
# A decision with shared rows: `first` of its sequences, places of the sums of its cells and of its
# further rows (more), first owner and number of these.
SHARED = fields("player actions prefixes first span sums more owners rows")
TERMINALS = fields("position node")  # which item of its site, and node
CHUNKS = fields("begin stop uneven raked")  # terminals, and whether TIE or MID is paid
# If lanes are rows of hands (hand_rows.py): a chunk has columns, showdown columns first, and rows
# that are paid from them; a run-out takes no columns. Rows and net and tie are rows of `pay`.
ROW_CHUNKS = fields("column column_end shown paid paid_end")
COLUMNS = fields("position slot prefix")
PAID = fields("position value prefix column row more")
RUNS = fields("position value prefix slot net tie")
LOCKS = fields("site end first deck")  # site or -1, end, numbers, hands


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

    rows: Records
    chosen: Floats  # [prefix, action, hand of the deck]; negative if a hand is free


class NoLeaves(NamedTuple):
    """In place of `LeafValues`."""

    none: int


class Public(NamedTuple):
    """The public tree in flat arrays."""

    stages: Records
    nodes: Records
    slots: Ints  # [player, node] row of the workspace with the player's reach
    segments: Records  # which deals lead to the prefixes of a stage
    firsts: Ints  # [round] its first stage
    sites: Records
    site_sides: Records  # [site, player, column]
    items: Records
    item_sides: Records  # [item, player, column]
    cells: Records  # [round, player, column] shared rows; 0 cells: every lane has its own
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

    decisions: Records
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


class Steps(NamedTuple):
    """What to do at which site, in order (forms/schedule.py)."""

    rows: Ints  # [step, (site, what)]
    factors: Floats  # of the payoffs of the terminals of a step's site
