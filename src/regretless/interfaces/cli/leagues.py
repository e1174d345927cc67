"""The command `league`: strategies against each other, as cross tables."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.core.errors import BadInput

if TYPE_CHECKING:
    from regretless.evaluation.league import League

INTERRUPTED = 130  # exit code


def league(
    game: Annotated[str, typer.Argument(help="kuhn:players=3, leduc, x.efg, x.game, …")],
    strategies: Annotated[
        list[str],
        typer.Argument(
            help="strategy files, random, always-call, always-fold, aggressive, or mybot.py:Bot"
        ),
    ],
    exact: Annotated[
        bool, typer.Option("--exact", help="expectations over all deals (default)")
    ] = False,
    hands: Annotated[
        int | None, typer.Option(help="play this many deals instead, each in every seating")
    ] = None,
    seed: Annotated[int, typer.Option(help="random seed of deals and actions")] = 0,
    duplicates: Annotated[
        bool, typer.Option(help="include tables at which a strategy meets itself")
    ] = True,
    markdown: Annotated[Path | None, typer.Option(help="write the tables to this file")] = None,
    csv: Annotated[Path | None, typer.Option(help="write all numbers to this CSV file")] = None,
    plot: Annotated[Path | None, typer.Option(help="plot the cross table to this file")] = None,
    outcomes: Annotated[
        Path | None,
        typer.Option(
            help="poker: write tables and plots of how hands are won and lost to this folder"
        ),
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Compare strategies in all seatings: winnings by opponents and by position."""
    from regretless.core.files import (
        is_file,
        require_distinct,
        require_folder,
        require_writable,
        write_atomically,
    )
    from regretless.core.pictures import require_picture
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.progress import Bar
    from regretless.play.league import league as run

    if exact and hands is not None:
        raise BadInput("--exact and --hands cannot be combined")
    inputs: dict[str, str | Path | None] = {"the game": game_file(game)}
    inputs |= {f"strategy {text}": text for text in strategies if is_file(text)}
    require_distinct({"--markdown": markdown, "--csv": csv, "--plot": plot}, inputs)
    for path in filter(None, (markdown, csv, plot)):
        require_writable(path)
    if outcomes is not None:
        require_folder(outcomes)
    if plot is not None:
        require_picture(plot)
    try:
        with Bar() as bar:
            found = run(
                game, strategies, hands=hands, seed=seed, duplicates=duplicates, listen=bar.show
            )
    except KeyboardInterrupt:
        typer.echo("interrupted: nothing to show yet", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if markdown is not None:
        write_atomically(markdown, found.markdown().encode())
    if csv is not None:
        write_atomically(csv, found.csv().encode())
    if plot is not None:
        found.plot(plot)
    written = {"markdown": markdown, "csv": csv, "plot": plot}
    if outcomes is not None:
        from regretless.evaluation.outcomes_tables import write_outcomes

        written |= write_outcomes(game, strategies, outcomes)
    if json_:
        told = {name: str(path) if path else None for name, path in written.items()}
        sys.stdout.write(json.dumps({**found.facts(), **told}) + "\n")
    else:
        _show(found, [path for path in written.values() if path])
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _show(found: League, written: Sequence[Path]) -> None:
    from rich.text import Text

    from regretless.evaluation.league_tables import about, tables
    from regretless.interfaces.cli.console import say, table, width

    say(Text(about(found)))
    for one in tables(found):
        say(Text(f"\n{one.title}", "bold"))
        for columns in _pages([one.header, *one.rows], width()):
            names = [one.header[column] for column in columns]
            shown = table(*names, numbers=tuple(names[1:]))
            for row in one.rows:
                shown.add_row(*(Text(row[c], _style(row[c], c)) for c in columns))
            say(shown)
    for path in written:
        say(Text(f"written to {path}"))


def _pages(lines: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Columns in pages that fit the screen; the first column, the names, is on every page."""
    widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
    pages = [[0]]
    for column in range(1, len(widths)):
        taken = sum(widths[c] for c in pages[-1])
        if taken + widths[column] > width and len(pages[-1]) > 1:
            pages.append([0])
        pages[-1].append(column)
    return pages


def _style(cell: str, column: int) -> str:
    """Losses in red, zeros dim, the name in the last row bold."""
    if not column:
        return "bold" if cell == "overall" else ""
    if cell == "·" or not cell.strip("0.± "):
        return "dim"
    return "red" if cell.startswith("-") else ""
