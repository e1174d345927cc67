"""Tournaments: seconds per outer iteration and per ex-post check, and a decision off the grid.

13,500 chips and blinds 300/600, on one core. Three players are on a coarse grid of five units;
they need the table of three hands (`regretless three-hands`), without which they are left out."""

from __future__ import annotations

from functools import partial

from benchmarks._report import Row
from benchmarks._timing import progress, repeated, seconds_each
from regretless.cards.showdowns import holdem_showdowns
from regretless.cards.three_hands import table_path
from regretless.runs.tournament_charts import charts
from regretless.runs.tournaments import TournamentSolution, solve_tournament
from regretless.stochastic.certificate import certified
from regretless.stochastic.tournament import Blinds

CASES = {
    "heads-up, 45 units": ((6500.0, 7000.0), (50.0, 30.0), 300.0),
    "three players, 5 units": ((5000.0, 4000.0, 4500.0), (50.0, 30.0, 20.0), 2700.0),
}


def measure() -> list[Row]:
    """Seconds."""
    rows = []
    for name, (stacks, payouts, unit) in CASES.items():
        if len(stacks) == 3 and not table_path().is_file():
            progress(
                f"{name}: left out, no table of three hands; `regretless three-hands` makes it"
            )
            continue
        progress(name)
        solution = solve_tournament(
            stacks,
            Blinds(300, 600),
            payouts,
            unit=unit,
            showdowns=holdem_showdowns(len(stacks)),
        )
        works = {
            "ex-post check": repeated(partial(certified, solution.game, solution.profile)),
            "a decision off the grid": repeated(partial(_decided, solution)),
        }
        found = seconds_each(works, repetitions=1)
        found = {"outer iteration": solution.steps[-1].seconds / len(solution.steps), **found}
        rows += [Row(f"{name}: {what}", float(f"{s:.3g}"), "s", {}) for what, s in found.items()]
    return rows


def _decided(solution: TournamentSolution) -> None:
    first, *others, last = solution.stacks
    charts(solution.at([first + 1, *others, last - 1]), ("tournament",))
