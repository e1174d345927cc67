"""Over-fitting: true exploitability against iterations in an abstraction, and CFR-BR.

Johanson, Bard, Burch & Bowling 2012 ("Finding optimal abstract strategies in extensive-form
games"): as an equilibrium of the abstract game is approached, exploitability in the full game
may rise again after an early minimum. Here on Leduc, by partitions of its cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from regretless.abstraction._catalog import abstract
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.evaluation.exploitability import measured
from regretless.evaluation.pathologies import FullGame
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.runs.least_exploitable import AbstractCfrBr
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy
from regretless.studies._study import Picture

ABOUT = """Leduc hold'em by partitions of its cards, one for both players: exploitability in the
abstract game and in the full game during solving, and the result of CFR-BR. mb/h, 1,000 to the
ante."""
PARTITIONS = ("JQK", "J.QK", "JQ.K", "J.Q.K")
METHODS = ("cfr", "cfr+")
LOOKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
MILLI = 1000.0


@dataclass(frozen=True)
class Curve:
    """Exploitability over the iterations, mb/h."""

    partition: str
    method: str
    inside: tuple[float, ...]  # in the abstract game; nothing for CFR-BR
    true: tuple[float, ...]

    @property
    def lowest(self) -> int:
        """The evaluation with the lowest true exploitability."""
        return int(np.argmin(self.true))


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """One curve per partition and method; `quick` stops at 256 iterations."""
    looks = LOOKS[:9] if quick else LOOKS
    form = sequence_form("leduc")
    full = FullGame(form)
    curves: list[Curve] = []
    least: dict[str, float] = {}
    for number, partition in enumerate(PARTITIONS):
        for method in (*METHODS, "cfr-br"):
            listen(Progress(f"{partition} {method}", done=number / len(PARTITIONS)))
            curves.append(curve(form, partition, method, looks))
        seats = full.measure((partition, partition))
        least[partition] = MILLI * float(np.mean([seat.expressible for seat in seats]))
    yield _summary(curves, looks, least)
    yield _points(curves, looks)
    yield Picture("curves", lambda path: _draw(curves, looks, least, path))


def curve(form: SequenceForm, partition: str, method: str, looks: tuple[int, ...]) -> Curve:
    """Solve in an abstraction, evaluating in the full game at intervals."""
    made = abstract(form, partition)
    inside, true = [], []
    if method == "cfr-br":
        both = AbstractCfrBr(made)
        for before, after in pairwise((0, *looks)):
            both.step(after - before)
            true.append(MILLI * measured(both.strategy()).exploitability)
        return Curve(partition, method, (), tuple(true))
    running = solver(method, made.form())
    for before, after in pairwise((0, *looks)):
        running.step(after - before)
        strategy = Strategy.trusted(made.form(), running.behaviour())
        inside.append(MILLI * measured(strategy).exploitability)
        true.append(MILLI * measured(made.lift(strategy)).exploitability)
    return Curve(partition, method, tuple(inside), tuple(true))


def _summary(curves: list[Curve], looks: tuple[int, ...], least: dict[str, float]) -> Table:
    rows = [
        {
            "partition, method": f"{one.partition}, {one.method}",
            "in the abstraction, last": one.inside[-1] if one.inside else None,
            "full game, lowest": one.true[one.lowest],
            "at iteration": looks[one.lowest],
            "full game, last": one.true[-1],
            "% above the lowest": 100 * (one.true[-1] / one.true[one.lowest] - 1),
            "least that can be expressed": least[one.partition],
        }
        for one in curves
    ]
    return Table.of(f"Exploitability after {looks[-1]:,} iterations, mb/h", rows, SUMMARY)


def _points(curves: list[Curve], looks: tuple[int, ...]) -> Table:
    names = tuple(f"{one.partition}, {one.method}" for one in curves)
    rows = [(look, *(one.true[k] for one in curves)) for k, look in enumerate(looks)]
    return Table("Exploitability in the full game, mb/h", ("iterations", *names), rows)


def _draw(curves: list[Curve], looks: tuple[int, ...], least: dict[str, float], path: Path) -> None:
    figure, axes = panels(len(PARTITIONS), width=4)
    colours = {"cfr": "#8c8c8c", "cfr+": "#e6862c", "cfr-br": "#1f5fa8"}
    for partition, panel in zip(PARTITIONS, axes, strict=True):
        for one in curves:
            if one.partition != partition:
                continue
            panel.plot(looks, one.true, c=colours[one.method], marker=".", label=one.method)
            if one.inside:
                panel.plot(looks, one.inside, c=colours[one.method], ls=":", lw=1)
        panel.axhline(least[partition], c="black", lw=1, label="least expressible")
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_ylim(bottom=10)
        panel.set(title=partition, xlabel="iterations")
    axes[0].set_ylabel("exploitability, mb/h (dotted: in the abstraction)")
    axes[0].legend(fontsize=8)
    write_figure(figure, path)


SUMMARY = """Exploitability is the mean of both players' epsilons. CFR and CFR+ approach an
equilibrium of the abstract game regardless of its quality in the full game: where the last number
is above the lowest, they over-fit the abstraction. CFR-BR learns against best responses in the full
game and approaches the least exploitable strategy that the partition can express, which a linear
program computes (last column)."""
