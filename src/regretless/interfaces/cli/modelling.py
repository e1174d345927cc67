"""`model` and `exploit`: what is known about an opponent, and how to play against it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import options


def model(
    files: Annotated[
        list[str], typer.Argument(help="logs, .phh files, PokerStars text files; or one strategy")
    ],
    player: Annotated[
        str | None, typer.Option("--name", help="name of the opponent in these files")
    ] = None,
    game: Annotated[
        str | None, typer.Option(help="the game, if the files do not name it: leduc, x.game")
    ] = None,
    prior: Annotated[
        Path | None,
        typer.Option(
            help="strategy that deviations are measured from (default: an equilibrium); hold'em: a "
            "blueprint"
        ),
    ] = None,
    by: Annotated[
        str, typer.Option(help="estimate: posterior, or from public frequencies: shifting, l1, l2")
    ] = "posterior",
    strength: Annotated[
        float, typer.Option(help="how many observations of a decision the prior counts as")
    ] = 10.0,
    cards: Annotated[
        str, typer.Option(help="opponent's cards to use: all, showdown or none (actions only)")
    ] = "all",
    out: Annotated[
        Path | None, typer.Option(help="model file to write; over a blueprint a .strategy file")
    ] = None,
    force: options.Force = False,
    plot: Annotated[
        Path | None, typer.Option(help="plot the largest deviations to this file")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Model an opponent from recorded hands: where it deviates most from an equilibrium."""
    from regretless.core.tables import facts_table
    from regretless.exploitation import leaks
    from regretless.exploitation.bucket_model import BucketModel
    from regretless.exploitation.files import save_model
    from regretless.exploitation.leaks_picture import picture
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.play.modelling import model as made

    options.require_new(out, force=force)
    inputs: dict[str, str | Path | None] = {f"input {file}": file for file in files}
    options.require_outputs({"--out": out, "--plot": plot}, inputs)
    with Bar() as bar:
        opponent = made(
            files[0] if len(files) == 1 else files,
            player=player,
            game=game,
            prior=prior,
            by=by,
            strength=strength,
            cards=cards,
            listen=bar.show,
        )
    found = opponent.leaks() if isinstance(opponent, BucketModel) else leaks.find_leaks(opponent)
    if out is not None:
        save_model(opponent, out)
    if plot is not None:
        picture(found, opponent, plot)
    tables = [facts_table(leaks.summary(opponent)), leaks.leak_table(found, opponent)]
    tables += [leaks.missing_table(found)] if not opponent.known else []
    finish(leaks.facts(found, opponent), *tables, as_json=json_, written={"out": out, "plot": plot})


def exploit(
    file: Annotated[
        Path, typer.Argument(help="as `regretless model --out` writes it; or any blueprint")
    ],
    by: Annotated[
        str | None,
        typer.Option(
            help="response: best-response (default), restricted-nash:p=0.8, data-biased:full=20"
        ),
    ] = None,
    safe: Annotated[
        bool, typer.Option("--safe", help="never earn less than the value of the game")
    ] = False,
    risk: Annotated[
        float | None,
        typer.Option(help="risk at most this many chips per hand below the value, e.g. 0.05"),
    ] = None,
    out: options.StrategyOut = None,
    force: options.Force = False,
    plot: Annotated[Path | None, typer.Option(help="plot the frontier to this file")] = None,
    iterations: Annotated[
        int | None,
        typer.Option(help="against a blueprint: stop learning after this many iterations (10,000)"),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="against a blueprint: stop learning after this many seconds"),
    ] = None,
    threads: options.Threads = 1,
    json_: options.Json = False,
) -> None:
    """Find a counter-strategy to a modelled opponent: what it wins, and what it risks."""
    from regretless.core.errors import BadParameter
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.exploiting import BY
    from regretless.runs.exploiting import exploit as run
    from regretless.runs.exploiting_blueprints import BucketExploitation

    if by is not None and (safe or risk is not None):
        raise BadParameter(f"--by {by}: cannot be combined with --safe and --risk")
    options.require_new(out, force=force)
    options.require_outputs({"--out": out, "--plot": plot}, {"the model": file})
    wanted = 0.0 if safe and risk is None else risk
    with Bar() as bar:
        found = run(
            file,
            by=by or BY,
            risk=wanted,
            iterations=iterations,
            seconds=seconds,
            threads=threads,
            listen=bar.show,
        )
    if plot is not None:
        if isinstance(found, BucketExploitation):
            raise BadParameter(f"--plot {plot}: there is no frontier over a blueprint")
        found.plot(plot)
    if out is not None:
        found.save(out)
    finish(found.facts(), *found.tables(), as_json=json_, written={"out": out, "plot": plot})
