"""The command `compare`: several methods on one game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import options


def compare(
    game: Annotated[str, typer.Argument(help="the game, e.g. leduc:ranks=5")],
    methods: Annotated[
        list[str] | None,
        typer.Argument(help="methods, e.g. cfr+ dcfr:alpha=2 (default: five common ones)"),
    ] = None,
    target: options.Target = None,
    iterations: options.Iterations = None,
    seconds: Annotated[
        float | None, typer.Option(help="stop each method after this many seconds")
    ] = None,
    form: options.Form = "auto",
    threads: options.Threads = 1,
    seed: options.SamplingSeed = None,
    csv: Annotated[Path | None, typer.Option(help="write the curves to a CSV file")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="plot exploitability against iterations and time")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Compare methods on one game. Default limit: 1,000 iterations each."""
    from regretless.core.files import write_atomically
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.console import say
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.compare import METHODS
    from regretless.runs.compare import compare as run

    options.require_outputs({"--csv": csv, "--plot": plot}, {"the game": game_file(game)})
    with Bar() as bar:
        comparison = run(
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
        say(*comparison.tables())
    if csv is not None:
        write_atomically(csv, comparison.csv().encode())
    if plot is not None:
        comparison.plot(plot)
    written = {"csv": csv, "plot": plot}
    finish(comparison.facts(), as_json=json_, written=written, interrupted=comparison.interrupted)
