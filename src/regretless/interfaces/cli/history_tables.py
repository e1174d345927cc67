"""What `histories` prints: winnings and player statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from regretless.core.counts import counted
from regretless.core.tables import Column, Table, prose

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
HABIT_FORMATS = {"aggression": ".1f"}


def numbers(tally: Tally, unit: Unit | None) -> dict[str, Any]:
    """The numbers of a player, as plain values."""
    scale = 1000 / unit[1] if unit else None
    return {
        "hands": tally.hands,
        "chips": tally.total,
        "chips_per_hand": tally.mean,
        "chips_per_hand_half_width": tally.interval,
        "milli_units_per_hand": tally.mean * scale if scale else None,
        "milli_units_per_hand_half_width": _scaled(tally.interval, scale),
    }


def _scaled(value: float | None, scale: float | None) -> float | None:
    return value * scale if value is not None and scale else None


def shown(reading: _Reading) -> Iterator[str | Table]:
    """All tables, and what else there is to say."""
    summary = reading.summary
    yield counted(summary.hands, "hand")
    if summary.hands:
        for table in [*_tables(summary), *(reading.known.tables(summary) if reading.known else [])]:
            yield from ("", table)
        yield "\n± is half the 95 % interval, assuming independent hands"
    if reading.session is not None:
        for table in _habits(reading.session):
            yield from ("", table)
    if summary.hands and summary.unit is None:
        yield "chips only: the files do not name the game; add --game"
    if summary.unknown:
        yield f"{counted(summary.unknown, 'hand')} with unknown results: not in the winnings"
    if reading.unreadable:
        yield f"{counted(reading.unreadable, 'hand')} could not be read"
    if reading.check:
        yield f"hands that break the rules: {reading.wrong:,}"


def unit_name(unit: Unit) -> str:
    """The head of a column of results in thousandths."""
    return "milli-antes/hand" if unit[0] == "ante" else "mbb/hand"


def _tables(summary: Summary) -> Iterator[Table]:
    """Players overall, then by position."""
    unit, players = summary.unit, list(summary.players())
    more = ""
    if len(players) > MOST_PLAYERS:  # data sets have thousands: those with most hands
        more = f", {MOST_PLAYERS} of {len(players):,} players"
        often = sorted(players, key=lambda player: -player[1].hands)[:MOST_PLAYERS]
        players = [player for player in players if player in often]
    columns = ["hands", "chips", "chips/hand", "±", *([unit_name(unit), "±"] if unit else [])]
    overall = [(name, *_cells(whole, unit)) for name, whole, _ in players]
    yield Table("overall" + more, ["player", *columns], overall)
    by_position = [
        (name if index == 0 else "", position + 1, *_cells(tally, unit))
        for name, _, own in players
        for index, (position, tally) in enumerate(own.items())
    ]
    yield Table("by position" + more, ["player", "position", *columns], by_position)


def _cells(tally: Tally, unit: Unit | None) -> list[str | None]:
    cents = 2 if round(tally.total, 2) % 1 else 0  # chips are often cents
    cells: list[str | None] = [f"{tally.hands:,}", f"{tally.total:,.{cents}f}"]
    for scale, digits in [(1.0, 3)] + ([(1000 / unit[1], 1)] if unit else []):
        interval = _scaled(tally.interval, scale)
        # Decimals only where they matter, so that the column fits a narrow screen.
        digits = digits if abs(tally.mean * scale) + (interval or 0) < 1000 else 0
        cells.append(f"{tally.mean * scale + 0.0:+,.{digits}f}")
        cells.append(None if interval is None else f"{interval:,.{digits}f}")
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
    columns = (
        prose(first),
        Column("hands"),
        *(Column(name, HABIT_FORMATS.get(key, ".0%")) for key, name in HABITS.items()),
        Column("bb/100", "+z,.1f"),
        Column("±", ",.1f"),
    )
    keys = ("hands", *HABITS, "bb_per_100", "bb_per_100_half_width")
    every = [(name, habits.facts()) for name, habits in rows]
    return Table(title, columns, [(name, *(facts[key] for key in keys)) for name, facts in every])
