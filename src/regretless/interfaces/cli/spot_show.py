"""`show` for solutions of spots: a grid of 13×13 classes, lists by hand, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import Color
from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from regretless.cards.holdings import card_name, class_names
from regretless.cards.pair_equity import Equity
from regretless.cards.ranges import read_range
from regretless.core.errors import BadInput
from regretless.core.files import require_distinct, require_writable
from regretless.core.progress import Listener
from regretless.core.tables import Column, Table, prose
from regretless.evaluation.spot_tables import (
    SIDE,
    Classes,
    by_class,
    colours,
    facts,
    grid_place,
    letters,
    picture,
    rows,
    summary,
    write_csv,
    write_parquet,
)
from regretless.evaluation.spot_values import Node, SpotView
from regretless.games._spot_tables import PLAYERS
from regretless.interfaces.cli.finish import finish

if TYPE_CHECKING:
    from collections.abc import Callable

CELL = 5  # letters, each a fifth of a class's strategy
SEATS = ("out of position", "in position")


class Wanted:
    """The arguments of `show`."""

    def __init__(
        self,
        file: Path,
        *,
        at: str,
        hands: str | None,
        resolve: str | None,
        outputs: dict[str, Path | None],
        as_json: bool,
    ) -> None:
        self.file, self.at, self.hands = file, at, hands
        self.resolve, self.as_json = resolve, as_json
        self.outputs = {kind: path for kind, path in outputs.items() if path is not None}
        for kind, path in self.outputs.items():
            require_writable(path)
            if path.suffix != f".{kind}":
                raise BadInput(f"--{kind} {path}: the name must end in .{kind}")
        require_distinct(
            {f"--{kind}": p for kind, p in self.outputs.items()}, {"the strategy": file}
        )
        read_range(hands or "random")


def show(wanted: Wanted) -> None:
    """Show a decision in all requested ways."""
    view = SpotView.open(wanted.file)
    with _listening() as listen:
        node = view.at(wanted.at)
        again = None
        if wanted.resolve is not None:
            from regretless.runs.resolving import resolved

            again = resolved(view, wanted.at, target=wanted.resolve, listen=listen)
            node = again.view.at(wanted.at)
        if wanted.as_json:
            told = facts(node, hands=wanted.hands or "random", listen=listen)
        equities = node.equities(listen)
    _write(node, equities, wanted)
    if wanted.as_json:
        finish({**told, **({"resolved": again.facts()} if again else {})}, as_json=True)
        return
    head = _head(node, equities, again.text() if again else "")
    body = _grid(node) if wanted.hands is None else _list(node, equities, wanted.hands)
    written: dict[str, Path | None] = {**wanted.outputs}
    finish({}, *head, *body, as_json=False, written=written)


@contextmanager
def _listening() -> Iterator[Listener]:
    """A bar, as soon as there is something to show: most looks take no time."""
    with ExitStack() as stack:

        @cache
        def bar() -> Any:
            from regretless.interfaces.cli.progress import Bar

            return stack.enter_context(Bar())

        yield lambda progress: bar().show(progress)


def _write(node: Node, equities: Equity | None, wanted: Wanted) -> None:
    hands = wanted.hands or "random"
    writers: dict[str, Callable[[Path], object]] = {
        "csv": lambda path: write_csv(node, path, equities, hands),
        "parquet": lambda path: write_parquet(node, path, equities, hands),
        "png": lambda path: picture(node, path),
        "svg": lambda path: picture(node, path),
    }
    for kind, path in wanted.outputs.items():
        writers[kind](path)


def _head(node: Node, equities: Equity | None, note: str) -> list[RenderableType | Table]:
    """The line, both ranges, and the actions, which are the legend of the grid."""
    facts = summary(node, equities)
    board = " ".join(map(card_name, node.board)) or "before the flop"
    parts: list[RenderableType | Table] = [
        Text(f"{board}  {node.line or '(first decision)'}", style="bold"),
        Text(f"{SEATS[node.player]} to act, pot {node.pot}, line taken {node.reach:.3%}"),
    ]
    if note:
        parts.append(Text(note))
    elif not node.is_taken:
        told = "The solution does not take this line: --resolve solves it from here on."
        parts.append(Text(told, style="bold"))
    rows = [
        (seat, own["combos"], own["ev"], own["equity"])
        for seat, own in zip(SEATS, facts["ranges"].values(), strict=True)
    ]
    columns = ("range", Column("combos", "z.1f"), Column("EV", "z.2f"), Column("equity", ".1%"))
    return [*parts, Table("", columns, rows), _legend(node, facts["actions"])]


def _legend(node: Node, actions: list[dict[str, Any]]) -> Table:
    marks = zip(node.actions, letters(node.actions), _styles(node), actions, strict=True)
    rows = [
        (
            Text.assemble((f" {letter} ", style), f" {action}"),
            row["frequency"],
            row["combos"],
            row["ev"],
        )
        for action, letter, style, row in marks
    ]
    columns = ("action", Column("frequency", ".1%"), Column("combos", "z.1f"), Column("EV", "z.2f"))
    return Table("", columns, rows)


def _grid(node: Node) -> list[RenderableType | Table]:
    """Two lines per class: its name with its weight in per cent, and its strategy in fifths."""
    classes, marks, styles = by_class(node), letters(node.actions), _styles(node)
    lines = [[Text() for _ in range(SIDE)] for _ in range(2 * SIDE)]
    for cell, name in enumerate(class_names()):
        row, column = grid_place(cell)
        lines[2 * row][column] = _name(name, classes.weight[cell])
        lines[2 * row + 1][column] = _bar(classes, cell, marks, styles)
    note = "each letter is a fifth of a class's strategy; numbers are weights in per cent"
    return [Text(), *(Text(" ").join(line) for line in lines), Text(note)]


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


def _list(node: Node, equities: Equity | None, hands: str) -> list[RenderableType | Table]:
    """One row per hand of the player who acts: what it does, and what that earns."""
    acting = [row for row in rows(node, equities, hands) if row["player"] == PLAYERS[node.player]]
    if not acting:
        raise BadInput(f"--range {hands}: the player who acts holds none of them here")
    lines = [
        (
            row["hand"],
            row["weight"],
            row["ev"],
            row["equity"],
            *(
                Text(f"{_share(row[a])} {_ev(row[f'{a}_ev'])}", style)
                for a, style in zip(node.actions, _inks(node), strict=True)
            ),
        )
        for row in acting
    ]
    columns = (
        prose("hand"),
        Column("weight", ".0%"),
        Column("EV", "z.2f"),
        Column("equity", ".1%"),
        *map(Column, node.actions),
    )
    note = "each action: how often the hand takes it, and its EV"
    return [Text(), Table("", columns, lines, note)]


def _styles(node: Node) -> list[Style]:
    return [
        Style(color=Color.parse("#101010"), bgcolor=Color.parse(colour))
        for colour in colours(node.actions)
    ]


def _inks(node: Node) -> list[Style]:
    return [Style(color=Color.parse(colour)) for colour in colours(node.actions)]


_share, _ev = Column("", ".0%").text, Column("", "z.1f").text
