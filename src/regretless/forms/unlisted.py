"""A reduced game without a table of payoffs: its gradients come from those of the whole game.

For public forms too large to enumerate. An iteration costs a sweep over the whole game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.forms.form import Form, own
from regretless.forms.gradient_form import GradientForm
from regretless.forms.treeplex import Treeplex
from regretless.games._state import Game, Sizes
from regretless.kernels.treeplex import Plex

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, eq=False)
class UnlistedForm(GradientForm):
    """With P[i] mapping player i's reduced plans to full ones, gradients are P[i]' ∇ of P[j] y."""

    whole: Form
    plex: Plex
    played_out: tuple[sparse.csr_matrix, ...]  # [player]
    spec: str
    players: int = 2
    zero_sum: bool = True
    game: Game | None = None

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        raise Unsuitable(f"{self.spec}: too large to list; use a method such as cfr+")

    @property
    def largest_payoff(self) -> float:
        return self.whole.largest_payoff

    @property
    def sizes(self) -> Sizes:
        ranges = self.plex.ranges
        points = [
            int(self.plex.blocks[ranges[i] : ranges[i + 1], 2].sum()) for i in range(self.players)
        ]
        return Sizes(0, 0, tuple(points), tuple(map(int, np.diff(self.plex.roots))))

    @property
    def memory_bytes(self) -> int:
        return sum(12 * matrix.nnz for matrix in self.played_out)

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        rival = 1 - player
        full, gradient = np.zeros((2, int(self.whole.plex.roots[-1])))
        full[own(self.whole, rival)] = self.played_out[rival] @ plan[own(self, rival)]
        self.whole.gradient(player, full, gradient)
        out[own(self, player)] = self.played_out[player].T @ gradient[own(self.whole, player)]

    def points(self, player: int) -> Any:
        raise Unsuitable(f"{self.spec}: its decision points have no labels")

    def find(self, player: int, label: str) -> None:
        return None

    def fingerprint(self) -> str:
        return f"{self.spec} {self.sizes.sequences}"
