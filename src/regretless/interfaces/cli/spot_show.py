"""`show` for solutions of spots: a grid of 13×13 classes, lists by hand, tables and pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.table import Table
from rich.text import Text

from regretless.cards.equities import Equity
from regretless.cards.holdings import card_name, class_names
from regretless.core.errors import BadInput
from regretless.core.files import require_writable
from regretless.evaluation.spot_picture import SIDE, colours, grid_place, picture
from regretless.evaluation.spot_tables import (
    Classes,
    by_class,
    facts,
    letters,
    rows,
    summary,
    write_csv,
    write_parquet,
)
from regretless.evaluation.spot_values import Node, SpotView
from regretless.interfaces.cli.progress import Bar

if TYPE_CHECKING:
    from collections.abc import Callable

CELL = 5  # letters: one is a fifth of a class's strategy
SEATS = ("out of position", "in position")


class Wanted:
    """What `show` was asked for."""

    def __init__(
        self,
        *,
        at: str,
        hands: str | None,
        resolve: str | None,
        outputs: dict[str, Path | None],
        as_json: bool,
    ) -> None:
        self.at, self.hands, self.resolve, self.as_json = at, hands, resolve, as_json
        self.outputs = {kind: path for kind, path in outputs.items() if path is not None}
        for path in self.outputs.values():
            require_writable(path)


def show(view: SpotView, wanted: Wanted) -> None:
    """Show a decision in all the ways that were asked for."""
    with Bar() as bar:
        node = view.at(wanted.at)
        again = None
        if wanted.resolve is not None:
            from regretless.runs.resolving import resolved

            again = resolved(view, wanted.at, target=wanted.resolve, listen=bar.show)
            node = again.view.at(wanted.at)
        if wanted.as_json:
            told = facts(node, hands=wanted.hands or "random", listen=bar.show)
        equities = node.equities(bar.show)
    _write(node, equities, wanted)
    if wanted.as_json:
        extra = {"resolved": again.facts()} if again else {}
        sys.stdout.write(json.dumps({**told, **extra}) + "\n")
    else:
        console = Console()
        _head(console, node, equities, again.text() if again else "")
        if wanted.hands is None:
            _grid(console, node)
        else:
            _list(console, node, equities, wanted.hands)
        for path in wanted.outputs.values():
            console.print(f"written to {path}", markup=False, highlight=False)


def _write(node: Node, equities: Equity | None, wanted: Wanted) -> None:
    hands = wanted.hands or "random"
    writers: dict[str, Callable[[Path], object]] = {
        "csv": lambda path: write_csv(node, path, equities, hands),
        "parquet": lambda path: write_parquet(node, path, equities, hands),
        "png": lambda path: picture(node, path),
        "svg": lambda path: picture(node, path),
    }
    for kind, path in wanted.outputs.items():
        if path.suffix != f".{kind}":
            raise BadInput(f"--{kind} {path}: the name must end in .{kind}")
        writers[kind](path)


def _head(console: Console, node: Node, equities: Equity | None, note: str) -> None:
    told = summary(node, equities)
    board = " ".join(map(card_name, node.board)) or "before the flop"
    title = Text(f"{board}  {node.line or '(first decision)'}", style="bold")
    console.print(title)
    taken = f"{SEATS[node.player]} to act, pot {node.pot}, line taken {node.reach:.3%}"
    console.print(Text(taken))
    if note:
        console.print(Text(note))
    elif not node.is_taken:
        console.print(
            Text("The solution does not take this line: --resolve solves it from here on.", "bold")
        )
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("range")
    for name in ("combos", "EV", "equity"):
        table.add_column(name, justify="right")
    for seat, own in zip(SEATS, told["ranges"].values(), strict=True):
        table.add_row(seat, _number(own["combos"], 1), _number(own["ev"], 2), _part(own["equity"]))
    console.print(table)
    _legend(console, node, told)


def _legend(console: Console, node: Node, told: dict[str, list[dict[str, float]]]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("action")
    for name in ("frequency", "combos", "EV"):
        table.add_column(name, justify="right")
    marks = zip(node.actions, letters(node.actions), _styles(node), strict=True)
    for (action, letter, style), row in zip(marks, told["actions"], strict=True):
        label = Text.assemble((f" {letter} ", style), f" {action}")
        table.add_row(
            label, _part(row["frequency"]), _number(row["combos"], 1), _number(row["ev"], 2)
        )
    console.print(table)


def _grid(console: Console, node: Node) -> None:
    """Two lines per class: its name with its weight in per cent, and its strategy in fifths."""
    classes, marks, styles = by_class(node), letters(node.actions), _styles(node)
    lines = [[Text() for _ in range(SIDE)] for _ in range(2 * SIDE)]
    for cell, name in enumerate(class_names()):
        row, column = grid_place(cell)
        lines[2 * row][column] = _name(name, classes.weight[cell])
        lines[2 * row + 1][column] = _bar(classes, cell, marks, styles)
    console.print()
    for line in lines:
        console.print(Text(" ").join(line), no_wrap=True, crop=False)
    console.print(
        Text("a letter is a fifth of a class's strategy; small numbers: its weight in per cent")
    )


def _name(name: str, weight: float) -> Text:
    if not (np.isfinite(weight) and weight > 0):
        return Text(name.ljust(CELL), style="dim")
    percent = f"{100 * weight:.0f}" if round(100 * weight) < 100 else ""
    return Text.assemble((name, "bold"), (percent.rjust(CELL - len(name)), "dim"))


def _bar(classes: Classes, cell: int, marks: tuple[str, ...], styles: list[Style]) -> Text:
    weight = classes.weight[cell]
    if not (np.isfinite(weight) and weight > 0):
        return Text("·" * CELL, style="dim")
    text = Text()
    for action, count in enumerate(fifths(classes.strategy[cell])):
        text.append(marks[action] * count, styles[action])
    return text


def fifths(shares: np.ndarray) -> list[int]:
    """Letters of every action: the largest remainders get what rounding down leaves."""
    exact = CELL * np.nan_to_num(shares)
    counts = np.floor(exact + 1e-9).astype(int)
    order = np.argsort(counts - exact, kind="stable")
    counts[order[: CELL - int(counts.sum())]] += 1
    return [int(count) for count in counts]


def _list(console: Console, node: Node, equities: Equity | None, hands: str) -> None:
    """One row per hand of the player who acts: what it does, and what that earns."""
    unit = "frequency and EV of every action"
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", caption=unit)
    table.caption_justify = "left"
    table.add_column("hand", no_wrap=True)
    for name in ("weight", "EV", "equity", *node.actions):
        table.add_column(name, justify="right", no_wrap=name in ("weight", "EV", "equity"))
    names = [row for row in rows(node, equities, hands) if row["player"] == _seat(node)]
    if not names:
        raise BadInput(f"--hands {hands!r}: the player who acts holds none of them here")
    for row in names:
        cells = [
            Text(f"{_part(row[a], 0)} {_number(row[f'{a}_ev'], 1)}", style)
            for a, style in zip(node.actions, _inks(node), strict=True)
        ]
        table.add_row(
            row["hand"], _part(row["weight"]), _number(row["ev"], 2), _part(row["equity"]), *cells
        )
    console.print()
    console.print(table)


def _seat(node: Node) -> str:
    return ("oop", "ip")[node.player]


def _styles(node: Node) -> list[Style]:
    return [
        Style(color=Color.parse("#101010"), bgcolor=Color.parse(colour))
        for colour in colours(node.actions)
    ]


def _inks(node: Node) -> list[Style]:
    return [Style(color=Color.parse(colour)) for colour in colours(node.actions)]


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def _part(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{100 * value:.{digits}f}%"
