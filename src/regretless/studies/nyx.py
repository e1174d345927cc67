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
from regretless.blueprints.files import load_blueprint, opened
from regretless.core.caches import cache_folder
from regretless.core.errors import BadFile, Interrupted
from regretless.core.progress import Listener, Progress
from regretless.evaluation.one_on_one import OneOnOne, one_on_one
from regretless.runs.blueprint_runs import train_blueprint
from regretless.runs.limits import Stop
from regretless.studies._pictures import Interval, draw_intervals
from regretless.studies._study import Beside, Cell, Picture, Table

ABOUT = """Blueprints by public chance sampling in the same betting tree of 2,513 sequences, on
maps of hands that differ on the flop only, compared one-on-one on sampled boards from both seats.
Maps and blueprints are kept in the cache folder: a run with a larger budget continues them."""
PUBLISHED, PUBLISHED_HALF_WIDTH = 3.473, 0.4  # mbb/h, section 5.6
PUBLISHED_ITERATIONS, PUBLISHED_SAMPLES = 1_000_000, 195_000_000
NEW, OLD, POOR = "2014", "2013", "2014, distribution-aware"
SHARED = ("preflop", "turn", "river")
THREADS = min(2, os.cpu_count() or 1)


@dataclass(frozen=True)
class _Size:
    """What is compared, and how long."""

    game: str
    flops: dict[str, str]  # by name of the abstraction
    rest: dict[str, str]  # the other rounds
    budgets: tuple[int, ...]  # iterations after which blueprints are compared
    boards: int

    @property
    def iterations(self) -> int:
        """The largest budget."""
        return self.budgets[-1]

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
    boards=10_000,
)
FULL = _Size(
    game=WHOLE.game,
    flops={**WHOLE.flops, NEW: "public:20x50", POOR: "public:20x50,by=distribution"},
    rest=WHOLE.rest,
    budgets=(30_000, 100_000, 300_000, PUBLISHED_ITERATIONS),
    boards=200_000,
)
SMALL = _Size(
    game="holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=8,sizes=100%-a",
    flops={OLD: "distribution:6", NEW: "public:2x3", POOR: "public:2x3,by=distribution"},
    rest={"preflop": "lossless", "turn": "distribution:6", "river": "ochs:6"},
    budgets=(50, 150),
    boards=40,
)


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """The comparison of the document, after every budget, then the ablation; `quick` takes a small
    deck. What was compared before an interruption is kept."""
    size = SMALL if quick else FULL if full else WHOLE
    with _folder(quick) as folder:
        for budget in size.budgets:
            pair = {_place(folder, size.flops[name], "strategy") for name in (OLD, NEW)}
            if budget < size.iterations and any(_known(path) > budget for path in pair):
                continue  # an earlier run has gone further
            until = replace(size, budgets=(budget,))
            made = {name: _blueprint(until, name, folder, listen) for name in (OLD, NEW)}
            first = _compared(made[NEW], made[OLD], size, listen)
            yield _headline(first, made, quick=quick)
        made[POOR] = _blueprint(size, POOR, folder, listen)
        others = {
            (POOR, OLD): _compared(made[POOR], made[OLD], size, listen),
            (NEW, POOR): _compared(made[NEW], made[POOR], size, listen),
        }
        found = {(NEW, OLD): first, **others}
        yield _ablation(size, found, made)
        yield Picture("matches", partial(_draw, found, quick=quick))


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


def _blueprint(size: _Size, name: str, folder: Path, listen: Listener) -> Blueprint:
    """The blueprint of an abstraction: made, continued, or read if it is there."""

    def told(progress: Progress) -> None:
        listen(replace(progress, stage=f"{name}: {progress.stage}"))

    path, place = (_place(folder, size.flops[name], kind) for kind in ("strategy", "map"))
    if name != OLD:
        _share(_place(folder, size.flops[OLD], "map"), place)
    hand_map(size.game, size.spec(name), out=place, threads=THREADS, listen=told)
    known = _known(path)
    if known and known >= size.iterations:
        return load_blueprint(path, map=place)
    found = train_blueprint(
        None if known else size.game,
        None if known else place,
        iterations=size.iterations,
        threads=THREADS,
        out=path,
        resume=path if known else None,
        keep_state=True,
        listen=told,
    )
    if found.about["stop"] == Stop.INTERRUPTED:
        raise Interrupted("training was interrupted; repeat the command to continue")
    return found


def _place(folder: Path, flop: str, kind: str) -> Path:
    """A file or folder that is named after how the flop is made."""
    return folder / f"flop-{re.sub('[^a-z0-9]+', '-', flop)}.{kind}"


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


def _known(path: Path) -> int:
    """The iterations of a blueprint that was made before; 0 if there is none."""
    try:
        return int(opened(path)[1]["iterations"])
    except (BadFile, OSError):
        return 0


def _compared(first: Blueprint, second: Blueprint, size: _Size, listen: Listener) -> OneOnOne:
    found = one_on_one(first, second, boards=size.boards, threads=THREADS, listen=listen)
    if found.interrupted:
        raise Interrupted("the comparison was interrupted")
    return found


def _headline(found: OneOnOne, made: dict[str, Blueprint], *, quick: bool) -> Table:
    mean, half_width = found.mbb
    iterations = min(int(one.about["iterations"]) for one in made.values())
    theirs = None if quick else PUBLISHED
    rows: list[tuple[Cell, ...]] = [
        ("public buckets on the flop win, mbb/h", Beside(theirs, mean)),
        ("± (95 %)", Beside(None if quick else PUBLISHED_HALF_WIDTH, half_width)),
        ("iterations of each blueprint", Beside(PUBLISHED_ITERATIONS, iterations)),
        ("samples of the comparison", Beside(PUBLISHED_SAMPLES, found.boards)),
    ]
    return Table(
        f"2014 against 2013, one-on-one after {iterations:,} iterations",
        ("", "document / ours"),
        rows,
        note=SAMPLES,
    )


def _ablation(
    size: _Size, found: dict[tuple[str, str], OneOnOne], made: dict[str, Blueprint]
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for (first, second), result in found.items():
        mean, half_width = result.mbb
        rows.append((f"{first} against {second}", mean, half_width, size.flops[first]))
    counts = ", ".join(f"{name}: {'/'.join(map(str, b.map.counts))}" for name, b in made.items())
    return Table(
        "Ground distances between hands",
        ("match", "mbb/h", "± (95 %)", "flop of the first"),
        rows,
        note=f"{DISTANCES} Buckets: {counts}.",
    )


def _draw(found: dict[tuple[str, str], OneOnOne], path: Path, *, quick: bool) -> None:
    rows = []
    for (first, second), result in found.items():
        mean, half_width = result.mbb
        rows.append(
            Interval(f"{first} against {second}", mean - half_width, mean, mean + half_width)
        )
    if not quick:
        low, high = PUBLISHED - PUBLISHED_HALF_WIDTH, PUBLISHED + PUBLISHED_HALF_WIDTH
        rows.insert(0, Interval(f"{NEW} against {OLD}, document", low, PUBLISHED, high))
    draw_intervals(rows, "the first wins, mbb/h, with 95 % intervals", path)


SAMPLES = """Our samples are boards on which the whole betting is traversed from both seats; theirs
are boards with a few histories each. The document does not list the bet sizes of its 2,513 betting
sequences: ours are a tree of the same size."""
DISTANCES = """2014 compares hands by their distributions of strength in all rounds so far
(distribution-history-aware), the ablation in the flop only (distribution-aware), which the document
found to be poor without giving a number."""
