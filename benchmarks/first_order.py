"""First-order and sampling methods: iterations and memory.

One iteration of the excessive gap technique (EGT) takes three gradients and four prox steps; one of
CFR+ takes two fused sweeps. Both run on the public form of Leduc hold'em with 13 ranks and four
suits. One iteration of external sampling traverses the game once per player. Ours and OpenSpiel's
(C++, run from Python one iteration at a time, the only way it offers) work on the same tree, with
distinct suits, and are timed in turn; how many times faster ours is, is in brackets. Memory is the
peak of all arrays, form and GameShrink included, during an iteration of EGT. The picture shows
exploitability on Leduc against iterations."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import regretless as rl
from benchmarks._peers import OPENSPIEL, installed, spiel_game
from benchmarks._report import NOT_INSTALLED, Row
from benchmarks._timing import Work, progress, rates, repeated
from regretless.core.pictures import panels, write_figure
from regretless.solvers._solver import Solver
from regretless.studies import first_order as study

LARGE = "leduc:ranks=13,suits=4"
DISTINCT, THEIRS = "leduc:suits_distinct=true", "leduc_poker"
MOST_SWEEPS = 4.0  # iterations of CFR+ in the time of one of EGT
LEAST_FASTER = 30.0
MOST_GB = 0.15
REDUCED = "rhode_island by gameshrink"  # 13, 205 and 1,774 classes
SPANS, SPAN = 150, 10  # timed spans, iterations in each
DRAWN = {
    "fictitious-play": 4000,
    "cfr-br": 4000,
    "external-sampling": 400_000,
    "optimistic-mirror-descent": 4000,
    "mirror-prox": 4000,
    "egt": 4000,
    "egt:prox=entropy,weights=kroer": 4000,
    "cfr+": 4000,
}


def measure() -> list[Row]:
    """Iterations first, then memory."""
    return [*_iterations(), *_sampling(), *_memory()]


def _iterations() -> list[Row]:
    progress(f"{LARGE}: iterations")
    form = rl.forms.public_form(LARGE)
    methods = ("cfr+", "egt", "egt:prox=entropy", "mirror-prox", "optimistic-mirror-descent")
    found = _seconds_each({name: rl.solver(name, form) for name in methods})
    sweep = found.pop("cfr+")
    rows = []
    for name, seconds in found.items():
        target = f"≤ {MOST_SWEEPS:g} × CFR+" if name == "egt" else ""
        ok = seconds <= MOST_SWEEPS * sweep if target else None
        what = f"one iteration of {name} on {LARGE}"
        rows.append(Row(what, 1e3 * seconds, "ms", {"CFR+": 1e3 * sweep}, target, ok))
    return rows


def _seconds_each(solvers: dict[str, Solver]) -> dict[str, float]:
    """Minimum seconds per iteration, over spans too short for other work to interfere often."""
    for running in solvers.values():
        running.step(20)  # after the start, where step sizes are tried
    best = dict.fromkeys(solvers, float("inf"))
    for _ in range(SPANS):
        for name, running in solvers.items():
            started = time.perf_counter()
            running.step(SPAN)
            best[name] = min(best[name], (time.perf_counter() - started) / SPAN)
    return best


def _sampling() -> list[Row]:
    progress(f"{DISTINCT}: sampling")
    form = rl.sequence_form(DISTINCT)
    rows = []
    for name, solver in (
        ("external-sampling", "ExternalSamplingMCCFRSolver"),
        ("outcome-sampling", "OutcomeSamplingMCCFRSolver"),
        ("chance-sampling", ""),
    ):
        works: dict[str, Work] = {"ours": rl.solver(name, form).step}
        if solver and installed(OPENSPIEL):
            works[OPENSPIEL] = repeated(_openspiel(solver).run_iteration)
        speeds = rates(works)
        theirs = speeds.get(OPENSPIEL, NOT_INSTALLED)
        aimed = name == "external-sampling"
        ok = speeds["ours"] >= LEAST_FASTER * theirs if aimed and OPENSPIEL in speeds else None
        target = f"≥ {LEAST_FASTER:g}× {OPENSPIEL}" if aimed else ""
        peers = {OPENSPIEL: theirs} if solver else {}
        rows.append(Row(f"{name} on {DISTINCT}", speeds["ours"], "iterations/s", peers, target, ok))
    return rows


def _openspiel(name: str) -> Any:
    return getattr(import_module("pyspiel"), name)(spiel_game(THEIRS), seed=0)


def _memory() -> list[Row]:
    rows = []
    for spec in (LARGE, "rhode_island:ranks=4,suits=2", REDUCED):
        progress(f"{spec}: memory")
        gigabytes = study.taken(lambda spec=spec: study.running_egt(spec))  # type: ignore[misc]
        aimed = spec == REDUCED
        target, ok = (f"< {MOST_GB} GB", gigabytes < MOST_GB) if aimed else ("", None)
        rows.append(Row(f"memory of EGT on {spec}", round(gigabytes, 5), "GB", {}, target, ok))
    return rows


def draw(rows: list[Row], folder: Path) -> None:
    """Exploitability on Leduc against iterations."""
    figure, (axes,) = panels(1, width=7, height=4.6)
    form = rl.sequence_form("leduc")
    for method, iterations in DRAWN.items():
        progress(f"picture: {method}")
        looks, reached = study.curve(method, form, iterations)
        axes.loglog(looks, reached, label=method, linewidth=1.6)
    axes.set_title("Leduc hold'em")
    axes.set_xlabel("iterations")
    axes.set_ylabel("exploitability (chips per hand)")
    axes.legend(frameon=False, fontsize=8)
    write_figure(figure, folder / "first_order.png", dpi=130)
