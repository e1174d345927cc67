"""Passes over all 134,459 river boards of hold'em: interruptible, resumable, on threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction.rounds._context import Context
from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import HandIndex
from regretless.core.arrays import Floats, Ints
from regretless.core.files import write_array, write_atomically
from regretless.core.interrupts import interrupted
from regretless.kernels.hand_strengths import HALVES
from regretless.kernels.hands import hand_tables
from regretless.kernels.river_buckets import river_halves

CHUNK = 64  # boards of one task
TASKS = 8  # per thread between two checks for Ctrl-C
PART = 1 << 20  # hands whose weights are counted together
SAVE_S = 60.0  # seconds between two saves
HANDS, BOARDS = "hands.npy", "boards"  # the files of an unfinished pass


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
    out, done = _resumed(context, kind)
    saved = time.monotonic()
    with ThreadPoolExecutor(context.threads) as pool:
        while done < len(boards):
            stop = min(done + CHUNK * TASKS * context.threads, len(boards))
            parts = [boards[at : min(at + CHUNK, stop)] for at in range(done, stop, CHUNK)]
            list(pool.map(lambda part: work(part, out), parts))
            done = stop
            if interrupted() or time.monotonic() - saved > SAVE_S:
                write_array(context.folder / HANDS, out)
                write_atomically(context.folder / BOARDS, str(done).encode())
                saved = time.monotonic()
            context.report(stage, done / len(boards))
    return out


def _resumed(context: Context, kind: Any) -> tuple[npt.NDArray[Any], int]:
    """What is known so far, and the number of boards."""
    try:
        found = np.load(context.folder / HANDS)
        done = int((context.folder / BOARDS).read_text())
    except (OSError, ValueError, EOFError):
        found, done = np.empty(0, kind), 0
    if found.shape == (context.index.size,) and found.dtype == kind:
        return found, done
    return np.zeros(context.index.size, kind), 0


def river_strengths(context: Context) -> tuple[npt.NDArray[np.uint16], Floats]:
    """[hand] halves of a rival that it wins, and [halves] hands on actual boards."""
    cards, index = holdings().astype(np.int64), context.index.tables

    def work(boards: Ints, out: npt.NDArray[Any]) -> None:
        river_halves(hand_tables(7), index, boards, cards, out)

    halves = over_rivers(context, "hand strengths", np.uint16, work)
    return halves, _mass(context, halves)


def _mass(context: Context, halves: npt.NDArray[np.uint16]) -> Floats:
    index, found = context.index, np.zeros(HALVES + 1)
    for begin in range(0, index.size, PART):
        rows = np.arange(begin, min(begin + PART, index.size))
        found += np.bincount(halves[rows], index.weights(index.cards(rows)), HALVES + 1)
        context.report("weights of hands", begin / index.size)
    return found
