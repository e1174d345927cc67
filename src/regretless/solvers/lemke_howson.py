"""Lemke–Howson 1964: complementary pivoting, exact, any two-player game of small normal form.

Ties are broken lexicographically, so degenerate games terminate too (von Stengel 2002, section
2.6). Differs from the paper: pivots are made in floating point, the answer is recomputed from its
basis and checked; if that fails, another label is tried, then integers without rounding."""

from __future__ import annotations

import time
from collections.abc import Generator
from functools import partial
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadParameter, within
from regretless.forms.form import Form
from regretless.kernels import pivoting
from regretless.solvers._bimatrix import AT_ONCE, Bimatrix, BimatrixSolver, Pair, Search, pair_of
from regretless.solvers._exact import SLICE_S, aside
from regretless.solvers._integer_pivoting import IntegerPath

Tableaux: TypeAlias = tuple[Floats, Floats]

# Some paths are very long. Of 14 random 200×200 games the worst took 1,419 pivots with 24 labels
# followed in turn, 25 pivots each, and 6,160 with one more label after every 200 pivots each.
RACERS = 24
STRIDE = 25
RACE_BYTES = 2**27  # of the tableaux of all racers
KEPT = 5  # tableaux at a time: the first, one that pivots, and those that its basis is solved by


class Method(BimatrixSolver):
    """Drop a label and follow the path of almost complementary vertices to its end."""

    def __init__(
        self, form: Form, *, label: int = 0, every: bool = False, arithmetic: str = "auto"
    ) -> None:
        """`label` is the pure strategy to drop first, player 2's counted after player 1's; 0
        takes the label that finishes first. `every` follows all labels and keeps all equilibria.
        `arithmetic` is float, integer, or auto: float first."""
        super().__init__(form)
        if arithmetic not in ("auto", "float", "integer"):
            raise BadParameter(f"arithmetic={arithmetic}: must be auto, float or integer")
        within("label", label, 0, 2**31)
        self.label, self.every, self.arithmetic = label, every, arithmetic
        self.pivots = 0
        self.ends: list[tuple[int, Pair]] = []  # labels and the equilibria they lead to

    @staticmethod
    def table_bytes(rows: int, columns: int) -> int:
        return BimatrixSolver.table_bytes(rows, columns) + 8 * KEPT * (rows + columns) ** 2

    def search(self) -> Search:
        count = sum(self.game.A.shape)
        within("label", self.label, 0, count)
        self.pivots, self.ends = 0, []
        labels = list(range(count)) if self.every or not self.label else [self.label - 1]
        if self.arithmetic != "integer":
            first = yield from tableaux(self.game)
            if len(labels) > 1:
                yield from self._raced(first, labels)
            else:
                yield from self._follow((yield from path_of(first, labels[0])))
        done = {label for label, _ in self.ends}
        if self.arithmetic != "float":
            left = labels if self.every or self.label else labels[:1]
            for label in (label for label in left if label not in done):
                exact = yield from aside("integers", partial(IntegerPath, self.game, label))
                yield from self._follow(exact)

    def more(self) -> bool:
        return self.every

    def _raced(self, first: Tableaux, labels: list[int]) -> Search:
        """Follow these labels in turn, a few pivots each; when one finishes the next starts."""
        each = 8 * len(labels) ** 2
        places = max(1, min(RACERS, RACE_BYTES // each))
        waiting = iter(labels)
        running: list[Path] = []
        while True:
            for path in list(running):
                yield from self._follow(path, pivots=STRIDE)
                if path.status != pivoting.PAUSED:
                    running.remove(path)
            for label in islice(waiting, places - len(running)):
                path = yield from path_of(first, label)
                yield from self._follow(path, pivots=STRIDE)
                if path.status == pivoting.PAUSED:
                    running.append(path)
            if not running:
                return

    def _follow(self, path: Path | IntegerPath, pivots: int | None = None) -> Search:
        """Follow one label, or some pivots of it."""
        until = None if pivots is None else path.pivots + pivots
        while path.status == pivoting.PAUSED and (until is None or path.pivots < until):
            before = path.pivots
            yield from aside(f"label {path.label + 1}", partial(path.go_on, until))
            self.pivots += path.pivots - before
            if path.status == pivoting.PAUSED:
                yield f"label {path.label + 1}, {self.pivots:,} pivots"
        if path.status != pivoting.DONE:
            return
        end = yield from aside("solving for the last basis", path.end)
        if end is not None and self.game.is_equilibrium(end):
            self.ends.append((path.label, end))
            yield end

    def details(self) -> dict[str, Any]:
        told = super().details()
        if self.found:
            told["pivots"] = self.pivots
            different = list(self.distinct())
            told["labels"] = {
                str(label + 1): 1 + next(k for k, one in enumerate(different) if one.near(end))
                for label, end in sorted(self.ends, key=lambda pair: pair[0])
            }
        return told


class Path:
    """The path of one missing label, in floating point."""

    def __init__(self, first: Tableaux, copies: Tableaux, label: int) -> None:
        self.label = label
        self.start = first
        self.tableaux = copies
        n, m = (len(tableau) for tableau in first)
        self.bases: tuple[Ints, Ints] = (m + np.arange(n), np.arange(m))
        self.state = np.array([label, label, 0 if label < m else 1, 0])
        self.status = pivoting.PAUSED
        self._at_once = 1.0  # pivots in a slice

    @property
    def pivots(self) -> int:
        """Pivots made so far."""
        return int(self.state[3])

    def go_on(self, until: int | None = None) -> None:
        """Follow the path for some time, or for this many pivots."""
        before = time.perf_counter()
        most = int(self._at_once) if until is None else min(int(self._at_once), until - self.pivots)
        workspace = np.empty(sum(map(len, self.bases)), np.int64)
        self.status = pivoting.lemke_howson(
            *self.tableaux, *self.bases, self.state, most, workspace
        )
        spent = (time.perf_counter() - before) / most
        self._at_once = max(1.0, min(8 * self._at_once, SLICE_S / max(spent, 1e-9)))

    def end(self) -> Pair | None:
        """The equilibrium at its end, computed from the basis so that pivots leave no error; None
        if rounding is too large for that."""
        m = len(self.bases[1])
        vectors = []
        for whole, basis in zip(self.start, self.bases, strict=True):
            values = np.zeros(whole.shape[1] - 1)
            try:
                values[basis] = np.linalg.solve(whole[:, basis], whole[:, -1])
            except np.linalg.LinAlgError:
                return None
            vectors.append(values)
        x, y = np.maximum(vectors[0][:m], 0.0), np.maximum(vectors[1][m:], 0.0)
        return pair_of(x, y) if x.any() and y.any() else None


def path_of(first: Tableaux, label: int) -> Generator[str, None, Path]:
    """The path of a label; large tableaux are copied in slices."""
    copies = (np.empty_like(first[0]), np.empty_like(first[1]))
    for table, copy in zip(first, copies, strict=True):
        for here in _slices(len(table)):
            copy[here] = table[here]
            if here.stop < len(table):
                yield f"copying tableaux, {here.stop:,} rows"
    return Path(first, copies, label)


def tableaux(game: Bimatrix) -> Generator[str, None, Tableaux]:
    """[B' I 1] with a row per column of the game, and [I A 1] with a row per row; payoffs are
    from 1 to 2."""
    m, n = game.A.shape
    made = np.zeros((n, m + n + 1)), np.zeros((m, m + n + 1))
    for table, payoffs, at, unit in zip(made, (game.B.T, game.A), (0, m), (m, 0), strict=True):
        rows, columns = payoffs.shape
        low, spread = float(payoffs.min()), float(np.ptp(payoffs)) or 1.0
        for here in _slices(rows):
            table[here, at : at + columns] = (payoffs[here] - low) / spread + 1.0
            if here.stop < rows:
                yield f"building tableaux, {here.stop:,} rows"
        table[np.arange(rows), unit + np.arange(rows)] = 1.0
        table[:, -1] = 1.0
    return made


def _slices(rows: int) -> list[slice]:
    return [slice(at, min(at + AT_ONCE, rows)) for at in range(0, rows, AT_ONCE)]
