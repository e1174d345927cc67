"""The equilibrium family of three-player Kuhn, and its checker."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.errors import BadParameter, WrongGame
from regretless.evaluation import kuhn_family
from regretless.evaluation.kuhn_family import Member, in_family, kuhn_equilibrium
from regretless.forms.form import own

quarter = st.floats(0, 0.25)
share = st.floats(0, 1)


@pytest.fixture(scope="module")
def form():
    return rl.sequence_form("kuhn:players=3")


@st.composite
def members(draw):
    kind = draw(st.sampled_from(["c11=0", "c11=1/2", "between"]))
    low, high = sorted([draw(quarter), draw(quarter)])
    b23 = 0.0
    if kind == "c11=0":
        b11, b21, c11 = low, high, 0.0
    elif kind == "c11=1/2":
        assume(2 * high + low <= 0.5)
        b11, b21, c11 = high, low, 0.5
        b23 = draw(share) * (high - low) / (2 * (1 - low))
    else:
        b11 = b21 = low
        c11 = draw(share) * min(0.49, (2 - low) / (3 + 4 * low))
    most = b11 + b21 - (b11 * (0.5 - c11) + b21 * c11) / 2
    calls = 0.5 + draw(share) * most
    b32 = min(calls, 1.0) * draw(share)
    assume(calls - b32 <= 1)
    return Member(b11, b21, c11, b23, b32, calls - b32, draw(share))


@settings(max_examples=60, deadline=None)
@given(member=members())
def test_members_are_equilibria_with_the_stated_values(form, member):
    strategy = kuhn_equilibrium(form, member)
    found = rl.evaluate(strategy)
    assert max(found.epsilon) < 1e-9
    assert found.values == pytest.approx(member.values, abs=1e-9)
    assert in_family(strategy) == []


@pytest.mark.parametrize(
    ("label", "player", "text"),
    [
        ("K:crf", 0, "a33 = 1/2"),
        ("J:ccr", 0, "a12 = 0"),
        ("A:c", 1, "b41 = 2 b11 + 2 b21"),
        ("K:ccrf", 1, "b33"),
        ("Q:cc", 2, "c21 = 1/2 - c11"),
        ("A:cr", 2, "c42 = 1"),
    ],
)
def test_the_checker_names_the_condition(form, label, player, text):
    strategy = kuhn_equilibrium(form, Member(0.1, 0.1, 0.2))
    behaviour = strategy.behaviour.copy()
    point = form.find(player, label)
    mine = behaviour[own(form, player)]
    mine[point.sequences] = np.array([0.3, 0.7])
    failed = in_family(rl.Strategy(form, behaviour))
    assert any(text in condition for condition in failed)


@pytest.mark.parametrize(
    ("member", "text"),
    [
        (Member(0.3, 0.3, 0.2), "b11 <= 1/4"),
        (Member(0.2, 0.3, 0.0), "b21 <= 1/4"),
        (Member(0.2, 0.1, 0.0), "b21 >= b11"),
        (Member(0.1, 0.1, 0.2, b23=0.1), "b23 = 0"),
        (Member(0.2, 0.1, 0.5, b23=0.1), "b23 <= "),
        (Member(0.25, 0.25, 0.45), "<= 2 - b11"),
        (Member(0.1, 0.1, 0.2, c34=1.5), "0 <= c34 <= 1"),
        (Member(0.1, 0.1, 0.2, b32=0.35, c33=0.34), "b32 \\+ c33 <= 1/2"),
        (Member(0.1, 0.2, 0.5), "b11 >= b21"),
        (Member(0.25, 0.1, 0.5), "2 b11"),
        (Member(0.1, 0.1, 0.2, b32=0.0, c33=0.0), "b32 \\+ c33 >= 1/2"),
        (Member(0.0, 0.0, 0.2, b32=1.0, c33=1.0), "b32 \\+ c33 <= 1/2"),
    ],
)
def test_parameters_outside_are_refused(form, member, text):
    with pytest.raises(BadParameter, match=text):
        kuhn_equilibrium(form, member)


def test_the_condition_beyond_the_paper_is_needed(form):
    """Without 2 b11 + b21 <= 1/2 at c11 = 1/2, player 1's queen gains."""
    good = kuhn_equilibrium(form, Member(0.2, 0.1, 0.5, b32=0.25, c33=0.25))
    assert max(rl.evaluate(good).epsilon) < 1e-12
    behaviour = good.behaviour.copy()
    chances = {"J:c": 0.25, "Q:c": 0.25, "A:c": 1.0, "K:ccrf": 0.875}
    mine = behaviour[own(form, 1)]
    for label, chance in chances.items():
        mine[form.find(1, label).sequences] = (1 - chance, chance)
    strategy = rl.Strategy(form, behaviour)
    assert rl.evaluate(strategy).epsilon[0] > 1e-3
    assert any("2 b11 + b21 <= 1/2" in text for text in in_family(strategy))


def test_the_checker_asks_best_responses_too(form, monkeypatch):
    monkeypatch.setattr(kuhn_family, "failures", lambda *_, **__: [])
    assert any("player 1 gains" in text for text in in_family(rl.Strategy.uniform(form)))


def test_other_games_are_refused():
    with pytest.raises(WrongGame, match="kuhn:players=3"):
        in_family(rl.Strategy.uniform(rl.sequence_form("kuhn")))
    with pytest.raises(WrongGame, match="kuhn:players=3"):
        kuhn_equilibrium(rl.sequence_form("leduc"))
