"""Levels of a game: its decision points by the number of moves before them.

The first level is the first decision of the game, by either player. Chance moves count as moves,
so that in poker a level never mixes bettings of different lengths on one board."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Ints
from regretless.core.errors import Unsuitable, whole
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.public_expansion import expanded_terminals
from regretless.forms.reduced import Whole
from regretless.forms.tree import point_of_sequences
from regretless.strategy.strategy import Strategy

MOST_LISTED = 5_000_000  # terminals: 40 bytes each, and many times that while they are multiplied


def whole_game(blueprint: Strategy, name: str, *, listed: bool = False) -> Whole:
    """The game of a blueprint, with the same sequence numbers: enumerated if small enough.

    `listed`: refuse a game that is not."""
    form = blueprint.form
    if form.players != 2 or not form.zero_sum:
        has = f"{form.players} players" if form.players != 2 else "payoffs that are not zero-sum"
        raise Unsuitable(
            f"refinement {name} is for two-player zero-sum games: {form.spec} has {has}"
        )
    if isinstance(form, PublicForm):
        _require_plain(form, name)
        if listed or expanded_terminals(form.layout) <= MOST_LISTED:
            return Whole(form.expanded())
    return Whole(form)


def _require_plain(form: PublicForm, name: str) -> None:
    if any(cell is not None for cell in form.layout.cells):
        raise Unsuitable(
            f"refinement {name}: {form.spec} is an abstraction with imperfect recall; "
            "refine the lifted strategy"
        )
    if form.layout.locks or form.leaves is not None or form.game is None or form.game.spot:
        raise Unsuitable(f"refinement {name}: {form.spec} is a spot, or has locks or leaves")


def levels_of(form: Form) -> Ints:
    """[decision point, all players] its level, from 1."""
    depths = _public_depths(form) if isinstance(form, PublicForm) else _walked_depths(form)
    _, levels = np.unique(depths, return_inverse=True)
    return levels.astype(np.int64) + 1


def _walked_depths(form: Form) -> Ints:
    owners = point_of_sequences(form.plex)
    depths = np.full(len(form.plex.parents), -1, dtype=np.int64)
    for plex, root in zip(form.treeplexes, form.plex.roots, strict=False):
        if len(plex.depths) == len(plex.labels):  # otherwise unknown
            firsts = [int(root + sequences[0]) for sequences in plex.sequences]
            depths[owners[firsts]] = plex.depths
    if (depths < 0).any():
        raise Unsuitable(f"{form.spec}: the order of moves is not known in this form")
    return depths


def _public_depths(form: PublicForm) -> Ints:
    """The same without labels: there may be millions."""
    layout, depths = form.layout, [np.empty(0, np.int64)]
    for player in range(form.players):
        for item, n, _, _ in form.lookup.decisions(player):
            stage = layout.stages[int(layout.items[item].stage)]
            dealt = sum(count > 0 for count in layout.deck.rules.board[: stage.round + 1])
            here = np.empty(layout.widths(item, player), dtype=np.int64)
            moves = [sum(map(str.isalpha, b.history)) for b in stage.nodes[n].bettings]
            layout.grid(here, item)[:] = dealt + np.array(moves)
            depths.append(here)
    return np.concatenate(depths)


def owners_of(form: Form) -> Ints:
    """[decision point] its player."""
    return np.repeat(np.arange(form.players), form.sizes.decision_points)


def level_limit(wanted: int | None, count: int) -> int:
    """The last level above the depth limit: as given, or at two thirds of the game."""
    if wanted is None:
        return max(1, 2 * count // 3)
    whole("levels", wanted, 1, count)
    return wanted
