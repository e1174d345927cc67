"""Boards as the sets of their hands (Moravčík 2014, section 4.5).

A hand is its distribution of final strength, in this round (`distribution`) or in every round so
far (`history`: the distribution history vector, section 4.6.2). Weights are equal for all hands;
hands that are equal up to the suits of the board are kept once, with their number."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.board_distances import Boards
from regretless.kernels.hand_types import merge_hands

ONE = 65_535  # a share of 1 in the whole numbers of kernels
WIDE = 64  # bins of a hand in memory: a whole number of vector registers
FOUR = 4  # bins that the kernel of types takes together
BATCH = 16  # boards between two reports
TURN = 0.6  # radians by which functions of a hand look at earlier rounds


# Types of one board; [type] hands; [type] its first hand.
_Types: TypeAlias = tuple[npt.NDArray[np.int32], Ints, Ints]


@dataclass(frozen=True, eq=False)
class HandSets:
    """The hands of every board of a round, or of some."""

    firsts: Ints  # [board] its first hand; the last entry ends the list
    numbers: Ints  # [hand] in the index of hands
    weights: Ints  # [hand] equal hands on this board
    rows: npt.NDArray[np.uint16]  # [hand, round, bin] cumulative histograms in units of 1 / ONE
    bins: int  # of a histogram, without the last cumulative one, which is always 1

    @property
    def count(self) -> int:
        """The number of boards."""
        return len(self.firsts) - 1

    @property
    def rounds(self) -> int:
        """Rounds in which hands are compared."""
        return int(self.rows.shape[1])

    @property
    def mass(self) -> int:
        """Hands per board."""
        return int(self.weights[: self.firsts[1]].sum())

    @property
    def slack(self) -> float:
        """No distance, in bins, is off by more than this because of rounding."""
        return (sqrt(self.rounds) * self.bins + 4) / ONE

    def hands_of(self, board: int) -> slice:
        """The hands of a board."""
        return slice(int(self.firsts[board]), int(self.firsts[board + 1]))

    def only(self, boards: Ints) -> HandSets:
        """Some boards, in this order."""
        parts = [np.arange(self.firsts[one], self.firsts[one + 1]) for one in boards.tolist()]
        hands = np.concatenate(parts)
        ends = np.cumsum([0, *map(len, parts)])
        return replace(
            self,
            firsts=ends,
            numbers=self.numbers[hands],
            weights=self.weights[hands],
            rows=self.rows[hands],
        )


def board_numbers(index: HandIndex, hole: int) -> tuple[HandIndex, Ints, Ints]:
    """The index of boards; [hand] the number of its board, and hands like it on that board."""
    boards = HandIndex(index.rounds[1:], index.ranks, index.suits)
    cards = index.cards(np.arange(index.size))
    shown = cards[:, hole:]
    return boards, boards.index(shown), index.weights(cards) // boards.weights(shown)


def hand_sets(
    index: HandIndex, hole: int, histograms: Sequence[tuple[npt.NDArray[Any], Ints]]
) -> HandSets:
    """Sets of hands from one pair per round: [row, bin] histograms, and [hand] its row."""
    boards, board, weights = board_numbers(index, hole)
    order = np.argsort(board, kind="stable")
    firsts = np.searchsorted(board[order], np.arange(boards.size + 1))
    bins = histograms[0][0].shape[1] - 1
    width = -(-bins // WIDE) * WIDE
    rows = np.zeros((index.size, len(histograms), width), np.uint16)
    for round, (given, row) in enumerate(histograms):
        rows[:, round, :bins] = _cumulative(given)[row[order], :bins]
    return HandSets(firsts, order, weights[order], rows, bins)


def _cumulative(histograms: npt.NDArray[Any]) -> npt.NDArray[np.uint16]:
    out = np.empty(histograms.shape, np.uint16)
    for begin in range(0, len(out), 1 << 16):
        part = slice(begin, begin + (1 << 16))
        sums = np.cumsum(histograms[part], axis=1, dtype=np.float64)
        out[part] = np.rint(ONE * sums / sums[:, -1:])
    return out


def merged(
    sets: HandSets, spread: float, *, threads: int = 1, listen: Listener = nobody
) -> Indices:
    """[hand] its type on its board; hands are on average at most `spread` bins away from it."""
    own = np.empty(len(sets.rows), np.int32)

    def work(board: int) -> None:
        part = sets.hands_of(board)
        rows, weights = sets.rows[part].astype(np.int32), sets.weights[part].astype(np.float64)
        merge_hands(rows, weights, spread * ONE * float(weights.sum()), own[part])

    with ThreadPoolExecutor(threads) as pool:
        for begin in range(0, sets.count, BATCH):
            end = min(begin + BATCH, sets.count)
            list(pool.map(work, range(begin, end)))
            listen(Progress("types of hands per board", done=end / sets.count))
    return own


def typed(sets: HandSets, own: Indices, listen: Listener = nobody) -> Boards:
    """The boards with these types of hands, for the kernel."""
    by_board: list[_Types] = []
    errors = np.empty(sets.count)
    hands, weights = np.empty_like(sets.rows), np.empty_like(sets.weights)
    for board in range(sets.count):
        part = sets.hands_of(board)
        rows, mass, mine = sets.rows[part], sets.weights[part], own[part]
        types = _means(rows, mass, mine)
        moved = abs(rows - types[mine]).sum(axis=2).astype(np.float64)
        errors[board] = np.sqrt((moved**2).sum(axis=1)) @ mass / mass.sum()
        # Hands of a type go from weak to strong: plans for types then move them less.
        order = np.lexsort((rows.sum(axis=(1, 2), dtype=np.int64), mine))
        hands[part], weights[part] = rows[order], mass[order]
        begins = part.start + np.searchsorted(mine[order], np.arange(len(types) + 1))
        by_board.append((types, np.bincount(mine, mass).astype(np.int64), begins))
        if len(by_board) % BATCH == 0:
            listen(Progress("means of types", done=len(by_board) / sets.count))
    counts = np.array([len(types) for types, _, _ in by_board])
    most = -(-int(counts.max()) // 32) * 32
    bins = -(-sets.bins // FOUR) * FOUR
    columns = np.zeros((sets.count, sets.rounds, bins, most), np.float32)
    masses = np.zeros((sets.count, most), np.int64)
    firsts = np.zeros((sets.count, most + 1), np.int64)
    for board, (types, mass, begins) in enumerate(by_board):
        columns[board, :, :, : len(types)] = types[:, :, :bins].transpose(1, 2, 0)
        masses[board, : len(types)] = mass
        firsts[board, : len(begins)] = begins
    return Boards(columns, masses, counts, errors, hands, weights, firsts, _functions(sets))


def _means(rows: npt.NDArray[np.uint16], weights: Ints, own: Indices) -> npt.NDArray[np.int32]:
    """[type, round, bin] means of the hands of a type."""
    mass = np.bincount(own, weights)
    sums = np.zeros((mass.size, *rows.shape[1:]))
    np.add.at(sums, own, rows * weights[:, None, None].astype(np.float64))
    return np.rint(sums / mass[:, None, None]).astype(np.int32)


def _functions(sets: HandSets) -> npt.NDArray[np.int32]:
    """[board, function, hand] values, ascending; none changes faster than the distance of hands."""
    now = sets.rounds - 1
    strengths = sets.rows.sum(axis=2, dtype=np.int64)  # [hand, round]
    upper = sets.rows[:, now, sets.bins // 2 :].sum(axis=1, dtype=np.int64)
    chosen: list[Floats] = [strengths[:, now].astype(float), upper.astype(float)]
    for turn in (TURN, -TURN):
        for round in range(now):
            turned = np.cos(turn) * strengths[:, now] + np.sin(turn) * strengths[:, round]
            chosen += [turned]
    out = np.empty((sets.count, len(chosen), sets.mass), np.int32)
    for board in range(sets.count):
        part = sets.hands_of(board)
        for place, values in enumerate(chosen):
            each = np.repeat(np.rint(values[part]), sets.weights[part])
            out[board, place] = np.sort(each)
    return out
