"""Simpler strategies, and what they cost: measured in the game, before and after."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.core.errors import BadParameter, shown
from regretless.core.files import locked, require_distinct, require_writable
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.forms.choice import form_kind
from regretless.forms.form import Form
from regretless.games._catalog import game_file
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.runs import spot_runs
from regretless.runs.refine import Refined
from regretless.runs.solution import Solution
from regretless.strategy import files
from regretless.strategy.purification import Rounding, changed, mixed, rounded
from regretless.strategy.strategy import Strategy

PROVENANCE = ("method", "strategy", "seed", "iterations", "version")


@dataclass(frozen=True, eq=False)
class Purified:
    """A simplified strategy, and its evaluation before and after."""

    strategy: Strategy
    how: Rounding
    before: Evaluation
    after: Evaluation
    changed: int  # decision points whose probabilities changed
    mixed: tuple[int, int]  # decision points with more than one action, before and after
    seconds: float
    source: dict[str, Any]  # how the strategy was made
    out: str | None = None

    @property
    def cost(self) -> float:
        """The increase in exploitability; negative if it fell."""
        return self.after.exploitability - self.before.exploitability

    def facts(self) -> dict[str, Any]:
        """The numbers as JSON-compatible data."""
        form = self.strategy.form
        return {
            "game": form.spec,
            "form": form_kind(form),
            "method": str(self.how),
            "source": self.source,
            "threshold": self.how.threshold,
            "steps": None if self.how.units is None else 1 / self.how.units,
            "before": _measured(form, self.before),
            "after": _measured(form, self.after),
            "cost": self.cost,
            "decision_points": sum(form.sizes.decision_points),
            "changed": self.changed,
            "mixed": list(self.mixed),
            "seconds": self.seconds,
            "version": version("regretless"),
            "out": self.out,
        }

    def save(self, path: str | Path) -> None:
        """Write a strategy file."""
        require_writable(path)
        about = {**self.facts(), "out": None}
        with locked(path):
            if spot_runs.is_spot(self.strategy.form):
                spot_runs.save(path, self.strategy, about, {})
            else:
                files.write(path, self.strategy, about)

    def __repr__(self) -> str:
        before, after = self.before.exploitability, self.after.exploitability
        return (
            f"Purified({self.strategy.form.spec!r}, {str(self.how)!r}, "
            f"exploitability {before:.3g} to {after:.3g})"
        )


def purify(
    strategy: Strategy | Solution | Refined | str | Path,
    *,
    threshold: float | None = None,
    steps: str | float | None = None,
    game: str | Game | Spot | Form | None = None,
    threads: int = 1,
    out: str | Path | None = None,
    listen: Listener = nobody,
) -> Purified:
    """Simplify a strategy or a strategy file, and measure what it costs.

    By default only the most likely action remains at every decision point; with `threshold`
    actions below this probability are dropped; with `steps` probabilities are rounded to steps
    such as "25%". `game` is needed if the name in the file cannot be resolved; `out` is a file
    to write."""
    how = Rounding.of(threshold, steps)
    if out is not None:
        require_writable(out)
        inputs = strategy if isinstance(strategy, str | Path) else None
        require_distinct({"out": out}, {"the strategy": inputs, "the game": game_file(game)})
    started = time.perf_counter()
    found, source = _source(strategy, game, threads, listen)
    listen(Progress("measuring the strategy", done=0.2))
    before = evaluate(found)
    simpler = Strategy.trusted(found.form, rounded(found, how))
    listen(Progress("measuring the simpler strategy", done=0.6))
    after = evaluate(simpler)
    moved = changed(found.form, found.behaviour, simpler.behaviour)
    pair = (mixed(found.form, found.behaviour), mixed(found.form, simpler.behaviour))
    seconds = time.perf_counter() - started
    written = None if out is None else str(out)
    result = Purified(simpler, how, before, after, moved, pair, seconds, source, written)
    if out is not None:
        listen(Progress("writing", done=0.9))
        result.save(out)
    return result


def _source(
    given: Strategy | Solution | Refined | str | Path,
    game: str | Game | Spot | Form | None,
    threads: int,
    listen: Listener,
) -> tuple[Strategy, dict[str, Any]]:
    if isinstance(given, str | Path):
        listen(Progress("loading the strategy"))
        saved = files.read(given)
        found = files.tied(saved, game, threads=threads)
        return found, {"file": Path(given).name, **_provenance(saved.about)}
    if game is not None:
        raise BadParameter("game: only for strategy files; a strategy knows its game")
    if isinstance(given, Solution):
        return given.strategy, _provenance(given.facts())
    if isinstance(given, Refined):
        return given.strategy, _provenance({**given.facts(), "method": given.method})
    if isinstance(given, Strategy):
        return given, {}
    raise BadParameter(
        f"strategy={shown(given)}: must be a Strategy, a Solution, what refine returns or a file"
    )


def _provenance(about: dict[str, Any]) -> dict[str, Any]:
    return {name: about[name] for name in PROVENANCE if name in about}


def _measured(form: Form, found: Evaluation) -> dict[str, Any]:
    spot = spot_runs.in_chips(form, found) if spot_runs.is_spot(form) else {}
    return {
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "values": list(found.values),
        "best_responses": list(found.best_responses),
        "epsilon": list(found.epsilon),
        **spot,
    }
