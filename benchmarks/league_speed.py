"""Hands played, and leagues evaluated.

Hands: one core, all deals in all seatings of a solved strategy and the uniform one. The league of
six is computed over all deals and the 216 seatings of three players: in Python with forms and
strategies already loaded, and as a command that starts, loads six files and prints its tables.
AIVAT: the factor by which it divides the standard error of 100,000 hands of Leduc, if one player's
strategy is known and the other plays the average of 50 iterations of CFR."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import regretless as rl
from benchmarks._report import Row
from benchmarks._timing import Work, progress, rates, repeated, seconds_each
from regretless.evaluation.aivat import aivat
from regretless.evaluation.league import league
from regretless.evaluation.payoffs import played
from regretless.evaluation.seatings import Seatings
from regretless.forms.tree import GameTree, game_tree
from regretless.kernels import sampling

DEALS = 20_000
HANDS = 100_000
ITERATIONS = 300
MILLION = 1e6
THREE = "kuhn:players=3"
METHODS = ("cfr", "cfr+", "dcfr", "linear-cfr", "pcfr+", "sapcfr+")
TIMES = 3  # runs of the command; the fastest counts


def measure() -> list[Row]:
    """Speeds, times, and the gain from AIVAT."""
    return [
        _hands("kuhn", least=2 * MILLION),
        _hands("leduc", least=MILLION),
        _hands(THREE),
        _hands("leduc:players=3,cap=1"),
        _league_at_hand(),
        _league_command(),
        *_gains(),
    ]


def _hands(spec: str, *, least: float = 0.0) -> Row:
    progress(f"hands of {spec}")
    tree = game_tree(spec)
    behaviours = [
        rl.solve(tree.form, iterations=ITERATIONS).strategy.behaviour,
        rl.Strategy.uniform(tree.form).behaviour,
    ]
    seatings = Seatings(2, tree.form.players, duplicates=True).all
    work: Work = repeated(lambda: played(tree, behaviours, seatings, deals=DEALS))
    speed = rates({"ours": work})["ours"] * DEALS * len(seatings)
    target = f"> {least:,.0f}" if least else ""
    return Row(f"hands of {spec}", speed, "hands/s", {}, target, speed > least if least else None)


def _league_at_hand() -> Row:
    progress("a league of six")
    form = rl.sequence_form(THREE)
    strategies = {
        name: rl.solve(form, method=name, iterations=ITERATIONS).strategy for name in METHODS
    }
    work = repeated(lambda: league(THREE, strategies).facts())
    ours = 1e3 * seconds_each({"ours": work})["ours"]
    return Row(f"league of six in {THREE}, in Python", ours, "ms")


def _league_command() -> Row:
    progress("a league of six, as a command")
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / f"{name}.strategy") for name in METHODS]
        for name, file in zip(METHODS, files, strict=True):
            rl.solve(THREE, method=name, iterations=ITERATIONS, out=file)
        command = [sys.executable, "-m", "regretless", "league", THREE, *files]
        spent = []
        for _ in range(TIMES):
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            spent.append(time.perf_counter() - started)
    ours = min(spent)
    return Row(f"league of six in {THREE}, as a command", ours, "s", {}, "< 2", ours < 2)


def _gains() -> list[Row]:
    progress("AIVAT in leduc")
    tree = game_tree("leduc")
    solved = rl.solve(tree.form, target=1e-6).strategy
    weaker = rl.solve(tree.form, method="cfr", iterations=50).strategy
    ends = _ends(tree, [solved, weaker])
    rows = []
    for who, known in (("equilibrium", {1: solved}), ("opponent", {2: weaker})):
        gain = round(aivat(tree, ends, known)[0].gain, 2)
        rows.append(Row(f"AIVAT, {who} known", gain, "×", {}, "> 3", gain > 3))
    return rows


def _ends(tree: GameTree, strategies: list[rl.Strategy]) -> np.ndarray:
    choices = np.stack([tree.running_sums(strategy.behaviour) for strategy in strategies])
    ends = np.empty(HANDS, dtype=np.int64)
    seating = np.arange(len(strategies), dtype=np.int32)
    sampling.play_terminals(tree.tree, choices, seating, 0, 0, ends)
    return ends
