"""The size of the tree of a spot, before anything is built.

Cards that differ only by suit count once, as far as board, ranges and locks allow suits to be
renamed. Nodes are decisions, chance nodes and terminals, including those after an all-in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from math import comb, inf
from typing import NamedTuple

import numpy as np

from regretless.cards.deck import DECK
from regretless.cards.holdings import COPIES, hands, number_of
from regretless.core.arrays import Ints
from regretless.core.errors import TooLarge
from regretless.core.memory import size_text, usable_bytes
from regretless.games._betting_tree import MOST_NODES, BettingTree, Kind
from regretless.games._spot import Spot

OVERFULL = 4  # times the available memory: counting stops there
SHRINKING = (
    "fewer sizes in [bets] and [raises], tree.raise_cap, larger tree.merge and tree.force_allin, "
    "narrower ranges or a later street make it smaller"
)

Group = tuple[tuple[int, ...], ...]  # renamings of suits
Cards = frozenset[int]


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
    """The number of boards per round, up to suits."""
    states: Counter[tuple[Cards, Group]] = Counter({(frozenset(spot.board), symmetries(spot)): 1})
    counts = [1]
    for number, dealt in enumerate(spot.rules.board[1:], start=2):
        if number == spot.rules.rounds:  # a river: its stabiliser is not needed
            counts.append(sum(times * _rivers(*state) for state, times in states.items()))
            break
        following: Counter[tuple[Cards, Group]] = Counter()
        for (board, group), times in states.items():
            if len(group) == 1:  # only the number of cards matters from here on
                more = times * comb(DECK - len(board), dealt)
                following[frozenset(range(len(board) + dealt)), group] += more
                continue
            for new, fixing in orbits(board, group, dealt):
                following[board | new, fixing] += times
        states = following
        counts.append(sum(states.values()))
    return tuple(counts)


def symmetries(spot: Spot) -> Group:
    """Renamings of suits that change neither board nor ranges nor locks."""
    named = [card for lock in spot.locks for cards in lock.line.cards for card in cards]
    return renamings([*spot.ranges, *(lock.hands for lock in spot.locks)], spot.board, named)


def renamings(
    vectors: Sequence[np.ndarray], board: Sequence[int] = (), named: Sequence[int] = ()
) -> Group:
    """The renamings that change neither the vectors over hands, nor the board, nor named cards."""
    kept = []
    for renaming in permutations(range(COPIES)):
        image = _images(renaming)
        same = {renamed(card, renaming) for card in board} == set(board)
        fixed = all(renamed(card, renaming) == card for card in named)
        if same and fixed and all((one[image] == one).all() for one in vectors):
            kept.append(renaming)
    return tuple(kept)


def orbits(board: Cards, group: Group, count: int) -> list[tuple[Cards, Group]]:
    """Sets of new cards, one per orbit, with the renamings that fix it."""
    left = [card for card in range(DECK) if card not in board]
    found, seen = [], set()
    for cards in combinations(left, count):
        new = frozenset(cards)
        if new in seen:
            continue
        images = [frozenset(renamed(card, renaming) for card in new) for renaming in group]
        seen.update(images)
        fixing = tuple(r for r, image in zip(group, images, strict=True) if image == new)
        found.append((new, fixing))
    return found


def _rivers(board: Cards, group: Group) -> int:
    """Cards left up to suits: the mean number of cards that a renaming fixes (Burnside)."""
    suits = Counter(card % COPIES for card in board)
    left = [DECK // COPIES - suits[suit] for suit in range(COPIES)]
    fixed = sum(
        left[suit] for renaming in group for suit in range(COPIES) if renaming[suit] == suit
    )
    return fixed // len(group)


def renamed(card: int, renaming: tuple[int, ...]) -> int:
    return card // COPIES * COPIES + renaming[card % COPIES]


def _images(renaming: tuple[int, ...]) -> Ints:
    """[hand]: the hand after renaming."""
    return np.array(
        [number_of(renamed(a, renaming), renamed(b, renaming)) for a, b in hands().tolist()]
    )
