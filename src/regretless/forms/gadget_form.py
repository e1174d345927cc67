"""A public form behind a choice of the rival: enter with a hand, or take what it is offered.

The gadget of safe re-solving (Burch, Johanson & Bowling 2014), without listing the game. A player
who solves such a form leaves the rival no hand that earns more by entering, as far as that is
possible. If a hand is offered what its best response to a blueprint earns, the result is no worse
than the blueprint against any rival.

The choice is learned beside the sweep, by regret matching+: before an iteration the rival's range
is multiplied by the probabilities of entering, and afterwards what its hands have earned is
compared with the offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import Unsuitable
from regretless.forms.public import PublicForm
from regretless.forms.public_chances import (
    actual_hands,
    compatible_ways,
    hand_numbers,
    lane_chances,
)
from regretless.kernels.public_arrays import Baselines


@dataclass(eq=False)
class GadgetChoice:
    """What the rival has learned about its choice; lanes are those of the first round."""

    rival: int
    offers: Floats  # [lane] times the probability of a deal with this hand
    enter: Floats = field(init=False)  # [lane] regrets
    take: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.enter, self.take = np.zeros_like(self.offers), np.zeros_like(self.offers)

    @property
    def entering(self) -> Floats:
        """[lane] probability of entering."""
        total = self.enter + self.take
        return np.where(total > 0, self.enter / np.where(total > 0, total, 1.0), 0.5)

    def observe(self, earned: Floats) -> None:
        """Learn from what every hand would have earned by entering."""
        chosen = self.entering
        mean = chosen * earned + (1 - chosen) * self.offers
        self.enter = np.maximum(self.enter + earned - mean, 0.0)
        self.take = np.maximum(self.take + self.offers - mean, 0.0)


@dataclass(frozen=True, eq=False, repr=False)
class GadgetForm(PublicForm):
    """A public form whose sweeps begin with the rival's choice; values and best responses are those
    without it. The gadget learns: it belongs to the caller, as a learner's memory does."""

    gadget: GadgetChoice = field(kw_only=True)

    def sweep(
        self,
        learner: Any,
        memory: Any,
        weights: Floats,
        simultaneous: bool,
        sites: Mapping[int, float] | None = None,
        baselines: Baselines | None = None,
    ) -> None:
        gadget, rival = self.gadget, self.gadget.rival
        sweeper = self._sweeper(self.real)
        ((site, places),) = sweeper.roots
        mine = self.layout.site_sides[site, rival]
        with sweeper.lock:  # nobody else may see the range that the rival enters with
            reach = sweeper.tree.side.weight[mine.lane : mine.lane + mine.hands]
            given = reach.copy()
            try:
                for row in weights:
                    reach[:] = given * gadget.entering
                    super().sweep(learner, memory, row[None], simultaneous, sites, baselines)
                    gadget.observe(sweeper.shared.kept[0, places[rival]].astype(np.float64))
            finally:
                reach[:] = given


def with_gadget(form: PublicForm, rival: int, offers: Floats) -> GadgetForm:
    """The form behind a choice of the rival, who is offered chips for every hand of the deck."""
    layout = form.layout
    if layout.players != 2 or not layout.root.boards or not layout.deck.weights:
        raise Unsuitable(f"game {form.spec}: a gadget needs two players, a board and ranges")
    if layout.is_shared or any(cells is not None for cells in layout.cells):
        raise Unsuitable(
            f"game {form.spec}: a gadget needs ranges that differ, and no shared cells"
        )
    mass = lane_mass(form, rival)
    gadget = GadgetChoice(rival, mass * offers[root_hands(form, rival)])
    return GadgetForm(
        form.spec,
        form.players,
        layout,
        form.terminal,
        form.threads,
        form.precision,
        form.leaves,
        gadget=gadget,
    )


def root_hands(form: PublicForm, player: int) -> Ints:
    """[lane of the first round] the number of its hand, or of one of them if suits are renamed."""
    layout = form.layout
    return hand_numbers(layout.level(player, layout.first).hands, layout.deck.kinds)


def lane_mass(form: PublicForm, player: int) -> Floats:
    """[lane of the first round] the probability of a deal with this hand, on a given board."""
    layout, rival = form.layout, 1 - player
    mine, theirs = (layout.level(side, layout.first) for side in (player, rival))
    weights = layout.deck.weights[rival][root_hands(form, rival)]
    mass: Floats = lane_chances(layout)[player][: len(mine.counts)] * (
        compatible_ways(mine, theirs, 0) @ weights
    )
    return mass


def hand_values(form: PublicForm, player: int, behaviour: Floats) -> tuple[Floats, Floats]:
    """[hand of the deck] chips that a hand earns from the root on as played, and by its best
    response; nan for hands that cannot be held."""
    layout, mass = form.layout, lane_mass(form, player)
    values = form.root_values(player, behaviour)
    values = np.where(mass > 0, values / np.where(mass > 0, mass, 1), 0)
    hands, lanes = actual_hands(layout.level(player, layout.first), 0)
    by_hand = np.full((2, len(layout.deck.hands)), np.nan)
    by_hand[:, hand_numbers(np.sort(hands, axis=1), layout.deck.kinds)] = values[:, lanes]
    return by_hand[0], by_hand[1]
