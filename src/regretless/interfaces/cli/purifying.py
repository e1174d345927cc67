"""The command `purify`: simpler strategies, and what they cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from regretless.runs.purifying import Purified


def purify(
    file: Annotated[Path, typer.Argument(help="strategy file")],
    threshold: Annotated[
        float | None, typer.Option(help="drop actions below this probability, e.g. 0.15")
    ] = None,
    steps: Annotated[
        str | None, typer.Option(help="round probabilities to steps, e.g. 25%")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="strategy file to write")] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help="the game, if its file has moved or is a Python file"),
    ] = None,
    threads: Annotated[int, typer.Option(help="number of threads (public form only)")] = 1,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Simplify a strategy and measure the cost. By default only the most likely action is kept."""
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.purifying import purify as run

    with Bar() as bar:
        found = run(
            file,
            threshold=threshold,
            steps=steps,
            game=game,
            threads=threads,
            out=out,
            listen=bar.show,
        )
    if json_:
        typer.echo(json.dumps({"file": str(file), **found.facts()}))
    else:
        _show(found)


def _show(found: Purified) -> None:
    from rich.text import Text

    from regretless.interfaces.cli.console import say, table

    facts = found.facts()
    before, after = facts["before"], facts["after"]
    columns = ("before", "after", "change")
    made = table("", *columns, title=f"{facts['game']}: {facts['method']}", numbers=columns)

    def add(name: str, old: float, new: float, digits: str) -> None:
        made.add_row(name, f"{old:z{digits}}", f"{new:z{digits}}", f"{new - old:+z{digits}}")

    add("exploitability", before["exploitability"], after["exploitability"], ".6g")
    if "ev" in before:
        percent = f"% of {before['percent_of']}"
        add(percent, before["exploitability_percent"], after["exploitability_percent"], ".4g")
        for name, old, new in zip(
            ("EV out of position", "EV in position"), before["ev"], after["ev"], strict=True
        ):
            add(name, old, new, ".3f")
    else:
        for player, (old, new) in enumerate(zip(before["values"], after["values"], strict=True)):
            add(f"value of player {player + 1}", old, new, ".6f")
        for player, (old, new) in enumerate(zip(before["epsilon"], after["epsilon"], strict=True)):
            add(f"epsilon of player {player + 1}", old, new, ".6g")
    old, new = facts["mixed"]
    made.add_row("mixed decision points", f"{old:,}", f"{new:,}", f"{new - old:+,}")
    say(made)
    if facts["out"]:
        say(Text(f"written to {facts['out']}"))
