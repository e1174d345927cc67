"""Rhode Island hold'em: GameShrink's classes, equilibria in them, certified in the full game.

The sources are lecture slides by Sandholm, which report Gilpin & Sandholm 2007: the linear program
of the game has 91,224,226 rows, after GameShrink 1,237,238; it ran in one second, and CPLEX's
barrier method solved the program in 8 days."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import abstract
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.forms.form import Form
from regretless.forms.public import PublicForm, public_form
from regretless.games._catalog import load
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy
from regretless.studies._pictures import Interval, draw_intervals
from regretless.studies._study import Cell, Pair, Picture

ABOUT = (
    "Rhode Island hold'em was the largest game solved in its time, after GameShrink had merged "
    "hands. Published numbers are from Gilpin & Sandholm 2007, as the slides report them. "
    "Exploitability is always that of the lifted strategy in the full game."
)
WHOLE, QUICK = "rhode_island", "rhode_island:ranks=4,suits=2,cap=1"
PUBLISHED_ROWS = {"all cards": 91_224_226, "gameshrink": 1_237_238}
PUBLISHED_S = 1.0
MAKERS = ("gameshrink", "lossless")
METHOD = "scheduled-dcfr"
ITERATIONS = 100
TARGET = 0.0016  # chips: the accuracy of the published solution
MOST_ITERATIONS = 4000
STEP = 10
CLASSES_NOTE = (
    "Classes are hands with the board so far, as one player sees them; rows are those of the "
    "linear program. Suits: hands that differ in the names of suits are one class, as in every "
    "public form. GameShrink compares how many rival hands a hand beats and ties on the last "
    "board, and how many children of every class it has before. The published number of rows is "
    "that of these classes. They are not lossless: two hands of a class may face different "
    "classes of rival hands. The partition `lossless` is the coarsest one in which they do not."
)
EQUILIBRIA_NOTE = (
    "In GameShrink's classes the strategy converges, but best responses in the full game, which "
    "see all cards, beat it. If the published program had these classes, as its number of rows "
    "suggests, its solution is an equilibrium of the game in which players see only their class. "
    "In the lossless partition its steps are the same as with all hands, up to rounding, which "
    "regret matching amplifies: so numbers after 100 iterations differ. All are solved on two "
    "threads."
)


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """Both tables and a picture; `quick` takes 4 ranks, 2 suits and one bet per round."""
    spec = QUICK if quick else WHOLE
    listen(Progress("building the form"))
    form = public_form(spec, threads=1 if quick else 2)
    made: dict[str, tuple[Abstraction, float]] = {}
    for name in MAKERS:
        listen(Progress(f"abstracting by {name}"))
        started = time.perf_counter()
        made[name] = abstract(form, name), time.perf_counter() - started
    yield _classes(form, made)
    results = _equilibria(listen, form, {name: one for name, (one, _) in made.items()}, quick=quick)
    yield results
    rows = [
        Interval(f"{name}, {count} iterations", float(low), float(value), float(high))
        for name, count, *_, value, low, high in results.rows
    ]
    what = "value of the game, in chips, and certified bounds"
    yield Picture("certificates", partial(draw_intervals, rows, what))


def _classes(form: PublicForm, made: dict[str, tuple[Abstraction, float]]) -> Table:
    counted = load(form.spec).count
    assert counted is not None
    whole = counted()
    rows: list[tuple[Cell, ...]] = [
        _row(form, "all cards", (), whole.decision_points[0], whole.sequences[0])
    ]
    lanes = tuple(len(form.layout.level(0, round).counts) for round in form.layout.rounds)
    rows.append(_row(form, "suits", lanes, form.sizes.decision_points[0], form.sizes.sequences[0]))
    for name, (abstraction, seconds) in made.items():
        after = abstraction.sizes[1]
        counts = abstraction.classes[0] or ()
        row = _row(form, name, counts, after.decision_points[0], after.sequences[0])
        is_published = name == "gameshrink" and form.spec == WHOLE
        took: Cell = Pair(PUBLISHED_S, seconds) if is_published else seconds
        rows.append((*row[:-2], took, "yes" if abstraction.is_lossless else "no"))
    columns = ("partition", "classes", "decision points", "sequences", "rows", "s", "lossless")
    return Table("Classes", columns, rows, CLASSES_NOTE)


def _row(
    form: PublicForm, name: str, counts: tuple[int, ...], points: int, sequences: int
) -> tuple[Cell, ...]:
    rows: Cell = points + 1 + sequences
    if form.spec == WHOLE and name in PUBLISHED_ROWS:
        rows = Pair(PUBLISHED_ROWS[name], points + 1 + sequences)
    classes = ", ".join(f"{count:,}" for count in counts) or None
    return name, classes, points, sequences, rows, None, "yes"


def _equilibria(
    listen: Listener, form: PublicForm, made: dict[str, Abstraction], *, quick: bool
) -> Table:
    rows = []
    for name, abstraction in made.items():
        strategy, count, seconds = _solved(listen, abstraction.form(), name, ITERATIONS, 0.0)
        rows.append(_result(name, count, seconds, evaluate(abstraction.lift(strategy))))
    strategy, count, seconds = _solved(listen, form, "suits", ITERATIONS, 0.0)
    rows.append(_result("suits", count, seconds, evaluate(strategy)))
    if not quick:
        strategy, count, seconds = _solved(listen, form, "suits", MOST_ITERATIONS, TARGET)
        rows.append(_result(f"suits, to {TARGET:g}", count, seconds, evaluate(strategy)))
    return Table.of(f"Equilibria by {METHOD}", rows, EQUILIBRIA_NOTE)


def _result(name: str, iterations: int, seconds: float, measured: Evaluation) -> dict[str, Cell]:
    first, second = measured.best_responses
    return {
        "partition": name,
        "iterations": iterations,
        "s": seconds,
        "exploitability": measured.exploitability,
        "value": f"{measured.values[0]:.5f}",
        "certified from": f"{-second:.5f}",
        "certified to": f"{first:.5f}",
    }


def _solved(
    listen: Listener, form: Form, name: str, most: int, target: float
) -> tuple[Strategy, int, float]:
    """A strategy of the form, the number of its iterations, and their seconds."""
    running = solver(METHOD, form)
    running.step(0)
    seconds, wanted = 0.0, 1
    while True:
        started = time.perf_counter()
        while running.iteration < min(wanted * STEP, most):
            running.step(1)
            done = running.iteration / most
            listen(Progress(f"solving {name}", iteration=running.iteration, done=done))
        seconds += time.perf_counter() - started
        if running.iteration >= most:
            break
        wanted += 1 + wanted // 10  # an evaluation costs as much as some iterations
        strategy = Strategy.trusted(form, running.behaviour())
        if target and evaluate(strategy).exploitability <= target:
            break
    return Strategy.trusted(form, running.behaviour()), running.iteration, seconds
