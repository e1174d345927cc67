"""What a map of hands merges: strengths and their distributions within buckets."""

from __future__ import annotations

import tempfile
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._children import error_within
from regretless.abstraction._deal_rules import DealRules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms, scores
from regretless.abstraction.rounds._transitions import follow_rows
from regretless.core.arrays import Floats, Indices
from regretless.core.progress import Listener, nobody

DEALS = 200_000


class Known(NamedTuple):
    """Random deals in one round."""

    context: Context
    cards: npt.NDArray[np.uint8]  # [deal] hole cards and board
    strength: Floats  # [deal] E[HS]
    shares: Floats | None  # [deal, bin] distribution of final strength; None in the last round


class Within(NamedTuple):
    """One round."""

    round: str
    buckets: int
    used: int  # that occur in the sample
    strength: float  # root mean square distance of E[HS] to the mean of the bucket
    moved: float | None  # mean earth mover's distance to the bucket's distribution of strength


def random_deals(
    deal: DealRules,
    *,
    deals: int = DEALS,
    seed: int = 0,
    threads: int = 1,
    listen: Listener = nobody,
) -> list[Known]:
    """Random deals in all rounds, which serve to measure any number of maps."""
    rng = np.random.default_rng(seed)
    size = deal.hole + sum(deal.board)
    cards = rng.permuted(np.tile(np.arange(deal.cards, dtype=np.uint8), (deals, 1)), axis=1)
    cards = np.ascontiguousarray(cards[:, :size])
    by_round = []
    with tempfile.TemporaryDirectory() as folder:
        for round in range(len(deal.board)):
            context = Context(deal, round, Path(folder), _nothing, threads, seed, listen)
            shown = cards[:, : deal.hole + deal.shown(round)]
            numbers, known, shares = (
                context.index.index(shown),
                scores(context, squared=False),
                None,
            )
            if not context.is_last:
                rows = histograms(context)[numbers].astype(np.float64)
                shares = rows / rows.sum(axis=1)[:, None]
            by_round.append(Known(context, shown, known.values[known.codes[numbers]], shares))
    return by_round


def _nothing(round: int) -> RoundMap:
    raise AssertionError(f"strengths do not depend on buckets of round {round}")


def within_buckets(map: HandMap, known: list[Known]) -> list[Within]:
    """Measured on random deals."""
    rounds = []
    for round, (one, deals) in enumerate(zip(map.rounds, known, strict=True)):
        own = follow_rows(map.rounds[: round + 1], deals.context, deals.cards)
        moved = None if deals.shares is None else _moved(deals.shares, own)
        spread = sqrt(error_within(deals.strength, np.ones(own.size), own))
        rounds.append(Within(deals.context.name, one.count, np.unique(own).size, spread, moved))
    return rounds


def _moved(rows: Floats, own: Indices) -> float:
    """Mean L1 distance of running sums to those of the bucket's mean, in units of strength."""
    sums = np.cumsum(rows, axis=1)
    order = np.argsort(own, kind="stable")
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    counts = np.diff(np.append(starts, own.size))
    means = np.add.reduceat(sums[order], starts, axis=0) / counts[:, None]
    apart = np.abs(sums[order] - np.repeat(means, counts, axis=0)).sum(axis=1)
    return float(apart.mean() / rows.shape[1])
