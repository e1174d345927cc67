"""All boards of a poker game, round by round, and all private hands on each of them,
up to renaming of suits (Gilpin & Sandholm 2007; Waugh 2013).

Differs from Waugh: he numbers hand and board together; here boards come first, so that
the hands of a board are contiguous lanes. A board continues the representative of the
board before it and is one orbit of new cards under the suit permutations that fix that
board; its hands are orbits under those that also fix the new cards. A representative
is the lexicographically smallest member. Cards are rank * suits + suit.

If suits never matter they are ignored: a card is a kind, with several equal copies.

Play can begin on a given board with only some of the hands: then suits are renamed only by
permutations that the caller allows, and each given round has one board."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple, Protocol

import numpy as np

from regretless.cards.suits import (
    Cards,
    CardSets,
    Group,
    count_orbits,
    fixing,
    places,
    renamings,
)
from regretless.core.arrays import Flags, Floats, Indices, Ints
from regretless.core.errors import BadParameter, within
from regretless.core.memory import require

MOST_CARDS = 62  # a set of cards is the bits of one signed integer
BYTES_PER_BOARD = 1000  # tuples and small arrays during construction, measured on hold'em turns
BYTES_PER_SET = 100  # per set of new cards, measured on five cards at once


@dataclass(frozen=True, eq=False)
class RoundBoards:
    """The boards of one round, and the hands on each of them.

    The first round continues the empty board, which is in no level."""

    parents: Ints  # [board] the board of the previous round that it continues
    weights: Ints  # [board] how many continuations of one actual parent it represents
    cards: tuple[Cards, ...]  # [board] the new cards of this round
    boards: tuple[Cards, ...]  # [board] all cards so far, in the order of the rounds
    first: Ints  # [board + 1] first lane of every board, then the total
    counts: Ints  # [lane] how many actual hands it represents on one actual board
    above: Indices  # [lane] lane of the same hand within the parent board
    hands: Indices  # [lane, hole] sorted cards of the representative
    stabilisers: tuple[Group, ...]  # [board] the permutations that fix it round by round
    permutations: Ints  # [permutation, card] the image of each card; identity first
    copies: int  # of each card in the deck

    def lanes(self, board: int) -> slice:
        """The lanes of one board."""
        return slice(int(self.first[board]), int(self.first[board + 1]))


class Size(NamedTuple):
    """How many boards and lanes a level has."""

    boards: int
    lanes: int


def levels(
    *,
    ranks: int,
    suits: int,
    hole: int,
    board: tuple[int, ...],
    copies: int = 1,
    isomorphic: bool = True,
    given: Sequence[Cards] = (),
    allowed: Flags | None = None,
    fixed: Sequence[Flags | Floats] = (),
) -> tuple[RoundBoards, ...]:
    """One level per round; `board` is the number of new cards in each round.

    With several copies of each card, `ranks` counts kinds and `suits` is ignored. `given`
    are the cards of the first rounds, `allowed` flags the hands that take part (in
    lexicographic order), and suits are renamed only if that leaves all vectors over hands
    in `fixed` unchanged."""
    within("hole cards", hole, 1, 3)
    for number, count in enumerate(board):
        within(f"board cards of round {number + 1}", count, 0, 7)
    deck: _Deck
    if copies == 1:
        if given:
            needed = _sizes_from(ranks * suits, hole, board, len(given), allowed)
        else:
            needed = sizes(ranks=ranks, suits=suits, hole=hole, board=board, isomorphic=isomorphic)
        _require(needed, ranks * suits, (hole, *board[len(given) :]))
        rows = renamings(ranks, suits)[: None if isomorphic else 1]
        deck = _Suited(fixing(rows, hole=hole, vectors=fixed, sets=given), hole, allowed)
    else:
        if hole != 1 or not isomorphic:
            raise BadParameter(
                f"hole={hole}, isomorphic={isomorphic}: copies={copies} needs one hole "
                "card and isomorphic suits"
            )
        within("copies", copies, 1, 2**31)
        within("cards of the deck", ranks * copies, 1 + sum(board), 2**31)
        deck = _Folded(ranks, copies, allowed)
    made = [_empty_board(deck)]
    for number, count in enumerate(board):
        cards = tuple(sorted(given[number])) if number < len(given) else None
        made.append(_continued(deck, made[-1], count, cards))
    return tuple(made[1:])


def _sizes_from(
    cards: int, hole: int, board: tuple[int, ...], given: int, allowed: Flags | None
) -> tuple[Size, ...]:
    """Upper bounds on the boards and lanes that follow a given board."""
    hands = comb(cards, hole) if allowed is None else int(np.count_nonzero(allowed))
    left = cards - sum(board[:given])
    boards, later = 1, []
    for count in board[given:]:
        boards *= comb(left, count)
        left -= count
        later.append(Size(boards, boards * hands))
    return (Size(1, hands),) * given + tuple(later)


def sizes(
    *, ranks: int, suits: int, hole: int, board: tuple[int, ...], isomorphic: bool = True
) -> tuple[Size, ...]:
    """Boards and lanes of every round without listing them."""
    within("suits", suits, 1, 4)
    within("cards of the deck", ranks * suits, hole + sum(board), MOST_CARDS)
    rows = renamings(ranks, suits)[: None if isomorphic else 1]
    rounds = [board[: r + 1] for r in range(len(board))]
    return tuple(
        Size(count_orbits(rows, dealt), count_orbits(rows, (hole, *dealt))) for dealt in rounds
    )


def compatible(level: RoundBoards, board: int) -> Ints:
    """[lane, lane] the number of hands of the second lane that share no card with the
    representative of the first."""
    counts = level.counts[level.lanes(board)]
    if level.hands.shape[1] == 1:
        return counts - np.eye(counts.size, dtype=np.int64)
    hands, lanes = expanded(level, board)
    place = places(level.permutations.shape[1])
    all_bits = place[hands[np.argsort(lanes, kind="stable")]].sum(axis=1)
    bits = place[level.hands[level.lanes(board)]].sum(axis=1)
    disjoint = (bits[:, None] & all_bits) == 0
    begin = np.cumsum(counts) - counts
    return np.add.reduceat(disjoint, begin, axis=1, dtype=np.int64)


def expanded(level: RoundBoards, board: int) -> tuple[Indices, Indices]:
    """All actual hands on a representative board, in order, and the lane of each.

    Lanes are numbered within the board."""
    if level.copies > 1:
        raise BadParameter(f"copies={level.copies}: hands are distinct only with copies=1")
    hands = level.hands[level.lanes(board)]
    group = level.permutations[list(level.stabilisers[board])]
    images = np.sort(group[:, hands], axis=2).reshape(-1, hands.shape[1])
    bits = places(group.shape[1])[images].sum(axis=1)
    _, where = np.unique(-bits, return_index=True)
    return images[where].astype(np.int32), (where % len(hands)).astype(np.int32)


def canonical(
    levels: Sequence[RoundBoards], cards_by_round: Sequence[Sequence[int]]
) -> tuple[int, Ints]:
    """The representative of an actual board, and a permutation [card] that maps to it.

    The board belongs to the level of the last given round."""
    if not 1 <= len(cards_by_round) <= len(levels):
        raise BadParameter(f"{len(cards_by_round)} rounds of cards: must be 1 to {len(levels)}")
    rows = levels[0].permutations
    board, moved = 0, rows[0]
    group: Group = tuple(range(len(rows)))
    for level, cards in zip(levels, cards_by_round, strict=False):
        image, row = _smallest(rows, group, moved[_checked(cards, rows)])
        low, high = np.searchsorted(level.parents, [board, board + 1]).tolist()
        board = bisect_left(level.cards, image, low, high)
        if board == high or level.cards[board] != image:
            raise BadParameter(f"board {list(map(list, cards_by_round))}: no such board")
        moved, group = rows[row][moved], level.stabilisers[board]
    return board, moved


def lane_of(
    levels: Sequence[RoundBoards], cards_by_round: Sequence[Sequence[int]], hand: Sequence[int]
) -> tuple[int, int]:
    """The representative of an actual board, and the lane of an actual hand within that board."""
    board, moved = canonical(levels, cards_by_round)
    level = levels[len(cards_by_round) - 1]
    within("hole cards", len(hand), level.hands.shape[1], level.hands.shape[1])
    rows, group = level.permutations, level.stabilisers[board]
    image, _ = _smallest(rows, group, moved[_checked(hand, rows)])
    lanes = np.flatnonzero((level.hands[level.lanes(board)] == image).all(axis=1))
    if not lanes.size:
        shown = list(map(list, cards_by_round))
        raise BadParameter(f"hand {list(hand)}: not possible on the board {shown}")
    return board, int(lanes[0])


def _require(needed: tuple[Size, ...], cards: int, dealt: Cards) -> None:
    """Refuse levels that do not fit in memory."""
    boards, lanes = sum(size.boards for size in needed), sum(size.lanes for size in needed)
    sets = sum(comb(cards, count) for count in set(dealt))
    # Twice the lanes: they are collected per board and then concatenated.
    lane_bytes = 2 * (8 + 4 + 4 * dealt[0])
    total = boards * BYTES_PER_BOARD + lanes * lane_bytes + sets * BYTES_PER_SET
    require(total, f"{boards:,} boards with {lanes:,} hands")


class _Deck(Protocol):
    """What a level needs from a deck. Hands are numbered in lexicographic order."""

    copies: int
    permutations: Ints
    hands: Indices  # [hand, hole] all hands of the deck

    def deal(self, board: Cards, group: Group, count: int) -> Iterator[tuple[Cards, int, Group]]:
        """New cards of every continuation, how many it represents, and its stabiliser."""

    def fixing(self, group: Group, cards: Cards) -> Group:
        """The members of a group that map these cards to themselves."""

    def lanes(self, board: Cards, group: Group) -> tuple[Indices, Ints]:
        """The representatives of the lanes of a board, and how many hands each represents."""

    def representatives(self, group: Group) -> Indices:
        """[hand] its representative."""


def _empty_board(deck: _Deck) -> RoundBoards:
    """The level of the empty board."""
    zeros: Ints = np.zeros(1, dtype=np.int64)
    group = tuple(range(len(deck.permutations)))
    lanes, counts = deck.lanes((), group)
    return RoundBoards(
        parents=zeros,
        weights=zeros + 1,
        cards=((),),
        boards=((),),
        first=np.array([0, lanes.size]),
        counts=counts,
        above=np.arange(lanes.size, dtype=np.int32),
        hands=deck.hands[lanes],
        stabilisers=(group,),
        permutations=deck.permutations,
        copies=deck.copies,
    )


def _continued(
    deck: _Deck, level: RoundBoards, count: int, given: Cards | None = None
) -> RoundBoards:
    """The next level, with `count` new cards on every board, or with given cards."""
    dealt: list[tuple[int, Cards, int, Group]] = []
    hands, counts, above = [], [], []
    for parent, (board, group) in enumerate(zip(level.boards, level.stabilisers, strict=True)):
        parent_lanes, _ = deck.lanes(board, group)
        representatives = deck.representatives(group)
        if given is None:
            following = deck.deal(board, group, count)
        else:
            following = iter([(given, 1, deck.fixing(group, given))])
        for cards, weight, stabiliser in following:
            dealt.append((parent, cards, weight, stabiliser))
            lanes, stands_for = deck.lanes(board + cards, stabiliser)
            hands.append(lanes)
            counts.append(stands_for)
            above.append(np.searchsorted(parent_lanes, representatives[lanes]).astype(np.int32))
    parents, new_cards, weights, stabilisers = zip(*dealt, strict=True)
    return RoundBoards(
        parents=np.array(parents, dtype=np.int64),
        weights=np.array(weights, dtype=np.int64),
        cards=new_cards,
        boards=tuple(level.boards[parent] + cards for parent, cards, _, _ in dealt),
        first=np.cumsum([0, *(lanes.size for lanes in hands)], dtype=np.int64),
        counts=np.concatenate(counts),
        above=np.concatenate(above),
        hands=deck.hands[np.concatenate(hands)],
        stabilisers=stabilisers,
        permutations=deck.permutations,
        copies=deck.copies,
    )


class _Suited:
    """A deck of distinct cards, and its symmetries."""

    copies = 1

    def __init__(self, permutations: Ints, hole: int, allowed: Flags | None = None) -> None:
        self.permutations = permutations
        self._allowed = allowed
        self._place = places(permutations.shape[1])
        self._sets = cache(partial(CardSets, permutations))
        self._holes = self._sets(hole)
        self.hands = self._holes.cards

    def deal(self, board: Cards, group: Group, count: int) -> Iterator[tuple[Cards, int, Group]]:
        sets = self._sets(count)
        orbits = sets.orbits(group)
        for number in sets.avoiding(self._bits(board), orbits):
            cards = sets.cards[number]
            yield (
                tuple(cards.tolist()),
                int(orbits.sizes[number]),
                self._fixing(group, cards, int(sets.bits[number])),
            )

    def lanes(self, board: Cards, group: Group) -> tuple[Indices, Ints]:
        orbits = self._holes.orbits(group)
        lanes = self._holes.avoiding(self._bits(board), orbits)
        if self._allowed is not None:
            lanes = lanes[self._allowed[lanes] != 0]
        return lanes, orbits.sizes[lanes]

    def fixing(self, group: Group, cards: Cards) -> Group:
        return self._fixing(group, np.array(cards, np.int32), self._bits(cards))

    def representatives(self, group: Group) -> Indices:
        return self._holes.orbits(group).smallest

    def _bits(self, cards: Cards) -> int:
        return int(self._place[list(cards)].sum())

    def _fixing(self, group: Group, cards: Indices, bits: int) -> Group:
        if len(group) == 1:
            return group
        rows = np.array(group)
        images = self._place[self.permutations[rows[:, None], cards]].sum(axis=1)
        return tuple(rows[images == bits].tolist())


class _Folded:
    """A deck of equal copies of every kind; a hand is one kind."""

    def __init__(self, kinds: int, copies: int, allowed: Flags | None = None) -> None:
        self.copies = copies
        self._allowed: Flags = np.ones(kinds, np.uint8) if allowed is None else allowed
        self.permutations: Ints = np.arange(kinds)[None]
        self.hands: Indices = np.arange(kinds, dtype=np.int32)[:, None]

    def deal(self, board: Cards, group: Group, count: int) -> Iterator[tuple[Cards, int, Group]]:
        left = self._left(board).tolist()
        for kinds in combinations_with_replacement(range(len(left)), count):
            ways = prod(comb(left[kind], taken) for kind, taken in Counter(kinds).items())
            if ways:
                yield kinds, ways, group

    def lanes(self, board: Cards, group: Group) -> tuple[Indices, Ints]:
        left = self._left(board)
        lanes = np.flatnonzero(left * (self._allowed != 0))
        return lanes.astype(np.int32), left[lanes]

    def fixing(self, group: Group, cards: Cards) -> Group:
        return group

    def representatives(self, group: Group) -> Indices:
        kinds: Indices = self.hands[:, 0]
        return kinds

    def _left(self, board: Cards) -> Ints:
        dealt = np.bincount(np.array(board, dtype=np.int64), minlength=len(self.hands))
        left: Ints = self.copies - dealt
        return left


def _smallest(rows: Ints, group: Group, cards: Ints) -> tuple[Cards, int]:
    """The smallest image of cards under a group, and a permutation that maps to it."""
    return min((tuple(sorted(rows[row][cards].tolist())), row) for row in group)


def _checked(cards: Sequence[int], rows: Ints) -> Ints:
    for card in cards:
        within("card", card, 0, rows.shape[1] - 1)
    return np.array(cards, dtype=np.int64)
