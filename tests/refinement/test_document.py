"""The four refinements of Carminati, Costa & Chinga 2020: what each of them means."""

import numpy as np
import pytest

from regretless.abstraction._catalog import abstract
from regretless.core.errors import BadParameter, Interrupted, TooLarge, Unsuitable
from regretless.core.interrupts import time_limit
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import own
from regretless.forms.public import public_form
from regretless.forms.reduced import FREE, GIVEN, Whole
from regretless.forms.sequence import sequence_form
from regretless.games._normal_form import zero_sum_game
from regretless.games._spot import spot
from regretless.refinement import _level_by_level, _levels, _search
from regretless.refinement._catalog import refined
from regretless.refinement._continuations import biased
from regretless.refinement._levels import levels_of, owners_of
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

EXACT = "method=lp"


def strategy(game, rows):
    return Strategy.from_dict(game, rows)


@pytest.fixture(scope="module")
def pennies():
    """Player 1 shows heads too often, player 2 tails."""
    form = sequence_form("matching_pennies")
    behaviour = Strategy.uniform(form).behaviour.copy()
    behaviour[own(form, 0)] = [1, 0.7, 0.3]
    behaviour[own(form, 1)] = [1, 0.4, 0.6]
    return Strategy(form, behaviour)


@pytest.fixture(scope="module")
def leduc():
    form = sequence_form("leduc")
    found = solver("cfr", form)
    found.step(30)
    return Strategy(form, found.behaviour())


@pytest.mark.parametrize("name", ["cfr", "self-generative"])
def test_one_level_of_matching_pennies(pennies, name):
    """The first player meets an opponent who may answer, the second one whose move is given."""
    found = refined(f"{name}:{EXACT}", pennies).behaviour
    form = pennies.form
    assert found[own(form, 0)] == pytest.approx([1, 0.5, 0.5])
    against = form.respond(1, pennies.behaviour)
    mixed = pennies.behaviour.copy()
    mixed[own(form, 1)] = found[own(form, 1)]
    assert form.respond(1, mixed)[0] == pytest.approx(against[1])  # a best response


def test_biased_opponents_are_what_bias_answers(pennies):
    """The opponent picks of 0.4, 0.4 × 10 and 0.6 × 10: between 4 / 4.6 and 0.4 / 6.4 heads."""
    known = biased(pennies.form, pennies.behaviour, 10.0)
    heads = [float(b[own(pennies.form, 1)][1]) for b in known.values()]
    assert heads == pytest.approx([0.4, 4 / 4.6, 0.4 / 6.4])
    found = refined(f"bias:{EXACT}", pennies)
    assert found.behaviour[own(pennies.form, 0)] == pytest.approx([1, 0.5, 0.5])
    # Without a bias the opponent only has its blueprint, and a pure answer is best.
    found = refined(f"bias:bias=1,{EXACT}", pennies)
    assert sorted(found.behaviour[own(pennies.form, 0)][1:]) == pytest.approx([0, 1])


def test_poker_is_biased_towards_folding_calling_and_raising(leduc):
    form, blueprint = leduc.form, leduc.behaviour
    known = biased(form, blueprint, 10.0)
    assert list(known) == ["blueprint", "fold more", "call more", "raise more"]
    assert known["blueprint"] is blueprint
    point = form.find(1, "K:r")
    assert point.actions == ("fold", "call", "raise")
    start = form.plex.roots[1]
    before = blueprint[start + point.sequences]
    for at, name in enumerate(["fold more", "call more", "raise more"]):
        weights = before * np.where(np.arange(3) == at, 10.0, 1.0)
        assert known[name][start + point.sequences] == pytest.approx(weights / weights.sum())
        assert known[name][form.plex.roots[:2]] == pytest.approx([1, 1])
    first = form.find(0, "K:")
    assert first.actions == ("check", "bet")
    check, bet = blueprint[first.sequences]
    assert known["call more"][first.sequences][0] == pytest.approx(10 * check / (10 * check + bet))
    assert known["fold more"][first.sequences] == pytest.approx([check, bet])


def actions_of(*names):
    wins = [[float(row == column) for column in range(len(names))] for row in range(len(names))]
    return sequence_form(zero_sum_game("words", wins, [list(names)] * 2, "words"))


def test_sizes_and_capitals_are_no_other_words():
    form = actions_of("Call", "raise 300", "all-in")
    known = biased(form, Strategy.uniform(form).behaviour, 10.0)
    assert known["call more"][1:4] == pytest.approx(np.array([10, 1, 1]) / 12)
    assert known["raise more"][1:4] == pytest.approx(np.array([1, 10, 10]) / 21)


def test_other_games_are_biased_towards_every_place():
    """Also where only some actions are words of poker."""
    form = actions_of("fold", "jump")
    assert list(biased(form, Strategy.uniform(form).behaviour, 10.0))[1:] == [
        "action 1 more",
        "action 2 more",
    ]
    form = sequence_form("goofspiel:cards=3")
    known = biased(form, Strategy.uniform(form).behaviour, 10.0)
    for point in form.points(0):
        count = len(point.actions)
        for place in range(count):
            weights = np.where(np.arange(count) == place, 10.0, 1.0)
            here = known[f"action {place + 1} more"][point.sequences]
            assert here == pytest.approx(weights / weights.sum())


def test_a_bias_is_at_least_one(leduc):
    with pytest.raises(BadParameter, match="must be 1 to"):
        refined("in-game:bias=0.5", leduc)


@pytest.mark.parametrize("levels", [1, 2, 4, 6])
def test_in_game_finds_the_best_upper_part(leduc, levels):
    """Two routes: continuations that are added, and one program with an opponent that is free."""
    form = leduc.form
    found = refined(f"in-game:levels={levels},responses=50,{EXACT}", leduc)
    upper = levels_of(form) <= levels
    for player in range(2):
        mine = owners_of(form) == player
        kinds = np.where(mine & ~upper, GIVEN, FREE)
        small = Whole(form).reduced(kinds, leduc.behaviour, ({}, {}))
        exact = solver("lp", small.form)
        while not exact.finished:
            exact.step()
        least = small.form.respond(1 - player, exact.behaviour())[1]
        lost = evaluate(found).best_responses[1 - player]
        assert lost == pytest.approx(least, abs=2e-4)  # a response that gains less is not added
        below = np.append(mine & ~upper, False)[Whole(form).owners]
        assert np.array_equal(found.behaviour[below], leduc.behaviour[below])


def test_in_game_with_all_levels_solves_the_game(leduc):
    found = evaluate(refined(f"in-game:levels=9,{EXACT}", leduc))
    assert found.exploitability < 1e-9
    assert found.values[0] == pytest.approx(-0.085606424078)


def test_responses_make_in_game_better(leduc):
    without = evaluate(refined(f"in-game:levels=4,responses=0,{EXACT}", leduc))
    with_ = evaluate(refined(f"in-game:levels=4,responses=9,{EXACT}", leduc))
    assert with_.exploitability < 0.95 * without.exploitability


def test_level_by_level_is_unsafe(leduc):
    """As the document says: exploitability may grow."""
    before = evaluate(leduc).exploitability
    assert evaluate(refined("cfr:iterations=200", leduc)).exploitability > before


def test_level_by_level_keeps_reach_and_lower_play_of_the_blueprint(monkeypatch, leduc):
    seen = []

    def solve(level, tell):
        tell(1.0)
        seen.append(level)
        return np.where(level.given == 1.0, 1.0, 0.0)

    _level_by_level.refinement("cfr", solve)(leduc)
    level = levels_of(leduc.form)
    assert [int(level[one.here].max()) for one in seen] == [
        1,
        2,
        3,
        4,
        4,
        5,
        5,
        6,
        6,
        7,
        7,
        8,
        8,
        9,
    ]
    assert sum(one.here.sum() for one in seen) == 288  # every decision point once
    for one in seen:
        assert one.given is seen[0].given
        assert np.array_equal(one.given, leduc.behaviour)
        assert (owners_of(leduc.form)[one.here] == one.player).all()
        assert (owners_of(leduc.form)[one.below] != one.player).all()
        assert level[one.below].min(initial=99) >= level[one.here].max()


@pytest.mark.parametrize("name", ["cfr", "bias", "self-generative", "in-game"])
def test_no_time_at_all(leduc, name):
    with time_limit(0), pytest.raises(Interrupted):
        refined(name, leduc)


@pytest.mark.parametrize("name", ["cfr", "bias", "self-generative", "in-game"])
@pytest.mark.parametrize("after", [3, 12])
def test_what_was_found_before_an_interrupt_is_kept(monkeypatch, leduc, name, after):
    calls = []

    def soon():
        calls.append(1)
        return len(calls) > after

    for module in (_search, _level_by_level):
        monkeypatch.setattr(module, "interrupted", soon)
    monkeypatch.setattr("regretless.core.loop.interrupted", soon)
    found = refined(f"{name}:iterations=50", leduc)
    found.check()
    if name != "in-game" or after > 10:  # which first has to find something better
        assert not np.array_equal(found.behaviour, leduc.behaviour)


def test_an_interrupt_in_a_later_round_keeps_what_was_found(monkeypatch, leduc):
    solve, calls = _search.solved, []

    def fourth_fails(*given):
        calls.append(1)
        if len(calls) == 4:
            raise Interrupted("now")
        return solve(*given)

    monkeypatch.setattr(_search, "solved", fourth_fails)
    found = refined("in-game:iterations=200", leduc)
    mine = own(leduc.form, 0)
    assert not np.array_equal(found.behaviour[mine], leduc.behaviour[mine])


@pytest.mark.parametrize(
    ("by", "named"),
    [
        ("in-game:levels=10", "levels=10: must be 1 to 9"),
        ("in-game:levels=0", "levels=0: must be 1 to 9"),
        ("in-game:responses=-1", "responses=-1"),
        ("self-generative:responses=0", "responses=0"),
        ("cfr:iterations=0", "iterations=0"),
        ("bias:iterations=0", "iterations=0"),
        ("self-generative:iterations=0", "iterations=0"),
        ("in-game:iterations=0", "iterations=0"),
    ],
)
def test_bad_parameters(leduc, by, named):
    with pytest.raises(BadParameter, match=named):
        refined(by, leduc)


@pytest.mark.parametrize("name", ["cfr", "bias", "self-generative", "in-game"])
def test_games_too_large_to_list_are_refined_alike(monkeypatch, name):
    """Two routes: payoffs of the reduced game listed, and gradients of the whole game folded."""
    form = public_form("leduc")
    found = solver("cfr", form)
    found.step(30)
    blueprint = Strategy(form, found.behaviour())
    by = f"{name}:iterations=20"
    listed = refined(by, blueprint)
    monkeypatch.setattr(_levels, "MOST_LISTED", 0)
    unlisted = refined(by, blueprint)
    assert unlisted.form is form
    assert unlisted.behaviour == pytest.approx(listed.behaviour, abs=1e-6)


def test_levels_and_biases_need_no_labels():
    form = public_form("leduc")
    explicit = form.expanded()
    assert np.array_equal(levels_of(form), levels_of(explicit))
    blueprint = Strategy.uniform(form).behaviour
    ours, theirs = biased(form, blueprint, 10.0), biased(explicit, blueprint, 10.0)
    assert list(ours) == list(theirs)
    for one in ours:
        assert np.array_equal(ours[one], theirs[one])


def test_programs_need_a_list(monkeypatch):
    monkeypatch.setattr(_levels, "MOST_LISTED", 0)
    with pytest.raises(Unsuitable, match="explicit sequence form"):
        refined("in-game:method=lp", Strategy.uniform(public_form("kuhn")))


@pytest.mark.parametrize("name", ["cfr", "in-game"])
def test_imperfect_recall_and_spots_are_refused(name):
    shared = abstract("leduc", "JQ.K", form="public").form()
    with pytest.raises(Unsuitable, match="imperfect recall; refine the lifted strategy"):
        refined(name, Strategy.uniform(shared))
    ranges = {"oop": "AA,QQ", "ip": "KK"}
    river = spot(board="2s3h4d6c7c", pot=100, stack=100, ranges=ranges, bets="a", raises="")
    with pytest.raises(Unsuitable, match="is a spot"):
        refined(name, Strategy.uniform(river.game))


def test_what_does_not_fit_is_refused_before_it_is_listed(monkeypatch):
    form = public_form("leduc")
    monkeypatch.setattr("regretless.core.memory.available_bytes", lambda: 10**5)
    with pytest.raises(TooLarge, match="1,251 terminals"):
        form.expanded()
