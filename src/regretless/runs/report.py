"""One spot on many flops: frequencies, EV and equity per flop.

Every flop is a separate unit of work (`units`). Finished flops are written to a journal
immediately, so that an interrupted report continues where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.cards.equities import equity
from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError
from regretless.core.files import locked, require_writable, write_atomically
from regretless.core.interrupts import heard
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.tables import Shown, Table
from regretless.evaluation.spot_values import SpotView
from regretless.games._flops import Flop, flops_of, on_flop
from regretless.games._lines import move_names, read_line
from regretless.games._spot import Spot
from regretless.games._spot_files import parse_spot, read_spot, to_toml
from regretless.games._state import Game
from regretless.runs.limits import Limits, Stop
from regretless.runs.solve import solve
from regretless.runs.units import Done, Runner, local

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TARGET = "0.5%"
ITERATIONS = 1000  # with rake a target may never be reached
FORMAT = "regretless report 1"
ENDING = ".boards.jsonl"


@dataclass(frozen=True)
class Line:
    """A decision on a flop: how often it is reached, and how often each action is taken."""

    line: str
    reach: float
    frequencies: tuple[float, ...]  # nan if it is never reached


@dataclass(frozen=True)
class Row:
    """A solved flop; pairs are out of position first."""

    board: str
    weight: float  # share of all deals
    ev: tuple[float, float]  # chips, the pot included; with ICM prizes won
    equity: tuple[float, float]
    exploitability: float
    iterations: int
    seconds: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, eq=False)
class Report(Shown):
    """The solved flops, in order of weight."""

    spot: Spot
    lines: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]  # [line]
    rows: tuple[Row, ...]
    wanted: int  # flops requested
    journal: str | None

    @property
    def is_complete(self) -> bool:
        return len(self.rows) == self.wanted

    def mean(self, values: Sequence[float], weights: Sequence[float] = ()) -> float:
        """Weighted mean over the flops; nan is skipped."""
        given = np.array(values, dtype=np.float64)
        share = np.array(weights or [row.weight for row in self.rows], dtype=np.float64)
        kept = np.isfinite(given) & (share > 0)
        return float(share[kept] @ given[kept] / share[kept].sum()) if kept.any() else float("nan")

    @property
    def ev(self) -> tuple[float, float]:
        """Of both players, over all flops."""
        return self.mean([r.ev[0] for r in self.rows]), self.mean([r.ev[1] for r in self.rows])

    @property
    def equity(self) -> tuple[float, float]:
        """Of both players, over all flops."""
        first = self.mean([row.equity[0] for row in self.rows])
        return first, 1 - first

    def frequencies(self, number: int) -> tuple[float, ...]:
        """Of every action of a line, over all flops, weighted by how often it is reached."""
        weights = [row.weight * row.lines[number].reach for row in self.rows]
        columns = range(len(self.actions[number]))
        return tuple(
            self.mean([row.lines[number].frequencies[c] for row in self.rows], weights)
            for c in columns
        )

    def facts(self) -> dict[str, Any]:
        """The numbers over all flops as JSON-compatible data."""
        return {
            "flops": len(self.rows),
            "wanted": self.wanted,
            "pot": self.spot.pot,
            "ev": _plain(self.ev),
            "equity": _plain(self.equity),
            "exploitability": _plain([max(r.exploitability for r in self.rows)])[0]
            if self.rows
            else None,
            "lines": [
                {
                    "line": line,
                    "reach": _plain([self.mean([row.lines[n].reach for row in self.rows])])[0],
                    "frequencies": dict(
                        zip(self.actions[n], _plain(self.frequencies(n)), strict=True)
                    ),
                }
                for n, line in enumerate(self.lines)
            ],
            "journal": self.journal,
        }

    def tables(self) -> list[Table]:
        """Kinds of flops, then the flops with the largest weights."""
        from regretless.runs.report_tables import tables

        return tables(self)

    def write(self, path: str | Path) -> None:
        """A Parquet table, one row per flop."""
        from regretless.runs.report_tables import write_parquet

        write_parquet(self, path)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Frequencies, EV and equity, flop by flop; written to a file if one is named."""
        from regretless.runs.report_tables import picture

        return picture(self, path)


def report(
    spot: str | Path | Spot | Game,
    *,
    flops: str | int | Path = "all",
    at: Sequence[str] = ("",),
    target: str | float = TARGET,
    iterations: int = ITERATIONS,
    method: str | None = None,
    out: str | Path | None = None,
    processes: int | None = None,
    runner: Runner | None = None,
    listen: Listener = nobody,
) -> Report:
    """Solve a flop spot on many flops; its own board does not matter.

    `flops` is `all`, a number of them or a file with one per line; `at` are the decisions to
    report; `target` is in chips, or in percent of the pot. Finished flops are kept in the
    journal `out` + `.boards.jsonl`, if a file is named. After Ctrl-C the report has the
    flops finished so far. `runner` runs the work elsewhere than in local processes."""
    opened = _spot(spot)
    goal = opened.chips(target)
    Limits(target=goal, iterations=iterations)
    lines = tuple(at)
    actions = tuple(_actions(opened, line) for line in lines)
    run = runner or local(processes)
    chosen = sorted(flops_of(opened, flops), key=lambda flop: -flop.weight)
    asked = {"at": lines, "target": goal, "iterations": iterations, "method": method}
    if out is not None:
        require_writable(out)
    with nullcontext() if out is None else locked(f"{out}{ENDING}"):
        journal = _Journal.open(out, opened, asked)
        missing = [flop for flop in chosen if flop.name not in journal.done]
        units = [json.dumps({**asked, "spot": to_toml(on_flop(opened, f.cards))}) for f in missing]
        try:
            _work(run, missing, units, journal, len(chosen), listen)
        except KeyboardInterrupt:  # the report has the finished flops
            heard()
    rows = [_row(flop, journal.done[flop.name]) for flop in chosen if flop.name in journal.done]
    return Report(opened, lines, actions, tuple(rows), len(chosen), journal.name)


def solve_flop(unit: str) -> str:
    """One unit of work: the spot, the lines to report and the limits as JSON; so is the result."""
    asked = json.loads(unit)
    spot = parse_spot(asked["spot"])
    solution = solve(
        spot, method=asked["method"], target=asked["target"], iterations=asked["iterations"]
    )
    if solution.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    if solution.stop is Stop.FAILED:
        raise RegretlessError(solution.failure)
    view, shares = SpotView.of(solution.strategy), equity(*spot.ranges, spot.board)
    half = 0.0 if spot.rules.utility is not None else spot.rules.dead / 2
    points = [view.at(line) for line in asked["at"]]
    return json.dumps(
        {
            "ev": [value + half for value in solution.values],
            "equity": [shares.first, shares.second],
            "exploitability": solution.exploitability,
            "iterations": solution.iterations,
            "seconds": solution.seconds,
            "lines": [[point.line, point.reach, _plain(point.frequencies)] for point in points],
        }
    )


def _spot(given: str | Path | Spot | Game) -> Spot:
    if isinstance(given, Spot):
        return given
    if isinstance(given, Game):
        if given.spot is None:
            raise BadInput(f"game {given.spec} is not a spot")
        spot: Spot = given.spot
        return spot
    if not str(given).endswith(".toml"):
        raise BadFile(given, "not a spot: must be a file that ends in .toml")
    return read_spot(given)


def _actions(spot: Spot, line: str) -> tuple[str, ...]:
    """The actions at a line of the flop."""
    betting, cards = read_line(spot.rules, spot.board, line)
    if betting.over or betting.round or any(cards):
        raise BadParameter(f"line {line!r}: must be a decision on the flop")
    return move_names(betting)


def _work(
    run: Runner,
    missing: Sequence[Flop],
    units: Sequence[str],
    journal: _Journal,
    wanted: int,
    listen: Listener,
) -> None:
    started, before = time.perf_counter(), wanted - len(missing)
    listen(Progress(f"{before:,} of {wanted:,} flops", done=before / wanted))
    results = run(solve_flop, units)
    for count, done in enumerate(results, start=1):
        name = missing[done.number].name
        if done.error:
            raise RegretlessError(f"{name}: {done.error}")
        journal.add(name, done)
        spent = time.perf_counter() - started
        listen(
            Progress(
                f"{before + count:,} of {wanted:,} flops",
                done=(before + count) / wanted,
                seconds_left=spent / count * (len(missing) - count),
            )
        )


class _Journal:
    """The finished flops: a header line, then one line per flop."""

    def __init__(self, path: Path | None, done: dict[str, Mapping[str, Any]]) -> None:
        self.path, self.done = path, done

    @property
    def name(self) -> str | None:
        return None if self.path is None else str(self.path)

    @classmethod
    def open(cls, out: str | Path | None, spot: Spot, asked: Mapping[str, Any]) -> _Journal:
        if out is None:
            return cls(None, {})
        path = Path(f"{out}{ENDING}")
        head = {"format": FORMAT, "spot": _fingerprint(spot), **asked, "at": list(asked["at"])}
        if not path.exists():
            write_atomically(path, json.dumps(head).encode() + b"\n")
            return cls(path, {})
        try:
            whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
            lines = [json.loads(line) for line in whole.splitlines()]
        except (OSError, ValueError):
            raise BadFile(path, "damaged: delete it, or name another file by out") from None
        if not lines or lines[0] != head:
            raise BadFile(
                path, "belongs to another spot or other options: delete it, or name another file"
            )
        # A truncated line is re-solved.
        with path.open("r+b") as stream:
            stream.truncate(len(f"{whole}\n".encode()))
        try:
            return cls(path, {line["board"]: line for line in lines[1:]})
        except (KeyError, TypeError):
            raise BadFile(path, "damaged: delete it, or name another file by out") from None

    def add(self, board: str, done: Done) -> None:
        """Keep a flop, on disk if there is a file."""
        result = {"board": board, **json.loads(done.result)}
        self.done[board] = result
        if self.path is not None:
            with self.path.open("ab") as stream:
                stream.write(json.dumps(result).encode() + b"\n")
                stream.flush()
                os.fsync(stream.fileno())


def _fingerprint(spot: Spot) -> str:
    """A digest of everything but the board, which differs between flops."""
    given = {name: value for name, value in spot.given.items() if name != "board"}
    text = to_toml(Spot(spot.board, spot.rules, spot.ranges, spot.pot, spot.locks, given))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _row(flop: Flop, done: Mapping[str, Any]) -> Row:
    lines = [
        Line(line, reach, tuple(float("nan") if f is None else f for f in frequencies))
        for line, reach, frequencies in done["lines"]
    ]
    return Row(
        board=flop.name,
        weight=flop.weight,
        ev=tuple(done["ev"]),
        equity=tuple(done["equity"]),
        exploitability=done["exploitability"],
        iterations=done["iterations"],
        seconds=done["seconds"],
        lines=tuple(lines),
    )


def _plain(values: Sequence[float]) -> list[float | None]:
    """JSON has no nan."""
    return [float(value) if isfinite(value) else None for value in values]
