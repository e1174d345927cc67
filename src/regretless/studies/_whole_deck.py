"""Limit hold'em with all 52 cards: what maps of hands merge, and blueprints one-on-one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.abstraction._allocation import error_within
from regretless.abstraction._composition import hand_map
from regretless.abstraction._deal_rules import DealRules, deal_rules
from regretless.abstraction._hand_map import HandMap, RoundMap
from regretless.abstraction.rounds._context import Context
from regretless.abstraction.rounds._features import histograms, scores
from regretless.abstraction.rounds._transitions import follow_rows
from regretless.blueprints.blueprint import Blueprint
from regretless.core.arrays import Floats, Indices
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, nobody
from regretless.core.tables import Table
from regretless.studies._study import Cell, Picture, prefixed
from regretless.studies._training import THREADS, compared, trained

DEALS = 200_000


class Known(NamedTuple):
    """Random deals in one round."""

    context: Context
    cards: npt.NDArray[np.uint8]  # [deal] hole cards and board
    strength: Floats  # [deal] E[HS]
    shares: Floats | None  # [deal, bin] distribution of final strength; None in the last round


class Within(NamedTuple):
    """One round."""

    round: str
    buckets: int
    used: int  # that occur in the sample
    strength: float  # root mean square distance of E[HS] to the mean of the bucket
    moved: float | None  # mean earth mover's distance to the bucket's distribution of strength


def random_deals(
    deal: DealRules,
    *,
    deals: int = DEALS,
    seed: int = 0,
    threads: int = 1,
    listen: Listener = nobody,
) -> list[Known]:
    """Random deals in all rounds, which serve to measure any number of maps."""
    rng = np.random.default_rng(seed)
    size = deal.hole + sum(deal.board)
    cards = rng.permuted(np.tile(np.arange(deal.cards, dtype=np.uint8), (deals, 1)), axis=1)
    cards = np.ascontiguousarray(cards[:, :size])
    by_round = []
    with tempfile.TemporaryDirectory() as folder:
        for round in range(len(deal.board)):
            context = Context(deal, round, Path(folder), _nothing, threads, seed, listen)
            shown = cards[:, : deal.hole + deal.shown(round)]
            numbers, known, shares = (
                context.index.index(shown),
                scores(context, squared=False),
                None,
            )
            if not context.is_last:
                rows = histograms(context)[numbers].astype(np.float64)
                shares = rows / rows.sum(axis=1)[:, None]
            by_round.append(Known(context, shown, known.values[known.codes[numbers]], shares))
    return by_round


def _nothing(round: int) -> RoundMap:
    raise AssertionError(f"strengths do not depend on buckets of round {round}")


def within_buckets(map: HandMap, known: list[Known]) -> list[Within]:
    """Measured on random deals."""
    rounds = []
    for round, (one, deals) in enumerate(zip(map.rounds, known, strict=True)):
        own = follow_rows(map.rounds[: round + 1], deals.context, deals.cards)
        moved = None if deals.shares is None else _moved(deals.shares, own)
        spread = sqrt(error_within(deals.strength, np.ones(own.size), own))
        rounds.append(Within(deals.context.name, one.count, np.unique(own).size, spread, moved))
    return rounds


def _moved(rows: Floats, own: Indices) -> float:
    """Mean L1 distance of running sums to those of the bucket's mean, in units of strength."""
    sums = np.cumsum(rows, axis=1)
    order = np.argsort(own, kind="stable")
    starts = np.flatnonzero(np.diff(own[order], prepend=-1))
    counts = np.diff(np.append(starts, own.size))
    means = np.add.reduceat(sums[order], starts, axis=0) / counts[:, None]
    apart = np.abs(sums[order] - np.repeat(means, counts, axis=0)).sum(axis=1)
    return float(apart.mean() / rows.shape[1])


@dataclass(frozen=True)
class Size:
    """What is compared, and how long."""

    game: str  # of the blueprints; maps know no betting
    equal: Mapping[str, str]  # maps of equal size by name, which also meet one-on-one
    more: Mapping[str, str]  # other maps
    deals: int  # on which maps are measured
    iterations: int  # of every blueprint
    boards: int  # of every comparison


WHOLE = Size(
    game="holdem_limit:cap=2",
    equal={
        "GS1": "preflop=gs1:15,flop=gs1:225,turn=gs2:900,river=gs2:3600",
        "GS2": "preflop=gs2:15,flop=gs2:225,turn=gs2:900,river=gs2:3600",
        "GS3": "preflop=gs3:15,flop=gs3:225,turn=gs3:900,river=gs3:3600",
        "equal": "preflop=percentile:15,flop=history:15,squared=false,"
        "turn=history:4,squared=false,river=history:4,squared=false",
        "PA": "preflop=potential:15,flop=potential:225,turn=potential:900,river=potential:3600",
    },
    more={
        "PA, recall": "preflop=potential:15,recall=true,flop=potential:15,recall=true,"
        "turn=potential:4,recall=true,river=potential:4,recall=true",
        "GS3, published": "preflop=gs3:20,flop=gs3:800,turn=gs3:4800,river=gs3:28800",
    },
    deals=DEALS,
    iterations=15_000,
    boards=1_000,
)


def whole_deck(size: Size, folder: Path, listen: Listener) -> Iterator[Table | Picture]:
    """Two tables and a picture; a repeated run finds maps and blueprints in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    places = {name: folder / f"{_plain(name)}.map" for name in (*size.equal, *size.more)}
    recipes = {**size.equal, **size.more}
    known = random_deals(deal_rules(size.game), deals=size.deals, threads=THREADS, listen=listen)
    rows: list[tuple[Cell, ...]] = []
    measured: dict[str, list[Within]] = {}
    for name, by in recipes.items():
        map = hand_map(
            size.game, by, out=places[name], threads=THREADS, listen=prefixed(listen, name)
        )
        measured[name] = within_buckets(map, known)
        rows += [
            (f"{name}, {one.round}", one.buckets, one.used, round(one.strength, 9), one.moved)
            for one in measured[name]
        ]
    columns = ("abstraction", "buckets", "met", "strength within buckets", "distance within")
    yield Table("All 52 cards", columns, rows, MERGED)
    yield Picture("whole-deck", lambda path: _draw(measured, path))
    made = {
        name: trained(
            size.game,
            places[name],
            folder / f"{_plain(name)}-linear.strategy",
            size.iterations,
            prefixed(listen, name),
        )
        for name in size.equal
    }
    yield _contest(size, made, listen)


def _contest(size: Size, made: Mapping[str, Blueprint], listen: Listener) -> Table:
    earned: dict[tuple[str, str], str] = {}
    for one, two in combinations(made, 2):
        told = prefixed(listen, f"{one} against {two}")
        # The small bet is the big blind.
        mean, half_width = compared(made[one], made[two], size.boards, told).mbb
        earned[one, two] = f"{mean:.1f} ± {half_width:.1f}"
        earned[two, one] = f"{-mean:.1f} ± {half_width:.1f}"
    rows: list[tuple[Cell, ...]] = [
        (one, *(earned.get((one, two)) for two in made)) for one in made
    ]
    title = f"Head to head, {size.game}, all 52 cards"
    note = CONTEST.format(iterations=size.iterations, boards=size.boards)
    return Table(title, ("mb/h ± 95 %", *(f"against {name}" for name in made)), rows, note)


def _draw(measured: Mapping[str, list[Within]], path: Path) -> None:
    figure, parts = panels(2, width=4.5)
    rounds = [one.round for one in next(iter(measured.values()))]
    for name, rounds_of_map in measured.items():
        parts[0].plot(rounds, [one.strength for one in rounds_of_map], marker="o", label=name)
        moved = [one.moved for one in rounds_of_map if one.moved is not None]
        parts[1].plot(rounds[: len(moved)], moved, marker="o", label=name)
    parts[0].set(ylabel="E[HS] within buckets (root mean square)", ylim=(0, None))
    parts[1].set(ylabel="earth mover's distance within buckets", ylim=(0, None))
    names = parts[0].get_legend_handles_labels()
    figure.legend(*names, loc="outside upper center", ncols=len(measured))
    write_figure(figure, path)


def _plain(name: str) -> str:
    return name.replace(", ", "-")


MERGED = """Root mean square distance of E[HS] to the mean of the bucket, and mean earth mover's
distance of the distribution of final strength to that of the bucket, in strength, on a sample of
deals. The published sizes are 15/225/900 for the first three rounds (GS2; on the river ours has
3,600) and 20/800/4,800/28,800 (GS3). `equal` splits every bucket into equally many; PA forgets
earlier rounds, `PA, recall` does not. GS1 is GameShrink in the first two rounds, with the
thresholds that give as many buckets as GS2 has; the source tells neither its thresholds nor its
sizes. The published program abstracted the last two rounds apart from the first two; here they
follow as in GS2, so that GS1 and GS2 differ by how the first two rounds are made."""
CONTEST = """Row against column, thousandths of a small bet per hand, mean of both seats, with the
95 % confidence interval of the comparison on {boards:,} random boards. Blueprints are trained by
public chance sampling (linear CFR) in {iterations:,} iterations with one seed, which is short:
numbers also show which map is learned faster, and the interval covers the boards of the comparison
only. GS3 compares distributions bucket by bucket (L1), whichever of the next buckets are near each
other; perhaps this costs it strength with so few buckets. There are two bets per round, and the big
blind is the first one before the flop; with four, as in the real game, a board takes nine times as
long."""
