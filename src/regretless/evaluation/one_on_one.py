"""One-on-one: what a strategy over buckets wins from another, by sampled boards.

On every board the whole betting is traversed for all hands of both players at once, from both seats
(Moravčík 2014, section 5.4, with the linear-time sums of Johanson et al. 2012). So only boards are
sampled, and what the two seats have in common cancels. `histories` samples the betting as well."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import whole
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.drawn_answers import PILOT, Histories
from regretless.evaluation.meeting import SEATS, Meeting
from regretless.evaluation.winnings import Winnings
from regretless.kernels.compiled import announced
from regretless.strategy.translation import Translation

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
