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
    player: Annotated[str | None, typer.Option(help="name of the opponent in these files")] = None,
    game: Annotated[
        str | None, typer.Option(help="the game, if the files do not name it: leduc, x.game")
    ] = None,
    prior: Annotated[
        Path | None,
        typer.Option(help="strategy that deviations are measured from (default: an equilibrium)"),
    ] = None,
    by: Annotated[
        str, typer.Option(help="estimate: posterior, or by public history shifting, l1, l2")
    ] = "posterior",
    strength: Annotated[
        float, typer.Option(help="how many observations of a decision the prior counts as")
    ] = 10.0,
    cards: Annotated[
        str, typer.Option(help="opponent's cards to use: all, showdown or none (actions only)")
    ] = "all",
    out: Annotated[Path | None, typer.Option(help="model file to write")] = None,
    force: options.Force = False,
    plot: Annotated[
        Path | None, typer.Option(help="plot the largest deviations to this file")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Model an opponent from recorded hands: where it deviates most from an equilibrium."""
    from regretless.core.tables import facts_table
    from regretless.exploitation import leaks
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
    found = leaks.find_leaks(opponent)
    if out is not None:
        save_model(opponent, out)
    if plot is not None:
        picture(found, opponent, plot)
    tables = [facts_table(leaks.summary(opponent)), leaks.leak_table(found, opponent)]
    tables += [leaks.missing_table(found)] if not opponent.known else []
    finish(leaks.facts(found, opponent), *tables, as_json=json_, written={"out": out, "plot": plot})
