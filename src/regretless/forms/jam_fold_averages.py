"""Averages of fictitious play in a jam/fold game of three players, updated by what has changed.

A product of the table of three hands with a plan reads all of it. Here products are kept: `sums`
with the averages, `last` with the latest responses. Responses are pure and differ from the ones
before in a few hands, so that an iteration reads a few slices of the table. In single precision:
whoever checks asks the stage, which begins anew.

The table has three axes, whoever holds the hands. The first is summed out in the kept products,
for the jams of player 0 and for those of player 1; the second when chances are asked for."""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.forms.showdown_chances import JAMS, marginal, seats
from regretless.games._jam_fold import ACTIONS, Ending
from regretless.kernels.kept_products import add_slices, move_towards

if TYPE_CHECKING:
    from regretless.forms.jam_fold import JamFoldStage

Singles = npt.NDArray[np.float32]
Vectors = tuple[tuple[int, float], ...]  # 0 are ones, then jams by history; with signs


class Part(NamedTuple):
    """What one ending takes from the products with the hands of two players."""

    rows: slice  # its outcomes
    cells: slice  # the third player's own sequences, or its root
    terms: tuple[tuple[int, int, float], ...]  # kept product, vector of the second, sign
    marginal: Singles  # [order of three hands, order of the ending]


class ThreeHandAverages:
    """Running averages; `plan` are the averages of all players."""

    def __init__(self, stage: JamFoldStage, plan: Floats) -> None:
        self.stage, self.plan = stage, plan.copy()
        triples = stage.showdowns.triples
        assert triples is not None
        self.classes = len(triples)
        self.table = triples.reshape(self.classes, -1)
        jams = [self._jams(player, plan[stage.own(player)]) for player in (0, 1)]
        self.firsts = (1, 1 + len(jams[0]))  # of both players, in `sums`; 0 is the whole table
        self.responses = np.concatenate(jams)  # that `last` belongs to
        self.sums: Singles = np.zeros((1 + len(self.responses), self.table.shape[1]), np.float32)
        self.sums[0] = stage.showdowns.pairs_among_three.ravel()
        for total, own in zip(self.sums[1:], self.responses, strict=True):
            add_slices(self.table, own, total)
        self.last = self.sums[1:].copy()

    def move(self, player: int, response: Floats, step: float) -> None:
        mine = self.plan[self.stage.own(player)]
        mine += step * (response - mine)
        self.__dict__.pop("products", None)
        if player > 1:
            return
        for row, jams in enumerate(self._jams(player, response), start=self.firsts[player]):
            last = self.last[row - 1]
            add_slices(self.table, jams - self.responses[row - 1], last)
            self.responses[row - 1] = jams
            move_towards(self.sums[row], last, step)

    def chances(self, player: int) -> Floats:
        mine = self.stage.own(player)
        found = np.zeros((self.stage.outcomes, mine.stop - mine.start))
        products = self.products[1 if player == 2 else 2]
        for part in self.stage.parts[player]:
            met = sum(sign * products[row, vector] for row, vector, sign in part.terms)
            kept = (met @ part.marginal).T
            if part.cells.stop - part.cells.start == 1:
                kept = kept.sum(axis=1, keepdims=True)
            found[part.rows, part.cells] += kept
        return found

    @cached_property
    def products(self) -> dict[int, Singles]:
        """[second player][kept product, vector of the second] [class, order of three hands]"""
        found = {}
        for second in (1, 2):
            jams = self._jams(second, self.plan[self.stage.own(second)])
            vectors = np.concatenate([np.ones((1, self.classes)), jams]).astype(np.float32)
            rows = self.sums.reshape(len(self.sums), self.classes, -1)
            if second == 1:  # its own jams are summed out in the later ones
                rows = rows[: self.firsts[1]]
            found[second] = np.matmul(vectors, rows).reshape(
                len(rows), len(vectors), self.classes, -1
            )
        return found

    def _jams(self, player: int, plan: Floats) -> Floats:
        """[history, class] how often the player jams."""
        jams: Floats = plan[1:].reshape(len(ACTIONS), -1, self.classes)[JAMS]
        return jams


def parts(stage: JamFoldStage) -> list[list[Part]]:
    """[player][ending]"""
    rules, counts = stage.rules, [len(histories) for histories in stage.rules.decisions]
    found: list[list[Part]] = [[], [], []]
    row = 0
    for ending in rules.endings:
        rows = slice(row, row + len(ending.orders))
        row = rows.stop
        for player in range(3):
            first, second, _ = places = seats(3, player)
            shift = counts[0] if first == 1 else 0  # of its jams among the kept products
            terms = tuple(
                (one + (shift if one else 0), two, sign * other)
                for (one, sign), (two, other) in product(
                    _vectors(stage, ending, first), _vectors(stage, ending, second)
                )
            )
            inside = tuple(places.index(one) for one in ending.inside)
            narrow = marginal(inside, 3).astype(np.float32)
            cells = stage.endings.cells(ending, player)
            found[player].append(Part(rows, cells, terms, narrow))
    return found


def _vectors(stage: JamFoldStage, ending: Ending, player: int) -> Vectors:
    """How the player's own actions lead to an ending: ones, jams, or ones minus jams."""
    at = stage.endings.decision(ending, player)
    if at is None:
        return ((0, 1.0),)
    action, history = at
    jams = 1 + history
    return ((jams, 1.0),) if action == JAMS else ((0, 1.0), (jams, -1.0))
