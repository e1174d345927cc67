"""What sequences before the river earn: stored with a solution, so that it can be browsed."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.public import PublicForm
from regretless.strategy.node_index import NodeIndex


def early_values(
    form: PublicForm, behaviour: np.ndarray, index: NodeIndex
) -> tuple[Floats, Floats]:
    """[player][sequence before the river] what it earns, chance included."""
    roots = form.layout.roots.tolist()
    by_player = []
    for player, end in enumerate(index.early):
        values = form.action_values(player, behaviour, early=end >= 0)
        stop = roots[player] + end if end >= 0 else roots[player + 1]
        by_player.append(values[roots[player] : stop].copy())
    return by_player[0], by_player[1]
