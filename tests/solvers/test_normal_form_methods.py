"""Methods for two-player normal forms agree with each other and with independent programs."""

import warnings
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_games import random_games
from random_matrices import matrix_games, payoffs

import regretless as rl
from regretless.core.errors import BadParameter, TooLarge, Unsolved, Unsuitable
from regretless.games._normal_form import normal_form_game
from regretless.kernels import pivoting
from regretless.kernels import supports as search
from regretless.solvers import lcp, lemke_howson
from regretless.solvers._bimatrix import Bimatrix
from regretless.solvers._integer_pivoting import IntegerPath
from regretless.solvers.lemke_howson import path_of, tableaux
from regretless.solvers.mip_nash import Program
from regretless.solvers.support_enumeration import enumerated, widest

METHODS = ("lemke-howson", "support-enumeration", "mip-nash", "lcp")


def finished(method, form, seed=0):
    running = rl.solver(method, form, seed=seed)
    while not running.finished:
        running.step()
    return running


def evaluated(running):
    return rl.evaluate(rl.Strategy(running.form, running.behaviour()))


def supports(pair):
    return tuple(tuple(np.flatnonzero(part)) for part in pair)


# --- every answer is an equilibrium, degenerate or not


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40, deadline=None)
@given(game=matrix_games())
def test_every_method_finds_an_equilibrium_of_any_matrix_game(method, game):
    assert evaluated(finished(method, rl.sequence_form(game))).nash_conv < 1e-9


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "table",
    [
        np.zeros((2, 3, 3)),  # everything is an equilibrium
        np.ones((2, 1, 4)),
        [[[3, 3], [2, 5], [0, 6]], [[3, 3], [2, 6], [3, 1]]],  # degenerate: nashpy's documents
        [[[1, 1], [1, 0]], [[1, 0], [1, 1]]],
        1e6 * np.array([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]]),
        1e-6 * np.array([[[3, 1], [0, 2]], [[2, 1], [0, 3]]]),
    ],
)
def test_degenerate_and_badly_scaled_games(method, table):
    game = normal_form_game("matrices", table)
    spread = max(float(np.ptp(own)) for own in np.asarray(table, dtype=float)) or 1.0
    assert evaluated(finished(method, rl.sequence_form(game))).nash_conv < 1e-9 * spread


@pytest.mark.parametrize("method", ["lemke-howson", "lcp"])
@settings(max_examples=30, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=False))
def test_extensive_general_sum_games(method, game):
    form = rl.sequence_form(game)
    try:
        found = evaluated(finished(method, form))
    except TooLarge:  # of a normal form
        assume(False)
    assert found.nash_conv < 1e-9


def test_large_random_games_have_no_long_paths():
    rng = np.random.default_rng(5)
    form = rl.sequence_form(normal_form_game("matrices", rng.random((2, 100, 100))))
    running = finished("lemke-howson", form)
    assert evaluated(running).nash_conv < 1e-9
    assert running.details()["pure_strategies"] == [100, 100]


# --- all equilibria


def brute_force(A, B):
    """Supports of all equilibria, by two linear programs for every pair of supports."""
    found = set()
    rows, columns = (
        [s for k in range(1, n + 1) for s in combinations(range(n), k)] for n in A.shape
    )
    game = Bimatrix(A, B).normalised()
    for first, second in product(rows, columns):
        y = widest(game.A, np.array(first), np.array(second))
        if y is not None and widest(game.B.T, np.array(second), np.array(first)) is not None:
            found.add((first, second))
    return found


@settings(max_examples=25, deadline=None)
@given(table=payoffs(actions=(1, 3)))
def test_support_enumeration_finds_all_supports(table):
    game = Bimatrix(*table)
    pairs = [event for event in enumerated(game) if not isinstance(event, int)]
    assert all(game.is_equilibrium(pair) for pair in pairs)
    assert sorted(map(supports, pairs)) == sorted(brute_force(*table))


def test_support_enumeration_begins_with_small_and_balanced_supports():
    A, B = np.array([[3.0, 1], [0, 2]]), np.array([[2.0, 1], [0, 3]])
    pairs = [event for event in enumerated(Bimatrix(A, B)) if not isinstance(event, int)]
    assert [tuple(map(len, supports(pair))) for pair in pairs] == [(1, 1), (1, 1), (2, 2)]


@pytest.mark.parametrize("third", [1.5, 0.9])
def test_a_third_row_is_neither_better_outside_a_support_nor_worse_inside(third):
    """It dominates neither of the others, nor they it; against their mix it earns more, or less."""
    A = np.array([[2, 0], [0, 2], [third, third]])
    game = Bimatrix(A, np.array([[0.0, 1], [1, 0], [0, 0]]))
    pairs = [event for event in enumerated(game) if not isinstance(event, int)]
    assert pairs
    assert all(game.is_equilibrium(pair) for pair in pairs)


def test_supports_are_tried_by_difference_of_sizes_then_by_their_sum(monkeypatch):
    """Porter, Nudelman & Shoham 2004, algorithm 1."""
    tried = []

    def nothing(tables, sizes, *given):
        tried.append(sizes)
        return search.EXHAUSTED

    monkeypatch.setattr(search, "search", nothing)
    assert list(enumerated(Bimatrix(np.eye(2, 3), np.eye(2, 3)))) == [0] * 6
    assert tried == [(1, 1), (2, 2), (1, 2), (2, 1), (2, 3), (1, 3)]


def test_pairs_of_supports_are_counted():
    """Of matching pennies: against one action only its best reply is worth playing, and against
    that one not the action. Both with either column are tried in vain, both with both are right."""
    form = rl.sequence_form(rl.load("matching_pennies"))
    running = finished("support-enumeration:every=true", form)
    assert running.details()["supports_tried"] == 3
    assert running.details()["equilibria"] == 1


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), m=st.integers(2, 4), n=st.integers(2, 4))
def test_all_equilibria_agree_with_nashpy(seed, m, n):
    import nashpy

    A, B = np.random.default_rng(seed).random((2, m, n))
    ours = rl.three_players.equilibria(normal_form_game("matrices", [A, B]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = list(nashpy.Game(A, B).vertex_enumeration())  # its support enumeration misses some
    wanted = sorted(np.round(np.concatenate(pair), 6).tolist() for pair in theirs)
    mine = sorted(np.round(np.concatenate(_mixed(one)), 6).tolist() for one in ours)
    assert np.allclose(mine, wanted, atol=1e-5)
    assert len(ours) % 2 == 1  # Wilson 1971


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), m=st.integers(1, 4), n=st.integers(1, 4))
def test_every_label_leads_to_one_of_all_equilibria(seed, m, n):
    game = normal_form_game("matrices", np.random.default_rng(seed).random((2, m, n)))
    every = rl.three_players.equilibria(game)
    form = rl.sequence_form(game)
    running = finished("lemke-howson:every=true", form)
    assert set(running.details()["labels"]) == {str(label + 1) for label in range(m + n)}
    assert len(running.ends) == m + n  # none was followed a second time
    for one in rl.three_players.equilibria(game, method="lemke-howson:every=true"):
        assert any(np.allclose(one.behaviour, other.behaviour, atol=1e-8) for other in every)


def ended(work):
    """What a piece of work returns that yields its progress."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("at_once", [1, 2, 256])
def test_tableaux_are_made_in_slices(monkeypatch, at_once):
    monkeypatch.setattr(lemke_howson, "AT_ONCE", at_once)
    rng = np.random.default_rng(at_once)
    game = Bimatrix(*rng.normal(size=(2, 3, 5)))
    A, B = (table + 1.0 for table in game.normalised())
    one = np.ones((5, 1)), np.ones((3, 1))
    made = ended(tableaux(game))
    np.testing.assert_array_equal(made[0], np.concatenate([B.T, np.eye(5), one[0]], axis=1))
    np.testing.assert_array_equal(made[1], np.concatenate([np.eye(3), A, one[1]], axis=1))
    path = ended(path_of(made, 0))
    for copy, table in zip(path.tableaux, made, strict=True):
        np.testing.assert_array_equal(copy, table)
        assert not np.shares_memory(copy, table)


@settings(max_examples=40, deadline=None)
@given(table=payoffs(actions=(1, 4)), data=st.data())
def test_floats_follow_the_path_of_integers(table, data):
    game = Bimatrix(*table)
    label = data.draw(st.integers(0, sum(game.A.shape) - 1))
    exact, fast = IntegerPath(game, label), ended(path_of(ended(tableaux(game)), label))
    for path in (exact, fast):
        while path.status == pivoting.PAUSED:
            path.go_on()
    assert game.is_equilibrium(exact.end())
    assert exact.pivots == fast.pivots
    assert exact.end().near(fast.end())


# --- what pivoting cannot do


def test_a_ray_is_a_value_of_the_result(monkeypatch):
    monkeypatch.setattr(pivoting, "lemke", lambda *given: pivoting.RAY)
    solution = rl.solve("kuhn", method="lcp")
    assert solution.stop is rl.Stop.FAILED
    assert "Lemke's path met a ray" in solution.failure
    with pytest.raises(Unsolved, match="singular basis after 7 pivots"):
        lcp._solved(np.zeros((2, 2)), np.ones(2), 7)


@pytest.mark.parametrize("method", ["lemke-howson", "lemke-howson:every=true"])
def test_floats_that_fail_are_followed_by_integers(method, monkeypatch):
    monkeypatch.setattr(pivoting, "lemke_howson", lambda *given: pivoting.RAY)
    game = normal_form_game("matrices", [[[3, 1], [0, 2]], [[2, 1], [0, 3]]])
    form = rl.sequence_form(game)
    running = finished(method, form)
    assert evaluated(running).nash_conv < 1e-12
    wanted = 4 if "every" in method else 1
    assert len(running.details()["labels"]) == wanted
    solution = rl.solve(game, method="lemke-howson:arithmetic=float")
    assert solution.stop is rl.Stop.FAILED


def test_a_label_begins_at_its_pure_strategy():
    """Of two coordinated players, dropping an action's label leads to the equilibrium with it."""
    form = rl.sequence_form(normal_form_game("matrices", [np.eye(3), np.eye(3)]))
    for label in range(1, 7):
        running = finished(f"lemke-howson:label={label}", form)
        assert supports(_mixed(rl.Strategy(form, running.behaviour()))) == (((label - 1) % 3,),) * 2


# --- MIP-Nash


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 4))
def test_objectives_choose_the_best_equilibrium(seed, n):
    # Of different ranges, so that values must be compared in the game's own units.
    table = np.random.default_rng(seed).random((2, n, n))
    game = normal_form_game("matrices", [4 * table[0] - 2, table[1] / 2 - 0.3])
    form = rl.sequence_form(game)
    every = [rl.expected_values(one) for one in rl.three_players.equilibria(game)]
    for objective, worth in (
        ("welfare", sum),
        ("fair", min),
        ("player1", lambda v: v[0]),
        ("player2", lambda v: v[1]),
    ):
        found = evaluated(finished(f"mip-nash:objective={objective}", form))
        assert worth(found.values) == pytest.approx(max(map(worth, every)), abs=1e-7)
    sizes = [sum(map(len, supports(_mixed(one)))) for one in rl.three_players.equilibria(game)]
    small = finished("mip-nash:objective=small-support", form).details()["support_sizes"]
    assert sum(small) == min(sizes)


def test_welfare_is_in_the_units_of_the_game():
    """One payoff ranges over 4, the other over 0.5: 1.7 + 0.02 is more than 1 + 0.5."""
    game = normal_form_game("matrices", [[[1, -2.3], [-2.3, 1.7]], [[0.5, 0.1], [0, 0.02]]])
    found = evaluated(finished("mip-nash:objective=welfare", rl.sequence_form(game)))
    assert found.values == pytest.approx((1.7, 0.02))


def test_the_answer_is_recomputed_from_its_supports(monkeypatch):
    """So that probabilities within the tolerance of the integer program become exact."""
    running = finished("mip-nash", rl.sequence_form(rl.load("biased_rps")))
    program, (x, y) = running._program, running.chosen()
    columns = np.concatenate([x + 1e-5, y - 1e-5, x == 0, y == 0, np.zeros(3)])
    assert running.game.is_equilibrium(program.polished(columns))
    assert not running.game.is_equilibrium(program.pair(columns + 1e-5 * np.arange(15)))
    monkeypatch.setattr(type(program), "polished", lambda self, columns: None)
    assert rl.solve("biased_rps", method="mip-nash").stop is rl.Stop.FAILED


def test_an_interrupted_program_leaves_its_best_solution():
    running = rl.solver("mip-nash", rl.sequence_form(rl.load("rps")))
    columns = [0.2, 0.3, 0.5, 0.0, 0.0, 1.0]
    solution = SimpleNamespace(value_valid=True, col_value=columns + [0.0] * 9)
    highs = SimpleNamespace(getSolution=lambda: solution)
    running._program = Program(running, running.objective)
    running._running = SimpleNamespace(cancel=lambda: None, highs=highs)
    running.settle()
    found = np.concatenate(_mixed(rl.Strategy(running.form, running.behaviour())))
    np.testing.assert_allclose(found, columns)


def _mixed(strategy):
    return [np.array(decision.probabilities) for decision in strategy.decisions()]


# --- published numbers, and what is refused


@pytest.mark.parametrize("method", ["lemke-howson", "lcp", "support-enumeration"])
def test_kuhn_has_its_value(method):
    found = evaluated(finished(method, rl.sequence_form(rl.load("kuhn"))))
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-12)


def test_lcp_solves_leduc_of_two_ranks():
    running = finished("lcp", rl.sequence_form(rl.load("leduc:ranks=2")))
    found = evaluated(running)
    assert (found.nash_conv, found.values[0]) == (pytest.approx(0, abs=1e-9),) * 2
    assert running.details()["pivots"] > 0


@pytest.mark.parametrize(
    ("method", "problem"),
    [
        ("lemke-howson:label=-1", "label=-1"),
        ("lemke-howson:arithmetic=roman", "must be auto, float or integer"),
        ("mip-nash:objective=fame", "objective=fame: must be one of any, welfare"),
        ("lp:algorithm=abacus", "algorithm=abacus: must be one of auto, simplex, ipm, pdlp"),
    ],
)
def test_bad_parameters(method, problem):
    with pytest.raises(BadParameter, match=problem):
        rl.solver(method, rl.sequence_form(rl.load("rps")))


def test_labels_beyond_the_last_are_refused():
    running = rl.solver("lemke-howson:label=7", rl.sequence_form(rl.load("rps")))
    with pytest.raises(BadParameter, match=r"label=7.*6"):
        running.step()


@pytest.mark.parametrize("method", [*METHODS, "tabu"])
def test_public_forms_are_refused(method):
    with pytest.raises(Unsuitable, match="sequence form"):
        rl.solver(method, rl.forms.public_form(rl.load("kuhn")))


def test_what_does_not_fit_is_refused_before_it_is_allocated(monkeypatch):
    form = rl.sequence_form(rl.load("kuhn"))
    for method, needed, what in (
        ("lcp", 64 * 27**2, r"tableau of kuhn \(27 rows\)"),
        (
            "lemke-howson",
            24 * (27 + 64) * 13 + 48 * 27 * 64 + 40 * (27 + 64) ** 2,
            "normal form of kuhn",
        ),
    ):
        monkeypatch.setattr("regretless.core.memory.usable_bytes", lambda n=needed: n - 1)
        with pytest.raises(TooLarge, match=what):
            finished(method, form)
        monkeypatch.setattr("regretless.core.memory.usable_bytes", lambda n=needed: n)
        finished(method, form)


def test_equilibria_need_a_method_that_can_find_several():
    with pytest.raises(BadParameter, match="must be lemke-howson"):
        rl.three_players.equilibria("rps", method="cfr")


def test_no_pure_equilibrium_is_a_value_of_the_result():
    solution = rl.solve("matching_pennies", method="tabu")
    assert solution.stop is rl.Stop.FAILED
    assert "no pure equilibrium" in solution.failure


def test_time_limits_end_long_searches():
    rng = np.random.default_rng(0)
    game = normal_form_game("matrices", rng.permuted(np.arange(2 * 40 * 40.0)).reshape(2, 40, 40))
    zero_sum = normal_form_game("matrices", [rng.random((40, 40))] * 2)
    for one in (game, zero_sum):
        solution = rl.solve(one, method="mip-nash:objective=welfare", seconds=0.3)
        assert solution.stop in (rl.Stop.TIME, rl.Stop.EXACT)
        assert solution.seconds < 3
