"""One-on-one: what a strategy over buckets wins from another, by sampled boards.

On every board the whole betting is traversed for all hands of both players at once, from both seats
(Moravčík 2014, section 5.4, with the linear-time sums of Johanson et al. 2012). So only boards are
sampled, and what the two seats have in common cancels.

`histories` samples the betting as well: on every board so many answers are drawn. An answer is what
a player does after the other's last action of a round, as far as it ends the hand. It is drawn
about as often as it is played, times the chips at stake, and weighted by the inverse of its
probability. Differs from Moravčík 2014, who samples by the ranges on the board: here probabilities
are means over a few boards, mixed with a uniform distribution, so that all answers of a board are
drawn at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import whole
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.meeting import SEATS, BoardHands, Meeting, Seats
from regretless.evaluation.winnings import Winnings
from regretless.kernels.compiled import announced
from regretless.kernels.lanes import WIDE
from regretless.kernels.one_on_one import Answers, Folds, Round, Seat, Singles
from regretless.strategy.translation import Translation

PILOT = 24  # boards whose play decides how often answers are drawn
_UNIFORM = 0.1  # share of the draws that ignores the pilot

Chosen = Callable[[int, Round, Seats], tuple[Round, Seats]]


class Histories:
    """Draws answers, each about as often as it is played, times what is at stake."""

    def __init__(self, meeting: Meeting, count: int, pilots: Sequence[np.random.Generator]) -> None:
        self.count, self.meeting = count, meeting
        weights: list[Floats] = [np.zeros(1)] * len(meeting.seatings)
        for draws in pilots:
            hands = BoardHands(meeting, [meeting.dealt(draws)])
            for seating in range(len(weights)):
                weights[seating] = weights[seating] + _stakes(hands, seating)
        self.chances = [_mixed(one) for one in weights]

    def drawer(self, draws: np.random.Generator) -> Callable[[int], Chosen]:
        """Draws the answers of one board."""
        return lambda seating: self._draw(seating, draws)

    def _draw(self, seating: int, draws: np.random.Generator) -> Chosen:
        chances = self.chances[seating]
        counts = draws.multinomial(self.count, chances)
        weights = np.divide(
            counts, self.count * chances, where=counts > 0, out=np.zeros(len(counts))
        )
        rounds, begin = list[list[Floats]](), 0
        for round in self.meeting.seatings[seating].rounds:
            rounds.append([])
            for part in _parts(round):
                size = part.block.size * WIDE
                rounds[-1].append(weights[begin : begin + size])
                begin += size
        return lambda number, round, seats: _chosen(round, seats, rounds[number])


def _parts(round: Round) -> list[Answers | Folds]:
    return [round.second_answers, round.first_answers, round.folds]


def _tables(part: Answers | Folds) -> tuple[Singles, ...]:
    if isinstance(part, Folds):
        return part.first, part.second
    return part.waiting, part.shown, part.apart


def _chosen(round: Round, seats: Seats, weights: list[Floats]) -> tuple[Round, Seats]:
    """Only the answers with a weight, in full tiles, and the reach they need."""
    blocks, slots = 0, list[Ints]()
    parts = list[tuple[Ints, list[Singles]]]()
    for part, weight in zip(_parts(round), weights, strict=True):
        picked = np.flatnonzero(weight)
        padded = np.zeros(-(-len(picked) // WIDE) * WIDE, np.int64)
        padded[: len(picked)] = picked
        factors = np.zeros(len(padded), np.float32)
        factors[: len(picked)] = weight[picked]
        tables = [_picked(table, padded) for table in _tables(part)]
        for table in tables[1:]:  # one player's tables hold the payments
            table *= factors.reshape(-1, 1, WIDE)
        tiles = len(padded) // WIDE
        parts.append((np.arange(blocks, blocks + tiles), tables))
        slots.append(part.block[padded // WIDE] * WIDE + padded % WIDE if tiles else padded)
        blocks += tiles
    second, first, folds = parts
    ends = Answers(second[0], *second[1]), Answers(first[0], *first[1]), Folds(folds[0], *folds[1])
    columns = np.concatenate(slots)
    found_seats = [Seat(_picked(one.reach[0], columns)[None], one.bucket) for one in seats]
    return Round(*round[:3], *ends), (found_seats[0], found_seats[1])


def _picked(table: Singles, columns: npt.NDArray[np.int64]) -> Singles:
    """Columns of tiles as tiles, likewise slots of blocks as blocks."""
    if not len(columns):
        return table[:0]
    picked = table[columns // WIDE, :, columns % WIDE]  # [column, bucket]
    return np.ascontiguousarray(picked.reshape(-1, WIDE, table.shape[1]).transpose(0, 2, 1))


def _stakes(hands: BoardHands, seating: int) -> Floats:
    """[answer] how likely it is on this board, about, times the chips at stake."""
    stakes = [np.zeros(0)]
    for round, (first, second) in hands.rounds(seating):
        for answers, wait, answer in (
            (round.second_answers, first, second),
            (round.first_answers, second, first),
        ):
            for tile, block in enumerate(answers.block):
                shown, apart = answers.shown[tile], answers.apart[tile]
                stake = _mean(answer, np.abs(shown) + np.abs(apart + shown), block)
                stakes.append(stake * _mean(wait, answers.waiting[tile], block))
        for tile, block in enumerate(round.folds.block):
            mine, theirs = round.folds.first[tile], round.folds.second[tile]
            stakes.append(_mean(first, np.abs(mine), block) * _mean(second, np.abs(theirs), block))
    return np.concatenate(stakes)


def _mean(seat: Seat, table: Singles, block: int) -> Floats:
    """[lane] the mean over hands of the only board."""
    return np.asarray((seat.reach[0, block] * table[seat.bucket[0]]).mean(axis=0))


def _mixed(weights: Floats) -> Floats:
    live = weights > 0  # answers without a stake pay nothing
    mixed = (1 - _UNIFORM) * weights / weights.sum() + _UNIFORM * live / live.sum()
    return np.asarray(mixed / mixed.sum())


MOST_BOARDS = 10**9
MOST_SEED = 2**63 - 1
_CHUNK = 16  # boards of a thread between two checks for Ctrl-C
_BOARDS, _PILOTS = range(2)  # streams of random numbers


@dataclass(frozen=True, kw_only=True)
class OneOnOne(Winnings):
    """What the first strategy wins, in chips per hand."""

    boards: int
    ends: int  # of the betting, in both seatings

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return self.winnings(boards=self.boards, ends=self.ends)

    def __str__(self) -> str:
        mean, half_width = self.mbb
        return f"{mean:+.2f} ± {half_width:.2f} {self.unit.name} ({self.boards:,} boards)"


def one_on_one(
    first: BucketStrategy,
    second: BucketStrategy,
    *,
    boards: int = 1000,
    histories: int | None = None,
    seed: int = 0,
    threads: int = 1,
    translation: Translation | None = None,
    listen: Listener = nobody,
) -> OneOnOne:
    """What the first strategy wins from the second over this many boards, from both seats.

    `histories`: answers drawn per board and seat; by default all are traversed."""
    boards = whole("boards", boards, 2, MOST_BOARDS)
    threads = whole("threads", threads, 1, 256)
    whole("seed", seed, 0, MOST_SEED)
    with announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))):
        listen(Progress("joining the betting trees"))
        meeting = Meeting(first, second, translation)
        sampled = None
        if histories is not None:
            count = whole("histories", histories, 1, 10**9)
            pilots = [_generator(seed, _PILOTS, number) for number in range(PILOT)]
            sampled = Histories(meeting, count, pilots)
        values = _sampled(meeting, sampled, boards, seed, threads, listen)
    sizes = {"boards": len(values), "ends": meeting.ends}
    return OneOnOne.of(values, meeting.rules, asked=boards, **sizes)


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
        numbers = range(begin, min(begin + _CHUNK, boards))
        streams = [_generator(seed, _BOARDS, number) for number in numbers]
        dealt = [meeting.dealt(draws) for draws in streams]
        if histories is None:
            values[numbers] = meeting.values_of(dealt)
            return
        for number, draws, board in zip(numbers, streams, dealt, strict=True):
            values[number] = meeting.values(board, histories.drawer(draws))

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
