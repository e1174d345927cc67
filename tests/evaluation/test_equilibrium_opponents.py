"""Ranges over equilibrium opponents, least exploitable strategies, and pathologies."""

from itertools import product

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._catalog import abstract
from regretless.core.errors import BadParameter, Unsuitable
from regretless.evaluation import pathologies
from regretless.evaluation.equilibrium_opponents import EquilibriumOpponents
from regretless.evaluation.pathologies import FullGame, find_pathologies, is_finer, own_links
from regretless.forms.form import behaviour_of, own, plan_of
from regretless.runs.least_exploitable import AbstractCfrBr, least_exploitable

KUHN = rl.sequence_form("kuhn")


def kuhn_player_1(alpha):
    """Kuhn's family of equilibria of player 1; player 2 has only one."""
    return {
        "Q:": {"check": 1 - alpha, "bet": alpha},
        "K:": {"check": 1},
        "A:": {"check": 1 - 3 * alpha, "bet": 3 * alpha},
        "Q:cr": {"fold": 1},
        "K:cr": {"fold": 2 / 3 - alpha, "call": 1 / 3 + alpha},
        "A:cr": {"call": 1},
    }


def kuhn_strategy(alpha, **other):
    second = {
        "Q:c": {"check": 2 / 3, "bet": 1 / 3},
        "K:c": {"check": 1},
        "A:c": {"bet": 1},
        "Q:r": {"fold": 1},
        "K:r": {"fold": 2 / 3, "call": 1 / 3},
        "A:r": {"call": 1},
    }
    return rl.Strategy.from_dict(KUHN, kuhn_player_1(alpha) | second | other)


def test_the_range_is_that_of_kuhns_family():
    """Player 2 bets all queens: what that earns depends on alpha, from 0 to 1/3."""
    bluffs = {"Q:c": {"bet": 1}, "A:r": {"fold": 1}}
    earned = [rl.expected_values(kuhn_strategy(a, **bluffs))[1] for a in np.linspace(0, 1 / 3, 9)]
    found = EquilibriumOpponents(KUHN).range(kuhn_strategy(0, **bluffs), 2)
    assert found.least == pytest.approx(min(earned), abs=1e-6)
    assert found.most == pytest.approx(max(earned), abs=1e-6)
    assert found.most - found.least > 0.05
    assert found.least - 1e-9 <= found.given <= found.most + 1e-9


def test_an_equilibrium_earns_the_value_against_all():
    opponents = EquilibriumOpponents(KUHN)
    assert opponents.value == pytest.approx(-1 / 18)
    for player, value in ((1, -1 / 18), (2, 1 / 18)):
        assert opponents.range(kuhn_strategy(0.2), player) == pytest.approx((value,) * 3, abs=1e-6)


def test_own_extremes_are_equilibria():
    opponents = EquilibriumOpponents(KUHN)
    (point,) = [p for p in KUHN.points(0) if p.label == "A:"]
    gain = np.zeros(KUHN.treeplexes[0].size)
    gain[point.sequences[1]] = 1.0  # bets as many aces as an equilibrium may: 3 alpha = 1
    assert opponents.own_extreme(1, gain)[point.sequences[1]] == pytest.approx(1, abs=1e-5)
    assert opponents.own_extreme(1, -gain)[point.sequences[1]] == pytest.approx(0, abs=1e-5)


def test_near_equilibria_may_give_up_epsilon():
    opponents = EquilibriumOpponents(KUHN, epsilon=0.01)
    behaviour = kuhn_strategy(0).behaviour.copy()
    for player in (1, 2):
        theirs = own(KUHN, 2 - player)
        wide = opponents.range(kuhn_strategy(0), player)
        assert wide.most - wide.given == pytest.approx(0.01, abs=1e-6)  # no more is given away
        plan = plan_of(KUHN, kuhn_strategy(0).behaviour)[own(KUHN, player - 1)]
        near = plan_of(KUHN, behaviour)
        near[theirs] = opponents.extreme(player, plan, 1.0)
        found = rl.evaluate(rl.Strategy(KUHN, behaviour_of(KUHN, near)))
        value = -1 / 18 if player == 1 else 1 / 18
        assert found.best_responses[player - 1] - value == pytest.approx(0.01, abs=1e-6)
    with pytest.raises(BadParameter, match="epsilon"):
        EquilibriumOpponents(KUHN, epsilon=-1)


def test_games_that_are_not_zero_sum_are_refused():
    with pytest.raises(Unsuitable):
        EquilibriumOpponents(rl.sequence_form("prisoners_dilemma"))
    with pytest.raises(Unsuitable, match="one hole card"):
        find_pathologies("matching_pennies")


@pytest.mark.parametrize(
    ("first", "second", "finer"),
    [
        ("J.Q.K", "JQ.K", True),
        ("JQ.K", "J.Q.K", False),
        ("JQ.K", "J.QK", False),
        ("J.QK", "JQK", True),
        ("KJ.Q", "JK.Q", True),
        ("full", "J.Q.K", True),
        ("J.Q.K", "full", False),
        ("full", "full", True),
    ],
)
def test_finer(first, second, finer):
    assert is_finer(first, second) is finer


def test_all_partitions_are_found():
    assert pathologies.all_partitions(KUHN) == ("QKA", "QK.A", "QA.K", "Q.KA", "Q.K.A")
    assert pathologies.all_partitions(rl.sequence_form("leduc"))[-1] == "full"
    assert len(pathologies.all_partitions(rl.sequence_form("kuhn:ranks=4"))) == 15


def loss(strategy, player):
    """What a player's part gives up: another route than the linear programs."""
    value = -1 / 18 if player == 1 else 1 / 18
    return value + rl.evaluate(strategy).best_responses[2 - player]


def test_measures_agree_with_strategies():
    full = FullGame(KUHN)
    for pair in product(("QKA", "Q.KA", "QK.A"), repeat=2):
        made = abstract(KUHN, "-".join(pair))
        lifted = made.lift(rl.solve(made.form(), method="lp").strategy)
        for one in full.measure(pair):
            assert one.name == "-".join(pair)
            assert one.expressible <= one.least + 1e-6
            assert one.least <= one.found + 1e-6
            assert one.found == pytest.approx(loss(lifted, one.player), abs=1e-6)
            alone = (pair[0], "Q.K.A") if one.player == 1 else ("Q.K.A", pair[1])
            expressed = abstract(KUHN, "-".join(alone))
            best = expressed.lift(rl.solve(expressed.form(), method="lp").strategy)
            assert one.expressible == pytest.approx(loss(best, one.player), abs=1e-6)


def test_links_lift_plans():
    """A lifted behaviour has the abstract plan at the sequences that are linked."""
    made = abstract(KUHN, "Q.KA-QK.A")
    strategy = rl.solve(made.form(), method="cfr+", iterations=20).strategy
    inner = plan_of(made.form(), strategy.behaviour)
    lifted = plan_of(KUHN, made.lift(strategy).behaviour)
    for player in (0, 1):
        there = inner[own(made.form(), player)][own_links(made, player)]
        assert there == pytest.approx(lifted[own(KUHN, player)])


def test_the_search_finds_pathologies_of_kuhn():
    found, measured = find_pathologies("kuhn")
    assert len(measured) == 50
    assert len(found) == 10
    assert [one.worse for one in found] == sorted((one.worse for one in found), reverse=True)
    worst = found[0]
    assert (worst.coarser.name, worst.finer.name) == ("QKA-QK.A", "QKA-Q.K.A")
    assert worst.coarser.least == pytest.approx(1 / 18, abs=1e-6)
    assert worst.finer.least == pytest.approx(2 / 9, abs=1e-6)
    for one in found:
        assert one.coarser.player == one.finer.player
        assert pathologies.is_strictly_finer(one.finer, one.coarser)
        assert one.finer.expressible <= one.coarser.expressible + 1e-9


def test_cfr_br_finds_the_least_exploitable_strategy():
    seats = FullGame(KUHN).measure(("Q.KA", "Q.KA"))
    least = np.mean([seat.expressible for seat in seats])
    found = least_exploitable(KUHN, "Q.KA", iterations=1500)
    reached = rl.exploitability(found)
    assert least - 1e-9 <= reached <= least + 3e-3
    abstract_equilibrium = rl.solve(KUHN, abstraction="Q.KA", method="lp").strategy
    assert rl.exploitability(abstract_equilibrium) > reached + 0.02
    with pytest.raises(BadParameter, match="iterations"):
        least_exploitable(KUHN, "Q.KA", iterations=0)


def test_cfr_br_halves_are_each_players_own():
    running = AbstractCfrBr(abstract(KUHN, "Q.KA-QK.A"))
    running.step(3)
    assert running.iteration == 3
    found = running.strategy().to_dict()
    assert found[1]["K:"] == pytest.approx(found[1]["A:"])  # player 1 cannot tell them apart
    assert found[2]["Q:c"] == pytest.approx(found[2]["K:c"])
    assert found[2]["K:r"] != pytest.approx(found[2]["A:r"])
