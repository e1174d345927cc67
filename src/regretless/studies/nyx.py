"""No-limit hold'em: public buckets on the flop against none, one-on-one with 25 big blinds.

Moravčík 2014, "Evaluating public state space abstractions in extensive form games with an
application in poker", chapter 5: the abstractions of the agent Nyx in the Annual Computer Poker
Competitions of 2013 and 2014. Both have 169 buckets before the flop and 1,000 in each later round;
on the flop those of 2014 are 50 private buckets in each of 20 public ones."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from regretless.abstraction._composition import hand_map
from regretless.blueprints.blueprint import Blueprint
from regretless.core.caches import cache_folder
from regretless.core.progress import Listener
from regretless.core.tables import Table
from regretless.evaluation.one_on_one import OneOnOne
from regretless.studies._pictures import Interval, draw_intervals
from regretless.studies._study import Cell, Picture, prefixed
from regretless.studies._training import THREADS, compared, trained

ABOUT = """Blueprints by public chance sampling in the same betting tree, on maps of hands that
differ on the flop only, compared one-on-one on sampled boards from both seats.
Maps and blueprints are kept in the cache folder: a run with larger budgets continues them."""
PUBLISHED, PUBLISHED_HALF_WIDTH = 3.473, 0.4  # mbb/h, section 5.6
PUBLISHED_ITERATIONS, PUBLISHED_SAMPLES = 1_000_000, 195_000_000
NEW, OLD, POOR = "2014", "2013", "2014, distribution-aware"
SHARED = ("preflop", "turn", "river")
_Match = tuple[int, str, str]  # iterations, who plays, against whom


@dataclass(frozen=True)
class _Size:
    """What is compared, and how long."""

    game: str
    flops: dict[str, str]  # by name of the abstraction
    rest: dict[str, str]  # the other rounds
    budgets: tuple[int, ...]  # iterations after which blueprints are compared
    ablated: int  # the budget with which ground distances are compared
    boards: int

    def spec(self, name: str) -> str:
        parts = {**self.rest, "flop": self.flops[name]}
        return ",".join(f"{key}={parts[key]}" for key in ("preflop", "flop", "turn", "river"))


WHOLE = _Size(
    game="holdem_nolimit:stack=2500,sizes=nyx",
    flops={
        OLD: "distribution:1000",
        NEW: "public:20x50,sample=400",
        POOR: "public:20x50,by=distribution,sample=400",
    },
    rest={"preflop": "lossless", "turn": "distribution:1000", "river": "ochs:1000"},
    budgets=(30_000,),
    ablated=30_000,
    boards=10_000,
)
FULL = replace(
    WHOLE,
    budgets=(30_000, 100_000, 200_000, 500_000, PUBLISHED_ITERATIONS),
    ablated=100_000,
    boards=20_000,
)
SMALL = _Size(
    game="holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=8,sizes=100%-a",
    flops={OLD: "distribution:6", NEW: "public:2x3", POOR: "public:2x3,by=distribution"},
    rest={"preflop": "lossless", "turn": "distribution:6", "river": "ochs:6"},
    budgets=(50, 150),
    ablated=150,
    boards=40,
)


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """The comparison of the document after every budget, and the ablation; `quick` takes a small
    deck. What was compared before an interruption is kept."""
    size = SMALL if quick else FULL if full else WHOLE
    results: dict[_Match, OneOnOne] = {}
    with _folder(quick) as folder:
        for budget in size.budgets:
            made = {name: _blueprint(size, name, budget, folder, listen) for name in (OLD, NEW)}
            matches = [(NEW, OLD)]
            if budget == size.ablated:
                made[POOR] = _blueprint(size, POOR, budget, folder, listen)
                matches += [(POOR, OLD), (NEW, POOR)]
            for one, other in matches:
                results[budget, one, other] = compared(made[one], made[other], size.boards, listen)
            yield _headline(results, FEW_CARDS if quick else SAMPLES)
            if budget == size.ablated:
                yield _ablation(size, results, made)
            yield Picture("matches", partial(_draw, dict(results)))


@contextmanager
def _folder(quick: bool) -> Iterator[Path]:
    """Where maps and blueprints are kept."""
    if quick:
        with tempfile.TemporaryDirectory() as beside:
            yield Path(beside)
    else:
        place = cache_folder() / "nyx"
        place.mkdir(parents=True, exist_ok=True)
        yield place


def _blueprint(size: _Size, name: str, budget: int, folder: Path, listen: Listener) -> Blueprint:
    """The blueprint of an abstraction after some iterations: made, continued, or read."""

    told = prefixed(listen, name)
    place = folder / f"flop-{_plain(size.flops[name])}.map"
    if name != OLD:
        _share(folder / f"flop-{_plain(size.flops[OLD])}.map", place)
    hand_map(size.game, size.spec(name), out=place, threads=THREADS, listen=told)
    paths = {
        count: folder / f"flop-{_plain(size.flops[name])}-linear-{count}.strategy"
        for count in size.budgets
        if count <= budget
    }
    return trained(size.game, place, paths[budget], budget, told, earlier=[*paths.values()][:-1])


def _plain(flop: str) -> str:
    """How the flop is made, as part of a file name."""
    return re.sub("[^a-z0-9]+", "-", flop)


def _share(made: Path, place: Path) -> None:
    """Begin a map with the rounds of another one, which would be made the same way."""
    if place.exists() or not made.exists():
        return
    beside = place.with_suffix(".new")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir()
    for name in SHARED:
        for path in made.glob(f"{name}.*"):
            try:
                os.link(path, beside / path.name)
            except OSError:  # other disks have no links
                shutil.copyfile(path, beside / path.name)
    beside.rename(place)


def _headline(results: dict[_Match, OneOnOne], note: str) -> Table:
    document = (PUBLISHED, PUBLISHED_HALF_WIDTH, PUBLISHED_SAMPLES)
    rows: list[tuple[Cell, ...]] = [(f"document, {PUBLISHED_ITERATIONS:,} iterations", *document)]
    for (budget, one, other), result in results.items():
        if (one, other) == (NEW, OLD):
            rows.append((f"{budget:,} iterations", *result.mbb, result.boards))
    columns = ("blueprints", "public buckets on the flop win, mbb/h", "± (95 %)", "samples")
    return Table("2014 against 2013, one-on-one", columns, rows, note)


def _ablation(size: _Size, results: dict[_Match, OneOnOne], made: dict[str, Blueprint]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"{one} against {other}", *result.mbb, size.flops[one])
        for (budget, one, other), result in results.items()
        if budget == size.ablated
    ]
    counts = ", ".join(f"{name}: {'/'.join(map(str, b.map.counts))}" for name, b in made.items())
    return Table(
        f"Ground distances between hands, {size.ablated:,} iterations",
        ("match", "mbb/h", "± (95 %)", "flop of the first"),
        rows,
        note=f"{DISTANCES} Buckets: {counts}.",
    )


def _draw(results: dict[_Match, OneOnOne], path: Path) -> None:
    low, high = PUBLISHED - PUBLISHED_HALF_WIDTH, PUBLISHED + PUBLISHED_HALF_WIDTH
    rows = [Interval(f"{NEW} against {OLD}, document", low, PUBLISHED, high)]
    for (budget, one, other), result in results.items():
        mean, half_width = result.mbb
        name = f"{one} against {other}, {budget:,}"
        rows.append(Interval(name, mean - half_width, mean, mean + half_width))
    draw_intervals(rows, "the first wins, mbb/h, with 95 % intervals", path)


FEW_CARDS = """Ours is a small deck with few buckets, which shows how the study works: its numbers
do not compare with the document's."""
SAMPLES = """Our samples are boards on which the whole betting is traversed from both seats; theirs
are boards with a few histories each. The document does not list the bet sizes of its 2,513 betting
sequences: ours are a tree of the same size. Ours are trained by linear CFR, which after 30,000
iterations wins 7.5 ± 0.3 mbb/h from plain CFR on the map of 2013; public buckets are chosen among
400 sampled flops."""
DISTANCES = """2014 compares hands by their distributions of strength in all rounds so far
(distribution-history-aware), the ablation in the flop only (distribution-aware), which the document
found to be poor without giving a number."""
