"""The commands `refine` and `purify`: better and simpler strategies, and what that changes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import options


def refine(
    file: Annotated[
        Path | None, typer.Argument(help="strategy file; without one, list the refinements")
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="refinement with parameters, e.g. in-game:iterations=500")
    ] = None,
    out: options.StrategyOut = None,
    force: options.Force = False,
    game: options.GameOfFile = None,
    seconds: options.Seconds = None,
    threads: options.Threads = 1,
    json_: options.Json = False,
) -> None:
    """Refine a strategy. Exploitability before and after is measured in the full game."""
    if file is None:
        from regretless.interfaces.cli import listing

        listing.all_refinements(as_json=json_)
        return
    from regretless.core.errors import BadParameter
    from regretless.core.files import require_distinct
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.refinement._catalog import refinement_names
    from regretless.runs.refine import refine as run

    if by is None:
        raise BadParameter(f"--by is missing: must be one of {', '.join(refinement_names())}")
    require_distinct({"--out": out}, {"the blueprint": file, "--game": game_file(game)})
    options.require_new(out, force=force)
    with Bar() as bar:
        refined = run(
            file, by=by, game=game, seconds=seconds, threads=threads, out=out, listen=bar.show
        )
    stopped = refined.interrupted and seconds is None
    finish(refined.facts(), *refined.tables(), as_json=json_, interrupted=stopped)


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
