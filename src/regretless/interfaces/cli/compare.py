"""The command `compare`: several methods on one game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def compare(
    game: Annotated[str, typer.Argument(help="the game, e.g. leduc:ranks=5")],
    methods: Annotated[
        list[str] | None,
        typer.Argument(help="methods, e.g. cfr+ dcfr:alpha=2 (default: five common ones)"),
    ] = None,
    target: Annotated[float | None, typer.Option(help="stop at this exploitability")] = None,
    iterations: Annotated[int | None, typer.Option(help="stop after this many iterations")] = None,
    seconds: Annotated[
        float | None, typer.Option(help="stop each method after this many seconds")
    ] = None,
    form: Annotated[
        str, typer.Option(help="game representation: auto, sequence or public")
    ] = "auto",
    threads: Annotated[int, typer.Option(help="number of threads (public form only)")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="random seed, for sampling methods (default: 0)")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="write the curves to a CSV file")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="plot exploitability against iterations and time")
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Compare methods on one game. Default limit: 1,000 iterations each."""
    from rich.text import Text

    from regretless.core.files import require_distinct, require_writable, write_atomically
    from regretless.core.pictures import require_picture
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli import console
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.compare import COLUMNS, METHODS
    from regretless.runs.compare import compare as run

    require_distinct({"--csv": csv, "--plot": plot}, {"the game": game_file(game)})
    for path in filter(None, (csv, plot)):
        require_writable(path)
    if plot is not None:
        require_picture(plot)
    with Bar() as bar:
        found = run(
            game,
            methods or METHODS,
            target=target,
            iterations=iterations,
            seconds=seconds,
            form=form,
            threads=threads,
            seed=seed,
            listen=bar.show,
        )
    if not json_:  # before files, which may fail on a full disk
        made = console.table(*COLUMNS, title=found.game, numbers=COLUMNS[1:4])
        for row in found.rows():
            made.add_row(*row)
        console.say(made)
    if csv is not None:
        write_atomically(csv, found.csv().encode())
    if plot is not None:
        found.plot(plot)
    written = [str(path) for path in (csv, plot) if path is not None]
    if json_:
        typer.echo(json.dumps({**found.facts(), "files": written}))
    else:
        console.say(*(Text(f"written to {path}") for path in written))
    if found.interrupted:
        raise typer.Exit(130)
