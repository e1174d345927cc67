"""One-on-one: what a strategy over buckets wins from another, by sampled boards.

On every board the whole betting is traversed for all hands of both players at once, from both seats
(Moravčík 2014, section 5.4, with the linear-time sums of Johanson et al. 2012). So only boards are
sampled, and what the two seats have in common cancels.

`histories` samples the betting as well: on every board so many ends of the hand are drawn, each
about as often as it is played, and weighted by the inverse of its probability. Differs from the
document, which samples by the ranges on the board: here probabilities are means over a few boards,
mixed with a uniform distribution, so that all ends of a board are drawn at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from threading import local
from typing import Any, NamedTuple

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.errors import WrongGame, whole
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.bucket_play import BucketPlay
from regretless.evaluation.joint_betting import FOLD, ONWARD, SHOWDOWN, Columns, JointBetting
from regretless.evaluation.statistics import CONFIDENCE_95, standard_error
from regretless.evaluation.table_cards import TableCards
from regretless.evaluation.winnings import Winnings
from regretless.kernels.compiled import announced
from regretless.kernels.one_on_one import (
    LANES,
    Board,
    Entries,
    Scratch,
    Side,
    Singles,
    folds,
    new_scratch,
    pass_on,
    showdowns,
)
from regretless.strategy.translation import Translation

SEATS = 2
MOST_BOARDS = 10**9
MOST_SEED = 2**63 - 1
_CHUNK = 16  # boards of a thread between two checks for Ctrl-C
_PILOT = 24  # boards whose play decides how often ends are drawn
_UNIFORM = 0.1  # share of the draws that ignores the pilot

_WIDE = 4096  # columns of a pilot board at a time
_BOARDS, _PILOTS = range(2)  # streams of random numbers

Dealt = tuple[tuple[int, ...], ...]  # new cards of every round


@dataclass(frozen=True)
class OneOnOne(Winnings):
    """What the first strategy wins, in chips per hand."""

    mean: float
    half_width: float  # of the 95 % confidence interval
    seats: tuple[float, float]  # mean by position of the first strategy
    boards: int
    ends: int  # of the betting, in both seatings
    big_blind: float
    interrupted: bool = False

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return self.winnings(boards=self.boards, ends=self.ends)

    def __str__(self) -> str:
        mean, half_width = self.mbb
        return f"{mean:+.2f} ± {half_width:.2f} mbb/h ({self.boards:,} boards)"


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
        hands = _Hands(self, dealt)
        found = []
        for seating, betting in enumerate(self.seatings):
            buckets = hands.buckets if seating == 0 else hands.buckets[::-1]
            value = hands.value(betting, buckets, draw(seating) if draw else None) / self.pairs
            found.append(value if seating == 0 else -value)
        return found[0], found[1]

    def scratch(self) -> Scratch:
        """One per thread."""
        if not hasattr(self._kept, "scratch"):
            hands = comb(self.cards.deck - self.cards.shown, self.rules.hole)
            self._kept.scratch = new_scratch(hands, self.cards.deck)
        scratch: Scratch = self._kept.scratch
        return scratch


class Drawn(NamedTuple):
    """Ends that were drawn, by round and kind, and their weights."""

    columns: Sequence[Sequence[Ints]]
    weights: Sequence[Sequence[Floats]]


Draw = Callable[[int], Drawn]  # of a seating


class _Hands:
    """All hands on one board, from weak to strong."""

    def __init__(self, meeting: Meeting, dealt: Dealt) -> None:
        cards, hole = meeting.cards, meeting.rules.hole
        whole_board = tuple(sorted(card for part in dealt for card in part))
        strengths = cards.strengths(whole_board)
        order = np.argsort(strengths, kind="stable")
        order = order[np.searchsorted(strengths[order], 0) :]
        self.scratch, self.order = meeting.scratch(), order
        ranked = strengths[order]
        ends = np.append(np.flatnonzero(np.diff(ranked)) + 1, len(ranked))
        held = cards.hands[order].astype(np.uint32)
        low, high = held[:, 0].copy(), held[:, -1].copy()
        if hole == 1:
            high[:] = cards.deck
        other = high if hole == 2 else high + np.uint32(1)
        self.board = Board(low, high, other, ends.astype(np.int64), cards.deck, hole)
        self.buckets = tuple(_buckets(meeting.maps, dealt, order))

    def value(
        self, betting: JointBetting, buckets: Sequence[list[Entries]], drawn: Drawn | None
    ) -> float:
        """What position 0 wins, summed over all pairs of hands."""
        total = 0.0
        for number, (kinds, sides) in enumerate(self.rounds(betting, buckets)):
            for kind, pay in ((SHOWDOWN, showdowns), (FOLD, folds)):
                columns = kinds[kind]
                if drawn is not None:
                    columns = _chosen(columns, drawn, number, kind)
                if columns.entry.size:
                    first, second = sides(columns)
                    given = columns.entry, columns.pays, self.scratch
                    total += pay(self.board, first, second, *given)
        return total

    def rounds(
        self, betting: JointBetting, buckets: Sequence[list[Entries]]
    ) -> Iterator[tuple[Sequence[Columns], Callable[[Columns], list[Side]]]]:
        """The ends of every round, and what both players bring to columns of it."""
        reach = [np.ones((len(self.order), 1), np.float32) for _ in range(SEATS)]
        for number, kinds in enumerate(betting.rounds):
            mine = [one[number] for one in buckets]

            def sides(
                columns: Columns, reach: list[Singles] = reach, mine: list[Entries] = mine
            ) -> list[Side]:
                return [Side(reach[p], mine[p], columns.tables[p]) for p in range(SEATS)]

            yield kinds, sides
            onward = kinds[ONWARD]
            if not onward.entry.size:
                return
            reach = [self._passed(side, onward.entry) for side in sides(onward)]

    def _passed(self, side: Side, entry: Entries) -> Singles:
        out = np.empty((len(self.order), entry.size), np.float32)
        pass_on(side, entry, out)
        return out


def _buckets(
    maps: tuple[HandMap, HandMap], dealt: Dealt, order: np.ndarray[Any, Any]
) -> Iterator[list[Entries]]:
    """[strategy][round][hand] buckets; rounds that both maps share are looked up once."""
    known: dict[tuple[str, ...], Indices] = {}
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


def _chosen(columns: Columns, drawn: Drawn, round: int, kind: int) -> Columns:
    """Only the columns that were drawn, filled up to full lanes."""
    chosen, weights = drawn.columns[round][kind], drawn.weights[round][kind]
    wide = -(-len(chosen) // LANES) * LANES
    padded, pays = np.zeros(wide, np.int64), np.zeros(wide)
    padded[: len(chosen)] = chosen
    pays[: len(chosen)] = columns.pays[chosen] * weights
    first, second = (np.ascontiguousarray(table[:, padded]) for table in columns.tables)
    return Columns(columns.entry[padded], pays, (first, second))


class Histories:
    """Draws ends of the betting, each about as often as it is played, times what is at stake."""

    def __init__(self, meeting: Meeting, count: int, seed: int) -> None:
        self.count, self.meeting = count, meeting
        self._sizes = [
            [[kinds[kind].entry.size for kind in (SHOWDOWN, FOLD)] for kinds in one.rounds]
            for one in meeting.seatings
        ]
        weights = [np.zeros(sum(map(sum, sizes))) for sizes in self._sizes]
        for number in range(_PILOT):
            hands = _Hands(meeting, meeting.dealt(_generator(seed, _PILOTS, number)))
            for seating, betting in enumerate(meeting.seatings):
                buckets = hands.buckets if seating == 0 else hands.buckets[::-1]
                weights[seating] += _stakes(hands, betting, buckets)
        self.chances = [_mixed(one) for one in weights]

    def drawer(self, draws: np.random.Generator) -> Draw:
        """Draws the ends of one board."""
        return lambda seating: self._draw(seating, draws)

    def _draw(self, seating: int, draws: np.random.Generator) -> Drawn:
        chances = self.chances[seating]
        counts = draws.multinomial(self.count, chances)
        columns, weights, begin = list[list[Ints]](), list[list[Floats]](), 0
        for sizes in self._sizes[seating]:
            columns.append([])
            weights.append([])
            for size in sizes:
                part = slice(begin, begin + size)
                chosen = np.flatnonzero(counts[part])
                columns[-1].append(chosen)
                weights[-1].append(counts[part][chosen] / (self.count * chances[part][chosen]))
                begin += size
        return Drawn(columns, weights)


def _stakes(hands: _Hands, betting: JointBetting, buckets: Sequence[list[Entries]]) -> Floats:
    """[end] how likely it is on this board, about, times the chips at stake."""
    found = []
    for kinds, sides in hands.rounds(betting, buckets):
        for kind in (SHOWDOWN, FOLD):
            columns = kinds[kind]
            mass = np.abs(columns.pays)
            for reach, bucket, table in sides(columns):
                mass = mass * _means(reach, columns.entry, table, bucket)
            found.append(mass)
    missing = sum(k.entry.size for kinds in betting.rounds for k in kinds[:ONWARD])
    flat = np.concatenate(found)
    return np.append(flat, np.zeros(missing - flat.size))


def _means(reach: Singles, entry: Entries, table: Singles, bucket: Entries) -> Floats:
    """[column] the mean reach over hands."""
    parts = [np.zeros(0)]
    for begin in range(0, entry.size, _WIDE):
        part = slice(begin, begin + _WIDE)
        parts.append((reach[:, entry[part]] * table[bucket][:, part]).mean(axis=0))
    return np.concatenate(parts)


def _mixed(weights: Floats) -> Floats:
    live = weights > 0  # ends without a stake pay nothing
    mixed = (1 - _UNIFORM) * weights / weights.sum() + _UNIFORM * live / live.sum()
    found: Floats = mixed / mixed.sum()
    return found


def one_on_one(
    first: BucketPlay,
    second: BucketPlay,
    *,
    boards: int = 1000,
    histories: int | None = None,
    seed: int = 0,
    threads: int = 1,
    translation: Translation | None = None,
    listen: Listener = nobody,
) -> OneOnOne:
    """What the first strategy wins from the second over this many boards, from both seats.

    `histories`: ends of the betting drawn per board and seat; by default all are traversed."""
    boards = whole("boards", boards, 2, MOST_BOARDS)
    threads = whole("threads", threads, 1, 256)
    whole("seed", seed, 0, MOST_SEED)
    with announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))):
        listen(Progress("joining the betting trees"))
        meeting = Meeting(first, second, translation)
        sampled = None
        if histories is not None:
            sampled = Histories(meeting, whole("histories", histories, 1, 10**9), seed)
        values = _sampled(meeting, sampled, boards, seed, threads, listen)
    both = values.mean(axis=1)
    seats = values.mean(axis=0).tolist()
    return OneOnOne(
        mean=float(both.mean()),
        half_width=CONFIDENCE_95 * standard_error(both),
        seats=(seats[0], seats[1]),
        boards=len(values),
        ends=meeting.ends,
        big_blind=float(max(meeting.rules.blinds)),
        interrupted=len(values) < boards,
    )


def _sampled(
    meeting: Meeting,
    histories: Histories | None,
    boards: int,
    seed: int,
    threads: int,
    listen: Listener,
) -> Floats:
    """[board, position of the first strategy] winnings; Ctrl-C keeps the boards that are done."""
    values = np.zeros((boards, SEATS))

    def play(begin: int) -> None:
        for number in range(begin, min(begin + _CHUNK, boards)):
            draws = _generator(seed, _BOARDS, number)
            dealt = meeting.dealt(draws)
            values[number] = meeting.values(dealt, histories.drawer(draws) if histories else None)

    chunks, done = range(0, boards, _CHUNK), 0
    with interrupts() as asked, ThreadPoolExecutor(threads) as pool:
        for begin in range(0, len(chunks), threads):
            if asked() and done >= SEATS:
                break
            part = chunks[begin : begin + threads]
            list(pool.map(play, part))
            done = min(part[-1] + _CHUNK, boards)
            listen(Progress("comparing on boards", done=done / boards))
    return values[:done]


def _generator(seed: int, stream: int, number: int) -> np.random.Generator:
    return np.random.default_rng([seed, stream, number])
