"""Commitments: against brute force, against textbooks, against each other, and with bad input."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import Plan, RandomState, random_games
from scipy.optimize import linprog

import regretless as rl
from regretless.core.errors import BadParameter, TooLarge, Unsolved, Unsuitable
from regretless.forms.dominated import dominated
from regretless.forms.form import plan_of, size, uniform
from regretless.forms.normal import pure_plans
from regretless.forms.tree import game_tree
from regretless.games._normal_form import normal_form_game
from regretless.games._state import Game
from regretless.programs.ipopt import Local
from regretless.programs.polynomial import Program, evaluated
from regretless.programs.scip import Global
from regretless.runs.limits import Stop
from regretless.solvers._catalog import solver
from regretless.solvers._leader_program import gams_model, leader_program
from regretless.solvers._teams import guarantee

KUHN = "kuhn:players=3"
OPTIMA = {1: -1 / 48, 2: -1 / 72, 3: 5 / 96}  # SCIP proves 1 and 2; 3 up to 2.5e-5


@pytest.fixture(scope="module")
def kuhn():
    return rl.sequence_form(KUHN)


def finished(form, **options):
    text = ",".join(f"{name}={value}" for name, value in options.items())
    running = solver(f"stackelberg:{text}", form)
    while not running.finished:
        running.step()
    return running


def random_behaviour(form, rng):
    behaviour = rng.random(size(form)) + 0.01
    normalise(form, behaviour)
    return behaviour


def normalise(form, behaviour):
    for i, plex in enumerate(form.treeplexes):
        mine = behaviour[form.plex.roots[i] : form.plex.roots[i + 1]]
        mine[0] = 1
        for sequences in plex.sequences:
            mine[sequences] /= mine[sequences].sum()


def multiple_programs(form, leader):
    """Conitzer & Sandholm 2006: for every pure answer, the best commitment that provokes it."""
    plans = [pure_plans(plex) for plex in form.treeplexes]
    mine, theirs = plans[leader], plans[1 - leader]
    tables = []
    for player in (leader, 1 - leader):
        matrix = form.matrix(player).toarray()
        tables.append(mine @ (matrix if leader == 0 else matrix.T) @ theirs.T)
    best = -np.inf
    for answer in range(len(theirs)):
        worse = tables[1] - tables[1][:, [answer]]
        found = linprog(
            -tables[0][:, answer],
            A_ub=worse.T,
            b_ub=np.zeros(len(theirs)),
            A_eq=np.ones((1, len(mine))),
            b_eq=[1.0],
        )
        if found.status == 0:
            best = max(best, -found.fun)
    return best


@settings(max_examples=25, deadline=None)
@given(game=random_games(players=(2, 2), zero_sum=False), leader=st.sampled_from([1, 2]))
def test_two_players_agree_with_multiple_linear_programs(game, leader):
    form = rl.sequence_form(game)
    try:
        expected = multiple_programs(form, leader - 1)
    except TooLarge:
        return
    running = finished(form, leader=leader)
    found = running.details()
    assert found["values"][0] == pytest.approx(expected, abs=1e-6)
    assert max(found["follower_regrets"]) < 1e-6
    assert found["players"][0] == leader


@pytest.mark.parametrize("leader", [1, 2])
def test_matrix_games_agree_with_multiple_linear_programs(leader):
    for seed in range(10):
        payoffs = np.random.default_rng(seed).integers(-3, 4, size=(2, 3, 3)).astype(float)
        form = rl.sequence_form(normal_form_game("random", payoffs))
        running = finished(form, leader=leader)
        expected = multiple_programs(form, leader - 1)
        assert running.details()["values"][0] == pytest.approx(expected, abs=1e-6)


def test_commitment_pays_in_the_textbook_game():
    """Conitzer & Sandholm 2006, Figure 1: equilibrium 2, commitment 3.5."""
    game = normal_form_game("commitment", [[[2, 4], [1, 3]], [[1, 0], [0, 1]]])
    found = finished(rl.sequence_form(game), leader=1)
    assert found.details()["values"][0] == pytest.approx(3.5)
    np.testing.assert_allclose(found.behaviour()[1:3], 0.5, atol=1e-9)


def best_by_grid(payoffs, steps):
    """Leader's mixtures on a grid; all equilibria of the followers' 2×2 game for each of them."""
    best = -np.inf
    for share in np.linspace(0, 1, steps + 1):
        mean = [(1 - share) * u[0] + share * u[1] for u in payoffs]  # [y, z] per player
        for y, z in equilibria(mean[1], mean[2]):
            best = max(best, np.array([1 - y, y]) @ mean[0] @ np.array([1 - z, z]))
    return best


def equilibria(A, B, slack=1e-9):
    """Of a 2×2 game: pure ones, and mixtures that make the other indifferent."""
    ys, zs = [0.0, 1.0], [0.0, 1.0]
    for matrix, out in ((B, ys), (A.T, zs)):
        difference = matrix[:, 0] - matrix[:, 1]
        if abs(difference[1] - difference[0]) > 1e-12:
            share = -difference[0] / (difference[1] - difference[0])
            if 0 < share < 1:
                out.append(share)
    for y in ys:
        for z in zs:
            p, q = np.array([1 - y, y]), np.array([1 - z, z])
            if p @ A @ q >= max(A @ q) - slack and p @ B @ q >= max(p @ B) - slack:
                yield y, z


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_three_players_agree_with_a_grid(seed):
    payoffs = np.random.default_rng(seed).integers(-3, 4, size=(3, 2, 2, 2)).astype(float)
    form = rl.sequence_form(normal_form_game("random", payoffs))
    running = finished(form, leader=1, solver="scip", seconds=60, starts=2)
    value = running.details()["values"][0]
    assert max(running.details()["follower_regrets"]) < 1e-5
    grid = best_by_grid(payoffs, 240)
    assert value >= grid - 1e-5  # the grid's points are all feasible
    assert value <= grid + 0.15  # 1/240 of a step, times what equilibria move
    assert running.bound >= value - 1e-5


def test_the_strategies_of_cfr_are_among_the_starts(kuhn):
    running = solver("stackelberg", kuhn)
    starts = []
    for running.done in range(5):
        starts.append(running._start())
    for (method, iterations), start in zip((("cfr+", 1000), ("cfr", 100)), starts, strict=False):
        learner = solver(method, kuhn)
        learner.step(iterations)
        np.testing.assert_array_equal(start, plan_of(kuhn, learner.behaviour()))
    np.testing.assert_array_equal(starts[2], plan_of(kuhn, uniform(kuhn)))
    assert not np.array_equal(starts[3], starts[4])


@pytest.mark.parametrize(("leader", "starts"), [(1, 6), (2, 1)])
def test_local_solves_find_the_optima_of_kuhn(kuhn, leader, starts):
    running = finished(kuhn, leader=leader, starts=starts)
    found = running.details()
    assert found["values"][0] == pytest.approx(OPTIMA[leader], abs=1e-6)
    secured = [guarantee(kuhn, player).value for player in range(3) if player != leader - 1]
    assert found["bound"] == pytest.approx(-sum(secured))
    assert found["values"][0] <= found["bound"]
    evaluation = rl.evaluate(rl.Strategy(kuhn, running.behaviour()))
    followers = [gain for i, gain in enumerate(evaluation.epsilon) if i != leader - 1]
    assert max(followers) < 1e-7
    assert evaluation.values[leader - 1] == pytest.approx(found["values"][0])


def test_scip_goes_on_from_the_local_optimum_until_the_gap_is_small_enough(kuhn, monkeypatch):
    given, start = [], Global.start
    monkeypatch.setattr(Global, "start", lambda self, at: (given.append(at), start(self, at)))
    running = finished(kuhn, leader=3, solver="scip", starts=1, gap=0.2, seconds=60)
    assert running.mixed.program.value(given[0]) == pytest.approx(OPTIMA[3], abs=1e-6)
    assert running.proved
    assert running.spent < 60
    known = running.mixed.program.value(running.scip.point())
    assert known == pytest.approx(running.value, abs=1e-6)
    assert OPTIMA[3] + 1e-3 < running.bound < 17 / 264 - 1e-3  # of the root, not of the point


def test_dominated_actions_can_be_kept():
    payoffs = np.zeros((3, 2, 2, 2))
    payoffs[1, :, 1, :] = 1.0  # player 2 loses by its first action, whatever happens
    payoffs[0, 1, 1, 1] = 2.0
    payoffs[0, 1, 0, 1] = 5.0  # what the leader would like best
    form = rl.sequence_form(normal_form_game("dominated", payoffs))
    for keep, removed in (("false", 1), ("true", 0)):
        running = finished(form, solver="scip", starts=1, keep=keep)
        assert len(running.program.removed) == len(running.mixed.removed) == removed
        assert running.details()["values"][0] == pytest.approx(2, abs=1e-6)


def test_leaders_of_two_player_zero_sum_games_earn_the_value():
    for leader, value in ((1, -1 / 18), (2, 1 / 18)):
        running = finished(rl.sequence_form("kuhn"), leader=leader)
        assert running.details()["values"][0] == pytest.approx(value)
        assert running.value == pytest.approx(value)
        assert running.details()["gap"] == 0.0


def test_an_infeasible_program_has_no_local_optimum():
    program = Program()
    x = program.variable("x", 0.0, 1.0)
    program.equal("impossible", {(x,): 1.0}, 2.0)
    program.objective[x,] = 1.0
    assert Local(program).solve(np.array([0.5])) is None


def require_room(form, behaviour):
    """Values and losses are within bounds, and the objective is as it says."""
    made = leader_program(form, 0, formulation=4)
    behaviour = behaviour.copy()
    behaviour[list(made.removed)] = 0.0
    normalise(form, behaviour)
    point = made.point(plan_of(form, behaviour))
    for choice in made.choices.values():
        point[choice] = 1.0
    program = made.program
    assert np.all(point >= np.array(program.lower) - 1e-9)
    assert np.all(point <= np.array(program.upper) + 1e-9)
    for row in program.rows:
        if not row.name.startswith("unused"):
            assert row.low - 1e-9 <= evaluated(row.terms, point) <= row.high + 1e-9, row.name
    answers = [form.respond(player, behaviour) for player in range(3)]
    expected = answers[0][0] if not form.zero_sum else -answers[1][1] - answers[2][1]
    assert program.value(point) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=12, deadline=None)
@given(game=random_games(players=(3, 3)), seed=st.integers(0, 10**6))
def test_programs_have_room_for_all_plans(game, seed):
    form = rl.sequence_form(game)
    require_room(form, random_behaviour(form, np.random.default_rng(seed)))


@pytest.mark.parametrize("action", [0, 1])
def test_programs_have_room_for_points_that_the_leader_avoids(action):
    """Some of these have a decision at which the follower only wins, if it is reached."""
    for seed in range(12):
        plan = Plan(3, ((0, 2), (1, 2), (2, 1)), ((2, 2, 2),) * 3, seed, zero_sum=False)
        form = rl.sequence_form(Game("small", 3, RandomState(plan)))
        behaviour = uniform(form)
        behaviour[1:3] = np.eye(2)[action]
        require_room(form, behaviour)


@pytest.mark.slow
def test_scip_proves_position_1(kuhn):
    running = finished(kuhn, leader=1, solver="scip", starts=6, seconds=200)
    assert running.proved
    assert running.bound == pytest.approx(OPTIMA[1], abs=1e-5)


def test_json_has_the_leader_first(kuhn):
    solution = rl.solve(kuhn, method="stackelberg:leader=3,starts=1")
    facts = solution.facts()
    assert facts["players"] == [3, 1, 2]
    assert facts["values"][0] == pytest.approx(OPTIMA[3], abs=1e-6)
    assert facts["values"] == pytest.approx([solution.values[i] for i in (2, 0, 1)])
    assert facts["gap"] == pytest.approx(facts["bound"] - facts["values"][0], abs=1e-6)
    assert solution.stop is Stop.ENDED  # a local optimum is no proof
    assert max(solution.evaluation.epsilon[:2]) < 1e-7


def test_solutions_as_printed_are_no_equilibria(kuhn):
    running = finished(kuhn, leader=3, starts=3, printed="true")
    assert running.details()["values"][0] > OPTIMA[3] + 0.01
    assert max(running.details()["follower_regrets"]) > 0.01
    assert running.details()["bound"] is None  # that of best responses does not hold here


def test_dominated_actions_of_kuhn(kuhn):
    tree = game_tree(KUHN, kuhn)
    names = set()
    for player in range(3):
        found = dominated(tree, player)
        for point in kuhn.points(player):
            for action, sequence in zip(point.actions, point.sequences, strict=True):
                if int(sequence + kuhn.plex.roots[player]) in found:
                    names.add((player, point.label, action))
    assert (0, "J:ccr", "call") in names
    assert (0, "A:crf", "fold") in names
    assert (0, "Q:crc", "call") in names  # two others are in, one of them beats a queen
    assert (0, "K:crc", "call") not in names
    assert not {action for _, _, action in names} & {"check", "bet"}
    level = normal_form_game("level", np.zeros((3, 2, 2, 2)))  # as good as is not better than
    assert not dominated(game_tree(level, rl.sequence_form(level)), 0)


@settings(max_examples=20, deadline=None)
@given(game=random_games(), data=st.data())
def test_dominated_actions_are_never_part_of_a_best_response(game, data):
    form = rl.sequence_form(game)
    player = data.draw(st.integers(0, form.players - 1))
    found = dominated(game_tree(game, form), player)
    behaviour = random_behaviour(form, np.random.default_rng(data.draw(st.integers(0, 10**6))))
    answer = behaviour.copy()
    form.respond(player, behaviour, answer)
    assert all(answer[sequence] == 0 for sequence in found)


@pytest.mark.parametrize("formulation", [3, 4])
def test_gams_models_say_what_the_program_says(kuhn, formulation):
    """Read the text back: an equilibrium satisfies every equation, uniform play does not."""
    from regretless.evaluation.kuhn_family import kuhn_equilibrium

    text = gams_model(kuhn, leader=2, formulation=formulation)
    made = leader_program(kuhn, 1, formulation=formulation)
    equations = re.findall(r"^(\w+)\.\. (.*?) =(.)= ([^;]*);", text, re.M)
    equations = [e for e in equations if e[0] != "objective"]
    assert len(equations) == len(made.program.rows) + len(made.program.complements)
    for behaviour, holds in ((kuhn_equilibrium(kuhn).behaviour, True), (uniform(kuhn), False)):
        point = made.point(plan_of(kuhn, behaviour))
        names = dict(zip(made.program.names, point, strict=True))
        off = 0.0
        for _, left, kind, right in equations:
            value = eval(left, {"__builtins__": {}}, names) - float(right)
            off = max(off, abs(value) if kind == "e" else value)
        assert bool(off < 1e-9) is holds
        assert bool(made.program.violation(point) < 1e-9) is holds


def test_a_resumed_run_keeps_its_best_point(kuhn):
    running = finished(kuhn, leader=3, starts=1)
    resumed = solver("stackelberg:leader=3,starts=2,solver=scip,seconds=4", kuhn)
    state = running.state()
    state["clock"][4] = 0.0  # not over yet
    resumed.restore(state)
    assert resumed.value == running.value
    resumed.done = 2
    resumed.step()  # straight to SCIP
    assert resumed.value >= running.value
    assert resumed.bound >= resumed.value - 1e-6


def test_too_little_time_is_said_and_what_is_there_is_kept(kuhn, tmp_path):
    running = solver("stackelberg:seconds=0.000001", kuhn)
    running.spent = 1.0
    with pytest.raises(Unsolved, match="no feasible point"):
        running.step()
    path = tmp_path / "x.strategy"
    solution = rl.solve(kuhn, method="stackelberg:seconds=1e-9,starts=1", out=path)
    assert solution.stop in (Stop.FAILED, Stop.ENDED)
    assert path.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("leader=4", "leader=4"),
        ("leader=0", "leader=0"),
        ("solver=knitro", "ipopt or scip"),
        ("seconds=0", "seconds"),
        ("gap=-1", "gap"),
        ("starts=0", "starts"),
    ],
)
def test_bad_parameters_are_refused(kuhn, options, message):
    with pytest.raises(BadParameter, match=message):
        solver(f"stackelberg:{options}", kuhn)


@pytest.mark.parametrize(("kind", "module"), [("ipopt", "casadi"), ("scip", "pyscipopt")])
def test_without_the_extra_it_says_what_to_install(monkeypatch, kind, module):
    monkeypatch.setitem(sys.modules, module, None)
    form = rl.sequence_form(normal_form_game("tiny", np.arange(24.0).reshape(3, 2, 2, 2)))
    with pytest.raises(Unsuitable, match=r"regretless\[programs\]"):
        finished(form, solver=kind, starts=1)


def test_public_forms_are_refused():
    with pytest.raises(Unsuitable, match="sequence form"):
        solver("stackelberg", rl.forms.public_form("kuhn:players=3"))
