"""Hands played per second, on one core.

A match from its first deal to its score: dealing, querying the agents, settling, writing the log,
counting. The strategy of Leduc hold'em is an equilibrium that mixes at most decisions."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import NamedTuple

from benchmarks._report import Row
from benchmarks._timing import Work, progress, rates
from regretless.play.match_run import Match
from regretless.runs.solve import solve

SOLVED = "an equilibrium"


class Case(NamedTuple):
    """Who plays what, hands per repetition, and the target."""

    game: str
    agent: str
    hands: int
    least: float = 0.0  # hands per second
    logged: bool = True
    players: int = 2


CASES = {
    "Leduc, solved": Case("leduc", SOLVED, 20_000, 50_000),
    "Leduc, solved, without log": Case("leduc", SOLVED, 20_000, logged=False),
    "Leduc, random": Case("leduc", "random", 20_000),
    "limit hold'em, random": Case("holdem_limit", "random", 5000, 10_000),
    "no-limit hold'em, random": Case("holdem_nolimit", "random", 2000),
    "no-limit hold'em, six players": Case("holdem_nolimit:players=6", "random", 1000, players=6),
}


def measure() -> list[Row]:
    """Hands per second of every case."""
    with tempfile.TemporaryDirectory() as folder:
        progress("solving Leduc")
        solve("leduc", target=1e-5, out=Path(folder) / "solved")
        progress("playing")
        speeds = rates({what: _match(case, Path(folder)) for what, case in CASES.items()})
    return [_row(what, case, case.hands * speeds[what]) for what, case in CASES.items()]


def _match(case: Case, folder: Path) -> Work:
    agent = str(folder / "solved") if case.agent is SOLVED else case.agent
    match = Match(game=case.game, agents=(agent,) * case.players, hands=case.hands)
    log = folder / "log"

    def work(count: int) -> None:
        for _ in range(count):
            match.run(log=log if case.logged else None)
            log.unlink(missing_ok=True)

    return work


def _row(what: str, case: Case, per_s: float) -> Row:
    aim = (f"> {case.least:,.0f}", per_s > case.least) if case.least else ("", None)
    return Row(what, float(f"{per_s:.3g}"), "hands/s", {}, *aim)
