"""Solving spots, and their files."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.cards.holdings import class_names, class_of
from regretless.core.errors import BadFile, BadInput, RegretlessError
from regretless.evaluation.spot_values import SpotView
from regretless.runs import spot_runs
from regretless.runs.limits import Stop
from regretless.runs.resolving import arriving, resolved
from regretless.strategy import files

RIVER = {
    "board": "Td9d6hQc2s",
    "pot": 200,
    "stack": 900,
    "ranges": {"oop": "QQ+,AQs,KJ,87s", "ip": "TT-99,AQ,J8s,A5s:0.5"},
    "bets": "60%,a",
    "raises": "2.5x",
}
TURN = RIVER | {"board": "Td9d6hQc", "stack": 300, "ranges": {"oop": "AA,KJs", "ip": "TT,AQs"}}
KINGS = {"at": "check bet120", "hands": "KK", "play": {"call": 0.75, "fold": 0.25}}


@pytest.fixture(scope="module")
def river(tmp_path_factory):
    path = tmp_path_factory.mktemp("spots") / "river.strategy"
    return rl.solve(rl.spot(**RIVER), out=path), path


@pytest.fixture(scope="module")
def turn(tmp_path_factory):
    path = tmp_path_factory.mktemp("spots") / "turn.strategy"
    return rl.solve(rl.spot(**TURN), target="0.1%", out=path), path


@pytest.fixture(scope="module")
def turn_file(turn):
    return turn[1]


def test_facts_of_a_spot(river):
    solution, _ = river
    facts = solution.facts()
    assert facts["method"] == "dcfr:gamma=4.0"
    assert solution.limits["target"] == pytest.approx(1.0)
    assert facts["exploitability_percent"] == pytest.approx(facts["exploitability"] / 2)
    assert facts["exploitability_percent"] <= 0.5
    assert facts["ev"] == pytest.approx([value + 100 for value in facts["values"]])
    exact = rl.cards.equity(*RIVER["ranges"].values(), RIVER["board"])
    assert facts["equity"] == pytest.approx([exact.first, exact.second])
    size = rl.games.tree_size(rl.spot(**RIVER))
    assert facts["tree"] == {"nodes": size.nodes, "action_entries": size.action_entries}
    assert facts["memory_bytes"] > 1000
    json.dumps(facts)


def test_targets():
    spot = rl.spot(**RIVER)
    assert rl.solve(spot, target="2%").limits["target"] == pytest.approx(4.0)
    assert rl.solve(spot, target=3).limits["target"] == pytest.approx(3.0)
    assert rl.solve(spot, target="3").limits["target"] == pytest.approx(3.0)
    assert rl.solve(spot, iterations=2).limits["target"] is None
    with pytest.raises(BadInput, match="percentages are for spots only"):
        rl.solve("kuhn", target="1%")
    for wrong in ("abc", "%", "-1%", "nan%"):
        with pytest.raises(BadInput, match="target"):
            rl.solve(spot, target=wrong)


def test_a_file_holds_the_solution(river):
    solution, path = river
    strategy = rl.load_strategy(path)
    assert strategy.form.fingerprint() == solution.form.fingerprint()
    assert abs(strategy.behaviour - solution.strategy.behaviour).max() < 2e-5
    found = rl.evaluate(strategy)
    assert found.exploitability == pytest.approx(solution.exploitability, abs=0.01)
    about = files.read(path).about
    assert about["method"] == "dcfr:gamma=4.0"
    assert about["trace"]
    assert not files.read(path).state


def test_a_file_is_small(turn):
    solution, path = turn
    entries = sum(solution.form.sizes.sequences)
    numbers = 2 * entries
    index = sum(t.nbytes for t in SpotView.of(solution.strategy).index.tensors().values())
    assert path.stat().st_size < numbers + index + 0.2 * numbers + 20_000


LINES = [
    "",
    "check",
    "bet120 call / 2s",
    "check bet120 call / 3d / check",
    "check check / Ah / bet",
]


def test_a_file_is_looked_at_without_the_form(turn, monkeypatch):
    solution, path = turn
    memory = SpotView.of(solution.strategy)

    def refused(*args, **kwargs):
        raise AssertionError("a form is built")

    monkeypatch.setattr("regretless.forms.public_layout.lay_out", refused)
    monkeypatch.setattr("regretless.forms.public.lay_out", refused)
    for line in LINES:
        stored, kept = SpotView.open(path).at(line), memory.at(line)
        assert stored.actions == kept.actions
        assert stored.reach == pytest.approx(kept.reach, abs=1e-4)
        assert np.nanmax(abs(stored.strategy - kept.strategy)) < 2e-5
        if kept.is_taken:
            assert stored.ev == pytest.approx(kept.ev, abs=0.05)
            assert sum(stored.ev) == pytest.approx(stored.pot, abs=1e-3)
        one, two = stored.equities(), kept.equities()
        assert (one is None) == (two is None)
        if one and two:
            assert one.first == pytest.approx(two.first, abs=1e-3)


def test_values_are_those_of_the_solution(turn):
    solution, path = turn
    assert SpotView.open(path).at().ev == pytest.approx(solution.facts()["ev"], abs=0.02)


def test_suits_can_be_renamed_in_a_line(turn):
    view = SpotView.open(turn[1])
    spades, clubs = (view.at(f"check check / 2{suit}") for suit in "sc")
    assert spades.board[-1] != clubs.board[-1]
    assert np.isfinite(spades.ev).all()
    assert np.isfinite(clubs.ev).all()


def test_bad_lines(turn):
    view = SpotView.open(turn[1])
    for line, told in (
        ("check bet77", "expected one of check, bet120"),
        ("check check", "expected the river between slashes"),
        ("check check / Td", "Td has already been dealt"),
        ("bet120 fold", "the hand is over"),
        ("allin call", "the hand is over"),
        ("check / 2s", "the street is not over"),
    ):
        with pytest.raises(BadInput, match=told):
            view.at(line)


WORDS = ["check", "call", "fold", "bet", "bet120", "raise300", "allin", "/", "2s", "Ah", "Td", "x"]


@settings(max_examples=100, deadline=None)
@given(line=st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join))
def test_any_line_is_a_decision_or_an_error(turn_file, line):
    try:
        node = SpotView.open(turn_file).at(line)
    except RegretlessError:
        return
    assert 0 <= node.reach <= 1 + 1e-9


@settings(max_examples=80, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), early=st.booleans(), flip=st.integers(1, 255))
def test_damage_is_noticed(turn_file, place, early, flip, tmp_path_factory):
    whole = turn_file.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    place = int(place * (header if early else len(whole)))
    changed = bytearray(whole)
    changed[place] ^= flip
    path = tmp_path_factory.getbasetemp() / "damaged.strategy"
    path.unlink(missing_ok=True)  # it may still be mapped
    path.write_bytes(changed)
    try:
        found = files.read(path)
    except RegretlessError:
        return
    # Only names of what nobody reads, and white space of the header, may change unnoticed.
    assert place < header
    good = files.read(turn_file)
    for mine, theirs in zip(found.behaviours, good.behaviours, strict=True):
        assert np.array_equal(mine, theirs)


def test_cut_short_or_foreign(turn, tmp_path):
    whole = turn[1].read_bytes()
    for size in (0, 5, 100, 1000, len(whole) - 1):
        (tmp_path / "x.strategy").write_bytes(whole[:size])
        with pytest.raises(BadFile):
            SpotView.open(tmp_path / "x.strategy")
    other = tmp_path / "kuhn.strategy"
    rl.solve("kuhn", iterations=5, out=other)
    with pytest.raises(BadFile, match="not a solution of a spot"):
        SpotView.open(other)


def test_going_on(tmp_path):
    spot = rl.spot(**RIVER)
    short, long = tmp_path / "short.strategy", tmp_path / "long.strategy"
    rl.solve(spot, iterations=10, out=short)
    with pytest.raises(BadFile, match="keeps it only if asked"):
        rl.solve(resume=short, iterations=20)
    rl.solve(spot, iterations=10, out=short, keep_state=True)
    resumed = rl.solve(resume=short, iterations=30)
    straight = rl.solve(spot, iterations=30, out=long)
    assert resumed.stop is Stop.BUDGET
    assert np.array_equal(resumed.strategy.behaviour, straight.strategy.behaviour)


def test_locked_hands_never_move(tmp_path):
    path = tmp_path / "locked.strategy"
    solution = rl.solve(rl.spot(**RIVER, locks=[KINGS]), iterations=50, out=path)
    kings = class_of() == class_names().index("KK")
    for view in (SpotView.of(solution.strategy), SpotView.open(path)):
        node = view.at("check bet120")
        chosen = node.strategy[kings & (node.held[0].weight > 0)]
        assert len(chosen) == 6
        assert chosen[:, node.actions.index("call")] == pytest.approx(0.75, abs=2e-5)
        assert chosen[:, node.actions.index("fold")] == pytest.approx(0.25, abs=2e-5)
    again = resolved(view, "check", target="5%").view.at("check bet120")
    chosen = again.strategy[kings & (again.held[0].weight > 0)]
    assert chosen[:, again.actions.index("call")] == pytest.approx(0.75)


def test_solving_again_agrees_with_the_solution(turn):
    solution, path = turn
    view = SpotView.open(path)
    line = "check check / 2s"
    before = view.at(line)
    assert before.is_taken
    again = resolved(view, line, target="0.05%")
    after = again.view.at(line)
    assert after.reach == pytest.approx(1)
    assert after.pot == before.pot
    for mine, theirs in zip(after.held, before.held, strict=True):
        assert mine.weight == pytest.approx(theirs.weight, abs=1e-12)
    # What either could gain here is at most what it can gain in all, by how often play comes here.
    most = 2 * solution.exploitability / (before.reach / 44) + 2 * again.solution.exploitability
    assert abs(after.ev[0] - before.ev[0]) < most
    assert sum(after.ev) == pytest.approx(after.pot)


def test_a_line_that_is_never_taken(turn):
    view = SpotView.open(turn[1])
    fold = view.at("allin")
    if not fold.is_taken:
        ranges = arriving(view, fold.betting, (view.spot.board,))
        assert ranges[0].sum() == view.spot.ranges[0].sum()
    again = resolved(view, "allin")
    assert again.facts()["exploitability_percent"] <= 0.5
    assert sum(again.view.at("allin").ev) == pytest.approx(again.view.at("allin").pot)


def test_percentages_are_of_prizes_and_evs_include_blinds(monkeypatch):
    monkeypatch.setattr(spot_runs, "start_of", lambda form: form.game.spot.rules.start())
    table = {"ranges": {"oop": "AA", "ip": "KK"}, "bets": "a", "blinds": [1, 2], "ante": 1}

    def form(**more):
        return SimpleNamespace(game=SimpleNamespace(spot=rl.spot(**table, stack=20, **more)))

    chips, prizes = form(), form(icm={"prizes": [50, 30], "others": [10]})
    assert spot_runs.target_in_chips(chips, "1%") == pytest.approx(0.05)
    assert spot_runs.target_in_chips(prizes, "1%") == pytest.approx(0.8)
    assert spot_runs.evs(chips, (-0.5, 0.5)) == [1 + 2 - 0.5, 1 + 1 + 0.5]  # ante, blind, value
    assert spot_runs.evs(prizes, (-0.5, 0.5)) == [-0.5, 0.5]
