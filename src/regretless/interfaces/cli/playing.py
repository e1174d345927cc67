"""`regretless match`: agents against each other, many hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretless.core.counts import counted

if TYPE_CHECKING:
    from rich.table import Table

INTERRUPTED = 130  # exit code


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
    fixed: Annotated[
        bool, typer.Option("--fixed", help="seats keep their positions; otherwise they rotate")
    ] = False,
    log: Annotated[
        Path | None, typer.Option(help="write all hands to this log, in ACPC format")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue the match in --log; more --hands extend it")
    ] = False,
    names: Annotated[str | None, typer.Option(help="names by seat, e.g. a,b")] = None,
    aivat: Annotated[
        bool, typer.Option(help="also show the variance-reduced result (AIVAT)")
    ] = True,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Let agents play: winnings per player with a 95 % confidence interval."""
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
        result = wanted.run(log=log, resume=resume, aivat=aivat, listen=bar.show)
    facts = result.facts()
    if result.stop is Stop.INTERRUPTED:
        further = f"; continue with --log {log} --resume" if log else ""
        typer.echo(f"interrupted after {facts['hands']:,} of {hands:,} hands{further}", err=True)
    if json_:
        typer.echo(json.dumps(facts))
    else:
        _show(facts, game, log)
    if result.stop is Stop.INTERRUPTED:
        raise typer.Exit(INTERRUPTED)


def _show(facts: dict[str, Any], game: str, log: Path | None) -> None:
    from rich.text import Text

    from regretless.interfaces.cli.console import say

    say(_table(facts))
    told = f"{counted(facts['hands'], 'hand')} of {game} in {facts['seconds']:.1f} s"
    told += "; ± is half the 95 % interval"
    if any(player["aivat"] for player in facts["players"]):
        told += "; AIVAT: variance-reduced"
    say(Text(told, "dim"))
    if log:
        say(Text(f"log: {log}", "dim"))


def _table(facts: dict[str, Any]) -> Table:
    from rich.text import Text

    from regretless.interfaces.cli.console import table

    corrected = any(player["aivat"] for player in facts["players"])
    titles = ["chips", "chips per hand", f"{facts['unit']}s per hand"]
    titles += ["AIVAT"] * corrected
    made = table("seat", "player", *titles, numbers=("seat", *titles))
    for player in facts["players"]:
        made.add_row(
            str(player["seat"]),
            Text(player["name"]),
            f"{player['chips']:+,.10g}",
            _with_interval(player["chips_per_hand"], player["chips_interval_95"], 4),
            _with_interval(player["milli_per_hand"], player["milli_interval_95"], 1),
            *([_aivat(player["aivat"])] if corrected else []),
        )
    return made


def _aivat(found: dict[str, Any]) -> str:
    """In thousandths, as the column before, and how many times smaller the interval is."""
    if found["times_smaller"] is None:
        return f"{found['milli_per_hand']:+z,.1f} exact"
    told = _with_interval(found["milli_per_hand"], found["milli_interval_95"], 1)
    return f"{told} ({found['times_smaller']:,.1f}×)"


def _with_interval(mean: float, half: float | None, digits: int) -> str:
    return f"{mean:+z,.{digits}f} ± " + ("?" if half is None else f"{half:,.{digits}f}")
