"""A leader's best commitment against one follower, exact, as a mixed-integer program for HiGHS.

Bošanský & Čermák 2015, program (1): the follower's plan y is pure, v[I] are its values, and p[t] is
the probability, without chance, that both reach terminal t: p[t] <= x[s], p[t] <= y[s'], and chance
times p sums to 1. An action that loses something is not in the plan: r[s] <= M (1 - y[s])."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import own
from regretless.forms.sequence import SequenceForm
from regretless.forms.treeplex import Treeplex
from regretless.programs.highs import Block, model, solved, stacked


def committed(
    form: SequenceForm, leader: int, follower: int, seconds: float
) -> tuple[float, Floats]:
    """The leader's value, and the plans of both players."""
    from scipy import sparse

    mine, theirs = form.treeplexes[leader], form.treeplexes[follower]
    scales = [float(np.ptp(form.payoffs[:, player])) or 1.0 for player in range(2)]
    A = form.matrix(follower) / scales[follower]  # HiGHS's tolerances are absolute
    A = A if leader == 0 else A.T  # [leader's sequence, follower's sequence]
    x, y, count = mine.size, theirs.size, form.terminals
    points = len(theirs.labels)
    # Variables: x, y, v with the root's first, p.
    starts = np.cumsum([0, x, y, 1 + points, count])
    local = form.sequences - form.plex.roots[:-1]

    def placed(*blocks: tuple[int, sparse.spmatrix]) -> sparse.csr_matrix:
        """Blocks side by side, each at its variables."""
        rows = blocks[0][1].shape[0]
        parts = [sparse.csr_matrix((rows, int(w))) for w in np.diff(starts)]
        for at, block in blocks:
            parts[at] = block
        return sparse.hstack(parts, format="csr")

    def plans(plex: Treeplex, at: int) -> tuple[sparse.csr_matrix, Floats, Floats]:
        first = np.eye(1, plex.constraints.shape[0]).ravel()
        return placed((at, plex.constraints)), first, first

    # E' v - A' x is what each sequence loses; E has one row for the root and one per point.
    loss = placed((2, theirs.constraints.T), (0, -A.T))
    unused = placed((2, theirs.constraints.T), (0, -A.T), (1, 2 * sparse.identity(y)))
    terminals = np.arange(count)

    def picked(player: int, width: int) -> sparse.csr_matrix:
        return sparse.csr_matrix((np.ones(count), (terminals, local[:, player])), (count, width))

    one = sparse.identity(count)
    constraints: list[Block] = [
        plans(mine, 0),
        plans(theirs, 1),
        (loss, 0.0, np.inf),
        (unused, -np.inf, 2.0),
        (placed((3, one), (0, -picked(leader, x))), -np.inf, 0.0),
        (placed((3, one), (1, -picked(follower, y))), -np.inf, 0.0),
        (placed((3, sparse.csr_matrix(form.chance[None, :]))), 1.0, 1.0),
    ]
    lower, upper = np.zeros(starts[-1]), np.ones(starts[-1])
    lower[starts[2] : starts[3]], upper[starts[2] : starts[3]] = -np.inf, np.inf
    whole = np.zeros(starts[-1])
    whole[starts[1] : starts[2]] = 1
    gain = np.zeros(starts[-1])
    gain[starts[3] :] = form.chance * form.payoffs[:, leader] / scales[leader]
    matrix, rows = stacked(constraints)
    options = {"time_limit": seconds, "mip_rel_gap": 0.0}
    program = model(matrix, gain, (lower, upper), rows, whole)
    running = solved(program, "the program of the leader", options=options)
    found = np.array(running.highs.getSolution().col_value)
    plan = np.empty(x + y)
    plan[own(form, leader)] = np.clip(found[:x], 0.0, 1.0)
    plan[own(form, follower)] = np.round(found[x : x + y])
    return float(gain @ found) * scales[leader], plan
