"""A polynomial program, independent of any software that solves it.

Maximise a polynomial subject to rows `low <= polynomial <= high`; variables have bounds, and some
are 0 or 1. A term is a coefficient and the variables that it multiplies, any number of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TypeAlias

import numpy as np

from regretless.core.arrays import Floats

Monomial: TypeAlias = tuple[int, ...]  # variables, sorted; none: a constant
Polynomial: TypeAlias = dict[Monomial, float]
CANCELLED = 1e-12  # a coefficient this small is what rounding leaves of a difference


@dataclass(frozen=True)
class Row:
    """low <= polynomial <= high."""

    name: str
    terms: Polynomial
    low: float
    high: float


@dataclass
class Program:
    """Variables, rows and what is maximised."""

    names: list[str] = field(default_factory=list)
    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    binary: list[bool] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    objective: Polynomial = field(default_factory=dict)
    complements: list[Monomial] = field(default_factory=list)  # pairs of which one is zero

    def variable(self, name: str, low: float, high: float, *, binary: bool = False) -> int:
        """A new variable; its number."""
        self.names.append(name)
        self.lower.append(low)
        self.upper.append(high)
        self.binary.append(binary)
        return len(self.names) - 1

    def equal(self, name: str, terms: Polynomial, value: float = 0.0) -> None:
        """A row that must equal this."""
        self.rows.append(Row(name, terms, value, value))

    def at_most(self, name: str, terms: Polynomial, value: float) -> None:
        """A row that must be at most this."""
        self.rows.append(Row(name, terms, -inf, value))

    def at_least(self, name: str, terms: Polynomial, value: float) -> None:
        """A row that must be at least this."""
        self.rows.append(Row(name, terms, value, inf))

    def value(self, point: Sequence[float] | Floats) -> float:
        """The objective at a point."""
        return evaluated(self.objective, point)

    def violation(self, point: Sequence[float] | Floats) -> float:
        """The largest violation of any row, bound or complement at a point."""
        at = np.asarray(point, dtype=np.float64)
        off = [0.0, float(np.max(np.array(self.lower) - at)), float(np.max(at - self.upper))]
        for row in self.rows:
            value = evaluated(row.terms, at)
            off += [row.low - value, value - row.high]
        off += [abs(float(at[first] * at[second])) for first, second in self.complements]
        off += [abs(at[i] - round(at[i])) for i, is_binary in enumerate(self.binary) if is_binary]
        return float(max(off))


def evaluated(terms: Mapping[Monomial, float], point: Sequence[float] | Floats) -> float:
    """A polynomial at a point."""
    total = 0.0
    for variables, coefficient in terms.items():
        product = coefficient
        for variable in variables:
            product *= point[variable]
        total += product
    return float(total)


def add(terms: Polynomial, coefficient: float, variables: Iterable[int]) -> None:
    """Add a term; equal monomials are merged."""
    key = tuple(sorted(variables))
    terms[key] = terms.get(key, 0.0) + coefficient


def combined(*parts: tuple[float, Polynomial]) -> Polynomial:
    """A sum of polynomials, each times a number; terms that cancel are left out."""
    total: Polynomial = {}
    for factor, terms in parts:
        for key, coefficient in terms.items():
            total[key] = total.get(key, 0.0) + factor * coefficient
    return {key: value for key, value in total.items() if abs(value) > CANCELLED}


def multiplied(first: Polynomial, second: Polynomial) -> Polynomial:
    """The product of two polynomials."""
    total: Polynomial = {}
    for left, a in first.items():
        for right, b in second.items():
            add(total, a * b, (*left, *right))
    return total


def gams(program: Program, title: str) -> str:
    """The program as a GAMS model, for other solvers."""
    lines = [f"* {title}", "variables", f"  objective_value, {', '.join(program.names)};"]
    zero_one = [n for n, is_binary in zip(program.names, program.binary, strict=True) if is_binary]
    if zero_one:
        lines += [f"binary variables {', '.join(zero_one)};"]
    for name, low, high in zip(program.names, program.lower, program.upper, strict=True):
        if low == high:
            lines.append(f"{name}.fx = {low:.17g};")
        else:
            lines += [f"{name}.lo = {low:.17g};"] if low > -inf else []
            lines += [f"{name}.up = {high:.17g};"] if high < inf else []
    body = [f"objective.. objective_value =e= {_gams_terms(program, program.objective)};"]
    for row in program.rows:
        left = _gams_terms(program, row.terms)
        if row.low == row.high:
            body.append(f"{row.name}.. {left} =e= {row.low:.17g};")
        elif row.high < inf:
            body.append(f"{row.name}.. {left} =l= {row.high:.17g};")
        else:
            body.append(f"{row.name}.. {left} =g= {row.low:.17g};")
    for number, (first, second) in enumerate(program.complements):
        product = f"{program.names[first]}*{program.names[second]}"
        body.append(f"complement_{number}.. {product} =e= 0;")
    heads = [line.partition("..")[0] for line in body]
    kind = "minlp" if zero_one else "nlp"
    lines += ["equations", f"  {', '.join(heads)};", *body, "model stackelberg / all /;"]
    lines.append(f"solve stackelberg using {kind} maximizing objective_value;")
    return "\n".join(_wrapped(line) for line in lines) + "\n"


def _gams_terms(program: Program, terms: Polynomial) -> str:
    parts = []
    for variables, coefficient in terms.items():
        factors = [f"{coefficient:+.17g}", *(program.names[variable] for variable in variables)]
        parts.append("*".join(factors))
    return " ".join(parts) or "0"


def _wrapped(line: str, most: int = 20_000) -> str:
    """GAMS reads lines of up to 80,000 characters; break at spaces well before that."""
    lines, current = [], ""
    for word in line.split(" "):
        if len(current) + len(word) >= most:
            lines.append(current)
            current = ""
        current = f"{current} {word}" if current else word
    return "\n".join([*lines, current])
