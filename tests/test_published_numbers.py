"""Numbers that others have published or computed, each with its source."""

from itertools import pairwise

import numpy as np
import pytest

from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import own, uniform
from regretless.forms.sequence import game_sizes, sequence_form
from regretless.games._catalog import load
from regretless.runs.solution import recognised
from regretless.runs.solve import solve
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

VALUES = [
    ("kuhn", -1 / 18, "Kuhn 1950"),
    ("kuhn:ranks=4", -1 / 24, "independent program"),
    ("kuhn:ranks=5", -1 / 15, "independent program"),
    ("kuhn:ranks=13", -5 / 78, "independent program"),
    ("leduc", -0.085606424078, "OpenSpiel's tests"),
    ("leduc:suits_distinct=true", -0.085606424078, "OpenSpiel's tests"),
    ("leduc:ranks=5", -0.112768934481, "independent program; -0.113 in a 2020 project report"),
    ("leduc:suits=3", -0.105960032282, "independent program"),
    ("leduc:ranks=2", 0.0, "independent program"),
]
SIZES = [
    ("kuhn", 58, 30, 6, 13),
    ("kuhn:players=3", 617, 312, 16, 33),
    ("leduc:suits_distinct=true", 9457, 5520, 468, 1093),
    ("leduc", 1939, 1116, 144, 337),
    ("leduc:players=3,cap=1", 32937, 16908, 400, 801),
]
UNIFORM = [
    ("kuhn", 0.916666666667, (0.125, -0.125)),
    ("kuhn:players=3", 2.0625, (0.234375, -0.046875, -0.1875)),
    ("leduc", 4.747222222222, (-0.078125, 0.078125)),
]
CURVES = [  # NashConv after 2, 10, 100 iterations, alternating updates
    ("kuhn", "cfr", (0.541666666667, 0.137397587634, 0.0164519546318)),
    ("kuhn", "cfr+", (0.527777777778, 0.0653741813367, 0.00238880820222)),
    ("leduc", "cfr", (4.12263888889, 1.77715796634, 0.191432706009)),
    ("leduc", "cfr+", (4.11583333333, 1.22087780318, 0.0268319899418)),
]
REACHED = [  # exploitability on Leduc after 1,000 and 10,000 iterations, one run each
    ("cfr+", 2.4e-4, 9.5e-6),
    ("dcfr", 1.75e-4, 4.5e-6),
    ("pcfr+", 6.3e-4, 7.0e-6),
    ("sapcfr+", 2.4e-4, 3.6e-7),
]


@pytest.mark.parametrize(("game", "value", "source"), VALUES)
def test_values(game, value, source):
    solution = solve(game, method="lp")
    assert solution.values[0] == pytest.approx(value, abs=1e-11)
    assert solution.exploitability < 1e-12


@pytest.mark.parametrize(("game", "nodes", "terminals", "points", "sequences"), SIZES)
def test_sizes(game, nodes, terminals, points, sequences):
    found = game_sizes(load(game))
    players = len(found.sequences)
    assert (found.nodes, found.terminals) == (nodes, terminals)
    assert found.decision_points == (points,) * players
    assert found.sequences == (sequences,) * players


@pytest.mark.parametrize(("game", "nash_conv", "values"), UNIFORM)
def test_uniform_strategies(game, nash_conv, values):
    form = sequence_form(load(game))
    found = evaluate(Strategy(form, uniform(form)))
    assert found.nash_conv == pytest.approx(nash_conv, abs=1e-11)
    assert found.values == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize(("game", "method", "curve"), CURVES)
@pytest.mark.parametrize("distinct", ["false", "true"])
def test_curves(game, method, curve, distinct):
    if game == "leduc":
        game = f"leduc:suits_distinct={distinct}"
    form = sequence_form(load(game))
    running = solver(method, form)
    for (before, after), nash_conv in zip(pairwise((0, 2, 10, 100)), curve, strict=True):
        running.step(after - before)
        found = evaluate(Strategy(form, running.behaviour())).nash_conv
        assert found == pytest.approx(nash_conv, abs=1e-9)


@pytest.mark.parametrize(("method", "thousand", "ten_thousand"), REACHED)
def test_exploitability_reached_on_leduc(method, thousand, ten_thousand):
    form = sequence_form(load("leduc"))
    running = solver(method, form)
    for iterations, published in ((1000, thousand), (10_000, ten_thousand)):
        running.step(iterations - running.iteration)
        found = evaluate(Strategy(form, running.behaviour())).exploitability
        # The last digits of a long run depend on the order of sums; the size does not.
        assert published / 2 < found < published * 2


def test_predictive_methods_go_on_to_1e_9():
    assert solve("leduc", method="pcfr+", iterations=50_000).exploitability < 1e-9
    assert solve("leduc", method="sapcfr+", iterations=50_000).exploitability < 1e-10


def test_three_player_kuhn_equilibria():
    """Szafron, Gibson & Sturtevant 2013: any member of the family is an equilibrium."""
    form = sequence_form(load("kuhn:players=3"))
    for b11, b21, c11 in [(0.0, 0.0, 0.2), (0.1, 0.2, 0.0), (0.2, 0.1, 0.5), (0.2, 0.2, 0.3)]:
        behaviour = uniform(form)
        for player, table in enumerate(_szafron(b11, b21, c11)):
            plex, mine = form.treeplexes[player], own(form, player)
            for label, bet_or_call in table.items():
                point = plex.point(label)
                passive = 0  # check or fold comes first, bet or call last
                sequences = plex.sequences[point] + mine.start
                behaviour[sequences] = [1 - bet_or_call, bet_or_call]
                assert plex.actions[point][passive] in ("check", "fold")
        beta = max(b11, b21)
        found = evaluate(Strategy(form, behaviour))
        assert found.nash_conv < 1e-11
        expected = (-(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24)
        assert found.values == pytest.approx(expected, abs=1e-12)


def _szafron(b11, b21, c11):
    """Probability to bet or call for cards J Q K A, by situation."""
    first = {
        "": (0, 0, 0, 0),
        "ccr": (0, 0, 0, 1),
        "crf": (0, 0, 0.5, 1),
        "crc": (0, 0, 0, 1),
    }
    second = {
        "c": (b11, b21, 0, 2 * b11 + 2 * b21),
        "r": (0, 0, 0, 1),
        "ccrf": (0, 0, 0.5 + (b11 + b21 + max(b11, b21)) / 2, 1),
        "ccrc": (0, 0, 0, 1),
    }
    third = {
        "cc": (c11, 0.5 - c11, 0, 1),
        "cr": (0, 0, 0, 1),
        "rf": (0, 0, 0.5, 1),
        "rc": (0, 0, 0, 1),
    }
    return [
        {
            f"{card}:{betting}": p
            for betting, row in side.items()
            for card, p in zip("JQKA", row, strict=True)
        }
        for side in (first, second, third)
    ]


def test_fractions_are_recognised_and_others_are_not():
    assert str(recognised(-1 / 18)) == "-1/18"
    assert str(recognised(-5 / 78)) == "-5/78"
    assert recognised(-0.085606424078) is None
    assert solve("kuhn", method="lp").value_fraction == "-1/18"
    assert solve("leduc", method="lp").value_fraction is None
    assert np.isfinite(solve("kuhn", iterations=3).exploitability)
