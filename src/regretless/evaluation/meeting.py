"""Two strategies over buckets at one table, on any board, for all hands of both at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb
from threading import local
from typing import Any

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Indices
from regretless.core.errors import WrongGame
from regretless.evaluation.bucket_play import BucketPlay
from regretless.evaluation.joint_betting import JointBetting
from regretless.evaluation.table_cards import TableCards
from regretless.kernels.lanes import WIDE, zeros
from regretless.kernels.one_on_one import (
    ROWS,
    Board,
    Entries,
    Round,
    Scratch,
    Seat,
    Singles,
    begin_round,
    new_scratch,
    pay_round,
    play_round,
)
from regretless.strategy.translation import Translation

SEATS = 2

Dealt = tuple[tuple[int, ...], ...]  # new cards of every round
Seats = tuple[Seat, Seat]
# Of a seating: of a round and its players, some of its ends and what the players bring to them.
Draw = Callable[[int], Callable[[int, Round, Seats], tuple[Round, Seats]]]


class Meeting:
    """Two strategies, ready to meet on any board."""

    def __init__(
        self, first: BucketPlay, second: BucketPlay, translation: Translation | None = None
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
        hands = BoardHands(self, dealt)
        found = []
        for seating in range(SEATS):
            value = hands.value(seating, draw) / self.pairs
            found.append(value if seating == 0 else -value)
        return found[0], found[1]

    def room(self) -> _Room:
        """One per thread."""
        if not hasattr(self._kept, "room"):
            self._kept.room = _Room(self)
        room: _Room = self._kept.room
        return room


class _Room:
    """Memory for one board at a time."""

    def __init__(self, meeting: Meeting) -> None:
        hands = comb(meeting.cards.deck - meeting.cards.shown, meeting.rules.hole)
        self.scratch: Scratch = new_scratch(hands, meeting.cards.deck)
        self.start = Seat(np.ones((hands, 1), np.float32), np.zeros(hands, np.uint32))
        self.reach: list[list[tuple[Singles, Singles]]] = [  # [seating][round][position]
            [
                (_empty(hands, round.source.size), _empty(hands, round.source.size))
                for round in betting.rounds
            ]
            for betting in meeting.seatings
        ]


def _empty(hands: int, slots: int) -> Singles:
    """The numbers of a hand take an odd number of cache lines: columns of slots then spread over
    the whole cache."""
    found: Singles = zeros(hands, (slots // WIDE | 1) * WIDE)
    return found


class BoardHands:
    """All hands on one board, from weak to strong."""

    def __init__(self, meeting: Meeting, dealt: Dealt) -> None:
        cards, hole = meeting.cards, meeting.rules.hole
        whole_board = tuple(sorted(card for part in dealt for card in part))
        strengths = cards.strengths(whole_board)
        order = np.argsort(strengths, kind="stable")
        order = order[np.searchsorted(strengths[order], 0) :]
        self.meeting, self.room = meeting, meeting.room()
        ranked = strengths[order]
        ends = np.append(np.flatnonzero(np.diff(ranked)) + 1, len(ranked))
        held = ROWS * cards.hands[order].astype(np.uint32)
        low, high = held[:, 0].copy(), held[:, -1].copy()
        if hole == 1:
            high[:] = ROWS * cards.deck
        other = high if hole == 2 else high + np.uint32(ROWS)
        self.board = Board(low, high, other, ends.astype(np.int64), cards.deck, hole)
        self.buckets = tuple(_buckets(meeting, dealt, order))

    def value(self, seating: int, draw: Draw | None = None) -> float:
        """What position 0 wins, summed over all pairs of hands."""
        if draw is not None:
            chosen, total = draw(seating), 0.0
            for number, (round, seats) in enumerate(self.rounds(seating)):
                some, their_seats = chosen(number, round, seats)
                total += pay_round(self.board, their_seats, some, self.room.scratch)
            return total
        total, before = 0.0, (self.room.start, self.room.start)
        for number, round in enumerate(self.meeting.seatings[seating].rounds):
            seats = self._seats(seating, number)
            total += play_round(self.board, before, seats, round, self.room.scratch)
            before = seats
        return total

    def rounds(self, seating: int) -> Iterator[tuple[Round, Seats]]:
        """Every round, with what both players bring to it."""
        before = self.room.start, self.room.start
        for number, round in enumerate(self.meeting.seatings[seating].rounds):
            seats = self._seats(seating, number)
            begin_round(before, seats, round)
            yield round, seats
            before = seats

    def _seats(self, seating: int, round: int) -> Seats:
        first, second = self.buckets if seating == 0 else self.buckets[::-1]
        reach = self.room.reach[seating][round]
        return Seat(reach[0], first[round]), Seat(reach[1], second[round])


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
    known: Maps = {key: found[order] for key, found in meeting.first_buckets.items()}
    hands = np.ascontiguousarray(maps[0].deal.hands[order])
    board = np.array([card for part in dealt for card in part], np.uint8)
    for one in maps:
        found: list[Indices] = []
        digests: tuple[str, ...] = ()
        for number, round in enumerate(one.rounds):
            digests = (*digests, round.digest) if round.remembers else (str(number), round.digest)
            if digests not in known:
                shown = board[: one.deal.shown(number)]
                known[digests] = round.of(hands, shown, found[-1] if found else None)
            found.append(known[digests])
        yield [one.astype(np.uint32) for one in found]
