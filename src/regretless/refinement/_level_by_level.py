"""Refinement level by level, as in three of the four methods of Carminati, Costa & Chinga 2020.

For every level of the game, and every player who decides there: the levels above are replaced by
chance, with the blueprint's reach; the player follows its blueprint below; only its decisions at
this level are re-solved. The methods differ in what the opponent may do below.

This is unsafe: the opponent cannot respond in levels above, which are fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

import numpy as np

from regretless.core.arrays import Flags, Floats, Ints
from regretless.core.errors import Interrupted
from regretless.core.interrupts import interrupted
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.reduced import GIVEN, Whole
from regretless.refinement._levels import levels_of, owners_of, whole_game
from regretless.strategy.strategy import Strategy


@dataclass(frozen=True, eq=False)
class Level:
    """The task at one level, for one player."""

    game: Whole
    player: int
    here: Flags  # [decision point] the player's own, at this level
    below: Flags  # [decision point] the opponent's, from this level on
    given: Floats

    def kinds(self, here: int, below: int) -> Ints:
        """How every decision point is played."""
        return np.where(self.here, here, np.where(self.below, below, GIVEN))


def refinement(name: str, at_level: Callable[..., Floats]) -> Callable[..., Strategy]:
    """The refinement that replaces every level of a blueprint by `at_level(level, tell, …)`, whose
    parameters it has; `tell` receives the share of the work done."""

    @wraps(at_level)
    def refine(blueprint: Strategy, *, listen: Listener = nobody, **parameters: Any) -> Strategy:
        return _refined(blueprint, name, partial(at_level, **parameters), listen)

    return refine


def _refined(
    blueprint: Strategy,
    name: str,
    solve: Callable[[Level, Callable[[float], None]], Floats],
    listen: Listener,
) -> Strategy:
    game = whole_game(blueprint, name)
    owner, level = owners_of(game.form), levels_of(game.form)
    behaviour = blueprint.behaviour.astype(np.float64)
    refined, points = behaviour.copy(), np.append(level, 0)[game.owners]
    work = [
        (number, player) for number in range(1, int(level.max(initial=0)) + 1) for player in (0, 1)
    ]
    work = [(n, player) for n, player in work if ((level == n) & (owner == player)).any()]
    for done, (number, player) in enumerate(work):

        def tell(share: float, done: int = done, number: int = number) -> None:
            news = f"level {number}, player {work[done][1] + 1}"
            listen(Progress("refining level by level", done=(done + share) / len(work), news=news))

        here = (level == number) & (owner == player)
        below = (level >= number) & (owner != player)
        try:
            answer = solve(Level(game, player, here, below, behaviour), tell)
        except Interrupted:
            if not done:
                raise
            break
        mine = (points == number) & (np.append(owner, -1)[game.owners] == player)
        refined[mine] = answer[mine]
        if interrupted():
            break
    return Strategy.trusted(blueprint.form, refined.astype(blueprint.behaviour.dtype))
