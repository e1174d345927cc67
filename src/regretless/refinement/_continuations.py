"""Continuation strategies that a player may choose below a depth limit.

Brown, Sandholm & Amos 2018: the blueprint, and the blueprint biased towards folding, calling or
raising: these actions are weighted tenfold, and probabilities are then scaled to sum
to 1. In games without these actions the bias is towards the first, the second, … action."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from regretless.core.arrays import Floats, Ints
from regretless.core.errors import number, within
from regretless.forms.form import Form, behaviour_of
from regretless.forms.public import PublicForm

WORDS = {
    "fold": "fold",
    "check": "call",
    "call": "call",
    "bet": "raise",
    "raise": "raise",
    "all-in": "raise",
}
MOST = 1e6  # the largest bias


def biased(form: Form, blueprint: Floats, bias: float) -> dict[str, Floats]:
    """The blueprint and its biased versions, by name; they are behaviours of all players."""
    within("bias", number("bias", bias), 1, MOST)
    continuations = {"blueprint": blueprint}
    for name, chosen in _kinds(form).items():
        weights = np.where(chosen, bias, 1.0) * blueprint
        weights[form.plex.roots[:-1]] = 1.0
        continuations[name] = behaviour_of(form, weights)
    return continuations


def _kinds(form: Form) -> dict[str, np.ndarray]:
    """[sequence] whether its last action is of a kind, by the name of the kind."""
    names = _public_names(form) if isinstance(form, PublicForm) else _names(form)
    words = np.array([WORDS.get(name.split(" ")[0].lower(), "") for name in names.known])
    if all(words):
        words = np.append(words, "")[names.of]
        return {f"{kind} more": words == kind for kind in dict.fromkeys(WORDS.values())}
    places = _places(form)
    return {f"action {k + 1} more": places == k for k in range(int(places.max()) + 1)}


class Names(NamedTuple):
    """Names of actions, and [sequence] the name of its last action; -1: none."""

    known: list[str]
    of: Ints


def _names(form: Form) -> Names:
    number: dict[str, int] = {}
    names = np.full(int(form.plex.roots[-1]), -1, dtype=np.int64)
    for plex, root in zip(form.treeplexes, form.plex.roots, strict=False):
        for actions, sequences in zip(plex.actions, plex.sequences, strict=True):
            names[root + sequences] = [number.setdefault(name, len(number)) for name in actions]
    return Names(list(number), names)


def _public_names(form: PublicForm) -> Names:
    """The same without labels. All lines of betting to a node of a stage have its actions."""
    number: dict[str, int] = {}
    layout = form.layout
    names = np.full(int(layout.roots[-1]), -1, dtype=np.int64)
    for player in range(form.players):
        for item, n, start, actions in form.lookup.decisions(player):
            node = layout.stages[int(layout.items[item].stage)].nodes[n]
            lanes = layout.widths(item, player)
            moves = [number.setdefault(m.name, len(number)) for m in node.bettings[0].choices]
            names[start : start + actions * lanes] = np.repeat(moves, lanes)
    return Names(list(number), names)


def _places(form: Form) -> Ints:
    """[sequence] the place of its last action among those of its decision point; -1: none."""
    places = np.full(int(form.plex.roots[-1]), -1, dtype=np.int64)
    for first, actions, lanes, _ in form.plex.blocks:
        places[first : first + actions * lanes] = np.repeat(np.arange(actions), lanes)
    return places
