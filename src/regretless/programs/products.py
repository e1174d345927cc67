"""Products of probabilities as linear constraints, and polynomial programs solved with them.

Every factor lies in one of a few pieces of [0, 1], which a binary variable chooses. Within a pair
of pieces a product is enclosed by its four McCormick planes: they hold for the exact product, so
a linearised program without a solution proves that the polynomial one has none, and a product is
off by at most a quarter of the product of both widths. `sharpened` then removes that error by
Newton's method: products are replaced by their tangents at the last point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter
from regretless.programs.highs import Infeasible, model, optimum, solved
from regretless.programs.polynomial import Monomial, Polynomial, Program, add, combined, evaluated

NEWTON_STEPS = 12
EXACT = 1e-10  # violation at which Newton's method is done


@dataclass
class Linearised:
    """A linear program, which begins with the variables of the polynomial one."""

    program: Program
    breakpoints: int
    products: dict[Monomial, int] = field(default_factory=dict)  # to their variables
    pieces: dict[int, list[int]] = field(default_factory=dict)  # binaries of a factor

    def error(self, terms: Polynomial) -> float:
        """The most by which a polynomial may be off at a point of the linear program."""
        return sum(
            abs(coefficient) * max(len(key) - 1, 0) * product_error(self.breakpoints)
            for key, coefficient in terms.items()
        )


def product_error(breakpoints: int) -> float:
    """The most by which the product of two probabilities may be off."""
    return 0.25 / (breakpoints - 1) ** 2


def linearised(program: Program, breakpoints: int) -> Linearised:
    """The program with products of variables in [0, 1] enclosed by linear constraints."""
    if breakpoints < 2:
        raise BadParameter(f"breakpoints={breakpoints}: must be 2 or more")
    copy = Program([*program.names], [*program.lower], [*program.upper], [*program.binary])
    made = Linearised(copy, breakpoints)
    for row in program.rows:
        terms = _linear(made, row.terms)
        constant = terms.pop((), 0.0)
        copy.rows.append(type(row)(row.name, terms, row.low - constant, row.high - constant))
    copy.objective = _linear(made, program.objective)
    return made


def _linear(made: Linearised, terms: Polynomial) -> Polynomial:
    linear: Polynomial = {}
    for key, coefficient in terms.items():
        add(linear, coefficient, (_variable(made, key),) if key else ())
    return linear


def _variable(made: Linearised, key: Monomial) -> int:
    if len(key) == 1:
        return key[0]
    if key not in made.products:
        first, last = _variable(made, key[:-1]), key[-1]
        made.products[key] = made.program.variable(
            "w_" + "_".join(map(str, key)), 0.0, min(made.program.upper[first], 1.0)
        )
        _enclose(made, made.products[key], first, last)
    return made.products[key]


def _enclose(made: Linearised, w: int, u: int, v: int) -> None:
    steps = np.linspace(0.0, 1.0, made.breakpoints)
    name = made.program.names[w]
    for (first, in_first), (second, in_second) in product(
        enumerate(_pieces(made, u)), enumerate(_pieces(made, v))
    ):
        away = combined((1.0, {(in_first,): 1.0}), (1.0, {(in_second,): 1.0}))  # 2 in these pieces
        a, c = steps[first : first + 2].tolist()
        b, d = steps[second : second + 2].tolist()
        for x, y, above in ((a, b, False), (c, d, False), (c, b, True), (a, d, True)):
            # (u - x) (v - y) has a known sign within the pieces; elsewhere the row is slack
            plane = combined((1.0, {(w,): 1.0}), (-x, {(v,): 1.0}), (-y, {(u,): 1.0}))
            if above:
                made.program.at_most(name, combined((1.0, plane), (1.0, away)), 2.0 - x * y)
            else:
                made.program.at_least(name, combined((1.0, plane), (-1.0, away)), -2.0 - x * y)
    made.program.at_most(name, combined((1.0, {(w,): 1.0}), (-1.0, {(u,): 1.0})), 0.0)
    made.program.at_most(name, combined((1.0, {(w,): 1.0}), (-1.0, {(v,): 1.0})), 0.0)


def _pieces(made: Linearised, u: int) -> list[int]:
    if u not in made.pieces:
        steps = np.linspace(0.0, 1.0, made.breakpoints)
        name = made.program.names[u]
        own = [
            made.program.variable(f"{name}_in_{k}", 0.0, 1.0, binary=True)
            for k in range(made.breakpoints - 1)
        ]
        made.pieces[u] = own
        made.program.equal(f"{name}_piece", {(y,): 1.0 for y in own}, 1.0)
        for edges, bound in (
            (steps[:-1], made.program.at_least),
            (steps[1:], made.program.at_most),
        ):
            terms: Polynomial = {(u,): 1.0}
            terms |= {(y,): -float(edge) for y, edge in zip(own, edges, strict=True) if edge}
            bound(f"{name}_range", terms, 0.0)
    return made.pieces[u]


def maximised(
    program: Program,
    what: str,
    listen: Callable[[str], None] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Floats | None:
    """The best point of a linear mixed-integer program, or None if there is none at all.

    Values are exact to ten digits for the integers that were found."""
    try:
        running = solved(_highs(program), what, options=options, listen=listen)
    except Infeasible:
        return None
    found = np.array(running.highs.getSolution().col_value)
    exact = optimum(_highs(program, found))
    return found if exact is None else exact


def _highs(program: Program, fixed: Floats | None = None) -> object:
    from scipy import sparse

    entries = [
        (number, key[0], coefficient)
        for number, row in enumerate(program.rows)
        for key, coefficient in row.terms.items()
        if coefficient
    ]
    at, to, values = zip(*entries, strict=True) if entries else ((), (), ())
    shape = (len(program.rows), len(program.names))
    matrix = sparse.csc_matrix((values, (at, to)), shape=shape)
    cost = np.zeros(shape[1])
    for key, coefficient in program.objective.items():
        if key:
            cost[key[0]] += coefficient
    lower, upper = np.array(program.lower), np.array(program.upper)
    binary = np.array(program.binary, dtype=bool)
    if fixed is not None:
        lower[binary] = upper[binary] = np.round(fixed[binary])
    rows = (
        np.array([row.low for row in program.rows]),
        np.array([row.high for row in program.rows]),
    )
    integer = binary.astype(np.float64) if fixed is None and binary.any() else None
    return model(matrix, cost, (lower, upper), rows, integer)


def sharpened(program: Program, point: Floats) -> Floats:
    """A point near this one that fulfils the rows exactly, if Newton's method finds one.

    Binary variables stay as they are."""
    at = point[: len(program.names)].copy()
    best, least = at, program.violation(at)
    for _ in range(NEWTON_STEPS):
        if least <= EXACT:
            break
        tangent = Program([*program.names], [*program.lower], [*program.upper], [*program.binary])
        off = tangent.variable("off", 0.0, np.inf)
        for row in program.rows:
            terms = _tangent(row.terms, at)
            constant = terms.pop((), 0.0)
            if row.low > -np.inf:
                tangent.at_least(row.name, {**terms, (off,): 1.0}, row.low - constant)
            if row.high < np.inf:
                tangent.at_most(row.name, {**terms, (off,): -1.0}, row.high - constant)
        tangent.objective = {(off,): -1.0}
        found = optimum(_highs(tangent, np.append(at, 0.0)))
        if found is None:
            break
        at = found[:-1]
        if (now := program.violation(at)) < least:
            best, least = at, now
    return np.asarray(best)


def _tangent(terms: Polynomial, at: Floats) -> Polynomial:
    """The linear polynomial with the same value and slopes at a point."""
    linear: Polynomial = {}
    for key, coefficient in terms.items():
        add(linear, coefficient * (1 - len(key)) * evaluated({key: 1.0}, at), ())
        for k, variable in enumerate(key):
            rest = (*key[:k], *key[k + 1 :])
            add(linear, coefficient * evaluated({rest: 1.0}, at), (variable,))
    return linear
