"""Everything public, given nonsense: only errors of ours, never a crash, never garbage."""

import inspect
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.errors import BadParameter, RegretlessError

KUHN = rl.sequence_form("kuhn")
SIZE = sum(KUHN.sizes.sequences)
UNIFORM = rl.Strategy.uniform(KUHN)
RPS = rl.sequence_form("rps")
ARRAYS = [
    np.ones(5),
    np.full(SIZE, np.nan),
    -np.ones(SIZE),
    2 * UNIFORM.behaviour,
    np.ones(SIZE, complex),
    np.ones(SIZE, object),
    np.zeros(0),
    np.ones((2, 2)),
    np.array(["x"] * SIZE),
]
JUNK = [
    *(None, True, 0, -1, 1.5, float("nan"), float("inf"), 10**30, "", "x", "é\0", b"x"),
    *([], {}, (), [[1, 2], [3]], {"K:": {"check": 2}}, object(), print, *ARRAYS),
]
# What fits a parameter of this name, so that one argument at a time is wrong.
FITTING = {
    "strategy": UNIFORM,
    "first": UNIFORM,
    "second": UNIFORM,
    "form": KUHN,
    "solver": None,
    "rules": rl.rules_of("leduc"),
    "iterations": 2,
    "hands": 3,
    "seed": 0,
    "player": 0,
    "strategies": ["random", "always-call"],
    "agents": ["random", "random"],
    "known": {},
    "method": "cfr",
    "methods": ["cfr"],
    "terminals": [0, 1],
    "until": rl.Limits(iterations=2),
    "member": None,
    "given": "random",
    "choices": [2, 2],
    "ask": None,
    "payoffs": [[1, -1]],
    "port": 1,
    "host": "localhost",
    "spec": "rps",
    "weights": [1.0] * 1326,
    "game": "rps",
    "ranges": {"oop": "AA", "ip": "KK"},
    "bets": "50%",
    "path": "missing",
    "hand": None,
}
CALLED = {"ask", "listen"}
SLOW = {"report", "resolved"}  # are given nothing that fits: what they do takes seconds
SHELVES = [rl, *(getattr(rl, name) for name in rl._SHELVES)]
PUBLIC = {name: getattr(shelf, name) for shelf in SHELVES for name in shelf.__all__}
FUNCTIONS = [
    name
    for name, one in PUBLIC.items()
    if inspect.isfunction(one)
    and inspect.signature(one).parameters
    and name != "connect"  # waits for a dealer
]
CLASSES = ["Comparison", "JointPlay", "League", "Limits", "Match", "Strategy"]


def calls(name):
    """All ways to call a function with one argument that is nonsense."""
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    needed = [one.name for one in parameters if one.default is one.empty]
    fitting = {key: None if name in SLOW else FITTING.get(key, "kuhn") for key in needed}
    if "iterations" in inspect.signature(PUBLIC[name]).parameters:
        fitting["iterations"] = 2
    for one in parameters:
        if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL):
            # Functions of the user's are called as they are.
            junk = [some for some in JUNK if some is not print or one.name not in CALLED]
            yield from ({**fitting, one.name: some} for some in junk)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES])
def test_nonsense_is_refused_by_errors_of_ours(folder, name):
    function = PUBLIC[name]
    for arguments in calls(name):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = function(**arguments)
                if inspect.isgenerator(made):
                    next(made)
        except (RegretlessError, StopIteration):
            continue
        except Exception as error:
            told = {key: str(value)[:40] for key, value in arguments.items()}
            raise AssertionError(f"{name}({told}): {type(error).__name__}: {error}") from error


# What is only shown or written, only needed in some games, or checked when it is used.
UNREAD = {
    "solve_finite": {"listen"},
    "game_sizes": {"seconds", "listen"},
    "normal_form_game": {"spec", "about"},
    "local_best_response": {"translation"},
    "read_log": {"source", "name"},
    "coarse_correlated_equilibrium": {"listen"},
    "correlated_equilibrium": {"listen"},
    "Match": {"game", "hands", "rotate", "duplicate"},
    "Comparison": {"game", "solutions", "is_cut"},
    "League": {"game", "names", "seatings", "payoffs", "unit", "seed", "asked"},
}


@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES])
def test_an_object_fits_no_parameter(folder, name):
    """It is refused, wherever it is read."""
    accepted = set()
    for arguments in calls(name):
        wrong = next((key for key, some in arguments.items() if type(some) is object), None)
        if wrong is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                made = PUBLIC[name](**arguments)
                if inspect.isgenerator(made):
                    next(made)
            except RegretlessError:
                continue
        accepted.add(wrong)
    assert accepted <= UNREAD.get(name, set())


@pytest.mark.parametrize("form", [KUHN, rl.forms.public_form("kuhn")], ids=["sequence", "public"])
@pytest.mark.parametrize("wrong", ARRAYS, ids=[f"{a.dtype}{a.shape}" for a in ARRAYS])
def test_no_array_reaches_a_kernel_unchecked(form, wrong):
    good = rl.Strategy.uniform(form).behaviour
    with pytest.raises(RegretlessError):
        rl.Strategy(form, wrong)
    with pytest.raises(RegretlessError):
        rl.three_players.JointPlay(form).observe(wrong)
    if wrong.shape == good.shape and wrong.dtype == good.dtype:
        return  # the others read any floats: values are for strategies to check
    for calling in (
        lambda: form.gradient(0, wrong, good.copy()),
        lambda: form.gradient(0, good, wrong.copy()),
        lambda: form.respond(0, wrong),
        lambda: rl.three_players.JointPlay(form).observe_plan(wrong),
    ):
        with pytest.raises(RegretlessError):
            calling()


@pytest.mark.parametrize("form", [KUHN, rl.forms.public_form("kuhn")], ids=["sequence", "public"])
@pytest.mark.parametrize("player", [-1, 2, 1.5, "1", None])
def test_no_player_of_another_game(form, player):
    good = rl.Strategy.uniform(form).behaviour
    for calling in (
        lambda: form.gradient(player, good, good.copy()),
        lambda: form.respond(player, good),
        # Here players count from 1.
        lambda: rl.best_response(rl.Strategy.uniform(form), 3 if player == 2 else player),
    ):
        with pytest.raises(RegretlessError, match="player"):
            calling()
    strided = np.zeros(2 * SIZE)[::2]
    with pytest.raises(BadParameter, match="contiguous"):
        form.gradient(0, strided, good.copy())


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1, 2) | st.sampled_from([np.nan, np.inf]), min_size=SIZE, max_size=SIZE))
def test_a_strategy_is_probabilities_or_refused(numbers):
    try:
        strategy = rl.Strategy(KUHN, np.array(numbers))
    except RegretlessError:
        return
    for _, _, _, chosen, _ in strategy.decisions():
        assert min(chosen) >= 0
        assert sum(chosen) == pytest.approx(1, abs=1e-4)


def test_the_message_names_what_was_allowed():
    for calling, told in (
        (
            lambda: rl.three_players.correlated_equilibrium("rps", objective=[]),
            "objective=[]: must be a text",
        ),
        (
            lambda: rl.three_players.coarse_correlated_gap("kuhn", 5),
            "solver='kuhn': must be a Solver",
        ),
        (
            lambda: rl.histories.aivat(None, [0], {}),
            "game=None: must be a text, a Game or a GameTree",
        ),
        (lambda: rl.compare("kuhn", ["cfr"], iterations=1, listen=5), "listen=5: must be"),
    ):
        with pytest.raises(BadParameter) as found:
            calling()
        assert told in str(found.value)


def test_errors_of_a_users_own_code_stay_theirs():
    def listen(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        rl.solve("kuhn", iterations=1, listen=listen)
    with pytest.raises(TypeError, match="unexpected keyword"):
        rl.load("kuhn", no_such=1)


def test_public_functions_can_be_sent_to_other_processes():
    for name in FUNCTIONS:
        assert pickle.loads(pickle.dumps(PUBLIC[name])) is PUBLIC[name]
