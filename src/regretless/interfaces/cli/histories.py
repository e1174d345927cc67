"""`histories`: results and statistics of recorded hands, and conversion to other formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from regretless.interfaces.cli import options

if TYPE_CHECKING:
    from regretless.games._betting import PokerRules
    from regretless.interfaces.cli.known import Known
    from regretless.play.histories._check import Checker, Numbering
    from regretless.play.histories.reading import Recorded
    from regretless.play.histories.seen import Unreadable
    from regretless.play.histories.session import Session
    from regretless.play.histories.summary import Summary

MOST_TOLD = 20  # mismatches that are printed; the rest are counted
EVERY = 2_000  # hands between checks of the clock
MISMATCH = 1  # exit code


def histories(
    files: Annotated[
        list[str], typer.Argument(help="logs, .phh, .phhs or PokerStars text files; - is stdin")
    ],
    game: Annotated[
        str | None, typer.Option(help="the game, if the files do not name it: holdem_limit, x.game")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="replay every hand; find duplicate and missing ones")
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="player statistics: VPIP, PFR, 3-bet, …; hold'em only")
    ] = False,
    name: Annotated[
        str | None,
        typer.Option(help="with --stats: also show this player by position and opponent"),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="plot the statistics of --name to this file")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME=FILE: the strategy or built-in agent of a player, to reduce variance"
        ),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="write all hands to this Parquet file")
    ] = None,
    long: Annotated[
        bool, typer.Option("--long", help="with --parquet: one row per player and hand")
    ] = False,
    phh: Annotated[Path | None, typer.Option(help="write all hands to this .phhs file")] = None,
    json_: options.Json = False,
) -> None:
    """Summarise recorded hands: winnings per player with a 95 % confidence interval."""
    from regretless.core.errors import BadParameter
    from regretless.core.interrupts import interrupts
    from regretless.interfaces.cli import history_tables
    from regretless.interfaces.cli.finish import finish
    from regretless.play.rules import rules_of

    if plot is not None and name is None:
        raise BadParameter("--plot needs --name")
    _require(files, {"--parquet": parquet, "--phh": phh, "--plot": plot}, long=long)
    reading = _Reading(files, rules_of(game) if game else None, check, long)
    if stats or name is not None or plot is not None:
        from regretless.play.histories.session import Session

        reading.session = Session(name)
    if known:
        from regretless.interfaces.cli.known import Known

        reading.known = Known(known, game)
    with interrupts() as stopped:
        _into(parquet, lambda table: _into(phh, lambda text: reading.run(table, text, stopped)))
    facts = reading.facts()
    if reading.session is not None:
        _draw(reading.session, plot)
        facts["statistics"] = reading.session.facts()
    finish(
        facts,
        *history_tables.shown(reading),
        as_json=json_,
        written={"parquet": parquet, "phh": phh, "plot": plot},
        interrupted="interrupted: these are the hands read so far" if reading.interrupted else "",
    )
    if reading.wrong or reading.unreadable:
        raise typer.Exit(MISMATCH)


def _require(files: list[str], outputs: Mapping[str, Path | None], *, long: bool) -> None:
    """Refuse outputs that would overwrite something or cannot be written."""
    from regretless.core.errors import BadParameter

    places = [file if file == "-" else str(Path(file).resolve()) for file in files]
    for file, place in zip(files, places, strict=True):
        if places.count(place) > 1:
            raise BadParameter(f"{file} is given twice: its hands would count twice")
    if long and outputs["--parquet"] is None:
        raise BadParameter("--long needs --parquet")
    options.require_outputs(outputs, {f"input {file}": file for file in files if file != "-"})


def _draw(session: Session, plot: Path | None) -> None:
    if session.player is not None:
        session.require(session.player)
    if plot is not None:
        from regretless.play.histories.session import picture

        assert session.player is not None  # refused before any hand was read
        picture(session, session.player, plot)


@dataclass
class _Reading:
    """All files, read hand by hand, and the totals."""

    files: list[str]
    rules: PokerRules | None
    check: bool
    long: bool = False
    known: Known | None = None
    session: Session | None = None
    wrong: int = 0
    unreadable: int = 0
    interrupted: bool = False

    def run(self, table: Path | None, text: Path | None, stopped: Callable[[], bool]) -> None:
        from regretless.interfaces.cli.progress import Count
        from regretless.play.histories.parquet import ParquetWriter
        from regretless.play.histories.summary import Summary

        self.summary: Summary = Summary()
        self._checkers: dict[int, Checker] = {}
        self._numbers: dict[tuple[str, int], Numbering] = {}
        self._sites: set[tuple[str, str, int]] = set()
        with ExitStack() as stack:
            rows = stack.enter_context(ParquetWriter(table, long=self.long)) if table else None
            hands = _PhhFile(stack.enter_context(text.open("w"))) if text else None
            count = stack.enter_context(Count())
            for recorded in self._hands():
                if self.check:
                    self._compare(recorded)
                self.summary.add(recorded.hand, recorded.rules, seen=recorded.seen)
                if self.session is not None:
                    self._study(recorded)
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
            self._missing()
        if self.known is not None:
            self.known.finish()

    def facts(self) -> dict[str, Any]:
        from regretless.interfaces.cli import history_tables

        unit = self.summary.unit
        return {
            "files": self.files,
            "hands": self.summary.hands,
            "unit": unit[0] if unit else None,
            "unit_chips": unit[1] if unit else None,
            "players": [
                {
                    "name": name,
                    **history_tables.numbers(whole, unit),
                    "aivat": self.known.facts(name, unit) if self.known else None,
                    "positions": [
                        {"position": p + 1, **history_tables.numbers(tally, unit)}
                        for p, tally in own.items()
                    ],
                }
                for name, whole, own in self.summary.players()
            ],
            "checked": self.check,
            "mismatches": self.wrong,
            "unreadable": self.unreadable,
            "unknown_results": self.summary.unknown,
            "interrupted": self.interrupted,
        }

    def _hands(self) -> Iterator[Recorded]:
        """All readable hands; the first errors are printed, the rest are counted."""
        from regretless.play.histories.seen import Unreadable

        for one in self._read():
            if isinstance(one, Unreadable):
                self.unreadable += 1
                if self.unreadable <= MOST_TOLD:
                    sys.stderr.write(f"{one}\n")
            else:
                yield one

    def _read(self) -> Iterator[Recorded | Unreadable]:
        from regretless.play.histories.reading import read_history

        for file in self.files:
            if file == "-":
                if isinstance(sys.stdin, TextIOWrapper):  # names in any encoding, as in files
                    sys.stdin.reconfigure(errors="backslashreplace")
                yield from read_history(sys.stdin, rules=self.rules, name="stdin")
            else:
                yield from read_history(file, rules=self.rules)

    def _study(self, recorded: Recorded) -> None:
        from regretless.play.histories.seen import seen_of

        assert self.session is not None
        seen = recorded.seen
        self.session.add(seen or seen_of(recorded.hand, _known(recorded, "--stats")))

    def _compare(self, recorded: Recorded) -> None:
        from regretless.play.histories._check import Checker

        wrong = self._repeated(recorded)
        if wrong is None and recorded.seen is not None:
            rules = self.rules or recorded.seen.rules()  # None if it has antes or late posts
            # Rake is not a mistake, so payoffs of real tables are not compared.
            checker = Checker(rules) if rules is not None else None
            wrong = checker.difference(recorded.hand, payoffs=False) if checker else None
        elif wrong is None:
            rules = _known(recorded, "--check")
            if id(rules) not in self._checkers:
                self._checkers[id(rules)] = Checker(rules)
            wrong = self._checkers[id(rules)].difference(recorded.hand)
        if wrong is not None:
            place = f"{recorded.source}:{recorded.line}" if recorded.line else recorded.source
            self._tell(f"{place}: {wrong}")

    def _repeated(self, recorded: Recorded) -> str | None:
        """A message if this hand number has appeared before in the log or at the table."""
        from regretless.play.histories._check import Numbering

        number, seen = recorded.hand.number, recorded.seen
        if seen is None:
            log = recorded.source, recorded.part
            if log not in self._numbers:
                self._numbers[log] = Numbering()
            fresh = self._numbers[log].add(number)
        else:
            key = (seen.site, seen.table, number)
            fresh = not number or key not in self._sites
            self._sites.add(key)
        return None if fresh else f"hand {number} appears twice"

    def _missing(self) -> None:
        """Report gaps in the numbering of logs."""
        for (source, _), numbers in self._numbers.items():
            for first, last in numbers.missing():
                which = f"hand {first} is" if first == last else f"hands {first} to {last} are"
                self._tell(f"{source}: {which} missing")

    def _tell(self, text: str) -> None:
        self.wrong += 1
        if self.wrong <= MOST_TOLD:
            sys.stderr.write(f"{text}\n")


class _PhhFile:
    """Writes hands one by one; every game has its own writer."""

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


def _known(recorded: Recorded, option: str) -> PokerRules:
    from regretless.core.errors import BadInput

    rules = recorded.rules
    if recorded.seen is not None:
        rules = rules or recorded.seen.rules()
        if rules is None:
            raise BadInput(
                f"{option}: hand {recorded.hand.number} of {recorded.source} has antes, straddles "
                "or late blinds, which our rules do not support"
            )
    if rules is None:
        raise BadInput(f"{option}: {recorded.source} does not name its game: add --game")
    return rules


def _into(path: Path | None, write: Callable[[Path | None], None]) -> None:
    """Write to a temporary file that replaces the real one on success."""
    from regretless.core.files import write_with

    if path is None:
        write(None)
    else:
        write_with(path, write)
