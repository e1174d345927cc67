"""Compile the kernels that most tests need, before workers would each compile the same ones.

Two processes, because kernels of sequence forms and of public forms share no code. Nothing is
lost where this misses a kernel: the first test that calls it compiles it."""

from __future__ import annotations

import subprocess
import sys

METHODS = ("cfr", "cfr+", "dcfr", "hedge")
SEQUENCE = ("pcfr+", "external-sampling", "chance-sampling", "egt", "fictitious-play")
SPOT = {
    "board": "Td9d6hQc",
    "pot": 10,
    "stack": 10,
    "bets": "a",
    "ranges": {"oop": "AA,QQ", "ip": "KK,JJ"},
}


def sequence_kernels() -> None:
    """Regret minimisers, samplers and first-order methods of enumerated games; the cards."""
    import regretless as rl

    for method in (*METHODS, *SEQUENCE):
        rl.solve("kuhn", form="sequence", method=method, iterations=3)
    rl.cards.equity("AA", "KK", "Td9d6hQc2s")
    rl.cards.strength("AsKd", "Td9d6h")


def public_kernels() -> None:
    """Sweeps over boards: one hole card, two, and both precisions of a spot."""
    import regretless as rl

    for method in METHODS:
        rl.solve("leduc", form="public", method=method, iterations=3)
    for precision in ("single", "compact", "double"):
        rl.solve(rl.spot(**SPOT), precision=precision, iterations=3)


PARTS = {"public": public_kernels, "sequence": sequence_kernels}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        PARTS[sys.argv[1]]()
    else:
        running = [subprocess.Popen([sys.executable, __file__, part]) for part in PARTS]
        sys.exit(max(one.wait() for one in running))
