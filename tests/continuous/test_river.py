"""River endgames by models: Newton's method, real spots, and exact exploitability."""

from dataclasses import replace

import numpy as np
import pytest

import regretless as rl
from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import hands
from regretless.continuous.examples import example
from regretless.continuous.game import Showdown, continuous_game
from regretless.continuous.model import parametric_model
from regretless.continuous.newton import by_newton, regret
from regretless.continuous.response import Regions, plan_values, responses
from regretless.continuous.river import RIVER_MODELS, STARTS, river_of, solve_river
from regretless.core.errors import Unsuitable
from regretless.forms.public_rows import behaviour_by_hand
from regretless.play.agents._river_models import by_models

BOARD = "Td9d6hQc2s"


def endgame(signals, pot=1.0, bet=0.5, more=1.5):
    def shown(paid):
        return Showdown([pot + paid] * 2, [-paid] * 2)

    ends = {
        "p1:check p2:check": shown(0),
        "p1:check p2:bet p1:fold": [0, pot],
        "p1:check p2:bet p1:call": shown(bet),
        "p1:check p2:bet p1:raise p2:fold": [pot + bet, -bet],
        "p1:check p2:bet p1:raise p2:call": shown(more),
        "p1:bet p2:fold": [pot, 0],
        "p1:bet p2:call": shown(bet),
        "p1:bet p2:raise p1:fold": [-bet, pot + bet],
        "p1:bet p2:raise p1:call": shown(more),
    }
    return continuous_game(signals, ends, name="river")


def spot(seed=0, **changed):
    rng = np.random.default_rng(seed)
    ranges = {"oop": rng.uniform(0, 1, HOLDINGS) ** 3, "ip": rng.uniform(0, 1, HOLDINGS) ** 3}
    given = {"pot": 100, "stack": 300, "bets": "50%", "raises": "100%", "tree": {"raise_cap": 2}}
    return rl.spot(board=BOARD, ranges=ranges, **(given | changed))


def river(seed=0, **changed):
    made = spot(seed, **changed)
    return made, river_of(made.rules.start(), made.board, made.ranges)


def test_the_first_model_is_the_equilibrium_of_uniform_hands():
    """Thresholds by hand; Newton's method and the evaluator agree."""
    game = endgame(["uniform", "uniform"])
    plans = parametric_model(RIVER_MODELS[0], game).plans
    found = by_newton(game, plans, tuple(np.array(own) for own in STARTS[0]))
    first, second = (own.thresholds for own in found.profile)
    assert first == pytest.approx([1 / 16, 17 / 48, 3 / 8, 3 / 4, 13 / 16, 15 / 16], abs=1e-3)
    assert second == pytest.approx([1 / 8, 1 / 3, 3 / 8, 5 / 8, 3 / 4, 7 / 8], abs=1e-3)
    assert found.regret < 1e-3
    answers = responses(game, found.profile)
    assert answers[0].value == pytest.approx(15 / 32, abs=1e-3)
    assert max(answer.gain for answer in answers) <= found.regret


def test_regret_is_the_largest_gain_at_any_signal():
    made = example("strong-caller")
    rng = np.random.default_rng(1)
    for _ in range(5):
        start = (np.sort(rng.uniform(0, 1, 2)), rng.uniform(0, 1, 1))
        plans = parametric_model(made.models[0], made.game).plans
        profile = tuple(Regions(at, own) for at, own in zip(start, plans, strict=True))
        worst = 0.0
        for i, own in enumerate(profile):
            for place in np.linspace(0, 1, 401):
                worth = plan_values(made.game, profile, i, place)
                plan = own.plans[int(np.searchsorted(own.thresholds, place))]
                worst = max(worst, worth.max() - worth[made.game.plans[i].index(plan)])
        assert regret(made.game, profile) == pytest.approx(worst, abs=0.05)
        assert regret(made.game, profile) >= worst - 1e-9


def test_newton_agrees_with_the_program():
    made = example("strong-caller")
    plans = parametric_model(made.models[0], made.game).plans
    found = by_newton(made.game, plans, (np.array([0.1, 0.7]), np.array([0.5])))
    assert found.profile[0].thresholds == pytest.approx([3 / 73, 59 / 73], abs=3e-3)
    assert found.regret < 1e-2


def test_a_region_that_is_not_there_is_left_out():
    """Player 1 checks its middle hands twice, with a bluff in between that does not exist."""
    game = example("von-neumann").game
    text = "p1: bet check bet check bet | p2: fold call"
    plans = parametric_model(text, game).plans
    found = by_newton(game, plans, (np.array([0.1, 0.3, 0.4, 0.75]), np.array([0.55])))
    assert len(found.profile[0].plans) in (3, 5)
    assert found.regret < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_exact_exploitability_of_a_real_river(seed):
    made, task = river(seed)
    found = solve_river(task)
    form = rl.forms.form_of(made.game)
    played = rl.evaluate(rl.Strategy(form, behaviour_by_hand(form, found.chances)))
    assert played.exploitability < 2.0  # chips, of a pot of 100
    assert found.regret < 1.0


def test_strategies_are_probabilities_and_follow_strength():
    made, task = river()
    found = solve_river(task)
    for mixed in found.mixed:
        live = task.strength >= 0
        assert mixed[live].sum(axis=1) == pytest.approx(np.ones(live.sum()))
    root = made.rules.start()
    for betting in (root, *root.children):
        chances = found.chances(betting)
        assert chances.sum(axis=1) == pytest.approx(np.ones(HOLDINGS))
    best = np.flatnonzero(task.strength == task.classes - 1)
    assert found.chances(root.children[1])[best] == pytest.approx(
        np.tile([0, 0, 1], (len(best), 1))
    )


def test_distributions_are_those_of_the_hands():
    """The probability of a hand is its weight times the weights that it does not block."""
    made, task = river()
    held = task.held[0]
    cards = hands()
    one, two = np.flatnonzero(held)[[0, 500]]
    meet = [~np.isin(cards, cards[hand]).any(axis=1) for hand in (one, two)]
    actor = made.rules.start().actor
    rival = np.where(task.strength >= 0, made.ranges[1 - actor], 0.0)
    weights = [
        made.ranges[actor][h] * rival[m].sum() for h, m in zip((one, two), meet, strict=True)
    ]
    assert held[one] / held[two] == pytest.approx(weights[0] / weights[1])
    assert held.sum() == pytest.approx(1)
    own = task.game.distributions[0]
    middle = task.classes // 2
    below = held[(task.strength >= 0) & (task.strength < middle)].sum()
    assert own.share(float(middle)) == pytest.approx(below)
    smooth = task.smoothed(4).distributions[0]
    assert len(smooth.places) == 5
    assert smooth.share(smooth.places) == pytest.approx(own.share(smooth.places))


def test_other_trees_are_refused():
    for changed in ({"bets": "50%,100%"}, {"tree": {"raise_cap": 3}}, {"tree": {"raise_cap": 1}}):
        with pytest.raises(Unsuitable, match="one size and one raise per player"):
            river(**changed)
    made = spot()
    nothing = np.zeros(HOLDINGS)
    with pytest.raises(Unsuitable, match="block each other"):
        river_of(made.rules.start(), made.board, (nothing, made.ranges[1]))


def test_an_agent_answers_by_models():
    made = spot()
    answer = by_models(made.rules, "", "", (made.board,), made.ranges)
    assert answer is not None
    assert answer.iterations == 0
    chances = answer.chances(answer.root, (made.board,))
    live = ~np.isnan(chances).any(axis=1)
    assert live.sum() > 500
    assert chances[live].sum(axis=1) == pytest.approx(np.ones(live.sum()))
    # A bet of 130 chips was made: it takes the place of the menu's.
    free = replace(made.rules, sizing=None)
    other = by_models(free, "r130", "", (made.board,), made.ranges)
    assert other is not None
    assert [move.total for move in other.root.choices if move.letter == "r"] == [130]


def test_an_agent_leaves_boards_full_of_ties_to_the_solver():
    rng = np.random.default_rng(0)
    ranges = {who: rng.uniform(0, 1, HOLDINGS) for who in ("oop", "ip")}
    sizes = {"bets": "50%", "raises": "100%", "tree": {"raise_cap": 2}}
    made = rl.spot(board="QsQcQhJsJc", pot=100, stack=300, ranges=ranges, **sizes)
    task = river_of(made.rules.start(), made.board, made.ranges)
    assert task.largest_class > 0.9
    assert by_models(made.rules, "", "", (made.board,), made.ranges) is None
