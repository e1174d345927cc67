"""Stages: decisions of any number of players that end in one of several outcomes.

A stage does not know what an outcome is worth, because that changes: in a stochastic game it
depends on what comes next. `chances` are linear in what it is worth, so that the gradient of a
player is `utility[:, player] @ stage.chances(player, plan)`; `paying` is the stage as an
ordinary form, for any solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput
from regretless.forms.form import Form, own
from regretless.forms.sequence import SequenceForm, is_zero_sum, table
from regretless.forms.treeplex import Treeplex
from regretless.kernels.treeplex import Plex


class StageForm(Protocol):
    """Decisions that end in one of several outcomes. Frozen once built."""

    @property
    def players(self) -> int: ...
    @property
    def treeplexes(self) -> tuple[Treeplex, ...]: ...
    @property
    def plex(self) -> Plex: ...
    @property
    def outcomes(self) -> int: ...

    def chances(self, player: int, plan: Floats) -> Floats:
        """[outcome, own sequence] the chance to end there, by the others' plans and chance.

        An outcome is counted at the last sequence that the player has before it; rows of two
        plans add up to the chance of the outcome: chances(i, plan) @ plan[own(i)]."""

    def paying(self, utility: Floats) -> Form:
        """The form whose outcome o is worth utility[o, player]."""

    def averages(self, plan: Floats) -> Averages:
        """Averages that begin with this plan of all players."""


class Averages(Protocol):
    """The average plans of fictitious play, and what they lead to.

    A stage whose `chances` take long can keep products of the averages and update them by what
    has changed: a best response differs from the one before in a few sequences."""

    plan: Floats  # of all players

    def move(self, player: int, response: Floats, step: float) -> None:
        """Move the player's average by this share of the way to a plan of its own sequences."""

    def chances(self, player: int) -> Floats:
        """Of the stage, against these averages."""


class PlainAverages:
    """Averages that ask the stage every time."""

    def __init__(self, stage: StageForm, plan: Floats) -> None:
        self.stage, self.plan = stage, plan.copy()

    def move(self, player: int, response: Floats, step: float) -> None:
        mine = self.plan[own_sequences(self.stage, player)]
        mine += step * (response - mine)

    def chances(self, player: int) -> Floats:
        return self.stage.chances(player, self.plan)


@dataclass(frozen=True, eq=False)
class SequenceStage:
    """The terminals of a sequence form, by outcome."""

    form: SequenceForm
    numbers: Ints  # [terminal] its outcome
    outcomes: int

    @property
    def players(self) -> int:
        return self.form.players

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        return self.form.treeplexes

    @property
    def plex(self) -> Plex:
        return self.form.plex

    @cached_property
    def _others(self) -> list[Ints]:
        """[player][terminal, other player] sequences."""
        every = self.form.sequences.astype(np.int64)
        return [np.delete(every, player, axis=1) for player in range(self.players)]

    @cached_property
    def _cells(self) -> list[Ints]:
        """[player][terminal] outcome and own sequence, as one number."""
        found = []
        for player in range(self.players):
            mine = own(self.form, player)
            found.append(
                self.numbers * (mine.stop - mine.start)
                + self.form.sequences[:, player]
                - mine.start
            )
        return found

    def chances(self, player: int, plan: Floats) -> Floats:
        reach = self.form.chance * plan[self._others[player]].prod(axis=1)
        size = self.form.treeplexes[player].size
        summed = np.bincount(self._cells[player], reach, self.outcomes * size)
        return np.asarray(summed.reshape(self.outcomes, size), dtype=np.float64)

    def paying(self, utility: Floats) -> SequenceForm:
        form, payoffs = self.form, utility[self.numbers]
        made = table(form.sequences, form.chance[:, None] * payoffs)
        return replace(form, payoffs=payoffs, table=made, zero_sum=is_zero_sum(payoffs), game=None)

    def averages(self, plan: Floats) -> Averages:
        return PlainAverages(self, plan)


def sequence_stage(
    form: SequenceForm, numbers: Sequence[int] | Ints | None = None
) -> SequenceStage:
    """A stage from a sequence form; `numbers[terminal]` are its outcomes, by default all
    different."""
    if numbers is None:
        numbers = np.arange(form.terminals)
    made = np.asarray(numbers, dtype=np.int64)
    if made.shape != (form.terminals,) or (made < 0).any():
        raise BadInput(f"outcomes: must be {form.terminals} numbers from 0, one per terminal")
    return SequenceStage(form, made, int(made.max()) + 1)


def own_sequences(stage: StageForm, player: int) -> slice:
    """The player's part of a vector of sequences."""
    return slice(int(stage.plex.roots[player]), int(stage.plex.roots[player + 1]))
