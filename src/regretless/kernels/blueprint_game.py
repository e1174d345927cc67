"""What public chance sampling works on: the betting tree, memory, groups of hands, scratch.

The sweep is in kernels/blueprint.py."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.arrays import Flags, Floats, Ints
from regretless.kernels.blueprint_rows import Side, Slots, Span
from regretless.kernels.board_groups import Groups
from regretless.kernels.compiled import inlined
from regretless.kernels.lanes import WIDE

PIECES = 4  # of a chunk, by bucket: in early rounds there are few chunks for threads to share
# Of a chunk; ends are folds, then showdowns, then deals; EXIT is the column of its first deal.
ROUND, PREFIX, BLOCKS, EXIT, FOLDS, SHOWS, ENDS = range(7)
SLOTS, ENTRY, NODE, NODE_END, END, PAY = range(6)  # of a chunk and player
ENTRIES, TABLE = range(2)  # of a round and player


class Tree(NamedTuple):
    """The betting tree."""

    chunks: Ints  # [chunk, ...]
    sides: Ints  # [chunk, player, ...]
    nodes: Slots  # [node, ...]
    ends: Slots  # [end, ...]
    pays: Floats  # of every chunk and player [block][end][lane] chips won, times chance; deals: 1
    onward: Slots  # of every round [column of an exit] prefix of the next round
    arrivals: Slots  # [prefix over all rounds] column of its exit from the previous round
    round_chunks: Ints  # [round] first chunk, and the end
    round_prefixes: Ints  # [round] first prefix, and the end
    round_exits: Ints  # [round] first in `onward`, and the end
    widths: Ints  # [round, player, ...]


class Memory(NamedTuple):
    """What is learned; the table of a round and player begins at TABLE."""

    regret: Floats
    average: Floats  # sums of reach


class Shared(NamedTuple):
    """What rounds pass on, by board of an iteration."""

    start: Floats  # the reach of every hand before the first round, then of padding
    reach: Floats  # [board, …] of every round [hand][exit, then padding without reach]
    value: Floats  # of every round [hand][prefix of the next round, then padding without value]
    sums: Floats  # of every chunk [piece][all, or card][end], but not of the last round
    theirs: Floats  # of every chunk [bucket of the board][end] paths of q, likewise
    followed: Floats  # of every round [piece][exit, then padding] 1 if p has not pruned it
    reach_at: Ints  # [round] begin
    value_at: Ints  # [round]
    sums_at: Ints  # [chunk]
    theirs_at: Ints  # [chunk]
    followed_at: Ints  # [round]


class Work(NamedTuple):
    """Scratch of one thread. Before the last round there is one bucket at a time."""

    arrived: Floats  # [hand][lane] reach
    reach: Floats  # [row of a group][lane]
    earned: Floats  # [row of a group][lane]
    paths: Floats  # [slot]
    played: Floats  # [bucket of the board][entry]
    theirs: Floats  # [bucket of the board][end] paths of q
    stakes: Floats  # [bucket of the board][end] paths of p, times pay
    gathered: Floats  # [bucket of the board][end] sums over hands
    total: Floats  # [all, or card][end]
    margin: Floats
    value: Floats  # [slot]
    own: Floats  # [lane]
    followed: Floats  # [lane] 1 unless p has pruned it in an earlier round
    live: Floats  # [slot] 1 unless p has pruned it
    ones: Floats  # [slot]
    first: Floats  # [lane] values before the first round, which nobody reads


class Pruning(NamedTuple):
    """Regret-based pruning (Brown & Sandholm 2015)."""

    threshold: float  # actions with less regret are not followed
    floor: float  # of regrets
    when: Flags  # [iteration] 1: prune


class Game(NamedTuple):
    """Everything but the part on which a thread is working."""

    tree: Tree
    memory: Memory
    groups: Groups
    shared: Shared
    work: Work
    boards: int  # per iteration
    cards: int  # of the deck
    pruning: Pruning
    fixed: int  # the player whose strategy does not change; -1: both learn


class Part(NamedTuple):
    """A chunk on a board, or a piece of it, and the player that is looked at."""

    board: int
    chunk: int
    piece: int
    player: int
    slot: int  # of the board within its iteration
    prunes: bool


class Shape(NamedTuple):
    """Sizes of a chunk."""

    round: int
    blocks: int
    lanes: int
    columns: int  # of ends
    last: bool  # round
    folds: Span
    shows: Span
    deals: Span
    closed: Span  # folds and showdowns


@inlined
def shape_of(tree: Tree, chunk: int) -> Shape:
    """The sizes of a chunk."""
    of = tree.chunks[chunk]
    lanes, last = of[BLOCKS] * WIDE, of[ROUND] == tree.round_chunks.size - 2
    blocks, folds, closed, ends = of[BLOCKS], of[FOLDS], of[FOLDS] + of[SHOWS], of[ENDS]
    return Shape(
        of[ROUND],
        blocks,
        lanes,
        ends * lanes,
        last,
        Span(blocks, 0, folds, ends),
        Span(blocks, folds, closed, ends),
        Span(blocks, closed, ends, ends),
        Span(blocks, 0, closed, ends),
    )


@inlined
def side_of(tree: Tree, chunk: int, player: int) -> Side:
    """The lines of a player in a chunk."""
    of, chunk_of = tree.sides[chunk, player], tree.chunks[chunk]
    nodes = tree.nodes[of[NODE] : of[NODE_END]]
    ends = tree.ends[of[END] : of[END] + chunk_of[ENDS]]
    return Side(nodes, ends, chunk_of[BLOCKS], of[SLOTS], tree.pays[of[PAY] :])
