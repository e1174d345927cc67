"""The command `purify`: simpler strategies, and what they cost."""

from __future__ import annotations

from typing import Annotated

import typer

from regretless.interfaces.cli import options


def purify(
    file: options.StrategyFile,
    threshold: Annotated[
        float | None, typer.Option(help="drop actions below this probability, e.g. 0.15")
    ] = None,
    steps: Annotated[
        str | None, typer.Option(help="round probabilities to steps, e.g. 25%")
    ] = None,
    out: options.StrategyOut = None,
    force: options.Force = False,
    game: options.GameOfFile = None,
    threads: options.Threads = 1,
    json_: options.Json = False,
) -> None:
    """Simplify a strategy and measure the cost. By default only the most likely action is kept."""
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.purifying import purify as run

    options.require_new(out, force=force)
    with Bar() as bar:
        simpler = run(
            file,
            threshold=threshold,
            steps=steps,
            game=game,
            threads=threads,
            out=out,
            listen=bar.show,
        )
    facts = {"file": str(file), **simpler.facts()}
    finish(facts, *simpler.tables(), as_json=json_, written={"out": out})
