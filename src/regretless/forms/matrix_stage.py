"""The stage in which all players choose at once: every combination of choices is an outcome."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.forms.sequence import joined, sequence_form
from regretless.forms.stage import Averages, PlainAverages
from regretless.forms.treeplex import PointList, Treeplex
from regretless.games._normal_form import VIEW, normal_form_game
from regretless.kernels.treeplex import Plex


@dataclass(frozen=True)
class MatrixStage:
    """Outcomes are the cells of the payoff table, the last player's choice running fastest."""

    actions: tuple[tuple[str, ...], ...]  # per player

    @property
    def players(self) -> int:
        return len(self.actions)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(map(len, self.actions))

    @property
    def outcomes(self) -> int:
        return prod(self.shape)

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        return self._layout[0]

    @property
    def plex(self) -> Plex:
        return self._layout[1]

    @cached_property
    def _layout(self) -> tuple[tuple[Treeplex, ...], Plex]:
        return _layout(self.actions)

    def chances(self, player: int, plan: Floats) -> Floats:
        reach = np.ones(1)
        for other, start in enumerate(self.plex.roots[:-1]):
            mixture = plan[start + 1 : self.plex.roots[other + 1]]
            mine = np.ones(len(mixture)) if other == player else mixture
            reach = np.multiply.outer(reach, mine)
        before, own, after = prod(self.shape[:player]), self.shape[player], self.shape[player + 1 :]
        cells = reach.reshape(before, own, prod(after))
        found = np.zeros((before, own, prod(after), 1 + own))
        each = np.arange(own)
        found[:, each, :, 1 + each] = cells.transpose(1, 0, 2)
        return found.reshape(self.outcomes, 1 + own)

    def paying(self, utility: Floats) -> Form:
        payoffs = utility.T.reshape(self.players, *self.shape)
        return sequence_form(normal_form_game("stage", payoffs, self.actions))

    def averages(self, plan: Floats) -> Averages:
        return PlainAverages(self, plan)


@lru_cache(maxsize=256)
def _layout(actions: tuple[tuple[str, ...], ...]) -> tuple[tuple[Treeplex, ...], Plex]:
    parts = [PointList([0], [names], [VIEW]).blocked() for names in actions]
    plex = joined([(treeplex, blocks) for treeplex, blocks, _ in parts])
    return tuple(treeplex for treeplex, _, _ in parts), plex
