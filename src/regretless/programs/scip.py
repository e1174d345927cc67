"""Global optima of polynomial programs, by SCIP, with a bound that proves how good they are.

SCIP branches on binaries and on ranges of variables. The difficulty is the products of two
plans, which otherwise float freely between their bounds. So every product gets a variable,
and every equation of a plan is multiplied by every variable that its terms are multiplied by
(reformulation-linearisation, Sherali & Adams 1990): the products are then consistent with each
other, and bounds become tight enough to finish."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.programs.polynomial import Monomial, Polynomial, Program

BEST_FIRST = 1_000_000  # more than the priority of any other node selector


class Global:
    """A program in SCIP, solved in slices of time."""

    def __init__(self, program: Program, *, gap: float = 0.0, seed: int = 0) -> None:
        scip = imported_scip()
        self.program = program
        self.model = scip.Model()
        self.model.hideOutput()
        self.model.setParam("limits/gap", gap)
        self.model.setParam("misc/catchctrlc", False)  # the caller handles Ctrl-C
        self.model.setParam("randomization/randomseedshift", seed % 1000)
        self.quicksum = scip.quicksum
        self.variables = [
            self.model.addVar(name, "B" if is_binary else "C", low, high)
            for name, low, high, is_binary in zip(
                program.names, program.lower, program.upper, program.binary, strict=True
            )
        ]
        self.products: dict[Monomial, Any] = {}
        self._write()
        self.seconds = 0.0

    def _write(self) -> None:
        program, model = self.program, self.model
        for row in program.rows:
            self._row(row.terms, row.low, row.high)
        self._multiplied()
        if all(len(key) <= 1 for key in program.objective):
            model.setObjective(self._sum(program.objective), "maximize")
            return
        total = model.addVar("total", "C", None, None)
        model.addCons(total <= self._sum(program.objective))
        model.setObjective(total, "maximize")

    def _row(self, terms: Polynomial, low: float, high: float) -> None:
        left = self._sum(terms)
        if low == high:
            self.model.addCons(left == low)
            return
        if high < inf:
            self.model.addCons(left <= high)
        if low > -inf:
            self.model.addCons(left >= low)

    def _multiplied(self) -> None:
        """Equations of plans times the variables that their terms are multiplied by."""
        partners: dict[int, set[int]] = {}
        for first, second in self.products:
            partners.setdefault(first, set()).add(second)
            partners.setdefault(second, set()).add(first)
        for row in self.program.rows:
            if row.low != row.high or not row.name.startswith("plan"):
                continue
            factors = set().union(*(partners.get(key[0], set()) for key in row.terms))
            for factor in sorted(factors):
                terms: Polynomial = {}
                for key, coefficient in row.terms.items():
                    terms[tuple(sorted((*key, factor)))] = coefficient
                if row.low:
                    terms[factor,] = -row.low
                self._row(terms, 0.0, 0.0)

    def _sum(self, terms: Polynomial) -> Any:
        return self.quicksum(coefficient * self._product(key) for key, coefficient in terms.items())

    def _product(self, key: Monomial) -> Any:
        if len(key) == 1:
            return self.variables[key[0]]
        if len(key) == 2:
            return self._pair(key)
        return self._pair(key[:2]) * self._product(key[2:]) if key else 1.0

    def _pair(self, key: Monomial) -> Any:
        """The variable of a product, made when first needed; plans lie between 0 and 1."""
        if key not in self.products:
            first, second = (self.variables[i] for i in key)
            upper = min(self.program.upper[i] for i in key)
            made = self.model.addVar("w_" + "_".join(map(str, key)), "C", 0.0, upper)
            self.model.addCons(made == first * second)
            self.products[key] = made
        return self.products[key]

    def start(self, point: Floats) -> None:
        """Give SCIP a starting point; all its time then goes into the bound.

        Its heuristics would take half of that time and find nothing better than Ipopt does; nodes
        are selected best first, because the node with the highest bound determines the bound."""
        solution = self.model.createSol()
        for variable, value in zip(self.variables, point, strict=True):
            self.model.setSolVal(solution, variable, float(value))
        for (first, second), variable in self.products.items():
            self.model.setSolVal(solution, variable, float(point[first] * point[second]))
        self.model.addSol(solution)
        self.model.setHeuristics(imported_scip().SCIP_PARAMSETTING.OFF)
        self.model.setParam("nodeselection/bfs/stdpriority", BEST_FIRST)

    def run(self, seconds: float) -> None:
        """Continue for some seconds."""
        self.seconds += seconds
        self.model.setParam("limits/time", self.seconds)
        self.model.optimize()

    @property
    def finished(self) -> bool:
        return self.model.getStatus() not in ("timelimit", "unknown", "userinterrupt")

    @property
    def status(self) -> str:
        return str(self.model.getStatus())

    @property
    def bound(self) -> float:
        """An upper bound on the objective."""
        bound = float(self.model.getDualbound())
        return bound if abs(bound) < 1e19 else nan

    def point(self) -> Floats | None:
        """The best point so far."""
        if not self.model.getNSols():
            return None
        solution = self.model.getBestSol()
        return np.array([self.model.getSolVal(solution, each) for each in self.variables])


def imported_scip() -> Any:
    """PySCIPOpt, or a message that says how to get it."""
    try:
        import pyscipopt
    except ImportError:
        raise Unsuitable(
            "solver=scip needs PySCIPOpt: pip install 'regretless[programs]'"
        ) from None
    return pyscipopt
