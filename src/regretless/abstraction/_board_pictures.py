"""Picture of public buckets: which boards are together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.abstraction._public_buckets import public_buckets
from regretless.cards.deck import rank_names
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.core.pictures import blank_figure, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GROUPS = 200  # rows of a picture
EXAMPLES = 5  # boards shown per group
SUITED = {2: ("offsuit", "suited"), 3: ("rainbow", "two-tone", "monotone")}
PAIRED = {2: ("unpaired", "pair"), 3: ("unpaired", "pair", "trips")}


class Traits(NamedTuple):
    """Shares of the boards of each group."""

    names: tuple[str, ...]
    shares: Floats  # [group, name]
    sizes: Floats  # [group] share of all boards
    examples: tuple[str, ...]  # [group] some boards
    buckets: Ints  # [group] buckets of its hands


def board_traits(map: HandMap, round: int) -> Traits:
    """What the boards of each group look like: suits, pairs, highest rank."""
    found = public_buckets(map, round)
    cards = found.boards.cards(np.arange(found.boards.size)).astype(np.int64)
    ranks, suits, shown = cards // map.deal.suits, cards % map.deal.suits, cards.shape[1]
    most = np.array([np.bincount(row).max() for row in suits])
    kinds = np.array([np.unique(row).size for row in ranks])
    columns = [most == number for number in range(1, shown + 1)]
    columns += [kinds == number for number in range(shown, 0, -1)]
    columns += [ranks.max(axis=1) == rank for rank in range(map.deal.ranks - 1, -1, -1)]
    count = found.buckets.size
    sizes = np.bincount(found.own, found.weights, count)
    shares = [np.bincount(found.own, found.weights * one, count) / sizes for one in columns]
    ranked = [f"{name} high" for name in rank_names(map.deal.ranks)[::-1]]
    suited = SUITED.get(shown, [f"{number} of a suit" for number in range(1, shown + 1)])
    paired = PAIRED.get(shown, [f"{number} ranks" for number in range(shown, 0, -1)])
    examples = []
    for group in range(count):
        mine = np.flatnonzero(found.own == group)
        some = mine[np.linspace(0, mine.size - 1, min(EXAMPLES, mine.size)).astype(int)]
        boards = np.sort(cards[some], axis=1)[:, ::-1].tolist()
        examples.append("  ".join("".join(map.deal.names[c] for c in board) for board in boards))
    return Traits(
        (*suited, *paired, *ranked), np.stack(shares, axis=1), sizes / sizes.sum(), tuple(examples),
        found.buckets,
    )  # fmt: skip


def board_picture(map: HandMap, round: int, path: str | Path | None = None) -> Figure:
    """One row per public bucket: its size, what its boards look like, and some of them."""

    found = board_traits(map, round)
    count = len(found.sizes)
    if count > MOST_GROUPS:
        raise Unsuitable(f"{count:,} public buckets: a picture has at most {MOST_GROUPS}")
    figure = blank_figure((13, 1.8 + 0.27 * count))
    axes = figure.add_subplot()
    image = axes.imshow(found.shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(found.names)), found.names, rotation=55, ha="left", fontsize=8)
    axes.xaxis.tick_top()
    labels = [
        f"{number}: {100 * size:.1f} % of boards, {buckets:,} buckets"
        for number, (size, buckets) in enumerate(zip(found.sizes, found.buckets, strict=True), 1)
    ]
    axes.set_yticks(range(count), labels, fontsize=8)
    axes.set_yticks(np.arange(count + 1) - 0.5, minor=True)
    axes.set_xticks(np.arange(len(found.names) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    beside = axes.secondary_yaxis("right")
    beside.set_yticks(range(count), found.examples, fontsize=7, family="monospace")
    beside.tick_params(length=0)
    beside.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.3, aspect=40)
    bar.set_label("share of the boards in the bucket", fontsize=8)
    figure.suptitle(f"{map.deal.rounds[round]}: {map.by}", fontsize=9)
    if path is not None:
        write_figure(figure, path)
    return figure
