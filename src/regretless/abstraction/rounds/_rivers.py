"""Passes over all 134,459 river boards of hold'em: interruptible, resumable, on threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._unfinished import filled
from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Ints
from regretless.core.threads import threaded
from regretless.kernels.hand_strengths import HALVES
from regretless.kernels.hands import hand_tables
from regretless.kernels.river_buckets import river_halves, river_mass

CHUNK = 64  # boards of one task
PART = 1 << 10  # boards whose hands are counted together


def river_boards() -> tuple[Ints, Ints]:
    """Every board of five cards up to suits, and how many actual boards it represents."""
    index = HandIndex((5,))
    boards = index.cards(np.arange(index.size))
    return boards.astype(np.int64), index.weights(boards)


def over_rivers(
    context: Context, stage: str, kind: Any, work: Callable[[Ints, npt.NDArray[Any]], None]
) -> npt.NDArray[Any]:
    """[hand] what `work(boards, out)` writes, board by board; an unfinished pass is resumed."""
    boards, _ = river_boards()

    def fill(begin: int, end: int, out: npt.NDArray[Any]) -> None:
        work(boards[begin:end], out)

    empty = np.zeros(context.index.size, kind)
    return filled(context, stage, empty, len(boards), fill, chunk=CHUNK)


def river_strengths(context: Context) -> tuple[npt.NDArray[np.uint16], Floats]:
    """[hand] halves of a rival that it wins, and [halves] hands on actual boards."""
    cards, index = holdings().astype(np.int64), context.index.tables

    def work(boards: Ints, out: npt.NDArray[Any]) -> None:
        river_halves(hand_tables(7), index, boards, cards, out)

    halves = over_rivers(context, "hand strengths", np.uint16, work)
    return halves, _mass(context, halves)


def _mass(context: Context, halves: npt.NDArray[np.uint16]) -> Floats:
    """By boards: all hands of one have the same weight, which spares looking for each of them."""
    cards, index = holdings().astype(np.int64), context.index.tables
    boards, weights = river_boards()

    def work(begin: int) -> Ints:
        part, mass = slice(begin, begin + PART), np.zeros(HALVES + 1, np.int64)
        river_mass(index, boards[part], weights[part], cards, halves, mass)
        return mass

    total, starts = np.zeros(HALVES + 1, np.int64), range(0, len(boards), PART)
    with threaded(context.threads) as each:
        for begin, mass in zip(starts, each(work, starts), strict=True):
            total += mass
            context.report("weights of hands", begin / len(boards))
    return total.astype(np.float64)
