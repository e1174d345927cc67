"""Real hand histories: how fast PHH files of cash games are read, next to pokerkit.

The sample hands of the tests are read repeatedly from memory. pokerkit parses a file and replays
each hand to its end, as we do."""

from __future__ import annotations

import io
import re
import warnings
from pathlib import Path

from benchmarks._report import Row
from benchmarks._timing import progress, rates
from regretless.play.histories.phh_seen import parse_seen
from regretless.play.histories.seen import SeenHand
from regretless.play.histories.session import Session

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "phh"
REPETITIONS = 3


def measure() -> list[Row]:
    """Hands per second."""
    text = _text()
    hands = text.count("variant = ")

    def read(times: int) -> None:
        for _ in range(times):
            for _ in parse_seen(io.StringIO(text)):
                pass

    def study(times: int) -> None:
        for _ in range(times):
            session = Session()
            for seen in parse_seen(io.StringIO(text)):
                assert isinstance(seen, SeenHand)
                session.add(seen)

    work = {"read": read, "study": study}
    try:
        import pokerkit
    except ImportError:
        progress("pokerkit is not installed")
    else:

        def theirs(times: int) -> None:
            for _ in range(times):
                for history in pokerkit.HandHistory.loads_all(text):
                    for _ in history:
                        pass

        work["pokerkit"] = theirs
    progress(f"reading {hands} hands")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        per_s = rates(work, repetitions=REPETITIONS)
    told = {"read": "read", "study": "read, with player statistics", "pokerkit": "pokerkit"}
    return [Row(told[name], hands * rate, "hands/s") for name, rate in per_s.items()]


def _text() -> str:
    """All cash-game samples in one file."""
    blocks = []
    for path in sorted(SAMPLES.glob("*.phhs")):
        blocks += re.split(r"(?m)^\[\d+\]\n", path.read_text())[1:]
    return "".join(f"[{number}]\n{block}" for number, block in enumerate(blocks, start=1))
