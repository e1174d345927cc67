"""Stages: chances of outcomes, whatever these are worth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.core.errors import BadInput
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.sequence import sequence_form
from regretless.forms.stage import sequence_stage

GAMES = ("kuhn", "kuhn:players=3", "leduc:ranks=2", "matching_pennies")


def random_plan(form, rng):
    return plan_of(form, behaviour_of(form, plan_of(form, rng.random(size(form)))))


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 99))
def test_gradients_are_utilities_times_chances(game, seed):
    form, rng = sequence_form(game), np.random.default_rng(seed)
    numbers = rng.integers(0, 4, form.terminals)
    stage = sequence_stage(form, numbers)
    utility = rng.normal(size=(stage.outcomes, form.players))
    plan, paying = random_plan(form, rng), stage.paying(utility)
    assert np.array_equal(paying.payoffs, utility[numbers])
    gradient = np.zeros_like(plan)
    for player in range(form.players):
        paying.gradient(player, plan, gradient)
        mine = own(form, player)
        chances = stage.chances(player, plan)
        assert np.allclose(gradient[mine], utility[:, player] @ chances, atol=1e-12)
        reached = form.chance * plan[form.sequences].prod(axis=1)
        assert np.allclose(chances @ plan[mine], np.bincount(numbers, reached, stage.outcomes))


def test_the_payoffs_of_the_form_come_back():
    form = sequence_form("kuhn:players=3")
    stage = sequence_stage(form)
    assert stage.outcomes == form.terminals
    assert stage.paying(form.payoffs).fingerprint() == form.fingerprint()
    assert stage.paying(form.payoffs).zero_sum
    assert not stage.paying(form.payoffs + 1.0).zero_sum


def test_averages_move_towards_responses():
    form, rng = sequence_form("kuhn:players=3"), np.random.default_rng(3)
    stage = sequence_stage(form)
    plan, other = random_plan(form, rng), random_plan(form, rng)
    averages = stage.averages(plan)
    mine, rest = own(form, 1), own(form, 2)
    averages.move(1, other[mine], 0.25)
    assert np.allclose(averages.plan[mine], 0.75 * plan[mine] + 0.25 * other[mine])
    assert np.array_equal(averages.plan[rest], plan[rest])
    assert np.array_equal(averages.chances(0), stage.chances(0, averages.plan))


@pytest.mark.parametrize("numbers", [[0, 1], [-1] * 30, [[0] * 30]])
def test_outcomes_are_one_number_per_terminal(numbers):
    with pytest.raises(BadInput, match="30 numbers from 0"):
        sequence_stage(sequence_form("kuhn"), numbers)
