"""Agents that a dealer starts itself: one process each, connected like any other player."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

PATIENCE_S = 5.0  # for agents to notice that the match is over
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


@contextlib.contextmanager
def hosted(
    agents: Mapping[int, str], *, game: str, seed: int, host: str
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Start an agent for each of these ports; they end with the match."""
    running: list[subprocess.Popen[bytes]] = []
    try:
        for port, agent in agents.items():
            words = [ANYWHERE.get(host, host), str(port), "--bot", agent, "--game", game]
            running.append(
                subprocess.Popen(
                    [sys.executable, "-m", "regretless", "agent", *words, "--seed", str(seed)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    start_new_session=True,  # Ctrl-C is for the dealer, which hangs up
                )
            )
        yield running
    finally:
        deadline = time.monotonic() + PATIENCE_S
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            if process.poll() is None:
                process.terminate()
                process.wait()
