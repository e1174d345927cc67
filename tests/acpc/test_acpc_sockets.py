"""Dealer and clients over real sockets: whole matches, and clients that misbehave."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from acpc_text import write_rules
from children import SOON
from driving import GAMES, KUHN_3P, LEDUC, NO_LIMIT_2P, make_match, opened

from regretless.core.errors import BadInput, BadParameter
from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.client import play
from regretless.interfaces.acpc.dealer import Dealer, End
from regretless.interfaces.acpc.protocol import LONGEST
from regretless.interfaces.acpc.server import Server, listen
from regretless.play.agents._agent import Agent
from regretless.play.agents._catalog import agent
from regretless.play.fixture import Fixture as Match
from regretless.play.fixture import Limits
from regretless.play.histories.acpc_log import read_log, write_hand
from regretless.play.match import play_match
from regretless.play.records import Hand
from regretless.play.table import View

VERSION = b"VERSION:2.0.0\r\n"
LOCAL = "127.0.0.1"


class Running:
    """A server in a thread of its own."""

    def __init__(
        self, match: Match, path: Path, *, start_s: float = 20.0, forfeit: bool = False
    ) -> None:
        self.log = opened(match, path)
        self.dealer = Dealer(match, forfeit=forfeit, quiet=True)
        self.told: list[bytes] = []
        self.server = Server(self.dealer, self.log, tell=self.told.append)
        listeners = listen(LOCAL, [0] * len(match.names))
        self.ports = [each.getsockname()[1] for each in listeners]
        self.threads = [
            threading.Thread(target=self.server.run, args=(listeners,), kwargs={"start_s": start_s})
        ]
        self.failures: list[BaseException] = []
        self.threads[0].start()

    def seat(self, number: int, work: Callable[..., object], *given: object) -> None:
        """Let a client play in a thread; it gets its port."""

        def run() -> None:
            try:
                work(self.ports[number], *given)
            except BaseException as error:
                self.failures.append(error)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()

    def end(self) -> End | None:
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()
        assert not self.failures
        return self.dealer.end


def plays(rules: PokerRules, seed: int, name: str = "random") -> Callable[[int], object]:
    return lambda port: play(rules, agent(name, rules, seed=seed), LOCAL, port)


def dialled(port: int) -> socket.socket:
    connection = socket.create_connection((LOCAL, port), timeout=30)
    connection.sendall(VERSION)
    return connection


def until_end(connection: socket.socket) -> bytes:
    """All that is still said; a reset is an end too."""
    said = b""
    with suppress(ConnectionError):
        while data := connection.recv(1 << 16):
            said += data
    return said


def expected_log(match: Match, agents: list[Agent]) -> list[str]:
    hands = play_match(match.rules, agents, hands=match.hands, seed=match.seed, names=match.names)
    return [write_hand(hand) for hand in hands]


# --- matches


@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_lost(name: str, tmp_path: Path) -> None:
    match = make_match(GAMES[name], hands=50)
    running = Running(match, tmp_path / "m.log")
    for seat in reversed(range(match.rules.players)):  # any order of connecting will do
        running.seat(seat, plays(match.rules, seat))
    assert running.end() is End.FINISHED
    agents = [agent("random", match.rules, seed=seat) for seat in range(match.rules.players)]
    lines = (tmp_path / "m.log").read_text().splitlines()
    assert lines[4:-1] == expected_log(match, agents)
    assert lines[-1].startswith("SCORE:")


@pytest.mark.slow
def test_soak(tmp_path: Path) -> None:
    match = make_match(LEDUC, hands=20_000)
    running = Running(match, tmp_path / "m.log")
    for seat in range(2):
        running.seat(seat, plays(LEDUC, seat))
    for thread in running.threads:
        thread.join(240)
    assert running.end() is End.FINISHED
    agents = [agent("random", LEDUC, seed=seat) for seat in range(2)]
    assert (tmp_path / "m.log").read_text().splitlines()[4:-1] == expected_log(match, agents)


class Learner(Agent):
    """Calls, and remembers what it was told of finished hands."""

    def __init__(self, rules: PokerRules) -> None:
        super().__init__(rules)
        self.heard: list[Hand] = []

    def act(self, view: Any) -> str:
        return "c"

    def finished(self, hand: Hand) -> None:
        self.heard.append(hand)


def test_agents_hear_of_finished_hands(tmp_path: Path) -> None:
    match, learner = make_match(GAMES["no-limit 3p"], hands=40), Learner(GAMES["no-limit 3p"])
    running = Running(match, tmp_path / "m.log")
    running.seat(0, lambda port: play(match.rules, learner, LOCAL, port))
    running.seat(1, plays(match.rules, 1))
    running.seat(2, plays(match.rules, 2))
    assert running.end() is End.FINISHED
    for heard, hand in zip(learner.heard, read_log(tmp_path / "m.log"), strict=True):
        assert (heard.number, heard.betting) == (hand.number, hand.betting)
        assert heard.payoffs == pytest.approx(hand.payoffs, abs=1e-6)
        assert heard.names.index("self") == hand.names.index("p1")


# --- clients that misbehave


def floods(port: int) -> None:
    """Plays nothing; sends for as long as the dealer takes it."""
    with dialled(port) as connection, suppress(OSError):
        while True:
            connection.sendall(b"MATCHSTATE:0:0::||:c\r\n" * 4000)


def sends(*pieces: bytes, wait_s: float = 0.0) -> Callable[[int], None]:
    """Sends pieces after its version, then hangs up."""

    def client(port: int) -> None:
        with dialled(port) as connection, suppress(OSError):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(wait_s)
            if not pieces:
                connection.recv(100)

    return client


def resets(port: int) -> None:
    """Hangs up as rudely as it can."""
    connection = dialled(port)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.recv(100)
    connection.close()


def is_silent(port: int) -> None:
    connection = dialled(port)
    until_end(connection)
    connection.close()


BAD_CLIENTS: dict[str, Callable[[int], None]] = {
    "hangs up": sends(),
    "resets": resets,
    "silent": is_silent,
    "floods": floods,
    "binary": sends(bytes(range(256)) * 100, wait_s=0.05),
    "half lines": sends(b"MATCH", b"STATE:0:", b"0::", wait_s=0.05),
    "megabytes": sends(*[b"x" * 1_000_000] * 5),
}


@pytest.mark.parametrize("forfeit", [False, True])
@pytest.mark.parametrize("kind", BAD_CLIENTS)
def test_bad_client(kind: str, forfeit: bool, tmp_path: Path) -> None:
    match = make_match(KUHN_3P, hands=30, limits=Limits(300, 300, 7000))
    running = Running(match, tmp_path / "m.log", forfeit=forfeit)
    running.seat(0, plays(KUHN_3P, 0))
    running.seat(1, BAD_CLIENTS[kind])
    running.seat(2, plays(KUHN_3P, 2, "always-call"))
    end = running.end()
    hands = list(read_log(tmp_path / "m.log", check=KUHN_3P))
    if forfeit:
        assert end is End.FINISHED
        assert len(hands) == 30
        assert b"it folds from hand" in b"".join(running.told)
    else:
        assert end is End.FAILED
        assert len(hands) == running.dealer.score.hands < 30
    assert "seat 2 (p2)" in running.dealer.why


def test_memory_stays_while_a_client_floods(tmp_path: Path) -> None:
    match = make_match(LEDUC, hands=5, limits=Limits(500, 500, 7000))
    running = Running(match, tmp_path / "m.log")
    sizes: list[int] = []

    def long_line(port: int) -> None:
        with dialled(port) as connection, suppress(OSError):
            for _ in range(300):
                connection.sendall(b"x" * 100_000)
                sizes.append(sum(map(len, running.dealer._inbox)))

    running.seat(0, long_line)
    running.seat(1, plays(LEDUC, 1))
    assert running.end() is End.FAILED
    assert max(sizes) <= 2 * LONGEST


def test_a_noisy_client_still_gets_the_last_lines(tmp_path: Path) -> None:
    """Unread bytes at the dealer must not take back what it sent."""
    match = make_match(LEDUC, hands=1)
    running = Running(match, tmp_path / "m.log")
    heard: list[bytes] = []

    def noisy(port: int) -> None:
        connection = dialled(port)
        said = b""
        while b":cc/cc:" not in said:
            data = connection.recv(1 << 16)
            said += data
            last = said.splitlines()[-1]
            connection.sendall(last + b":c\r\n" + b"# and so on\r\n" * 1000)
        heard.append(said + until_end(connection))
        connection.close()

    running.seat(0, noisy)
    running.seat(1, plays(LEDUC, 1, "always-call"))
    assert running.end() is End.FINISHED
    assert b":cc/cc:" in heard[0]


@pytest.mark.parametrize("connects", [0, 1, 2])
def test_not_everybody_comes(connects: int, tmp_path: Path) -> None:
    running = Running(make_match(LEDUC), tmp_path / "m.log", start_s=0.3)
    dialling = [socket.create_connection((LOCAL, port)) for port in running.ports[:connects]]
    assert running.end() is End.NOT_STARTED
    assert not list(read_log(tmp_path / "m.log"))
    for connection in dialling:
        connection.settimeout(5)
        assert until_end(connection) == b""
        connection.close()


def test_ports_are_checked() -> None:
    with listen(LOCAL, [0])[0] as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadParameter, match=f"cannot listen on {LOCAL}:{port}"):
            listen(LOCAL, [0, port])
    with pytest.raises(BadParameter, match="port=70000"):
        listen(LOCAL, [70_000])


# --- clients


def test_no_dealer_there() -> None:
    with listen(LOCAL, [0])[0] as taken:
        port = taken.getsockname()[1]
    with pytest.raises(BadInput, match=f"no dealer at {LOCAL}:{port}: connection refused"):
        play(LEDUC, agent("random", LEDUC), LOCAL, port)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "the dealer sent"),
        (b"MATCHSTATE:1:0:rrrr:|As\r\n", "plays another game"),
        (b"MATCHSTATE:0:0::As|Ks|\r\n", "plays another game"),
        (b"MATCHSTATE:0:0::AsKs|\r\n", "plays another game"),
        (b"MATCHSTATE:0:0::|\r\n", "plays another game"),
        (b"MATCHSTATE:0:0::Ax|\r\n", "the dealer sent"),
        (b"MATCHSTATE:1:0:\xff:|As\r\n", "the dealer sent"),
    ],
)
def test_other_dealers_are_told(said: bytes, problem: str) -> None:
    server = listen(LOCAL, [0])[0]

    def dealer() -> None:
        connection, _ = server.accept()
        connection.sendall(said)
        until_end(connection)
        connection.close()

    thread = threading.Thread(target=dealer)
    thread.start()
    with server, pytest.raises(BadInput, match=problem):
        play(LEDUC, agent("random", LEDUC), LOCAL, server.getsockname()[1])
    thread.join()


def test_client_skips_comments_and_mends_pieces() -> None:
    server = listen(LOCAL, [0])[0]
    heard: list[bytes] = []

    def dealer() -> None:
        connection, _ = server.accept()
        assert connection.recv(100) == VERSION
        for piece in (b"# hello\r\n; you\r\nMATCHST", b"ATE:0:7::As|", b"\r\n"):
            connection.sendall(piece)
            time.sleep(0.02)
        heard.append(connection.recv(100))
        connection.close()

    thread = threading.Thread(target=dealer)
    thread.start()
    done = play(LEDUC, agent("always-call", LEDUC), LOCAL, server.getsockname()[1])
    thread.join()
    server.close()
    assert done == (0, 1)
    assert heard == [b"MATCHSTATE:0:7::As|:c\r\n"]


# --- the command line


def command(*words: object, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "regretless", *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_match(folder: Path, *options: object) -> tuple[subprocess.Popen[str], list[Any]]:
    dealer = command("dealer", "m", "kuhn", 4000, 7, "a", "b", "-q", *options, folder=folder)
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    agents = [
        command("agent", LOCAL, port, "--builtin", "random", "--game", "kuhn", folder=folder)
        for port in ports
    ]
    return dealer, agents


@pytest.mark.slow
def test_kill_and_resume(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    dealer, agents = run_match(tmp_path / "whole")
    out, err = dealer.communicate(timeout=SOON)
    assert dealer.returncode == 0, err
    assert [each.communicate(timeout=SOON)[0][:11] for each in agents] == ["4,000 hands"] * 2
    assert out.startswith("SCORE:")
    whole = (tmp_path / "whole" / "m.log").read_bytes()
    log = tmp_path / "m.log"
    for part in (0.2, 0.6):
        dealer, agents = run_match(tmp_path, "--continue")
        deadline = time.monotonic() + SOON
        while log.stat().st_size < part * len(whole) and time.monotonic() < deadline:
            time.sleep(0.001)
        os.kill(dealer.pid, signal.SIGKILL)
        dealer.communicate(timeout=SOON)
        for each in agents:
            each.communicate(timeout=SOON)
        assert len(whole) > log.stat().st_size > 0
    dealer, agents = run_match(tmp_path, "--continue")
    resumed, _ = dealer.communicate(timeout=SOON)
    for each in agents:
        each.communicate(timeout=SOON)
    assert log.read_bytes() == whole
    assert resumed == out
    done = command("dealer", "m", "kuhn", 4000, 7, "a", "b", "--continue", folder=tmp_path)
    assert done.communicate(timeout=SOON)[0] == out
    assert log.read_bytes() == whole


def test_agents_are_prepared_before_the_dealer_measures_time() -> None:
    class Slow(Agent):
        prepared = False

        def prepare(self) -> None:
            silent.setblocking(False)
            with pytest.raises(BlockingIOError):
                silent.accept()
            self.prepared = True
            silent.close()

        def act(self, view: View) -> str:
            return "c"

    slow = Slow("kuhn")
    with socket.create_server((LOCAL, 0)) as silent, pytest.raises(BadInput, match="no dealer at"):
        play(slow.rules, slow, LOCAL, silent.getsockname()[1])
    assert slow.prepared


@pytest.mark.slow
def test_interrupt_keeps_the_hands(tmp_path: Path) -> None:
    dealer, agents = run_match(tmp_path)
    deadline = time.monotonic() + SOON
    while (tmp_path / "m.log").stat().st_size < 2000 and time.monotonic() < deadline:
        time.sleep(0.01)
    dealer.send_signal(signal.SIGINT)
    _, err = dealer.communicate(timeout=SOON)
    for each in agents:
        each.communicate(timeout=SOON)
    assert dealer.returncode == 130
    assert "continue with --continue" in err
    assert "Traceback" not in err
    assert len(list(read_log(tmp_path / "m.log"))) > 10


@pytest.mark.parametrize(
    ("words", "code", "problem"),
    [
        (["dealer", "m", "kuhn", 10, 1, "a"], 2, "1 player names: the game has 2 seats"),
        (["dealer", "m", "rps", 10, 1, "a", "b"], 2, "not a poker game"),
        (["dealer", "m", "kuhn", 10, 1, "a", "b", "-p", "1,x"], 2, "ports '1,x'"),
        (["dealer", "m", "kuhn", 10, 1, "a", "b", "--on-failure", "cry"], 2, "abort or fold"),
        (["dealer", "m", "kuhn", 10, 1, "a", "b", "--start-timeout", "50"], 3, "did not connect"),
        (["agent", LOCAL, 1, "--builtin", "random"], 2, "--builtin needs --game"),
        (["agent", LOCAL, 1, "--builtin", "randm", "--game", "kuhn"], 2, "did you mean random"),
        (["agent", LOCAL, 1], 2, "give one of --strategy, --builtin and --bot"),
        (["agent", LOCAL, 1, "--builtin", "random", "--game", "kuhn"], 2, "no dealer at"),
        (["agent", LOCAL, 1, "--strategy", "absent.strategy"], 2, "absent.strategy"),
    ],
)
def test_wrong_use(words: list[object], code: int, problem: str, tmp_path: Path) -> None:
    done = command(*words, folder=tmp_path)
    _, err = done.communicate(timeout=SOON)
    assert done.returncode == code, err
    assert problem in err
    assert "Traceback" not in err


@pytest.mark.slow
def test_no_limit_over_the_command_line(tmp_path: Path) -> None:

    (tmp_path / "x.game").write_text(write_rules(NO_LIMIT_2P))
    dealer = command("dealer", "m", "x.game", 20, 42, "a", "b", folder=tmp_path)
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    agents = [
        command(
            "agent",
            LOCAL,
            port,
            "--builtin",
            "random",
            "--game",
            "x.game",
            "--json",
            folder=tmp_path,
        )
        for port in ports
    ]
    out, err = dealer.communicate(timeout=SOON)
    facts = [each.communicate(timeout=SOON)[0] for each in agents]
    assert dealer.returncode == 0, err
    assert all('"hands": 20' in each for each in facts)
    lines = err.splitlines()
    assert lines[0] == "# name/game/hands/seed m x.game 20 42"
    assert lines[4].startswith("STARTED at ")
    assert lines[5].startswith("TO 1 at ")
    assert lines[5].endswith(" MATCHSTATE:0:0::7d3d|")
    assert lines[-2].startswith("FINISHED at ")
    assert lines[-1] + "\n" == out
    assert (tmp_path / "m.log").read_text().endswith(out)


@pytest.mark.slow
def test_solved_strategies_play(tmp_path: Path) -> None:
    solving = command("solve", "leduc", "--iterations", 50, "--out", "x.strategy", folder=tmp_path)
    assert solving.communicate(timeout=SOON)[1] is not None
    assert solving.returncode == 0
    dealer = command("dealer", "m", "leduc", 200, 3, "a", "b", "-q", folder=tmp_path)
    assert dealer.stdout is not None
    ports = dealer.stdout.readline().split()
    choices = (["--strategy", "x.strategy"], ["--builtin", "aggressive", "--game", "leduc"])
    agents = [
        command("agent", LOCAL, port, *choice, folder=tmp_path)
        for port, choice in zip(ports, choices, strict=True)
    ]
    assert dealer.communicate(timeout=SOON)[0].startswith("SCORE:")
    assert [each.communicate(timeout=SOON)[0][:9] for each in agents] == ["200 hands"] * 2
