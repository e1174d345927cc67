"""Stackelberg equilibrium: one player commits, the others respond with an equilibrium.

Münch 2017, Formulations 3 and 4 (`_leader_program.py` says where ours differ). Ties are broken in
the leader's favour. Three or more players: `solver=ipopt` finds local optima from many starts, the
strategies of CFR first; `solver=scip` continues from there to a global optimum, with a bound and a
gap. Two players: a linear program if the game is zero-sum, otherwise a mixed-integer program
(Bošanský & Čermák 2015), both exact.

In small zero-sum games there is a bound from the start: a follower who plays a best response earns
at least what it can guarantee, and the leader gets no more than the rest."""

from __future__ import annotations

import time
from collections.abc import Mapping
from math import isfinite, nan
from typing import Any

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, Unsolved, within
from regretless.forms.form import Form, behaviour_of, plan_of, size, uniform
from regretless.programs.ipopt import Local
from regretless.programs.saddle import maximin
from regretless.programs.scip import Global
from regretless.solvers._leader_program import explicit_form, leader_program
from regretless.solvers._pair_program import committed
from regretless.solvers._solver import (
    Iterate,
    Solver,
    checked,
    payoff_spread,
    restored_rng,
    saved_rng,
)
from regretless.solvers._teams import guarantee

SOLVERS = ("ipopt", "scip")
SLICE_S = 2.0  # between checks of the clock and of Ctrl-C
LEARNERS = (("cfr+", 1000), ("cfr", 100))  # for the first starts, and their iterations
PLAN_NOISE = 0.5  # shape of the gamma distribution of random starts: many small probabilities
SECURE_SEQUENCES = 40  # of each player: beyond this, guarantees take longer than the rest
REGRET = 1e-6  # followers who could gain less than this are at their best response


class Method(Solver):
    """Starts one by one, then slices of time of the global solver."""

    is_exact = True

    def __init__(
        self,
        form: Form,
        *,
        leader: int = 1,
        solver: str = "ipopt",
        starts: int = 12,
        seconds: float = 300.0,
        gap: float = 0.0,
        keep: bool = False,
        printed: bool = False,
    ) -> None:
        """`gap`: SCIP stops there; `keep` dominated actions of followers; `printed`: as printed
        in Münch 2017, where followers overlook later betting."""
        within("leader", leader, 1, form.players)
        within("starts", starts, 1, 10_000)
        if solver not in SOLVERS:
            raise BadParameter(f"solver={solver}: must be {' or '.join(SOLVERS)}")
        if not seconds > 0:
            raise BadParameter(f"seconds={seconds}: must be more than 0")
        if not gap >= 0:
            raise BadParameter(f"gap={gap}: must be 0 or more")
        super().__init__(form)
        self.explicit = explicit_form(form)
        self.leader, self.kind, self.starts = leader - 1, solver, starts
        self.seconds, self.gap, self.keep, self.printed = seconds, gap, keep, printed
        self.plan = plan_of(form, uniform(form))
        self.value, self.bound = -np.inf, nan
        self.spent, self.done, self.over = 0.0, 0, False
        self.local: Local | None = None
        self.scip: Global | None = None

    @classmethod
    def needed_form(cls, **parameters: Any) -> str:
        return "sequence"

    @property
    def finished(self) -> bool:
        return self.over

    def proved(self, exploitability: float) -> bool:
        if self.form.players == 2 and self.explicit.zero_sum:
            return super().proved(exploitability)
        close = max(self.gap * abs(self.value), REGRET * min(payoff_spread(self.form), 1.0))
        return isfinite(self.bound) and self.bound - self.value <= close

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            if self.over:
                return
            began = time.perf_counter()
            self._next()
            self.spent += time.perf_counter() - began
            self.iteration += 1

    def _next(self) -> None:
        if self.form.players == 2:
            self._two_players()
        elif self.done < self.starts and self.spent < self.seconds:
            self._from_start()
        elif self.kind == "ipopt" or self.spent >= self.seconds:
            self._end()
        else:
            self._slice()

    def _end(self) -> None:
        """End the run; without a feasible point that is a failure."""
        self.over = True
        if not isfinite(self.value):
            tried = f"{self.done} start{'s' * (self.done != 1)}"
            raise Unsolved(
                f"{self.kind} found no feasible point within {self.spent:.1f} s and {tried}: "
                f"allow more (seconds={self.seconds:g}, starts={self.starts})"
            )

    def _two_players(self) -> None:
        form, follower = self.explicit, 1 - self.leader
        if form.zero_sum:
            first, second = form.treeplexes
            saddle = maximin(form.matrix(), first.constraints, second.constraints)
            self.plan = np.concatenate([saddle.rows, saddle.columns])
            self.value = saddle.value if self.leader == 0 else -saddle.value
        else:
            self.value, self.plan = committed(form, self.leader, follower, self.seconds)
        self.bound, self.over = self.value, True

    def _from_start(self) -> None:
        if self.local is None:
            self._prepare()
        assert self.local is not None
        warm = self.done < len(LEARNERS) or self.done % 2 == 0
        point = self.local.solve(self.program.point(self._start()), warm=warm)
        self.done += 1
        if point is not None:
            self._take(self.program.plan(point), self.program.program.value(point))

    def _prepare(self) -> None:
        options = {"keep": self.keep, "printed": self.printed}
        self.program = leader_program(self.form, self.leader, formulation=3, **options)
        self.local = Local(self.program.program, seconds=self.seconds)
        if not self.printed and self.form.zero_sum:
            self.bound = self._secured()

    def _secured(self) -> float:
        """The leader earns at most what the followers' guarantees leave."""
        small = all(plex.size <= SECURE_SEQUENCES for plex in self.form.treeplexes)
        if not small or self.form.players != 3:
            return nan
        followers = [player for player in range(self.form.players) if player != self.leader]
        return -sum(guarantee(self.explicit, player).value for player in followers)

    def _start(self) -> Floats:
        """Starting plans: of learners, then uniform, then random ones."""
        if self.done < len(LEARNERS):
            from regretless.solvers._catalog import solver

            method, iterations = LEARNERS[self.done]
            learner = solver(method, self.form)
            learner.step(iterations)
            return plan_of(self.form, learner.behaviour())
        if self.done == len(LEARNERS):
            return plan_of(self.form, uniform(self.form))
        drawn = self.rng.gamma(PLAN_NOISE, size=size(self.form)) + 1e-9
        for player, plex in enumerate(self.form.treeplexes):
            mine = drawn[self.form.plex.roots[player] : self.form.plex.roots[player + 1]]
            mine[0] = 1.0
            for sequences in plex.sequences:
                mine[sequences] /= mine[sequences].sum()
        return plan_of(self.form, drawn)

    def _take(self, plan: Floats, value: float) -> None:
        if value > self.value:
            self.plan, self.value = plan_of(self.form, behaviour_of(self.form, plan)), value

    def _slice(self) -> None:
        """Let SCIP continue for a while."""
        options = {"keep": self.keep, "printed": self.printed}
        if self.scip is None:
            self.mixed = leader_program(self.form, self.leader, formulation=4, **options)
            self.scip = Global(self.mixed.program, gap=self.gap)
            if isfinite(self.value):
                self.scip.start(self.mixed.point(self.plan))
        self.scip.run(min(SLICE_S, max(self.seconds - self.spent, 0.1)))
        if isfinite(self.scip.bound):
            known = [self.scip.bound, *([self.bound] if isfinite(self.bound) else [])]
            self.bound = min(known)
        point = self.scip.point()
        if point is not None and self.mixed.program.value(point) > self.value + REGRET:
            self._improve(point)
        if self.scip.finished:
            self._end()

    def _improve(self, point: Floats) -> None:
        """Polish the plan with Ipopt if possible, since SCIP's tolerances are wide."""
        plan = self.mixed.plan(point)
        if self.local is None:  # the run was resumed
            self._prepare()
        assert self.local is not None
        polished = self.local.solve(self.program.point(plan), warm=True)
        if polished is not None and self.program.program.value(polished) > self.value:
            self._take(self.program.plan(polished), self.program.program.value(polished))
        else:
            self._take(plan, self.mixed.program.value(point))

    def behaviour(self, which: Iterate = Iterate.AVERAGE) -> Floats:
        return behaviour_of(self.form, self.plan)

    def news(self) -> str:
        shown = f"leader {self.value:.6f}" if isfinite(self.value) else "no point yet"
        return f"{shown}, bound {self.bound:.6f}" if isfinite(self.bound) else shown

    def details(self) -> dict[str, Any]:
        if not isfinite(self.value):
            return {"leader": self.leader + 1, "bound": None, "gap": None}
        order = [self.leader, *(p for p in range(self.form.players) if p != self.leader)]
        pairs = [self.form.respond(player, self.behaviour()) for player in order]
        known = isfinite(self.bound)
        return {
            "leader": self.leader + 1,
            "players": [player + 1 for player in order],
            "values": [value for value, _ in pairs],
            "follower_regrets": [max(best - value, 0.0) for value, best in pairs[1:]],
            "bound": self.bound if known else None,
            "gap": max(self.bound - self.value, 0.0) if known else None,
            "starts": self.done,
        }

    def remarks(self) -> list[tuple[str, str]]:
        told = self.details()
        if "values" not in told:
            return [("leader", f"player {self.leader + 1}, no feasible point")]
        texts = [("leader", f"player {self.leader + 1} earns {told['values'][0]:.9f}")]
        if told["bound"] is not None:
            texts.append(("bound", f"{told['bound']:.9f} (gap {told['gap']:.2g})"))
        texts.append(
            ("followers' regrets", ", ".join(f"{r:.2g}" for r in told["follower_regrets"]))
        )
        return texts

    def state(self) -> dict[str, np.ndarray]:
        clock = [float(self.iteration), self.value, self.bound, float(self.done), float(self.over)]
        return {"plan": self.plan.copy(), "clock": np.array(clock), "rng": saved_rng(self.rng)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """SCIP's tree is not saved: a resumed run explores again, from the best plan."""
        clock = state.get("clock")
        if clock is None or clock.shape != (5,) or "rng" not in state:
            raise BadInput("saved state has no clock: it is not from stackelberg")
        self.plan = checked(state, "plan", self.plan)
        self.iteration, self.done = int(clock[0]), int(clock[3])
        self.value, self.bound, self.over = float(clock[1]), float(clock[2]), bool(clock[4])
        self.rng = restored_rng(state["rng"])
