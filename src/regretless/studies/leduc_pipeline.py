"""Abstract, solve, refine: Leduc hold'em with larger decks.

The slides are those of a student project (Carminati, Costa Cañones & Chinga 2020, Leduc Poker
Solver): card binning, CFR+, and in-game refinement on Leduc with 5, 9 and 13 ranks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from regretless.abstraction._catalog import abstract
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Table
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.forms.public import public_form
from regretless.runs.refine import Refined, refine
from regretless.runs.solve import solve
from regretless.strategy.strategy import Strategy
from regretless.studies._pictures import draw_bars
from regretless.studies._study import Beside, Cell, Pair, Picture


@dataclass(frozen=True)
class Published:
    """A column of the results; None if the slides have a dash."""

    ranks: int
    bins: int
    abstraction_s: float
    blueprint_s: float
    refinement_s: float
    blueprint_value: float
    blueprint_exploitability: float
    value: float
    exploitability: float

    @property
    def name(self) -> str:
        return f"Leduc {self.ranks}, {self.bins} bins"

    @property
    def game(self) -> str:
        return f"leduc:ranks={self.ranks}"


PUBLISHED = (
    Published(5, 4, 0.059, 58.19, 82.76, -0.0445, 0.246, -0.128, 0.168),
    Published(5, 3, 0.065, 24.70, 82.44, -0.0205, 0.452, -0.147, 0.288),
    Published(5, 2, 0.064, 6.90, 81.02, -0.0103, 0.741, -0.0624, 0.357),
    Published(9, 5, 0.277, 122.46, 426.30, -0.0262, 0.224, -0.0874, 0.0790),
    Published(13, 5, 1.036, 171.95, 1405.19, -0.0595, 0.213, -0.0838, 0.102),
)
NO_ABSTRACTION = (137.18, -0.113, 0.000241)  # Leduc 5: seconds, value, exploitability
WARM_UP = Published(3, 2, *(0.0,) * 7)
METHOD, ITERATIONS = "cfr+", 1000  # of blueprints
REFINEMENTS = ("cfr", "bias", "self-generative", "in-game")  # of the slides
OURS = ("unsafe", "resolving", "maxmargin", "reach", "nested")
FOLLOWED = ("in-game", "nested")  # one after the other
LEVELS, LIMITED = 9, 1  # of Leduc; the blueprint whose depth limit is varied


@dataclass(frozen=True, eq=False)
class LiftedBlueprint:
    """A blueprint made in the abstraction, lifted to the whole game."""

    column: Published
    strategy: Strategy
    evaluation: Evaluation  # in the whole game
    abstraction_s: float  # with the form of the whole game
    blueprint_s: float


def made(column: Published, listen: Listener = nobody) -> LiftedBlueprint:
    """Bins, then the equilibrium of the binned game."""
    listen(Progress(f"{column.name}: abstraction"))
    started = time.perf_counter()
    # Enumerated from the public tree, which is many times faster than walking states.
    maps = abstract(public_form(column.game).expanded(), f"binning:bins={column.bins}")
    small = maps.form()
    abstracted = time.perf_counter()
    solution = solve(small, method=METHOD, iterations=ITERATIONS, listen=listen)
    solved = time.perf_counter()
    lifted = maps.lift(solution.strategy)
    return LiftedBlueprint(
        column, lifted, evaluate(lifted), abstracted - started, solved - abstracted
    )


def tables(listen: Listener, *, quick: bool) -> Iterator[Table | Picture]:
    """The results of the slides, then every refinement on every blueprint."""
    columns = [column for column in PUBLISHED if not quick or column.ranks == 5]
    refine(made(WARM_UP).strategy, by="in-game:iterations=1")  # kernels are compiled before clocks
    whole = _whole_game(listen)
    blueprints, final = [], []
    for column in columns:
        blueprints.append(made(column, listen))
        listen(Progress(f"{column.name}: in-game refinement"))
        final.append(refine(blueprints[-1].strategy, by="in-game", listen=listen))
    rows = [whole, *map(_pipeline_row, blueprints, final)]
    yield Table("Results of the slides", PIPELINE_COLUMNS, rows, PIPELINE_NOTE)
    yield Picture("exploitability", lambda path: _draw(blueprints, final, path))
    yield _by_limit(blueprints[LIMITED], listen, quick=quick)
    yield from _every_refinement(blueprints, final, listen, quick=quick)


PIPELINE_COLUMNS = (
    "game",
    "abstraction, s",
    "blueprint, s",
    "refinement, s",
    "blueprint: value",
    "blueprint: exploitability",
    "final: value",
    "final: exploitability",
)


def _whole_game(listen: Listener) -> tuple[Cell, ...]:
    """Leduc 5 without an abstraction, as exact as theirs."""
    seconds, value, exploitability = NO_ABSTRACTION
    solution = solve("leduc:ranks=5", method=METHOD, target=exploitability, listen=listen)
    return (
        "Leduc 5, no abstraction",
        None,
        Pair(seconds, solution.seconds),
        None,
        None,
        None,
        Beside(value, solution.values[0]),
        Pair(exploitability, solution.exploitability),
    )


def _pipeline_row(blueprint: LiftedBlueprint, final: Refined) -> tuple[Cell, ...]:
    theirs, before = blueprint.column, blueprint.evaluation
    return (
        theirs.name,
        Pair(theirs.abstraction_s, blueprint.abstraction_s),
        Pair(theirs.blueprint_s, blueprint.blueprint_s),
        Pair(theirs.refinement_s, final.seconds),
        Beside(theirs.blueprint_value, before.values[0]),
        Pair(theirs.blueprint_exploitability, before.exploitability),
        Beside(theirs.value, final.values[0]),
        Pair(theirs.exploitability, final.exploitability),
    )


def _by_limit(blueprint: LiftedBlueprint, listen: Listener, *, quick: bool) -> Table:
    """In-game refinement with more and more levels above the limit."""
    rows: list[tuple[Cell, ...]] = []
    for levels in range(1, LEVELS + 1, 4 if quick else 1):
        listen(Progress(f"{blueprint.column.name}: {levels} levels"))
        ways = [f"in-game:levels={levels}{more}" for more in (",responses=0", "")]
        refined = [refine(blueprint.strategy, by=by, listen=listen) for by in ways]
        row = [cell for one in refined for cell in (one.exploitability, one.seconds)]
        rows.append((str(levels), *row))
    columns = (
        "levels",
        "biased only: exploitability",
        "seconds",
        "and best responses: exploitability",
        "seconds ",
    )
    return Table(
        f"In-game refinement by depth limit: {blueprint.column.name}", columns, rows, LIMIT_NOTE
    )


def _every_refinement(
    blueprints: list[LiftedBlueprint], final: list[Refined], listen: Listener, *, quick: bool
) -> Iterator[Table]:
    """Exploitability after every refinement, and its time."""
    after: list[tuple[Cell, ...]] = [
        ("none: the blueprint", *(b.evaluation.exploitability for b in blueprints))
    ]
    spent: list[tuple[Cell, ...]] = []
    for name in (*REFINEMENTS, *(OURS if not quick else OURS[:3])):
        refined = []
        for blueprint, known in zip(blueprints, final, strict=True):
            listen(Progress(f"{blueprint.column.name}: {name}"))
            again = name != "in-game"
            refined.append(refine(blueprint.strategy, by=name, listen=listen) if again else known)
        after.append((name, *(one.exploitability for one in refined)))
        spent.append((name, *(one.seconds for one in refined)))
    if not quick:
        second = [refine(one, by=FOLLOWED[1], listen=listen) for one in final]
        both = ", then ".join(FOLLOWED)
        after.append((both, *(one.exploitability for one in second)))
        pairs = zip(final, second, strict=True)
        spent.append((both, *(one.seconds + two.seconds for one, two in pairs)))
    columns = ("refinement", *(blueprint.column.name for blueprint in blueprints))
    yield Table("Exploitability after every refinement", columns, after, REFINEMENT_NOTE)
    yield Table("Seconds of every refinement", columns, spent)


def _draw(blueprints: list[LiftedBlueprint], final: list[Refined], path: Path) -> None:
    """Exploitability before and after, theirs and ours."""
    figure, (panel,) = panels(1, width=8.0)
    series = {
        "blueprint, slides": [b.column.blueprint_exploitability for b in blueprints],
        "blueprint, ours": [b.evaluation.exploitability for b in blueprints],
        "refined, slides": [b.column.exploitability for b in blueprints],
        "refined, ours": [one.exploitability for one in final],
    }
    colours = ("0.75", "0.45", "#f0a860", "#1f6fb4")
    for bars in draw_bars(panel, [b.column.name for b in blueprints], series, colours):
        panel.bar_label(bars, fmt="%.2g", fontsize=7)
    panel.set_ylabel("exploitability in the full game, chips per hand")
    panel.legend(frameon=False, ncols=2)
    write_figure(figure, path)


ABOUT = """Card binning, CFR+ on the binned game, and refinement in the full game. All values and
exploitabilities are measured in the full game, by best responses. Exploitability is the mean of
both players' gains, as everywhere in this project; the slides do not define theirs."""

PIPELINE_NOTE = f"""Leduc n has n ranks in two suits: the value of Leduc 5 confirms it. Blueprints
are {ITERATIONS:,} iterations of CFR+ on the binned game; refinement is `in-game` with its defaults,
which re-solves the first 6 of 9 levels; the slides do not say where their limit is. Our time for
abstraction includes building the full game's form. Times are of different machines: compare orders
of magnitude only."""

LIMIT_NOTE = """The opponent chooses between its blueprint and the versions that fold, call or raise
ten times as often; then between these and up to five best responses. With all nine levels there is
nothing below the limit, and the rest is the error after 500 iterations."""

REFINEMENT_NOTE = """The first four are those of the slides. `cfr`, `bias` and `self-generative` go
level by level, and are unsafe: as the slides say, exploitability may rise. The others re-solve the
second round, one subgame at a time; `resolving`, `maxmargin`, `reach` and `nested` are safe,
as `in-game` is, whose rows are never above the blueprint's."""
