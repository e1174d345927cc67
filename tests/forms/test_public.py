"""The public form is the same game as the sequence form, in every way it can be built."""

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable
from regretless.evaluation.exploitability import best_response, evaluate
from regretless.forms.form import behaviour_of, own, plan_of, size, uniform
from regretless.forms.public import public_form, public_sizes
from regretless.forms.sequence import sequence_form
from regretless.games._betting import PokerRules
from regretless.games._catalog import load
from regretless.games._poker import poker_game
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy


def two_cards(**changes):
    """A small game with two hole cards; no-limit unless raises are given."""
    rules = {
        "players": 2,
        "ranks": 3,
        "suits": 2,
        "hole": 2,
        "board": (0, 1),
        "blinds": (2, 1),
        "first": (1, 0),
        "caps": (2, 2),
        "stacks": (6, 5),
    }
    return poker_game("two cards", PokerRules(**rules | changes), suits_distinct=True)


def five_shown(**changes):
    """Hands of five cards, so that straights and flushes count."""
    rules = {"ranks": 4, "board": (0, 3), "raises": (2, 4), "stacks": (), "caps": (1, 1)}
    return two_cards(**rules | changes)


# Games whose decision points have the same labels in both forms.
SAME = {
    "kuhn": ("kuhn", {}),
    "kuhn, 13 cards": ("kuhn:ranks=13", {}),
    "leduc": ("leduc", {}),
    "leduc 5x3": ("leduc:ranks=5,suits=3", {}),
    "leduc by matrix": ("leduc", {"terminal": "matrix"}),
    "leduc by joint hands": ("leduc", {"terminal": "joint"}),
    "leduc with suits": ("leduc:suits_distinct=true", {"isomorphic": False}),
    "rhode island": ("rhode_island:ranks=4,suits=2,cap=1", {"isomorphic": False}),
    "rhode island by matrix": (
        "rhode_island:ranks=4,suits=2,cap=1",
        {"isomorphic": False, "terminal": "matrix"},
    ),
    "two cards": (two_cards(), {"isomorphic": False}),
    "two cards by matrix": (two_cards(), {"isomorphic": False, "terminal": "matrix"}),
    "five cards": (five_shown(), {"isomorphic": False}),
    "kuhn, three players": ("kuhn:players=3", {}),
    "kuhn, four players": ("kuhn:players=4", {}),
    "leduc, three players": ("leduc:players=3,cap=1", {}),
}
# Games whose suits are put together: fewer decision points, the same iterates.
FOLDED = {
    "leduc": "leduc:suits_distinct=true",
    "leduc with three suits": "leduc:suits=3,suits_distinct=true",
    "rhode island": "rhode_island:ranks=4,suits=2,cap=1",
    "rhode island, three ranks": "rhode_island:ranks=3,suits=2,cap=1",
    "rhode island, ace high": "rhode_island:ranks=4,suits=2,cap=1,wheel=false",
    "two cards": two_cards(),
    "two cards, three suits": two_cards(suits=3, ranks=2),
    "five cards": five_shown(),
}


def matched(one, two):
    """Where the sequences of the first form stand in the second."""
    there = np.zeros(size(one), dtype=int)
    for player in range(one.players):
        there[one.plex.roots[player]] = two.plex.roots[player]
        points = {point.label: point for point in two.points(player)}
        for point in one.points(player):
            other = points[point.label]
            assert point.actions == other.actions
            first, second = own(one, player).start, own(two, player).start
            there[point.sequences + first] = other.sequences + second
    return there


@pytest.fixture(params=SAME, scope="module")
def pair(request):
    game, options = SAME[request.param]
    one, two = sequence_form(game), public_form(game, **options)
    return one, two, matched(one, two)


def random_behaviours(one, there, seed=0):
    behaviour = behaviour_of(one, np.random.default_rng(seed).random(size(one)))
    moved = np.empty_like(behaviour)
    moved[there] = behaviour
    return behaviour, moved


def test_sizes_agree(pair):
    one, two, there = pair
    assert one.sizes == two.sizes
    assert len(set(there.tolist())) == size(one)


def test_gradients_agree(pair):
    one, two, there = pair
    ours, theirs = (
        plan_of(form, b) for form, b in zip((one, two), random_behaviours(one, there), strict=True)
    )
    np.testing.assert_allclose(ours, theirs[there], atol=1e-14)
    for player in range(one.players):
        here, elsewhere = np.zeros(size(one)), np.zeros(size(one))
        one.gradient(player, ours, here)
        two.gradient(player, theirs, elsewhere)
        mine = own(one, player)
        np.testing.assert_allclose(here[mine], elsewhere[there][mine], atol=1e-12)


def test_evaluations_agree(pair):
    one, two, there = pair
    first, second = random_behaviours(one, there, seed=1)
    ours, theirs = evaluate(Strategy(one, first)), evaluate(Strategy(two, second))
    assert ours.values == pytest.approx(theirs.values, abs=1e-12)
    assert ours.best_responses == pytest.approx(theirs.best_responses, abs=1e-12)
    for player in range(1, one.players + 1):
        value, answer = best_response(Strategy(two, second), player)
        assert evaluate(answer).values[player - 1] == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr", "sapcfr+", "cfr+:simultaneous=true"])
def test_curves_agree(pair, method):
    one, two, _ = pair
    ours, theirs = solver(method, one), solver(method, two)
    for _ in range(3):
        ours.step(7)
        theirs.step(7)
        here = evaluate(Strategy(one, ours.behaviour())).nash_conv
        assert here == pytest.approx(
            evaluate(Strategy(two, theirs.behaviour())).nash_conv, abs=1e-9
        )
        current = Strategy(two, theirs.behaviour("current"))
        assert np.isfinite(evaluate(current).nash_conv)


@pytest.mark.parametrize("name", FOLDED)
def test_suit_symmetry_changes_no_number(name):
    one = sequence_form(FOLDED[name])
    two = public_form(FOLDED[name])
    assert sum(two.sizes.sequences) < sum(one.sizes.sequences)
    ours, theirs = solver("cfr", one), solver("cfr", two)
    for _ in range(4):
        ours.step(6)
        theirs.step(6)
        here = evaluate(Strategy(one, ours.behaviour()))
        there = evaluate(Strategy(two, theirs.behaviour()))
        assert here.values == pytest.approx(there.values, abs=1e-10)
        assert here.best_responses == pytest.approx(there.best_responses, abs=1e-10)


@pytest.mark.parametrize("name", ["rhode island", "two cards", "five cards"])
def test_ways_to_evaluate_terminals_agree(name):
    forms = [public_form(FOLDED[name], terminal=kind) for kind in ("sorted", "matrix")]
    plan = plan_of(
        forms[0], behaviour_of(forms[0], np.random.default_rng(2).random(size(forms[0])))
    )
    for player in range(2):
        found = []
        for form in forms:
            out = np.zeros(size(form))
            form.gradient(player, plan, out)
            found.append(out[own(form, player)])
        np.testing.assert_allclose(found[0], found[1], atol=1e-13)


@pytest.mark.parametrize("precision", ["single", "double"])
def test_threads_change_no_bit(precision):
    spec = "rhode_island:ranks=9,cap=2"
    solvers = []
    for threads in (1, 2, 3):
        form = public_form(spec, threads=threads, precision=precision)
        solvers.append(solver("sapcfr+", form))
        solvers[-1].step(5)
    for other in solvers[1:]:
        assert np.array_equal(solvers[0].behaviour(), other.behaviour())
        for name, vector in solvers[0].state().items():
            assert np.array_equal(vector, other.state()[name]), name
    found = {evaluate(Strategy(s.form, s.behaviour())) for s in solvers}
    assert len(found) == 1


def test_single_precision_is_close():
    found = []
    for precision in ("single", "double"):
        form = public_form("leduc:ranks=13,suits=4", precision=precision)
        running = solver("dcfr", form)
        running.step(12)  # later the last bit of a tie may lead elsewhere
        assert running.behaviour().dtype == (np.float32 if precision == "single" else np.float64)
        found.append(evaluate(Strategy(form, running.behaviour())).exploitability)
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_a_restored_solver_goes_on_bit_for_bit():
    form = public_form("leduc")
    whole, part = solver("pdcfr+", form), solver("pdcfr+", form)
    whole.step(40)
    part.step(13)
    resumed = solver("pdcfr+", public_form("leduc"))
    resumed.restore(part.state())
    resumed.step(27)
    assert np.array_equal(whole.behaviour(), resumed.behaviour())


def test_expanded_it_is_the_sequence_form():
    walked = sequence_form("leduc:ranks=4")
    written = public_form("leduc:ranks=4").expanded()
    there = matched(walked, written)
    behaviour, moved = random_behaviours(walked, there)
    ours, theirs = evaluate(Strategy(walked, behaviour)), evaluate(Strategy(written, moved))
    assert ours.values == pytest.approx(theirs.values, abs=1e-12)
    assert ours.best_responses == pytest.approx(theirs.best_responses, abs=1e-12)
    assert written.zero_sum


@pytest.mark.parametrize("name", ["rhode island, three ranks", "two cards"])
def test_expanded_with_symmetry_it_has_the_same_value(name):
    one = sequence_form(FOLDED[name])
    two = public_form(FOLDED[name]).expanded()
    values = []
    for form in (one, two):
        running = solver("lp", form)
        while not running.finished:  # one step is a second of HiGHS, which a busy sweeper exceeds
            running.step()
        values.append(evaluate(Strategy(form, running.behaviour())).values[0])
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_decisions_are_found_with_any_suits():
    solution = rl.solve("rhode_island:ranks=4,suits=3,cap=1", iterations=5, form="public")
    strategy = solution.strategy
    alike = [
        strategy.probabilities(f"{hand}/{flop}/{turn}:cc/rc/c")
        for hand, flop, turn in [("Ad", "Kh", "Kd"), ("Ah", "Ks", "Kh"), ("As", "Kd", "Ks")]
    ]
    assert alike[0] == alike[1] == alike[2]
    assert set(alike[0]) == {"check", "bet"}
    for wrong in ("Ad/Ad/Kd:cc/rc/c", "Ad:zz", "Xx:", "Ad/Kh:cc/rc/c"):
        with pytest.raises(UnknownName):
            strategy.probabilities(wrong)


def test_what_has_no_public_form():
    with pytest.raises(Unsuitable, match="not a poker game"):
        public_form("rps")
    with pytest.raises(BadParameter, match="must be sorted, matrix or joint"):
        public_form("kuhn", terminal="fast")
    with pytest.raises(BadParameter, match="must be joint"):
        public_form("kuhn:players=3", terminal="sorted")
    with pytest.raises(BadParameter, match="must be sorted or matrix"):
        public_form(two_cards(), terminal="joint")
    with pytest.raises(BadParameter, match="precision"):
        public_form("kuhn", precision="half")
    with pytest.raises(Unsuitable, match="one hole card"):
        public_form(two_cards(players=3, ranks=4, blinds=(2, 1, 0), stacks=(), raises=(1, 1)))
    with pytest.raises(Unsuitable, match="average and the current"):
        solver("cfr", public_form("kuhn", precision="single")).behaviour("last")


def test_vectors_of_other_forms_are_refused():
    form, other = public_form("kuhn"), public_form("leduc")
    for wrong in (uniform(other), uniform(form)[:-1]):
        with pytest.raises(BadInput, match="one per sequence"):
            form.respond(0, wrong)
        with pytest.raises(BadInput, match="one per sequence"):
            form.gradient(0, wrong, np.zeros(size(form)))
        with pytest.raises(BadInput, match="one per sequence"):
            form.gradient(0, uniform(form), np.zeros(wrong.size))
    with pytest.raises(BadInput, match="one per sequence"):
        form.action_values(0, uniform(other))


def test_methods_and_forms_are_chosen_together():
    assert rl.solve("kuhn", iterations=2).method == "sapcfr+"
    assert rl.solve("kuhn", iterations=2, threads=2).method == "dcfr"
    with pytest.raises(BadParameter, match="threads=2: must be 1 for the sequence form"):
        rl.solve("kuhn", threads=2, method="lp")
    assert isinstance(rl.forms.form_of("rhode_island:ranks=9,cap=2"), rl.forms.PublicForm)
    assert isinstance(rl.forms.form_of("leduc"), rl.forms.SequenceForm)


def test_rhode_island_is_counted_without_being_listed():
    found = public_sizes(load("rhode_island"))
    assert found.lanes == (13, 325, 9997)
    assert found.decision_points == (1_968_564, 1_968_564)
    assert public_sizes(load("rps")) is None


@pytest.mark.slow
def test_rhode_island_converges_as_others_have_found():
    """0.087 chips after 100 iterations of DCFR, by an independent program in C++.

    In single precision exact ties are broken by rounding, which leads to 0.084 or 0.087."""
    form = public_form("rhode_island", threads=2, precision="double")
    running = solver("dcfr", form)
    running.step(100)
    found = evaluate(Strategy(form, running.behaviour()))
    # In single precision the last bit of a tie decides what is played: a few per cent at 100.
    assert found.exploitability == pytest.approx(0.087, rel=0.05)
    low, high = -found.best_responses[1], found.best_responses[0]
    assert low < -0.65799
    assert high > -0.65487


@pytest.mark.parametrize("precision", ["single", "double"])
def test_how_iterations_are_cut_into_steps_changes_no_bit(precision):
    form = public_form("leduc", precision=precision)
    whole, parts = solver("dcfr", form), solver("dcfr", form)
    whole.step(40)
    for count in (1, 0, 7, 1, 1, 0, 30):
        parts.step(count)
    assert np.array_equal(whole.behaviour(), parts.behaviour())
    for name, vector in whole.state().items():
        assert np.array_equal(vector, parts.state()[name]), name


def test_a_board_may_leave_a_player_no_hand():
    spot = rl.spot(
        board="Kd7d2c5s", pot=10, stack=10, ranges={"oop": "AA,QQ", "ip": "KK"}, bets="a"
    )
    form = public_form(spot.game)
    running = solver("dcfr", form)
    running.step(5)
    assert np.isfinite(evaluate(Strategy(form, running.behaviour())).exploitability)
    assert sum(1 for _ in form.points(1)) == form.sizes.decision_points[1]
