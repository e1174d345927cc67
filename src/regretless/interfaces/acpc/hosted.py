"""Agents that a dealer starts itself: one process each, connected like any other player."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence

PATIENCE_S = 5.0  # for agents to notice that the match is over
ANYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}


@contextlib.contextmanager
def hosted(
    agents: Mapping[int, str], ports: Sequence[int], *, game: str, seed: int, host: str
) -> Iterator[None]:
    """Start agents, given by seat, for a dealer at these ports; they end with the match."""
    near = ANYWHERE.get(host, host)
    running: list[tuple[subprocess.Popen[bytes], threading.Thread]] = []
    try:
        for seat, agent in agents.items():
            words = [near, str(ports[seat]), "--bot", agent, "--game", game, "--seed", str(seed)]
            process = subprocess.Popen(
                [sys.executable, "-m", "regretless", "agent", *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for the dealer, which hangs up
            )
            watch = threading.Thread(target=_watch, args=(process, near, ports), daemon=True)
            watch.start()
            running.append((process, watch))
        yield
    finally:
        deadline = time.monotonic() + PATIENCE_S
        for process, watch in running:
            watch.join(max(0.0, deadline - time.monotonic()))
            if process.poll() is None:
                process.kill()  # SIGTERM would be a request, and its answer a complaint
            watch.join()


def _watch(process: subprocess.Popen[bytes], host: str, ports: Sequence[int]) -> None:
    """Pass on the errors of an agent; if it fails before the match begins, end the match."""
    _, complaint = process.communicate()
    if process.returncode > 0:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.buffer.write(complaint)
            sys.stderr.buffer.flush()
        # Connections that end at once, so that the dealer does not wait for empty seats.
        # Once a match is running its ports are closed, and this does nothing.
        for port in ports:
            with contextlib.suppress(OSError):
                socket.create_connection((host, port), 1.0).close()
