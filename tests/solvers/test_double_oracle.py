"""The double oracle: the value of the linear program, with a certificate all the way."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import Plan, RandomState, random_games
from slow_twins import named_sequences

import regretless as rl
from regretless.core.errors import BadInput, BadParameter, ImperfectRecall, UnknownName, Unsuitable
from regretless.evaluation.exploitability import evaluate
from regretless.forms.public import public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._efg import parse_efg
from regretless.games._state import Game
from regretless.programs.saddle import maximin
from regretless.solvers._catalog import needed_form, solver
from regretless.strategy.strategy import Strategy

FILES = Path(__file__).parents[1] / "data" / "efg"
DECKS = ["ranks=2", "ranks=3", "ranks=4", "ranks=5", "ranks=3,suits=3"]
ADDITIONS = ["best-response", "first-action", "second-round", "both"]
GAMES = [
    "liars_dice:faces=3",
    "goofspiel",
    "goofspiel:cards=3,shuffled=true",
    "goofspiel:cards=3,revealed=true",
    "pursuit:width=2,height=2",
    "pursuit:width=2,height=3,tracks=false",
    "generic_poker:bets=2,raises=2",
    "generic_poker:ranks=2,cap=1",
    *["rps", "biased_rps", "blotto", "matching_pennies"],
    *(str(FILES / name) for name in ("goofspiel.efg", "pursuit.efg")),
]


class CoarseState(RandomState):
    """A random game that pays -1, 0 or 1: many ties, and much that pays nothing."""

    def child(self, index):
        return CoarseState(self.plan, (*self.path, index))

    @property
    def payoff(self):
        won = float(int(3 * self._random("pay", 0)) - 1)
        return won, -won


def coarse(game):
    return Game(game.spec, 2, CoarseState(game.root.plan))


FINE = random_games(players=(2, 2), zero_sum=True)


@cache
def explicit(game):
    return sequence_form(load(game))


@cache
def value(game):
    form = explicit(game)
    first, second = form.treeplexes
    return maximin(form.matrix(), first.constraints, second.constraints).value


def finished(form, **parameters):
    """A solver at its end."""
    given = ",".join(f"{name}={value}" for name, value in parameters.items())
    running = solver(f"double-oracle:{given}", form)
    while not running.finished:
        running.step()
    return running


def check(running, wanted, within=1e-9):
    found = evaluate(Strategy(running.form, running.behaviour()))
    assert found.exploitability <= within
    assert found.values[0] == pytest.approx(wanted, abs=within)
    assert running.low == pytest.approx(wanted, abs=within)
    assert running.high == pytest.approx(wanted, abs=within)


@pytest.mark.parametrize("oracle", ["sequence", "generic"])
@pytest.mark.parametrize("leaves", ["extended", "best-response"])
@settings(max_examples=25, deadline=None)
@given(
    game=FINE | FINE.map(coarse),
    rough=st.sampled_from([0, 20]),
    default=st.sampled_from(["first", "last"]),
)
def test_random_games_have_the_value_of_the_linear_program(oracle, leaves, game, rough, default):
    form = sequence_form(game)
    first, second = form.treeplexes
    wanted = maximin(form.matrix(), first.constraints, second.constraints).value
    running = solver(
        f"double-oracle:oracle={oracle},leaves={leaves},rough={rough},default={default}", form
    )
    low, high, included = -np.inf, np.inf, running.included.copy()
    while not running.finished:
        running.step()
        assert low <= running.low <= wanted + 1e-8
        assert high >= running.high >= wanted - 1e-8
        assert np.all(running.included >= included)
        low, high, included = running.low, running.high, running.included.copy()
        assert_closed(form, included)
    check(running, wanted, 1e-8)


def assert_closed(form, included):
    names = named_sequences(form)
    inside = {names[s] for s in np.flatnonzero(included)}
    assert {(0, ()), (1, ())} <= inside
    assert all((player, path[:-1]) in inside for player, path in inside)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("oracle", ["sequence", "generic"])
def test_games_have_the_value_of_the_linear_program(game, oracle):
    form = explicit(game)
    check(finished(form, oracle=oracle), value(game))
    check(finished(form, oracle=oracle, rough=0, leaves="best-response"), value(game))


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("add", ADDITIONS)
def test_leduc_by_sequences(deck, add):
    game = f"leduc:{deck}"
    check(finished(explicit(game), oracle="sequence", add=add), value(game))


@pytest.mark.parametrize("deck", DECKS[:2])
@pytest.mark.parametrize("add", ADDITIONS)
def test_leduc_by_search(deck, add):
    game = f"leduc:{deck}"
    check(finished(explicit(game), oracle="generic", add=add, rough=0), value(game))


@pytest.mark.slow
@pytest.mark.parametrize("deck", DECKS[2:])
@pytest.mark.parametrize("add", ADDITIONS)
def test_larger_leduc_by_search(deck, add):
    game = f"leduc:{deck}"
    check(finished(explicit(game), oracle="generic", add=add), value(game))


@pytest.mark.slow  # where the kernels of public forms are compiled first
@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("add", ADDITIONS)
@pytest.mark.parametrize("terminal", ["sorted", "matrix"])
def test_leduc_by_its_public_tree(deck, add, terminal):
    game = f"leduc:{deck}"
    running = finished(public_form(game), oracle="public", terminal=terminal, add=add)
    check(running, value(game))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", ["1", "1/2"])
@pytest.mark.parametrize("leaves", ["extended", "best-response"])
def test_generic_poker_by_its_public_tree(sizes, leaves):
    game = f"generic_poker:bets={sizes},raises={sizes}"
    check(finished(public_form(game), oracle="public", leaves=leaves), value(game))
    assert finished(public_form(game)).oracle.form.terminal == "sorted"  # it is the automatic one


@pytest.mark.slow
def test_generic_poker_with_three_sizes():
    game = "generic_poker:ranks=2,bets=1/2/3,raises=1/2/3"
    check(finished(explicit(game)), value(game))


@pytest.mark.slow
@pytest.mark.parametrize("tracks", ["true", "false"])
def test_pursuit_needs_few_sequences(tracks):
    game = f"pursuit:tracks={tracks}"
    running = finished(explicit(game))
    check(running, value(game))
    assert running.details()["share_of_sequences"] < 0.1


@pytest.mark.parametrize("default", ["first", "last", "check", "fold"])
def test_any_default_will_do(default):
    check(finished(explicit("leduc"), default=default), value("leduc"))


def test_of_a_matrix_game_rows_and_columns_are_added():
    """It is the double oracle of normal forms: at most one row and one column an iteration."""
    form = explicit("blotto")
    running = solver("double-oracle:rough=0", form)
    before = running.details()["restricted_sequences"]
    assert before == [1, 1]
    while not running.finished:
        running.step()
        now = running.details()["restricted_sequences"]
        assert all(0 <= b - a <= 1 for a, b in zip(before, now, strict=True))
        before = now
    assert max(before) < 22


def test_an_unseen_coin_hides_nothing():
    """Payoffs that cancel out are still reached: here, a player who thinks the second decision
    is lost would quit, and nothing would ever be added there."""
    form = sequence_form(parse_efg(UNSEEN_COIN, "coin.efg"))
    for oracle in ("sequence", "generic"):
        for leaves in ("extended", "best-response"):
            check(finished(form, oracle=oracle, leaves=leaves, rough=0), 0.0)


@pytest.mark.parametrize(
    ("moves", "sees", "seed"),
    [
        (
            ((0, 3), (1, 3), (0, 2), (1, 1), (0, 1), (0, 3)),
            ((2, 1), (2, 1), (2, 1), (1, 1), (3, 1), (1, 1)),
            452994,
        ),
        (
            ((1, 3), (1, 2), (0, 3), (-1, 2), (1, 1), (0, 3)),
            ((1, 2), (3, 3), (2, 3), (1, 3), (3, 1), (3, 2)),
            541576,
        ),
    ],
)
@pytest.mark.parametrize("oracle", ["sequence", "generic"])
def test_what_pays_nothing_is_answered_too(moves, sees, seed, oracle):
    """A best response that comes to a decision where the other's plan pays 0 all over must add
    an answer: as a temporary leaf it may seem worse than it is."""
    form = sequence_form(Game("coarse", 2, CoarseState(Plan(2, moves, sees, seed, True))))
    first, second = form.treeplexes
    wanted = maximin(form.matrix(), first.constraints, second.constraints).value
    for default in ("first", "last"):
        for rough in (0, 20):
            parameters = {"oracle": oracle, "default": default, "rough": rough}
            check(finished(form, leaves="best-response", **parameters), wanted)


UNSEEN_COIN = """EFG 2 R "unseen coin" { "1" "2" }
p "" 1 1 "first" { "quit" "play" } 0
p "" 2 1 "after quitting" { "e" "f" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { -1/2 1/2 }
c "" 1 "coin" { "heads" 1/2 "tails" 1/2 } 0
p "" 1 2 "second" { "a" "b" } 0
p "" 2 2 "last" { "c" "d" } 0
t "" 3 "" { 1 -1 }
t "" 4 "" { -1 1 }
p "" 2 2 "last" { "c" "d" } 0
t "" 5 "" { 1 -1 }
t "" 6 "" { -1 1 }
p "" 1 2 "second" { "a" "b" } 0
p "" 2 2 "last" { "c" "d" } 0
t "" 7 "" { -1 1 }
t "" 8 "" { 1 -1 }
p "" 2 2 "last" { "c" "d" } 0
t "" 9 "" { -1 1 }
t "" 10 "" { 1 -1 }
"""


def test_it_tells_what_it_needed():
    running = finished(explicit("goofspiel"))
    told = running.details()
    assert told["bounds"] == [running.low, running.high]
    assert 0 < told["share_of_sequences"] < 0.5
    assert told["restricted_sequences"] == [
        int(np.count_nonzero(part)) for part in np.split(running.included, [463])
    ]
    assert told["restricted_lp_rows"] == (
        1 + told["restricted_decision_points"][0] + told["restricted_sequences"][1]
    )
    assert "×".join(map(str, told["restricted_sequences"])) in running.news()
    assert [name for name, _ in running.remarks()] == ["needed", "time in"]


def test_the_front_door_opens_here_too():
    solution = rl.solve("goofspiel:cards=3", method="double-oracle")
    assert solution.exploitability < 1e-9
    assert solution.values[0] == pytest.approx(0, abs=1e-9)


FORGETFUL = """EFG 2 R "forgetful" { "1" "2" }
p "" 1 1 "mine" { "a" "b" } 0
p "" 1 1 "mine" { "a" "b" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 2 1 "theirs" { "a" "b" } 0
t "" 3 "" { 0 0 }
t "" 4 "" { 1 -1 }
"""


@pytest.mark.parametrize(
    ("game", "kind"), [("kuhn:players=3", "3 players"), ("prisoners_dilemma", "not constant-sum")]
)
def test_other_games_are_refused(game, kind):
    with pytest.raises(Unsuitable, match=f"double-oracle solves two-player constant-sum.*{kind}"):
        solver("double-oracle", sequence_form(load(game)))


def test_players_who_forget_are_refused(tmp_path):
    path = tmp_path / "forgetful.efg"
    path.write_text(FORGETFUL)
    with pytest.raises(ImperfectRecall, match="forgets its own past"):
        rl.solve(str(path), method="double-oracle")


@pytest.mark.parametrize("game", ["goofspiel:cards=3", "rps", "liars_dice:faces=3"])
def test_public_oracles_are_for_poker(game):
    with pytest.raises(Unsuitable):
        rl.solve(game, method="double-oracle:oracle=public")
    with pytest.raises(Unsuitable, match="oracle=public needs the public form"):
        solver("double-oracle:oracle=public", explicit(game))


@pytest.mark.parametrize(
    ("parameter", "says"),
    [
        ("oracle=best", "oracle=best: must be auto, sequence, generic or public"),
        ("terminal=joint", "terminal=joint: must be sorted or matrix"),
        ("leaves=none", "leaves=none: must be extended or best-response"),
        ("default=jump", "default=jump: must be one of first, last, bet"),
        ("rough=-1", r"rough=-1: must be 0 to 100,000"),
        ("rough=1.5", "rough=1.5: must be a whole number"),
    ],
)
def test_wrong_parameters_say_what_is_allowed(parameter, says):
    with pytest.raises(BadParameter, match=says):
        solver(f"double-oracle:{parameter}", explicit("leduc"))


def test_unknown_parameters_are_named():
    with pytest.raises(UnknownName, match="orakel"):
        solver("double-oracle:orakel=public", explicit("leduc"))


def test_leaves_need_a_tree_with_all_suits():
    form = public_form("rhode_island:ranks=2,suits=2,cap=1")
    with pytest.raises(Unsuitable, match="merges some"):
        solver("double-oracle:oracle=public,leaves=best-response", form)


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("included", lambda v: np.full_like(v, 2)),
        ("included", lambda v: np.eye(1, v.size, v.size - 1, dtype=v.dtype)[0]),
        ("clock", lambda v: np.full_like(v, np.nan)),
        ("plan", lambda v: v[:-1]),
        ("basic_points", lambda v: v.astype(float)),
    ],
)
def test_damaged_states_are_refused(name, spoil):
    running = solver("double-oracle", explicit("leduc"))
    running.step(3)
    state = {key: vector.copy() for key, vector in running.state().items()}
    with pytest.raises(BadInput):
        running.restore({**state, name: spoil(state[name])})
    assert running.iteration == 3


@pytest.mark.parametrize(
    ("parameters", "form"),
    [
        ("", ""),
        ("oracle=public", "public"),
        ("oracle=generic", "sequence"),
        ("oracle=sequence", "sequence"),
        ("leaves=best-response", "sequence"),
        ("oracle=public,leaves=best-response", "public"),
    ],
)
def test_the_form_follows_from_the_parameters(parameters, form):
    assert needed_form(f"double-oracle:{parameters}") == form
