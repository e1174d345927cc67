"""`one-on-one` and `lbr`: how good strategies of games too large to evaluate exactly are."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import options


def one_on_one(
    first: Annotated[Path, typer.Argument(help="a blueprint, e.g. nyx.strategy")],
    second: Annotated[Path, typer.Argument(help="another; bet sizes and map may differ")],
    boards: Annotated[int, typer.Option(help="number of boards to sample")] = 1000,
    histories: Annotated[
        int | None,
        typer.Option(help="terminal lines to sample per board and seat (default: all)"),
    ] = None,
    translation: options.Translation = "pseudo-harmonic",
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="translate without randomisation")
    ] = False,
    threads: Annotated[int, typer.Option(help="number of threads")] = 1,
    seed: Annotated[int, typer.Option(help="random seed of the boards")] = 0,
    json_: options.Json = False,
) -> None:
    """Compare two blueprints: winnings of the first with a 95 % confidence interval.

    Every sampled board is played from both seats, for all hands of both players at once."""
    from regretless.core.tables import facts_table
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.blueprint_matches import one_on_one as run

    with Bar() as bar:
        winnings = run(
            first,
            second,
            boards=boards,
            histories=histories,
            seed=seed,
            threads=threads,
            translation=translation,
            randomised=not deterministic,
            listen=bar.show,
        )
    (mean, half_width), seats = (
        winnings.mbb,
        [seat * winnings.unit.scale for seat in winnings.seats],
    )
    rows = [
        (f"{first.stem} wins", f"{mean:+.2f} ± {half_width:.2f} {winnings.unit.name}"),
        ("by position", f"{seats[0]:+.2f} as player 1, {seats[1]:+.2f} as player 2"),
        ("boards", f"{winnings.boards:,}; {winnings.ends:,} terminal lines"),
    ]
    facts = {"first": str(first), "second": str(second), **winnings.facts()}
    finish(facts, facts_table(rows), as_json=json_, interrupted=winnings.interrupted)


def lbr(
    file: Annotated[Path, typer.Argument(help="a blueprint or any strategy file of poker")],
    deals: Annotated[int, typer.Option(help="number of deals, each played from both seats")] = 1000,
    sizes: Annotated[
        str, typer.Option(help="raises of the responder where any size is legal")
    ] = "100%,a",
    first_round: Annotated[
        int, typer.Option(help="the responder only checks and calls before this round")
    ] = 1,
    translation: options.Translation = "pseudo-harmonic",
    seed: Annotated[int, typer.Option(help="random seed of the deals")] = 0,
    json_: options.Json = False,
) -> None:
    """Local best response: a lower bound on exploitability, in games of any size."""
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.blueprint_matches import local_best_response as run

    with Bar() as bar:
        bound = run(
            file,
            hands=deals,
            seed=seed,
            sizes=sizes,
            first_round=first_round,
            translation=translation,
            listen=bar.show,
        )
    facts = {"file": str(file), **bound.facts()}
    finish(facts, str(bound), as_json=json_, interrupted=bound.interrupted)
