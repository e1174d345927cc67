"""A picture of strategies: every player's signals as a bar, divided into regions."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from regretless.continuous.game import JOIN, ContinuousGame
from regretless.continuous.response import Profile, require_profile
from regretless.core.pictures import blank_figure, write_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c")
NARROW = 0.045  # share of the width below which a label stands upright


def draw_regions(game: ContinuousGame, profile: Profile, path: str | Path | None = None) -> Figure:
    """Bars from the smallest to the largest signal; the same plan has the same colour."""
    require_profile(game, profile)
    figure = blank_figure((9.0, 1.4 + 0.9 * game.players))
    axes = figure.subplots()
    span = game.high - game.low
    for i, own in enumerate(profile):
        edges = [game.low, *own.thresholds.tolist(), game.high]
        for k, plan in enumerate(own.plans):
            width = edges[k + 1] - edges[k]
            colour = COLOURS[game.plans[i].index(plan) % len(COLOURS)]
            axes.barh(-i, width, 0.62, left=edges[k], color=colour, alpha=0.8, edgecolor="white")
            if width > NARROW / 3 * span:
                upright = width < NARROW * span * (1 + len(JOIN.join(plan)) / 6)
                axes.text(
                    edges[k] + width / 2,
                    -i,
                    JOIN.join(plan),
                    ha="center",
                    va="center",
                    fontsize=7 if upright else 9,
                    rotation=90 if upright else 0,
                )
        above = True
        for before, edge in pairwise([game.low, *own.thresholds.tolist()]):
            above = not above if edge - before < NARROW * span else True  # labels do not overlap
            place, side = (0.33, "bottom") if above else (-0.34, "top")
            axes.text(edge, -i + place, f"{edge:.3f}", ha="center", va=side, fontsize=7)
    axes.set_yticks(
        [-i for i in range(game.players)], [f"player {i + 1}" for i in range(game.players)]
    )
    axes.set_xlim(game.low, game.high)
    axes.set_ylim(-game.players + 0.5, 0.7)
    axes.set_xlabel(
        "signal (the lower one wins)" if game.lower_wins else "signal (the higher one wins)"
    )
    axes.set_title(game.name)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return write_figure(figure, path)
