"""Two strategies on one board, for all hands of both: what the whole betting pays.

After its last action of a round a player waits (x), and the other answers: it folds (f), or hands
are shown (c). These ends pay c S x + f D x, if S is 1 for a better hand of who answers and -1 for a
worse one, and D is 1 for hands that share no card. S is "weaker" plus "weaker or equal" minus D: so
an answer is two rows, `shown` (c) and `apart` (f - c), both times what is paid, and only the sums
of x run along with the hands from weak to strong, in all and by card. A board takes time linear
in hands and answers.

Answers are columns, `LANES` at a time: a tile. A row is the reach of slots times a row of a table,
which has one per bucket. A slot is a beginning of the round, and a tile reads adjacent slots."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Ints
from regretless.kernels.compiled import apart, lean

LANES = 32  # columns at a time: their sums by card fit in a core's first cache
Singles: TypeAlias = npt.NDArray[np.float32]
Entries: TypeAlias = npt.NDArray[np.uint32]  # unsigned, so that no index is checked for its sign


class Board(NamedTuple):
    """The hands on a board, from weak to strong. Of one hole card, `high` is a row of sums that
    nobody reads, and `other` one that stays 0."""

    low: Entries  # [hand] its first card
    high: Entries  # its second card, where sums are added
    other: Entries  # its second card, where sums are read
    ends: Ints  # of groups of equal hands
    deck: int
    hole: int


class Seat(NamedTuple):
    """One player in one round of one board."""

    reach: Singles  # [hand, slot]
    bucket: Entries  # [hand]


class Answers(NamedTuple):
    """Ends of a round after one player's last action. All tables are [tile, bucket, lane]."""

    slot: Ints  # [tile] its first slot
    waiting: Singles
    shown: Singles  # times what position 0 gets if the answer wins the showdown
    apart: Singles  # folds, times what position 0 gets, minus `shown`


class Folds(NamedTuple):
    """Ends of a round by a fold where the other answers go on."""

    slot: Ints
    first: Singles  # [tile, bucket, lane]; one of the two is times what is paid
    second: Singles


class Round(NamedTuple):
    """A round of the betting, from any board."""

    source: Entries  # [slot] the slot of the round before that it comes from
    first_passed: Singles  # [bucket of the round before, slot]
    second_passed: Singles
    second_answers: Answers  # of position 1
    first_answers: Answers
    folds: Folds


class Scratch(NamedTuple):
    """Rows of equal hands, and sums."""

    waiting: Singles  # [hand, lane]
    shown: Singles
    sums: Singles  # [card, lane] of who waits; then two rows for `Board`
    everything: Singles  # [lane] the same over all hands
    answer_sums: Singles  # [card, lane]
    found: Singles  # [lane]


def new_scratch(hands: int, deck: int) -> Scratch:
    """Scratch for so many hands and cards."""
    rows, sums = (hands, LANES), (deck + 2, LANES)
    return Scratch(
        np.empty(rows, np.float32),
        np.empty(rows, np.float32),
        np.empty(sums, np.float32),
        np.empty(LANES, np.float32),
        np.empty(sums, np.float32),
        np.empty(LANES, np.float32),
    )


class Rows(NamedTuple):
    """What both players bring to a tile with one hand, [lane]."""

    reach: Singles
    waiting: Singles
    their_reach: Singles
    shown: Singles
    apart: Singles


@apart
def _clear(scratch: Scratch) -> None:
    for row in range(scratch.sums.shape[0]):
        for k in range(LANES):
            scratch.sums[row, k] = 0.0
            scratch.answer_sums[row, k] = 0.0
    for k in range(LANES):
        scratch.everything[k] = 0.0
        scratch.found[k] = 0.0


@apart
def _closed(board: Board, scratch: Scratch) -> float:
    """With all pairs of hands that share no card: all, without those that share one."""
    _, _, sums, everything, answer_sums, found = scratch
    per_hand = np.float32(board.hole)
    for k in range(LANES):
        everything[k] /= per_hand
    for card in range(board.deck):
        for k in range(LANES):
            shared = sums[card, k] if board.hole == 2 else np.float32(0.0)
            found[k] += answer_sums[card, k] * (everything[k] - shared)
    total = 0.0
    for k in range(LANES):
        total += found[k]
    return total


@apart
def _look(
    rows: Rows,
    kept: tuple[Singles, Singles],
    sums: tuple[Singles, Singles, Singles],
    answer_sums: tuple[Singles, Singles],
    again: float,
    found: Singles,
) -> None:
    """A hand against those that are weaker; its rows are kept for the second look."""
    reach, waiting, their_reach, shown, apart = rows
    kept_x, kept_c = kept
    everything, low, high = sums
    low_z, high_z = answer_sums
    factor = np.float32(again)
    for k in range(LANES):
        x, r = reach[k] * waiting[k], their_reach[k]
        c, z = r * shown[k], r * apart[k]
        kept_x[k] = x
        kept_c[k] = c
        found[k] += c * (everything[k] - low[k] - high[k]) + factor * z * x
        low_z[k] += z
        high_z[k] += z


@apart
def _add(row: Singles, everything: Singles, low: Singles, high: Singles) -> None:
    for k in range(LANES):
        everything[k] += row[k]
        low[k] += row[k]
        high[k] += row[k]


@apart
def _look_again(
    kept: tuple[Singles, Singles],
    sums: tuple[Singles, Singles, Singles],
    own: float,
    found: Singles,
) -> None:
    """A hand against those that are weaker or equal; `own`: whether it was subtracted twice."""
    x, c = kept
    everything, low, high = sums
    factor = np.float32(own)
    for k in range(LANES):
        found[k] += c[k] * (everything[k] - low[k] - high[k] + factor * x[k])


@lean
def _settle(board: Board, wait: Seat, answer: Seat, answers: Answers, scratch: Scratch) -> float:
    low, high, other, ends, _, hole = board
    kept_x, kept_c, sums, everything, answer_sums, found = scratch
    # Two cards: pairs that share one are subtracted, equal hands once too often. One: once.
    again, own = (1.0, 1.0) if hole == 2 else (-1.0, 0.0)
    total = 0.0
    for tile in range(answers.slot.size):
        slots = slice(answers.slot[tile], answers.slot[tile] + LANES)
        waiting, shown, apart = answers.waiting[tile], answers.shown[tile], answers.apart[tile]
        _clear(scratch)
        begin = 0
        for group in range(ends.size):
            end = ends[group]
            for hand in range(begin, end):
                a, b, mine, theirs = low[hand], other[hand], wait.bucket[hand], answer.bucket[hand]
                _look(
                    Rows(
                        wait.reach[hand, slots],
                        waiting[mine],
                        answer.reach[hand, slots],
                        shown[theirs],
                        apart[theirs],
                    ),
                    (kept_x[hand - begin], kept_c[hand - begin]),
                    (everything, sums[a], sums[b]),
                    (answer_sums[a], answer_sums[high[hand]]),
                    again,
                    found,
                )
            for hand in range(begin, end):
                _add(kept_x[hand - begin], everything, sums[low[hand]], sums[high[hand]])
            for hand in range(begin, end):
                kept = kept_x[hand - begin], kept_c[hand - begin]
                _look_again(kept, (everything, sums[low[hand]], sums[other[hand]]), own, found)
            begin = end
        total += _closed(board, scratch)
    return total


@apart
def _pair(
    first: tuple[Singles, Singles],
    second: tuple[Singles, Singles],
    sums: tuple[Singles, Singles, Singles],
    answer_sums: tuple[Singles, Singles],
    again: float,
    found: Singles,
) -> None:
    """Reach and probabilities of both players."""
    reach, mine = first
    their_reach, theirs = second
    everything, low, high = sums
    low_z, high_z = answer_sums
    factor = np.float32(again)
    for k in range(LANES):
        x, z = reach[k] * mine[k], their_reach[k] * theirs[k]
        found[k] += factor * z * x
        everything[k] += x
        low[k] += x
        high[k] += x
        low_z[k] += z
        high_z[k] += z


@lean
def _fold(board: Board, first: Seat, second: Seat, folds: Folds, scratch: Scratch) -> float:
    _, _, sums, everything, answer_sums, found = scratch
    again, total = 1.0 if board.hole == 2 else -1.0, 0.0
    for tile in range(folds.slot.size):
        slots = slice(folds.slot[tile], folds.slot[tile] + LANES)
        mine, theirs = folds.first[tile], folds.second[tile]
        _clear(scratch)
        for hand in range(board.low.size):
            a, b = board.low[hand], board.high[hand]
            _pair(
                (first.reach[hand, slots], mine[first.bucket[hand]]),
                (second.reach[hand, slots], theirs[second.bucket[hand]]),
                (everything, sums[a], sums[b]),
                (answer_sums[a], answer_sums[b]),
                again,
                found,
            )
        total += _closed(board, scratch)
    return total


@apart
def _times(reach: Singles, source: Entries, table: Singles, out: Singles) -> None:
    for k in range(out.size):
        out[k] = reach[source[k]] * table[k]


@lean
def _pass_on(before: Seat, source: Entries, table: Singles, out: Singles) -> None:
    for hand in range(before.bucket.size):
        _times(before.reach[hand], source, table[before.bucket[hand]], out[hand])


@lean
def begin_round(before: tuple[Seat, Seat], seats: tuple[Seat, Seat], round: Round) -> None:
    """Fill in the reach of a round's slots."""
    _pass_on(before[0], round.source, round.first_passed, seats[0].reach)
    _pass_on(before[1], round.source, round.second_passed, seats[1].reach)


@lean
def pay_round(board: Board, seats: tuple[Seat, Seat], round: Round, scratch: Scratch) -> float:
    """What the ends of a round pay to position 0, summed over all pairs of hands."""
    first, second = seats
    total = _settle(board, first, second, round.second_answers, scratch)
    total += _settle(board, second, first, round.first_answers, scratch)
    return total + _fold(board, first, second, round.folds, scratch)


@lean
def play_round(
    board: Board,
    before: tuple[Seat, Seat],
    seats: tuple[Seat, Seat],
    round: Round,
    scratch: Scratch,
) -> float:
    """Both at once."""
    begin_round(before, seats, round)
    return pay_round(board, seats, round, scratch)
