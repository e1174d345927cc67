"""A blueprint, refined and measured: the gain in the whole game, and the cost."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.core.errors import BadParameter, Interrupted, number, shown
from regretless.core.files import require_distinct, require_writable
from regretless.core.interrupts import interrupts, time_limit
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.specs import Spec
from regretless.core.tables import Table, facts_table
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.forms.choice import form_kind
from regretless.refinement import _catalog
from regretless.runs.opening import GameLike, Openable, with_provenance
from regretless.runs.request import at_work
from regretless.runs.solution import Written
from regretless.strategy import files
from regretless.strategy.purification import changed
from regretless.strategy.strategy import Strategy

KEPT = ("method", "iterations", "seconds", "exploitability", "abstraction", "refinement")


@dataclass(frozen=True, eq=False)
class Refined(Written):
    """A refined strategy with its provenance, measured in the whole game."""

    strategy: Strategy
    by: str
    before: Evaluation  # of the blueprint
    after: Evaluation
    seconds: float  # without the two measurements
    changed: int  # decision points
    blueprint: Mapping[str, Any] = field(default_factory=dict)  # what its file says
    interrupted: bool = False  # by Ctrl-C or a time limit: the result so far
    out: str | None = None

    @property
    def exploitability(self) -> float:
        return self.after.exploitability

    @property
    def values(self) -> tuple[float, ...]:
        return self.after.values

    @property
    def method(self) -> str:
        """How the strategy was made, as its file says."""
        return f"refined by {self.by}"

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        form = self.strategy.form
        return {
            "game": form.spec,
            "form": form_kind(form),
            "by": self.by,
            "version": version("regretless"),
            "seconds": self.seconds,
            "exploitability_before": self.before.exploitability,
            "exploitability": self.after.exploitability,
            "epsilon_before": list(self.before.epsilon),
            "epsilon": list(self.after.epsilon),
            "values_before": list(self.before.values),
            "values": list(self.after.values),
            "changed_decision_points": self.changed,
            "decision_points": sum(form.sizes.decision_points),
            "interrupted": self.interrupted,
            "blueprint": dict(self.blueprint),
            "out": self.out,
        }

    def rows(self) -> list[tuple[str, str]]:
        """The numbers as texts, for people."""
        first = self.before.exploitability, self.after.exploitability
        points = f"{self.changed:,} of {sum(self.strategy.form.sizes.decision_points):,}"
        facts = [
            ("game", self.strategy.form.spec),
            ("refinement", self.by),
            ("exploitability before", f"{first[0]:.6g}"),
            ("exploitability after", f"{first[1]:.6g}{_change(*first)}"),
            ("value before", f"{self.before.values[0]:.6g}"),
            ("value after", f"{self.after.values[0]:.6g}"),
            ("changed", f"{points} decision points"),
            ("time", f"{self.seconds:.3g} s{', ended early' if self.interrupted else ''}"),
        ]
        return [*facts, *([("written", self.out)] if self.out else [])]

    def tables(self) -> list[Table]:
        """The same as a table."""
        return [facts_table(self.rows())]

    def write(self, path: str | Path) -> None:
        about = {**self.facts(), "out": None, "method": self.method}
        files.write(path, self.strategy, {**about, "refinement": self.by})

    def __repr__(self) -> str:
        first = self.before.exploitability, self.after.exploitability
        return (
            f"Refined({self.strategy.form.spec!r}, by={self.by!r}, "
            f"exploitability {first[0]:.3g} → {first[1]:.3g})"
        )


def refine(
    blueprint: Openable,
    *,
    by: str,
    game: GameLike | None = None,
    seconds: float | None = None,
    threads: int = 1,
    out: str | Path | None = None,
    listen: Listener = nobody,
) -> Refined:
    """Refine a strategy of the whole game, of any kind.

    `by` names the refinement and its parameters, as in "in-game:iterations=500". After `seconds`
    it stops with the result so far. `game` and `threads` are for files, as in `load_strategy`;
    `out` is written with the provenance of both strategies."""
    if not isinstance(by, str):
        raise BadParameter(f"by={shown(by)}: must be a name such as 'in-game'")
    method = _catalog.parsed(by)
    if seconds is not None and not number("seconds", seconds) > 0:
        raise BadParameter(f"seconds={seconds}: must be more than 0")
    if out is not None:
        require_writable(out)
        source = blueprint if isinstance(blueprint, str | Path) else None
        require_distinct({"out": out}, {"the blueprint": source})
    with at_work(out, listen):
        listen(Progress("reading the blueprint"))
        given, about = with_provenance(blueprint, game=game, threads=threads)
        given.check()
        known = {key: about[key] for key in KEPT if about.get(key) is not None}
        named = {"file": str(blueprint)} if isinstance(blueprint, str | Path) else {}
        result = replace(_refined(given, method, seconds, listen), blueprint=named | known)
        if out is not None:
            result = replace(result, out=str(out))
            result.write(out)
    return result


def _refined(given: Strategy, by: Spec, seconds: float | None, listen: Listener) -> Refined:
    listen(Progress("measuring the blueprint"))
    before = measured(given)
    started = time.perf_counter()
    with interrupts() as asked, time_limit(seconds):
        try:
            better = _catalog.refined(by, given, listen=listen)
        except Interrupted as error:
            if asked() or seconds is None:
                raise
            raise BadParameter(f"seconds={seconds}: too short for {by.text}, {error}") from None
        spent = time.perf_counter() - started
        early = asked() or (seconds is not None and spent >= seconds)
    better.check()
    moved = changed(given.form, given.behaviour, better.behaviour, by=0.0)
    listen(Progress("measuring the refined strategy"))
    return Refined(better, by.text, before, measured(better), spent, moved, {}, early)


def _change(before: float, after: float) -> str:
    if before <= 0 or after <= 0:
        return ""
    more = after >= before
    return f" (× {after / before:.3g})" if more else f" (÷ {before / after:.3g})"
