"""The command `league`: strategies against each other, as cross tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.core.errors import BadInput, Interrupted
from regretless.core.tables import MISSING
from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.evaluation.league import League


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
    deals: Annotated[
        int | None, typer.Option(help="number of deals to play instead, each in every seating")
    ] = None,
    seed: Annotated[int, typer.Option(help="random seed of deals and actions")] = 0,
    self_play: Annotated[
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
    json_: options.Json = False,
) -> None:
    """Compare strategies in all seatings: winnings by opponents and by position."""
    from regretless.core.files import is_file, require_folder, write_atomically
    from regretless.core.pictures import require_matplotlib
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.finish import attempted, finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.play.league import league as run
    from regretless.play.league import strategies_of

    if exact and deals is not None:
        raise BadInput("--exact and --deals cannot be combined")
    inputs: dict[str, str | Path | None] = {"the game": game_file(game)}
    inputs |= {f"strategy {text}": text for text in strategies if is_file(text)}
    options.require_outputs({"--markdown": markdown, "--csv": csv, "--plot": plot}, inputs)
    if outcomes is not None:
        require_folder(outcomes)
        require_matplotlib()
    try:
        with Bar() as bar:
            meeting: Any = strategies
            if outcomes is not None:  # before the league is played
                meeting = strategies_of(game, strategies, seed=seed, listen=bar.show)
            played = run(
                game, meeting, hands=deals, seed=seed, duplicates=self_play, listen=bar.show
            )
    except KeyboardInterrupt:
        raise Interrupted("interrupted: nothing to show yet") from None
    written = {"markdown": markdown, "csv": csv, "plot": plot}

    def write() -> None:
        if markdown is not None:
            write_atomically(markdown, played.markdown().encode())
        if csv is not None:
            write_atomically(csv, played.csv().encode())
        if plot is not None:
            played.plot(plot)
        if outcomes is not None:
            from regretless.evaluation.outcomes_report import write_outcomes

            written.update(write_outcomes(game, meeting, outcomes))

    unwritten = attempted(write)
    finish(
        played.facts(),
        *(() if json_ else _shown(played)),
        as_json=json_,
        written=written,
        interrupted=played.interrupted,
        unwritten=unwritten,
    )


def _shown(played: League) -> list[Any]:
    """All tables, each in as many parts as the screen needs."""
    from rich.text import Text

    from regretless.core.tables import Table
    from regretless.evaluation.league import about
    from regretless.interfaces.cli.console import width

    parts: list[Any] = [Text(about(played))]
    for table in played.tables():
        parts.append(Text(f"\n{table.title}", "bold"))
        names, lines = [column.name for column in table.header], table.lines()
        for page in _pages([names, *lines], width()):
            rows = [[Text(line[c], _style(line[c], c)) for c in page] for line in lines]
            columns = [replace(table.header[c], format="") for c in page]
            parts.append(Table("", columns, rows))
    return parts


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
    if cell == MISSING or not cell.strip("0.± "):
        return "dim"
    return "red" if cell.startswith("-") else ""
