"""Pictures: the strength of a hand on the river, and the sizes of buckets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.cards.strengths import Strength
from regretless.core.arrays import Floats
from regretless.core.pictures import blank_figure, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOARDS = 2000  # drawn at random to measure buckets
BLUE, RED = "#4c72b0", "#c44e52"


def strength_picture(strength: Strength, title: str, path: str | Path | None = None) -> Figure:
    """How often a hand has which strength on the river; written to a file if one is named."""
    figure = blank_figure((6.5, 3.2))
    axes = figure.add_subplot()
    bins = strength.histogram.size
    middles = (np.arange(bins) + 0.5) / bins
    axes.bar(middles, 100 * strength.histogram, width=0.9 / bins, color=BLUE)
    axes.axvline(strength.ehs, color=RED, linewidth=1.2, label=f"E[HS] = {strength.ehs:.4f}")
    axes.set_xlim(0, 1)
    axes.set_xlabel("hand strength on the river")
    axes.set_ylabel("% of the boards to come")
    axes.set_title(title, fontsize=11)
    axes.legend(frameon=False, loc="upper right")
    axes.spines[["top", "right"]].set_visible(False)
    return write_figure(figure, path)


def bucket_sizes(map: HandMap, *, boards: int = BOARDS, seed: int = 0) -> list[Floats]:
    """[round][bucket] its share of all hands, measured on random boards."""
    rng, deal = np.random.default_rng(seed), map.deal
    sizes = [np.zeros(count, np.int64) for count in map.counts]
    for _ in range(boards):
        cards = rng.permutation(deal.cards)[: deal.shown(len(deal.board) - 1)]
        for counts, buckets in zip(sizes, map.buckets(map.split(cards.tolist())), strict=True):
            counts += np.bincount(buckets[buckets >= 0], minlength=counts.size)
    return [counts / counts.sum() for counts in sizes]


def size_picture(map: HandMap, path: str | Path | None = None, *, boards: int = BOARDS) -> Figure:
    """The share of every bucket, round by round, relative to equal shares."""
    rounds = len(map.rounds)
    figure = blank_figure((6.5 if rounds == 1 else 3.2 * rounds, 3.2))
    panels = figure.subplots(1, rounds, squeeze=False)[0]
    sizes = bucket_sizes(map, boards=boards)
    for axes, name, shares in zip(panels, map.deal.rounds, sizes, strict=True):
        edges = np.arange(shares.size + 1) - 0.5
        axes.stairs(shares * shares.size, edges, fill=True, color=BLUE)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.axhline(1.0, color=RED, linewidth=0.8)
        axes.set_title(f"{name}: {shares.size:,} buckets", fontsize=10)
        axes.set_xlabel("bucket")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("hands, relative to the mean")
    figure.suptitle(f"{map.by} ({boards:,} random boards)", fontsize=9)
    return write_figure(figure, path)
