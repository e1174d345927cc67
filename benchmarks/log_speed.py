"""A log of a million hands: reading time and memory.

The log is one of limit hold'em, written for this purpose. Every line is a separate process, so that
its peak memory is that of the work, interpreter and libraries included. Half the log needs as much
memory as the whole: hands are not kept."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks._report import Row
from benchmarks._timing import progress
from regretless.play.histories.acpc_log import write_hand, write_header
from regretless.play.match import play_match
from regretless.play.rules import rules_of

HANDS = 1_000_000
GAME = "holdem_limit"
MOST_S = 20.0  # target for a million hands

# Seconds and the peak of memory, as the process itself sees them.
_MEASURED = """
import json, resource, sys, time
from pathlib import Path
from regretless.play.histories.acpc_log import read_log
from regretless.play.histories.parquet import ParquetWriter
from regretless.play.histories.reading import read_history
from regretless.play.histories.summary import Summary
from regretless.play.rules import rules_of

what, path = sys.argv[1:]
started = time.perf_counter()
if what == "read":
    for hand in read_log(path):
        pass
elif what == "check":
    for hand in read_log(path, check=rules_of("holdem_limit")):
        pass
elif what == "sum":
    summary = Summary()
    for recorded in read_history(path):
        summary.add(recorded.hand, recorded.rules)
else:
    with ParquetWriter(path + ".parquet") as table:
        for recorded in read_history(path):
            table.add(recorded.hand, recorded.source)
taken = time.perf_counter() - started
print(json.dumps([taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure() -> list[Row]:
    """Seconds and megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        path, half = Path(folder) / "million.log", Path(folder) / "half.log"
        progress(f"writing {HANDS:,} hands")
        _write(path, HANDS)
        _write(half, HANDS // 2)
        rows = []
        for what, told in (
            ("read", "read"),
            ("sum", "read and summarised by player and position"),
            ("table", "read and written as Parquet"),
            ("check", "read and replayed by the rules"),
        ):
            progress(told)
            taken, memory = _process(what, path)
            _, before = _process(what, half)
            aim = (f"< {MOST_S:.0f}", taken < MOST_S) if what == "read" else ("", None)
            rows.append(Row(f"{told}: a million hands", taken, "s", {}, *aim))
            rows.append(Row(f"{told}: peak memory", round(memory), "MB"))
            rows.append(Row(f"{told}: peak memory of half the log", round(before), "MB"))
        return rows


def _write(path: Path, hands: int) -> None:
    with path.open("w", encoding="utf-8") as stream:
        stream.write(write_header("speed", GAME, hands, 1) + "\n")
        stream.writelines(f"{line}\n" for line in _lines(hands))


def _lines(hands: int) -> Iterator[str]:
    """Hands of two agents; after the first ten thousand they repeat in another order."""
    from regretless.play.agents._catalog import agents

    rules = rules_of(GAME)
    players = agents(["random", "always-call"], rules, seed=1)
    played = list(play_match(rules, players, hands=10_000, seed=1, names=("left", "right")))
    rng = random.Random(1)
    for number in range(hands):
        yield write_hand(rng.choice(played)._replace(number=number))


def _process(what: str, path: Path) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, what, str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    taken, memory = json.loads(done.stdout)
    return float(taken), float(memory)
