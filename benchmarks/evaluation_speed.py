"""Time of one evaluation.

Ours computes the values of all players and of their best responses. OpenSpiel (C++) has one call
for NashConv, which builds its trees each time, and best responses that keep theirs; the latter are
the fair comparison. How many times faster ours is, is in brackets. All evaluate the average
strategy after ten iterations of CFR+. OpenSpiel reads the three-player game from a Gambit file."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import regretless as rl
from benchmarks._peers import (
    OPENSPIEL,
    best_responses,
    installed,
    openspiel_policy,
    spiel_game,
    spiel_game_of_efg,
)
from benchmarks._report import NOT_INSTALLED, Row
from benchmarks._timing import Work, progress, repeated, seconds_each

ITERATIONS = 10
KEPT = "OpenSpiel, trees kept"
THREE = "leduc:players=3,cap=1"


def measure() -> list[Row]:
    """One evaluation of each game, in milliseconds."""
    spiel = installed(OPENSPIEL)
    full = spiel_game("leduc_poker") if spiel else None
    folded = spiel_game("leduc_poker(suit_isomorphism=true)") if spiel else None
    three = spiel_game_of_efg(rl.games.to_efg(rl.load(THREE))) if spiel else None
    return [
        _row("exploitability", "leduc:suits_distinct=true", full, most_ms=0.1),
        _row("exploitability", "leduc", folded, most_ms=0.1),
        _row("epsilon of every player", THREE, three, most_ms=2.0),
    ]


def _row(what: str, spec: str, game: Any, *, most_ms: float) -> Row:
    progress(f"{what} of {spec}")
    form = rl.sequence_form(rl.load(spec))
    solver = rl.solver("cfr+", form)
    solver.step(ITERATIONS)
    behaviour = solver.behaviour()
    works = {"ours": repeated(lambda: rl.evaluate(rl.Strategy(form, behaviour)).epsilon)}
    each = seconds_each(works | _peer_works(game))
    ours = 1e3 * each["ours"]
    peers = {name: 1e3 * each.get(name, NOT_INSTALLED) for name in (OPENSPIEL, KEPT)}
    return Row(f"{what} of {spec}", ours, "ms", peers, f"< {most_ms}", ours < most_ms)


def _peer_works(game: Any) -> dict[str, Work]:
    if game is None:
        return {}
    nash_conv = import_module("pyspiel").nash_conv
    policy = openspiel_policy(game, ITERATIONS)
    return {
        OPENSPIEL: repeated(lambda: nash_conv(game, policy)),
        KEPT: repeated(best_responses(game, policy)),
    }
