"""Supports of equilibria, one pair after another (Porter, Nudelman & Shoham 2004, algorithm 1).

Payoffs are A[row, column] and BT[column, row]. For a pair of supports without conditionally
dominated strategies, a system of linear equations gives what makes the other player indifferent:
it has one solution, none, or, in degenerate games, many."""

from __future__ import annotations

from regretless.core.arrays import Floats, Ints
from regretless.kernels.compiled import lean

EXHAUSTED, FOUND, UNDECIDED, PAUSED = range(4)
NONE, ONE, MANY = range(3)
PREPARED, ALLOWED, TRIED, FIRST, SECOND = range(5)  # fields of a cursor
SINGULAR = 1e-11  # payoffs range from 0 to 1
ROUNDING = 1e-10


@lean
def following(chosen: Ints, size: int, of: int) -> bool:
    """The next subset of the same size of the numbers below `of`, in lexicographic order."""
    at = size - 1
    while at >= 0 and chosen[at] == of - size + at:
        at -= 1
    if at < 0:
        return False
    chosen[at] += 1
    for k in range(at + 1, size):
        chosen[k] = chosen[k - 1] + 1
    return True


@lean
def dominated(payoffs: Floats, own: int, others: Ints, count: int) -> bool:
    """Whether another row is better than `own` in each of these columns."""
    for rival in range(payoffs.shape[0]):
        k = 0
        while k < count and payoffs[rival, others[k]] > payoffs[own, others[k]] + ROUNDING:
            k += 1
        if k == count and count > 0:
            return True
    return False


@lean
def indifferent(
    payoffs: Floats, rows: Ints, r: int, columns: Ints, c: int, system: Floats, out: Floats
) -> int:
    """Probabilities of the columns that make these rows equally good, and best of all.

    Unknowns are c probabilities and the value; `out` has a place for every column."""
    for i in range(r):
        for j in range(c):
            system[i, j] = payoffs[rows[i], columns[j]]
        system[i, c], system[i, c + 1] = -1.0, 0.0
    for j in range(c):
        system[r, j] = 1.0
    system[r, c], system[r, c + 1] = 0.0, 1.0
    rank = _eliminate(system, r + 1, c + 1)
    if rank < 0:
        return NONE
    if rank <= c:
        return MANY
    for j in range(c):
        if system[j, c + 1] <= ROUNDING:
            return NONE
    value = system[c, c + 1]
    for i in range(payoffs.shape[0]):
        earned = 0.0
        for j in range(c):
            earned += payoffs[i, columns[j]] * system[j, c + 1]
        if earned > value + ROUNDING:
            return NONE
    for j in range(out.size):
        out[j] = 0.0
    for j in range(c):
        out[columns[j]] = system[j, c + 1]
    return ONE


@lean
def _eliminate(system: Floats, rows: int, unknowns: int) -> int:
    """Gauss–Jordan in place; the rank, or -1 if there is no solution.

    If the rank is the number of unknowns, row k ends with the k-th of them."""
    rank = 0
    for column in range(unknowns):
        best = rank
        for i in range(rank, rows):
            if abs(system[i, column]) > abs(system[best, column]):
                best = i
        if rank == rows or abs(system[best, column]) <= SINGULAR:
            continue
        for j in range(unknowns + 1):
            kept = system[rank, j]
            system[rank, j] = system[best, j]
            system[best, j] = kept
        factor = 1.0 / system[rank, column]
        for j in range(unknowns + 1):
            system[rank, j] *= factor
        for i in range(rows):
            times = system[i, column]
            if i != rank and times != 0.0:
                for j in range(unknowns + 1):
                    system[i, j] -= times * system[rank, j]
        rank += 1
    for i in range(rank, rows):
        if abs(system[i, unknowns]) > ROUNDING:
            return -1
    return rank


@lean
def _prepare(A: Floats, BT: Floats, first: Ints, k: int, allowed: Ints) -> int:
    """Columns worth playing against these rows; none if a row is not worth playing then."""
    count = 0
    for j in range(BT.shape[0]):
        if not dominated(BT, j, first, k):
            allowed[count] = j
            count += 1
    for i in range(k):
        if dominated(A, first[i], allowed, count):
            return 0
    return count


@lean
def search(
    tables: tuple[Floats, Floats],
    sizes: tuple[int, int],
    supports: tuple[Ints, Ints, Ints, Ints],
    cursor: Ints,
    system: Floats,
    x: Floats,
    y: Floats,
    most: int,
) -> int:
    """Continue with the supports of these sizes until one belongs to an equilibrium.

    `supports` are the rows, the columns, the allowed columns and which of them are chosen. `cursor`
    starts as zeros; afterwards it says where to continue, and how many solutions x and y have."""
    A, BT = tables
    k, size = sizes
    first, second, allowed, chosen = supports
    for _ in range(most):
        if cursor[PREPARED] == 0:
            cursor[ALLOWED] = _prepare(A, BT, first, k, allowed)
            for j in range(size):
                chosen[j] = j
            cursor[PREPARED] = 1 if cursor[ALLOWED] >= size else 2
        elif not following(chosen, size, cursor[ALLOWED]):
            cursor[PREPARED] = 2
        if cursor[PREPARED] == 2:
            if not following(first, k, A.shape[0]):
                return EXHAUSTED
            cursor[PREPARED] = 0
            continue
        for j in range(size):
            second[j] = allowed[chosen[j]]
        cursor[TRIED] += 1
        worth = True
        for i in range(k):
            worth = worth and not dominated(A, first[i], second, size)
        if not worth:
            continue
        how = indifferent(A, first, k, second, size, system, y)
        if how == NONE:
            continue
        other = indifferent(BT, second, size, first, k, system, x)
        if other == NONE:
            continue
        cursor[FIRST], cursor[SECOND] = other, how
        return FOUND if how == ONE and other == ONE else UNDECIDED
    return PAUSED
