"""Two-player games as a pair of matrices, and the check for an equilibrium of them.

Rows and columns are the pure strategies of the reduced normal form; for a game given in
normal form, they are its actions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsolved
from regretless.forms.form import Form
from regretless.forms.sequence import SequenceForm
from regretless.solvers._exact import ExactSolver, Work
from regretless.solvers._needs import (
    TWO_PLAYERS,
    explicit_form,
    pure_strategies,
    require_normal_form,
)

AT_ONCE = 256  # rows of the normal form
EQUAL = 1e-9  # times the range of payoffs: regrets below this are rounding
NEAR = 1e-7  # equilibria whose probabilities differ by less are the same
TABLES = (
    6  # copies of a matrix held at a time: both players, normalised, and as a kernel reads them
)


class Pair(NamedTuple):
    """Mixed strategies of both players."""

    x: Floats
    y: Floats

    def near(self, other: Pair) -> bool:
        """Whether two pairs are the same up to rounding."""
        parts = zip(self, other, strict=True)
        return all(bool(np.abs(mine - theirs).max() <= NEAR) for mine, theirs in parts)


Search: TypeAlias = Generator[
    str | Pair, None, None
]  # progress texts and equilibria, as they are found


class Bimatrix(NamedTuple):
    """Payoffs of the row player and of the column player, [row, column]."""

    A: Floats
    B: Floats

    @property
    def spread(self) -> float:
        """The range of payoffs, by which tolerances are scaled."""
        return max(float(np.ptp(self.A)), float(np.ptp(self.B)), 1e-300)

    def normalised(self) -> Bimatrix:
        """The same game with payoffs from 0 to 1; constant ones become 0."""
        return Bimatrix(*((table - table.min()) / (float(np.ptp(table)) or 1.0) for table in self))

    def regret(self, pair: Pair) -> float:
        """The larger of the two players' regrets."""
        rows, columns = self.A @ pair.y, pair.x @ self.B
        return max(
            float(rows.max() - pair.x @ rows),
            float(columns.max() - columns @ pair.y),
        )

    def is_equilibrium(self, pair: Pair) -> bool:
        """Whether no player gains more than rounding."""
        return bool(np.isfinite(pair.x).all() and np.isfinite(pair.y).all()) and (
            self.regret(pair) <= EQUAL * self.spread
        )


def pair_of(x: Floats, y: Floats) -> Pair:
    """Mixed strategies from vectors that are non-negative up to rounding."""
    x, y = np.maximum(x, 0.0), np.maximum(y, 0.0)
    return Pair(x / x.sum(), y / y.sum())


class BimatrixSolver(ExactSolver):
    """Searches for equilibria of the normal form; the first one found is the answer."""

    needs = (TWO_PLAYERS,)

    def __init__(self, form: Form) -> None:
        self.explicit: SequenceForm = explicit_form(self, form)
        require_normal_form(self.explicit, self.table_bytes)
        super().__init__(form)
        self.found: list[Pair] = []

    @staticmethod
    def table_bytes(rows: int, columns: int) -> int:
        """Memory for everything made of the matrices, given the numbers of pure strategies."""
        return 8 * TABLES * rows * columns

    @cached_property
    def pure(self) -> tuple[Floats, Floats]:
        """Plans of the pure strategies of both players."""
        first, second = pure_strategies(self.explicit)
        return first, second

    @cached_property
    def game(self) -> Bimatrix:
        """The payoffs of the normal form; a run computes them in slices."""
        for _ in self._compute():
            pass
        return self.game

    def _compute(self) -> Generator[str, None, None]:
        rows, columns = self.pure
        shape = len(rows), len(columns)
        game = Bimatrix(np.empty(shape), np.empty(shape))
        for player, table in enumerate(game):
            earned = self.explicit.matrix(player) @ columns.T
            for start in range(0, len(rows), AT_ONCE):
                here = slice(start, start + AT_ONCE)
                np.matmul(rows[here], earned, out=table[here])
                if here.stop < len(rows):
                    yield f"{here.stop:,} rows of the normal form"
        self.game = game

    @abstractmethod
    def search(self) -> Search:
        """Yield progress texts and equilibria (pairs), in the order in which they are found."""

    def more(self) -> bool:
        """Whether to keep searching after the first equilibrium."""
        return False

    def solve(self) -> Work:
        self.found = []
        if "game" not in vars(self):
            yield from self._compute()
        for event in self.search():
            if isinstance(event, str):
                yield event
                continue
            if not self.game.is_equilibrium(event):
                continue  # an artefact of rounding: the matrices as given decide
            self.found.append(event)
            if not self.more():
                break
        if not self.found:
            raise Unsolved(self.failure())
        return self.plans(self.chosen())

    def chosen(self) -> Pair:
        """The answer, among the equilibria found."""
        return self.found[0]

    def failure(self) -> str:
        """Why no equilibrium was found."""
        return "no equilibrium passed the check of its regrets: rounding is too large"

    def plans(self, pair: Pair) -> Floats:
        """Realization plans of mixed strategies."""
        rows, columns = self.pure
        return np.concatenate([pair.x @ rows, pair.y @ columns])

    def distinct(self) -> list[Pair]:
        """The equilibria found, each once."""
        different: list[Pair] = []
        for pair in self.found:
            if not any(pair.near(other) for other in different):
                different.append(pair)
        return different

    def details(self) -> dict[str, Any]:
        if not self.found:
            return {}
        answer = self.chosen()
        return {
            "pure_strategies": list(self.game.A.shape),
            "support_sizes": [int(np.count_nonzero(part)) for part in answer],
            "equilibria": len(self.distinct()),
        }

    def remarks(self) -> list[tuple[str, str]]:
        told = self.details()
        if not told:
            return []
        rows, columns = told["pure_strategies"]
        x, y = told["support_sizes"]
        lines = [("normal form", f"{rows:,} × {columns:,}, supports of {x} and {y}")]
        if self.more():
            lines.append(("equilibria", f"{told['equilibria']} found, the first is shown"))
        return lines
