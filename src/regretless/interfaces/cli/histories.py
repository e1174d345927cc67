"""`histories`: what the hands of logs and PHH files add up to, and the same hands elsewhere."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from regretless.games._betting import PokerRules
    from regretless.interfaces.cli.known import Known
    from regretless.play.histories._check import Checker
    from regretless.play.histories.reading import Recorded
    from regretless.play.histories.summary import Summary, Tally

MOST_TOLD = 20  # mismatches: the rest is counted
PATIENCE_S = 2.0  # before progress is shown
EVERY = 2_000  # hands between looks at the clock
MISMATCH, INTERRUPTED = 1, 130  # exit codes


def histories(
    files: Annotated[list[str], typer.Argument(help="logs, .phh or .phhs files; - is stdin")],
    game: Annotated[
        str | None, typer.Option(help="the game, if the files do not tell: holdem_limit, x.game")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="replay every hand by the rules")] = False,
    known: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=FILE: this player plays that strategy, or a built-in agent: take out noise"
        ),
    ] = None,
    parquet: Annotated[Path | None, typer.Option(help="write a table of all hands here")] = None,
    phh: Annotated[Path | None, typer.Option(help="write all hands here, as .phhs")] = None,
    json_: Annotated[bool, typer.Option("--json", help="print facts as one JSON object")] = False,
) -> None:
    """Sum up recorded hands. Who has won how much, and how sure is that?"""
    from regretless.core.files import require_writable
    from regretless.core.interrupts import interrupts
    from regretless.play.rules import rules_of

    for path in (parquet, phh):
        if path is not None:
            require_writable(path)
    reading = _Reading(files, rules_of(game) if game else None, check)
    if known:
        from regretless.interfaces.cli.known import Known

        reading.known = Known(known, game)
    with interrupts() as stopped:
        _into(parquet, lambda table: _into(phh, lambda text: reading.run(table, text, stopped)))
    facts = reading.facts() | {
        "parquet": str(parquet) if parquet else None,
        "phh": str(phh) if phh else None,
    }
    if json_:
        sys.stdout.write(json.dumps(facts) + "\n")
    else:
        _show(reading, [path for path in (parquet, phh) if path is not None])
    if reading.interrupted:
        raise typer.Exit(INTERRUPTED)
    if reading.wrong:
        raise typer.Exit(MISMATCH)


@dataclass
class _Reading:
    """All files, hand after hand, and what was found in them."""

    files: list[str]
    rules: PokerRules | None
    check: bool
    known: Known | None = None
    wrong: int = 0
    interrupted: bool = False

    def run(self, table: Path | None, text: Path | None, stopped: Callable[[], bool]) -> None:
        from regretless.play.histories.parquet import ParquetWriter
        from regretless.play.histories.summary import Summary

        self.summary: Summary = Summary()
        self._checkers: dict[int, Checker] = {}
        with ExitStack() as stack:
            rows = stack.enter_context(ParquetWriter(table)) if table else None
            hands = _PhhFile(stack.enter_context(text.open("w"))) if text else None
            count = stack.enter_context(_Count())
            for recorded in self._hands():
                if self.check:
                    self._compare(recorded)
                self.summary.add(recorded.hand, recorded.rules)
                if self.known is not None:
                    self.known.add(recorded)
                if rows is not None:
                    rows.add(recorded.hand, recorded.source)
                if hands is not None:
                    hands.add(recorded)
                if self.summary.hands % EVERY == 0:
                    count.show(self.summary.hands, recorded.expected)
                    if stopped():
                        self.interrupted = True
                        break
        if self.known is not None:
            self.known.finish()

    def facts(self) -> dict[str, Any]:
        unit = self.summary.unit
        return {
            "files": self.files,
            "hands": self.summary.hands,
            "unit": unit[0] if unit else None,
            "unit_chips": unit[1] if unit else None,
            "players": [
                {
                    "name": name,
                    **_numbers(whole, unit),
                    "less_noise": self.known.facts(name, unit) if self.known else None,
                    "positions": [
                        {"position": p + 1, **_numbers(tally, unit)} for p, tally in own.items()
                    ],
                }
                for name, whole, own in self.summary.players()
            ],
            "checked": self.check,
            "mismatches": self.wrong,
            "interrupted": self.interrupted,
        }

    def _hands(self) -> Iterator[Recorded]:
        from regretless.play.histories.reading import read_history

        for file in self.files:
            if file == "-":
                if isinstance(sys.stdin, TextIOWrapper):  # names in any encoding, as in files
                    sys.stdin.reconfigure(errors="backslashreplace")
                yield from read_history(sys.stdin, rules=self.rules, name="stdin")
            else:
                yield from read_history(file, rules=self.rules)

    def _compare(self, recorded: Recorded) -> None:
        from regretless.play.histories._check import Checker

        rules = _known(recorded, "--check")
        if id(rules) not in self._checkers:
            self._checkers[id(rules)] = Checker(rules)
        wrong = self._checkers[id(rules)].difference(recorded.hand)
        if wrong is None:
            return
        self.wrong += 1
        if self.wrong <= MOST_TOLD:
            place = f"{recorded.source}:{recorded.line}" if recorded.line else recorded.source
            sys.stderr.write(f"{place}: {wrong}\n")


class _PhhFile:
    """Hands written one after another; every game has its own writer."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.hands = 0
        self._rules: PokerRules | None = None

    def add(self, recorded: Recorded) -> None:
        from regretless.play.histories.phh import PhhWriter

        rules = _known(recorded, "--phh")
        if rules is not self._rules:
            self._rules, self._writer = rules, PhhWriter(rules)
        self.hands += 1
        self.stream.write(f"[{self.hands}]\n{self._writer.write(recorded.hand)}\n")


class _Count:
    """Hands so far on stderr, once reading takes long and somebody is watching."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.drawn = False

    def __enter__(self) -> _Count:
        return self

    def show(self, hands: int, expected: int) -> None:
        taken = time.monotonic() - self.started
        if taken > PATIENCE_S and sys.stderr.isatty():
            of = f" of {expected:,}" if expected >= hands else ""
            sys.stderr.write(f"\r{hands:,}{of} hands  {hands / taken:,.0f}/s ")
            sys.stderr.flush()
            self.drawn = True

    def __exit__(self, *_: object) -> None:
        if self.drawn:
            sys.stderr.write("\r\x1b[K")


def _known(recorded: Recorded, option: str) -> PokerRules:
    from regretless.core.errors import BadInput

    if recorded.rules is None:
        raise BadInput(f"{option}: {recorded.source} does not tell its game: needed is --game")
    return recorded.rules


def _into(path: Path | None, write: Callable[[Path | None], None]) -> None:
    """Write beside the file, which is replaced when all went well."""
    from regretless.core.files import write_with

    if path is None:
        write(None)
    else:
        write_with(path, write)


def _numbers(tally: Tally, unit: tuple[str, int] | None) -> dict[str, Any]:
    scale = 1000 / unit[1] if unit else None
    return {
        "hands": tally.hands,
        "chips": tally.total,
        "chips_per_hand": tally.mean,
        "chips_per_hand_interval": tally.interval,
        "milli_units_per_hand": tally.mean * scale if scale else None,
        "milli_units_per_hand_interval": _scaled(tally.interval, scale),
    }


def _scaled(value: float | None, scale: float | None) -> float | None:
    return value * scale if value is not None and scale else None


def _show(reading: _Reading, written: list[Path]) -> None:
    from rich.console import Console

    console, summary = Console(), reading.summary
    if reading.interrupted:
        console.print("interrupted: these are the hands read so far", style="yellow")
    console.print(f"{summary.hands:,} hands", highlight=False)
    if summary.hands:
        tables = [*_tables(summary), *(reading.known.tables(summary) if reading.known else [])]
        for table in tables:
            console.print()
            console.print(table)
        console.print()
        console.print("± is half a 95 % interval, hands taken as independent", style="dim")
    if summary.hands and summary.unit is None:
        console.print("chips only: the files do not tell one game, --game does", style="dim")
    if reading.check:
        console.print(f"{reading.wrong:,} hands differ from the rules", highlight=False)
    for path in written:
        console.print(f"written to {path}", markup=False, highlight=False)


def _tables(summary: Summary) -> Iterator[Table]:
    """Players in all, then by position."""
    from rich.table import Table
    from rich.text import Text

    unit = summary.unit
    for title, by_position in (("in all", False), ("by position", True)):
        table = Table(title=title, title_justify="left", title_style="bold", box=None)
        table.add_column("player", overflow="fold")
        if by_position:
            table.add_column("position", justify="right")
        columns = ["hands", "chips", "chips/hand", "±"]
        if unit is not None:
            columns += ["milli-antes/hand" if unit[0] == "ante" else "mbb/hand", "±"]
        for column in columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, whole, own in summary.players():
            if not by_position:
                table.add_row(Text(name), *_cells(whole, unit))
                continue
            for index, (position, tally) in enumerate(own.items()):
                shown = Text(name if index == 0 else "")
                table.add_row(shown, str(position + 1), *_cells(tally, unit))
        yield table


def _cells(tally: Tally, unit: tuple[str, int] | None) -> list[str]:
    cells = [f"{tally.hands:,}", f"{tally.total:,.0f}"]
    for scale, digits in [(1.0, 3)] + ([(1000 / unit[1], 1)] if unit else []):
        interval = _scaled(tally.interval, scale)
        # Decimals where they tell something, and a column that fits a narrow screen.
        digits = digits if abs(tally.mean * scale) + (interval or 0) < 1000 else 0
        cells.append(f"{tally.mean * scale + 0.0:+,.{digits}f}")
        cells.append("" if interval is None else f"{interval:,.{digits}f}")
    return cells
