"""Two strategies over buckets at one table, on any board, for all hands of both at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from math import comb
from threading import local
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import WrongGame
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.joint_betting import JointBetting
from regretless.evaluation.table_cards import TableCards
from regretless.kernels.lanes import WIDE, zeros
from regretless.kernels.one_on_one import (
    ROWS,
    Boards,
    Entries,
    Round,
    Scratch,
    Seat,
    Singles,
    begin_round,
    new_scratch,
    pay_round,
)
from regretless.strategy.translation import Translation

SEATS = 2
MOST_TOGETHER = 8  # boards: their reach should fit in the last cache beside the tables of a tile
TOGETHER_BYTES = 2**26  # of reach, for large trees

Dealt = tuple[tuple[int, ...], ...]  # new cards of every round
Seats = tuple[Seat, Seat]
Values = tuple[float, float]
# Of a seating: of a round and its players, some of its ends and what the players bring to them.
Draw = Callable[[int], Callable[[int, Round, Seats], tuple[Round, Seats]]]


class Meeting:
    """Two strategies, ready to meet on any board."""

    def __init__(
        self, first: BucketStrategy, second: BucketStrategy, translation: Translation | None = None
    ) -> None:
        seatings = ((first, second), (second, first))
        self.seatings = tuple(JointBetting(seats, translation) for seats in seatings)
        self.rules = self.seatings[0].table
        for one in (first, second):
            one.map.require(self.rules)
        if first.map.deal != second.map.deal:
            raise WrongGame("one-on-one: the maps belong to different decks")
        self.maps = first.map, second.map
        self.cards = TableCards(self.rules)
        left = self.cards.deck - self.cards.shown
        hole = self.rules.hole
        self.pairs = comb(left, hole) * comb(left - hole, hole)
        self.first_buckets = _first_buckets(self.maps)
        self._kept = local()

    @property
    def ends(self) -> int:
        """How many ways a hand can end, over both seatings."""
        return sum(one.ends for one in self.seatings)

    def dealt(self, draws: np.random.Generator) -> Dealt:
        """A random board."""
        cards = draws.permutation(self.cards.deck)[: self.cards.shown].tolist()
        return tuple(tuple(part) for part in self.maps[0].split(cards))

    def values(self, dealt: Dealt, draw: Draw | None = None) -> tuple[float, float]:
        """[position of the first strategy] what it wins per hand on this board; `draw` chooses
        ends of a seating, otherwise the whole betting is traversed."""
        return self._values([dealt], draw)[0]

    def values_of(self, boards: Sequence[Dealt]) -> list[tuple[float, float]]:
        """The same of several boards, with the whole betting: faster than one by one."""
        together, values = self.room().boards, list[tuple[float, float]]()
        for begin in range(0, len(boards), together):
            values += self._values(boards[begin : begin + together])
        return values

    def _values(self, boards: Sequence[Dealt], draw: Draw | None = None) -> list[Values]:
        hands = BoardHands(self, boards)
        first, second = (hands.values(seating, draw) / self.pairs for seating in range(SEATS))
        return list(zip(first.tolist(), (-second).tolist(), strict=True))

    def room(self) -> _Room:
        """One per thread."""
        if not hasattr(self._kept, "room"):
            self._kept.room = _Room(self)
        room: _Room = self._kept.room
        return room


class _Room:
    """Memory for some boards at a time."""

    def __init__(self, meeting: Meeting) -> None:
        hands = meeting.cards.hands_left
        self.scratch: Scratch = new_scratch(hands, meeting.cards.deck)
        sizes = [[one.source.size for one in betting.rounds] for betting in meeting.seatings]
        bytes = 2 * 4 * hands * max(map(sum, sizes))
        self.boards = min(max(TOGETHER_BYTES // bytes, 1), MOST_TOGETHER)
        # Both seatings use the same memory, one after the other.
        longest = [max(slots) for slots in zip_longest(*sizes, fillvalue=0)]
        rows = [[zeros(self.boards * hands * slots) for _ in range(SEATS)] for slots in longest]
        self.reach = [  # [seating][round][position]
            [
                tuple(_blocks(one, self.boards, slots, hands) for one in two)
                for two, slots in zip(rows, each, strict=False)
            ]
            for each in sizes
        ]


def _blocks(numbers: Singles, boards: int, slots: int, hands: int) -> Singles:
    """[board, block, hand, lane]"""
    return numbers[: boards * slots * hands].reshape(boards, slots // WIDE, hands, WIDE)


class BoardHands:
    """All hands on some boards, from weak to strong."""

    def __init__(self, meeting: Meeting, boards: Sequence[Dealt]) -> None:
        self.meeting, self.room = meeting, meeting.room()
        cards, hole = meeting.cards, meeting.rules.hole
        orders, ends = list[Ints](), list[Ints]()
        for dealt in boards:
            strengths = cards.strengths(tuple(sorted(card for part in dealt for card in part)))
            order = np.argsort(strengths, kind="stable")[-cards.hands_left :]
            ranked = strengths[order]
            orders.append(order)
            ends.append(np.append(np.flatnonzero(np.diff(ranked)) + 1, len(ranked)))
        most = max(map(len, ends))
        held = ROWS * cards.hands[np.stack(orders)].astype(np.uint32)
        low, high = held[:, :, 0].copy(), held[:, :, -1].copy()
        if hole == 1:
            high[:] = ROWS * cards.deck
        other = high if hole == 2 else high + np.uint32(ROWS)
        groups = np.stack([np.pad(one, (0, most - len(one)), mode="edge") for one in ends])
        self.boards = Boards(low, high, other, groups, cards.deck, hole)
        each = [list(_buckets(meeting, *one)) for one in zip(boards, orders, strict=True)]
        self.buckets = [  # [strategy][round][board, hand]
            [np.stack(same) for same in zip(*strategy, strict=True)]
            for strategy in zip(*each, strict=True)
        ]

    def values(self, seating: int, draw: Draw | None = None) -> Floats:
        """[board] what position 0 wins, summed over all pairs of hands."""
        totals = np.zeros(len(self.boards.low))
        chosen = draw(seating) if draw is not None else None
        for number, (round, seats) in enumerate(self.rounds(seating)):
            some, their_seats = chosen(number, round, seats) if chosen else (round, seats)
            pay_round(self.boards, their_seats, some, self.room.scratch, totals)
        return totals

    def rounds(self, seating: int) -> Iterator[tuple[Round, Seats]]:
        """Every round, with what both players bring to it."""
        before = self._seats(seating, 0)
        for seat in before:
            seat.reach.fill(1)  # the first round has a single beginning
        for number, round in enumerate(self.meeting.seatings[seating].rounds):
            seats = self._seats(seating, number)
            if number:
                begin_round(before, seats, round)
            yield round, seats
            before = seats

    def _seats(self, seating: int, round: int) -> Seats:
        count = len(self.boards.low)
        first, second = self.buckets if seating == 0 else self.buckets[::-1]
        mine, theirs = self.room.reach[seating][round]
        return Seat(mine[:count], first[round]), Seat(theirs[:count], second[round])


Maps = dict[tuple[str, ...], Indices]  # [digests of rounds, as far as they matter][hand] buckets


def _first_buckets(maps: tuple[HandMap, HandMap]) -> Maps:
    """The first round of both maps, for all hands, if no card is shown: the same on any board."""
    if maps[0].deal.shown(0):
        return {}
    none = np.empty(0, np.uint8)
    firsts = [one.rounds[0] for one in maps]
    return {("0", one.digest): one.of(maps[0].deal.hands, none) for one in firsts}


def _buckets(
    meeting: Meeting, dealt: Dealt, order: np.ndarray[Any, Any]
) -> Iterator[list[Entries]]:
    """[strategy][round][hand] buckets; rounds that both maps share are looked up once."""
    maps = meeting.maps
    known: Maps = {key: buckets[order] for key, buckets in meeting.first_buckets.items()}
    hands = np.ascontiguousarray(maps[0].deal.hands[order])
    board = np.array([card for part in dealt for card in part], np.uint8)
    for one in maps:
        buckets: list[Indices] = []
        digests: tuple[str, ...] = ()
        for number, round in enumerate(one.rounds):
            digests = (*digests, round.digest) if round.remembers else (str(number), round.digest)
            if digests not in known:
                shown = board[: one.deal.shown(number)]
                known[digests] = round.of(hands, shown, buckets[-1] if buckets else None)
            buckets.append(known[digests])
        yield [one.astype(np.uint32) for one in buckets]
