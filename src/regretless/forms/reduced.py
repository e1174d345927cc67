"""A smaller game in which part of both players' behaviour is given.

At every decision point of the whole game the player decides freely, plays as given, or follows
one of several continuations: behaviours among which it chooses once, at the first such point it
reaches, with the information it has there. What is given is played out: with P[s, r] the
probability of a sequence s of the whole game once sequence r of the reduced game was chosen,
the reduced payoffs are P1' A P2. Depth-limited games (Brown, Sandholm & Amos 2018) and
subgames with the ranges that reach them are of this kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from regretless.core.arrays import Flags, Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.form import Form, own, plan_of, uniform
from regretless.forms.reduced_side import CHOICE, FREE, GIVEN, Continuations, Side
from regretless.forms.sequence import SequenceForm, joined, table
from regretless.forms.tree import point_of_sequences
from regretless.forms.unlisted import UnlistedForm

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["CHOICE", "FREE", "GIVEN", "Continuations", "Reduced", "Whole"]


class Whole:
    """The game to reduce, with the data that all its reductions share."""

    def __init__(self, form: Form) -> None:
        if form.players != 2 or not form.zero_sum:
            raise Unsuitable(f"{form.spec}: only two-player zero-sum games can be reduced")
        self.form = form
        self.owners = point_of_sequences(form.plex)

    @cached_property
    def _matrix(self) -> sparse.csr_matrix | None:
        """The payoffs of pairs of sequences to player 1, if terminals are listed."""
        return self.form.matrix() if isinstance(self.form, SequenceForm) else None

    def reduced(
        self, kinds: Ints, given: Floats, continuations: Sequence[Continuations]
    ) -> Reduced:
        """The game with decision points of these kinds; continuations are by player."""
        sides = [
            Side(self.form, self.owners, player, kinds, continuations[player])
            for player in range(2)
        ]
        form = (
            self._listed(sides, given) if self._matrix is not None else self._unlisted(sides, given)
        )
        free = tuple(side.free for side in sides)
        roots = form.plex.roots
        kept = tuple(roots[i] + side.above[side.free] for i, side in enumerate(sides))
        return Reduced(form, given, free, kept)

    def _listed(self, sides: list[Side], given: Floats) -> SequenceForm:
        first, second = (side.played_out(given) for side in sides)
        paid = (
            first.T @ self._matrix @ second
        ).tocoo()  # zeros are kept: they mark pairs that can be reached
        payoffs = np.stack([paid.data, -paid.data], axis=1)
        plex = joined([(side, side.blocks) for side in sides])
        sequences = np.stack([paid.row, paid.col + plex.roots[1]], axis=1).astype(np.int32)
        return SequenceForm(
            spec=f"{self.form.spec}, reduced",
            players=2,
            zero_sum=True,
            treeplexes=tuple(side.treeplex() for side in sides),
            plex=plex,
            nodes=paid.nnz,
            sequences=sequences,
            chance=np.ones(paid.nnz),
            payoffs=payoffs,
            table=table(sequences, payoffs),
        )

    def _unlisted(self, sides: list[Side], given: Floats) -> UnlistedForm:
        plex = joined([(side, side.blocks) for side in sides], f"{self.form.spec}, reduced,")
        played = tuple(side.played_out(given) for side in sides)
        return UnlistedForm(self.form, plex, played, f"{self.form.spec}, reduced")


@dataclass(frozen=True, eq=False)
class Reduced:
    """A reduced game, as a form that solvers can read."""

    form: SequenceForm | UnlistedForm
    given: Floats
    free: tuple[Ints, ...]  # [player] sequences of the whole game that are chosen freely
    kept: tuple[Ints, ...]  # [player] the same in the reduced game

    def extended(self, behaviour: Floats, player: int) -> Floats:
        """The given behaviour, with the player's free decisions from one of the reduced game.

        Decisions that are never reached, or at which nothing is at stake, stay as given."""
        live = self._live[self.kept[player]]
        whole = self.given.copy()
        whole[self.free[player][live]] = behaviour[self.kept[player][live]]
        return whole

    @cached_property
    def _live(self) -> Flags:
        """[reduced sequence] whether anything depends on its decision point."""
        plex = self.form.plex
        live = np.zeros(int(plex.roots[-1]), dtype=bool)
        if isinstance(self.form, SequenceForm):
            live[self.form.sequences.ravel()] = True
        else:
            plan, earned = plan_of(self.form, uniform(self.form)), np.zeros(live.size)
            for player in range(2):
                self.form.gradient(player, plan, earned)
                live[own(self.form, player)] = earned[own(self.form, player)] != 0
        for first, actions, lanes, point in plex.blocks[::-1]:
            lane = live[first : first + actions * lanes].reshape(actions, lanes)
            lane[:] = lane.any(axis=0)
            np.logical_or.at(live, plex.parents[point : point + lanes], lane[0])
        return live
