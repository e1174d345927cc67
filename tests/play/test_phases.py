"""Early rounds first, the rest while a hand is played; statistics of play; grafts."""

import numpy as np
import pytest
from random_tables import rules_named

from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable
from regretless.core.interrupts import time_limit
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form
from regretless.forms.reduced import FREE, GIVEN, Whole
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._poker import Deck
from regretless.play.agents import _catalog, phases
from regretless.play.agents._catalog import agent, agents, called
from regretless.play.match import play_match
from regretless.play.seen_play import _equity, strategy_of_play
from regretless.refinement import grafting
from regretless.refinement._catalog import refined
from regretless.refinement._grafts import graft
from regretless.runs.phases import first_phase
from regretless.solvers._catalog import solver
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy

LEDUC = rules_named("leduc")


def solved(form, iterations):
    running = solver("cfr+", form)
    running.step(iterations)
    return Strategy(form, running.behaviour())


@pytest.fixture(scope="module")
def crude():
    return solved(sequence_form(load("leduc")), 20)


# --- the first phase


@pytest.mark.parametrize("rest", ["uniform", "crude"])
def test_the_first_rounds_are_in_equilibrium_with_the_rest(rest, crude):
    """Against the linear program of the game whose later rounds are given."""
    form = crude.form
    later = Strategy.uniform(form) if rest == "uniform" else crude
    found = first_phase("leduc", rest=later, iterations=2000)
    kinds = [GIVEN if "/" in point.label else FREE for p in range(2) for point in form.points(p)]
    reduced = Whole(form).reduced(np.array(kinds), later.behaviour, ({}, {}))
    exact = solver("lp", reduced.form)
    while not exact.finished:
        exact.step()
    value = evaluate(Strategy(reduced.form, exact.behaviour())).values[0]
    assert evaluate(found).values[0] == pytest.approx(value, abs=1e-3)
    trunk = {
        player: {label: chosen for label, chosen in table.items() if "/" not in label}
        for player, table in found.to_dict().items()
    }
    assert evaluate(Strategy.from_dict(reduced.form, trunk)).exploitability < 2e-3
    assert found.probabilities("A/A:cc/", 1) == pytest.approx(later.probabilities("A/A:cc/", 1))


def test_rollout_checks_and_calls_to_the_end():
    found = first_phase("leduc", iterations=100)
    assert found.probabilities("A/A:cc/", 1) == {"check": 1.0, "bet": 0.0}
    assert found.probabilities("Q/A:cc/r", 2) == {"fold": 0.0, "call": 1.0, "raise": 0.0}
    assert found.probabilities("A:", 1)["bet"] > 0.5  # nothing is to be won later
    with pytest.raises(BadParameter, match="rounds=2: must be 1"):
        first_phase("leduc", rounds=2)
    with pytest.raises(Unsuitable, match="kuhn has one round of betting: a first phase needs two"):
        first_phase("kuhn")
    with pytest.raises(BadParameter, match="rest=luck: must be rollout"):
        first_phase("leduc", rest="luck")
    with pytest.raises(BadInput, match="strategy of kuhn: player 1 has no"):
        first_phase("leduc", rest=Strategy.uniform("kuhn"))


# --- statistics of play


def test_actions_are_counted_by_betting_and_strength():
    hands = list(play_match(LEDUC, agents(["always-call"] * 2, LEDUC), hands=500, seed=2))
    found = strategy_of_play("leduc", hands, strengths=3)
    assert found.probabilities("A/A:cc/", 1)["check"] > 0.95
    assert found.probabilities("A/A:rc/", 1) == {"check": 0.5, "bet": 0.5}  # never seen
    assert found.probabilities("Q:", 1) != found.probabilities("K:", 1)
    one = strategy_of_play("leduc", hands[:1], strengths=1)
    assert one.probabilities("A:", 1) == one.probabilities("Q:", 1)
    assert one.probabilities("A:", 1) == {"check": 2 / 3, "bet": 1 / 3}
    # A hand that always wins is in the highest class, not in one of its own.
    assert one.probabilities("A/A:cc/", 1) == {"check": 2 / 3, "bet": 1 / 3}
    hidden = [hands[0]._replace(cards="|Kh/As")]
    with pytest.raises(BadInput, match="hole cards are hidden"):
        strategy_of_play("leduc", hidden)


def test_strength_is_the_share_of_showdowns_won():
    deck = load("leduc").root.deck
    assert isinstance(deck, Deck)
    king, ace = deck.read("K"), deck.read("A")
    # Left are two queens, a king and an ace: wins, ties, loses to the pair.
    assert _equity(deck, king, ((), ace)) == pytest.approx((2 + 0.5) / 4)
    assert _equity(deck, ace, ((), ace)) == 1.0
    assert 0.5 < _equity(deck, king, ()) + _equity(deck, ace, ()) - 0.5 < 1.0


# --- the second phase


@pytest.mark.parametrize("build", [sequence_form, public_form])
def test_what_it_plays_is_no_worse_than_its_blueprint(build):
    game = load("leduc")
    blueprint = solved(build(game), 20)
    player = phases.Agent(game, strategy=blueprint)
    found = on_form(player, blueprint.form)
    before, after = evaluate(blueprint), evaluate(found)
    loose = 15 * 2 * phases.LOOSE * blueprint.form.largest_payoff  # subgames of two players
    assert all(
        b <= a + loose for a, b in zip(before.best_responses, after.best_responses, strict=True)
    )
    assert after.exploitability < before.exploitability - 0.01
    exact = evaluate(refined("maxmargin", blueprint)).exploitability
    assert after.exploitability == pytest.approx(exact, abs=0.03)
    for label, probabilities in blueprint.to_dict()[1].items():
        if "/" not in label:
            assert found.probabilities(label, 1) == pytest.approx(probabilities)
    assert len(player.solved) == 30


def test_it_always_has_an_answer(crude, monkeypatch):
    monkeypatch.setattr(phases, "time_limit", lambda seconds: time_limit(0))
    late = agent(crude, LEDUC, seed=4), phases.Agent(LEDUC, strategy=crude, seed=4)
    hands = [
        list(play_match(LEDUC, [one, agent("random", LEDUC)], hands=80, seed=1)) for one in late
    ]
    assert hands[0] == hands[1]  # the blueprint's
    assert late[1].solved
    assert not any(late[1].solved.values())


def test_equal_seeds_play_equal_hands_also_from_the_middle(crude):
    def hands(first):
        players = [phases.Agent(LEDUC, strategy=crude, iterations=50), agent("random", LEDUC)]
        return list(play_match(LEDUC, players, hands=60, seed=3, first=first))

    assert hands(0)[40:] == hands(40)


def test_nested_solves_at_every_decision(crude):
    player = phases.Agent(LEDUC, strategy=crude, nested=True, by="reach", iterations=50)
    list(play_match(LEDUC, [player, agent("aggressive", LEDUC)], hands=60, seed=3))
    histories = {where.partition(":")[2].partition("/")[2] for where, _ in player.solved}
    assert histories > {"", "r"}


def test_parameters_follow_a_colon(tmp_path, crude):
    file = tmp_path / "crude.strategy"
    crude.save(file)
    text = f"phases:blueprint={file},by=unsafe,limit_ms=200,nested=yes"
    made = agent(text, LEDUC)
    assert isinstance(made, phases.Agent)
    assert (made.limit_s, made.nested, made.round) == (0.2, True, 1)
    assert np.array_equal(made.strategy.behaviour, crude.behaviour)
    assert called([text, "phases"]) == ["phases", "phases-2"]
    with pytest.raises(UnknownName, match="parameter of agent phases 'limit'"):
        agent("phases:limit=3", LEDUC)
    with pytest.raises(BadParameter, match="seed is not a parameter here: it is that of the match"):
        agent("random:seed=3", LEDUC)
    with pytest.raises(BadParameter, match="strategy is not a parameter here"):
        agent("phases:strategy=x", LEDUC)
    with pytest.raises(BadParameter, match="limit_ms=0: must be 1"):
        agent(f"phases:blueprint={file},limit_ms=0", LEDUC)
    with pytest.raises(BadParameter, match="by=cfr: must be unsafe, resolving, maxmargin or reach"):
        agent(f"phases:blueprint={file},by=cfr", LEDUC)
    with pytest.raises(BadParameter, match="one round of betting"):
        agent("phases", rules_named("kuhn"))
    with pytest.raises(BadParameter, match="round=3: must be 2"):
        agent("phases:round=3", LEDUC)
    assert _catalog.is_built_in("phases:by=reach")
    assert not _catalog.is_built_in(str(file))


# --- grafts


def test_a_graft_has_the_trunk_of_one_and_subgames_of_another(crude):
    other = Strategy.uniform(public_form("leduc"))
    found = graft(crude, other)
    assert found.form is crude.form
    assert found.probabilities("K:", 1) == crude.probabilities("K:", 1)
    assert found.probabilities("K/Q:cc/", 1) == {"check": 0.5, "bet": 0.5}
    one = graft(crude, {"/Q:cc/": other}, player=2)
    assert one.probabilities("K/Q:cc/", 1) == crude.probabilities("K/Q:cc/", 1)
    assert one.probabilities("K/Q:cc/c", 2) == {"check": 0.5, "bet": 0.5}
    assert one.probabilities("K/A:cc/c", 2) == crude.probabilities("K/A:cc/c", 2)
    with pytest.raises(BadInput, match="'/Q:cc/' and '/Q:cc/c' overlap"):
        graft(crude, {"/Q:cc/": other, "/Q:cc/c": other})
    with pytest.raises(BadInput, match="graft of kuhn: player 1 has no decision"):
        graft(crude, Strategy.uniform("kuhn"))


def test_grafting_solves_them(crude):
    uniform = Strategy.uniform(crude.form)
    found = grafting.refine(uniform)
    before, after = evaluate(uniform).best_responses, evaluate(found).best_responses
    assert all(b < a - 0.3 for a, b in zip(before, after, strict=True))
    assert found.probabilities("K:", 1) == uniform.probabilities("K:", 1)
