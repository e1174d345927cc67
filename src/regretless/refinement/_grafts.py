"""The trunk of one strategy with subgames of others (Waugh, Bard & Bowling 2009)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, whole
from regretless.forms.form import own
from regretless.forms.subgame import Subgame
from regretless.forms.subgames import finder
from regretless.strategy.strategy import Strategy


def graft(
    trunk: Strategy,
    grafts: Strategy | Mapping[str, Strategy],
    *,
    depth: int | None = None,
    player: int = 0,
) -> Strategy:
    """The trunk strategy, with other strategies in its subgames.

    `grafts` is one strategy for all subgames of a depth, or strategies by place, as in
    `{"/Q:cc/": strategy}`. They are strategies of the same game; forms may differ. `player`: 1, 2,
    or 0 for both."""
    known = finder(trunk.form)
    whole("player", player, 0, 2)
    if isinstance(grafts, Strategy):
        pairs = [(subgame, grafts) for subgame in known.cut(depth)]
    else:
        if depth is not None:
            raise BadParameter(f"depth={depth}: not allowed if grafts are given by place")
        pairs = [(known.at(where), strategy) for where, strategy in grafts.items()]
        _require_apart([subgame for subgame, _ in pairs])
    behaviour = trunk.behaviour.copy()
    for subgame, strategy in pairs:
        for p in (0, 1) if player == 0 else (player - 1,):
            _copy(subgame, p, strategy, behaviour)
    return Strategy(trunk.form, behaviour)


def _copy(subgame: Subgame, player: int, source: Strategy, out: Floats) -> None:
    mine, theirs = own(subgame.form, player), own(source.form, player)
    for label, actions, sequences, _ in subgame.points[player]:
        point = source.form.find(player, label)
        if point is None or point.actions != actions:
            raise BadInput(
                f"graft of {source.form.spec}: player {player + 1} has no decision {label!r} "
                f"with the actions {', '.join(actions)}"
            )
        out[mine][sequences] = source.behaviour[theirs][point.sequences]


def _require_apart(subgames: Sequence[Subgame]) -> None:
    """Refuse grafts that overlap: the result would depend on their order."""
    for number, one in enumerate(subgames):
        for other in subgames[:number]:
            if np.isin(one.sequences[:, 0], other.sequences[:, 0]).any() and (
                {tuple(row) for row in one.sequences.tolist()}
                & {tuple(row) for row in other.sequences.tolist()}
            ):
                raise BadInput(f"grafts at {other.name!r} and {one.name!r} overlap")
