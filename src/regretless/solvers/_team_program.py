"""The best joint pure plan of a team, as a mixed-integer program for HiGHS.

Every member has a plan; those of all but the last are 0 or 1. A terminal counts as far as every
member reaches it: p[t] <= y[s] for each, and where counting it would hurt the team
p[t] >= sum of y[s] - (members - 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.treeplex import Treeplex
from regretless.programs.highs import Blocks, solved


def worst_joint_plan(
    plexes: Sequence[Treeplex], sequences: np.ndarray, weight: Floats
) -> tuple[float, list[Floats]]:
    """Value and plans; `sequences[t, member]` and `weight[t]` define the value of terminals."""
    from scipy import sparse

    merged, where = np.unique(sequences, axis=0, return_inverse=True)
    worth = np.bincount(where.ravel(), weight)
    scale = float(np.abs(worth).max(initial=0.0)) or 1.0  # HiGHS's tolerances are absolute
    count, last, program = len(merged), len(plexes) - 1, Blocks()
    plans = [
        program.columns(plex.size, 0.0, 1.0, integer=k < last) for k, plex in enumerate(plexes)
    ]
    counted = program.columns(count, 0.0, 1.0, gain=worth / scale)
    for mine, plex in zip(plans, plexes, strict=True):
        first = np.eye(1, plex.constraints.shape[0]).ravel()
        program.rows({mine: plex.constraints}, first, first)
    one = sparse.identity(count)
    picked = [
        sparse.csr_matrix((np.ones(count), (np.arange(count), merged[:, k])), (count, plex.size))
        for k, plex in enumerate(plexes)
    ]
    for mine, chosen in zip(plans, picked, strict=True):
        program.rows({counted: one, mine: -chosen}, -np.inf, 0.0)
    reached = {mine: -chosen for mine, chosen in zip(plans, picked, strict=True)}
    program.rows({counted: one, **reached}, 1.0 - len(plexes), np.inf)
    options = {"mip_rel_gap": 0.0}
    running = solved(program.model(), "the team's best response", options=options)
    columns = np.array(running.highs.getSolution().col_value)
    ends = np.cumsum([plex.size for plex in plexes])
    *parts, terminals = np.split(columns, ends)
    return float(worth @ terminals), [np.round(part, 12) for part in parts]
