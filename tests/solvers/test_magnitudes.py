"""Exact methods are exact relative to the payoffs, however small, large or shifted these are."""

import numpy as np
import pytest

import regretless as rl
from regretless.forms.sequence import is_zero_sum
from regretless.games._normal_form import normal_form_game
from regretless.solvers._correlated import solve_correlated

A = np.array([[3.0, -1.0, 2.0], [0.0, 2.0, -2.0], [1.0, 1.0, 0.5]])
VALUE = 5 / 7
DILEMMA = np.array([[[3.0, 0.0], [5.0, 1.0]], [[3.0, 5.0], [0.0, 1.0]]])
EXACT = ("lp", "normal-lp", "double-oracle", "double-oracle:rough=0", "lcp", "mip-nash")
ALSO = ("lemke-howson", "support-enumeration", "maxmin-exact", "stackelberg")
SCALES = (1e-12, 1e-9, 1.0, 1e9)


@pytest.mark.parametrize("method", [*EXACT, *ALSO])
@pytest.mark.parametrize("scale", SCALES)
def test_exact_means_relative_to_the_payoffs(method, scale):
    solution = rl.solve(normal_form_game("scaled", [A * scale, -A * scale]), method=method)
    assert solution.stop is rl.Stop.EXACT
    assert solution.values[0] / scale == pytest.approx(VALUE, abs=1e-9)
    assert solution.exploitability / scale < 1e-9


@pytest.mark.parametrize("method", ["lp", "normal-lp", "double-oracle", "double-oracle:rough=0"])
@pytest.mark.parametrize("constant", [1.0, -7.0, 1000.0])
def test_constant_sum_games_are_a_shift_away(method, constant):
    """Values are those of the game as given."""
    form = rl.sequence_form(normal_form_game("shifted", [A, constant - A]))
    assert form.constant == pytest.approx(constant)
    assert not form.zero_sum
    solution = rl.solve(form, method=method)
    assert solution.stop is rl.Stop.EXACT
    assert solution.values == pytest.approx((VALUE, constant - VALUE), abs=1e-9)
    assert solution.exploitability < 1e-9 * max(1, abs(constant))


def test_other_sums_are_refused():
    for scale in SCALES:
        form = rl.sequence_form(normal_form_game("dilemma", DILEMMA * scale))
        assert form.constant is None
        assert not form.zero_sum
        with pytest.raises(rl.errors.Unsuitable, match="payoffs that are not constant-sum"):
            rl.solver("lp", form)


def test_zero_sum_is_relative_to_the_payoffs():
    assert is_zero_sum(np.zeros((3, 2)))
    assert not is_zero_sum(np.array([[1e-12, 2e-12]]))
    assert is_zero_sum(np.array([[0.1 + 0.2, -0.3]]))


def best_correlated(table, *, coarse):
    work = solve_correlated(rl.sequence_form(normal_form_game("g", table)), coarse=coarse)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("coarse", [False, True])
def test_correlated_equilibria_of_any_magnitude(scale, coarse):
    """Chicken (Aumann 1974): the best correlated equilibrium pays 10 1/2 together."""
    chicken = np.array([[[6.0, 2.0], [7.0, 0.0]], [[6.0, 7.0], [2.0, 0.0]]])
    best, plain = (best_correlated(chicken * by, coarse=coarse) for by in (scale, 1.0))
    np.testing.assert_array_equal(best.profiles, plain.profiles)
    np.testing.assert_allclose(best.probabilities, plain.probabilities, atol=1e-9)
    if not coarse:
        paid = chicken.sum(axis=0)[tuple(best.profiles.T)]
        assert best.probabilities @ paid == pytest.approx(10.5)
