"""k-means for rounds of any size: equal hands once, several starts on a sample, resumable."""

from __future__ import annotations

import itertools
from functools import partial
from typing import Any, NamedTuple

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
        _, first, found = np.unique(_hashes(bits, seed), return_index=True, return_inverse=True)
        if equal_rows(bits, first[found]):
            break
    own: Indices = found.astype(np.int32)
    mass = np.bincount(own, weights, first.size).astype(np.float64)
    return Distinct(rows[first], own, mass)


def _hashes(rows: npt.NDArray[Any], seed: int) -> npt.NDArray[np.uint64]:
    """[row] a random combination of its whole numbers."""
    keys = np.random.default_rng(seed).integers(1, 2**63, rows.shape[1], dtype=np.uint64)
    found = np.empty(len(rows), np.uint64)
    for begin in range(0, len(rows), PART):
        part = slice(begin, begin + PART)
        found[part] = rows[part].astype(np.uint64) @ keys
    return found


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
    centres, done = _begun(context, rows, mass, count, metric, starts, iterations)
    while True:
        found = k_means(
            rows,
            count,
            weights=mass,
            metric=metric,
            iterations=min(STEP, iterations - done),
            centres=centres,
            threads=context.threads,
            listen=partial(_tell, context, done, iterations),
        )
        centres, done = found.centres, done + found.iterations
        _save(context, centres, done)
        context.check()
        if done >= iterations or found.stable:
            return found


def _begun(
    context: Context,
    rows: npt.NDArray[Any],
    mass: Floats,
    count: int,
    metric: str,
    starts: int,
    iterations: int,
) -> tuple[npt.NDArray[np.float32], int]:
    """The centres so far, and their iterations."""
    shape = count + 1, rows.shape[1]
    try:
        kept = np.load(context.folder / CENTRES)
        if kept.shape == shape and kept.dtype == np.float32:
            return kept[:-1], int(kept[-1, 0])
    except (OSError, ValueError, EOFError):
        pass
    which = np.arange(len(rows))
    if len(rows) > SAMPLE * count:
        rng = np.random.default_rng([context.seed, context.round])
        which = np.sort(rng.choice(len(rows), SAMPLE * count, replace=False, p=mass / mass.sum()))
    found = k_means(
        rows[which],
        count,
        # The sample is drawn by weight: then all its rows are equally heavy.
        weights=mass if which.size == len(rows) else None,
        metric=metric,
        starts=starts,
        iterations=iterations,
        seed=context.seed,
        threads=context.threads,
        listen=partial(_tell, context, 0, iterations),
    )
    context.check()
    return found.centres, 0


def _tell(context: Context, done: int, iterations: int, one: Progress) -> None:
    stage = f"{context.name}: {one.stage}"
    share = (done + one.iteration) / iterations
    context.listen(Progress(stage, iteration=done + one.iteration, done=share, news=one.news))


def _save(context: Context, centres: npt.NDArray[np.float32], done: int) -> None:
    note = np.full((1, centres.shape[1]), done, np.float32)
    write_array(context.folder / CENTRES, np.concatenate([centres, note]))


def by_strength(own: Indices, strength: Floats, mass: Floats) -> tuple[Indices, int]:
    """Used clusters, numbered from weak to strong, and how many there are."""
    total = np.bincount(own, mass)
    mean = np.bincount(own, mass * strength) / np.maximum(total, 1e-300)
    used = np.flatnonzero(total > 0)
    order: Ints = used[np.argsort(mean[used], kind="stable")]
    rank = np.empty(total.size, np.int32)
    rank[order] = np.arange(order.size)
    return rank[own], order.size


def label_type(count: int) -> Any:
    """The smallest type for this many labels."""
    return np.uint16 if count <= 2**16 else np.int32
