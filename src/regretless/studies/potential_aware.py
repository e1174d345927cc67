"""Rhode Island hold'em: expectation-based against potential-aware abstraction, head to head.

Gilpin & Sandholm 2008, "Expectation-based versus potential-aware automated abstraction in
imperfect information games", as shown in Sandholm's slides on solving large games: abstractions
by E[HS] (EB), E[HS²] (EB²) and potential (PA); an integer program shares out their buckets."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._catalog import abstract
from regretless.core.pictures import write_figure
from regretless.core.progress import Listener, Progress
from regretless.evaluation.exploitability import measured
from regretless.evaluation.payoffs import computed
from regretless.forms.public import PublicForm, public_form
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy
from regretless.studies._pictures import panels
from regretless.studies._study import Beside, Cell, Picture, Table

ABOUT = """Rhode Island hold'em in buckets by expected strength (EB), expected squared strength
(EB²) and potential (PA), at the granularities of Gilpin & Sandholm 2008. Payoffs between the
strategies are exact, mean of both seats; exploitability is that in the full game. Chips."""
WHOLE, QUICK = "rhode_island", "rhode_island:ranks=5,suits=2,cap=1"
MAKERS = {"EB": "gs2", "EB²": "gs2:squared=true", "PA": "gs3:ties=true"}
PAIRS = (("EB", "EB²"), ("EB", "PA"), ("EB²", "PA"))
# The table of the slides: payoffs EB against EB², EB against PA, EB² against PA.
PUBLISHED: dict[str, tuple[float, float, float] | None] = {
    "13-25-125": (0.1490, 16.6223, 17.0938),
    "13-50-250": (-0.1272, -1.0627, -0.5200),
    "13-75-500": None,
    "13-100-750": (0.2340, -6.9880, -7.1448),
    "13-125-1000": None,
    "13-150-1250": (0.1813, -5.5707, -5.6879),
    "13-175-1500": None,
    "13-205-1774": (0.0000, -0.0877, -0.0877),
}
SMALL = ("5-8-20", "5-60-600")
METHOD = "dcfr"
ITERATIONS, MANY, FEW = 200, 1000, 30  # by default, in full, quick
AT_ONCE = 2  # abstractions solved side by side: cells are swept on one thread
STEP = 5
ENOUGH = "buckets=13/1000/100000"


class Agent(NamedTuple):
    """The solution of one abstraction."""

    behaviour: npt.NDArray[np.float32]  # in the full game
    classes: tuple[int, ...]
    inside: float  # value of player 1 in the abstract game
    exploitability: float


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Payoffs, then exploitability; by default only the granularities with published payoffs,
    in full all of them; `quick` takes a small deck."""
    form = public_form(QUICK if quick else WHOLE)
    listen(Progress("classes"))
    yield _classes(form)
    iterations = FEW if quick else MANY if full else ITERATIONS
    sizes = SMALL if quick else tuple(s for s in PUBLISHED if full or PUBLISHED[s])
    agents = _solved(listen, form, sizes, iterations)
    listen(Progress("payoffs between strategies"))
    payoffs = {size: _payoffs(form, agents, size) for size in sizes}
    yield _payoff_table(payoffs, iterations)
    yield _quality(agents, sizes)
    yield Picture("exploitability", lambda path: _draw(agents, payoffs, path))


def _solved(
    listen: Listener, form: PublicForm, sizes: tuple[str, ...], iterations: int
) -> dict[tuple[str, str], Agent]:
    """(maker, granularity) its agent."""
    found: dict[tuple[str, str], Agent] = {}
    jobs = [(name, size) for size in sizes for name in MAKERS]
    progress = dict.fromkeys(jobs, 0)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        stop: list[bool] = []

        def work(job: tuple[str, str]) -> Agent:
            name, size = job
            by = MAKERS[name]
            buckets = f"buckets={size.replace('-', '/')}"
            made = abstract(form, f"{by},{buckets}" if ":" in by else f"{by}:{buckets}")
            running = solver(METHOD, made.form())
            while running.iteration < iterations and not stop:
                running.step(min(STEP, iterations - running.iteration))
                progress[job] = running.iteration
            strategy = Strategy.trusted(made.form(), running.behaviour())
            lifted = made.lift(strategy)
            result = measured(lifted)
            classes = made.classes[0] or ()
            kept = lifted.behaviour.astype(np.float32)
            return Agent(kept, classes, result.values[0], result.exploitability)

        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            while waiting:
                done, _ = wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED)
                for one in done:
                    found[waiting.pop(one)] = one.result()
                share = sum(progress.values()) / (iterations * len(jobs))
                news = f"{len(found)} of {len(jobs)} abstractions"
                listen(Progress("solving abstractions", done=share, news=news))
        finally:
            stop.append(True)
            pool.shutdown(cancel_futures=True)
    return found


def _payoffs(
    form: PublicForm, agents: dict[tuple[str, str], Agent], size: str
) -> dict[tuple[str, str], float]:
    """Row against column, mean of both seats, all pairs of makers of one granularity."""
    names = list(MAKERS)
    seatings = list(permutations(range(len(names)), 2))
    means = computed(
        form, [agents[name, size].behaviour.astype(float) for name in names], seatings
    ).means
    earned = {(a, b): means[k] for k, (a, b) in enumerate(seatings)}
    return {(names[a], names[b]): float(earned[a, b][0] + earned[b, a][1]) / 2 for a, b in seatings}


def _payoff_table(payoffs: dict[str, dict[tuple[str, str], float]], iterations: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size, earned in payoffs.items():
        theirs = PUBLISHED.get(size) or (None, None, None)
        cells = [
            Beside(number, round(earned[pair], 4))
            for number, pair in zip(theirs, PAIRS, strict=True)
        ]
        rows.append((size, *cells))
    columns = ("granularity", *(f"{one} against {two}" for one, two in PAIRS))
    return Table(f"Payoffs after {iterations:,} iterations of {METHOD}", columns, rows, PAYOFFS)


def _classes(form: PublicForm) -> Table:
    """The finest partition of every maker."""
    makers = {
        **{
            name: f"{by},{ENOUGH}" if ":" in by else f"{by}:{ENOUGH}" for name, by in MAKERS.items()
        },
        "PA, ties counted half": f"gs3:{ENOUGH}",
        "GameShrink": "gameshrink",
        "lossless": "lossless",
    }
    rows: list[tuple[Cell, ...]] = []
    for name, by in makers.items():
        made = abstract(form, by)
        rows.append((name, _text(made.classes[0]), "yes" if made.is_lossless else "no"))
    return Table("What each can distinguish", ("partition", "classes", "lossless"), rows, CLASSES)


def _text(classes: tuple[int, ...] | None) -> str:
    return "-".join(map(str, classes or ()))


def _quality(agents: dict[tuple[str, str], Agent], sizes: tuple[str, ...]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size in sizes:
        for name in MAKERS:
            one = agents[name, size]
            rows.append(
                (
                    f"{name} {size}",
                    _text(one.classes),
                    one.exploitability,
                    f"{one.inside:.4f}",
                )
            )
    columns = ("abstraction", "buckets", "exploitability", "value")
    return Table("Buckets and exploitability in the full game", columns, rows, QUALITY)


def _draw(
    agents: dict[tuple[str, str], Agent],
    payoffs: dict[str, dict[tuple[str, str], float]],
    path: Path,
) -> None:
    figure, (left, right) = panels(2)
    sizes = list(payoffs)
    colours = {"EB": "#8c8c8c", "EB²": "#e6862c", "PA": "#1f5fa8"}
    for name, colour in colours.items():
        left.plot([agents[name, size].exploitability for size in sizes], "o-", c=colour, label=name)
    for name in ("EB", "EB²"):
        right.plot([payoffs[size]["PA", name] for size in sizes], "o-", c=colours[name], label=name)
    right.axhline(0, c="black", lw=0.8)
    left.set(ylabel="exploitability, chips", ylim=(0, None))
    right.set(ylabel="PA earns against, chips")
    for panel in (left, right):
        panel.set_xticks(np.arange(len(sizes)), sizes, rotation=30, fontsize=8)
        panel.legend()
    write_figure(figure, path)


PAYOFFS = """Cells read published → ours. The slides do not name the unit of their payoffs; ours
are chips per hand, with an ante of 5 and bets of 10, 20 and 20."""
CLASSES = """What remains apart when every maker has as many buckets as it can use. GS3 as published
compares hands of the last round by their chance of winning with ties counted half; PA here compares
chances of winning and of tying, and arrives at GameShrink's classes, which the slides call
lossless: hands of a class have the same outcomes against all rival hands taken together.
Expectations merge some of them, whatever the number of buckets. The partition `lossless` is the
coarsest in which hands of a class also face the same classes of rival hands."""
QUALITY = """At the finest granularity PA is GameShrink's partition: its equilibria are exploitable
in the full game all the same, by best responses that see all cards (`regretless reproduce
rhode-island`). Between strategies of the makers this does not show, since no opponent here sees
more than PA does. Value: what player 1 earns if both play the strategy."""
