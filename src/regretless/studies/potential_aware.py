"""Rhode Island hold'em: expectation-based against potential-aware abstraction, head to head.

Gilpin & Sandholm 2008, "Expectation-based versus potential-aware automated abstraction in
imperfect information games", as shown in Sandholm's slides on solving large games: abstractions
by E[HS] (EB), E[HS²] (EB²) and potential (PA); an integer program shares out their buckets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from regretless.abstraction._catalog import abstract
from regretless.core.errors import Interrupted
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.forms.public import PublicForm, public_form
from regretless.studies._contests import METHOD, Contestant, payoffs, solved, text, with_buckets
from regretless.studies._study import Beside, Cell, Picture, prefixed

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
ITERATIONS, MANY, FEW = 100, 1000, 30  # by default, in full, quick
ENOUGH = (13, 1000, 100_000)  # buckets


class Result(NamedTuple):
    """One granularity."""

    size: str
    agents: dict[str, Contestant]
    earned: dict[tuple[str, str], float]  # row against column


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Classes, then payoffs and exploitability; `full` takes ten times as many iterations, `quick`
    a small deck."""
    form = public_form(QUICK if quick else WHOLE)
    listen(Progress("classes"))
    yield _classes(form)
    iterations = FEW if quick else MANY if full else ITERATIONS
    sizes = SMALL if quick else tuple(PUBLISHED)
    results: list[Result] = []
    try:
        for size in sizes:
            result = _contest(listen, form, size, iterations)
            results.append(result)
    except Interrupted:  # what is finished is shown
        if results:
            yield _table(results, iterations)
        raise
    yield _table(results, iterations)
    yield Picture("exploitability", lambda path: _draw(results, path))


def _contest(listen: Listener, form: PublicForm, size: str, iterations: int) -> Result:
    jobs = {name: with_buckets(by, size.split("-")) for name, by in MAKERS.items()}
    agents = solved(prefixed(listen, size), form, jobs, iterations)
    return Result(size, agents, payoffs(form, agents, list(jobs)))


def _classes(form: PublicForm) -> Table:
    """The finest partition of every maker."""
    makers = {
        **{name: with_buckets(by, ENOUGH) for name, by in MAKERS.items()},
        "PA, ties counted half": with_buckets("gs3", ENOUGH),
        "GameShrink": "gameshrink",
        "lossless": "lossless",
    }
    rows: list[tuple[Cell, ...]] = []
    for name, by in makers.items():
        made = abstract(form, by)
        rows.append((name, text(made.classes[0] or ()), "yes" if made.is_lossless else "no"))
    return Table("What each can distinguish", ("partition", "classes", "lossless"), rows, CLASSES)


def _table(results: list[Result], iterations: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for size, agents, earned in results:
        theirs = PUBLISHED.get(size) or (None, None, None)
        cells = [
            Beside(number, round(earned[pair], 4))
            for number, pair in zip(theirs, PAIRS, strict=True)
        ]
        lost = [agents[name].exploitability for name in MAKERS]
        rows.append((size, *cells, *lost))
    contests = [f"{one} against {two}" for one, two in PAIRS]
    columns = ("granularity", *contests, *(f"exploitability of {name}" for name in MAKERS))
    return Table(f"Payoffs after {iterations:,} iterations of {METHOD}", columns, rows, PAYOFFS)


def _draw(results: list[Result], path: Path) -> None:
    figure, (left, right) = panels(2)
    colours = {"EB": "#8c8c8c", "EB²": "#e6862c", "PA": "#1f5fa8"}
    for name, colour in colours.items():
        numbers = [one.agents[name].exploitability for one in results]
        left.plot(numbers, "o-", c=colour, label=name)
    for name in ("EB", "EB²"):
        numbers = [one.earned["PA", name] for one in results]
        right.plot(numbers, "o-", c=colours[name], label=name)
    right.axhline(0, c="black", lw=0.8)
    left.set(ylabel="exploitability, chips", ylim=(0, None))
    right.set(ylabel="PA earns against, chips")
    for panel in (left, right):
        panel.set_xticks(
            np.arange(len(results)), [r.size for r in results], rotation=30, fontsize=8
        )
        panel.legend()
    write_figure(figure, path)


PAYOFFS = """Cells read published → ours. The slides do not name the unit of their payoffs; ours
are chips per hand, with an ante of 5 and bets of 10, 20 and 20. As published, EB and EB² beat PA at
the coarsest granularity, and PA beats both from 13-100-750 on; at 13-50-250, where the slides have
PA ahead, it still loses here. PA is also the least exploitable from 13-75-500 on. At the finest
granularity PA is GameShrink's partition, which EB and EB² cannot reach: it earns less than a
thousandth of a chip from them. Its strategies are exploitable in the full game all the same, by
best responses that see all cards (`regretless reproduce rhode-island`). Between strategies of the
makers this does not show, since no opponent here sees more than PA does."""
CLASSES = """What remains apart when every maker has as many buckets as it can use. GS3 as published
compares hands of the last round by their chance of winning with ties counted half; PA here compares
chances of winning and of tying, and yields GameShrink's classes, which the slides call
lossless: hands of a class have the same outcomes against all rival hands taken together. However
many buckets there are, E[HS] merges hands that lead to different classes, and E[HS²] hands that
differ by their ties. The partition `lossless` is the coarsest in which hands of a class also face
the same classes of rival hands."""
