"""The program of a model: closed forms, proofs that nothing fits, several models, twins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.continuous.discrete import discretised
from regretless.continuous.examples import EXAMPLES, example
from regretless.continuous.game import Showdown, continuous_game
from regretless.continuous.model import parametric_model
from regretless.continuous.refinement import refinement
from regretless.continuous.solution import solve_continuous
from regretless.core.errors import BadInput

TWO_PLAYERS = [name for name in EXAMPLES if name != "three-players"]


def solved(spec, models=None):
    made = example(spec)
    return solve_continuous(made.game, models or list(made.models))


@pytest.mark.parametrize("pot", [0.5, 1, 2, 7])
def test_bet_or_check_for_several_pots(pot):
    """Indifference by hand: c = 2 x1, x2 = (P + 1) c / P, x1 = (P + 1) (1 - x2)."""
    found = solved(f"bet-or-check:pot={pot}")
    below = (2 * pot + 1) * (pot + 2)
    c = 2 * pot * (pot + 1) / below
    first, second = (own.thresholds for own in found.profile)
    assert first == pytest.approx([c / 2, 2 * (pot + 1) ** 2 / below], abs=1e-9)
    assert second == pytest.approx([c], abs=1e-9)
    # Value: bluffs beat callers who hold worse, checks win against worse, value bets are called.
    x, y = c / 2, 2 * (pot + 1) ** 2 / below
    bluffs_low = x * (pot * (1 - c) + (pot + 1) * c) - (pot + 2) * x**2 / 2
    checks = pot * ((y - x) - (y**2 - x**2) / 2)
    bluffs_high = (1 - y) * (pot * (1 - c) - c)
    assert found.values[0] == pytest.approx(bluffs_low + checks + bluffs_high, abs=1e-9)
    assert found.epsilon < 1e-12


@pytest.mark.parametrize("bet", [0.25, 1, 2, 10])
def test_von_neumann(bet):
    found = solved(f"von-neumann:bet={bet}")
    below = (bet + 1) * (bet + 4)
    assert found.values == pytest.approx((bet / below, -bet / below), abs=1e-12)
    first, second = (own.thresholds for own in found.profile)
    assert first == pytest.approx([bet / below, (bet**2 + 4 * bet + 2) / below])
    assert second == pytest.approx([bet * (bet + 3) / below])


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_equilibria_of_the_examples(name):
    found = solved(name)
    assert found.epsilon < 1e-10
    assert found.bound == 0
    discrete = rl.solve(discretised(example(name).game, 20).game, method="lp")
    assert found.values[0] == pytest.approx(discrete.evaluation.values[0], abs=0.003)


def test_without_an_order_the_answer_is_the_same():
    with_order, without = (
        solved("von-neumann"),
        solved("von-neumann", "p1: bet check bet | p2: fold call"),
    )
    assert without.size[1] > with_order.size[1]
    assert np.allclose(without.profile[0].thresholds, with_order.profile[0].thresholds)


@pytest.mark.parametrize(
    "model",
    [
        "p1: check bet | p2: fold call",  # without bluffs
        "p1: bet check | p2: fold call",
        "p1: bet check bet | p2: call fold",
        "p1: bet check bet | p2: fold call | p2.1 < p1.1",
        "p1: bet check bet | p2: fold call | p1.2 < p2.1",
        "p1: check | p2: fold",
    ],
)
@pytest.mark.parametrize("name", ["von-neumann", "strong-caller"])
def test_no_equilibrium_fits_a_wrong_model(name, model):
    found = solved(name, model)
    assert found.found is None
    assert found.model is None
    assert found.values == ()
    assert np.isnan(found.epsilon)
    assert "no equilibrium fits the model" in str(found)
    with pytest.raises(BadInput, match="there is no profile"):
        _ = found.profile


def test_several_models_some_of_them_wrong():
    right = example("von-neumann").models[0]
    wrong = ["p1: check bet | p2: fold call", "p1: bet check bet | p2: fold call | p2.1 < p1.1"]
    alone = solved("von-neumann").profile[0].thresholds
    for models in ([*wrong, right], [right, *wrong], [wrong[0], right, wrong[1]]):
        found = solved("von-neumann", models)
        assert found.models[found.model] == parametric_model(right, found.game)
        assert np.allclose(found.profile[0].thresholds, alone)
        assert found.epsilon < 1e-12
    nothing = solved("von-neumann", wrong)
    assert nothing.model is None
    assert "any of the models" in str(nothing)


def test_a_common_refinement():
    game = example("kuhn").game
    texts = [
        "p1: bet check/fold bet | p2: check/fold bet/call",
        "p1: bet check/call bet | p2: check/fold check/call bet/call",
    ]
    made = refinement([parametric_model(text, game) for text in texts])
    joined = [" ".join("/".join(plan) for plan in own) for own in made.plans]
    assert joined == ["bet check/fold check/call bet", "check/fold check/call bet/call"]
    assert made.used == (((0, 1, 3), (0, 2)), ((0, 2, 3), (0, 1, 2)))
    assert made.is_ordered


def test_models_whose_orders_contradict_each_other_have_no_common_refinement():
    game = example("von-neumann").game
    base = "p1: bet check bet | p2: fold call | "
    made = [parametric_model(base + order, game) for order in ("p1.1 < p2.1", "p2.1 < p1.1")]
    assert not refinement(made).is_ordered
    found = solve_continuous(game, made)
    assert found.model == 0
    assert found.epsilon < 1e-12


def test_refinement_agrees_with_models_one_by_one():
    """The program of several models finds something exactly if one of them alone does."""
    game = example("kuhn").game
    right = "p1: bet check/fold check/call bet | p2: bet/fold check/fold check/call bet/call"
    texts = [
        right,
        f"{right} | p1.1 < p2.1",
        "p1: check/fold check/call bet | p2: check/fold check/call bet/call",
        "p1: bet check/fold bet | p2: check/fold bet/call",
    ]
    alone = [solve_continuous(game, text).found is not None for text in texts]
    assert alone == [True, True, False, False]
    for first in range(4):
        for second in range(first):
            both = solve_continuous(game, [texts[first], texts[second]])
            assert (both.found is not None) == (alone[first] or alone[second])
            assert both.found is None or (
                alone[[first, second][both.model]] and both.epsilon < 1e-9
            )


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_random_distributions(seed):
    """Whatever fits is an equilibrium, and its value that of the game with discrete signals."""
    rng = np.random.default_rng(seed)
    signals = []
    for _ in range(2):
        bends = int(rng.integers(1, 4))
        places = np.concatenate([[0], np.sort(rng.uniform(0.1, 0.9, bends)), [1]])
        shares = np.concatenate([[0], np.sort(rng.uniform(0, 1, bends)), [1]])
        signals.append(np.column_stack([places, shares]).tolist())
    bet = float(rng.uniform(0.2, 5))
    ends = {
        "p1:check": Showdown([1, 1], [-1, -1]),
        "p1:bet p2:fold": [1, -1],
        "p1:bet p2:call": Showdown([1 + bet] * 2, [-1 - bet] * 2),
    }
    game = continuous_game(signals, ends)
    models = [
        "p1: bet check bet | p2: fold call",
        "p1: check bet | p2: fold call",
        "p1: check | p2: fold call",
    ]
    found = solve_continuous(game, models)
    if found.found is not None:
        assert found.epsilon < 1e-7
        lp = rl.solve(discretised(game, 16).game, method="lp")
        assert found.values[0] == pytest.approx(lp.evaluation.values[0], abs=0.25 * (1 + bet))


def test_bad_arguments():
    game = example("von-neumann").game
    with pytest.raises(BadInput, match="breakpoints=1: must be 2 to 65"):
        solve_continuous(game, "p1: bet | p2: call", breakpoints=1)
    with pytest.raises(BadInput, match="must be a model or a list"):
        solve_continuous(game, [])
    with pytest.raises(BadInput, match="model 3: must be a text"):
        solve_continuous(game, [3])
    with pytest.raises(BadInput, match="must be a continuous game"):
        solve_continuous("von-neumann", "p1: bet | p2: call")
