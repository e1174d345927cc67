"""Every agent plays a hand by that hand alone. A new file in the folder inherits this."""

from dataclasses import replace

import pytest
from random_buckets import Buckets

from regretless.core.errors import BadParameter, Unsuitable
from regretless.forms.choice import form_of
from regretless.games._betting import Menu
from regretless.games._catalog import game_names, load
from regretless.play.agents import _saved, nyx, phases
from regretless.play.agents._agent import Agent, MixingAgent
from regretless.play.agents._catalog import agent, agent_names
from regretless.play.match import play_match
from regretless.strategy.strategy import Strategy

SMALLER = {
    "generic_poker": "generic_poker:cap=1",
    "holdem_limit": "holdem_limit:ranks=3,suits=3,cap=1",
    "holdem_nolimit": "holdem_nolimit:ranks=3,suits=3,small_blind=1,stack=4",
    "rhode_island": "rhode_island:ranks=3,suits=2,cap=1",
}
SMALL = [SMALLER.get(name, name) for name in game_names()]
GAMES = [spec for spec in SMALL if load(spec).rules] + ["kuhn:players=3", "leduc:players=3,cap=1"]
HANDS = 24
ALWAYS = 10**7  # ms: an answer that comes too late would depend on the clock


def saved(game):
    return _saved.Agent(game, strategy=Strategy.uniform(form_of(game)))


def solving(by, *, nested):
    """Two rounds are solved while they are played, if the game has three or more."""

    def made(game):
        return phases.Agent(
            game,
            strategy=Strategy.uniform(form_of(game)),
            by=by,
            round=max(2, game.rules.rounds - 1),
            nested=nested,
            iterations=5,
            limit_ms=ALWAYS,
        )

    return made


def translating(game):
    """At a table with bets of any size, the blueprint knows one."""
    rules = game.rules
    if rules.raises is None and not rules.listed:
        rules = replace(rules, menus=(Menu((2,), (2,)),) * rules.rounds)
    return nyx.Agent(game, strategy=Buckets(rules, 1), iterations=3, limit_ms=ALWAYS)


def named(name):
    return lambda game: agent(name, game)


MAKERS = {name: named(name) for name in agent_names()} | {
    "dbbr": named("dbbr:every=5"),
    "saved": saved,
    "nyx": translating,
    "phases": solving("maxmargin", nested=False),
    "phases, nested": solving("reach", nested=True),
}
SOLVERS = {"nyx", "phases", "phases, nested"}  # they play games that they can solve
REFUSED = {("nyx", spec) for spec in GAMES if "players=3" in spec} | {
    (name, spec)
    for name in SOLVERS - {"nyx"}
    for spec in GAMES
    if "players=3" in spec or spec == "kuhn"
}
REFUSED |= {("safe", "kuhn:players=3")}  # no value can be guaranteed
# They solve the game before they play.
STARTING = {"dbbr", "loose", "noisy", "positional", "safe", "teacher", "tight", "turning"}
QUICK = {"kuhn", "leduc", "kuhn:players=3"}
PAIRS = [(name, spec) for name in MAKERS for spec in GAMES if name not in STARTING or spec in QUICK]


class Recorded(Agent):
    """Another agent, and what it wanted to do in every situation."""

    def __init__(self, game, inner):
        super().__init__(game)
        self.inner, self.seen = inner, {}

    def act(self, view):
        mixes = isinstance(self.inner, MixingAgent)
        wanted = self.inner.mixed(view) if mixes else self.inner.act(view)
        self.seen[view.number, view.betting.history] = wanted
        return self.inner.act(view)

    def begin(self):
        self.inner.begin()

    def saw(self, hand, position):
        self.inner.saw(hand, position)


@pytest.mark.parametrize(("name", "spec"), sorted(set(PAIRS) - REFUSED))
def test_a_resumed_match_continues_as_if_it_had_never_stopped(name, spec):
    """Only agents that learn are shown the hands before."""
    game = load(spec)

    def match(first, earlier=()):
        one = Recorded(game, MAKERS[name](game))
        others = [agent("random", game, seed=seat) for seat in range(1, game.players)]
        before = earlier[:first] if one.inner.learns else ()
        made = play_match(game, [one, *others], hands=HANDS, seed=3, first=first, before=before)
        hands = list(made)
        return hands, {key: wanted for key, wanted in one.seen.items() if key[0] >= HANDS - 4}

    hands, seen = match(0)
    assert seen
    for first in (HANDS // 2, HANDS - 4):
        assert match(first, hands) == (hands[first:], seen)


@pytest.mark.parametrize(("name", "spec"), sorted(REFUSED))
def test_what_an_agent_does_not_play_it_refuses(name, spec):
    with pytest.raises((BadParameter, Unsuitable)):
        MAKERS[name](load(spec))
