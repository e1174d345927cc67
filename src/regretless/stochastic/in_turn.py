"""Fictitious play of the model in which hands are dealt in turn, for up to nine players.

Pots of three hands take nearly all the time of a walk and hardly change what the first two do.
So the first to come in and their callers play many iterations with what follows them as it was;
then one walk of everything measures all gains, and overcalls move towards their best responses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.forms.dealt_in_turn import DealtInTurn
from regretless.forms.jam_fold import chips_won
from regretless.games._jam_fold import FOLD
from regretless.stochastic.inner import Watch, nobody_watches

RECENCY = 4.0  # response t counts t^4 times, as for three players
FIRST, EARLIER = 60, 20  # iterations between walks; what was there before counts as so many
RARE = 1e-4  # a class that jams less often folds, and the other way round
OVERCALLS_EARLIER = 0.5  # the same for overcalls, in walks


class Reached(NamedTuple):
    """The plan of all players, what it is worth to each, what each could gain, and walks."""

    plan: Floats
    values: Floats
    gains: Floats
    iterations: int
    chips: Floats  # [player] won on average


def play_in_turn(
    form: DealtInTurn, *, regret: float, most: int, watch: Watch = nobody_watches
) -> Reached:
    """Play until nobody could gain more than `regret`, for `most` walks, or until `watch` says so.

    `watch` is told the number of walks and the largest gain; what is returned was measured."""
    early, late = _sequences(form, second=False), _sequences(form, second=True)
    plan = np.ones(int(form.plex.roots[-1]))
    for one in (early, late):
        plan[one[1]] = 0.0
    walk, best = form.walked(plan), None
    for number in range(most):
        for t in range(FIRST):
            quick = form.walked(plan, walk.two_in)
            earlier = EARLIER if number else 0
            _move(plan, quick.gradient, early, (1 + RECENCY) / (t + 2 + earlier + RECENCY))
        for one in (early, late):
            _settle(plan, one)
        walk = form.walked(plan)
        gains = _gains(form, plan, walk.gradient)
        if best is None or gains.max() < best.gains.max():
            best = Reached(plan.copy(), np.array(walk.values), gains, number + 1, gains)
        if best.gains.max() <= regret or watch(number + 1, float(best.gains.max())):
            break
        step = (1 + RECENCY) / (number + 1 + OVERCALLS_EARLIER + RECENCY)
        _move(plan, walk.gradient, late, step)
    assert best is not None
    won = chips_won(form.stage.rules)(form.stage.final_stacks)
    chips = form.paying(won).walked(best.plan).values
    return best._replace(iterations=number + 1, chips=np.array(chips))


def _sequences(form: DealtInTurn, *, second: bool) -> tuple[Ints, Ints]:
    """Folding and jamming, before or after a second player is in."""
    chosen = [
        cells
        for history, cells in form.cells.items()
        if (len(history) - history.count(FOLD) > 1) == second
    ]
    every = np.arange(int(form.plex.roots[-1]))
    folds, jams = (
        np.concatenate([every[:0], *(every[cells[action]] for cells in chosen)])
        for action in range(2)
    )
    return folds, jams


def _move(plan: Floats, gradient: Floats, sequences: tuple[Ints, Ints], step: float) -> None:
    folds, jams = sequences
    plan[jams] += step * ((gradient[jams] > gradient[folds]) - plan[jams])
    plan[folds] = 1 - plan[jams]


def _settle(plan: Floats, sequences: tuple[Ints, Ints]) -> None:
    folds, jams = sequences
    mine = plan[jams]
    plan[jams] = np.where(mine < RARE, 0.0, np.where(mine > 1 - RARE, 1.0, mine))
    plan[folds] = 1 - plan[jams]


def _gains(form: DealtInTurn, plan: Floats, gradient: Floats) -> Floats:
    """[player] what a best response would add."""
    gains = np.zeros(form.players)
    for history, (fold, jam) in form.cells.items():
        best = np.maximum(gradient[fold], gradient[jam]).sum()
        gains[len(history)] += best - plan[fold] @ gradient[fold] - plan[jam] @ gradient[jam]
    return gains
