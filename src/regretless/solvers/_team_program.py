"""The best joint pure plan of a team, as a mixed-integer program for HiGHS.

Every member has a plan; those of all but the last are 0 or 1. A terminal counts as far as every
member reaches it: p[t] <= y[s] for each, and where counting it would hurt the team
p[t] >= sum of y[s] - (members - 1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.treeplex import Treeplex
from regretless.programs.highs import Block, model, solved, stacked


def worst_joint_plan(
    plexes: Sequence[Treeplex], sequences: np.ndarray, weight: Floats
) -> tuple[float, list[Floats]]:
    """Value and plans; `sequences[t, member]` and `weight[t]` define the value of terminals."""
    from scipy import sparse

    merged, where = np.unique(sequences, axis=0, return_inverse=True)
    worth = np.bincount(where.ravel(), weight)
    starts = np.cumsum([0, *(plex.size for plex in plexes)])
    plans, count = int(starts[-1]), len(merged)
    flat = merged + starts[:-1]
    constraints: list[Block] = []
    for member, plex in enumerate(plexes):
        E = plex.constraints
        left = sparse.csr_matrix((E.shape[0], int(starts[member])))
        right = sparse.csr_matrix((E.shape[0], plans - int(starts[member + 1]) + count))
        first = np.eye(1, E.shape[0]).ravel()
        constraints.append((sparse.hstack([left, E, right]), first, first))
    rows = np.arange(count)
    for member in range(len(plexes)):
        entries = np.concatenate([np.ones(count), -np.ones(count)])
        columns = np.concatenate([plans + rows, flat[:, member]])
        A = sparse.csr_matrix((entries, (np.tile(rows, 2), columns)), shape=(count, plans + count))
        constraints.append((A, -np.inf, 0.0))
    at = np.concatenate([plans + rows, flat.T.ravel()])
    entries = np.concatenate([np.ones(count), -np.ones(count * len(plexes))])
    A = sparse.csr_matrix(
        (entries, (np.tile(rows, len(plexes) + 1), at)), shape=(count, plans + count)
    )
    constraints.append((A, 1.0 - len(plexes), np.inf))
    whole = np.zeros(plans + count)
    whole[: starts[-2]] = 1
    scale = float(np.abs(worth).max(initial=0.0)) or 1.0  # HiGHS's tolerances are absolute
    gain = np.concatenate([np.zeros(plans), worth / scale])
    matrix, limits = stacked(constraints)
    program = model(matrix, gain, (np.zeros(gain.size), np.ones(gain.size)), limits, whole)
    running = solved(program, "the team's best response", options={"mip_rel_gap": 0.0})
    found = np.array(running.highs.getSolution().col_value)
    parts = [np.round(found[a:b], 12) for a, b in pairwise(starts)]
    return float(gain @ found) * scale, parts
