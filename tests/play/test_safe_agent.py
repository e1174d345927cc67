"""The agent that risks no more than it has received."""

import numpy as np
import pytest

from regretless.core.errors import BadParameter, UnknownName, Unsuitable
from regretless.exploitation.safe._algorithm import State
from regretless.forms.form import behaviour_of, plan_of, size
from regretless.forms.normal import pure_plans
from regretless.games._catalog import load
from regretless.play.agents import _saved
from regretless.play.agents._agent import MixingAgent
from regretless.play.agents._catalog import agent
from regretless.play.match import play_match
from regretless.play.match_run import Match
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy


def test_an_opponent_that_gives_is_exploited():
    game = load("kuhn")
    player = agent("safe", game)
    hands = list(play_match(game, [player, agent("always-call", game)], hands=150, seed=1))
    won = [hand.payoffs[hand.names.index("seat 1")] for hand in hands]
    fair = agent("safe:by=best-equilibrium", game)
    hands = list(play_match(game, [fair, agent("always-call", game)], hands=150, seed=1))
    assert sum(won) > sum(hand.payoffs[hand.names.index("seat 1")] for hand in hands)


@pytest.mark.parametrize("spec", ["kuhn", "kuhn:ranks=4"])
@pytest.mark.parametrize("who", ["safe", "safe:by=risk-winnings", "safe:base=aggressive"])
def test_the_bank_is_what_pure_strategies_allow(spec, who):
    """After every hand: the least of what every strategy that fits the hand gives away."""
    game = load(spec)
    player = agent(who, game)
    form = player.form
    tables = []
    for safety in player.safeties:
        plans = pure_plans(form.treeplexes[safety.other])
        tables.append(plans)
    bank, hands = 0.0, play_match(game, [player, agent("random", game)], hands=25, seed=3)
    while True:
        before = [player._plan(position) for position in (0, 1)]
        hand = next(hands, None)
        if hand is None:
            break
        position = hand.names.index("seat 1")
        safety, mine = player.safeties[position], 1 - position
        if "winnings" in who:
            bank += hand.payoffs[position] - safety.value
        else:
            shown = "f" not in hand.betting
            holes = [h if p == position or shown else "" for p, h in enumerate(hand.holes)]
            seen = hand._replace(cards=hand.cards.replace("|".join(hand.holes), "|".join(holes)))
            ends = form.sequences[player.watcher.follower.ends(seen), mine] - safety.theirs.start
            fit = tables[position][(tables[position][:, ends] > 0).any(axis=1)]
            bank += min(fit @ safety.gradient(before[position])) - safety.value
        assert player.bank == pytest.approx(bank, abs=1e-6)


def test_teaching_and_exploiting_does_not_pay():
    """An opponent that gives, then knows every plan: for pure strategies no luck is left in what
    is expected, so that the bank is covered for certain."""
    for spec, hands in (("kuhn", 120), ("leduc:ranks=2", 30)):
        game = load(spec)
        player = Recorded(agent("safe", game))
        opponent = Teacher(game, player, hands // 2)
        list(play_match(game, [player, opponent], hands=hands, seed=2))
        assert player.played == hands
        assert player.above >= player.inner.bank - 1e-6 >= -2e-6
        assert player.most > 0.1  # there was something to take


class Recorded(MixingAgent):
    """The agent `safe`, with what it is expected to earn above the value."""

    def __init__(self, inner):
        super().__init__(inner.rules)
        self.inner, self.opponent = inner, None
        self.played, self.above, self.most = 0, 0.0, 0.0

    def begin(self):
        self.inner.begin()

    def mixture(self, view):
        return self.inner.mixture(view)

    def saw(self, hand, position):
        safety = self.inner.safeties[position]
        faced = plan_of(self.inner.form, self.opponent.behaviour())[safety.theirs]
        earned = safety.earned(self.inner._plan(position), faced)
        self.above += earned - safety.value
        self.inner.saw(hand, position)
        self.played += 1
        self.most = max(self.most, self.inner.bank)


class Teacher(MixingAgent):
    """Always calls at first, then plays a best response to every plan."""

    def __init__(self, game, player, taught):
        super().__init__(game)
        self.player, self.taught, self.form = player, taught, player.inner.form
        self.calls = on_form(agent("always-call", game), self.form).behaviour
        self.playing = _saved.Agent(game, strategy=Strategy.uniform(self.form))
        player.opponent = self

    def behaviour(self):
        if self.player.played < self.taught:
            return self.calls
        plan = np.zeros(size(self.form))
        for safety in self.player.inner.safeties:
            plan[safety.theirs] = safety.nemesis(self.player.inner._plan(safety.player))
        return behaviour_of(self.form, plan)

    def mixture(self, view):
        return self.playing.drawn(view, self.behaviour())

    def saw(self, hand, position):
        """It learns nothing, but what it plays changes."""


def test_a_wrapped_agent_is_followed_as_far_as_gifts_allow():
    game = load("kuhn")
    player = agent("safe:base=aggressive", game)
    wanted = plan_of(player.form, on_form(agent("aggressive", game), player.form).behaviour)
    for safety in player.safeties:
        first = player._plan(safety.player)
        assert safety.risk(first) == pytest.approx(0, abs=1e-6)
        assert safety.risk(wanted[safety.mine]) > 0.1
    player.states = [State(bank=0.2)] * 2
    player._plans.clear()
    for safety in player.safeties:
        assert safety.risk(player._plan(safety.player)) == pytest.approx(0.2, abs=1e-6)
    player.states = [State(bank=5.0)] * 2
    player._plans.clear()
    for safety in player.safeties:
        assert player._plan(safety.player) == pytest.approx(wanted[safety.mine])


def test_a_wrapped_agent_learns():
    game = load("kuhn")
    player = agent("safe:base=dbbr", game)
    list(play_match(game, [player, agent("always-call", game)], hands=120, seed=1))
    assert player.wrapped.hands == 120
    list(play_match(game, [player, agent("always-call", game)], hands=10, seed=1))
    assert player.wrapped.hands == 10


def test_a_resumed_match_goes_on_as_it_would_have(tmp_path):
    def match(hands, agents=("safe", "random")):
        return Match(game="kuhn", agents=agents, hands=hands, seed=4)

    whole, parts = tmp_path / "whole.log", tmp_path / "parts.log"
    match(60).run(log=whole)
    match(35).run(log=parts)
    match(60).run(log=parts, resume=True)
    hands = [
        [line for line in log.read_text().splitlines() if line.startswith("STATE")]
        for log in (whole, parts)
    ]
    assert hands[0] == hands[1]
    assert len(hands[0]) == 60


def test_both_positions_share_the_bank():
    game = load("kuhn")
    player = agent("safe", game)
    list(play_match(game, [player, agent("always-call", game)], hands=7, seed=1))
    first, second = player.states
    assert (first.played, first.bank) == (second.played, second.bank) == (7, player.bank)
    player.begin()
    assert player.bank == 0
    assert player._plan(0) == pytest.approx(agent("safe", game)._plan(0))


def test_refusals():
    with pytest.raises(Unsuitable, match=r"needs two players: kuhn:players=3 has 3.*dbbr"):
        agent("safe", "kuhn:players=3")
    with pytest.raises(
        Unsuitable, match=r"holdem_limit: too large to solve.*larger games: nyx, phases"
    ):
        agent("safe", "holdem_limit")
    with pytest.raises(UnknownName, match="unknown safe algorithm 'best'"):
        agent("safe:by=best", "kuhn")
    with pytest.raises(BadParameter, match="by=risk-gifts and base=random: must be one of them"):
        agent("safe:by=risk-gifts,base=random", "kuhn")
    with pytest.raises(BadParameter, match=r"strength=0.0: must be positive"):
        agent("safe:strength=0", "kuhn")
    with pytest.raises(BadParameter, match="hands=0: must be"):
        agent("safe:hands=0", "kuhn")
