"""Matches over the loopback interface with the ACPC protocol.

The dealer and two agents are three processes; hands are counted from the first line in the log to
the score. The lines below show the dealer and the client alone, without sockets: each is fed the
recorded replies or states of such a match. The reference dealer, written in C, plays about 3,300
hands/s of limit hold'em on such a machine, with clients in C."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._report import Row
from benchmarks._timing import all_cores, progress, rates
from regretless.interfaces.acpc.client import Player
from regretless.interfaces.acpc.dealer import Dealer
from regretless.interfaces.acpc.protocol import write_version
from regretless.play.agents._catalog import agent
from regretless.play.fixture import Fixture
from regretless.play.rules import rules_of

HANDS = 10_000
REPETITIONS = 3
SCRIPTED = 5_000  # hands that are replayed without sockets
GAME = "holdem_limit"
LEAST = 1000.0
MATCHES = (
    (GAME, "random", f"> {LEAST:,.0f}"),
    (GAME, "always-call", ""),
    ("holdem_nolimit", "random", ""),
    ("leduc", "random", ""),
)


def measure() -> list[Row]:
    """Hands per second: whole matches, then each side alone."""
    rows = []
    for game, name, target in MATCHES:
        best = max(_match(game, name) for _ in range(REPETITIONS))
        met = best > LEAST if target else None
        rows.append(
            Row(f"{game}: two of {name}, three processes", best, "hands/s", {}, target, met)
        )
    return [*rows, *_alone()]


def _match(game: str, name: str) -> float:
    """Hands per second of one match."""
    progress(f"{HANDS:,} hands of {game}, {name}")
    with all_cores(), tempfile.TemporaryDirectory() as folder:
        dealer = _command(folder, "dealer", "m", game, str(HANDS), "42", "a", "b", "-q")
        assert dealer.stdout is not None
        ports = dealer.stdout.readline().split()
        agents = [
            _command(folder, "agent", "127.0.0.1", port, "--builtin", name, "--game", game)
            for port in ports
        ]
        log = Path(folder) / "m.log"
        empty = log.stat().st_size
        while log.stat().st_size == empty and dealer.poll() is None:
            time.sleep(0.001)
        started, before = time.perf_counter(), log.read_bytes().count(b"STATE:")
        dealer.stdout.read()
        taken_s = time.perf_counter() - started
        for process in (dealer, *agents):
            process.communicate()
            if process.returncode:
                raise RuntimeError(f"{process.args!r} ended with {process.returncode}")
    return (HANDS - before) / taken_s


def _command(folder: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "regretless", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _alone() -> list[Row]:
    """Each side of a match, without the other and without sockets."""
    progress("each side alone")
    rules = rules_of(GAME)
    match = Fixture(name="m", game=GAME, rules=rules, hands=SCRIPTED, seed=42, names=("a", "b"))
    script: list[tuple[int, bytes, bytes]] = []  # seat, messages to it, its replies
    agents = [agent("random", rules, seed=seat) for seat in range(2)]

    def played(times: int) -> None:
        for _ in range(times):
            replies = iter(script)
            dealer = _begun(match)
            while dealer.end is None:
                dealer.out[dealer.waiting].clear()
                dealer.receive(dealer.waiting, next(replies)[2], 0.0)

    def answered(times: int) -> None:
        for _ in range(times):
            players = [Player(rules, each) for each in agents]
            for seat, told, _ in script:
                players[seat].receive(told)

    players = [Player(rules, each) for each in agents]
    dealer = _begun(match)
    while dealer.end is None:
        seat = dealer.waiting
        told, dealer.out[seat] = b"".join(dealer.out[seat]), []
        script.append((seat, told, players[seat].receive(told)))
        dealer.receive(seat, script[-1][2], 0.0)
    per_s = rates({"dealer": played, "clients": answered}, repetitions=REPETITIONS)
    return [
        Row(f"{GAME}: the dealer alone, no sockets", SCRIPTED * per_s["dealer"], "hands/s"),
        Row(f"{GAME}: both clients alone, no sockets", SCRIPTED * per_s["clients"], "hands/s"),
    ]


def _begun(match: Fixture) -> Dealer:
    dealer = Dealer(match)
    dealer.begin(0.0, start_s=1.0)
    for seat in range(len(match.names)):
        dealer.receive(seat, write_version(), 0.0)
    return dealer
