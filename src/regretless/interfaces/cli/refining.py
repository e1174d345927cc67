"""The command `refine`: improve a strategy, and measure the gain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def refine(
    file: Annotated[
        Path | None, typer.Argument(help="strategy file; without one, list the refinements")
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="refinement with parameters, e.g. in-game:iterations=500")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="strategy file to write")] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help="the game, if its file has moved or is a Python file"),
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="stop after this many seconds")] = None,
    threads: Annotated[int, typer.Option(help="number of threads (public form only)")] = 1,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Refine a strategy. Exploitability before and after is measured in the full game."""
    if file is None:
        _list(as_json=json_)
        return
    from regretless.core.errors import BadParameter
    from regretless.core.files import require_distinct
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.console import facts, say
    from regretless.interfaces.cli.progress import Bar
    from regretless.refinement._catalog import refinement_names
    from regretless.runs.refine import refine as run

    if by is None:
        raise BadParameter(f"--by is missing: must be one of {', '.join(refinement_names())}")
    require_distinct({"--out": out}, {"the blueprint": file, "--game": game_file(game)})
    with Bar() as bar:
        found = run(
            file, by=by, game=game, seconds=seconds, threads=threads, out=out, listen=bar.show
        )
    if json_:
        typer.echo(json.dumps(found.facts()))
    else:
        say(facts(found.rows()))
    if found.interrupted and seconds is None:
        raise typer.Exit(130)


def _list(*, as_json: bool) -> None:
    from rich.text import Text

    from regretless.core.specs import text
    from regretless.interfaces.cli.console import say, table
    from regretless.refinement._catalog import (
        refinement_about,
        refinement_defaults,
        refinement_names,
    )

    known = {name: refinement_defaults(name) for name in refinement_names()}
    if as_json:
        rows = [
            {"refinement": name, "about": refinement_about(name), "parameters": dict(defaults)}
            for name, defaults in known.items()
        ]
        typer.echo(json.dumps(rows))
        return
    made = table("refinement", "about", "parameters and defaults")
    made.columns[0].no_wrap = True
    for name, defaults in known.items():
        given = ", ".join(f"{key}={text(value)}" for key, value in defaults.items())
        made.add_row(name, refinement_about(name), given)
    say(made, Text("\nparameters follow a colon: in-game:iterations=500"))
