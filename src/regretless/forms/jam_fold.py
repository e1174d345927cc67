"""Jam or fold as a form: 169 classes of hands, outcomes that are final stacks.

A stage, because what final stacks are worth is given by a utility: `paying(utility)` is the game
for solvers, and costs next to nothing. Every player acts at most once, so all its decision
points lie below the empty sequence, in one block: [action][history][class]."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from regretless.cards.orders import MOST_IN
from regretless.cards.showdowns import Showdowns
from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, within
from regretless.forms.form import own, require_kernel_arguments
from regretless.forms.gradient_form import GradientForm
from regretless.forms.jam_fold_averages import Part, ThreeHandAverages, parts
from regretless.forms.sequence import is_zero_sum, joined
from regretless.forms.showdown_chances import EndingChances, ending_chances
from regretless.forms.stage import Averages, PlainAverages
from regretless.forms.treeplex import PointList, Treeplex
from regretless.games._jam_fold import ACTIONS, JamFold
from regretless.games._state import Game, Sizes
from regretless.kernels.treeplex import Plex

Utility = Callable[[Floats], Floats]  # [outcome, player] final stacks → what they are worth


@dataclass(frozen=True, eq=False)
class JamFoldStage:
    """Decisions of a jam/fold game and the chances of its outcomes."""

    rules: JamFold
    showdowns: Showdowns
    treeplexes: tuple[Treeplex, ...]
    plex: Plex
    endings: EndingChances

    @property
    def players(self) -> int:
        return self.rules.players

    @property
    def outcomes(self) -> int:
        return len(self.rules.final_stacks)

    @property
    def final_stacks(self) -> Floats:
        """[outcome, player]"""
        return self.rules.final_stacks

    def own(self, player: int) -> slice:
        """The player's part of a vector of sequences."""
        return slice(int(self.plex.roots[player]), int(self.plex.roots[player + 1]))

    def chances(self, player: int, plan: Floats) -> Floats:
        """[outcome, own sequence] the chance to end there, by the others' plans and the cards.

        An outcome is counted at the last sequence that the player has before it."""
        return self.endings.against(player, self._reach(plan))

    def outcome_chances(self, plan: Floats) -> Floats:
        """[outcome] the chance to end there if all play like this."""
        found: Floats = self.chances(0, plan) @ plan[self.own(0)]
        return found

    def _reach(self, plan: Floats) -> list[Floats]:
        """[player][action, history, class] without the empty sequence."""
        shapes = [(len(ACTIONS), len(found), -1) for found in self.rules.decisions]
        return [
            plan[self.own(player)][1:].reshape(shape) if shape[1] else np.empty((2, 0, 0))
            for player, shape in enumerate(shapes)
        ]

    def averages(self, plan: Floats) -> Averages:
        """Averages that begin with this plan of all players."""
        return ThreeHandAverages(self, plan) if self.players == 3 else PlainAverages(self, plan)

    @cached_property
    def parts(self) -> list[list[Part]]:
        """[player][ending] how averages of three players make up chances."""
        return parts(self)

    def paying(self, utility: Utility | Floats) -> JamFoldForm:
        """The form in which final stacks are worth this: a function, or [outcome, player]."""
        worth = utility(self.final_stacks) if callable(utility) else utility
        worth = np.ascontiguousarray(worth, np.float64)
        if worth.shape != self.final_stacks.shape or not np.isfinite(worth).all():
            raise BadInput(
                f"utility of shape {worth.shape}: must be finite, "
                f"one number per outcome and player, {self.final_stacks.shape}"
            )
        return JamFoldForm(self, worth)


def jam_fold_stage(rules: JamFold, showdowns: Showdowns) -> JamFoldStage:
    """Lay out the decisions of a jam/fold game of two or three players."""
    within("players of a jam/fold game with exact card removal", rules.players, 2, MOST_IN)
    return laid_out_stage(rules, showdowns)


def laid_out_stage(rules: JamFold, showdowns: Showdowns) -> JamFoldStage:
    """The decisions of any number of players; chances are of up to three."""
    if rules.players > 2 and showdowns.triples is None:
        raise BadParameter("showdowns of two hands: three or more players need those of three")
    laid = [_laid_out(histories, showdowns.names).blocked() for histories in rules.decisions]
    plex = joined([(treeplex, blocks) for treeplex, blocks, _ in laid])
    treeplexes = tuple(treeplex for treeplex, _, _ in laid)
    return JamFoldStage(rules, showdowns, treeplexes, plex, ending_chances(rules, showdowns))


def jam_fold_form(
    rules: JamFold, showdowns: Showdowns, utility: Utility | Floats | None = None
) -> JamFoldForm:
    """A jam/fold game as a form; without a utility players are paid the chips that they win."""
    stage = jam_fold_stage(rules, showdowns)
    return stage.paying(chips_won(rules) if utility is None else utility)


def chips_won(rules: JamFold) -> Utility:
    """The utility of a cash game."""
    return lambda stacks: stacks - np.array(rules.stacks)


def _laid_out(histories: tuple[str, ...], names: tuple[str, ...]) -> PointList:
    labels = [f"{name}:{history}" for history in histories for name in names]
    count = len(labels)
    return PointList([0] * count, [ACTIONS] * count, labels, [0] * count)


@dataclass(frozen=True, eq=False)
class JamFoldForm(GradientForm):
    """A jam/fold game that solvers can read."""

    stage: JamFoldStage
    utility: Floats  # [outcome, player]

    def __repr__(self) -> str:
        return f"JamFoldForm({self.spec!r}, {self.stage.outcomes:,} outcomes)"

    @property
    def spec(self) -> str:
        rules = self.stage.rules
        return "jam-fold:" + ",".join(f"{stack:g}" for stack in rules.stacks)

    @property
    def game(self) -> Game | None:
        return None

    @property
    def players(self) -> int:
        return self.stage.players

    @property
    def treeplexes(self) -> tuple[Treeplex, ...]:
        return self.stage.treeplexes

    @property
    def plex(self) -> Plex:
        return self.stage.plex

    @cached_property
    def zero_sum(self) -> bool:
        return is_zero_sum(self.utility)

    @cached_property
    def largest_payoff(self) -> float:
        return float(np.abs(self.utility).max())

    @property
    def sizes(self) -> Sizes:
        rules, deals = self.stage.rules, self.stage.showdowns.classes**self.players
        points = tuple(len(treeplex.labels) for treeplex in self.treeplexes)
        betting = sum(map(len, rules.decisions)) + len(rules.endings)
        return Sizes(
            1 + deals * betting,
            deals * len(rules.endings),
            points,
            tuple(treeplex.size for treeplex in self.treeplexes),
        )

    @property
    def memory_bytes(self) -> int:
        return self.stage.endings.memory_bytes + 8 * 8 * int(self.plex.roots[-1])

    def paying(self, utility: Utility | Floats) -> JamFoldForm:
        """The same game with another utility."""
        return self.stage.paying(utility)

    def outcome_chances(self, plan: Floats) -> Floats:
        """[outcome] the chance to end there if all play like this."""
        return self.stage.outcome_chances(plan)

    def gradient(self, player: int, plan: Floats, out: Floats) -> None:
        require_kernel_arguments(self.plex.roots, player, plan, out)
        if self.players == 2:
            out[own(self, player)] = self._matrices[player] @ plan[own(self, 1 - player)]
        else:
            out[own(self, player)] = self.utility[:, player] @ self.stage.chances(player, plan)

    @cached_property
    def _matrices(self) -> list[Floats]:
        """Two players: [player][own sequence, sequence of the other] what the two earn it."""
        endings = self.stage.endings
        return [endings.matrix(player, self.utility[:, player]) for player in range(2)]

    def fingerprint(self) -> str:
        digest = hashlib.sha256(repr(self.stage.rules).encode())
        digest.update("\0".join(self.stage.showdowns.names).encode())
        digest.update(np.round(self.stage.showdowns.pairs, 12).tobytes())
        digest.update(np.round(self.utility + 0.0, 9).tobytes())
        return digest.hexdigest()[:32]
