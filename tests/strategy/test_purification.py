"""Purification, thresholding and steps: against a slow twin, on every form, with locks and ties."""

import json
from fractions import Fraction
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.errors import BadFile, BadParameter, WrongGame
from regretless.forms.form import behaviour_of, own, size
from regretless.strategy.purification import SAME, Rounding, changed, mixed
from regretless.strategy.strategy import Strategy

FORMS = {
    "sequence": rl.sequence_form("kuhn"),
    "public": rl.forms.public_form("leduc"),
    "three players": rl.sequence_form("kuhn:players=3"),
}
WAYS = [{}, {"threshold": 0.15}, {"threshold": 0.5}, {"steps": "25%"}, {"steps": 0.1}]


def pure(chosen):
    return [float(k == chosen.index(max(chosen))) for k in range(len(chosen))]


def thresholded(chosen, c):
    kept = [p if p >= c else 0.0 for p in chosen]
    return [p / sum(kept) for p in kept] if sum(kept) else pure(chosen)


def stepped(chosen, units):
    whole = [floor(p * units) for p in chosen]
    rest = [p * units - w for p, w in zip(chosen, whole, strict=True)]
    for _ in range(round(units - sum(whole))):
        k = next(k for k, r in enumerate(rest) if r >= max(rest) - SAME)  # the first if tied
        whole[k], rest[k] = whole[k] + 1, -1.0
    return [w / units for w in whole]


def twin(chosen, threshold=None, steps=None):
    if threshold is not None:
        return thresholded(chosen, threshold)
    if steps is not None:
        return stepped(chosen, {"25%": 4, 0.1: 10}[steps])
    return pure(chosen)


def strategy_on(form, seed):
    rng = np.random.default_rng(seed)
    return Strategy(form, behaviour_of(form, rng.exponential(size=size(form)) ** 2))


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.sampled_from(WAYS), st.integers(0, 99))
def test_it_is_its_twin_at_every_decision_point(name, way, seed):
    before = strategy_on(FORMS[name], seed)
    after = before.purified(**way)
    after.check()
    for old, new in zip(before.decisions(), after.decisions(), strict=True):
        assert new.probabilities == pytest.approx(twin(list(old.probabilities), **way), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(WAYS), st.integers(0, 99))
def test_once_is_enough_and_single_precision_keeps_its_type(way, seed):
    once = strategy_on(FORMS["public"], seed).purified(**way)
    # A threshold may cut again: rescaling never lowers a probability, so it does not.
    assert np.allclose(once.purified(**way).behaviour, once.behaviour, atol=1e-12)
    single = Strategy(once.form, once.behaviour.astype(np.float32)).purified(**way)
    assert single.behaviour.dtype == np.float32
    assert np.allclose(single.behaviour, once.behaviour, atol=1e-6)


def rows(*columns):
    return np.array(columns, dtype=float).T


def test_ties_go_to_the_first_action_whatever_the_last_bits():
    tied = rows([0.5 - 1e-9, 0.5 + 1e-9], [0.2, 0.4], [0.5 - 2e-6, 0.5 + 2e-6])
    assert Rounding.of()(tied).T.tolist() == [[1, 0], [0, 1], [1, 0]]
    third = rows([1 / 3 - 1e-9, 1 / 3, 1 / 3 + 1e-9])
    assert Rounding.of(steps="25%")(third).T.tolist() == [[0.5, 0.25, 0.25]]
    assert Rounding.of(threshold=0.15)(rows([0.15 - 1e-9, 0.85])).T[0, 0] > 0
    assert Rounding.of(threshold=0.15)(rows([0.1499, 0.8501])).T.tolist() == [[0, 1]]
    whole = rows([0.75 - 1e-9, 0.25 + 1e-9])  # not half a step away from what it is
    assert Rounding.of(steps="25%")(whole).T.tolist() == [[0.75, 0.25]]


def test_where_all_are_below_the_threshold_the_most_likely_is_left():
    assert Rounding.of(threshold=0.5)(rows([0.3, 0.4, 0.3])).T.tolist() == [[0, 1, 0]]
    kept = rows([0.3, 0.4, 0.3])
    assert np.array_equal(Rounding.of(threshold=0)(kept), kept)
    halves = rows([0.5, 0.5])  # purification takes one of them, a threshold of 0.5 neither
    assert np.array_equal(Rounding.of(threshold=0.5)(halves), halves)


@pytest.mark.parametrize(
    ("given", "units"), [("25%", 4), (0.25, 4), ("0.25", 4), (1, 1), ("33.33%", 3), ("0.1%", 1000)]
)
def test_steps_are_read(given, units):
    assert Rounding.of(steps=given).units == units


@pytest.mark.parametrize(
    "steps", ["30%", "27%", 25, 0, -0.25, "nan", "inf", "abc", "", "0.05%", "1.5"]
)
def test_steps_that_do_not_divide_one_are_refused(steps):
    with pytest.raises(BadParameter, match="must divide 100 %"):
        Rounding.of(steps=steps)


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan"), "0.15", True])
def test_thresholds_are_probabilities(threshold):
    with pytest.raises(BadParameter, match="threshold"):
        Rounding.of(threshold=threshold)


def test_counts_of_mixed_and_changed_points():
    form = FORMS["sequence"]
    uniform = Strategy.uniform(form)
    one = uniform.edited({"K:": {"bet": 1}})
    assert (mixed(form, uniform.behaviour), mixed(form, one.behaviour)) == (12, 11)
    assert changed(form, uniform.behaviour, one.behaviour) == 1
    # What rounding in a file or a solver leaves is neither mixed nor changed.
    nearly = uniform.edited({"K:": {"bet": 1 - 1e-6, "check": 1e-6}})
    assert mixed(form, nearly.behaviour) == 11
    assert changed(form, one.behaviour, nearly.behaviour) == 0


def test_the_cost_is_measured_in_the_game():
    solution = rl.solve("kuhn", method="lp")
    found = rl.purify(solution)
    assert found.before.exploitability == pytest.approx(0, abs=1e-12)
    assert found.cost == pytest.approx(rl.exploitability(solution.strategy.purified()))
    assert found.cost > 0.01
    assert found.mixed[0] > found.mixed[1] == 0
    facts = found.facts()
    assert facts["source"]["method"] == "lp"
    assert facts["after"]["epsilon"] == list(found.after.epsilon)
    assert Fraction(facts["before"]["values"][0]).limit_denominator(100) == Fraction(-1, 18)


def test_a_strategy_that_is_none_is_refused():
    with pytest.raises(BadParameter, match="must be a Strategy"):
        rl.purify(3)
    with pytest.raises(WrongGame, match="a strategy of game kuhn does not fit game leduc"):
        rl.purify(Strategy.uniform("kuhn"), game="leduc")


def spot(**more):
    return rl.spot(
        board="2s3h4d6c7c",
        pot=100,
        stack=100,
        ranges={"oop": "AA,QQ", "ip": "KK"},
        bets={"all": "a"},
        **more,
    )


def test_spots_keep_their_locks():
    free = {"AA": {"check": 0.4, "allin": 0.6}}
    locks = [{"at": "", "hands": "AA", "play": free["AA"]}]
    before = rl.solve(spot(locks=locks), target="0.1%").strategy
    after = before.purified()
    for new in after.decisions(1):
        if new.label.startswith("A") and new.label.endswith(":"):
            assert new.probabilities == pytest.approx((0.4, 0.6), abs=1e-4)
        else:
            assert max(new.probabilities) == 1
    after.check()
    assert set(after.behaviour[own(after.form, 1)]) == {0.0, 1.0}


def test_files(tmp_path):
    path, out = tmp_path / "spot.strategy", tmp_path / "pure.strategy"
    rl.solve(spot(), target="0.1%", out=path)
    found = rl.purify(path, steps="25%", out=out)
    again = rl.load_strategy(out)
    assert np.allclose(again.behaviour, found.strategy.behaviour, atol=1e-5)
    assert found.facts()["before"]["ev"][0] == pytest.approx(75, abs=0.1)
    assert rl.research.SpotView.open(out).spot.pot == 100
    with pytest.raises(BadFile, match="is both the strategy and out"):
        rl.purify(path, out=path)


def test_the_command(monkeypatch, capsys, tmp_path):
    from regretless.interfaces.cli import main

    monkeypatch.chdir(tmp_path)
    rl.solve("kuhn", method="lp", out="k.strategy")

    def run(*words):
        monkeypatch.setattr("sys.argv", ["regretless", "purify", *words])
        main()
        return capsys.readouterr().out

    facts = json.loads(run("k.strategy", "--threshold", "0.4", "--out", "t.strategy", "--json"))
    assert facts["threshold"] == 0.4
    assert facts["out"] == "t.strategy"
    assert facts["cost"] == facts["after"]["exploitability"] - facts["before"]["exploitability"]
    assert rl.exploitability(rl.load_strategy("t.strategy")) == facts["after"]["exploitability"]
    shown = run("k.strategy", "--steps", "50%")
    assert "kuhn: steps of 50 %" in shown
    assert "exploitability" in shown
