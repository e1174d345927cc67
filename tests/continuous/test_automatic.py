"""Models that are found from a coarse solution, and what the program says of them."""

import numpy as np
import pytest

from regretless.continuous.automatic import (
    FINE,
    coarse_strategy,
    models_of,
    separated,
    solve_automatically,
)
from regretless.continuous.examples import example
from regretless.core.errors import BadInput


@pytest.mark.parametrize("name", ["bet-or-check", "von-neumann", "strong-caller", "kuhn"])
def test_the_models_of_the_examples_are_found(name):
    made = example(name)
    found = solve_automatically(made.game)
    assert found.epsilon < 1e-9
    ours, theirs = found.models[found.model].plans, made.models[0].split(" | ")[:2]
    assert [" ".join("/".join(plan) for plan in own) for own in ours] == [
        text.partition(": ")[2] for text in theirs
    ]


def test_mixtures_of_a_stretch_are_put_in_order():
    """Cells 1 and 2 mix half and half: the neighbours' actions stay beside them."""
    mixed = np.array([[1, 0], [0.5, 0.5], [0.5, 0.5], [0, 1]])
    assert separated(mixed).tolist() == [0] * 2 * FINE + [1] * 2 * FINE
    assert separated(mixed[::-1]).tolist() == [1] * 2 * FINE + [0] * 2 * FINE
    rising = np.array([[0.9, 0.1], [0.1, 0.9]])
    assert separated(rising).tolist() == [0] * FINE + [1] * FINE


def test_candidates_are_different_and_their_orders_hold():
    game = example("kuhn").game
    played = coarse_strategy(game, 12, 500)
    assert {line: rows.shape for line, rows in played.items()} == {
        "": (12, 2),
        "p1:check": (12, 2),
        "p1:check p2:bet": (12, 2),
        "p1:bet": (12, 2),
    }
    models = list(models_of(game, played))
    assert len({str(model) for model in models}) == len(models) > 2
    assert any(not model.order for model in models)


def test_the_best_of_wrong_candidates():
    """With two signals nothing can be read: the answer says that it does not fit."""
    game = example("kuhn").game
    found = solve_automatically(game, signals=2, iterations=10, candidates=1)
    assert found.found is None or found.epsilon < 1e-6


def test_bad_arguments():
    game = example("kuhn").game
    with pytest.raises(BadInput, match="signals=1: must be"):
        solve_automatically(game, signals=1)
    with pytest.raises(BadInput, match="candidates=0"):
        solve_automatically(game, candidates=0)
    with pytest.raises(BadInput, match="must be a continuous game"):
        solve_automatically("kuhn")
