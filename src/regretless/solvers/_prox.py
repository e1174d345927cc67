"""Dilated distances on a form: which kind, which weights, and steps with them."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.forms.form import Form, own, size
from regretless.kernels.prox import (
    ENTROPY,
    EUCLIDEAN,
    ROWS,
    Move,
    Prox,
    Scratch,
    distance,
    prox_step,
)
from regretless.kernels.treeplex import Plex, behaviour_to_plan, best_response

KINDS = {"entropy": ENTROPY, "euclidean": EUCLIDEAN}
WEIGHTS = ("hoda", "kroer")
NONE = np.empty(0)  # a plan that is not wanted
UNIFORM = np.empty(0)  # as a centre


class Dilated:
    """Prox steps on both players' treeplexes, with the workspace they need."""

    def __init__(self, form: Form, kind: str, weights: str) -> None:
        if kind not in KINDS:
            raise BadParameter(f"prox={kind}: must be {' or '.join(KINDS)}")
        if weights not in WEIGHTS:
            raise BadParameter(f"weights={weights}: must be {' or '.join(WEIGHTS)}")
        self.form = form
        found = np.empty(0) if weights == "hoda" else kroer_weights(form.plex)
        self.prox = Prox(KINDS[kind], found)
        lanes = int(form.plex.blocks[:, 2].max()) if len(form.plex.blocks) else 1
        self.scratch = Scratch(np.empty((ROWS, lanes)), np.empty(size(form)))

    def step(
        self,
        player: int,
        mu: float,
        gradient: Floats,
        centre: Floats,
        behaviour: Floats,
        plan: Floats = NONE,
    ) -> float:
        """Move `behaviour`, and its `plan` if there is one, to the maximum of
        <gradient, x> - mu D(x, centre), whose value is returned."""
        move = Move(centre, behaviour, plan)
        given = (self.form.plex, player, self.prox, mu, gradient)
        return float(prox_step(*given, move, self.scratch))

    def respond(
        self, player: int, mu: float, gradient: Floats, behaviour: Floats, plan: Floats = NONE
    ) -> float:
        """The smoothed best response, and its value."""
        return self.step(player, mu, gradient, UNIFORM, behaviour, plan)

    def best(self, player: int, gradient: Floats, behaviour: Floats) -> float:
        """The best response without smoothing, and its value."""
        mine = own(self.form, player)
        spent = self.scratch.spent
        spent[mine] = gradient[mine]
        return float(best_response(self.form.plex, player, spent, behaviour))

    def plan(self, player: int, behaviour: Floats, plan: Floats) -> None:
        """Write the realization plan of a player's behaviour."""
        behaviour_to_plan(self.form.plex, player, behaviour, plan)

    def distance(self, player: int, plan: Floats, behaviour: Floats, centre: Floats) -> float:
        """Distance D of a behaviour, given with its plan, from a centre."""
        given = (self.form.plex, player, self.prox, plan, behaviour, centre)
        return float(distance(*given))


def kroer_weights(plex: Plex) -> Floats:
    """β of Kroer, Waugh, Kılınç-Karzan & Sandholm 2018, Corollary 1.

    α_j is 1 plus the largest sum, over the actions of j, of 2 α of the decision points right
    below; β_j = 2 α_j, and α_j where nothing is above j. The dilated entropy is then strongly
    convex with modulus 1/M, where M is the largest sum of a plan. There is no further factor of M:
    every method here finds its own step sizes."""
    below = np.zeros(int(plex.roots[-1]))
    weights = np.empty(plex.parents.size)
    top = np.zeros(below.size, dtype=bool)
    top[plex.roots[:-1]] = True
    for first, actions, lanes, point in plex.blocks[::-1]:
        alpha = 1.0 + below[first : first + actions * lanes].reshape(actions, lanes).max(axis=0)
        parents = plex.parents[point : point + lanes]
        np.add.at(below, parents, 2.0 * alpha)
        weights[point : point + lanes] = np.where(top[parents], alpha, 2.0 * alpha)
    return weights


def inner(one: Floats, other: Floats) -> float:
    """The scalar product. Not by BLAS, whose sums depend on its number of threads."""
    return float(np.sum(one * other))
