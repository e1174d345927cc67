"""Qualitative models: equilibria of continuous, three-player and river games by structure.

Ganzfried & Sandholm 2010, "Computing equilibria by incorporating qualitative models", as shown in
Sandholm's slides on solving large games; von Neumann & Morgenstern's poker; generalised Kuhn
poker; random river endgames of hold'em."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import card_name
from regretless.continuous.discrete import deck_game, mixed_strategy, signal_values
from regretless.continuous.examples import example
from regretless.continuous.game import ContinuousGame, continuous_game
from regretless.continuous.picture import draw_regions
from regretless.continuous.response import responses
from regretless.continuous.river import RiverSolution, river_of, solve_river
from regretless.continuous.solution import ModelSolution, solve_continuous
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Column, Table
from regretless.evaluation.exploitability import measured
from regretless.forms.public import public_form
from regretless.forms.public_rows import behaviour_by_hand
from regretless.forms.sequence import SequenceForm, sequence_form
from regretless.games._spot import Spot, spot
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy
from regretless.studies._study import Beside, Picture

ABOUT = """Given what an equilibrium looks like, a program finds it, or proves that there is none
(Ganzfried & Sandholm 2010). Every epsilon comes from exact best responses, which share nothing with
the programs."""
SEED = 2010
POTS = (0.5, 1.0, 2.0, 4.0, 10.0)
BETS = (0.5, 1.0, 2.0, 4.0)
SIGNALS = (10, 25, 50, 100, 250)
BREAKPOINTS = (3, 5, 9)
FALLING = [[0, 0], [0.5, 0.65], [1, 1]]  # weak hands are more frequent
RISING = [[0, 0], [0.5, 0.35], [1, 1]]
THREE: dict[str, list[Any]] = {
    "uniform": ["uniform"] * 3,
    "player 1 stronger": [RISING, "uniform", "uniform"],
    "player 1 weaker": [FALLING, "uniform", "uniform"],
}
PUBLISHED_EPSILON = 0.01  # with 5 breakpoints
PUBLISHED_S = 0.25  # per river endgame
POT = 100  # chips of a river endgame
TARGET = 0.05  # chips of exploitability of the exact solution


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Four games and the rivers: 2 endgames with `quick`, 1,000 with `full`, otherwise 100."""
    yield _bet_or_check()
    yield _von_neumann()
    yield _kuhn(SIGNALS[:1] if quick else SIGNALS, listen)
    three = _three(BREAKPOINTS[:1] if quick else BREAKPOINTS, listen)
    yield _three_table(three)
    yield _rivers(2 if quick else 1000 if full else 100, listen)
    best = three[-1][2]
    yield Picture("three-players", lambda path: _picture(best, path))


def closed_form(pot: float) -> tuple[float, float, float]:
    """Thresholds of the slides' first example: bluffs from, value bets up to, calls up to.

    The caller is indifferent at c: x = (P + 1)(1 - y), for bets with signals below x, which win
    from callers, and above y. The bettor is indifferent at x and y: c = 2x, y = (P + 1) c / P."""
    below = (2 * pot + 1) * (pot + 2)
    c = 2 * pot * (pot + 1) / below
    return c / 2, (pot + 1) * c / pot, c


def _bet_or_check() -> Table:
    rows = []
    for pot in POTS:
        made = example(f"bet-or-check:pot={pot}")
        found = solve_continuous(made.game, list(made.models))
        first, second = (own.thresholds for own in found.profile)
        ours = (*first.tolist(), *second.tolist())
        off = max(abs(a - b) for a, b in zip(ours, closed_form(pot), strict=True))
        row = (f"{pot:g}", *ours, off, found.values[0], found.epsilon, found.seconds)
        rows.append(row)
    columns = (
        "pot",
        Column("bets below", ".6f"),
        Column("and above", ".6f"),
        Column("calls below", ".6f"),
        Column("off closed form", ".1e"),
        Column("value", ".6f"),
        Column("epsilon", ".1e"),
        Column("seconds", ".2f"),
    )
    return Table("The slides' first poker example", columns, rows, FIRST)


def _von_neumann() -> Table:
    rows = []
    for bet in BETS:
        made = example(f"von-neumann:bet={bet}")
        found = solve_continuous(made.game, list(made.models))
        value = Beside(bet / ((bet + 1) * (bet + 4)), found.values[0])
        rows.append((f"{bet:g}", value, found.epsilon, found.seconds))
    columns = ("bet", Column("value"), Column("epsilon", ".1e"), Column("seconds", ".2f"))
    return Table("Von Neumann's poker: b / ((b + 1) (b + 4))", columns, rows, VON_NEUMANN)


def _kuhn(signals: tuple[int, ...], listen: Listener) -> Table:
    made = example("kuhn")
    continuous = solve_continuous(made.game, list(made.models))
    rows = []
    for count in signals:
        listen(Progress(f"generalised Kuhn, {count} signals"))
        deck = deck_game(made.game, count)
        mixed = [mixed_strategy(made.game, continuous.profile, deck, i) for i in (1, 2)]
        nemesis = [
            -float(signal_values(deck, 1, mixed[0]).max(axis=1).sum()),
            float(signal_values(deck, 0, mixed[1]).max(axis=1).sum()),
        ]
        form = sequence_form(deck.game)
        value, lp_s = _by_lp(form)
        cfr_s = _by_cfr(form)
        rows.append(
            {
                "signals": str(count),
                "value": value,
                "player 1 against its nemesis": nemesis[0],
                "loss 1": value - nemesis[0],
                "loss 2": nemesis[1] - value,
                "seconds, continuous": continuous.seconds,
                "LP": lp_s,
                "CFR+": cfr_s,
            }
        )
    table = Table.of("Generalised Kuhn poker", rows, KUHN)
    formats = ("", ".6f", ".6f", ".6f", ".6f", ".2f", ".2f", ".2f")
    columns = [Column(one.name, how) for one, how in zip(table.header, formats, strict=True)]
    return Table(table.title, columns, table.rows, table.note)


def _by_lp(form: SequenceForm) -> tuple[float, float]:
    """The value and the seconds that the linear program takes."""
    started = time.perf_counter()
    method = solver("lp", form)
    while not method.finished:
        method.step(1)
    spent = time.perf_counter() - started
    return measured(Strategy.trusted(method.form, method.behaviour())).values[0], spent


def _by_cfr(form: SequenceForm) -> float:
    """Seconds until CFR+ is within 0.0001 of an equilibrium."""
    started = time.perf_counter()
    method = solver("cfr+", form)
    while True:
        method.step(50)
        strategy = Strategy.trusted(method.form, method.behaviour())
        if measured(strategy).exploitability < 1e-4:
            return time.perf_counter() - started


Three = list[tuple[str, int, ModelSolution]]


def _three(breakpoints: tuple[int, ...], listen: Listener) -> Three:
    made = example("three-players")
    found: Three = []
    for name, signals in THREE.items():
        own = continuous_game(signals, {"p1:x": [0, 0, 0]}).distributions
        game = ContinuousGame(f"three-players, {name}", own, made.game.root)
        for count in breakpoints:
            listen(Progress(f"three players, {name}, {count} breakpoints"))
            solution = solve_continuous(game, list(made.models), breakpoints=count)
            found.append((name, count, solution))
    return [*found[len(breakpoints) :], *found[: len(breakpoints)]]


def _three_table(three: Three) -> Table:
    rows = []
    for name, count, found in three:
        rough = found.linear.epsilon if found.linear else None
        exact = None if found.found is None else found.epsilon
        rows.append((name, str(count), found.bound, rough, exact, found.seconds))
    columns = (
        "signals",
        "breakpoints",
        Column("bound", ".3f"),
        Column("epsilon of the linear program", ".5f"),
        Column("epsilon after Newton's method", ".1e"),
        Column("seconds", ".2f"),
    )
    return Table("Three players", columns, rows, THREE_NOTE)


def random_river(rng: np.random.Generator) -> Spot:
    """A random board; every hand with the cube of a random number as its weight."""
    board = "".join(card_name(int(card)) for card in rng.choice(52, 5, replace=False))
    ranges = {who: rng.uniform(0, 1, HOLDINGS) ** 3 for who in ("oop", "ip")}
    tree = {"raise_cap": 2}
    return spot(
        board=board, pot=POT, stack=3 * POT, ranges=ranges, bets="50%", raises="100%", tree=tree
    )


def _rivers(count: int, listen: Listener) -> Table:
    kinds: dict[int, list[tuple[float, float, float, float, float, float]]] = {}
    for number in range(count):
        listen(Progress(f"river {number + 1:,} of {count:,}", done=number / count))
        one, model = _one_river(random_river(np.random.default_rng([SEED, number])))
        kinds.setdefault(model, []).append(one)
    names = ("bets and check-raises", "only bets", "only checks")
    parts = [(names[model], rows) for model, rows in sorted(kinds.items())]
    if len(parts) > 1:
        parts.append(("all", [row for _, some in parts for row in some]))
    rows = []
    for name, some in parts:
        mean = np.mean(some, axis=0)
        fits = 100 * float(np.mean([row[1] < 1e-6 * POT for row in some]))
        rows.append(
            (name, len(some), fits, mean[2], max(row[2] for row in some), mean[3], *mean[4:])
        )
    columns = (
        "model",
        "endgames",
        Column("fit exactly, %", ".0f"),
        Column("exploitability", ".2f"),
        Column("largest", ".2f"),
        Column("of the solver", ".2f"),
        Column("seconds", ".3f"),
        Column("of the solver", ".3f"),
    )
    return Table("Random river endgames, pot 100", columns, rows, RIVERS)


def _one_river(made: Spot) -> tuple[tuple[float, float, float, float, float, float], int]:
    """Gain on the continuum, regret there, exploitability, of the solver; seconds of both."""
    started = time.perf_counter()
    found: RiverSolution = solve_river(river_of(made.rules.start(), made.board, made.ranges))
    ours_s = time.perf_counter() - started
    gain = max(answer.gain for answer in responses(found.smooth, found.newton.profile))
    form = public_form(made.game)
    played = Strategy.trusted(form, behaviour_by_hand(form, found.chances))
    started = time.perf_counter()
    method = solver("dcfr:gamma=4", public_form(made.game))
    while True:
        method.step(25)
        exact = measured(Strategy.trusted(method.form, method.behaviour())).exploitability
        if exact < TARGET:
            break
    theirs_s = time.perf_counter() - started
    return (
        gain,
        found.regret,
        measured(played).exploitability,
        exact,
        ours_s,
        theirs_s,
    ), found.model


def _picture(found: ModelSolution, path: Path) -> None:
    draw_regions(found.game, found.profile, path)


FIRST = """Lower signals win; player 1 bets one chip with its best and worst signals, player 2 calls
with its best. The slides give no numbers. The closed form follows from indifference:
c = 2P(P + 1) / ((2P + 1)(P + 2)), player 1 bets below c / 2 and above (P + 1) c / P."""
VON_NEUMANN = """Antes of 1 each, bets of b. The value is known in closed form (von Neumann &
Morgenstern 1944): closed form → ours."""
KUHN = """One card of n, no two alike; antes and bets of 1. The continuous equilibrium, found once,
is mapped to mixed strategies of the n signals by overlaps. Loss: what its best response (nemesis)
takes from it, less the value. The slides' claim, agreement within .0001 at 250 signals, holds for
player 1; player 2's continuous strategy loses more, in inverse proportion to n.
CFR+ runs until exploitability is below .0001; LP and CFR+ exclude building the form."""
THREE_NOTE = f"""Player 1 bets or checks, players 2 and 3 call or fold; antes and bets of 1.
The slides report an epsilon of {PUBLISHED_EPSILON} with 5 breakpoints, for their own game and
several distributions, against a theoretical bound of about 25. The bound here is for signals that
the program looks at. Newton's method then finds the equilibrium itself. An empty epsilon: the
program proves that no equilibrium fits the model for these signals."""
RIVERS = f"""One bet of half the pot and one raise of the pot per player; random boards, 1,081 hands
each with random weights. Exploitability in chips of both strategies, on all hands, with blocked
cards and ties, which the continuous game ignores; the largest is on QQQJJ, where 96 % of all
hands are equal. The agent leaves such boards, and endgames that fit no model, to the solver.
"Fit exactly": no plan gains at any signal of the smoothed game. The solver (DCFR) runs until
{TARGET} chips. The slides report {PUBLISHED_S} s per hand on average, in a different setting:
limit hold'em with ranges of their agent."""
