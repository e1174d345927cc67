"""All-in results of three hands before the flop, exactly, for all 169³ deals of classes.

Every board up to suits, every hand on it as the middle one of three (kernels/three_hands.py). It
is computed once per machine, in units of boards that are kept, so that it can be interrupted; the
table is a file in the user's cache folder, mapped into memory when used."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from regretless.cards.deck import DECK, HOLDINGS
from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import boards_up_to_suits
from regretless.cards.holdings import (
    CLASSES,
    class_of,
    disjoint,
    evaluator_order,
    hands,
    members,
)
from regretless.cards.orders import orders
from regretless.core.arrays import Ints
from regretless.core.caches import cache_folder
from regretless.core.errors import BadFile, Interrupted
from regretless.core.files import write_array
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.hands import hand_tables
from regretless.kernels.three_hands import (
    NEAR,
    RANKS,
    SUITS,
    WIDE,
    Hands,
    Products,
    Rows,
    Ties,
    fill,
    multiply,
)

BOARDS = comb(DECK - 6, 5)  # given three hands
DEALS = comb(DECK, 2) * comb(DECK - 2, 2) * comb(DECK - 4, 2) * BOARDS
UNIT = 1024  # boards that a thread counts before it adds them up
BLOCK = 4  # boards whose rows are kept at a time
SAVE_S = 120.0
COMMAND = "regretless three-hands"
_NAME = "three-hands-1"  # includes the version of the layout
STRICT, BELOW, ABOVE = range(3)  # best > pivot > worst; two tie above a third; below a third

Counts = npt.NDArray[np.uint32]


def table_path() -> Path:
    """Where the table is kept."""
    return cache_folder() / f"{_NAME}.npy"


@cache
def three_hands() -> Counts:
    """[class, class, class, order] deals and boards, DEALS in all; mapped into memory."""
    try:
        found: Counts = np.load(table_path(), mmap_mode="r")
    except (OSError, ValueError, EOFError):
        raise BadFile(
            table_path(),
            f"the table of three hands is missing: `{COMMAND}` makes it, "
            "in about 20 minutes on two cores; it has 251 MB",
        ) from None
    return found


def make_three_hands(threads: int = 2, listen: Listener = nobody) -> Path:
    """Compute the table, or continue with it; Ctrl-C keeps what is done."""
    boards, weights = boards_up_to_suits()
    work = Work(boards, weights)
    path, unfinished = table_path(), cache_folder() / f"{_NAME}-unfinished.npy"
    path.parent.mkdir(parents=True, exist_ok=True)
    work.read(unfinished)
    try:
        work.run(threads, unfinished, listen)
    finally:
        work.write(unfinished)
    write_array(path, assembled(work.sums, deals_of_three() * BOARDS))
    unfinished.unlink()
    three_hands.cache_clear()
    return path


class Work:
    """The sums over all boards, and which units of boards are in them."""

    def __init__(self, boards: Ints, weights: Ints) -> None:
        self.units: list[tuple[Ints, int]] = []
        for weight in np.unique(weights):
            chosen = boards[weights == weight]
            parts = np.array_split(chosen, -(-len(chosen) // UNIT))
            self.units += [(part, int(weight)) for part in parts]
        self.kept = np.zeros(3 * CLASSES**3 + len(self.units), np.int64)
        self.sums = self.kept[: 3 * CLASSES**3].reshape(3, CLASSES, CLASSES, CLASSES)
        self.done = self.kept[3 * CLASSES**3 :]
        self.lock = threading.Lock()

    def read(self, path: Path) -> None:
        """Continue with a file, if there is a valid one."""
        try:
            found = np.load(path)
        except (OSError, ValueError, EOFError):
            return
        if found.shape == self.kept.shape and found.dtype == self.kept.dtype:
            self.kept[:] = found

    def write(self, path: Path) -> None:
        with self.lock:
            write_array(path, self.kept)

    def run(self, threads: int, unfinished: Path, listen: Listener) -> None:
        """Count what is left."""
        left = iter(np.flatnonzero(self.done == 0).tolist())
        begun, before, saved = time.monotonic(), int(self.done.sum()), time.monotonic()
        with ThreadPoolExecutor(threads) as pool:
            waiting = [pool.submit(self._take, left) for _ in range(threads)]
            while not all(one.done() for one in waiting):
                time.sleep(0.2)
                done, count = int(self.done.sum()), len(self.units)
                speed = (done - before) / (time.monotonic() - begun)
                seconds = (count - done) / speed if speed else None
                listen(Progress("three hands", done=done / count, seconds_left=seconds))
                if time.monotonic() - saved > SAVE_S:
                    self.write(unfinished)
                    saved = time.monotonic()
            for one in waiting:
                one.result()
        if not self.done.all():
            raise Interrupted(
                f"three hands: {int(self.done.sum())} of {len(self.units)} parts kept"
            )

    def _take(self, left: Iterator[int]) -> None:
        counter = Counter()
        while not interrupted():
            with self.lock:
                unit = next(left, None)
            if unit is None:
                return
            boards, weight = self.units[unit]
            found = counter.count(boards)
            with self.lock:
                self.sums += weight * found
                self.done[unit] = 1


class Counter:
    """The memory of a thread."""

    def __init__(self) -> None:
        self.hands = hand_lists()
        count = BLOCK * HOLDINGS
        single = np.float32
        self.rows = Rows(
            np.zeros((count, CLASSES), np.uint8),
            np.zeros((count, CLASSES), np.uint8),
            np.zeros((RANKS, count, SUITS, WIDE), np.uint8),
            np.zeros((RANKS, count, SUITS, WIDE), np.uint8),
            np.zeros(CLASSES, np.int64),
        )
        shape = (CLASSES,) * 3
        self.products = Products(
            np.zeros(shape, single), np.zeros((CLASSES, RANKS, WIDE, WIDE), single)
        )
        self.ties = Ties(np.zeros(shape, np.int32), np.zeros(shape, np.int32))

    def count(self, boards: Ints) -> Ints:
        """[kind, class, class, class] the sums over these boards."""
        for array in (*self.products, *self.ties):
            array[:] = 0
        for begin in range(0, len(boards), BLOCK):
            block = boards[begin : begin + BLOCK]
            fill(hand_tables(7), self.hands, block, self.rows, self.ties)
            multiply(self.hands.starts, len(block), self.rows, self.products)
        found = np.stack([self.products.deals, self.ties.below, self.ties.above]).astype(np.int64)
        for rank, near in enumerate(self.hands.near):
            sharing = self.products.sharing[:, rank, :NEAR, :NEAR].astype(np.int64)
            found[np.ix_([STRICT], range(CLASSES), near, near)] -= sharing
        return found


@cache
def hand_lists() -> Hands:
    """The hands in the order of the kernels."""
    cards = holdings().astype(np.int64)
    number = np.zeros((DECK, DECK), np.int64)
    number[cards[:, 0], cards[:, 1]] = np.arange(HOLDINGS)
    classes = np.empty(HOLDINGS, np.int64)
    classes[evaluator_order()] = class_of()
    ranks = cards // SUITS
    near = [np.unique(classes[(ranks == rank).any(axis=1)]) for rank in range(RANKS)]
    places = np.array(
        [
            [np.searchsorted(near[r], c) for r in pair]
            for pair, c in zip(ranks, classes, strict=True)
        ]
    )
    starts = np.concatenate([[0], np.cumsum(np.bincount(classes, minlength=CLASSES))])
    return Hands(cards, number, classes, np.stack(near), places, starts)


@cache
def deals_of_three() -> Ints:
    """[class, class, class] deals of three hands that share no card."""
    found = np.empty((CLASSES,) * 3, np.int64)
    for c, some in enumerate(members()):  # all hands of a class are equal up to suits
        free = np.flatnonzero(disjoint()[some[0]])
        counts = np.bincount(class_of()[free], minlength=CLASSES)
        with_card = np.zeros((CLASSES, DECK), np.int64)
        for end in range(2):
            np.add.at(with_card, (class_of()[free], hands()[free, end]), 1)
        # A hand shares two cards with itself, and is taken away twice.
        apart = np.outer(counts, counts) - with_card @ with_card.T + np.diag(counts)
        found[c] = len(some) * apart
    return found


def assembled(sums: Ints, deals: Ints) -> Counts:
    """[class, class, class, order] from the sums; what is left of all deals are ties of three."""
    strict = sums[STRICT].transpose(1, 0, 2)  # [best, middle, worst]
    # Unordered pairs of hands, stored once: within one class they are two deals.
    below, above = (sums[kind] + sums[kind].transpose(1, 0, 2) for kind in (BELOW, ABOVE))
    counts = np.zeros((CLASSES, CLASSES, CLASSES, len(orders(3))), np.uint32)
    rest = deals.copy()
    for at, order in enumerate(orders(3)):
        if sum(order) == 0:
            everyone = at
            continue
        # The axes of the tables that belong to the hands: those that tie come first.
        tied = [hand for hand in range(3) if order.count(order[hand]) == 2]
        axes = list(order) if not tied else [(*tied, 3 - sum(tied)).index(h) for h in range(3)]
        table = strict if not tied else below if order[tied[0]] == 0 else above
        part = table.transpose(axes)
        counts[..., at] = part
        rest -= part
    assert rest.min() >= 0
    counts[..., everyone] = rest
    return counts
