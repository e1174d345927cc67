"""Public form against sequence form, and three players.

An iteration of CFR+ updates both players and the average. If only ranks matter, suits are folded
before any form is built: Leduc 13×4 then has 13 hands, and its sequence form has 99,541 terminals.
With distinct suits the same deck has 52 hands and 5,977,608 terminals; the public form folds them
by itself (`isomorphic`) unless this is switched off. All of these are the same game. Expansion is
the sequence form built from the public form, compared with walking the states.

Three-player Leduc has OpenSpiel's rules. OpenSpiel keeps suits distinct; with
`suit_isomorphism=true` it has the same decision points as ours (suits folded). Ours folds them by
default, so the target refers to OpenSpiel's default, and the same tree is shown next to it.
NashConv is that of the uniform strategy; both programs agree. Published figures are 0.31
iterations/s and 45 s for NashConv."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib import import_module

import numpy as np

import regretless as rl
from benchmarks._peers import OPENSPIEL, installed, openspiel, spiel_game
from benchmarks._report import NOT_INSTALLED, Row
from benchmarks._timing import Work, progress, rates, repeated, seconds_each
from regretless.forms.form import Form, uniform
from regretless.forms.public import public_form

LEDUC = "leduc:ranks=13,suits=4"
APART = f"{LEDUC},suits_distinct=true"
THREE = "leduc:players=3"
THEIRS = "leduc_poker(players=3)"
THEIRS_FOLDED = "leduc_poker(players=3,suit_isomorphism=true)"
FOLDED = "OpenSpiel, suits folded"
SEQUENCE, WALKED = "sequence form", "walking states"
PUBLISHED = "OpenSpiel, published"
SAME = 1e-9
CHECKED = 10  # iterations
LIVE = {THEIRS: 2, THEIRS_FOLDED: 5}  # iterations of OpenSpiel: some seconds each


def measure() -> list[Row]:
    """Two players, then three."""
    return [*_iterations(), *_written_out(), *_three_players()]


def _iterations() -> list[Row]:
    progress(f"{LEDUC}: CFR+")
    folded: dict[str, Form] = {"ours": public_form(LEDUC), SEQUENCE: rl.sequence_form(LEDUC)}
    rows = [_iteration(f"CFR+ on {LEDUC}, one iteration", folded)]
    progress(f"{APART}: CFR+")
    apart = public_form(APART, isomorphic=False)
    written: Form = apart.expanded()
    rows.append(_iteration(f"CFR+ on {APART}, not isomorphic", {"ours": apart, SEQUENCE: written}))
    rows.append(_iteration(f"CFR+ on {APART}", {"ours": public_form(APART), SEQUENCE: written}))
    return rows


def _iteration(what: str, forms: dict[str, Form]) -> Row:
    solvers = {name: rl.solver("cfr+", form) for name, form in forms.items()}
    reached = []
    for name, solver in solvers.items():
        solver.step(CHECKED)
        reached.append(rl.evaluate(rl.Strategy(forms[name], solver.behaviour())).nash_conv)
    _require_equal(what, *reached)
    each = seconds_each({name: solver.step for name, solver in solvers.items()})
    ours, peer = 1e3 * each["ours"], 1e3 * each[SEQUENCE]
    return Row(what, ours, "ms", {SEQUENCE: peer}, "≥ 5× sequence form", peer >= 5 * ours)


def _written_out() -> list[Row]:
    progress(f"{LEDUC}: expansion")
    form = public_form(LEDUC)
    seconds = seconds_each(
        {
            "ours": repeated(lambda: public_form(LEDUC).expanded()),
            WALKED: repeated(lambda: rl.sequence_form(LEDUC)),
        },
        repetitions=3,
    )
    if form.expanded().terminals != rl.sequence_form(LEDUC).terminals:
        raise RuntimeError(f"{LEDUC}: the expanded form has another number of terminals")
    ours = seconds.pop("ours")
    return [Row(f"sequence form of {LEDUC}, by expansion", ours, "s", seconds, "< 1", ours < 1)]


def _three_players() -> list[Row]:
    progress(f"{THREE}: CFR+")
    forms: dict[str, Form] = {SEQUENCE: rl.sequence_form(THREE), "public form": public_form(THREE)}
    evaluated = {name: _nash_conv(form) for name, form in forms.items()}
    _require_equal(THREE, *(evaluate() for evaluate in evaluated.values()))
    speed = rates({name: rl.solver("cfr+", form).step for name, form in forms.items()})
    spent = seconds_each({name: repeated(evaluate) for name, evaluate in evaluated.items()})
    live, live_ms = _openspiel(evaluated[SEQUENCE]())
    fastest = max(speed, key=lambda name: speed[name])
    peers = {OPENSPIEL: live[THEIRS], PUBLISHED: 0.31, FOLDED: live[THEIRS_FOLDED]}
    known = [peers[name] for name in (OPENSPIEL, PUBLISHED) if not math.isnan(peers[name])]
    rows = [
        Row(
            f"CFR+ on {THREE}, {name}",
            speed[name],
            "iterations/s",
            peers,
            "≥ 500× OpenSpiel" if name == fastest else "",
            speed[name] >= 500 * max(known) if name == fastest else None,
        )
        for name in forms
    ]
    quickest = min(spent, key=lambda name: spent[name])
    peers = {FOLDED: live_ms, PUBLISHED: 45_000.0}
    for name in forms:
        ms = 1e3 * spent[name]
        aim = ("< 50", ms < 50) if name == quickest else ("", None)
        rows.append(Row(f"NashConv of {THREE}, {name}", ms, "ms", peers, *aim))
    return rows


def _nash_conv(form: Form) -> Callable[[], float]:
    behaviour = np.asarray(uniform(form), np.float64)
    return lambda: rl.evaluate(rl.Strategy(form, behaviour)).nash_conv


def _openspiel(expected: float) -> tuple[dict[str, float], float]:
    """Iterations per second, and milliseconds for NashConv with suits folded."""
    if not installed(OPENSPIEL):
        return dict.fromkeys(LIVE, NOT_INSTALLED), NOT_INSTALLED
    progress(f"{THREE}: OpenSpiel, some iterations and one NashConv")
    rate = {
        name: count / _clocked(openspiel(spiel_game(name)).step, count)
        for name, count in LIVE.items()
    }
    pyspiel, game = import_module("pyspiel"), spiel_game(THEIRS_FOLDED)
    policy = pyspiel.UniformRandomPolicy(game)
    started = time.perf_counter()
    reached = float(pyspiel.nash_conv(game, policy))
    spent = time.perf_counter() - started
    _require_equal(f"{THREE}, {OPENSPIEL}", expected, reached)
    return rate, 1e3 * spent


def _clocked(work: Work, count: int) -> float:
    started = time.perf_counter()
    work(count)
    return time.perf_counter() - started


def _require_equal(what: str, first: float, second: float) -> None:
    """Speeds of different work are not compared."""
    if not math.isclose(first, second, rel_tol=SAME):
        raise RuntimeError(f"{what}: NashConv {first} and {second}")
