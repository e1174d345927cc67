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


def strength_picture(found: Strength, title: str, path: str | Path | None = None) -> Figure:
    """How often a hand has which strength on the river; written to a file if one is named."""
    figure = _figure(1)
    axes = figure.add_subplot()
    bins = found.histogram.size
    middles = (np.arange(bins) + 0.5) / bins
    axes.bar(middles, 100 * found.histogram, width=0.9 / bins, color=BLUE)
    axes.axvline(found.ehs, color=RED, linewidth=1.2, label=f"E[HS] = {found.ehs:.4f}")
    axes.set_xlim(0, 1)
    axes.set_xlabel("hand strength on the river")
    axes.set_ylabel("% of the boards to come")
    axes.set_title(title, fontsize=11)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        write_figure(figure, path)
    return figure


def bucket_sizes(found: HandMap, *, boards: int = BOARDS, seed: int = 0) -> list[Floats]:
    """[round][bucket] its share of all hands, measured on random boards."""
    rng, deal = np.random.default_rng(seed), found.deal
    sizes = [np.zeros(count, np.int64) for count in found.counts]
    for _ in range(boards):
        cards = rng.permutation(deal.cards)[: deal.shown(len(deal.board) - 1)]
        for counts, buckets in zip(sizes, found.buckets(found.split(cards.tolist())), strict=True):
            counts += np.bincount(buckets[buckets >= 0], minlength=counts.size)
    return [counts / counts.sum() for counts in sizes]


def size_picture(found: HandMap, path: str | Path | None = None, *, boards: int = BOARDS) -> Figure:
    """The share of every bucket, round by round, relative to equal shares."""
    figure = _figure(len(found.rounds))
    panels = figure.subplots(1, len(found.rounds), squeeze=False)[0]
    sizes = bucket_sizes(found, boards=boards)
    for axes, name, shares in zip(panels, found.deal.rounds, sizes, strict=True):
        edges = np.arange(shares.size + 1) - 0.5
        axes.stairs(shares * shares.size, edges, fill=True, color=BLUE)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.axhline(1.0, color=RED, linewidth=0.8)
        axes.set_title(f"{name}: {shares.size:,} buckets", fontsize=10)
        axes.set_xlabel("bucket")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("hands, relative to the mean")
    figure.suptitle(f"{found.by} ({boards:,} random boards)", fontsize=9)
    if path is not None:
        write_figure(figure, path)
    return figure


def _figure(panels: int) -> Figure:

    return blank_figure((6.5 if panels == 1 else 3.2 * panels, 3.2))
