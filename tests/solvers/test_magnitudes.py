"""Exact methods are exact relative to the payoffs, however small, large or shifted these are."""

import numpy as np
import pytest
from wrapped_games import Wrapped, wrapped

import regretless as rl
from regretless.forms.sequence import is_zero_sum
from regretless.games._normal_form import normal_form_game
from regretless.runs.drawing import rows
from regretless.solvers._catalog import method_class
from regretless.solvers._correlated import solve_correlated

A = np.array([[3.0, -1.0, 2.0], [0.0, 2.0, -2.0], [1.0, 1.0, 0.5]])
VALUE = 5 / 7
DILEMMA = np.array([[[3.0, 0.0], [5.0, 1.0]], [[3.0, 5.0], [0.0, 1.0]]])
EXACT = ("lp", "normal-lp", "double-oracle", "double-oracle:rough=0", "lcp", "mip-nash")
ALSO = ("lemke-howson", "support-enumeration", "maxmin-exact", "stackelberg")
SCALES = (1e-12, 1e-9, 1.0, 1e9)
UNSCALED = {"public-chance-sampling", "smoothed-fictitious-play"}  # a temperature is in chips


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


# --- "exactly" is said of what is proved, and numbers of any size are shown


class Spoilt(method_class("lp")):
    """A linear program whose plans are near the optimal ones."""

    def plans(self, rows, columns):
        plan = super().plans(rows, columns)
        plan[1:4] += (SPOILT, -SPOILT, 0.0)
        return plan


SPOILT = 1e-6


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("constant", [0.0, 1e3])
def test_what_is_not_proved_is_not_called_exact(scale, constant, monkeypatch):
    """A program that ends near an equilibrium has ended, no more."""
    form = rl.sequence_form(normal_form_game("near", [(A + constant) * scale, -A * scale]))
    spread = scale * np.ptp(A)
    for solver, stop in ((rl.solver("lp", form), rl.Stop.EXACT), (Spoilt(form), rl.Stop.ENDED)):
        *_, report = rl.run(solver, until=rl.Limits(iterations=1))
        assert report.stop is stop
        assert (report.evaluation.exploitability <= 1e-9 * spread) == (stop is rl.Stop.EXACT)


@pytest.mark.parametrize("method", ["lp", "normal-lp"])
@pytest.mark.parametrize("constant", [1.0, -1e3])
def test_small_differences_of_large_payoffs_are_solved(method, constant):
    small = 1e-6 * A
    for other in (-small, -small - constant):
        solution = rl.solve(normal_form_game("far", [constant + small, other]), method=method)
        assert solution.stop is rl.Stop.EXACT
        assert solution.values[0] - constant == pytest.approx(1e-6 * VALUE, abs=1e-12)
        assert solution.exploitability < 1e-12


@pytest.mark.parametrize("exponent", [3, 9, 15, 30])
def test_tiny_values_are_shown_and_known(exponent):
    """Nothing about them is a zero, a fraction or another game."""
    scale = 10.0**-exponent
    game, larger = (
        normal_form_game("tiny", [A * times, -A * times]) for times in (scale, 2 * scale)
    )
    solution = rl.solve(game, method="lp")
    assert solution.value_fraction is None
    shown = dict(rows(solution))["values"].split(", ")
    assert [float(text) for text in shown] == pytest.approx(solution.values, rel=1e-5, abs=0)
    assert rl.solve(normal_form_game("one", [A, -A]), method="lp").value_fraction == "5/7"
    assert rl.sequence_form(game).fingerprint() != rl.sequence_form(larger).fingerprint()
    again = rl.sequence_form(normal_form_game("tiny", [A * scale, -A * scale]))
    assert rl.sequence_form(game).fingerprint() == again.fingerprint()


def in_unit(scale):
    """Kuhn poker in another unit."""

    class Scaled(Wrapped):
        @property
        def payoff(self):
            return tuple(scale * paid for paid in self.inner.payoff)

    return wrapped(rl.load("kuhn"), Scaled)


LEARNERS = [name for name in rl.research.method_names() if not method_class(name).is_exact]


@pytest.mark.parametrize("method", sorted(set(LEARNERS) - UNSCALED))
def test_the_unit_of_payoffs_does_not_change_play(method):
    """Powers of two: nothing is rounded otherwise."""

    def played(scale):
        solver = rl.solver(method, rl.sequence_form(in_unit(scale)), seed=1)
        solver.step(30)
        return solver.behaviour()

    once = played(1.0)
    for exponent in (-40, 20):
        np.testing.assert_allclose(played(2.0**exponent), once, atol=1e-7)
