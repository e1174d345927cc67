"""`tournament`: jam/fold strategies of a tournament in prizes, beside ICM and chip EV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.interfaces.cli import options
from regretless.interfaces.cli.tournaments import pushfold

if TYPE_CHECKING:
    from regretless.core.tables import Table
    from regretless.runs.tournament_charts import Chart
    from regretless.runs.tournaments import TournamentSolution
    from regretless.stochastic.tournament import Blinds


def tournament(
    stacks: Annotated[
        str, typer.Option(help="stacks in the order of action, the big blind last: 5000,4000,4500")
    ],
    payouts: Annotated[str, typer.Option(help="prizes, the first place first: 50,30,20")],
    blinds: Annotated[
        str, typer.Option(help="small/big blind, optionally /ante; levels separated by commas")
    ] = "300/600",
    level_hands: Annotated[
        float | None, typer.Option(help="average number of hands per blind level")
    ] = None,
    big_blind_ante: Annotated[
        float, typer.Option(help="ante that the big blind pays for everyone")
    ] = 0.0,
    unit: Annotated[
        float | None,
        typer.Option(
            help="grid step of stacks, in chips (default: a 15th of all, heads-up a 45th)"
        ),
    ] = None,
    method: Annotated[str, typer.Option(help="algorithm: pi-fp or vi-fp")] = "pi-fp",
    epsilon: Annotated[
        float | None,
        typer.Option(help="stop when no deviation gains more (default: 0.1 % of the first prize)"),
    ] = None,
    hand: Annotated[str | None, typer.Option(help="show one hand, e.g. A7s")] = None,
    position: Annotated[
        str | None, typer.Option(help="position of --hand: button, small, big (or BTN, SB, BB)")
    ] = None,
    after: Annotated[
        str | None, typer.Option(help="who has jammed before: fold (nobody), BTN, or BTN+SB")
    ] = None,
    seconds: options.Seconds = None,
    threads: Annotated[int, typer.Option(help="number of threads")] = 2,
    out: Annotated[Path | None, typer.Option(help="file of the run to write, for --resume")] = None,
    force: options.Force = False,
    resume: Annotated[Path | None, typer.Option(help="file of the run to continue")] = None,
    csv: Annotated[Path | None, typer.Option(help="write every hand to this CSV file")] = None,
    plot: Annotated[Path | None, typer.Option(help="plot the charts to this file")] = None,
    json_: options.Json = False,
) -> None:
    """Solve a tournament near its end as a stochastic game: charts, and what stacks are worth.

    Two or three players are solved to the end, and the gain of any deviation is checked. With four
    to nine one hand is solved, and stacks after it are worth what ICM says, as in `pushfold`.
    Ctrl-C keeps what --out holds."""
    from rich.text import Text

    from regretless.cards.holdings import class_names
    from regretless.core.errors import BadParameter, UnknownName
    from regretless.core.files import write_atomically
    from regretless.interfaces.cli.finish import finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.runs.tournament_charts import (
        chart_at,
        charts,
        decisions_table,
        hands_table,
        values_table,
    )
    from regretless.runs.tournament_picture import draw_charts
    from regretless.runs.tournaments import solve_tournament
    from regretless.stochastic.tournament import MOST_PLAYERS

    given = _numbers("stacks", stacks)
    levels = [_blinds(text, big_blind_ante) for text in blinds.split(",")]
    if len(given) > MOST_PLAYERS:
        _refuse_for_many(
            {
                "--level-hands": level_hands,
                "--unit": unit,
                "--epsilon": epsilon,
                "--hand": hand,
                "--seconds": seconds,
                "--out": out,
                "--resume": resume,
            }
        )
        level = levels[0]
        return pushfold(
            stacks,
            blinds=f"{level.small}/{level.big}",
            ante=level.ante,
            big_blind_ante=big_blind_ante,
            payouts=payouts,
            png=plot,
            csv=csv,
            json_=json_,
        )
    if (hand is None) != (position is None):
        raise BadParameter("--hand and --position belong together")
    if hand is not None and hand not in class_names():
        raise UnknownName("hand", hand, class_names())
    options.require_outputs(
        {"--csv": csv, "--plot": plot, "--out": out}, {"--resume": resume} if resume != out else {}
    )
    options.require_new(out, force=force, resumed=resume)
    with Bar() as bar:
        solution = solve_tournament(
            given,
            levels,
            _numbers("payouts", payouts),
            hands=float("inf") if level_hands is None else level_hands,
            unit=unit,
            method=method,
            epsilon=epsilon,
            seconds=seconds,
            threads=threads,
            out=out,
            resume=resume,
            listen=bar.show,
        )
        found = charts(solution)
    if csv is not None:
        write_atomically(csv, hands_table(found).csv().encode())
    if plot is not None:
        draw_charts(found, plot)
    written = {"csv": csv, "plot": plot, "out": out}
    if hand is not None and position is not None:
        chart = chart_at(found, position, after)
        facts, table = _one_hand(chart, hand)
        finish(facts, table, as_json=json_, written=written, interrupted=solution.stopped)
        return None
    shown = [Text(part) for chart in found for part in _drawn(chart)]
    finish(
        _facts(solution, found),
        *shown,
        decisions_table(found),
        values_table(solution),
        Text(_checked(solution)),
        as_json=json_,
        written=written,
        interrupted=solution.stopped,
    )
    return None


def _refuse_for_many(options_given: dict[str, object]) -> None:
    """Options that need a tournament solved to its end."""
    from regretless.core.errors import BadParameter

    for name, value in options_given.items():
        if value is not None:
            raise BadParameter(
                f"{name}: must be left out with four or more players, where one hand is solved and "
                "stacks after it are worth what ICM says"
            )


def _drawn(chart: Chart) -> list[str]:
    return [f"\n{chart.title}: {chart.percent:.1f} % jam", *chart.lines()]


def _checked(solution: TournamentSolution) -> str:
    states = len(solution.game.states)
    if solution.check is None:
        return f"{states} states, not checked: the run was interrupted."
    return (
        f"{states} states in {solution.seconds:.0f} s; no player can gain more than "
        f"{solution.check.epsilon:.4f} by any deviation, in any state."
    )


def _one_hand(chart: Chart, hand: str) -> tuple[dict[str, object], Table]:
    from regretless.core.tables import facts_table

    at = chart.names.index(hand)
    gain = float(chart.gains[at])
    facts = {
        "decision": chart.title,
        "hand": hand,
        "jam": float(chart.jams["tournament"][at]),
        "gain": None if gain != gain else gain,
        "jam_icm": float(chart.jams["icm"][at]),
        "jam_chips": float(chart.jams["chips"][at]),
    }
    rows = [
        ("decision", chart.title),
        ("jams", f"{100 * chart.jams['tournament'][at]:.1f} %"),
        ("gain over folding", f"{gain:+.4f}"),
        ("by ICM", f"{100 * chart.jams['icm'][at]:.1f} %"),
        ("by chip EV", f"{100 * chart.jams['chips'][at]:.1f} %"),
    ]
    return facts, facts_table(rows, hand)


def _facts(solution: TournamentSolution, found: list[Chart]) -> dict[str, object]:
    check = solution.check
    return {
        "stacks": list(solution.stacks),
        "values": solution.worth().tolist(),
        "icm": solution.rules.worth(solution.stacks).tolist(),
        "epsilon": None if check is None else check.epsilon,
        "states": len(solution.game.states),
        "seconds": solution.seconds,
        "decisions": [
            {
                "position": chart.position,
                "title": chart.title,
                "jam_percent": chart.percent,
                "jams": dict(zip(chart.names, chart.jams["tournament"].tolist(), strict=True)),
            }
            for chart in found
        ],
    }


def _numbers(name: str, text: str) -> list[float]:
    from regretless.core.errors import BadParameter

    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise BadParameter(f"--{name} {text}: must be numbers separated by commas") from None


def _blinds(text: str, big_blind_ante: float) -> Blinds:
    from regretless.core.errors import BadParameter
    from regretless.stochastic.tournament import Blinds

    try:
        small, big, *ante = (float(part) for part in text.split("/"))
        if len(ante) > 1:
            raise ValueError
    except ValueError:
        raise BadParameter(f"--blinds {text}: must be such as 300/600 or 300/600/50") from None
    return Blinds(small, big, ante[0] if ante else 0.0, big_blind_ante)
