"""Earth mover's distances between the boards of a round (Moravčík 2014, sections 4.5 and 4.6).

The thesis solves one transportation problem of 1,176 by 1,176 hands per pair of flops. Here each
board is summarised by types of hands first; see `kernels.board_distances`. Every distance comes
with a lower and an upper bound. Rows of the matrix that are finished stay on disk: an interrupted
computation resumes."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regretless.abstraction._board_sets import ONE, HandSets, merged, typed
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import BadFile, Interrupted
from regretless.core.files import locked, write_array, write_atomically
from regretless.core.interrupts import interrupts
from regretless.core.progress import Listener, Progress, nobody
from regretless.kernels.board_distances import BETWEEN, LOWER, UPPER, Boards, distances_to
from regretless.kernels.network_simplex import MOST

VERSION = 1  # of the files
ROWS = 2  # per thread between two checks for Ctrl-C
SAVE_S = 10.0  # between two saves


@dataclass(frozen=True, eq=False)
class BoardDistances:
    """[board, board] distances in bins of a histogram, with bounds."""

    lower: npt.NDArray[np.float32]
    between: npt.NDArray[np.float32]  # the estimate
    upper: npt.NDArray[np.float32]


def board_distances(
    sets: HandSets, *, folder: Path, spread: float, threads: int = 1, listen: Listener = nobody
) -> BoardDistances:
    """All distances between boards, computed in `folder` if they are not there yet.

    `spread` is how far, in bins and on average, a hand may be from its type: less is slower and
    more precise."""
    about = {"version": VERSION, "boards": sets.count, "spread": spread}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"cannot be written: {error.strerror}") from None
    with locked(folder / "table"):
        if not (folder / "about.json").exists():
            _fill(sets, folder, spread, threads, listen)
            write_atomically(folder / "about.json", json.dumps(about).encode())
    return _opened(folder, about)


def exact_distance(sets: HandSets, one: int, other: int) -> float:
    """The distance of two boards by assignment of hands, in bins: a fraction of a second."""
    from scipy.optimize import linear_sum_assignment

    costs = hand_distances(sets, one, other)
    weights = sets.weights[sets.hands_of(one)], sets.weights[sets.hands_of(other)]
    full = np.repeat(np.repeat(costs, weights[0], axis=0), weights[1], axis=1)
    rows, columns = linear_sum_assignment(full)
    return float(full[rows, columns].mean())


def hand_distances(sets: HandSets, one: int, other: int) -> npt.NDArray[np.float64]:
    """[hand, hand] distances of the hands of two boards, in bins."""
    from scipy.spatial.distance import cdist

    squares: Any = 0.0
    for round in range(sets.rounds):
        mine = sets.rows[sets.hands_of(one), round].astype(np.float64)
        theirs = sets.rows[sets.hands_of(other), round].astype(np.float64)
        squares = squares + cdist(mine, theirs, "cityblock") ** 2
    return np.asarray(np.sqrt(squares) / ONE)


def _fill(sets: HandSets, folder: Path, spread: float, threads: int, listen: Listener) -> None:
    """Fill the lower triangle row by row; `done` counts the finished rows."""
    table = _table(folder / "distances.npy", sets.count)
    note = folder / "done"
    done = _count(note)
    with interrupts() as asked, ThreadPoolExecutor(threads) as pool:

        def stop_if_asked() -> None:
            if asked():
                raise Interrupted(f"distances between boards: stopped, {done:,} rows are saved")

        def told(one: Progress) -> None:
            listen(one)
            stop_if_asked()

        boards = typed(sets, _types(sets, folder / "types.npy", spread, threads, told), told)
        grain, slack, saved = _grain(boards), ONE * sets.slack, time.monotonic()

        def work(row: int) -> None:
            distances_to(boards, row, row, grain, slack, table[:, row])

        while done < sets.count:
            wave = range(done, min(done + ROWS * threads, sets.count))
            list(pool.map(work, wave))
            table[:, wave.start : wave.stop] /= ONE
            done = wave.stop
            listen(Progress("distances between boards", done=(done / sets.count) ** 2))
            if asked() or done == sets.count or time.monotonic() > saved + SAVE_S:
                table.flush()
                write_atomically(note, str(done).encode())
                saved = time.monotonic()
            if done < sets.count:
                stop_if_asked()
    for one in table:
        half = np.tril(one, -1)
        one[:] = half + half.T
    table.flush()


def _count(note: Path) -> int:
    """Rows that are finished; none if the note is missing or damaged."""
    try:
        return int(note.read_text())
    except (OSError, ValueError):
        return 0


def _types(sets: HandSets, path: Path, spread: float, threads: int, listen: Listener) -> Indices:
    """[hand] its type, from an earlier call if there was one."""
    try:
        known = np.load(path)
        most = np.repeat(np.diff(sets.firsts), np.diff(sets.firsts))  # [hand] hands of its board
        if known.dtype == np.int32 and known.shape == most.shape and (known < most).all():
            own: Indices = known
            return own
    except (OSError, ValueError, EOFError):
        pass
    own = merged(sets, spread, threads=threads, listen=listen)
    write_array(path, own)
    return own


def nearest_boards(
    sets: HandSets, centres: Ints, *, spread: float, threads: int = 1, listen: Listener = nobody
) -> Indices:
    """[board] the place of the nearest centre, which are boards themselves."""
    others = np.setdiff1d(np.arange(sets.count), centres)
    part, own = sets.only(np.concatenate([centres, others])), np.empty(sets.count, np.int32)
    own[centres] = np.arange(centres.size)
    boards = typed(part, merged(part, spread, threads=threads, listen=listen), listen)
    grain, slack = _grain(boards), ONE * sets.slack

    def work(place: int) -> int:
        out = np.empty((3, centres.size))
        distances_to(boards, centres.size + place, centres.size, grain, slack, out)
        return int(out[BETWEEN].argmin())

    with ThreadPoolExecutor(threads) as pool:
        own[others] = list(pool.map(work, range(others.size)))
    return own


def _grain(boards: Boards) -> float:
    """By what costs are multiplied: so that they, times nodes, fit the kernel's numbers."""
    rounds, bins, types = boards.types.shape[1:]
    return float(min(1.0, 2 * MOST / (2 * types * np.sqrt(rounds) * bins * ONE)))


def _table(path: Path, count: int) -> np.memmap[Any, Any]:
    """The unfinished table, or a new one."""
    if path.exists():
        table = np.lib.format.open_memmap(path, mode="r+")
        if table.shape == (3, count, count) and table.dtype == np.float32:
            return table
        raise BadFile(path, "from another version: delete its folder to rebuild it")
    try:
        return np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(3, count, count))
    except OSError as error:
        raise BadFile(path, f"cannot be written: {error.strerror}") from None


def _opened(folder: Path, about: dict[str, Any]) -> BoardDistances:
    path = folder / "distances.npy"
    try:
        known = json.loads((folder / "about.json").read_text())
        distances = np.load(path, mmap_mode="r")
    except (OSError, ValueError, EOFError):
        raise BadFile(path, "damaged or missing: delete its folder to rebuild it") from None
    if known != about or distances.shape != (3, about["boards"], about["boards"]):
        raise BadFile(path, "from another version: delete its folder to rebuild it")
    return BoardDistances(distances[LOWER], distances[BETWEEN], distances[UPPER])
