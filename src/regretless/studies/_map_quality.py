"""What a map of hands merges: strengths and their distributions within buckets."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms, scores
from regretless.abstraction.rounds._transitions import follow_rows
from regretless.core.arrays import Floats, Indices
from regretless.core.progress import Listener, nobody

DEALS = 200_000


class Within(NamedTuple):
    """One round."""

    round: str
    buckets: int
    used: int  # that occur in the sample
    strength: float  # root mean square distance of E[HS] to the mean of the bucket
    moved: float | None  # mean earth mover's distance to the bucket's distribution of strength


def within_buckets(
    map: HandMap, *, deals: int = DEALS, seed: int = 0, listen: Listener = nobody
) -> list[Within]:
    """Measured on random deals."""
    rng = np.random.default_rng(seed)
    size = map.deal.hole + sum(map.deal.board)
    cards = rng.permuted(np.tile(np.arange(map.deal.cards, dtype=np.uint8), (deals, 1)), axis=1)
    cards = np.ascontiguousarray(cards[:, :size])
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for round, one in enumerate(map.rounds):
            context = Context(
                map.deal, round, Path(folder), lambda number: map.rounds[number], 1, seed, listen
            )
            shown = cards[:, : map.deal.hole + map.deal.shown(round)]
            own = follow_rows(map.rounds[: round + 1], context, shown)
            numbers = context.index.index(shown)
            known = scores(context, squared=False)
            strength = known.values[known.codes[numbers]]
            moved = None
            if not context.is_last:
                rows = histograms(context)[numbers].astype(np.float64)
                moved = _moved(rows / rows.sum(axis=1)[:, None], own)
            used = np.unique(own).size
            found.append(Within(context.name, one.count, used, _spread(strength, own), moved))
    return found


def _spread(values: Floats, own: Indices) -> float:
    mass = np.maximum(np.bincount(own), 1)
    means = np.bincount(own, values) / mass
    return float(np.sqrt(np.mean((values - means[own]) ** 2)))


def _moved(rows: Floats, own: Indices) -> float:
    """Mean L1 distance of running sums to those of the bucket's mean, in units of strength."""
    sums = np.cumsum(rows, axis=1)
    order = np.argsort(own, kind="stable")
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    counts = np.diff(np.append(starts, own.size))
    means = np.add.reduceat(sums[order], starts, axis=0) / counts[:, None]
    apart = np.abs(sums[order] - np.repeat(means, counts, axis=0)).sum(axis=1)
    return float(apart.mean() / rows.shape[1])
