"""Matches over the ACPC protocol, with dealer and agents in separate processes.

Studies may not import the network code, so they start the commands that a user would."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from regretless.core.errors import Unsolved
from regretless.play.agents._saved import Agent
from regretless.play.histories.acpc_log import read_log
from regretless.play.match import play_match
from regretless.play.records import Hand
from regretless.play.rules import rules_of
from regretless.strategy import files
from regretless.strategy.strategy import Strategy

LOCAL = "127.0.0.1"
MOST_S = 300.0
COMMAND = [sys.executable, "-m", "regretless"]


def over_the_protocol(
    game: str, strategies: Mapping[str, Strategy], *, hands: int, seed: int
) -> list[Hand]:
    """A dealer, and one agent per seat that plays a strategy file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, strategy in enumerate(strategies.values()):
            about = {"game": game, "form": "sequence", "method": "study"}
            files.write(folder / f"{number}.strategy", strategy, about, {})
        log = folder / "match"
        names = [each.replace(" ", "_").replace(",", "") for each in strategies]
        deal = ["dealer", str(log), game, str(hands), str(seed), *names, "--quiet"]
        said = folder / "ports.txt"
        nowhere = subprocess.DEVNULL
        with said.open("w") as out:
            processes = [subprocess.Popen([*COMMAND, *deal], stdout=out, stderr=nowhere)]
        dealer = processes[0]
        try:
            for number, port in enumerate(_ports(said, dealer)):
                file = str(folder / f"{number}.strategy")
                play = ["agent", LOCAL, port, "--strategy", file, "--seed", str(seed + number)]
                playing = subprocess.Popen([*COMMAND, *play], stdout=nowhere, stderr=nowhere)
                processes.append(playing)
            dealer.wait(timeout=MOST_S)
        except subprocess.TimeoutExpired:
            raise Unsolved(f"the match of {game} took longer than {MOST_S:g} s") from None
        finally:
            for process in processes:
                if process.poll() is None:
                    process.terminate()
                process.wait()
        if dealer.returncode:
            raise Unsolved(f"the dealer of {game} ended with exit code {dealer.returncode}")
        return list(read_log(log.with_suffix(".log")))


def _ports(said: Path, dealer: subprocess.Popen[bytes]) -> list[str]:
    """The ports of the seats, once the dealer has printed them."""
    began = time.monotonic()
    while dealer.poll() is None and time.monotonic() - began < MOST_S:
        line, end, _ = said.read_text().partition("\n")
        if end:
            return line.split()
        time.sleep(0.05)
    raise Unsolved("the dealer did not open its ports")


def in_process(
    game: str, strategies: Mapping[str, Strategy], *, hands: int, seed: int
) -> list[Hand]:
    """The same match without the network."""
    rules = rules_of(game)
    agents = [
        Agent(rules, strategy=strategy, seed=seed + number)
        for number, strategy in enumerate(strategies.values())
    ]
    names = [each.replace(" ", "_").replace(",", "") for each in strategies]
    return list(play_match(rules, agents, hands=hands, seed=seed, names=names))
