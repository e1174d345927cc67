"""The size of the tree of a spot, before anything is built.

Cards that differ only by suit count once, as far as board, ranges and locks allow suits to be
renamed. Nodes are decisions, chance nodes and terminals, including those after an all-in."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from regretless.cards.suits import count_orbits, fixing, renamings
from regretless.core.errors import TooLarge
from regretless.core.memory import size_text, usable_bytes
from regretless.games._betting_tree import MOST_NODES, BettingTree, Kind
from regretless.games._spot import Spot

OVERFULL = 4  # times the available memory: counting stops there
SHRINKING = (
    "fewer sizes in [bets] and [raises], tree.raise_cap, larger tree.merge and tree.force_allin, "
    "narrower ranges or a later street make it smaller"
)


class TreeSize(NamedTuple):
    """Nodes, and action entries: hands of the actor times actions, over all decisions."""

    nodes: int
    action_entries: int


def tree_size(spot: Spot) -> TreeSize:
    """The size of the tree of a spot."""
    size, _, is_whole = counted(spot, inf)
    if not is_whole:
        raise TooLarge(f"over {MOST_NODES:,} betting nodes: {SHRINKING}")
    return size


def require_room(spot: Spot, bytes_per_entry: int, name: str) -> None:
    """Refuse a spot whose tree cannot fit in memory, before anything is built."""
    usable = usable_bytes()
    _, entries, is_whole = counted(spot, OVERFULL * usable / bytes_per_entry)
    if bytes_per_entry * entries > usable:
        over = "" if is_whole else "over "
        raise TooLarge(
            f"{name}: the tree has {over}{entries:,} action entries, which need {over}"
            f"{size_text(bytes_per_entry * entries)} of memory: {size_text(usable)} is free; "
            f"{SHRINKING}"
        )


def counted(spot: Spot, enough: float) -> tuple[TreeSize, int, bool]:
    """The size of a tree, its action entries at real choices, and whether the count is complete:
    it stops after `enough` entries or too many betting nodes."""
    boards, held = board_counts(spot), spot.hands
    nodes = entries = chosen = 0
    try:
        for kind, player, number, betting in BettingTree(spot.rules).walk():
            nodes += boards[number]
            if kind is Kind.DECISION:
                here = boards[number] * len(betting.choices) * held[player]
                entries += here
                chosen += here if len(betting.choices) > 1 else 0
                if chosen > enough:
                    return TreeSize(nodes, entries), chosen, False
    except TooLarge:
        return TreeSize(nodes, entries), chosen, False
    return TreeSize(nodes, entries), chosen, True


def board_counts(spot: Spot) -> tuple[int, ...]:
    """The number of boards per round, up to suits: renamings change neither board nor ranges nor
    locks."""
    named = [(card,) for lock in spot.locks for cards in lock.line.cards for card in cards]
    vectors = [*spot.ranges, *(lock.hands for lock in spot.locks)]
    rows = fixing(renamings(), hole=2, vectors=vectors, sets=[spot.board, *named])
    later = spot.rules.board[1:]
    return tuple(count_orbits(rows, later[:dealt], spot.board) for dealt in range(len(later) + 1))
