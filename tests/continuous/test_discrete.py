"""Games with finitely many signals: payoffs, mixed strategies, exact programs, and their twins."""

import numpy as np
import pytest

import regretless as rl
from regretless.continuous.discrete import (
    deck_game,
    discrete_game,
    discretised,
    mixed_strategy,
    signal_values,
)
from regretless.continuous.discrete_program import solve_discrete
from regretless.continuous.examples import example
from regretless.continuous.game import Showdown
from regretless.continuous.response import Regions
from regretless.continuous.solution import solve_continuous
from regretless.core.errors import BadInput, BadParameter, Unsuitable

KUHN = example("kuhn")


def test_a_deck_is_kuhn_poker():
    for cards in (3, 5):
        deck = deck_game(KUHN.game, cards)
        theirs = rl.solve(f"kuhn:ranks={cards}", method="lp").evaluation.values
        assert rl.solve(deck.game, method="lp").evaluation.values == pytest.approx(theirs)
        assert deck.marginal(1) == pytest.approx(np.full(cards, 1 / cards))


@pytest.mark.parametrize(
    ("cards", "value"), [(3, -1 / 18), (4, -1 / 24), (5, -1 / 15), (13, -5 / 78)]
)
def test_generalised_kuhn_by_the_discrete_program(cards, value):
    """Kuhn 1950, and values computed by an independent program; signals are dependent."""
    found = solve_discrete(deck_game(KUHN.game, cards), KUHN.models[0])
    assert found.values == pytest.approx((value, -value), abs=1e-9)
    assert found.epsilon < 1e-9
    for own in found.mixed:
        assert own.sum(axis=1) == pytest.approx(np.ones(cards))


def test_a_discrete_game_may_have_no_equilibrium_that_fits():
    wrong = "p1: check/fold check/call bet | p2: check/fold check/call bet/call"
    found = solve_discrete(deck_game(KUHN.game, 5), wrong)
    assert found.mixed is None
    assert found.values == ()
    assert np.isnan(found.epsilon)
    # Player 1 need not bluff with three cards, but must with five.
    timid = "p1: check/fold check/call | p2: bet/fold check/fold check/call bet/call"
    assert solve_discrete(deck_game(KUHN.game, 3), timid).mixed is not None
    assert solve_discrete(deck_game(KUHN.game, 5), timid).mixed is None


def test_the_order_of_thresholds_holds():
    game = discretised(example("von-neumann").game, 9)
    base = "p1: bet check bet | p2: fold call | "
    assert solve_discrete(game, base + "p1.1 < p2.1 < p1.2").mixed is not None
    assert solve_discrete(game, base + "p2.1 < p1.1").mixed is None


@pytest.mark.parametrize("name", ["von-neumann", "bet-or-check", "strong-caller"])
def test_ties_and_direction_agree_with_the_linear_program(name):
    made = example(name)
    game = discretised(made.game, 8)
    found = solve_discrete(game, made.models[0])
    exact = rl.solve(game.game, method="lp").evaluation.values
    assert found.values == pytest.approx(exact, abs=1e-8)


def test_correlated_signals():
    """With the same signal for both, betting wins nothing: a tie is shared."""
    joint = np.diag([0.5, 0.25, 0.25])
    ends = {"p1:check": Showdown([1, 1], [-1, -1]), "p1:bet p2:fold": [1, -1]}
    ends["p1:bet p2:call"] = Showdown([3, 3], [-3, -3])
    game = discrete_game(joint, ends)
    found = solve_discrete(game, "p1: bet | p2: call")
    assert found.values == pytest.approx((0, 0))
    assert game.marginal(2).tolist() == [0.5, 0.25, 0.25]
    state = game.game.root
    assert state.chances == (0.5, 0.25, 0.25)
    assert state.child(0).play("bet").play("call").payoff == (0.0, 0.0)


def test_values_of_signals_agree_with_the_form():
    rng = np.random.default_rng(2)
    game = deck_game(KUHN.game, 4)
    mixed = [rng.dirichlet(np.ones(len(plans)), 4) for plans in game.plans]
    values = []
    for i in (0, 1):
        by_hand = np.zeros((4, len(game.plans[i])))
        for deal in game.deals:
            for numbers, end in game.tree.ends.items():
                chance = game.joint[deal] * mixed[1 - i][deal[1 - i], numbers[1 - i]]
                by_hand[deal[i], numbers[i]] += chance * game.payoffs(end, deal)[i]
        assert signal_values(game, i, mixed[1 - i]) == pytest.approx(by_hand)
        values.append((by_hand * mixed[i]).sum())
    assert sum(values) == pytest.approx(0)


def test_three_contenders_share_a_pot():
    game = example("three-players").game
    discrete = discretised(game, 2)
    check = next(end for end in game.ends.values() if end.line == "p1:check")
    assert discrete.payoffs(check, (1, 1, 1)) == (0, 0, 0)
    assert discrete.payoffs(check, (0, 1, 1)) == (-1, 0.5, 0.5)
    assert discrete.payoffs(check, (1, 0, 0)) == (2, -1, -1)


def test_overlaps_of_the_slides():
    """Signal 2 of 4 lies in (1/4, 1/2]; the threshold .3 leaves a fifth of it below."""
    game = example("von-neumann").game
    profile = (
        Regions(np.array([0.3, 0.5]), (("bet",), ("check",), ("bet",))),
        Regions(np.array([0.95]), (("fold",), ("call",))),
    )
    discrete = discretised(game, 4)
    expected = [[0, 1], [0.8, 0.2], [0, 1], [0, 1]]
    assert mixed_strategy(game, profile, discrete, 1) == pytest.approx(np.array(expected))
    assert mixed_strategy(game, profile, discrete, 2)[3] == pytest.approx([0.8, 0.2])


def test_signals_that_never_occur_play_as_their_region():
    gap = [[0, 0], [0.25, 0.5], [0.75, 0.5], [1, 1]]
    made = example("von-neumann")
    game = rl.continuous.continuous_game(
        [gap, gap],
        {
            "p1:check": Showdown([1, 1], [-1, -1]),
            "p1:bet p2:fold": [1, -1],
            "p1:bet p2:call": Showdown([3, 3], [-3, -3]),
        },
    )
    profile = (
        Regions(np.array([0.1, 0.9]), (("bet",), ("check",), ("bet",))),
        Regions(np.array([0.9]), (("fold",), ("call",))),
    )
    mixed = mixed_strategy(game, profile, discretised(game, 4), 1)
    assert mixed[1].tolist() == mixed[2].tolist() == [1.0, 0.0]
    assert made.game.players == 2


def test_the_continuous_solution_of_kuhn_converges():
    solution = solve_continuous(KUHN.game, KUHN.models[0])
    gaps = []
    for cards in (10, 40):
        deck = deck_game(KUHN.game, cards)
        mixed = mixed_strategy(KUHN.game, solution.profile, deck, 1)
        nemesis = -float(signal_values(deck, 1, mixed).max(axis=1).sum())
        value = rl.solve(deck.game, method="lp").evaluation.values[0]
        gaps.append(value - nemesis)
    assert -1e-9 <= gaps[1] < gaps[0] / 2
    assert gaps[1] < 6e-4


@pytest.mark.parametrize(
    ("call", "error", "problem"),
    [
        (lambda: discrete_game([[1, 0]], {}), BadInput, "one probability per combination"),
        (lambda: discrete_game([[1, -1], [0, 1]], {}), BadInput, r"joint\[0, 1\]: must be"),
        (lambda: discrete_game([[0.5, 0], [0, 0.4]], {}), BadInput, "must sum to 1, not 0.9"),
        (lambda: deck_game(KUHN.game, 1), BadParameter, "cards=1: must be 2"),
        (lambda: discretised(KUHN.game, 0), BadParameter, "signals=0: must be 1"),
        (lambda: solve_discrete(KUHN.game, "p1: x"), BadInput, "must be a discrete game"),
        (
            lambda: solve_discrete(discretised(example("three-players").game, 2), "p1: bet"),
            Unsuitable,
            "has 3 players",
        ),
    ],
)
def test_bad_input(call, error, problem):
    with pytest.raises(error, match=problem):
        call()
