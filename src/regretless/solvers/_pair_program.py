"""A leader's best commitment against one follower, exact, as a mixed-integer program for HiGHS.

Bošanský & Čermák 2015, program (1): the follower's plan y is pure, v[I] are its values, and p[t] is
the probability, without chance, that both reach terminal t: p[t] <= x[s], p[t] <= y[s'], and chance
times p sums to 1. An action that loses something is not in the plan: r[s] <= M (1 - y[s])."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.forms.form import own
from regretless.forms.sequence import SequenceForm
from regretless.programs.highs import Blocks, solved


def committed(
    form: SequenceForm, leader: int, follower: int, seconds: float
) -> tuple[float, Floats]:
    """The leader's value, and the plans of both players."""
    from scipy import sparse

    mine, theirs = form.treeplexes[leader], form.treeplexes[follower]
    scales = [float(np.ptp(form.payoffs[:, player])) or 1.0 for player in range(2)]
    A = form.matrix(follower) / scales[follower]  # HiGHS's tolerances are absolute
    A = A if leader == 0 else A.T  # [leader's sequence, follower's sequence]
    count, local, program = form.terminals, form.sequences - form.plex.roots[:-1], Blocks()
    x = program.columns(mine.size, 0.0, 1.0)
    y = program.columns(theirs.size, 0.0, 1.0, integer=True)
    v = program.columns(1 + len(theirs.labels), -np.inf, np.inf)  # the root's first
    gain = form.chance * form.payoffs[:, leader] / scales[leader]
    p = program.columns(count, 0.0, 1.0, gain=gain)
    for at, plex in ((x, mine), (y, theirs)):
        first = np.eye(1, plex.constraints.shape[0]).ravel()
        program.rows({at: plex.constraints}, first, first)
    # E' v - A' x is what each sequence loses; E has one row for the root and one per point.
    loss = {v: theirs.constraints.T, x: -A.T}
    program.rows(loss, 0.0, np.inf)
    program.rows({**loss, y: 2 * sparse.identity(theirs.size)}, -np.inf, 2.0)
    for at, player, plex in ((x, leader, mine), (y, follower, theirs)):
        entries = (np.ones(count), (np.arange(count), local[:, player]))
        picked = sparse.csr_matrix(entries, (count, plex.size))
        program.rows({p: sparse.identity(count), at: -picked}, -np.inf, 0.0)
    program.rows({p: sparse.csr_matrix(form.chance[None, :])}, 1.0, 1.0)
    options = {"time_limit": seconds, "mip_rel_gap": 0.0}
    running = solved(program.model(), "the program of the leader", options=options)
    columns = np.array(running.highs.getSolution().col_value)
    committed_plan, answer = columns[: mine.size], columns[mine.size : mine.size + theirs.size]
    plan = np.empty(mine.size + theirs.size)
    plan[own(form, leader)] = np.clip(committed_plan, 0.0, 1.0)
    plan[own(form, follower)] = np.round(answer)
    return float(gain @ columns[-count:]) * scales[leader], plan
