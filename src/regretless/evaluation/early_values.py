"""What sequences before the river earn: stored beside a solution, so that it can be looked at."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.public import PublicForm
from regretless.strategy.node_index import NodeIndex


def early_values(
    form: PublicForm, behaviour: np.ndarray, index: NodeIndex
) -> tuple[Floats, Floats]:
    """[player][sequence before the river] what it earns, chances included."""
    roots = form.layout.roots.tolist()
    found = []
    for player, end in enumerate(index.early):
        values = form.action_values(player, behaviour, early=end >= 0)
        stop = roots[player] + end if end >= 0 else roots[player + 1]
        found.append(values[roots[player] : stop].copy())
    return found[0], found[1]
