"""Agents that learn, and opponents for them to learn from."""

import dataclasses
from itertools import islice

import numpy as np
import pytest

import regretless as rl
from regretless.errors import BadInput, BadParameter, UnknownName, Unsuitable
from regretless.exploitation.evidence import Evidence
from regretless.exploitation.model import learned
from regretless.exploitation.responses import respond
from regretless.forms.form import own
from regretless.play.agents._tilted import chances, mixed
from regretless.play.histories.acpc_log import write_hand
from regretless.play.observing import Cards, Watcher

TYPES = ("tight", "loose", "noisy", "positional")


def played(*agents, game="leduc", hands=300, seed=3, **options):
    seated = [rl.agent(one, game, seed=seed) for one in agents]
    rules = rl.rules_of(game)
    names = [f"p{i}" for i in range(len(agents))]
    return list(rl.play_match(rules, seated, hands=hands, seed=seed, names=names, **options))


def view_of(game, betting, hole, board=()):
    node = rl.rules_of(game).replay(betting)
    return rl.View(node.actor, 0, node, hole, board)


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("leduc", ("dbbr:every=20", "tight")),
        ("kuhn", ("dbbr:every=30,model=posterior,by=data-biased", "loose")),
        ("kuhn", ("dbbr:every=20,after=50", "turning:hands=70")),
        ("kuhn", ("teacher:hands=60", "dbbr:every=10")),
        ("kuhn:players=3", ("dbbr:every=20", "random", "dbbr:every=30,strength=2")),
    ],
)
@pytest.mark.parametrize("duplicate", [False, True])
def test_an_interrupted_match_goes_on_as_it_would_have(tmp_path, game, agents, duplicate):
    match = rl.Match(game=game, agents=agents, hands=160, seed=5, duplicate=duplicate)
    match.run(log=tmp_path / "whole.log", aivat=False)
    whole = (tmp_path / "whole.log").read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in (6, 59, 121):
        part = tmp_path / f"{cut}.log"
        part.write_bytes(b"".join(lines[:cut]))
        match.run(log=part, resume=True, aivat=False)
        assert part.read_bytes() == whole
    again = rl.Match(game=game, agents=agents, hands=160, seed=5, duplicate=duplicate)
    again.run(log=tmp_path / "again.log", aivat=False)
    assert (tmp_path / "again.log").read_bytes() == whole


def test_a_log_of_another_learner_is_refused(tmp_path):
    log = tmp_path / "m.log"
    match = rl.Match(game="kuhn", agents=("dbbr:every=20", "always-call"), hands=100, seed=5)
    match.run(log=log, aivat=False)
    other = dataclasses.replace(match, hands=200, agents=("dbbr:every=30", "always-call"))
    with pytest.raises(BadInput, match="belongs to another match"):
        other.run(log=log, resume=True)


def test_the_same_agents_play_a_second_match_like_the_first():
    seated = [rl.agent("dbbr:every=20", "kuhn"), rl.agent("always-call", "kuhn")]
    rules = rl.rules_of("kuhn")
    first, second = (
        [write_hand(hand) for hand in rl.play_match(rules, seated, hands=100, seed=1)]
        for _ in range(2)
    )
    assert first == second


def test_hands_before_the_first_are_shown_as_they_were_seen():
    """What an agent sees of remembered hands is what it saw when they were played."""

    class Watching(rl.Agent):
        def act(self, view):
            return "c"

        def begin(self):
            self.seen = []

        def saw(self, hand, position):
            self.seen.append((hand, position))

    hidden = 0
    for game, players in (("leduc", 2), ("kuhn:players=3", 3), ("holdem_limit", 2)):
        for duplicate in (False, True):
            watching = Watching(rl.rules_of(game))
            others = [rl.agent("random", game)] * (players - 1)
            options = {"hands": 40, "seed": 2, "duplicate": duplicate}
            rules = rl.rules_of(game)
            hands = list(rl.play_match(rules, [watching, *others], **options))
            once = watching.seen
            rest = rl.play_match(rules, [watching, *others], first=30, before=hands[:30], **options)
            assert len(list(rest)) == 10
            assert watching.seen == once
            hidden += sum(not all(hand.holes) for hand, _ in once)
            assert all(hand.holes[position] for hand, position in once)
    assert hidden > 20


def test_dbbr_answers_the_model_of_what_it_saw():
    rules, seed = rl.rules_of("leduc"), 3
    agent = rl.agent("dbbr:every=40,strength=7", "leduc", seed=seed)
    hands = list(
        rl.play_match(rules, [agent, rl.agent("loose", "leduc", seed=seed)], hands=100, seed=seed)
    )
    watcher = Watcher("leduc", Cards.SHOWDOWN)
    watcher.suppose(agent.prior)
    evidence = Evidence(watcher.form)
    for hand in hands[:80]:  # the last model was made after 80 hands
        position = hand.names.index("seat 2")
        evidence.add(watcher.observation(hand, position))
    model = learned(evidence, agent.prior, by="posterior", strength=7)
    np.testing.assert_array_equal(agent.opponent("seat 2").behaviour, model.behaviour)
    node = rules.start()
    view = rl.View(0, 0, node, ("Ks",), ())
    expected = respond("best-response", model, 1)
    point = watcher.form.find(0, "K:")
    wanted = dict(zip(("c", "r"), expected[own(watcher.form, 0)][point.sequences], strict=True))
    assert chances(agent.mixture(view)) == {a: p for a, p in wanted.items() if p > 0}


def test_dbbr_plays_the_prior_until_there_is_a_model():
    agent = rl.agent("dbbr:every=10,after=60", "kuhn")
    base = [agent._playing, rl.agent("always-fold", "kuhn")]
    rules = rl.rules_of("kuhn")
    options = {"seed": 0, "names": ("a", "b")}
    learning = list(rl.play_match(rules, [agent, base[1]], hands=200, **options))
    still = list(rl.play_match(rules, base, hands=200, **options))
    assert learning[:60] == still[:60]
    assert learning != still


def test_who_is_who_among_three_players():
    agent = rl.agent("dbbr:every=30", "kuhn:players=3", seed=1)
    others = [rl.agent(one, "kuhn:players=3", seed=1) for one in ("always-call", "always-fold")]
    rules = rl.rules_of("kuhn:players=3")
    names = ("me", "calls", "folds")
    for rotate in (True, False):
        for hand in rl.play_match(
            rules, [agent, *others], hands=301, seed=1, names=names, rotate=rotate
        ):
            last = hand
        coming = (*last.names[1:], last.names[0]) if rotate else last.names
        assert agent._seated(coming.index("me")) == coming
        strategy = agent.opponent("folds").strategy
        for player in (1, 2, 3) if rotate else (3,):
            labels = [d.label for d in strategy.decisions(player) if "fold" in d.actions]
            folds = [strategy.probabilities(label, player)["fold"] for label in labels]
            assert np.mean(folds) > 0.5


def test_all_others_may_have_one_name():
    """The client of a dealer knows its own name only."""
    agent = rl.agent("dbbr:every=5", "kuhn:players=3")
    hands = played("random", "random", "random", game="kuhn:players=3", hands=20)
    for hand in hands:
        position = hand.names.index("p1")
        told = tuple("own" if p == position else "others" for p in range(3))
        agent.saw(hand._replace(names=told), position)
    view = rl.View(1, 20, rl.rules_of("kuhn:players=3").replay("c"), ("Ks",), ())
    assert agent.mixture(view).actions
    assert agent.opponent("others").hands == 40


def test_a_limit_on_time_makes_models_rarer():
    slow = rl.agent("dbbr:every=1,limit_ms=1e-6", "kuhn")
    hands = rl.play_match(rl.rules_of("kuhn"), [slow, rl.agent("random", "kuhn")], hands=20, seed=1)
    assert len(list(hands)) == 20
    assert slow._due > 100
    free = rl.agent("dbbr:every=1", "kuhn")
    pair = [free, rl.agent("random", "kuhn")]
    list(rl.play_match(rl.rules_of("kuhn"), pair, hands=20, seed=1))
    assert free._due == 21


@pytest.mark.parametrize("name", TYPES)
def test_opponents_deviate_as_much_as_they_should(name):
    base, whole, half = (rl.agent(f"{name}:much={much}", "leduc") for much in (0, 1, 0.5))
    for betting, hole, board in (("", "Ks", ()), ("r", "As", ()), ("cc/", "Qs", ("Ks",))):
        view = view_of("leduc", betting, (hole,), board)
        plain, fault, mix = (chances(agent.mixture(view)) for agent in (base, whole, half))
        for action in {*plain, *fault, *mix}:
            mean = (plain.get(action, 0) + fault.get(action, 0)) / 2
            assert mix.get(action, 0) == pytest.approx(mean, abs=1e-12)
        assert base.base.mixture(view).actions == base.mixture(view).actions
    facing, first = view_of("leduc", "r", ("As",)), view_of("leduc", "", ("As",))
    faults = {
        "tight": ({"f": 1.0}, {"c": 1.0}),
        "loose": ({"c": 1.0}, {"c": 1.0}),
        "noisy": ({"f": 1 / 3, "c": 1 / 3, "r": 1 / 3}, {"c": 1 / 2, "r": 1 / 2}),
        "positional": ({"r": 1.0}, {"c": 1.0}),
    }
    assert (whole.fault(facing), whole.fault(first)) == faults[name]


def test_opponents_may_be_based_on_other_agents():
    view = view_of("holdem_nolimit", "r300", ("As", "Kd"))
    tight = rl.agent("tight:base=always-call,much=0.25", "holdem_nolimit")
    assert chances(tight.mixture(view)) == {"c": 0.75, "f": 0.25}
    noisy = rl.agent("noisy:base=aggressive,much=0.3", "holdem_nolimit")
    assert chances(noisy.mixture(view)) == pytest.approx({"r900": 0.8, "f": 0.1, "c": 0.1})
    assert mixed((1.0, {"c": 0.5, "f": 0.0, "r": 0.5})).actions == ("c", "r")


def test_turning_and_teaching_agents_change_once():
    view = view_of("kuhn", "r", ("Qs",))
    turning = rl.agent("turning:first=always-fold,then=always-call,hands=7", "kuhn")
    taught = rl.agent("teacher:fault=always-call,hands=7", "kuhn")
    for number, fold in ((6, "f"), (7, "c")):
        assert turning.mixture(view._replace(number=number)).actions == (fold,)
    queen = view._replace(number=6)
    assert taught.mixture(queen).actions == ("c",)
    # Who has learned that it always calls bets for value only: a queen now folds.
    assert taught.mixture(view._replace(number=7)).actions == ("f",)
    hands = played("turning:hands=50,first=always-fold,then=always-call", "aggressive", game="kuhn")
    early = list(islice(hands, 50))
    assert all("f" in hand.betting for hand in early)
    assert not any("f" in hand.betting for hand in hands[50:])


@pytest.mark.slow
def test_dbbr_wins_more_than_the_equilibrium_against_the_weak():
    for weak in TYPES:
        results = {}
        for name, spec in (("dbbr", "dbbr:every=50"), ("base", "noisy:much=0")):
            hands = played(spec, f"{weak}:much=0.5", hands=3000, seed=7, duplicate=True)
            results[name] = sum(h.payoffs[h.names.index("p0")] for h in hands) / len(hands)
        assert results["dbbr"] > results["base"] + 0.05


def test_bad_input():
    with pytest.raises(UnknownName, match="bayes"):
        rl.agent("dbbr:model=bayes", "kuhn")
    with pytest.raises(BadParameter, match="limit_ms=-1"):
        rl.agent("dbbr:limit_ms=-1", "kuhn")
    with pytest.raises(BadParameter, match="every=0"):
        rl.agent("dbbr:every=0", "kuhn")
    with pytest.raises(Unsuitable, match="too large to solve before playing"):
        rl.agent("tight", "holdem_limit")
    with pytest.raises(BadInput, match="needs the game"):
        rl.agent("dbbr", rl.rules_of("kuhn"))
    with pytest.raises(BadParameter, match="must be an agent that knows its probabilities"):
        rl.agent("tight:base=random", "kuhn")
    with pytest.raises(BadParameter, match="base: must be a strategy file"):
        rl.agent("dbbr:base=always-call", "kuhn")
    with pytest.raises(BadParameter, match="much=2"):
        rl.agent("loose:much=2", "kuhn")
