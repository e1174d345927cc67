"""A decision of a solved spot as tables, by hand, by class of 169, by range, and as a picture.

They are written as CSV, Parquet or JSON; unknown numbers, such as the EV of a hand that
blocks the whole opposing range, are left empty.

In the picture the height of a cell's fill is the share of its hands in the range; from left to
right it is split by the frequencies of the actions; the number is the class's EV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.cards.deck import RANKS
from regretless.cards.holdings import CLASSES, card_name, class_names, class_of, hand_names
from regretless.cards.pair_equity import Equity
from regretless.cards.ranges import read_range
from regretless.core.arrays import Floats
from regretless.core.files import write_atomically
from regretless.core.parquet import write_columns
from regretless.core.pictures import blank_figure, write_figure
from regretless.core.progress import Listener, nobody
from regretless.core.tables import csv_text, plain
from regretless.evaluation.spot_values import Node
from regretless.games._spot_tables import PLAYERS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LETTERS = {"fold": "F", "check": "C", "call": "C", "allin": "A"}


@dataclass(frozen=True, eq=False)
class Classes:
    """The 169 classes of the acting player; nan for classes it never holds."""

    weight: Floats  # [class] mean weight of its hands that the board allows
    strategy: Floats  # [class, action]
    ev: Floats


def by_class(node: Node) -> Classes:
    """Means over the hands of every class, weighted by the range."""
    acting, cells = node.acting, class_of()
    share = acting.weight * acting.met
    share = share if share.any() else acting.weight
    possible = np.isfinite(node.strategy[:, 0])
    counts = np.bincount(cells, possible, CLASSES)
    total = np.bincount(cells, share, CLASSES)

    def mean(values: Floats) -> Floats:
        return np.bincount(cells, share * np.nan_to_num(values), CLASSES) / total

    with np.errstate(invalid="ignore", divide="ignore"):
        return Classes(
            np.bincount(cells, acting.weight, CLASSES) / counts,
            np.stack([mean(column) for column in node.strategy.T], axis=1),
            mean(acting.ev),
        )


def letters(actions: tuple[str, ...]) -> tuple[str, ...]:
    """One letter per action: F, C, A for all-in, and sizes 1, 2, … from small to large."""
    sizes = iter("123456789BDEGHIJKLMNOPQRSTUVWXYZ" + "?" * len(actions))
    return tuple(LETTERS.get(action) or next(sizes) for action in actions)


def rows(node: Node, equities: Equity | None, wanted: str = "random") -> Iterator[dict[str, Any]]:
    """One row per hand and player, the acting player first; numbers or None."""
    chosen = read_range(wanted) > 0
    for player in (node.player, 1 - node.player):
        held = node.held[player]
        acts = player == node.player
        for hand in np.flatnonzero((held.weight > 0) & chosen)[::-1].tolist():
            row: dict[str, Any] = {
                "player": PLAYERS[player],
                "hand": hand_names()[hand],
                "class": class_names()[int(class_of()[hand])],
                "weight": float(held.weight[hand]),
                "reach": float(held.reach[hand]),
                "ev": plain(held.ev[hand]),
                "equity": plain(equities.by_hand[player][hand]) if equities else None,
            }
            for a, action in enumerate(node.actions):
                row[action] = plain(node.strategy[hand, a]) if acts else None
                row[f"{action}_ev"] = plain(node.action_ev[hand, a]) if acts else None
            yield row


def summary(node: Node, equities: Equity | None) -> dict[str, Any]:
    """The decision and both ranges."""
    shares = (equities.first, equities.second) if equities else (None, None)
    acting = node.acting
    return {
        "line": node.line,
        "board": "".join(map(card_name, node.board)),
        "player": PLAYERS[node.player],
        "pot": node.pot,
        "reach": node.reach,
        "taken": node.is_taken,
        "ranges": {
            PLAYERS[p]: {
                "combos": float(node.held[p].weight.sum()),
                "ev": plain(node.ev[p]),
                "equity": shares[p],
            }
            for p in range(2)
        },
        "actions": [
            {
                "action": action,
                "frequency": plain(node.frequencies[a]),
                "ev": plain(_mean_of_action(node, a)),
                "combos": float(np.nansum(acting.weight * node.strategy[:, a])),
            }
            for a, action in enumerate(node.actions)
        ],
    }


def facts(node: Node, *, hands: str = "random", listen: Listener = nobody) -> dict[str, Any]:
    """All tables as JSON-compatible data."""
    equities = node.equities(listen)
    return {**summary(node, equities), "hands": list(rows(node, equities, hands))}


def write_csv(node: Node, path: Path, equities: Equity | None, hands: str = "random") -> int:
    """Write one row per hand; returns the number of rows."""
    listed = list(rows(node, equities, hands))
    names = columns(node)
    text = csv_text(names, [[row[name] for name in names] for row in listed])
    write_atomically(path, text.encode())
    return len(listed)


def write_parquet(node: Node, path: Path, equities: Equity | None, hands: str = "random") -> int:
    """Write the table by hand as Parquet."""
    listed = list(rows(node, equities, hands))
    named = {name: [row[name] for row in listed] for name in columns(node)}
    write_columns(path, named, dict.fromkeys(("player", "hand", "class"), "string"))
    return len(listed)


def columns(node: Node) -> list[str]:
    """Column names of the table by hand."""
    actions = [name for action in node.actions for name in (action, f"{action}_ev")]
    return ["player", "hand", "class", "weight", "reach", "ev", "equity", *actions]


def _mean_of_action(node: Node, action: int) -> float:
    """EV of an action over the hands that take it."""
    taken = node.acting.share * np.nan_to_num(node.strategy[:, action])
    kept = taken > 0
    if not kept.any():
        return float("nan")
    return float(taken[kept] @ node.action_ev[kept, action] / taken.sum())


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
    return write_figure(figure, path)


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
