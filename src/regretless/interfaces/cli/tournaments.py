"""`icm`, `pushfold` and `three-hands`: tournaments and all-in hands before the flop."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.interfaces.cli import options

Stacks = Annotated[str, typer.Option(help="stacks of all players, e.g. 5000,3100")]
Payouts = Annotated[str, typer.Option(help="prizes, first place first, e.g. 50,30")]


def amounts(text: str, option: str, between: str = ",") -> list[float]:
    """The numbers of a list such as `5000,3100`."""
    from regretless.core.errors import BadParameter

    found = []
    for part in text.split(between):
        try:
            found.append(float(part))
        except ValueError:
            raise BadParameter(
                f"{option} {text}: {part.strip()!r} is not a number; see `--help`"
            ) from None
    return found


def icm(
    stacks: Stacks,
    payouts: Payouts,
    seed: Annotated[int, typer.Option(help="random seed, for more than 20 players")] = 0,
    json_: options.Json = False,
) -> None:
    """The value of tournament stacks by ICM and other models, deals, and bubble factors."""
    from regretless.interfaces.cli.finish import finish
    from regretless.stochastic.stack_values import icm as valued

    found = valued(amounts(stacks, "--stacks"), amounts(payouts, "--payouts"), seed=seed)
    facts = {
        "values": found.values,
        "half_widths": found.half_widths or None,
        "malmuth_weitzman": found.malmuth_weitzman or None,
        "chips": found.chips,
        "chop": found.chop,
        "bubble_factors": found.bubble_factors or None,
    }
    finish(facts, *found.tables(), as_json=json_)


def pushfold(
    stacks: Annotated[
        str,
        typer.Option(help="stacks in the order of action, blinds last: 10bb or 5000,4000,4500"),
    ],
    blinds: Annotated[str | None, typer.Option(help="small/big blind, e.g. 300/600")] = None,
    ante: Annotated[float, typer.Option(help="ante of every player")] = 0.0,
    big_blind_ante: Annotated[
        float, typer.Option(help="ante that the big blind pays for everyone")
    ] = 0.0,
    payouts: Annotated[
        str | None,
        typer.Option(help="prizes, e.g. 50,30,20: measure stacks by ICM instead of chips"),
    ] = None,
    others: Annotated[
        str | None, typer.Option(help="stacks of players who are not dealt in, for ICM")
    ] = None,
    png: Annotated[Path | None, typer.Option(help="draw the charts to this PNG file")] = None,
    csv: Annotated[Path | None, typer.Option(help="write the charts to this CSV file")] = None,
    json_: options.Json = False,
) -> None:
    """Push/fold charts before the flop for two to nine players, in chips or in prizes.

    Card removal is exact for two and three players; with more it is exact among the at most three
    players in a pot, and folded cards are taken to be in the deck. After three are in, the others
    fold. Three and more need the table that `regretless three-hands` makes. Ctrl-C keeps the charts
    so far, with what a player could still gain."""
    from regretless.interfaces.cli.chart_grid import grids
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.stochastic.push_fold import pushfold as solved

    options.require_outputs({"--png": png, "--csv": csv}, {})
    posted = None if blinds is None else amounts(blinds, "--blinds", "/")
    if posted is not None and len(posted) != 2:
        from regretless.core.errors import BadParameter

        raise BadParameter(f"--blinds {blinds}: must be small and big, e.g. 300/600")
    with Bar() as bar:
        found = solved(
            stacks,
            blinds=None if posted is None else (posted[0], posted[1]),
            ante=ante,
            big_blind_ante=big_blind_ante,
            payouts=amounts(payouts, "--payouts") if payouts else (),
            others=amounts(others, "--others") if others else (),
            listen=bar.show,
        )
    if png is not None:
        from regretless.stochastic.chart_picture import chart_picture

        chart_picture(found, png)
    if csv is not None:
        found.write_csv(csv)
    written = {"png": png, "csv": csv}
    finish(
        found.facts(),
        *found.tables(),
        *grids(found),
        as_json=json_,
        written=written,
        interrupted=found.stopped,
    )


def three_hands(
    threads: Annotated[int, typer.Option(help="number of threads")] = 2,
    json_: options.Json = False,
) -> None:
    """Compute the all-in results of three hands, which games with three players need.

    Exact, for all 169³ deals of classes, with card removal. It is made once per machine, in about
    20 minutes on two cores, and has 251 MB. Ctrl-C keeps what is done; the same command
    continues."""
    from regretless.cards.three_hands import make_three_hands, table_path
    from regretless.core.errors import within
    from regretless.core.interrupts import interrupts
    from regretless.core.tables import facts_table
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar

    within("threads", threads, 1, 256)
    if not table_path().is_file():
        with Bar() as bar, interrupts():
            make_three_hands(threads, bar.show)
    path, size = table_path(), table_path().stat().st_size
    rows = [("table", str(path)), ("size", f"{size / 1e6:.0f} MB")]
    finish({"table": str(path), "bytes": size}, facts_table(rows), as_json=json_)
