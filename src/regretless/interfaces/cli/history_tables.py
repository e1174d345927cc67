"""What `histories` prints: winnings and player statistics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from regretless.core.counts import counted
from regretless.interfaces.cli.console import say

if TYPE_CHECKING:
    from regretless.interfaces.cli.histories import _Reading
    from regretless.play.histories.session import Habits, Session
    from regretless.play.histories.summary import Summary, Tally, Unit

MOST_PLAYERS = 30  # in a table: data sets have thousands
HABITS = {
    "vpip": "VPIP",
    "pfr": "PFR",
    "three_bet": "3-bet",
    "aggression": "AF",
    "wtsd": "WTSD",
    "won_at_showdown": "W$SD",
}


def numbers(tally: Tally, unit: Unit | None) -> dict[str, Any]:
    """The numbers of a player, as plain values."""
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


def show(reading: _Reading, written: list[Path]) -> None:
    """Print all tables."""
    summary = reading.summary
    if reading.interrupted:
        say(Text("interrupted: these are the hands read so far", "yellow"))
    say(Text(counted(summary.hands, "hand")))
    if summary.hands:
        tables = [*_tables(summary), *(reading.known.tables(summary) if reading.known else [])]
        for table in tables:
            say(Text(), table)
        say(Text("\n± is half the 95 % interval, assuming independent hands", "dim"))
    if reading.session is not None:
        for table in _habits(reading.session):
            say(Text(), table)
    if summary.hands and summary.unit is None:
        say(Text("chips only: the files do not name the game; add --game", "dim"))
    if summary.unknown:
        told = f"{counted(summary.unknown, 'hand')} with unknown results: not in the winnings"
        say(Text(told, "dim"))
    if reading.unreadable:
        say(Text(f"{counted(reading.unreadable, 'hand')} could not be read"))
    if reading.check:
        say(Text(f"hands that break the rules: {reading.wrong:,}"))
    for path in written:
        say(Text(f"written to {path}"))


def _tables(summary: Summary) -> Iterator[Table]:
    """Players overall, then by position."""
    unit, players = summary.unit, list(summary.players())
    more = ""
    if len(players) > MOST_PLAYERS:  # data sets have thousands: those with most hands
        more = f", {MOST_PLAYERS} of {len(players):,} players"
        often = sorted(players, key=lambda player: -player[1].hands)[:MOST_PLAYERS]
        players = [player for player in players if player in often]
    for title, by_position in (("overall", False), ("by position", True)):
        table = Table(title=title + more, title_justify="left", title_style="bold", box=None)
        table.add_column("player", overflow="fold")
        if by_position:
            table.add_column("position", justify="right")
        columns = ["hands", "chips", "chips/hand", "±"]
        if unit is not None:
            columns += ["milli-antes/hand" if unit[0] == "ante" else "mbb/hand", "±"]
        for column in columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, whole, own in players:
            if not by_position:
                table.add_row(Text(name), *_cells(whole, unit))
                continue
            for index, (position, tally) in enumerate(own.items()):
                shown = Text(name if index == 0 else "")
                table.add_row(shown, str(position + 1), *_cells(tally, unit))
        yield table


def _cells(tally: Tally, unit: Unit | None) -> list[str]:
    cents = 2 if round(tally.total, 2) % 1 else 0  # chips are often cents
    cells = [f"{tally.hands:,}", f"{tally.total:,.{cents}f}"]
    for scale, digits in [(1.0, 3)] + ([(1000 / unit[1], 1)] if unit else []):
        interval = _scaled(tally.interval, scale)
        # Decimals only where they matter, so that the column fits a narrow screen.
        digits = digits if abs(tally.mean * scale) + (interval or 0) < 1000 else 0
        cells.append(f"{tally.mean * scale + 0.0:+,.{digits}f}")
        cells.append("" if interval is None else f"{interval:,.{digits}f}")
    return cells


def _habits(session: Session) -> Iterator[Table]:
    """All players; then one by position and by opponent."""
    names = session.ranked()
    player = session.player or _hero(session)
    rows = [(name, session.players[name]) for name in names[:MOST_PLAYERS]]
    more = f", {MOST_PLAYERS} of {len(names):,}" if len(names) > MOST_PLAYERS else ""
    yield _habit_table(f"player statistics{more}", "player", rows)
    if player is None:
        return
    yield _habit_table(f"{player} by position", "position", list(session.by_position(player)))
    met = sorted(session.opponents.items(), key=lambda pair: (-pair[1].hands, pair[0]))
    if met:
        yield _habit_table(f"{player} by opponent", "opponent", met[:MOST_PLAYERS])


def _hero(session: Session) -> str | None:
    """The player whose client wrote the files, if it is one."""
    return next(iter(session.heroes)) if len(session.heroes) == 1 else None


def _habit_table(title: str, first: str, rows: list[tuple[str, Habits]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    table.add_column(first, overflow="fold")
    for column in ("hands", *HABITS.values(), "bb/100", "±"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, habits in rows:
        facts = habits.facts()
        cells = [f"{facts['hands']:,}"]
        for key in HABITS:
            value = facts[key]
            if value is None:
                cells.append("")
            else:
                cells.append(f"{value:.1f}" if key == "aggression" else f"{100 * value:.0f}%")
        won, half = facts["bb_per_100"], facts["bb_per_100_interval"]
        cells += [
            "" if won is None else f"{won + 0.0:+,.1f}",
            "" if half is None else f"{half:,.1f}",
        ]
        table.add_row(Text(name), *cells)
    return table
