"""Re-solved subgames: safe methods are never worse, margins are what they say."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import random_games

from regretless.core.errors import (
    BadInput,
    BadParameter,
    Interrupted,
    UnknownName,
    Unsuitable,
)
from regretless.core.interrupts import time_limit
from regretless.evaluation.exploitability import evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.forms.subgames import finder, subgame_at
from regretless.games._catalog import load
from regretless.games._state import CHANCE, TERMINAL, Game, State
from regretless.kernels.treeplex import best_response
from regretless.refinement import _resolving, maxmargin, nested, reach, resolving, unsafe
from regretless.refinement._catalog import refinement_function
from regretless.refinement._gifts import with_gifts
from regretless.refinement._local import Reach, localised
from regretless.refinement._resolving import Effort, resolve
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

SAFE = {"resolving": resolving, "maxmargin": maxmargin, "reach": reach, "nested": nested}
PRECISE = 1e-6  # of HiGHS, in chips


def refine(module, blueprint, **parameters):
    """By the function that the catalogue makes of a module."""
    name = module.__name__.rpartition(".")[2]
    return refinement_function(name)(blueprint, **parameters)


def crude(form, seed, kind="random"):
    """Blueprints that leave something to be done: random, pure, uniform, or hardly solved."""
    rng = np.random.default_rng(seed)
    if kind == "hardly solved":
        running = solver("cfr+", form)
        running.step(10)
        return Strategy(form, running.behaviour())
    plan = np.zeros(size(form)) if kind == "uniform" else rng.random(size(form))
    if kind == "pure":
        plan = plan**200
    return Strategy(form, behaviour_of(form, plan))


def worst_case(strategy):
    """[player] what a best response of the rival leaves it."""
    return np.array([-best for best in evaluate(strategy).best_responses[::-1]])


@pytest.mark.parametrize("kind", ["random", "pure", "uniform", "hardly solved"])
@pytest.mark.parametrize("name", ["resolving", "maxmargin", "reach"])
def test_safe_methods_are_never_worse_on_leduc(name, kind):
    blueprint = crude(sequence_form(load("leduc")), 3, kind)
    gained = worst_case(refine(SAFE[name], blueprint)) - worst_case(blueprint)
    assert (gained >= -PRECISE).all()
    assert gained.max() > 0.005  # there is something to gain in any of these


@pytest.mark.parametrize("name", SAFE)
def test_each_player_by_itself_on_a_public_form(name):
    blueprint = crude(public_form("leduc"), 3, "hardly solved")
    before = worst_case(blueprint)
    both = worst_case(refine(SAFE[name], blueprint)) - before
    one = refine(SAFE[name], blueprint, player=1)
    assert (both >= -PRECISE).all()
    assert worst_case(one)[0] - before[0] == pytest.approx(both[0], abs=PRECISE)
    assert both.max() > 0.005
    other = own(blueprint.form, 1)
    assert (one.behaviour[other] == blueprint.behaviour[other]).all()


@given(random_games(players=(2, 2), zero_sum=True), st.data())
@settings(max_examples=40, deadline=None)
def test_safe_methods_are_never_worse_on_random_games(of, data):
    form = sequence_form(of)
    labels = [label for plex in form.treeplexes for label in plex.labels]
    assume(labels)
    kind = data.draw(st.sampled_from(["random", "pure"]))
    blueprint = crude(form, data.draw(st.integers(0, 99)), kind)
    label = data.draw(st.sampled_from(labels))
    before = worst_case(blueprint)
    for one in SAFE.values():
        assert (worst_case(refine(one, blueprint, at=label)) >= before - PRECISE).all()


@pytest.mark.parametrize("name", SAFE)
def test_every_subgame_of_kuhn(name):
    form = sequence_form(load("kuhn"))
    for seed, where in enumerate([None, "K:", ":c", ":r", ":cr", "Q:c"]):
        blueprint = crude(form, seed)
        before = worst_case(blueprint)
        assert (worst_case(refine(SAFE[name], blueprint, at=where)) >= before - PRECISE).all()
    # The whole game is a subgame as well: that it begins with makes it an equilibrium.
    assert evaluate(refine(SAFE[name], crude(form, 9), at="K:")).exploitability < PRECISE or (
        name == "resolving"  # which is content with what there was
    )


@pytest.mark.parametrize("name", SAFE)
def test_an_equilibrium_stays_one(name):
    exact = solver("lp", sequence_form(load("leduc")))
    while not exact.finished:
        exact.step()
    refined = refine(SAFE[name], Strategy(exact.form, exact.behaviour()))
    assert evaluate(refined).exploitability < 1e-6


def margins_of(blueprint, refined, player, where):
    """What the rival loses at every way in, from plans of the whole form and nothing else."""
    form = blueprint.form
    subgame, rival = subgame_at(form, where), 1 - player
    rows = {tuple(row) for row in subgame.sequences.tolist()}
    inside = np.array([tuple(row) in rows for row in form.sequences.tolist()])
    known = {s for point in subgame.points[rival] for s in point.sequences.tolist()}
    start = own(form, rival).start

    def earned(strategy):
        plan = plan_of(form, strategy.behaviour)
        part = form.sequences[inside]
        chance = form.chance[inside] * plan[part[:, player]] * form.payoffs[inside, rival]
        values = dict.fromkeys(range(form.sizes.sequences[rival]), 0.0)
        for sequence, won in zip((part[:, rival] - start).tolist(), chance, strict=True):
            values[sequence] += won
        for point in reversed(subgame.points[rival]):
            values[point.parent] += max(values[s] for s in point.sequences.tolist())
        return values

    before, after = earned(blueprint), earned(refined)
    return {s: before[s] - after[s] for s in before if s not in known and before[s] != after[s]}


@pytest.mark.parametrize("name", ["resolving", "maxmargin"])
@pytest.mark.parametrize("player", [0, 1])
def test_margins_are_what_the_rival_loses(name, player):
    form = sequence_form(load("leduc"))
    blueprint = crude(form, 5)
    known = Reach(form, blueprint.behaviour)
    for where in ("/Q:cc/", "/K:crc/", "/A:rc/r"):
        local = localised(subgame_at(form, where), player, known)
        out = blueprint.behaviour.copy()
        limit = local.values(blueprint.behaviour)
        found = resolve(SAFE[name].RULE, local, limit, known, Effort(), out)
        assert not found.kept
        twin = margins_of(blueprint, Strategy(form, out), player, where)
        ours = dict(
            zip(local.roots.tolist(), found.margins * local.mass * local.total, strict=True)
        )
        assert ours == pytest.approx({s: twin.get(s, 0.0) for s in ours}, abs=1e-10)
        assert local.mass.sum() == pytest.approx(1)
        assert min(ours.values()) >= -PRECISE


@pytest.mark.parametrize("player", [0, 1])
def test_maxmargin_has_the_largest_smallest_margin(player):
    form = sequence_form(load("leduc"))
    found = []
    for seed, where in enumerate(["/Q:cc/", "/A:rrc/", "/K:cc/c", "/Q:rc/"]):
        blueprint = crude(form, seed)
        known = Reach(form, blueprint.behaviour)
        local = localised(subgame_at(form, where), player, known)
        limit = local.values(blueprint.behaviour)
        smallest = {}
        for one in (unsafe, resolving, maxmargin):
            out = blueprint.behaviour.copy()
            resolve(one.RULE, local, limit, known, Effort(), out)
            smallest[one] = ((limit - local.values(out)) / local.mass).min()
        assert smallest[maxmargin] >= max(smallest.values()) - PRECISE
        found.append(smallest[maxmargin])
    assert min(found) > -PRECISE
    assert max(found) > 0.1


class CoinToss(State):
    """Brown & Sandholm 2017, section 2: sell a coin that only the first player has seen, or let
    the second player guess."""

    def __init__(self, path=()):
        self.path = path

    @property
    def player(self):
        return (CHANCE, 0, 1, TERMINAL)[3 if self.path[1:] == ("sell",) else len(self.path)]

    @property
    def actions(self):
        return (["heads", "tails"], ["sell", "play"], ["heads", "tails"], [])[len(self.path)]

    @property
    def chances(self):
        return [0.5, 0.5]

    def child(self, index):
        return CoinToss((*self.path, self.actions[index]))

    def view(self, player):
        return self.path[0] if player == 0 else "guess"

    @property
    def payoff(self):
        if self.path[1] == "sell":
            won = 0.5 if self.path[0] == "heads" else -0.5
        else:
            won = -1.0 if self.path[0] == self.path[2] else 1.0
        return won, -won


def guesses(one, **chosen):
    """How often the second player guesses heads after `one` has refined an even guess."""
    form = sequence_form(Game("coin-toss", 2, CoinToss()))
    table = {
        1: {coin: {action: 1.0} for coin, action in chosen.items()},
        2: {"guess": {"heads": 0.5, "tails": 0.5}},
    }
    refined = refine(one, Strategy.from_dict(form, table), at="guess")
    return refined.probabilities("guess", 2)["heads"], worst_case(refined)[1]


def test_the_coin_toss_of_the_paper():
    assert guesses(resolving, heads="sell", tails="play") == pytest.approx((0.5, -0.25))
    assert guesses(maxmargin, heads="sell", tails="play") == pytest.approx((0.5, -0.25))
    # Heads gives 0.5 away by playing: so tails may be guessed more often.
    assert guesses(reach, heads="sell", tails="play") == pytest.approx((0.375, -0.125))
    # Who believes that only tails is played is exploited by heads.
    assert guesses(unsafe, heads="sell", tails="play") == pytest.approx((0.0, -0.25))


def test_unsafe_solving_may_be_worse():
    form = sequence_form(load("leduc"))
    running = solver("cfr+", form)
    running.step(30)
    blueprint = Strategy(form, running.behaviour())
    before, after = (evaluate(one).exploitability for one in (blueprint, refine(unsafe, blueprint)))
    assert after > before + 0.01
    assert evaluate(refine(unsafe, Strategy.uniform(form))).exploitability < 1.0  # from 2.37


def test_regret_minimisers_solve_subgames_too():
    blueprint = crude(sequence_form(load("leduc")), 1)
    exact = evaluate(refine(maxmargin, blueprint)).exploitability
    found = refine(maxmargin, blueprint, method="sapcfr+", iterations=400)
    assert evaluate(found).exploitability == pytest.approx(exact, abs=0.1)
    assert (worst_case(found) >= worst_case(blueprint) - 1e-4).all()


def test_what_has_not_converged_is_thrown_away():
    blueprint = crude(sequence_form(load("leduc")), 1)
    rough = {"method": "cfr", "iterations": 1, "at": "/Q:cc/"}
    assert refine(resolving, blueprint, **rough) == blueprint
    loose = refine(resolving, blueprint, **rough, tolerance=100.0)
    assert loose != blueprint
    news = []
    refine(resolving, blueprint, **rough, listen=lambda told: news.append(told.news))
    assert news[1:] == ["/Q:cc/ of player 1: kept", "/Q:cc/ of player 2: kept"]


def test_nested_goes_on_where_reach_ends():
    blueprint = crude(sequence_form(load("leduc")), 2)
    once = evaluate(refine(reach, blueprint)).exploitability
    assert evaluate(refine(nested, blueprint, steps=1)).exploitability == pytest.approx(once)
    assert evaluate(refine(nested, blueprint)).exploitability < once - 0.01


def test_where_a_player_never_goes_beliefs_are_those_of_a_trembling_hand():
    form = sequence_form(load("leduc"))
    passive = np.zeros(size(form))
    for player in range(2):
        for point in form.points(player):
            action = [name in ("check", "call") for name in point.actions].index(True)
            passive[own(form, player)][point.sequences[action]] = 1.0
    blueprint = Strategy(form, behaviour_of(form, passive))
    for one in (unsafe, maxmargin):
        refined = refine(one, blueprint, at="/K:rrc/")
        assert refined.probabilities("K/K:rrc/r", 2).get("fold", 0.0) == 0.0
        assert refined != blueprint


def test_progress_and_time(monkeypatch):
    blueprint = crude(sequence_form(load("leduc")), 2)
    told = []
    refine(maxmargin, blueprint, listen=told.append)
    assert [one.iteration for one in told] == list(range(31))
    assert told[-1].done == 1.0
    with pytest.raises(Interrupted, match="the first is '/K:cc/' of player 1"), time_limit(0):
        refine(maxmargin, blueprint)
    told.clear()
    monkeypatch.setattr(_resolving, "interrupted", lambda: len(told) > 5)
    some = refine(maxmargin, blueprint, listen=told.append)
    assert len(told) == 6
    assert (worst_case(some) >= worst_case(blueprint) - PRECISE).all()
    changed = set(np.flatnonzero(some.behaviour != blueprint.behaviour).tolist())
    assert changed
    assert changed < set(range(own(blueprint.form, 0).stop))


def test_bad_input():
    form = sequence_form(load("leduc"))
    blueprint = Strategy.uniform(form)
    with pytest.raises(UnknownName, match="decision point 'K/Q:xx'"):
        refine(resolving, blueprint, at="K/Q:xx")
    with pytest.raises(BadParameter, match="at=:c, depth=1: give only one of them"):
        refine(resolving, blueprint, at=":c", depth=1)
    with pytest.raises(BadParameter, match="player=3: must be 0 to 2"):
        refine(resolving, blueprint, player=3)
    with pytest.raises(UnknownName, match="method 'simplex'"):
        refine(resolving, blueprint, method="simplex")
    with pytest.raises(Unsuitable, match="3 players"):
        refine(unsafe, Strategy.uniform("kuhn:players=3"))
    holes = blueprint.behaviour.copy()
    point = form.find(0, "K/Q:cc/")
    holes[point.sequences] = np.nan
    with pytest.raises(BadInput, match="has no strategy at 'K/Q:cc/' of player 1"):
        refine(maxmargin, Strategy.trusted(form, holes))


def test_the_finder_is_the_same_for_a_public_form():
    form = public_form("leduc")
    blueprint = crude(form, 4)
    refined = refine(reach, blueprint, at="/Q:cc/")
    changed = np.flatnonzero(refined.behaviour != blueprint.behaviour)
    inside = finder(form).at("/Q:cc/")
    allowed = [own(form, p).start + point.sequences for p in range(2) for point in inside.points[p]]
    assert set(changed.tolist()) <= set(np.concatenate(allowed).tolist())
    assert changed.size


@pytest.mark.parametrize("rival", [0, 1])
def test_all_gifts_together_are_what_the_rival_gave_away(rival):
    """If every way into every subgame earned all that it may, a best response gained nothing."""
    form = sequence_form(load("leduc"))
    known = Reach(form, crude(form, 6).behaviour)
    locals_ = [localised(subgame, 1 - rival, known) for subgame in finder(form).cut()]
    gradient = np.empty(size(form))
    form.gradient(rival, known.plan, gradient)
    given = gradient.copy()
    value = best_response(form.plex, rival, gradient, np.empty_like(gradient))
    total = 0.0
    for local, limit in zip(locals_, with_gifts(locals_, known), strict=True):
        gifts = (limit - local.values(known.behaviour)) * local.total
        assert (gifts >= -1e-12).all()
        np.add.at(given, own(form, rival).start + local.roots, gifts)
        total += gifts.sum()
    assert total > 0.1
    found = best_response(form.plex, rival, given, np.empty_like(given))
    assert found == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("rival", [0, 1])
def test_no_gift_is_kept_back(rival):
    """With all gifts, every action of the rival that leads to a subgame is as good as its best."""
    form = sequence_form(load("leduc"))
    known = Reach(form, crude(form, 6).behaviour)
    locals_ = [localised(subgame, 1 - rival, known) for subgame in finder(form).cut()]
    given, start = np.empty(size(form)), own(form, rival).start
    form.gradient(rival, known.plan, given)
    leading = np.zeros(size(form), bool)
    for local, limit in zip(locals_, with_gifts(locals_, known), strict=True):
        gifts = (limit - local.values(known.behaviour)) * local.total
        np.add.at(given, start + local.roots, gifts)
        leading[start + local.roots] = True
    points, compared = list(form.points(rival)), 0
    parents = {int(s): point.parent for point in points for s in point.sequences}
    for sequence in np.flatnonzero(leading) - start:
        while sequence in parents:
            leading[start + sequence] = True
            sequence = parents[sequence]
    best_response(form.plex, rival, given, np.empty_like(given))  # now with all that follows
    for point in points:
        earned = given[start + point.sequences]
        if leading[start + point.sequences].any():
            compared += 1
            best = np.full(len(earned), earned.max())
            np.testing.assert_allclose(
                earned[leading[start + point.sequences]],
                best[leading[start + point.sequences]],
                atol=1e-9,
            )
    assert compared > 6


def test_decisions_that_a_player_avoids_stay_as_they_are():
    form = sequence_form(load("leduc"))
    blueprint = crude(form, 1)
    refined = refine(maxmargin, blueprint)
    plan, avoided = plan_of(form, refined.behaviour), 0
    for player in range(2):
        mine = own(form, player)
        for point in form.points(player):
            if plan[mine][point.parent] == 0:
                avoided += 1
                before, after = (one.behaviour[mine] for one in (blueprint, refined))
                assert (after[point.sequences] == before[point.sequences]).all()
    assert avoided


def test_a_way_in_that_cannot_be_is_no_way_out():
    """Who checks only kings is never raised by a king: that must not cap the margin at zero."""
    form = sequence_form(load("kuhn"))
    even = Strategy.uniform(form)
    cards = [point.label for point in form.points(0) if point.label.endswith(":")]
    checks = {card: {"check": float(card == "K:"), "bet": float(card != "K:")} for card in cards}
    blueprint = even.edited({1: checks})
    known = Reach(form, blueprint.behaviour)
    local = localised(subgame_at(form, ":cr"), 0, known)
    (limit,) = _resolving.as_blueprint([local], known)
    impossible = local.mass == 0
    assert impossible.sum() == 1
    _, paid = maxmargin.gadget(local, limit, known).ends
    assert (paid[impossible] < -form.largest_payoff).all()
