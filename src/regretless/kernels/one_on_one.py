"""Two strategies on some boards, for all hands of both: what the whole betting pays.

After its last action of a round a player waits (x), and the other answers: it folds (f), or hands
are shown (c). These ends pay c S x + f D x, if S is 1 for a better hand of who answers and -1 for a
worse one, and D is 1 for hands that share no card. S is twice "weaker" plus "equal" minus D: so
an answer is two rows, `shown` (c) and `apart` (f - c), both times what is paid, and only the sums
of x run along with the hands from weak to strong, in all and by card. They run twice, through
equal hands in order and in reverse: of two equal hands each comes after the other once. A board
takes time linear in hands and answers.

Answers are columns, `WIDE` at a time: a tile. A row is the reach of slots times a row of a table,
which has one per bucket. A slot is a beginning of the round, and a tile reads a block of `WIDE`
adjacent ones. All tables together do not fit in a core's caches, those of a tile do: so a tile is
done for several boards before the next. Buckets come in any order, so rows of tables are asked for
some hands ahead."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import inlined, lean
from regretless.kernels.lanes import WIDE, Lanes, gather, load, prefetch, spread, store, zeros

ROWS = 3  # of sums per card: of who waits, with equal hands in order or in reverse; of who answers
ZERO, ONE, LANES = np.uint64(0), np.uint64(1), np.uint64(WIDE)
REVERSE, ANSWERS = ONE, np.uint64(2)
AHEAD = np.uint64(16)  # hands: about what a core does while a row comes from the last cache
Singles: TypeAlias = npt.NDArray[np.float32]
Entries: TypeAlias = npt.NDArray[np.uint32]  # unsigned, so that no index is checked for its sign


class Boards(NamedTuple):
    """The hands on some boards, from weak to strong; cards are times `ROWS`. With one hole card,
    sums of `high` are never read, and those of `other` stay 0."""

    low: Entries  # [board, hand] its first card
    high: Entries  # its second card, where sums are written
    other: Entries  # its second card, where sums are read
    ends: Ints  # [board, group] of groups of equal hands; the last one may be repeated
    deck: int
    hole: int


class Seat(NamedTuple):
    """One player in one round of some boards."""

    reach: Singles  # [board, block, hand, lane]: so that the hands of a tile are side by side
    bucket: Entries  # [board, hand]


class Answers(NamedTuple):
    """Ends of a round after one player's last action. All tables are [tile, bucket, lane]."""

    block: Ints  # [tile] its slots
    waiting: Singles
    shown: Singles  # times what position 0 gets if the answer wins the showdown
    apart: Singles  # folds, times what position 0 gets, minus `shown`


class Folds(NamedTuple):
    """Ends of a round by a fold where the other answers go on."""

    block: Ints
    first: Singles  # [tile, bucket, lane]; one of the two is times what is paid
    second: Singles


class Round(NamedTuple):
    """A round of the betting, from any board."""

    source: Entries  # [slot] the slot of the round before that it comes from
    first_passed: Singles  # [block, bucket of the round before, lane]
    second_passed: Singles
    second_answers: Answers  # of position 1
    first_answers: Answers
    folds: Folds


class Scratch(NamedTuple):
    """Rows of equal hands, and sums."""

    waiting: Singles  # [hand][lane]
    shown: Singles
    sums: Singles  # [card][row][lane]; after all cards two more, for `Boards`


def new_scratch(hands: int, deck: int) -> Scratch:
    """Scratch for so many hands and cards."""
    rows = hands * WIDE
    return Scratch(zeros(rows), zeros(rows), zeros((deck + 2) * ROWS * WIDE))


@inlined
def _row(rows: Singles, row: Any) -> Lanes:
    return load(rows, row * LANES)


@inlined
def _keep(rows: Singles, row: Any, lanes: Lanes) -> None:
    store(rows, row * LANES, lanes)


@inlined
def _add(rows: Singles, row: Any, more: Lanes) -> None:
    store(rows, row * LANES, load(rows, row * LANES) + more)


@inlined
def _clear(rows: Singles) -> None:
    zero = spread(np.float32(0))
    for at in range(ZERO, np.uint64(rows.size), LANES):
        store(rows, at, zero)


@inlined
def _closed(
    boards: Boards, everything: Lanes, itself: Lanes, found: Lanes, scratch: Scratch
) -> float:
    """With all pairs of hands that share no card: all, without those that share one.

    `itself`: every hand with itself. Two hole cards: that was subtracted twice. One: never."""
    once = spread(np.float32(1.0 if boards.hole == 2 else -1.0))
    hole = np.float32(boards.hole)
    mean, shared = everything / spread(hole), spread(hole - np.float32(1))
    found = found + once * itself
    for card in range(ZERO, np.uint64(boards.deck * ROWS), np.uint64(ROWS)):
        others = mean - shared * _row(scratch.sums, card)
        found = found + _row(scratch.sums, card + ANSWERS) * others
    store(scratch.shown, ZERO, found)
    total = 0.0
    for lane in range(LANES):
        total += scratch.shown[lane]
    return total


@lean
def _settle(
    boards: Boards, wait: Seat, answer: Seat, answers: Answers, scratch: Scratch, totals: Floats
) -> None:
    kept_x, kept_c, sums = scratch
    hands = np.uint64(boards.low.shape[1])
    for tile in range(np.uint64(answers.block.size)):
        block, waiting = np.uint64(answers.block[tile]), answers.waiting[tile].reshape(-1)
        shown, apart = answers.shown[tile].reshape(-1), answers.apart[tile].reshape(-1)
        for board in range(np.uint64(boards.low.shape[0])):
            low, high, other = boards.low[board], boards.high[board], boards.other[board]
            their_bucket, bucket = wait.bucket[board], answer.bucket[board]
            their_reach, reach = wait.reach[board, block], answer.reach[board, block]
            _clear(sums)
            everything = reverse = itself = found = spread(np.float32(0))
            begin = ZERO
            for group in range(np.uint64(boards.ends.shape[1])):
                end = np.uint64(boards.ends[board, group])
                for hand in range(begin, end):
                    ahead = min(hand + AHEAD, hands - ONE)
                    prefetch(waiting, their_bucket[ahead] * LANES)
                    prefetch(shown, bucket[ahead] * LANES)
                    prefetch(apart, bucket[ahead] * LANES)
                    a, b = low[hand], high[hand]
                    x = load(their_reach[hand], ZERO) * _row(waiting, their_bucket[hand])
                    r = load(reach[hand], ZERO)
                    c, z = r * _row(shown, bucket[hand]), r * _row(apart, bucket[hand])
                    _keep(kept_x, hand - begin, x)
                    _keep(kept_c, hand - begin, c)
                    one, two = _row(sums, a), _row(sums, other[hand])
                    itself = itself + z * x
                    found = found + c * (everything - one - two)
                    everything = everything + x
                    _keep(sums, a, one + x)
                    _keep(sums, b, two + x)
                    _add(sums, a + ANSWERS, z)
                    _add(sums, b + ANSWERS, z)
                for back in range(ONE, end - begin + ONE):
                    a, b, o = low[end - back], high[end - back], other[end - back]
                    x, c = _row(kept_x, end - back - begin), _row(kept_c, end - back - begin)
                    one, two = _row(sums, a + REVERSE), _row(sums, o + REVERSE)
                    found = found + c * (reverse - one - two)
                    reverse = reverse + x
                    _keep(sums, a + REVERSE, one + x)
                    _keep(sums, b + REVERSE, two + x)
                begin = end
            totals[board] += _closed(boards, everything, itself, found, scratch)


@lean
def _fold(
    boards: Boards, first: Seat, second: Seat, folds: Folds, scratch: Scratch, totals: Floats
) -> None:
    sums, hands = scratch.sums, np.uint64(boards.low.shape[1])
    for tile in range(np.uint64(folds.block.size)):
        block = np.uint64(folds.block[tile])
        mine, theirs = folds.first[tile].reshape(-1), folds.second[tile].reshape(-1)
        for board in range(np.uint64(boards.low.shape[0])):
            low, high = boards.low[board], boards.high[board]
            my_bucket, their_bucket = first.bucket[board], second.bucket[board]
            my_reach, their_reach = first.reach[board, block], second.reach[board, block]
            _clear(sums)
            everything = itself = none = spread(np.float32(0))
            for hand in range(hands):
                ahead = min(hand + AHEAD, hands - ONE)
                prefetch(mine, my_bucket[ahead] * LANES)
                prefetch(theirs, their_bucket[ahead] * LANES)
                a, b = low[hand], high[hand]
                x = load(my_reach[hand], ZERO) * _row(mine, my_bucket[hand])
                z = load(their_reach[hand], ZERO) * _row(theirs, their_bucket[hand])
                itself = itself + z * x
                everything = everything + x
                _add(sums, a, x)
                _add(sums, b, x)
                _add(sums, a + ANSWERS, z)
                _add(sums, b + ANSWERS, z)
            totals[board] += _closed(boards, everything, itself, none, scratch)


@lean
def _pass_on(before: Seat, source: Entries, table: Singles, out: Singles) -> None:
    hands = np.uint64(before.bucket.shape[1])
    for block in range(np.uint64(table.shape[0])):
        passed, slots = table[block].reshape(-1), source[block * LANES : (block + ONE) * LANES]
        for board in range(np.uint64(before.bucket.shape[0])):
            reach, bucket, rows = before.reach[board], before.bucket[board], out[board, block]
            above = reach.reshape(-1)
            for hand in range(hands):
                prefetch(passed, bucket[min(hand + AHEAD, hands - ONE)] * LANES)
                arrived = gather(above[hand * LANES :], slots, ZERO)
                store(rows[hand], ZERO, arrived * _row(passed, bucket[hand]))


@lean
def begin_round(before: tuple[Seat, Seat], seats: tuple[Seat, Seat], round: Round) -> None:
    """Fill in the reach of a round's slots."""
    _pass_on(before[0], round.source, round.first_passed, seats[0].reach)
    _pass_on(before[1], round.source, round.second_passed, seats[1].reach)


@lean
def pay_round(
    boards: Boards, seats: tuple[Seat, Seat], round: Round, scratch: Scratch, totals: Floats
) -> None:
    """Add what the ends of a round pay to position 0, summed over all pairs of hands."""
    first, second = seats
    _settle(boards, first, second, round.second_answers, scratch, totals)
    _settle(boards, second, first, round.first_answers, scratch, totals)
    _fold(boards, first, second, round.folds, scratch, totals)
