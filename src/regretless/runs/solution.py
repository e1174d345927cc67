"""The result of a run, with its provenance."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core.errors import BadInput
from regretless.core.files import locked, require_writable
from regretless.core.tables import Shown, Table, facts_table
from regretless.evaluation.exploitability import Evaluation
from regretless.forms.choice import form_kind
from regretless.forms.form import Form
from regretless.runs import spot_runs
from regretless.runs.limits import Stop
from regretless.strategy import files
from regretless.strategy.strategy import Strategy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KNOWN = 1e-9  # between the bounds of a value, times payoffs below one: the value is known


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One point of a convergence curve."""

    iteration: int
    seconds: float
    exploitability: float


class Written(Shown):
    """A result that writes a strategy file, with its provenance."""

    __slots__ = ()

    def save(self, path: str | Path) -> None:
        """Write the strategy, its provenance, and what is needed to continue, if anything is."""
        require_writable(path)
        with locked(path):
            self.write(path)

    def write(self, path: str | Path) -> None:
        """Like `save`, for callers that hold the lock of the file."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Solution(Written):
    """A strategy with its evaluation and its provenance."""

    strategy: Strategy
    method: str
    iterate: str
    seed: int
    iterations: int
    seconds: float
    stop: Stop
    evaluation: Evaluation
    trace: tuple[CurvePoint, ...]
    version: str
    limits: Mapping[str, float | None] = field(default_factory=dict)
    state: Mapping[str, np.ndarray] = field(repr=False, default_factory=dict)
    details: Mapping[str, Any] = field(
        default_factory=dict
    )  # what the method reports about its work
    remarks: tuple[tuple[str, str], ...] = ()  # the same as text
    failure: str = ""  # why the method could not continue
    out: str | None = None
    memory_bytes: int = 0  # of form and method
    keeps_state: bool = False  # whether the file of a solved spot holds the solver's state

    @property
    def game(self) -> str:
        return self.form.spec

    @property
    def form(self) -> Form:
        return self.strategy.form

    @property
    def exploitability(self) -> float:
        return self.evaluation.exploitability

    @property
    def nash_conv(self) -> float:
        return self.evaluation.nash_conv

    @property
    def values(self) -> tuple[float, ...]:
        return self.evaluation.values

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Two-player zero-sum: certified bounds on the value of player 1."""
        if self.form.players != 2 or not self.form.zero_sum:
            return None
        first, second = self.evaluation.best_responses
        return -second, first

    @property
    def value_fraction(self) -> str | None:
        """The value of player 1 as a fraction, if it is recognisable."""
        bounds = self.bounds
        scale = min(self.form.largest_payoff, 1.0)
        if bounds is None or bounds[1] - bounds[0] > KNOWN * scale:
            return None
        fraction = recognised(self.values[0], tolerance=TOLERANCE * scale)
        return None if fraction is None else str(fraction)

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        return {
            "game": self.game,
            "form": form_kind(self.form),
            "method": self.method,
            "strategy": self.iterate,
            "seed": self.seed,
            "version": self.version,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stop": str(self.stop),
            "failure": self.failure,
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "limits": self.limits,
            "epsilon": list(self.evaluation.epsilon),
            # A method for one player lists that player first.
            "values": self.details.get("values", list(self.values)),
            "players": self.details.get("players", [i + 1 for i in range(self.form.players)]),
            "bound": self.details.get("bound"),
            "gap": self.details.get("gap"),
            "value_fraction": self.value_fraction,
            "bounds": self.bounds,
            "decision_points": list(self.form.sizes.decision_points),
            "sequences": list(self.form.sizes.sequences),
            "details": self.details,
            "out": self.out,
            **self.spot_facts(),
        }

    def spot_facts(self) -> dict[str, Any]:
        """More about a spot: EV, equity, percent of the pot, sizes."""
        if not spot_runs.is_spot(self.form):
            return {}
        return {
            **spot_runs.in_chips(self.form, self.evaluation),
            **spot_runs.sizes(self.form),
            "memory_bytes": self.memory_bytes,
        }

    def write(self, path: str | Path) -> None:
        """Without the state of the solver if a spot is solved, unless `keeps_state`."""
        trace = [[point.iteration, point.seconds, point.exploitability] for point in self.trace]
        about = {**self.facts(), "out": None, "trace": trace}
        if spot_runs.is_spot(self.form):
            going_on = self.keeps_state or self.stop in (Stop.INTERRUPTED, Stop.FAILED)
            spot_runs.save(path, self.strategy, about, self.state if going_on else {})
            return
        files.write(path, self.strategy, about, self.state)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw exploitability against iterations; write it to a file if one is named."""
        from regretless.runs.drawing import convergence

        return convergence(self, path)

    def tables(self) -> list[Table]:
        """The facts, for people."""
        from regretless.runs.drawing import rows

        return [facts_table(rows(self))]

    def __repr__(self) -> str:
        return (
            f"Solution({self.game!r}, method={self.method!r}, iterations={self.iterations}, "
            f"exploitability={self.exploitability:.3g}, stop={str(self.stop)!r})"
        )


def saved_trace(about: Mapping[str, Any]) -> tuple[CurvePoint, ...]:
    """The curve stored in a strategy file."""
    try:
        return tuple(CurvePoint(int(i), float(s), float(e)) for i, s, e in about.get("trace", []))
    except (TypeError, ValueError):
        raise BadInput(f"damaged trace: {json.dumps(about.get('trace'))[:60]}") from None


# A random number lies within 1e-10 of such a fraction about once in 10,000 times.
LARGEST_DENOMINATOR = 1000
TOLERANCE = 1e-10


def recognised(number: float, *, tolerance: float = TOLERANCE) -> Fraction | None:
    """The fraction with a small denominator that this number is, if it is one."""
    fraction = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return fraction if abs(float(fraction) - number) <= tolerance else None
