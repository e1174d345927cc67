"""k-means for rounds of any size: equal hands once, several starts on a sample, resumable."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from regretless.abstraction._clustering import Clusters, k_means
from regretless.abstraction.rounds._context import Context
from regretless.core.arrays import Floats, Indices, Ints
from regretless.core.files import write_array
from regretless.core.progress import Progress
from regretless.kernels.clustering import equal_rows

PART = 1 << 16  # rows that are hashed together
STEP = 5  # iterations between two saves
SAMPLE = 200  # rows per cluster on which starts are compared
CENTRES = "centres.npy"


class Distinct(NamedTuple):
    """Rows without repetitions."""

    rows: npt.NDArray[Any]
    own: Indices  # [given row] its place in `rows`
    mass: Floats  # [row] total weight


def distinct(rows: npt.NDArray[Any], weights: npt.NDArray[Any]) -> Distinct:
    """Merge equal rows; they are found by a hash, and then compared."""
    bits = rows.view(np.uint32) if rows.dtype == np.float32 else rows
    for seed in itertools.count():
        _, first, place = np.unique(_hashes(bits, seed), return_index=True, return_inverse=True)
        if equal_rows(bits, first[place]):
            break
    own: Indices = place.astype(np.int32)
    mass = np.bincount(own, weights, first.size).astype(np.float64)
    return Distinct(rows[first], own, mass)


def _hashes(rows: npt.NDArray[Any], seed: int) -> npt.NDArray[np.uint64]:
    """[row] a random combination of its whole numbers."""
    keys = np.random.default_rng(seed).integers(1, 2**63, rows.shape[1], dtype=np.uint64)
    hashes = np.empty(len(rows), np.uint64)
    for begin in range(0, len(rows), PART):
        part = slice(begin, begin + PART)
        hashes[part] = rows[part].astype(np.uint64) @ keys
    return hashes


def clustered(
    context: Context,
    rows: npt.NDArray[Any],
    mass: Floats,
    count: int,
    *,
    metric: str,
    starts: int,
    iterations: int,
) -> Clusters:
    """Clusters of distinct rows; the best start on a sample continues on all of them."""
    count = min(count, len(rows))
    made = partial(k_means, clusters=count, metric=metric, threads=context.threads)

    def begin() -> npt.NDArray[np.float32]:
        which = sample_by_weight(context, mass, SAMPLE * count)
        best = made(
            rows[which],
            # The sample is drawn by weight: then all its rows are equally heavy.
            weights=mass if which.size == len(rows) else None,
            starts=starts,
            iterations=iterations,
            seed=context.seed,
            listen=partial(_tell, context, 0, iterations),
        )
        return best.centres

    def go_on(centres: npt.NDArray[Any], steps: int, done: int) -> Clusters:
        listen = partial(_tell, context, done, iterations)
        return made(rows, weights=mass, iterations=steps, centres=centres, listen=listen)

    return in_steps(context, (count, rows.shape[1]), iterations, begin, go_on)


class Partition(Protocol):
    """What k-means has found."""

    @property
    def centres(self) -> npt.NDArray[Any]: ...
    @property
    def iterations(self) -> int: ...
    @property
    def stable(self) -> bool: ...


Found = TypeVar("Found", bound=Partition)


def in_steps(
    context: Context,
    shape: tuple[int, int],
    iterations: int,
    begin: Callable[[], npt.NDArray[Any]],
    go_on: Callable[[npt.NDArray[Any], int, int], Found],
) -> Found:
    """k-means in steps: `go_on(centres, iterations, done)`, with centres of this shape saved in
    between. A step that was interrupted is repeated, so the result does not depend on when."""
    centres, done = _saved(context, shape)
    if centres is None:
        centres = begin()
        _save(context, centres, done)
    while True:
        partition = go_on(centres, min(STEP, iterations - done), done)
        context.check()
        centres, done = partition.centres, done + partition.iterations
        if done >= iterations or partition.stable:
            return partition
        _save(context, centres, done)


def _saved(context: Context, shape: tuple[int, int]) -> tuple[npt.NDArray[Any] | None, int]:
    """The centres so far, and their iterations."""
    with suppress(OSError, ValueError, EOFError):
        saved = np.load(context.folder / CENTRES)
        if saved.shape == (shape[0] + 1, shape[1]) and saved.dtype.kind == "f":
            return saved[:-1], int(saved[-1, 0])
    return None, 0


def _save(context: Context, centres: npt.NDArray[Any], done: int) -> None:
    context.check()
    note = np.full((1, centres.shape[1]), done, centres.dtype)
    write_array(context.folder / CENTRES, np.concatenate([centres, note]))


def _tell(context: Context, done: int, iterations: int, one: Progress) -> None:
    stage = f"{context.name}: {one.stage}"
    share = (done + one.iteration) / iterations
    context.listen(Progress(stage, iteration=done + one.iteration, done=share, news=one.news))


def by_strength(own: Indices, strength: Floats, mass: Floats) -> tuple[Indices, int]:
    """Used clusters, numbered from weak to strong, and how many there are."""
    total = np.bincount(own, mass)
    mean = np.bincount(own, mass * strength) / np.maximum(total, 1e-300)
    used = np.flatnonzero(total > 0)
    order: Ints = used[np.argsort(mean[used], kind="stable")]
    rank = np.empty(total.size, np.int32)
    rank[order] = np.arange(order.size)
    return rank[own], order.size


def sample_by_weight(context: Context, weights: Floats, wanted: int) -> Ints:
    """Numbers of rows, drawn by weight if there are more than wanted."""
    if weights.size <= wanted:
        return np.arange(weights.size)
    rng = np.random.default_rng([context.seed, context.round])
    return np.sort(rng.choice(weights.size, wanted, replace=False, p=weights / weights.sum()))


def label_type(count: int) -> Any:
    """The smallest type for this many labels."""
    return np.uint16 if count <= 2**16 else np.int32
