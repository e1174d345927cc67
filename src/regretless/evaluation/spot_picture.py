"""A decision of a solved spot as a picture: a 13×13 grid of classes, coloured by action.

The height of a cell's fill is the share of its hands in the range; from left to right it is
split by the frequencies of the actions; the number is the class's EV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from regretless.cards.deck import RANKS
from regretless.cards.holdings import card_name, class_names
from regretless.core.pictures import blank_figure, write_figure
from regretless.evaluation.spot_tables import by_class
from regretless.evaluation.spot_values import Node

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FOLD, PASSIVE, ALL_IN = "#4f86c6", "#7bb661", "#7d3c98"
SIZES = ("#f2c14e", "#f08a4b", "#d7483f", "#b5305a", "#8c2f2f", "#5c2323")  # small to large
EMPTY = "#f1f1f1"
SIDE = len(RANKS)


def colours(actions: tuple[str, ...]) -> tuple[str, ...]:
    """A colour for every action: blue for folds, green for checks and calls, warm for bets."""
    fixed = {"fold": FOLD, "check": PASSIVE, "call": PASSIVE, "allin": ALL_IN}
    sized = [action for action in actions if action not in fixed]
    return tuple(
        fixed.get(action) or SIZES[min(sized.index(action), len(SIZES) - 1)] for action in actions
    )


def grid_place(cell: int) -> tuple[int, int]:
    """Row and column of a class in the grid: aces first, suited hands above the diagonal."""
    return SIDE - 1 - cell // SIDE, SIDE - 1 - cell % SIDE


def picture(node: Node, path: str | Path | None = None, *, title: str = "") -> Figure:
    """The grid of the acting player; written to a file if one is named."""
    from matplotlib.patches import Patch

    figure = blank_figure((8.4, 9.0))
    axes = figure.add_subplot()
    _cells(axes, node)
    axes.set_xlim(0, SIDE)
    axes.set_ylim(SIDE, 0)
    axes.set_aspect("equal")
    axes.axis("off")
    where = f"{''.join(map(card_name, node.board))}  {node.line or 'first decision'}"
    seat = ("out of position", "in position")[node.player]
    note = "" if node.is_taken else "  (a line that the solution does not take)"
    axes.set_title(
        f"{title}{where}\n{seat} to act, pot {node.pot}, line taken {node.reach:.2%}{note}; "
        "numbers are EVs",
        fontsize=11,
        loc="left",
    )
    handles = [
        Patch(color=colour, label=f"{action} {frequency:.1%}")
        for action, colour, frequency in zip(
            node.actions, colours(node.actions), node.frequencies, strict=True
        )
    ]
    figure.legend(
        handles=handles, loc="outside lower center", ncols=min(len(handles), 5), frameon=False
    )
    if path is not None:
        write_figure(figure, path)
    return figure


def _cells(axes: Axes, node: Node) -> None:
    from matplotlib.patches import Rectangle

    classes, shades = by_class(node), colours(node.actions)
    for cell, name in enumerate(class_names()):
        row, column = grid_place(cell)
        corner = (column + 0.02, row + 0.02)
        axes.add_patch(Rectangle(corner, 0.96, 0.96, facecolor=EMPTY, edgecolor="none"))
        weight = classes.weight[cell]
        held = np.isfinite(weight) and weight > 0
        if held:
            height = 0.96 * min(float(weight), 1.0)
            left = column + 0.02
            for share, colour in zip(classes.strategy[cell], shades, strict=True):
                if np.isfinite(share) and share > 0:
                    low = (left, row + 0.98 - height)
                    axes.add_patch(Rectangle(low, 0.96 * share, height, facecolor=colour, lw=0))
                    left += 0.96 * share
        shade = "#1b1b1b" if held else "#b0b0b0"
        axes.text(column + 0.07, row + 0.3, name, fontsize=8, color=shade)
        if held and np.isfinite(classes.ev[cell]):
            axes.text(
                column + 0.93,
                row + 0.88,
                f"{classes.ev[cell] + 0.0:.1f}",
                fontsize=6,
                ha="right",
                color=shade,
            )
