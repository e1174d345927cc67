"""Pathologies: finer abstractions whose equilibria are more exploitable, found by search.

Waugh, Schnizlein, Bowling & Szafron 2009 ("Abstraction pathologies in extensive games") found them
in small poker games; Sandholm's slides on solving large games quote them. The search here covers
all pairs of card partitions of Kuhn and Leduc, and random matrix games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Table
from regretless.evaluation.pathologies import (
    Measured,
    Pathology,
    find_pathologies,
    is_strictly_finer,
)
from regretless.studies import _matrix_games
from regretless.studies._study import Picture

ABOUT = """A pathology is an abstraction and a strictly finer one whose least exploitable
equilibrium is more exploitable in the full game. mb/h, 1,000 to the ante."""
MILLI = 1000.0
SHOWN = 12
SEED = 2009
LEDUC = ("JQK", "J.QK", "JQ.K", "JK.Q", "J.Q.K", "full")
GAMES = {"kuhn": None, "kuhn:ranks=4": None, "leduc": LEDUC}
QUICK = {"kuhn": None, "leduc": ("JQK", "J.QK", "full")}


@dataclass(frozen=True)
class Searched:
    """The results of the search in one game."""

    game: str
    pathologies: list[Pathology]
    measured: list[Measured]

    def comparable(self) -> Iterator[tuple[Measured, Measured]]:
        """All pairs whose second member is strictly finer."""
        for coarser in self.measured:
            for finer in self.measured:
                if coarser.player == finer.player and is_strictly_finer(finer, coarser):
                    yield coarser, finer


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table | Picture]:
    """Poker, then matrices; `quick` leaves out Kuhn with four cards and most partitions."""
    searched: list[Searched] = []
    for game, partitions in (QUICK if quick else GAMES).items():
        searched.append(Searched(game, *find_pathologies(game, partitions, listen=listen)))
        yield _worst(searched[-1])
    yield _counts(searched)
    yield _measures(searched[-1])
    yield matrices(listen, 20_000 if quick else 100_000)
    yield Picture("pathologies", lambda path: _draw(searched, path))


def _worst(search: Searched) -> Table:
    rows = [
        {
            "coarser → finer": f"{one.coarser.name} → {one.finer.name}",
            "player": one.coarser.player,
            "least, coarser": _mb(one.coarser.least),
            "least, finer": _mb(one.finer.least),
            "found, coarser": _mb(one.coarser.found),
            "found, finer": _mb(one.finer.found),
        }
        for one in search.pathologies[:SHOWN]
    ]
    title = f"{search.game}: the worst {len(rows)} of {len(search.pathologies)} pathologies"
    return Table.of(title, rows, WORST)


def _counts(searched: list[Searched]) -> Table:
    rows = []
    for search in searched:
        pairs, slack = list(search.comparable()), 1e-6
        expressed = sum(fine.expressible > coarse.expressible + slack for coarse, fine in pairs)
        rows.append(
            {
                "game": search.game,
                "abstractions × players": len(search.measured),
                "comparable pairs": len(pairs),
                "worse: least exploitable equilibrium": len(search.pathologies),
                "worse: equilibrium found": sum(b.found > a.found + slack for a, b in pairs),
                "worse: least that can be expressed": expressed,
            }
        )
    return Table.of("How often finer is worse", rows, COUNTS)


def _measures(search: Searched) -> Table:
    rows = [
        {
            "abstraction": f"{one.name}, player {one.player}",
            "equilibrium found": _mb(one.found),
            "least exploitable equilibrium": _mb(one.least),
            "expressible": _mb(one.expressible),
        }
        for one in search.measured
    ]
    return Table.of(f"{search.game}: exploitability in the full game, mb/h", rows)


def matrices(listen: Listener, count: int) -> Table:
    """4×4 games: the abstraction gives the opponent its first 2 columns, or 3."""
    listen(Progress("random matrix games"))
    games = _matrix_games.random_games((SEED,), count, 4, 4)
    coarser, finer = (given_up(games, columns) for columns in (2, 3))
    whole = given_up(games, 4)
    good = ~np.isnan(coarser + finer)
    change = (finer - coarser)[good]
    worst = int(np.flatnonzero(good)[change.argmax()])
    rows = [
        ("2 columns", float(coarser[good].mean()), float(coarser[worst])),
        ("3 columns", float(finer[good].mean()), float(finer[worst])),
        ("all 4", float(np.nanmean(whole)), float(whole[worst])),
        ("% of games in which 3 are worse than 2", 100 * float(np.mean(change > 1e-9)), None),
    ]
    columns_ = ("opponent's columns in the abstraction", "given up, mean", "in the worst game")
    payoffs = "; ".join(" ".join(f"{cell:+.2f}" for cell in row) for row in games[worst])
    note = f"{MATRICES} The worst game, row by row: {payoffs}."
    return Table(f"{len(change):,} random 4×4 matrix games", columns_, rows, note)


def given_up(games: Floats, columns: int) -> Floats:
    """[game] what the row player's equilibrium strategy of the first columns gives up."""
    x, _, _ = _matrix_games.solved(np.ascontiguousarray(games[:, :, :columns]))
    _, _, values = _matrix_games.solved(games)
    return np.asarray(values - np.einsum("gr,grc->gc", x, games).min(axis=1))


def _mb(chips: float) -> float:
    """mb/h; rounding is cut off."""
    return MILLI * chips if abs(chips) > 1e-9 else 0.0


def _draw(searched: list[Searched], path: Path) -> None:
    figure, axes = panels(len(searched), width=4.2)
    for search, panel in zip(searched, axes, strict=True):
        pairs = np.array([(c.least, f.least) for c, f in search.comparable()]) * MILLI
        worse = pairs[:, 1] > pairs[:, 0] + 1e-2
        kinds = ((~worse, "#9ec5ea", "finer is no worse"), (worse, "#c0392b", "pathologies"))
        for those, colour, name in kinds:
            panel.scatter(pairs[those, 0], pairs[those, 1], s=12, c=colour, label=name)
        top = float(pairs.max()) * 1.05
        panel.plot([0, top], [0, top], c="black", lw=1)
        panel.set(title=search.game, xlabel="coarser, mb/h", ylabel="finer, mb/h")
    axes[0].legend(fontsize=8)
    figure.suptitle("Least exploitable equilibria of an abstraction and of a finer one")
    write_figure(figure, path)


WORST = """Exploitability in the full game of a player's equilibrium strategy of the abstract game:
the least exploitable one, and the one that the linear program finds. Partitions are those of player
1 and of player 2; the finer abstraction distinguishes more for one player or both."""
COUNTS = """Choosing equilibria well does not help: even the least exploitable equilibrium is often
more exploitable in a finer abstraction. The least exploitable strategy that a partition can
express (which CFR-BR finds) never is."""
MATRICES = """The row player has all its rows, the opponent only some columns; what its equilibrium
strategy gives up against all four columns. More columns are a finer abstraction, and better on
average."""
