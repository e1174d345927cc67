"""Of equally good best responses the first is taken."""

import pytest

from regretless.evaluation.exploitability import best_response
from regretless.forms.sequence import sequence_form
from regretless.strategy.strategy import Strategy


@pytest.mark.parametrize("player", [1, 2])
def test_the_first_of_equally_good_actions(player):
    value, answer = best_response(Strategy.uniform(sequence_form("rps")), player)
    assert value == 0
    assert list(answer.probabilities("choose", player).values()) == [1.0, 0.0, 0.0]
