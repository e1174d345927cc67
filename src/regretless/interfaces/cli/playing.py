"""`regretless match`: agents against each other, many hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.core.counts import counted
from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.core.tables import Table


def match(
    game: Annotated[str, typer.Argument(help="a poker game: leduc, holdem_limit, x.game, …")],
    agents: Annotated[
        list[str],
        typer.Argument(
            help="one per seat: random, always-call, aggressive, FILE.strategy or mybot.py:Bot"
        ),
    ],
    hands: Annotated[int, typer.Option(help="number of hands to play")] = 10_000,
    seed: Annotated[int, typer.Option(help="random seed of cards and agents")] = 0,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="play every deal in each rotation of the seats")
    ] = False,
    fixed: options.Fixed = False,
    log: options.Log = None,
    continued: options.Continue = False,
    names: Annotated[str | None, typer.Option(help="names by seat, e.g. a,b")] = None,
    aivat: Annotated[
        bool, typer.Option(help="also show the variance-reduced result (AIVAT)")
    ] = True,
    json_: options.Json = False,
) -> None:
    """Let agents play: winnings per player with a 95 % confidence interval."""
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.play.match_run import Match, Stop

    wanted = Match(
        game=game,
        agents=tuple(agents),
        hands=hands,
        seed=seed,
        rotate=not fixed,
        duplicate=duplicate,
        names=tuple(name.strip() for name in names.split(",")) if names is not None else (),
    )
    with Bar() as bar:
        result = wanted.run(log=log, resume=continued, aivat=aivat, listen=bar.show)
    facts, cut = result.facts(), ""
    if result.stop is Stop.INTERRUPTED:
        further = f"; continue with --log {log} --continue" if log else ""
        cut = f"interrupted after {facts['hands']:,} of {hands:,} hands{further}"
    finish(facts, _table(facts, game, log), as_json=json_, interrupted=cut)


def _table(facts: dict[str, Any], game: str, log: Path | None) -> Table:
    from regretless.core.tables import Column, Estimated, Table, prose

    corrected = any(player["aivat"] for player in facts["players"])
    columns = [
        Column("seat"),
        prose("player"),
        Column("chips", "+,.10g"),
        Column("chips per hand", "+z,.4f"),
        Column(f"{facts['unit']}s per hand", "+z,.1f"),
        *([Column("AIVAT")] if corrected else []),
    ]
    rows = [
        (
            player["seat"],
            player["name"],
            player["chips"],
            Estimated(player["chips_per_hand"], player["chips_per_hand_half_width"]),
            Estimated(player["milli_per_hand"], player["milli_per_hand_half_width"]),
            *([_aivat(player["aivat"])] if corrected else []),
        )
        for player in facts["players"]
    ]
    told = f"{counted(facts['hands'], 'hand')} of {game} in {facts['seconds']:.1f} s"
    told += "; ± is half the 95 % interval"
    told += "; AIVAT: variance-reduced" if corrected else ""
    return Table("", columns, rows, told + (f"\nlog: {log}" if log else ""))


def _aivat(corrected: dict[str, Any]) -> str:
    """In thousandths, as the column before, and how many times smaller the interval is."""
    from regretless.core.tables import Estimated

    if corrected["times_smaller"] is None:
        return f"{corrected['milli_per_hand']:+z,.1f} exact"
    told = Estimated(corrected["milli_per_hand"], corrected["milli_per_hand_half_width"])
    return f"{told:+z,.1f} ({corrected['times_smaller']:,.1f}×)"
