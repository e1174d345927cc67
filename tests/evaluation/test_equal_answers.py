"""Of equally good best responses the first is taken."""

import pytest

from regretless.evaluation.exploitability import Evaluation, best_response
from regretless.forms.sequence import sequence_form
from regretless.strategy.strategy import Strategy


@pytest.mark.parametrize("player", [1, 2])
def test_the_first_of_equally_good_actions(player):
    value, answer = best_response(Strategy.uniform(sequence_form("rps")), player)
    assert value == 0
    assert list(answer.probabilities("choose", player).values()) == [1.0, 0.0, 0.0]


def test_a_best_response_that_rounding_makes_worse_gains_nothing():
    found = Evaluation((1.0, -1.0), (1.0 - 1e-12, -0.5))
    assert found.epsilon == (0.0, 0.5)
    assert (found.nash_conv, found.exploitability) == (0.5, 0.25)
