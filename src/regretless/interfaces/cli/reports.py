"""The commands `report`, a spot on many flops, and `diff`, two solutions of a spot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.core.counts import counted
from regretless.core.errors import Interrupted
from regretless.core.tables import Column, Table, prose
from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.evaluation.spot_difference import SpotDifference
    from regretless.runs.report import Report

MOST_CLASSES = 25  # that are shown


def report(
    spot: Annotated[
        Path, typer.Argument(help="a spot on the flop, as TOML; its board is replaced")
    ],
    flops: Annotated[
        str, typer.Option(help="all, a number of them, or a file with one flop per line")
    ] = "all",
    at: Annotated[
        list[str] | None,
        typer.Option(help="decision to report, e.g. 'check bet50'; may be repeated"),
    ] = None,
    target: Annotated[
        str, typer.Option(help="target exploitability per flop, in chips or % of the pot")
    ] = "0.5%",
    iterations: Annotated[
        int, typer.Option(help="stop each flop after this many iterations")
    ] = 1000,
    method: options.Method = None,
    processes: Annotated[
        int | None, typer.Option(help="number of processes (default: one per core)")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Parquet file to write (default: SPOT.parquet in this directory)"),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="plot frequencies, EV and equity to this file")
    ] = None,
    json_: options.Json = False,
) -> None:
    """Solve a spot on many flops: frequencies, EV and equity of each, weighted.

    Solved flops are kept in OUT.boards.jsonl: after Ctrl-C (exit code 130) or a crash, the same
    command continues from there."""
    from regretless.core.files import is_file
    from regretless.core.parquet import arrow
    from regretless.interfaces.cli.finish import attempted, finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.report import report as run

    out = out or Path(f"{spot.stem}.parquet")
    inputs = {"the spot": spot, "--flops": flops if is_file(flops) else None}
    options.require_outputs({"--out": out, "--plot": plot}, inputs)
    arrow()  # before hours of work
    with Bar() as bar:
        made = run(
            spot,
            flops=flops,
            at=at or [""],
            target=target,
            iterations=iterations,
            method=method,
            out=out,
            processes=processes,
            listen=bar.show,
        )
    if not made.is_complete:
        raise Interrupted(
            f"interrupted: {len(made.rows):,} of {made.wanted:,} flops are kept in "
            f"{made.journal}; the same command continues"
        )

    def write() -> None:
        made.write(out)
        if plot is not None:
            made.plot(plot)

    unwritten, written = attempted(write), {"out": out, "plot": plot}
    shown = (*_heads(made), *_spaced(made.tables()))
    finish(made.facts(), *shown, as_json=json_, written=written, unwritten=unwritten)


def _heads(made: Report) -> list[str]:
    from regretless.core.amounts import amount
    from regretless.runs.report_tables import line_name

    worst = max(row.exploitability for row in made.rows)
    flops = counted(len(made.rows), "flop")
    return [
        f"{flops}, pot {made.spot.pot:,}; exploitability at most "
        f"{amount(worst, 'chips', 3)} ({made.spot.percent(worst):.2f} % of the pot)",
        *(f"line: {line_name(line)}" for line in made.lines),
    ]


def _spaced(tables: list[Table]) -> list[str | Table]:
    return [part for table in tables for part in ("", table)]


def diff(
    first: Annotated[Path, typer.Argument(help="strategy file of a spot")],
    second: Annotated[Path, typer.Argument(help="the other strategy file")],
    at: Annotated[str, typer.Option(help="the decision, e.g. 'check bet120 / 2s / check'")] = "",
    game: Annotated[
        list[str] | None,
        typer.Option(
            help="the spot's TOML file, if the strategies do not name it; repeat it if they differ"
        ),
    ] = None,
    json_: options.Json = False,
) -> None:
    """Compare two solutions of a spot at a decision: strategy and EV, by class and overall."""
    from regretless.core.errors import BadInput
    from regretless.evaluation.spot_difference import spot_difference
    from regretless.interfaces.cli.finish import finish
    from regretless.strategy.files import load_strategy

    games = game or []
    if len(games) > 2:
        raise BadInput(f"--game is given {len(games)} times: must be once or twice")
    one = load_strategy(first, game=games[0] if games else None)
    two = load_strategy(second, game=games[-1] if games else None)
    difference = spot_difference(one, two, at)
    shown = (*_differences(difference, first, second), *_spaced(_difference_tables(difference)))
    finish(difference.facts(), *shown, as_json=json_)


def _differences(difference: SpotDifference, first: Path, second: Path) -> list[str]:
    from regretless.runs.report_tables import line_name

    player = ("out of position", "in position")[difference.first.player]
    lines = [
        f"{line_name(difference.first.line)}: the player {player} acts",
        f"A  {first}, reached {difference.first.reach:.2%}",
        f"B  {second}, reached {difference.second.reach:.2%}",
    ]
    if not difference.classes:
        return [*lines, "no hand reaches this decision in both solutions: nothing to compare"]
    differ = f"EV of a hand differs by at most {difference.largest_ev:.4g}"
    return [*lines, f"played differently {difference.distance:.2%} of the time; {differ}"]


def _difference_tables(difference: SpotDifference) -> list[Table]:
    if not difference.classes:
        return []
    (ev, other), (freq, others) = difference.ev, difference.frequencies
    over = [("EV", f"{ev:.4f}", f"{other:.4f}", f"{other - ev:+.4f}")]
    over += [
        (name, f"{a:.2%}", f"{b:.2%}", f"{b - a:+.2%}")
        for name, a, b in zip(difference.actions, freq, others, strict=True)
    ]
    columns = (
        prose(""),
        Column("share", ".1%"),
        Column("differ", ".1%"),
        Column("EV B - A", "+.4f"),
        *(Column(f"{name} B - A", "+.1%") for name in difference.actions),
    )
    classes = [
        (one.name, one.share, one.distance, one.second_ev - one.first_ev, *(one.second - one.first))
        for one in difference.classes[:MOST_CLASSES]
    ]
    title = "classes of hands, largest differences first"
    return [Table("over the range", ("", "A", "B", "B - A"), over), Table(title, columns, classes)]
