"""Hand strength in hold'em: E[HS], E[HS²] and its distribution on the river.

The strength of a hand on a river board is its equity against a uniformly random hand, with ties
counted half (Johanson 2007; Johanson et al. 2013). Before the river it is a distribution over all
boards to come: its mean is E[HS], the mean of its squares E[HS²], and distribution-aware
abstractions compare its histograms. Everything is computed exactly, nothing is sampled.

`strength` is for one hand. `strength_table` has all hands of the flop or the turn, up to suits,
as memory-mapped arrays that are computed once per machine."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.cards.evaluator import holdings
from regretless.cards.hand_index import HandIndex, boards_up_to_suits, unordered
from regretless.cards.holdings import (
    CLASSES,
    card_name,
    class_of,
    evaluator_order,
    number_of,
    read_cards,
)
from regretless.cards.holdings import run_outs as boards_to_come
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.caches import cache_folder, cached_array
from regretless.core.counts import counted
from regretless.core.errors import BadFile, BadParameter, Interrupted, whole
from regretless.core.files import checksum, locked, write_atomically
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.hand_strengths import (
    HALVES,
    against_clusters,
    all_rivers,
    board_rows,
    new_sweep,
    run_outs,
)
from regretless.kernels.hands import DECK, HOLDINGS, hand_tables

BINS = 50  # of a histogram, as in Johanson et al. 2013
FLOP, TURN = 3, 4
VERSION = 1  # of the table layout
WAIT_S = 0.2  # between two looks at a table that another run computes
CHUNK = 8  # boards between two checks for Ctrl-C
_PREFLOP = f"preflop-strengths-{VERSION}"
_RIVER_BATCH = 4096
_REBUILD = "delete its folder to rebuild it"


class Strength(NamedTuple):
    """The strength of a hand against a uniformly random hand."""

    ehs: float  # mean over the boards to come
    ehs2: float  # mean of squares
    histogram: Floats  # share of the boards per bin of [0, 1]


def strength(
    hand: str | Sequence[int], board: str | Sequence[int] = (), *, listen: Listener = nobody
) -> Strength:
    """The strength of two cards, as text or numbers, on a board of 0, 3, 4 or 5 cards."""
    hand = read_cards(hand, what="hand") if isinstance(hand, str) else hand
    board = read_cards(board, what="board") if isinstance(board, str) else board
    check_cards(hand, board)
    number = number_of(*hand)
    if not board:
        sums, histogram = preflop_strengths(listen)
        cell = int(class_of()[number])
        return _strength(sums[cell], histogram[cell])
    place = int(evaluator_order()[number])
    sums, histograms = np.zeros((HOLDINGS, 3), np.int64), np.zeros((HOLDINGS, BINS), np.int64)
    cards = holdings().astype(np.int64)
    run_outs(hand_tables(7), np.array(board, np.int64), cards, new_sweep(), sums, histograms)
    return _strength(sums[place], histograms[place])


def arranged(hand: str, board: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A hand and a board as numbers, the highest first where the order does not matter."""
    held, shown = read_cards(hand, what="hand"), read_cards(board, what="board")
    check_cards(held, shown)
    flop = sorted(shown[:FLOP], reverse=True)
    return tuple(sorted(held, reverse=True)), (*flop, *shown[FLOP:])


def check_cards(hand: Sequence[int], board: Sequence[int]) -> None:
    """Raise unless this is a hold'em hand on a board."""
    for card in (*hand, *board):
        whole("card", card, 0, DECK - 1)
    if len(hand) != 2:
        raise BadParameter(f"hand of {counted(len(hand), 'card')}: must be 2, e.g. AsKd")
    if len(board) not in (0, 3, 4, 5):
        raise BadParameter(f"board of {counted(len(board), 'card')}: must be 0, 3, 4 or 5")
    shown = [*hand, *board]
    for card in shown:
        if shown.count(card) > 1:
            both = card in hand and card in board
            where = ": in the hand and on the board" if both else ""
            raise BadParameter(f"{card_name(card)} appears twice{where}")


def _strength(sums: Ints, histogram: Ints) -> Strength:
    won, squares, boards = (int(part) for part in sums)
    return Strength(won / (HALVES * boards), squares / (HALVES**2 * boards), histogram / boards)


def preflop_strengths(listen: Listener = nobody) -> tuple[Ints, Ints]:
    """[class] halves won, their squares, boards; and [class, bin] boards, over all 2,598,960."""
    made = cached_array(_PREFLOP, lambda: _count_preflop(listen), _plausible)
    return made[:, :3], made[:, 3:]


def _count_preflop(listen: Listener) -> Ints:
    boards, weights = boards_up_to_suits()
    rows = np.empty(HOLDINGS, np.int32)
    rows[evaluator_order()] = class_of()
    sums, histograms = np.zeros((CLASSES, 3), np.int64), np.zeros((CLASSES, BINS), np.int64)
    cards, tables = holdings().astype(np.int64), hand_tables(7)
    for begin in range(0, len(boards), _RIVER_BATCH):
        part = slice(begin, min(begin + _RIVER_BATCH, len(boards)))
        all_rivers(tables, boards[part], weights[part], cards, rows, sums, histograms)
        stage = "hand strengths before the flop, once per machine"
        listen(Progress(stage, done=part.stop / len(boards)))
    return np.concatenate([sums, histograms], axis=1)


def _plausible(made: npt.NDArray[Any]) -> bool:
    if made.shape != (CLASSES, 3 + BINS) or made.dtype != np.int64 or made.min() < 0:
        return False
    return bool((made[:, 3:].sum(axis=1) == made[:, 2]).all())


def cluster_strengths(
    hand: Sequence[int],
    board: Sequence[int],
    clusters: npt.ArrayLike,
) -> Floats:
    """[cluster] equity of a hand against the hands of each cluster, mean over boards to come.

    `clusters` has the cluster of each of the 169 classes. Opponent cluster hand strength
    (Johanson et al. 2013) is this vector on the river."""
    check_cards(hand, board)
    if not board:
        raise BadParameter("board of 0 cards: must be 3, 4 or 5 to compare with clusters")
    of_class = np.asarray(clusters)
    if of_class.shape != (CLASSES,) or of_class.dtype.kind not in "iu" or of_class.min() < 0:
        raise BadParameter(f"clusters of shape {of_class.shape}: must be one per class, {CLASSES}")
    cluster = by_holding(of_class)
    place, count = int(evaluator_order()[number_of(*hand)]), int(of_class.max()) + 1
    cards, tables, sweep = holdings().astype(np.int64), hand_tables(7), new_sweep()
    out, total, boards = np.empty((HOLDINGS, count)), np.zeros(count), 0
    for full in boards_to_come(board):
        if not set(full.tolist()) & set(hand):
            against_clusters(tables, full, cards, cluster, sweep, out)
            total += out[place]
            boards += 1
    return total / boards


def by_holding(of_class: npt.NDArray[Any]) -> Indices:
    """[hand in evaluator order] its cluster."""
    rows = np.empty(HOLDINGS, np.int32)
    rows[evaluator_order()] = of_class[class_of()]
    return rows


@dataclass(frozen=True, eq=False)
class StrengthTable:
    """All hands of a round up to suits, in `index` order."""

    index: HandIndex
    means: npt.NDArray[np.float32]  # [hand, 2] E[HS] and E[HS²]
    histograms: npt.NDArray[Any]  # [hand, bin] boards to come; whole numbers

    @property
    def boards_per_hand(self) -> int:
        """The number of boards to come, given hand and board."""
        return 1081 if self.index.rounds[1] == FLOP else 46

    def at(self, hand: Sequence[int], board: Sequence[int]) -> Strength:
        """Look up one hand."""
        check_cards(hand, board)
        row = int(self.index.index(np.array([[*hand, *board]]))[0])
        mean, square = self.means[row].tolist()
        return Strength(mean, square, self.histograms[row] / self.boards_per_hand)


@cache
def _boards(cards: int) -> npt.NDArray[np.uint8]:
    index = HandIndex((cards,))
    return index.cards(np.arange(index.size))


def strength_table(
    board_cards: int,
    *,
    folder: str | Path | None = None,
    threads: int = 1,
    listen: Listener = nobody,
) -> StrengthTable:
    """The table of the flop (3) or the turn (4), computed if it does not exist yet.

    A partial table is resumed: Ctrl-C or a full disk costs about a second of work."""
    if board_cards not in (FLOP, TURN):
        raise BadParameter(f"board_cards={board_cards}: must be {FLOP} (flop) or {TURN} (turn)")
    home = cache_folder() if folder is None else Path(folder)
    place = home / f"strengths-{board_cards}-{VERSION}"
    if not (place / "about.json").exists():
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadFile(place, f"cannot be written: {error.strerror}") from None
        with interrupts() as asked, locked(place / "table", wait=_waiting(asked, listen)):
            if not (place / "about.json").exists():  # made by the other run
                _fill(board_cards, place, threads, listen)
    return _opened(board_cards, place)


def _waiting(asked: Callable[[], bool], listen: Listener) -> Callable[[], None]:
    """What is done while another run computes the table: it serves both."""

    def wait() -> None:
        listen(Progress("hand strengths: waiting for another run that computes them"))
        if asked():
            raise Interrupted("hand strengths: stopped waiting for another run")
        time.sleep(WAIT_S)

    return wait


def _opened(board_cards: int, place: Path) -> StrengthTable:
    index, sums = unordered(board_cards), _checksums(place / "about.json")
    arrays = {}
    for name, (shape, kind) in _layout(board_cards).items():
        path = place / f"{name}.npy"
        try:
            if path.name in sums and checksum(path) != sums[path.name]:
                raise BadFile(path, f"damaged: {_REBUILD}")
            arrays[name] = np.load(path, mmap_mode="r")
        except (OSError, ValueError, EOFError, SyntaxError):
            raise BadFile(path, f"damaged or missing: {_REBUILD}") from None
        if arrays[name].shape != shape or arrays[name].dtype != kind:
            raise BadFile(path, f"from another version: {_REBUILD}")
    return StrengthTable(index, arrays["means"], arrays["histograms"])


def _layout(board_cards: int) -> dict[str, tuple[tuple[int, int], Any]]:
    """Shapes and types of the arrays."""
    hands, counts = unordered(board_cards).size, np.uint16 if board_cards == FLOP else np.uint8
    return {"means": ((hands, 2), np.float32), "histograms": ((hands, BINS), counts)}


def _checksums(path: Path) -> dict[str, int]:
    """Those of the arrays; the first tables had none."""
    try:
        checksums = json.loads(path.read_text(encoding="utf-8")).get("checksums", {})
    except (OSError, ValueError, AttributeError):
        raise BadFile(path, f"damaged or missing: {_REBUILD}") from None
    return dict(checksums) if isinstance(checksums, dict) else {}


def _fill(board_cards: int, place: Path, threads: int, listen: Listener) -> None:
    """Fill the arrays on disk board by board; `done` counts the finished ones."""
    index, boards = unordered(board_cards), _boards(board_cards)
    note = place / "done"
    done, (means, histograms) = _unfinished(place, _layout(board_cards), len(boards))
    cards, tables = holdings().astype(np.int64), hand_tables(7)

    def work(begin: int) -> None:
        part = boards[begin : begin + CHUNK].astype(np.int64)
        rows = np.stack([_rows(index, board) for board in part])
        board_rows(tables, part, cards, rows, means, histograms)

    name = "flop" if board_cards == FLOP else "turn"
    with interrupts() as asked, ThreadPoolExecutor(threads) as pool:
        while done < len(boards):
            wave = range(done, min(done + CHUNK * threads, len(boards)), CHUNK)
            list(pool.map(work, wave))
            done = min(wave[-1] + CHUNK, len(boards))
            stop = asked()
            if stop or done == len(boards) or done % (64 * CHUNK) == 0:
                means.flush()
                histograms.flush()
                write_atomically(note, str(done).encode())
            listen(
                Progress(f"hand strengths on the {name}, once per machine", done=done / len(boards))
            )
            if stop:
                raise Interrupted(
                    f"hand strengths: stopped, {done:,} of {len(boards):,} boards are saved"
                )
    _finish(place, {"boards": len(boards), "hands": index.size, "bins": BINS})
    note.unlink()


def _finish(place: Path, facts: dict[str, int]) -> None:
    sums = {path.name: checksum(path) for path in sorted(place.glob("*.npy"))}
    about = {"version": VERSION, **facts, "checksums": sums}
    write_atomically(place / "about.json", json.dumps(about).encode())


def _unfinished(
    place: Path, layout: dict[str, tuple[tuple[int, int], Any]], boards: int
) -> tuple[int, list[np.memmap[Any, Any]]]:
    """Finished boards and the arrays so far; new ones if anything about them is wrong."""
    try:
        done = int((place / "done").read_text())
        arrays = [np.lib.format.open_memmap(place / f"{name}.npy", mode="r+") for name in layout]
        if 0 <= done <= boards and [(one.shape, one.dtype) for one in arrays] == [
            (shape, np.dtype(kind)) for shape, kind in layout.values()
        ]:
            return done, arrays
    except (OSError, ValueError, EOFError, SyntaxError):
        pass
    (place / "done").unlink(missing_ok=True)
    return 0, [_new_array(place / f"{name}.npy", *given) for name, given in layout.items()]


def _new_array(path: Path, shape: tuple[int, int], kind: Any) -> np.memmap[Any, Any]:
    """An array of zeros on disk. All its space is taken at once: a process that writes to a mapped
    file on a full disk is killed."""
    needed = int(np.prod(shape)) * np.dtype(kind).itemsize
    try:
        path.unlink(missing_ok=True)
        free = shutil.disk_usage(path.parent).free
        if needed > free:
            raise BadFile(path, f"needs {needed:,} bytes of disk space: {free:,} are free")
        array = np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
        if hasattr(os, "posix_fallocate"):
            with path.open("rb+") as stream:
                os.posix_fallocate(stream.fileno(), 0, path.stat().st_size)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise BadFile(path, f"cannot be written: {error.strerror or error}") from None
    return array


def _rows(index: HandIndex, board: Ints) -> Ints:
    """[hand] its number on this board, -1 if it shares a card with the board."""
    cards = holdings().astype(np.int64)
    free = ~np.isin(cards, board).any(axis=1)
    rows = np.full(HOLDINGS, -1, np.int64)
    shown = np.broadcast_to(board, (int(free.sum()), board.size))
    rows[free] = index.index(np.concatenate([cards[free], shown], axis=1))
    return rows
