"""Pictures: the strength of a hand on the river, sizes of buckets, boards of public buckets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.abstraction._public_buckets import public_buckets
from regretless.cards.deck import rank_names
from regretless.cards.strengths import Strength
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
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
    groups = public_buckets(map, round)
    cards = groups.boards.cards(np.arange(groups.boards.size)).astype(np.int64)
    ranks, suits, shown = cards // map.deal.suits, cards % map.deal.suits, cards.shape[1]
    most = np.array([np.bincount(row).max() for row in suits])
    kinds = np.array([np.unique(row).size for row in ranks])
    columns = [most == number for number in range(1, shown + 1)]
    columns += [kinds == number for number in range(shown, 0, -1)]
    columns += [ranks.max(axis=1) == rank for rank in range(map.deal.ranks - 1, -1, -1)]
    count = groups.buckets.size
    sizes = np.bincount(groups.own, groups.weights, count)
    shares = [np.bincount(groups.own, groups.weights * one, count) / sizes for one in columns]
    ranked = [f"{name} high" for name in rank_names(map.deal.ranks)[::-1]]
    suited = SUITED.get(shown, [f"{number} of a suit" for number in range(1, shown + 1)])
    paired = PAIRED.get(shown, [f"{number} ranks" for number in range(shown, 0, -1)])
    examples = []
    for group in range(count):
        mine = np.flatnonzero(groups.own == group)
        some = mine[np.linspace(0, mine.size - 1, min(EXAMPLES, mine.size)).astype(int)]
        boards = np.sort(cards[some], axis=1)[:, ::-1].tolist()
        examples.append("  ".join("".join(map.deal.names[c] for c in board) for board in boards))
    return Traits(
        (*suited, *paired, *ranked), np.stack(shares, axis=1), sizes / sizes.sum(), tuple(examples),
        groups.buckets,
    )  # fmt: skip


def board_picture(map: HandMap, round: int, path: str | Path | None = None) -> Figure:
    """One row per public bucket: its size, what its boards look like, and some of them."""
    traits = board_traits(map, round)
    count = len(traits.sizes)
    if count > MOST_GROUPS:
        raise Unsuitable(f"{count:,} public buckets: a picture has at most {MOST_GROUPS}")
    figure = blank_figure((13, 1.8 + 0.27 * count))
    axes = figure.add_subplot()
    image = axes.imshow(traits.shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(traits.names)), traits.names, rotation=55, ha="left", fontsize=8)
    axes.xaxis.tick_top()
    labels = [
        f"{number}: {100 * size:.1f} % of boards, {buckets:,} buckets"
        for number, (size, buckets) in enumerate(zip(traits.sizes, traits.buckets, strict=True), 1)
    ]
    axes.set_yticks(range(count), labels, fontsize=8)
    axes.set_yticks(np.arange(count + 1) - 0.5, minor=True)
    axes.set_xticks(np.arange(len(traits.names) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    beside = axes.secondary_yaxis("right")
    beside.set_yticks(range(count), traits.examples, fontsize=7, family="monospace")
    beside.tick_params(length=0)
    beside.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=axes, orientation="horizontal", shrink=0.3, aspect=40)
    bar.set_label("share of the boards in the bucket", fontsize=8)
    figure.suptitle(f"{map.deal.rounds[round]}: {map.by}", fontsize=9)
    return write_figure(figure, path)
