"""Local optima of polynomial programs with complements, by Ipopt, which comes with CasADi.

Complements y r = 0 have no interior, which interior-point methods need. So the sum of all y r is
held below a bound that shrinks from solve to solve (Scholtes 2001). In the end the smaller of y
and r is fixed at zero, and the ordinary program with these fixings is solved to the limits of
double precision."""

from __future__ import annotations

import time
from math import inf
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import Unsuitable
from regretless.programs.polynomial import Monomial, Polynomial, Program

COLD, WARM = (1e-2, 1e-4, 1e-6, 1e-8), (1e-5, 1e-7, 1e-8)  # bounds on the sum, for arbitrary
# starts, and for those at which the complements nearly hold
TOLERANCE = 1e-10
# Interior-point methods move to the interior first, unless they are warm-started.
STAY = {
    "mu_init": 1e-5,
    "warm_start_init_point": "yes",
    "warm_start_bound_push": 1e-6,
    "warm_start_mult_bound_push": 1e-6,
    "bound_push": 1e-6,
    "bound_frac": 1e-6,
}
FEASIBLE = 1e-7  # largest allowed violation of a row, after polishing


class Local:
    """A program, ready to be solved from many starts."""

    def __init__(self, program: Program, *, seconds: float | None = None) -> None:
        """`seconds`: approximate time per start; no single solve gets more than a third of it."""
        casadi = imported_casadi()
        self.seconds = inf if seconds is None else seconds
        self.program = program
        self.variables = casadi.SX.sym("x", len(program.names))
        self.slack = casadi.SX.sym("slack")
        single = [self.variables[i] for i in range(len(program.names))]
        products: dict[Monomial, Any] = {}

        def expression(terms: Polynomial) -> Any:
            parts = []
            for key, coefficient in terms.items():
                if key not in products:
                    product = casadi.SX(1.0)
                    for variable in key:
                        product = product * single[variable]
                    products[key] = product
                parts.append(coefficient * products[key])
            return casadi.sum1(casadi.vertcat(*parts)) if parts else casadi.SX(0.0)

        pairs = [single[a] * single[b] for a, b in program.complements]
        together = casadi.sum1(casadi.vertcat(*pairs)) if pairs else casadi.SX(0.0)
        rows = [expression(row.terms) for row in program.rows]
        problem = {
            "x": self.variables,
            "p": self.slack,
            "f": -expression(program.objective),
            "g": casadi.vertcat(*rows, together - self.slack),
        }
        self.low = np.array([*(row.low for row in program.rows), -np.inf])
        self.high = np.array([*(row.high for row in program.rows), 0.0])
        self._casadi, self._problem = casadi, problem
        self._solvers: dict[bool, Any] = {}

    def solve(self, start: Floats, *, warm: bool = False) -> Floats | None:
        """A local optimum near this start, or None if Ipopt finds none."""
        at = np.clip(start, self.program.lower, self.program.upper)
        lower, upper = np.array(self.program.lower), np.array(self.program.upper)
        began = time.perf_counter()
        for slack in WARM if warm else COLD:
            if time.perf_counter() - began > self.seconds * 2 / 3:
                break
            at = self._run(at, slack, lower, upper, warm)
        for first, second in self.program.complements:
            smaller = first if at[first] < at[second] else second
            upper[smaller] = lower[smaller] = 0.0
        at = self._run(np.clip(at, lower, upper), 1e-6, lower, upper, True)
        at = np.clip(at, lower, upper)
        return at if self.program.violation(at) <= FEASIBLE else None

    def _run(
        self,
        start: Floats,
        slack: float,
        lower: Floats,
        upper: Floats,
        warm: bool,
    ) -> Floats:
        if warm not in self._solvers:
            options = {
                "print_time": False,
                "error_on_fail": False,
                "ipopt": {
                    "print_level": 0,
                    "sb": "yes",
                    "max_iter": 1000,
                    "tol": TOLERANCE,
                    "constr_viol_tol": TOLERANCE,
                    "bound_relax_factor": 0.0,
                    "fixed_variable_treatment": "make_parameter",
                    **(STAY if warm else {}),
                    **({"max_wall_time": self.seconds / 3} if self.seconds < inf else {}),
                },
            }
            made = self._casadi.nlpsol("local", "ipopt", self._problem, options)
            self._solvers[warm] = made
        solution = self._solvers[warm](
            x0=start, p=slack, lbx=lower, ubx=upper, lbg=self.low, ubg=self.high
        )
        point = np.array(solution["x"]).ravel()
        return point if np.all(np.isfinite(point)) else start


def imported_casadi() -> Any:
    """CasADi, or a message that says how to get it."""
    try:
        import casadi
    except ImportError:
        raise Unsuitable("solver=ipopt needs CasADi: pip install 'regretless[programs]'") from None
    return casadi
