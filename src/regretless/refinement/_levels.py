"""Levels of a game: its decision points by the number of moves before them.

The first level is the first decision of the game, whoever takes it. Chance moves count as moves,
so that in poker a level never mixes bettings of different lengths on one board."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Ints
from regretless.core.errors import Unsuitable, whole
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.sequence import SequenceForm
from regretless.forms.tree import point_of_sequences
from regretless.strategy.strategy import Strategy


def explicit(blueprint: Strategy, name: str) -> SequenceForm:
    """The sequence form of a blueprint's game, with sequences numbered alike."""
    form = blueprint.form
    if form.players != 2 or not form.zero_sum:
        has = f"{form.players} players" if form.players != 2 else "payoffs that are not zero-sum"
        raise Unsuitable(
            f"refinement {name} is for two-player zero-sum games: {form.spec} has {has}"
        )
    if isinstance(form, PublicForm):
        return form.expanded()
    if not isinstance(form, SequenceForm):
        raise Unsuitable(f"refinement {name} needs a sequence form or a public form")
    return form


def levels_of(form: SequenceForm) -> Ints:
    """[decision point, all players] its level, from 1."""
    owners = point_of_sequences(form.plex)
    depths = np.full(len(form.plex.parents), -1, dtype=np.int64)
    for plex, root in zip(form.treeplexes, form.plex.roots, strict=False):
        if len(plex.depths) == len(plex.labels):  # otherwise unknown
            firsts = [int(root + sequences[0]) for sequences in plex.sequences]
            depths[owners[firsts]] = plex.depths
    if (depths < 0).any():
        raise Unsuitable(f"{form.spec}: this form does not know in which order players move")
    _, found = np.unique(depths, return_inverse=True)
    return found.astype(np.int64) + 1


def owners_of(form: Form) -> Ints:
    """[decision point] whose it is."""
    counts = form.sizes.decision_points
    return np.repeat(np.arange(form.players), counts)


def level_limit(wanted: int | None, count: int) -> int:
    """The last level above the depth limit: as wanted, or at two thirds of the game."""
    if wanted is None:
        return max(1, 2 * count // 3)
    whole("levels", wanted, 1, count)
    return wanted
