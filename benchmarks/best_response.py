"""Best responses, generic and accelerated.

Player 1 responds to the uniform strategy of player 2; times are in milliseconds. Generic walks the
states of the game in Python, once each, grouped by what player 1 can distinguish; it is measured if
it takes less than about five seconds. The sequence form does the same in compiled arrays: every
terminal is visited once. The public form evaluates the terminals of a board for all hands at once,
by running sums over sorted hands (sorted) or by a small matrix per board (matrix). All but the
generic one also compute the value of player 1's own strategy in the same call. All return the same
value, which is checked. Much of the difference between generic and sorted is that between Python
and compiled code; sequence and sorted are both compiled.

Leduc is measured with suits folded (the default: a hand is a rank) and with distinct suits (a hand
is a card, no isomorphism), Rhode Island with isomorphic suits. Ratios show how many times faster
sorted evaluation is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np

import regretless as rl
from benchmarks._report import Row, number
from benchmarks._timing import Work, progress, repeated, seconds_each
from regretless.core.arrays import Floats
from regretless.forms.form import Form
from regretless.forms.public import PublicForm, public_form
from regretless.games._poker import PokerState

DECKS = (
    *((2, 2), (3, 2), (4, 2), (5, 2), (3, 3), (6, 3)),
    *((8, 3), (5, 4), (10, 4), (12, 4), (13, 4)),
)
RHODE = "rhode_island"
GENERIC, SEQUENCE, SORTED, MATRIX = "generic", "sequence", "sorted", "matrix"
MOST_NODES = 500_000  # states that are walked: ten microseconds each
MOST_TERMINALS = 6_000_000  # terminals that are listed: ten seconds
SAME = 1e-9
TARGET = "leduc:ranks=13,suits=4"
LEAST = 10.0  # times faster than generic

Reached = list[tuple[rl.State, float]]  # states, and their probability by the others and chance


def measure() -> list[Row]:
    """One row per game and method: game, hands, entries, method; milliseconds."""
    folded = [f"leduc:ranks={ranks},suits={suits}" for ranks, suits in DECKS]
    apart = [f"{spec},suits_distinct=true" for spec in folded]
    return [row for spec in (*folded, *apart, RHODE) for row in _rows(spec)]


def generic(player: int, reached: Reached, behaviour: Mapping[str, Sequence[float]]) -> float:
    """Value of the best response from states that the player cannot distinguish."""
    total = 0.0
    asked: dict[str, Reached] = {}
    stack = reached
    while stack:
        state, reach = stack.pop()
        if state.player == rl.TERMINAL:
            total += reach * state.payoff[player]
        elif state.player == player:
            asked.setdefault(state.view(player), []).append((state, reach))
        else:
            weights = state.chances or behaviour[state.view(state.player)]
            stack += [(state.child(i), reach * weight) for i, weight in enumerate(weights)]
    for same in asked.values():
        total += max(
            generic(player, [(state.child(action), reach) for state, reach in same], behaviour)
            for action in range(len(same[0][0].actions))
        )
    return total


def _rows(spec: str) -> list[Row]:
    progress(spec)
    game = rl.load(spec)
    isomorphic = "distinct" not in spec
    forms: dict[str, Form] = {
        terminal: public_form(game, terminal=terminal, isomorphic=isomorphic)
        for terminal in (SORTED, MATRIX)
    }
    public = cast(PublicForm, forms[SORTED])
    if public.terminals <= MOST_TERMINALS:
        forms[SEQUENCE] = public.expanded()
    ways = {name: _responder(form) for name, form in forms.items()}
    values = {name: respond() for name, respond in ways.items()}
    works: dict[str, Work] = {name: repeated(respond) for name, respond in ways.items()}
    each = seconds_each(works, repetitions=3 if spec == RHODE else 9)
    if public.nodes <= MOST_NODES:
        behaviour = _by_label(public, 1)
        started = time.perf_counter()
        values[GENERIC] = generic(0, [(game.root, 1.0)], behaviour)
        each[GENERIC] = time.perf_counter() - started
    if any(abs(value - values[SORTED]) > SAME for value in values.values()):
        raise RuntimeError(f"{spec}: best responses have values {values}")
    hands = cast(PokerState, game.root).deck.kinds
    head = f"{spec}|{hands}|{sum(public.sizes.sequences)}"
    return [Row(f"{head}|{name}", 1e3 * seconds, "ms") for name, seconds in each.items()]


def _responder(form: Form) -> Callable[[], float]:
    behaviour = _uniform(form)
    return lambda: form.respond(0, behaviour)[1]


def _uniform(form: Form) -> Floats:
    """The strategy of a solver before its first step."""
    return np.asarray(rl.solver("cfr+", form).behaviour(), np.float64)


def _by_label(form: Form, player: int) -> dict[str, list[float]]:
    """Probabilities of the actions at every decision point of a player."""
    return {
        point.label: [1 / len(point.actions)] * len(point.actions) for point in form.points(player)
    }


def table(rows: list[Row]) -> list[list[str]]:
    """One line per game; the crossover of sorted and matrix evaluation comes last."""
    by_game: dict[tuple[str, int, int], dict[str, float]] = {}
    for row in rows:
        game, number_of_hands, number_of_entries, way = row.what.split("|")
        key = game, int(number_of_hands), int(number_of_entries)
        by_game.setdefault(key, {})[way] = row.ours
    ways = (GENERIC, SEQUENCE, MATRIX, SORTED)
    ratios = [f"{way}/{SORTED}" for way in ways[:-1]]
    lines = [["game", "hands", "entries", *ways, *ratios, "target"]]
    for (spec, hands, entries), ms in by_game.items():
        line = [spec, str(hands), f"{entries:,}"]
        line += [number(ms[way], "ms") if way in ms else "" for way in ways]
        line += [f"{number(ms[way] / ms[SORTED], 'ms')}×" if way in ms else "" for way in ways[:-1]]
        lines.append([*line, _judged(ms) if spec == TARGET else ""])
    lines.append([_crossover(by_game), *[""] * (len(lines[0]) - 1)])
    return lines


def _judged(ms: Mapping[str, float]) -> str:
    fastest = min(ms[SORTED], ms[MATRIX])
    met = ms.get(GENERIC, math.nan) / fastest >= LEAST
    return f"≥ {LEAST:.0f}× generic: {'met' if met else 'MISSED'}"


def _crossover(by_game: Mapping[tuple[str, int, int], Mapping[str, float]]) -> str:
    """The number of hands from which sorted evaluation is never slower."""
    slower = [hands for (_, hands, _), ms in by_game.items() if ms[SORTED] > ms[MATRIX]]
    above = [hands for (_, hands, _) in by_game if hands > max(slower, default=0)]
    if not slower:
        return "crossover: sorted is faster on all decks"
    if not above:
        return "crossover: none; matrix is faster on some of the largest decks"
    return f"crossover: sorted is faster on all decks with at least {min(above)} hands"
