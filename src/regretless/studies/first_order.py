"""First-order methods for two-player zero-sum games: memory, distances, heuristics, rates.

The sources are lecture slides on equilibrium finding by Sandholm, which report Gilpin, Hoda, Peña
& Sandholm 2007, Hoda et al. 2010 and Gilpin, Peña & Sandholm 2012: memory of CPLEX and of the
excessive gap technique; Euclidean and entropy distances; three heuristics; rates."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regretless.abstraction._catalog import abstract
from regretless.core.arrays import Floats
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import Form
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._normal_form import zero_sum_game
from regretless.solvers._catalog import solver
from regretless.solvers._solver import Solver
from regretless.strategy.strategy import Strategy
from regretless.studies._study import Cell, Pair, Picture

GB = 1e9
ENTRY_BYTES = 12  # of a sparse matrix: a double and its position
REDUCED = "reduced Rhode Island"
# The slides' instances: CPLEX's barrier method and their excessive gap technique, GB. The first
# two of ours are games of about as many rows and columns, the last one is the same.
MEMORY = {
    "10k": (0.082, 0.012, "leduc:ranks=13,suits=4"),
    "160k": (2.25, 0.035, "rhode_island:ranks=4,suits=2"),
    REDUCED: (25.2, 0.15, "rhode_island by gameshrink"),
}
REDUCED_NONZEROS = 50_428_638  # as published

GAMES = ("leduc", "leduc:ranks=13,suits=4", "rhode_island:ranks=4,suits=2")
DISTANCES = {
    f"{prox}, {weights}": f"egt:prox={prox},weights={weights}"
    for prox in ("euclidean", "entropy")
    for weights in ("hoda", "kroer")
}
HEURISTICS = {
    "none: τ = 2/(k+3), in turn": "egt:aggressive=false,balance=false",
    "aggressive, halving": "egt:balance=false",
    "balancing": "egt:aggressive=false",
    "all": "egt",
}


@dataclass(frozen=True)
class Rate:
    """A method and the rate that its paper proves."""

    method: str
    promise: str
    iterations: int  # on Leduc; matrix games get as many
    linear: bool = False


RATES = (
    Rate("fictitious-play", "→ 0, no rate", 6_000),
    Rate("perturbed-leader", "O(1/ε²)", 6_000),
    Rate("cfr-br", "O(1/ε²)", 6_000),
    Rate("cfr", "O(1/ε²)", 20_000),
    Rate("external-sampling", "O(1/ε²), expected", 1_000_000),
    Rate("cfr+", "O(1/ε²)", 20_000),
    Rate("mirror-prox", "O(1/ε)", 6_000),
    Rate("egt", "O(1/ε)", 6_000),
    Rate("optimistic-mirror-descent", "O(1/ε)", 6_000),
    Rate("iterated-smoothing", "O(log 1/ε)", 20_000, linear=True),
)
MATRIX_SIZE, MATRICES = 20, 3
LOOKS = 24  # evaluations of a run, evenly spaced in the logarithm of its iterations


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """All tables; `quick` takes small games and short runs."""
    seconds = 0.1 if quick else 4.0
    games = ("leduc",) if quick else (*GAMES,)
    for spec in games:
        _compile(public_form(spec))
    yield _memory(listen, ["10k"] if quick else list(MEMORY))
    yield _distances(listen, games, seconds)
    yield _heuristics(listen, games, seconds)
    curves: dict[str, tuple[Floats, Floats]] = {}
    yield _rates(listen, 0.02 if quick else 1.0, curves)
    yield Picture("first-order-rates", lambda path: _picture(curves, path))
    yield _smoothing(listen, 0.05 if quick else 1.0)


def exploitability(running: Solver) -> float:
    """Exploitability, certified by best responses from the strategy alone."""
    return evaluate(Strategy(running.form, running.behaviour())).exploitability


def _compile(form: Form) -> None:
    for method in DISTANCES.values():
        solver(method, form).step(2)


def taken(make: Callable[[], object]) -> float:
    """Peak memory of all arrays while something is built and kept, GB."""
    tracemalloc.start()
    try:
        kept = make()
        peak = tracemalloc.get_traced_memory()[1]
        del kept
    finally:
        tracemalloc.stop()
    return peak / GB


def _memory(listen: Listener, instances: Sequence[str]) -> Table:
    rows = []
    for name in instances:
        cplex, theirs, spec = MEMORY[name]
        listen(Progress(f"measuring the memory of {spec}"))
        ours = taken(lambda spec=spec: running_egt(spec))  # type: ignore[misc]
        form = form_of(spec)
        entries = REDUCED_NONZEROS if name == REDUCED else None
        if name == "10k" and isinstance(form, PublicForm):
            entries = _entries(form.expanded())
        rows.append(
            {
                "instance": name,
                "our game": spec,
                "rows and columns": sum(form.sizes.sequences),
                "payoff entries": entries,
                "those, GB": entries * ENTRY_BYTES / GB if entries else None,
                "CPLEX barrier, GB": cplex,
                "first order, GB": Pair(theirs, ours),
            }
        )
    return Table.of("Memory", rows, MEMORY_NOTE)


def form_of(spec: str) -> Form:
    """The public form of a game, or of its abstraction: `GAME by MAKER`."""
    game, _, by = spec.partition(" by ")
    return abstract(public_form(game), by).form() if by else public_form(game)


def running_egt(spec: str) -> Solver:
    """EGT after one iteration."""
    running = solver("egt", form_of(spec))
    running.step(1)
    return running


def _entries(form: SequenceForm) -> int:
    return int(form.matrix().nnz)


def _after(method: str, form: Form, seconds: float) -> tuple[int, float]:
    """Iterations and exploitability after this much CPU time, which other work on the machine
    does not affect."""
    running = solver(method, form)
    running.step(0)
    started = time.process_time()
    while time.process_time() - started < seconds:
        running.step(5)
    return running.iteration, exploitability(running)


def _after_seconds(
    listen: Listener, games: Sequence[str], methods: Mapping[str, str], seconds: float
) -> list[tuple[Cell, ...]]:
    """Every method on every game."""
    rows: list[tuple[Cell, ...]] = []
    for spec in games:
        form = public_form(spec)
        for name, method in methods.items():
            listen(Progress(f"{spec} {method}"))
            rows.append((f"{spec}: {name}", *_after(method, form, seconds)))
    return rows


def _distances(listen: Listener, games: Sequence[str], seconds: float) -> Table:
    rows = _after_seconds(listen, games, DISTANCES, seconds)
    columns = ("game: distance, weights", "iterations", "exploitability")
    return Table(f"Euclidean and entropy after {seconds:g} s", columns, rows, DISTANCE_NOTE)


def _heuristics(listen: Listener, games: Sequence[str], seconds: float) -> Table:
    rows = _after_seconds(listen, games, HEURISTICS, seconds)
    columns = ("game: heuristics", "iterations", "exploitability")
    return Table(f"Heuristics of EGT after {seconds:g} s", columns, rows, HEURISTIC_NOTE)


def matrix_game(seed: int) -> SequenceForm:
    """A square matrix of payoffs, uniform between -1 and 1."""
    wins = np.random.default_rng(seed).uniform(-1, 1, (MATRIX_SIZE, MATRIX_SIZE))
    names = [str(k) for k in range(MATRIX_SIZE)]
    return sequence_form(zero_sum_game(f"matrix-{seed}", wins.tolist(), [names, names], "random"))


def curve(method: str, form: Form, iterations: int) -> tuple[Floats, Floats]:
    """Iterations and exploitability, evaluated at evenly spaced points of a logarithmic axis."""
    looks = np.unique(np.geomspace(min(10, iterations), iterations, LOOKS).astype(int))
    running = solver(method, form)
    reached = []
    for look in looks:
        running.step(int(look) - running.iteration)
        reached.append(max(exploitability(running), 1e-16))
    return looks.astype(float), np.array(reached)


def slope(looks: Floats, exploitabilities: Floats) -> float:
    """s in exploitability ~ iterations^-s, by least squares over the later half.

    Below 1e-12, where rounding dominates, nothing is fitted."""
    late = (np.arange(looks.size) >= looks.size // 2) & (exploitabilities > 1e-12)
    late = late if late.sum() > 2 else exploitabilities > 1e-12
    return float(-np.polyfit(np.log(looks[late]), np.log(exploitabilities[late]), 1)[0])


def _rates(
    listen: Listener, share: float, curves: dict[str, tuple[Floats, Floats]] | None = None
) -> Table:
    """Fitted slopes; the curves on Leduc are added to `curves`."""
    rows = []
    leduc = sequence_form("leduc")
    matrices = [matrix_game(seed) for seed in range(MATRICES)]
    for rate in RATES:
        if rate.linear:
            continue
        count = max(int(rate.iterations * share), 40)
        listen(Progress(f"rate of {rate.method}"))
        on_leduc = curve(rate.method, leduc, count)
        if curves is not None:
            curves[rate.method] = on_leduc
        on_matrices = [curve(rate.method, form, count) for form in matrices]
        reached = float(np.exp(np.mean([np.log(ends[-1]) for _, ends in on_matrices])))
        rows.append(
            {
                "method": rate.method,
                "iterations to ε": rate.promise,
                "iterations made": count,
                "Leduc: s": slope(*on_leduc),
                "Leduc: exploitability": on_leduc[1][-1],
                "matrices: s": float(np.mean([slope(*one) for one in on_matrices])),
                "matrices: exploitability": reached,
            }
        )
    return Table.of("Measured rates: exploitability falls as iterations^-s", rows, RATE_NOTE)


def _picture(curves: dict[str, tuple[Floats, Floats]], path: Path) -> None:
    figure, (left,) = panels(1, width=7.0, height=4.6)
    for method, (looks, reached) in curves.items():
        left.loglog(looks, reached, label=method, linewidth=1.6)
    start = np.array([20.0, 20_000.0])
    for power, style in ((0.5, ":"), (1.0, "--")):
        label = f"iterations^-{power:g}"
        left.loglog(start, 3 * (start / 20) ** -power, style, c="black", lw=1, label=label)
    left.set(title="Leduc hold'em", xlabel="iterations", ylabel="exploitability (chips per hand)")
    left.legend(frameon=False, fontsize=8)
    write_figure(figure, path)


def _smoothing(listen: Listener, share: float) -> Table:
    """Iterations needed for each further factor of a hundred."""
    rows: list[tuple[Cell, ...]] = []
    games: list[tuple[str, Form]] = [("kuhn", sequence_form("kuhn"))]
    games += [(f"matrix {seed}", matrix_game(seed)) for seed in range(MATRICES)]
    games += [("leduc", sequence_form("leduc"))]
    for name, form in games:
        listen(Progress(f"iterated smoothing: {name}"))
        rows.append((name, *_milestones(form, int(20_000 * share))))
    columns = ("game", *(f"to {goal:g}" for goal in GOALS), "made", "exploitability", "rounds")
    return Table("Iterated smoothing: iterations to a gap", columns, rows, SMOOTHING_NOTE)


GOALS = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)  # of NashConv


def _milestones(form: Form, most: int) -> list[Cell]:
    running = solver("iterated-smoothing", form)
    milestones: list[Cell] = []
    gap = float("inf")
    while running.iteration < most and len(milestones) < len(GOALS):
        running.step(10)
        gap = float(running.details()["gap"])
        while len(milestones) < len(GOALS) and gap < GOALS[len(milestones)]:
            milestones.append(running.iteration)
    milestones += [None] * (len(GOALS) - len(milestones))
    rounds = int(running.details()["rounds"])
    return [*milestones, running.iteration, exploitability(running), rounds]


ABOUT = """Gradient methods for two-player zero-sum games, compared with what slides on equilibrium
finding report. All exploitabilities are certified by best responses."""

MEMORY_NOTE = f"""Rows and columns are the sequences of both players. A payoff entry takes
{ENTRY_BYTES} bytes in a sparse matrix; that is the least an explicit linear program needs, before
factors. `first order` is measured: the peak of all arrays, form included, through an iteration of
`egt` on the public form, which never lists payoffs. Reduced Rhode Island hold'em is that game with
hands in the classes of GameShrink, including their construction; its entries are as published. The
interpreter, its libraries and compiled code are not included."""

DISTANCE_NOTE = """The slides: with the Euclidean distance the gap fell by an order of magnitude
more than with entropy, in the same time. The order depends on the weights, on the size of the game
and on the time of an iteration. With weights of 1 (`hoda`), as in the slides' years, entropy leads
on both Leduc games; on the largest game the Euclidean distance makes about twice as many
iterations in the same time, and leads by little. The weights of Kroer et al. 2018
(`kroer`), which grow with what is below, help both distances there, and entropy more: with them
it leads."""

HEURISTIC_NOTE = """The slides: the heuristics took an order of magnitude off the gap, in the same
time. That depends on size: on Leduc they gain nothing, on the largest game here most of an order of
magnitude, and either of the two is enough for that. Without them, too, the excessive gap is checked
at every step, and the start has the smallest smoothing for which it holds, up to doubling; the
theory starts from a bound on the norm. What that start contributes is not measured here."""

RATE_NOTE = f"""s = 1/2 is O(1/ε²), s = 1 is O(1/ε): fitted to the later half of {LOOKS} samples.
The proven rates are worst cases; {MATRICES} random matrices of {MATRIX_SIZE} × {MATRIX_SIZE} and
Leduc are easier."""

SMOOTHING_NOTE = """Where O(log 1/ε) holds, every column adds about as many iterations as the one
before, as on Kuhn. How many depends on the condition number of the game. For random
matrices it is large, and for Leduc larger: there, rounds are still getting longer at the end."""
