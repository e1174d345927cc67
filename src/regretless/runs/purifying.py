"""Simpler strategies, and what they cost: measured in the game, before and after."""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.core.files import require_distinct, require_writable
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Table
from regretless.evaluation.exploitability import Evaluation, evaluate
from regretless.forms.choice import form_kind
from regretless.games._catalog import game_file
from regretless.runs import spot_runs
from regretless.runs.opening import GameLike, Openable, with_provenance
from regretless.runs.solution import Written
from regretless.strategy import files
from regretless.strategy.purification import Rounding, changed, mixed, rounded
from regretless.strategy.strategy import Strategy

PROVENANCE = ("method", "strategy", "seed", "iterations", "version")


@dataclass(frozen=True, eq=False)
class Purified(Written):
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
            "before": spot_runs.facts(form, self.before),
            "after": spot_runs.facts(form, self.after),
            "cost": self.cost,
            "decision_points": sum(form.sizes.decision_points),
            "changed": self.changed,
            "mixed": list(self.mixed),
            "seconds": self.seconds,
            "version": version("regretless"),
            "out": self.out,
        }

    def tables(self) -> list[Table]:
        """Before and after."""
        form = self.strategy.form
        before, after = spot_runs.facts(form, self.before), spot_runs.facts(form, self.after)
        rows: list[tuple[str, str, str, str]] = []

        def add(name: str, old: float, new: float, digits: str) -> None:
            rows.append((name, f"{old:z{digits}}", f"{new:z{digits}}", f"{new - old:+z{digits}}"))

        add("exploitability", before["exploitability"], after["exploitability"], ".6g")
        if "ev" in before:
            percent = f"% of {before['percent_of']}"
            add(percent, before["exploitability_percent"], after["exploitability_percent"], ".4g")
            for name, old, new in zip(
                ("EV out of position", "EV in position"), before["ev"], after["ev"], strict=True
            ):
                add(name, old, new, ".3f")
        else:
            for name, key, digits in (("value", "values", ".6f"), ("epsilon", "epsilon", ".6g")):
                pairs = zip(before[key], after[key], strict=True)
                for player, (old, new) in enumerate(pairs, start=1):
                    add(f"{name} of player {player}", old, new, digits)
        old, new = self.mixed
        rows.append(("mixed decision points", f"{old:,}", f"{new:,}", f"{new - old:+,}"))
        return [Table(f"{form.spec}: {self.how}", ("", "before", "after", "change"), rows)]

    def write(self, path: str | Path) -> None:
        about = {**self.facts(), "out": None}
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
    strategy: Openable,
    *,
    threshold: float | None = None,
    steps: str | float | None = None,
    game: GameLike | None = None,
    threads: int = 1,
    out: str | Path | None = None,
    listen: Listener = nobody,
) -> Purified:
    """Simplify a strategy of any kind, and measure what it costs.

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
    listen(Progress("loading the strategy"))
    opened, about = with_provenance(strategy, game=game, threads=threads)
    source = {"file": Path(strategy).name} if isinstance(strategy, str | Path) else {}
    source |= {name: about[name] for name in PROVENANCE if name in about}
    listen(Progress("measuring the strategy", done=0.2))
    before = evaluate(opened)
    simpler = Strategy.trusted(opened.form, rounded(opened, how))
    listen(Progress("measuring the simpler strategy", done=0.6))
    after = evaluate(simpler)
    moved = changed(opened.form, opened.behaviour, simpler.behaviour)
    pair = (mixed(opened.form, opened.behaviour), mixed(opened.form, simpler.behaviour))
    seconds = time.perf_counter() - started
    written = None if out is None else str(out)
    result = Purified(simpler, how, before, after, moved, pair, seconds, source, written)
    if out is not None:
        listen(Progress("writing", done=0.9))
        result.save(out)
    return result
