"""GS1, GS2 and GS3: sizes and quality of their abstractions of limit hold'em, head to head.

Gilpin & Sandholm 2006 (GS1: GameShrink with a threshold), Gilpin & Sandholm 2007 (GS2: clusters of
strength and an integer program), Gilpin, Sandholm & Sørensen 2007 (GS3: potential-aware), as shown
in Sandholm's slides on solving large games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from regretless.abstraction._allocation import error_within
from regretless.abstraction._catalog import abstract
from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction._signals import Signals, signals_of
from regretless.core.caches import cache_folder
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.forms.public import PublicForm, public_form
from regretless.studies._contests import METHOD, Contestant, payoffs, solved, text, with_buckets
from regretless.studies._pictures import draw_bars
from regretless.studies._study import Picture
from regretless.studies._whole_deck import WHOLE, whole_deck

ABOUT = """Limit hold'em with few cards, where payoffs and exploitability are exact: abstractions of
equal size by GS1, GS2 and GS3, and by earth mover's distance with imperfect recall (PA). With all
52 cards (`--full`): what is lost within buckets of the published sizes, and blueprints one-on-one.
mb/h are thousandths of a small bet per hand."""
DECK, QUICK = "holdem_limit:ranks=4,suits=3,cap=1", "holdem_limit:ranks=3,suits=3,cap=1"
THRESHOLDS, QUICK_THRESHOLDS = (0.15, 0.1), (0.2,)
MAKERS = {"GS2": "gs2", "GS3": "gs3", "PA": "potential-aware:recall=false"}
ITERATIONS, FEW = 100, 30
SMALL_BET = 10  # chips
PUBLISHED = 31.0  # GS2 against GS1, mb/h

Name = tuple[str, str]  # maker, group of equal size


class Loss(NamedTuple):
    """What one partition of hands merges."""

    strength: float  # root mean square of E[HS] within buckets, over all rounds
    largest: float  # share of deals in the largest bucket of the last round


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Small decks, then all 52 cards in full; `quick` takes 9 cards."""
    form = public_form(QUICK if quick else DECK)
    iterations = FEW if quick else ITERATIONS
    jobs: dict[Name, str] = {}
    for threshold in QUICK_THRESHOLDS if quick else THRESHOLDS:
        listen(Progress(f"GameShrink with threshold {threshold}"))
        greedy = f"gameshrink:threshold={threshold}"
        sizes = abstract(form, greedy).classes[0] or ()
        jobs["GS1", text(sizes)] = greedy
        jobs |= {(name, text(sizes)): with_buckets(by, sizes) for name, by in MAKERS.items()}
    agents = solved(listen, form, jobs, iterations)
    signals = signals_of(Deals(form), 0)
    losses = {name: _loss(form, signals, by) for name, by in jobs.items()}
    groups = tuple(dict.fromkeys(group for _, group in jobs))
    yield _quality(agents, losses, form, iterations)
    names = ("GS1", *MAKERS)
    for group in groups:
        earned = payoffs(form, agents, [(name, group) for name in names])
        yield _cross(earned, group, names)
    yield Picture("exploitability", lambda path: _draw(agents, groups, names, path))
    if full:
        yield from whole_deck(WHOLE, cache_folder() / "gs", listen)


def _loss(form: PublicForm, signals: Signals, by: str) -> Loss:
    mine = abstract(form, by).maps[0]
    assert isinstance(mine, CardMap)
    rounds = list(zip(mine.rows, signals.weights, signals.strengths, strict=True))
    squares = [error_within(values, weights, rows) for rows, weights, values in rounds]
    largest = np.bincount(mine.rows[-1], signals.weights[-1]).max()
    return Loss(float(np.sqrt(np.mean(squares))), float(largest))


def _milli(chips: float) -> float:
    return round(1000 * chips / SMALL_BET, 1)


def _quality(
    agents: dict[Name, Contestant], losses: dict[Name, Loss], form: PublicForm, iterations: int
) -> Table:
    rows = [
        {
            "abstraction": f"{name} {group}",
            "buckets": text(one.classes),
            "strength within buckets": losses[name, group].strength,
            "largest bucket, %": 100 * losses[name, group].largest,
            "exploitability, mb/h": _milli(one.exploitability),
        }
        for (name, group), one in agents.items()
    ]
    return Table.of(f"{form.spec}, {iterations:,} iterations of {METHOD}", rows, SIZES)


def _cross(earned: dict[tuple[Name, Name], float], group: str, names: tuple[str, ...]) -> Table:
    milli = {(one, two): _milli(chips) for ((one, _), (two, _)), chips in earned.items()}
    rows = [(one, *(milli.get((one, two)) for two in names)) for one in names]
    columns = ("mb/h", *(f"against {name}" for name in names))
    return Table(f"Head to head, {group} buckets", columns, rows, CONTEST)


def _draw(
    agents: dict[Name, Contestant], groups: tuple[str, ...], names: tuple[str, ...], path: Path
) -> None:
    figure, (panel,) = panels(1, width=6)
    series = {
        name: [_milli(agents[name, group].exploitability) for group in groups] for name in names
    }
    draw_bars(panel, groups, series, ("#8c8c8c", "#9ec5ea", "#1f5fa8", "#e6862c"))
    most = max(map(max, series.values()))
    panel.set(xlabel="buckets per round", ylabel="exploitability, mb/h", ylim=(0, 1.15 * most))
    panel.legend(ncols=len(names), loc="upper center")
    write_figure(figure, path)


SIZES = """GS1 has a threshold for its greedy merging, not a number of buckets; the others get as
many buckets per round as it has found. GS2 and GS3 have perfect recall, as GS1; PA forgets earlier
rounds, so that fewer buckets may suffice where hands end alike. Strength within buckets: root mean
square distance of E[HS] to the mean of its bucket, over all rounds."""
CONTEST = f"""Row against column, exact, mean of both seats. Published: in 50 series of matches with
all 52 cards GS2 earned {PUBLISHED:.0f} mb/h from GS1; there GS2 also had longer phases and better
estimates of their ends, and both solved the end of a hand while playing."""
