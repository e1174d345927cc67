"""Distances between flops: time per pair, errors against exact ones, and k-medoids.

A board is the set of its 1,176 hands; the distance is the earth mover's distance between the sets
(Moravčík 2014, who used massive parallelisation). Exact distances are assignments of all hands by
SciPy, on random pairs: 500 with --long. Times are CPU seconds of one core; all pairs are
extrapolated to two cores. The strengths of hands are computed before."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks._report import Row
from benchmarks._timing import LONG
from regretless.abstraction._board_distances import (
    BoardDistances,
    board_distances,
    exact_distance,
)
from regretless.abstraction._board_sets import HandSets
from regretless.abstraction._clustering import k_medoids
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction.rounds._board_hands import BoardHands
from regretless.abstraction.rounds._context import Context
from regretless.core.arrays import Ints

SPREADS = {"history": 0.6, "distribution": 0.3}  # the defaults of `public`, for all rounds
ALL, CORES = 1755, 2
SAMPLE = 60  # boards


def measure() -> list[Row]:
    """A sample of boards, by both distances of hands."""
    pairs = 500 if os.environ.get(LONG) else 60
    rows = []
    for by, spread in SPREADS.items():
        rows += _by(by, spread, pairs)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(ALL, 8))
    apart = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)).astype(np.float32)
    k_medoids(apart, 20, starts=1)
    started = time.process_time()
    k_medoids(apart, 20, starts=1)
    taken = time.process_time() - started
    return [*rows, Row("k-medoids: 1,755 points to 20", taken, "s", {}, "≤ 10", taken <= 10)]


def _by(by: str, spread: float, pairs: int) -> list[Row]:
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        context = Context(DealRules(), 1, Path(folder), lambda round: None)  # type: ignore[arg-type, return-value]
        sets = BoardHands(context, ordered=True).sets(by)
        boards = np.sort(rng.choice(ALL, SAMPLE, replace=False))
        sample = sets.only(boards)
        board_distances(sample.only(np.arange(2)), folder=Path(folder) / "first", spread=spread)
        clock: dict[str, float] = {"begin": time.process_time()}
        distances = board_distances(
            sample,
            folder=Path(folder) / "sample",
            spread=spread,
            listen=lambda one: clock.__setitem__(one.stage, time.process_time()),
        )
    types_s = clock["types of hands per board"] - clock["begin"]
    pairs_s = clock["distances between boards"] - clock["types of hands per board"]
    per_pair = pairs_s / (SAMPLE * (SAMPLE - 1) / 2)
    minutes = (types_s / SAMPLE * ALL + per_pair * ALL * (ALL - 1) / 2) / CORES / 60
    error, outside, low, high, exact_s = _errors(sample, distances, pairs, rng)
    return [
        Row(f"{by}: types of a board", 1e3 * types_s / SAMPLE, "ms"),
        Row(f"{by}: a pair of boards", 1e3 * per_pair, "ms"),
        Row(f"{by}: a pair, exactly", 1e3 * exact_s, "ms"),
        Row(f"{by}: all pairs on two cores", minutes, "minutes", {}, "≤ 60", minutes <= 60),
        Row(f"{by}: mean error of {pairs} pairs", 100 * error, "%", {}, "≤ 3", error <= 0.03),
        Row(f"{by}: mean lower bound", 100 * low, "% of the distance"),
        Row(f"{by}: mean upper bound", 100 * high, "% of the distance"),
        Row(f"{by}: outside the bounds", outside, "pairs", {}, "0", outside == 0),
    ]


def _errors(
    sets: HandSets, distances: BoardDistances, pairs: int, rng: np.random.Generator
) -> tuple[float, int, float, float, float]:
    """Mean relative error, pairs outside their bounds, mean bounds, seconds per exact distance."""
    rows, columns = np.tril_indices(sets.count, -1)
    chosen: Ints = rng.choice(rows.size, pairs, replace=False)
    started = time.process_time()
    exact = np.array([exact_distance(sets, int(rows[one]), int(columns[one])) for one in chosen])
    taken = (time.process_time() - started) / pairs
    low, middle, high = (
        part[rows[chosen], columns[chosen]]
        for part in (distances.lower, distances.between, distances.upper)
    )
    outside = int(((exact < low) | (exact > high)).sum())
    error = float((abs(middle - exact) / exact).mean())
    return error, outside, float((low / exact).mean()), float((high / exact).mean()), taken
