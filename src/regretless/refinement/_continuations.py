"""Strategies that a player may go on with below a depth limit.

Brown, Sandholm & Amos 2018: the blueprint, and the blueprint biased towards folding, calling or
raising: these actions are taken ten times as often, and probabilities are then scaled to sum
to 1. In games without these words the bias is towards the first, the second, … action."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import number, within
from regretless.forms.form import behaviour_of
from regretless.forms.sequence import SequenceForm

WORDS = {
    "fold": "fold",
    "check": "call",
    "call": "call",
    "bet": "raise",
    "raise": "raise",
    "all-in": "raise",
}
MOST = 1e6  # of a bias


def biased(form: SequenceForm, blueprint: Floats, bias: float) -> dict[str, Floats]:
    """The blueprint and its biased versions, by name; they are behaviours of all players."""
    within("bias", number("bias", bias), 1, MOST)
    found = {"blueprint": blueprint}
    for name, chosen in _kinds(form).items():
        weights = np.where(chosen, bias, 1.0) * blueprint
        weights[form.plex.roots[:-1]] = 1.0
        found[name] = behaviour_of(form, weights)
    return found


def _kinds(form: SequenceForm) -> dict[str, np.ndarray]:
    """[sequence] whether its last action is of a kind, by the name of the kind."""
    names = [_action_names(form, player) for player in range(form.players)]
    flat = np.concatenate(names)
    words = np.array([WORDS.get(str(name).split(" ")[0].lower(), "") for name in flat])
    if all(word for word, name in zip(words, flat, strict=True) if name):
        return {f"{kind} more": words == kind for kind in dict.fromkeys(WORDS.values())}
    places = _places(form)
    return {f"action {k + 1} more": places == k for k in range(int(places.max()) + 1)}


def _action_names(form: SequenceForm, player: int) -> np.ndarray:
    plex = form.treeplexes[player]
    found = np.full(plex.size, "", dtype=object)
    for actions, sequences in zip(plex.actions, plex.sequences, strict=True):
        found[sequences] = actions
    return found


def _places(form: SequenceForm) -> Ints:
    """[sequence] the place of its last action among those of its decision point; -1: none."""
    found = np.full(int(form.plex.roots[-1]), -1, dtype=np.int64)
    for first, actions, lanes, _ in form.plex.blocks:
        found[first : first + actions * lanes] = np.repeat(np.arange(actions), lanes)
    return found
