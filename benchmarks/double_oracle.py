"""Double oracle against the full linear program: where it wins, and where it does not.

Every line is a separate process. It builds the explicit form of the game, solves a tiny game with
the same method (which loads and compiles everything it needs), and then measures what the method
alone adds: seconds, and peak memory above that of the form. `share` is the share of all sequences
that the double oracle ever added. Both find the same value, which is checked.

In pursuit games few paths are ever worth taking: the restricted game stays tiny, and the longer the
game, the more the double oracle wins. The crossover lies between four and five steps, at about a
thousand sequences. In poker most sequences are needed in the end, and the full program is faster;
the same holds for liar's dice and goofspiel of these sizes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks._report import Row, number
from benchmarks._timing import progress

FAMILIES = {
    "pursuit, 3×3, with tracks": [f"pursuit:steps={steps}" for steps in (2, 3, 4, 5)],
    "pursuit, 2×5, with tracks": [
        f"pursuit:width=2,height=5,steps={steps}" for steps in (2, 3, 4, 5)
    ],
    "pursuit, 3×2, with tracks": [f"pursuit:width=3,height=2,steps={steps}" for steps in (4, 5, 6)],
    "pursuit, 4×3, without tracks": [
        f"pursuit:width=4,height=3,steps={steps},tracks=false" for steps in (3, 4, 5)
    ],
    "Leduc": ["leduc", "leduc:ranks=5", "leduc:ranks=8,suits=3", "leduc:ranks=12,suits=4"],
    "sizes of bets": [
        "generic_poker",
        "generic_poker:bets=1/2/4,raises=1/2/4",
    ],
    "liar's dice": ["liars_dice:faces=4", "liars_dice:faces=5"],
    "goofspiel": ["goofspiel:cards=4", "goofspiel:cards=5"],
}
HEADLINE = "leduc:ranks=12,suits=4"
MOST_S = 5.0  # with both heuristics, including construction; the thesis took 202 s
SAME = 1e-7

_MEASURED = """
import ctypes, gc, json, sys, time
from pathlib import Path
from regretless.forms.sequence import sequence_form
from regretless.solvers._catalog import solver

def memory(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    return 0.0

game, method = sys.argv[1:]
form = sequence_form(game)
small = solver(method, sequence_form("leduc:ranks=2"))
small.step(1000)
gc.collect()
try:
    ctypes.CDLL(None).malloc_trim(0)  # returns what building the form has left behind
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
except (OSError, AttributeError):
    pass
before = memory("VmRSS")
started = time.perf_counter()
running = solver(method, form)
while not running.finished:
    running.step()
taken = time.perf_counter() - started
peak = memory("VmHWM") - before
from regretless.evaluation.exploitability import evaluate
from regretless.strategy.strategy import Strategy
found = evaluate(Strategy(form, running.behaviour()))
share = running.details().get("share_of_sequences", 1.0)
facts = [sum(form.sizes.sequences), share, found.values[0], found.exploitability]
print(json.dumps([taken, peak, *facts, running.iteration]))
"""


class Result(NamedTuple):
    """The measurements of a process."""

    seconds: float
    megabytes: float
    sequences: int
    share: float
    value: float
    exploitability: float
    iterations: int


def measure() -> list[Row]:
    """One row per game and method; times are the minimum of two."""
    rows = []
    for family, games in FAMILIES.items():
        for game in games:
            progress(game)
            program, oracle = (_best(game, method) for method in ("lp", "double-oracle"))
            if abs(program.value - oracle.value) > SAME:
                raise AssertionError(f"{game}: {program.value} and {oracle.value}")
            rows.append(_row(family, game, program, oracle))
    progress(f"{HEADLINE}, both heuristics, including construction")
    seconds = _headline()
    target = f"< {MOST_S:.0f}"
    rows.append(Row(f"{HEADLINE} with both heuristics", seconds, "s", {}, target, seconds < MOST_S))
    return rows


def table(rows: Sequence[Row]) -> list[list[str]]:
    """Game by game, then the headline."""
    header = ["game", "sequences", "share", "iterations"]
    header += ["LP, s", "double oracle, s", "times faster", "LP, MB", "double oracle, MB"]
    lines = [header]
    for row in rows[:-1]:
        peers = row.peers
        lines.append(
            [
                row.what,
                f"{peers['sequences']:,.0f}",
                f"{100 * peers['share']:.1f} %",
                f"{peers['iterations']:,.0f}",
                number(peers["lp"], "s"),
                number(row.ours, "s"),
                f"{peers['lp'] / row.ours:.2f}",
                f"{peers['lp_mb']:.0f}",
                f"{peers['mb']:.0f}",
            ]
        )
    last = rows[-1]
    result = "reached" if last.ok else "missed"
    lines.append(
        [last.what, "", "", "", "", number(last.ours, "s"), "", "", f"{last.target}: {result}"]
    )
    return lines


def _row(family: str, game: str, program: Result, oracle: Result) -> Row:
    peers = {
        "lp": program.seconds,
        "lp_mb": program.megabytes,
        "mb": oracle.megabytes,
        "sequences": float(oracle.sequences),
        "share": oracle.share,
        "iterations": float(oracle.iterations),
    }
    return Row(f"{family}: `{game}`", oracle.seconds, "s", peers)


def _best(game: str, method: str) -> Result:
    runs = [_process(game, method) for _ in range(2)]
    return min(runs, key=lambda result: result.seconds)


def _process(game: str, method: str) -> Result:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, game, method], check=True, capture_output=True, text=True
    )
    return Result(*json.loads(done.stdout))


def _headline() -> float:
    from regretless.studies.double_oracle import OURS, timed

    timed("leduc:ranks=2", OURS)
    return min(timed(HEADLINE, OURS).seconds for _ in range(3))
