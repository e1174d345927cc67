"""Hands of a match, corrected by what is known of the players."""

import numpy as np
import pytest
from brute_force import joined, random_strategy

import regretless as rl
from regretless.core.errors import BadInput, IllegalMove, UnknownName, Unsuitable, WrongGame
from regretless.play.agents._saved import Agent
from regretless.play.match import play_match, rules_of
from regretless.play.records import Hand
from regretless.play.variance_reduction import variance_reduced

NAMES = ("ann", "bob", "cem")


def match(spec, hands=4000, seed=3):
    rules = rules_of(spec)
    form = rl.sequence_form(spec)
    strategies = [random_strategy(form, seed + i) for i in range(rules.players)]
    agents = [Agent(rules, strategy=s, seed=i) for i, s in enumerate(strategies)]
    names = NAMES[: rules.players]
    played = list(play_match(rules, agents, hands=hands, seed=seed, names=names))
    return form, dict(zip(names, strategies, strict=True)), played


def expected(form, strategies):
    """Mean payoff of every name while seats rotate."""
    names = list(strategies)
    totals = dict.fromkeys(names, 0.0)
    for turn in range(len(names)):
        seated = names[turn:] + names[:turn]
        values = rl.expected_values(joined(form, [strategies[name] for name in seated]))
        for name, value in zip(seated, values, strict=True):
            totals[name] += value / len(names)
    return totals


@pytest.mark.parametrize("spec", ["leduc", "kuhn:players=3", "leduc:ranks=2,suits_distinct=true"])
def test_estimates_of_a_match(spec):
    form, strategies, hands = match(spec)
    true = expected(form, strategies)
    known = {"ann": strategies["ann"]}
    for baseline in (None, joined(form, list(strategies.values()))):
        for name, found in variance_reduced(iter(hands), spec, known, baseline=baseline).items():
            paid = [hand.payoffs[hand.names.index(name)] for hand in hands]
            assert found.plain_mean == pytest.approx(np.mean(paid))
            assert found.standard_error < found.plain_standard_error
            assert abs(found.mean - true[name]) < 4.5 * found.standard_error
            assert found.hands == len(hands)


def test_all_known_leaves_no_noise():
    form, strategies, hands = match("kuhn:players=3", hands=300)
    true = expected(form, strategies)
    for name, found in variance_reduced(hands, "kuhn:players=3", strategies).items():
        assert found.mean == pytest.approx(true[name])
        assert found.standard_error < 1e-12


def test_hands_that_cannot_be_used():
    _, strategies, hands = match("leduc", hands=20)
    known = {"ann": strategies["ann"]}
    hand = next(hand for hand in hands if hand.betting == "cc/cc" or hand.boards)

    def refused(kind, told, hand, game="leduc", known=known):
        with pytest.raises(kind, match=told):
            variance_reduced([hand, hand], game, known)

    refused(BadInput, "of every player and of the board are needed", hand._replace(cards="Qh|"))
    refused(BadInput, "are needed", hand._replace(cards=hand.cards.partition("/")[0]))
    refused(IllegalMove, "cannot be dealt", hand._replace(cards="Qh|Qs/Qd"))
    refused(BadInput, "not finished", hand._replace(betting="c"))
    refused(IllegalMove, "position 1", hand._replace(betting="f"))
    refused(WrongGame, "pays", hand._replace(payoffs=(77.0, -77.0)))
    refused(WrongGame, "pays|does not fit", hand, game="leduc:ante=3")
    refused(BadInput, "names must differ", hand._replace(names=("ann", "ann")))
    refused(UnknownName, "unknown player 'dan'", hand, known={"dan": strategies["ann"]})
    refused(Unsuitable, "not a poker game", hand, game="rps")


def test_what_a_strategy_never_does_is_told():
    form = rl.sequence_form("kuhn")
    never = rl.Strategy.uniform(form)
    never.behaviour[form.find(0, "Q:").sequences] = [1.0, 0.0]
    hand = Hand(5, "rf", "Qs|Ks", (1.0, -1.0), ("ann", "bob"))
    with pytest.raises(BadInput, match="hand 5: ann did what its strategy never does: rf"):
        variance_reduced([hand, hand], "kuhn", {"ann": never})
