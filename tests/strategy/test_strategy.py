"""Strategies from outside: checked where they enter, edited by label, written and read again."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.errors import BadFile, BadInput, BadParameter, RegretlessError, UnknownName
from regretless.forms.form import size
from regretless.kernels.treeplex import first_wrong
from regretless.strategy.strategy import SLACK, Strategy

KUHN = rl.sequence_form("kuhn")
FORMS = {
    "sequence": KUHN,
    "public": rl.forms.public_form("leduc"),
    "three players": rl.sequence_form("kuhn:players=3"),
}
PURE = {
    "Q:": {"check": 1},
    "K:": {"check": 1},
    "A:": {"bet": 1},
    "Q:cr": {"fold": 1},
    "K:cr": {"fold": 0.5, "call": 0.5},
    "A:cr": {"call": 1},
    "Q:c": {"check": 1},
    "K:c": {"check": 1},
    "A:c": {"bet": 1},
    "Q:r": {"fold": 1},
    "K:r": {"fold": 1},
    "A:r": {"call": 1},
}


def random_behaviour(form, seed):
    from regretless.forms.form import behaviour_of

    return behaviour_of(form, np.random.default_rng(seed).random(size(form)))


def twin(form, behaviour):
    """The slow twin of the kernel: is this a behaviour?"""
    for player in range(form.players):
        plex, root = form.treeplexes[player], form.blocks.roots[player]
        if not abs(behaviour[root] - 1) <= SLACK:
            return False
        for sequences in plex.sequences:
            chosen = [float(behaviour[root + s]) for s in sequences]
            if not (all(p >= 0 for p in chosen) and abs(sum(chosen) - 1) <= SLACK):
                return False
    return True


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(sorted(FORMS)), st.integers(0, 99), st.data())
def test_the_kernel_finds_what_its_twin_finds(name, seed, data):
    form = FORMS[name]
    behaviour = random_behaviour(form, seed)
    if data.draw(st.booleans()):
        place = data.draw(st.integers(0, size(form) - 1))
        values = [np.nan, np.inf, -np.inf, -1e-3, 0.0, 1.0, 2.0, behaviour[place] + 1e-7]
        behaviour[place] = data.draw(st.sampled_from(values))
    found = [first_wrong(form.blocks, i, behaviour, SLACK) for i in range(form.players)]
    assert (max(found) < 0) == twin(form, behaviour)


VECTORS = st.one_of(
    st.integers(0, 60).map(np.ones),
    st.lists(st.floats(), max_size=60),
    st.sampled_from(
        [
            None,
            5,
            "kuhn",
            np.ones(size(KUHN)),
            np.full(size(KUHN), np.nan),
            -np.ones(size(KUHN)),
            np.ones((size(KUHN), 1)),
            np.ones(size(KUHN), dtype=complex),
            np.array(["x"] * size(KUHN)),
            np.array([None] * size(KUHN)),
            2 * rl.Strategy.uniform("kuhn").behaviour,
            rl.Strategy.uniform("leduc").behaviour,
            [[1.0], [1.0, 2.0]],
        ]
    ),
)


@settings(max_examples=150, deadline=None)
@given(VECTORS)
def test_no_array_reaches_a_kernel_unchecked(vector):
    with pytest.raises(BadInput):
        Strategy(KUHN, vector)


@pytest.mark.parametrize(
    "use",
    [
        rl.evaluate,
        rl.exploitability,
        rl.expected_values,
        lambda strategy: rl.best_response(strategy, 1),
    ],
)
def test_what_was_changed_later_is_found_as_well(use):
    for value in (np.nan, -1.0, 2.0):
        strategy = Strategy.uniform(KUHN)
        strategy.behaviour[2] = value
        with pytest.raises(BadInput, match="sum to 1"):
            use(strategy)
    cut = Strategy.trusted(KUHN, np.ones(5))
    with pytest.raises(BadInput, match="26 sequences"):
        use(cut)


def test_vectors_of_other_kinds_are_taken_where_they_mean_something():
    pure = Strategy.from_dict("kuhn", PURE | {"K:cr": {"fold": 1}})
    whole = Strategy(KUHN, pure.behaviour.astype(int))
    assert whole == pure
    assert Strategy(KUHN, list(pure.behaviour)) == pure
    spaced = np.repeat(pure.behaviour, 2)[::2]
    assert Strategy(KUHN, spaced).behaviour.flags.c_contiguous
    swapped = pure.behaviour.astype(">f8")
    assert rl.evaluate(Strategy(KUHN, swapped)) == rl.evaluate(pure)
    assert Strategy(KUHN, pure.behaviour.astype(np.float32)).behaviour.dtype == np.float32


ARGUMENTS = st.one_of(
    st.none(), st.integers(-3, 3), st.floats(), st.text(max_size=5), st.booleans(), st.just([1])
)
CALLS = {
    "solve game": lambda x: rl.solve(x, iterations=1),
    "solve method": lambda x: rl.solve("kuhn", method=x, iterations=1),
    "solve target": lambda x: rl.solve("kuhn", target=x, iterations=1),
    "solve iterations": lambda x: rl.solve("kuhn", iterations=x, seconds=0.01),
    "solve seconds": lambda x: rl.solve("kuhn", seconds=x, iterations=1),
    "solve strategy": lambda x: rl.solve("kuhn", strategy=x, iterations=1),
    "solve form": lambda x: rl.solve("kuhn", form=x, iterations=1),
    "solve threads": lambda x: rl.solve("rps", threads=x, iterations=1),
    "solve seed": lambda x: rl.solve("kuhn", seed=x, iterations=1),
    "solve resume": lambda x: rl.solve(resume=x, iterations=1),
    "solve checkpoint": lambda x: rl.solve("kuhn", checkpoint_s=x, iterations=1),
    "form_of": lambda x: rl.forms.form_of(x),
    "load": rl.load,
    "load_strategy": rl.load_strategy,
    "evaluate": lambda x: rl.evaluate(x),
    "evaluate game": lambda x: rl.evaluate("kuhn", x),
    "best_response": lambda x: rl.best_response(Strategy.uniform(KUHN), x),
    "Strategy": lambda x: Strategy(x, np.ones(26)),
    "uniform": Strategy.uniform,
    "from_dict": lambda x: Strategy.from_dict("kuhn", x),
    "from_dict value": lambda x: Strategy.from_dict("kuhn", {"K:": x}, missing="uniform"),
    "from_dict number": lambda x: Strategy.from_dict("kuhn", {"K:": {"bet": x}}, missing="uniform"),
    "from_csv": lambda x: Strategy.from_csv("kuhn", x if isinstance(x, str) else "x"),
    "from_pandas": lambda x: Strategy.from_pandas("kuhn", x),
    "probabilities": Strategy.uniform(KUHN).probabilities,
    "player": lambda x: Strategy.uniform(KUHN).probabilities("K:", x),
    "edited": Strategy.uniform(KUHN).edited,
    "save": lambda x: Strategy.uniform(KUHN).save(x if not isinstance(x, str) else ""),
    "run": lambda x: list(rl.run(x, until=rl.Limits(iterations=1))),
    "until": lambda x: list(rl.run(rl.solver("cfr", KUHN), until=x)),
    "compare": lambda x: rl.compare("kuhn", x, iterations=1),
}


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=25, deadline=None)
@given(ARGUMENTS)
def test_wrong_arguments_are_errors_of_ours(name, argument):
    told = ""
    try:
        CALLS[name](argument)
    except RegretlessError as error:
        told = str(error)
    assert "\n" not in told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: rl.solve(5), "game=5: must be a name such as 'leduc', a Game, or a form"),
        (lambda: rl.solve("kuhn", target="x"), "target='x': must be a number"),
        (lambda: rl.solve("kuhn", iterations=1.5), "iterations=1.5: must be a whole number"),
        (lambda: rl.solve("kuhn", threads=0), "threads=0: must be 1 to 256"),
        (lambda: rl.solve("rps", threads=2), "threads=2: must be 1 for the sequence form of rps"),
        (lambda: rl.solve("kuhn", seed=-1), "seed=-1: must be 0 to"),
        (lambda: rl.solve("kuhn", method="lp", strategy="last"), "lp finds one strategy only"),
        (lambda: rl.solve("kuhn", checkpoint_s=3), "checkpoint interval: needs a file"),
        (lambda: rl.solve(KUHN, form="public"), "is a sequence form"),
        (lambda: rl.load("leduc:ranks=0"), "ranks=0: must be 1 to 13"),
        (lambda: rl.load("kuhn:ranks=0"), "ranks=0: must be 2 to 13"),
        (lambda: rl.evaluate(Strategy(KUHN, np.ones(5))), "kuhn has 26 sequences"),
        (lambda: rl.evaluate("kuhn"), "strategy=None: must be a Strategy"),
        (lambda: rl.evaluate(Strategy.uniform(KUHN), "kuhn"), "the game comes first"),
    ],
)
def test_messages_name_the_argument(call, told):
    with pytest.raises(RegretlessError) as found:
        call()
    assert told in str(found.value)


def test_a_strategy_out_of_a_dictionary():
    strategy = Strategy.from_dict("kuhn", PURE)
    assert strategy.probabilities("K:cr") == {"fold": 0.5, "call": 0.5}
    assert strategy.probabilities("A:") == {"check": 0, "bet": 1}
    assert rl.evaluate("kuhn", PURE) == rl.evaluate(strategy)
    assert Strategy.from_dict(KUHN, strategy.to_dict()) == strategy
    partly = Strategy.from_dict("kuhn", {"K:": {"bet": 1}}, missing="uniform")
    assert partly == Strategy.uniform("kuhn").edited({"K:": {"bet": 1}})
    rps = Strategy.from_dict("rps", {1: {"choose": {"rock": 1}}, 2: {"choose": {"paper": 1}}})
    assert rl.expected_values(rps) == (-1, 1)


@pytest.mark.parametrize(
    ("table", "kind", "told"),
    [
        ({"K:": {"bet": 1}}, BadInput, "11 decision points without probabilities, e.g. 'Q:'"),
        ({**PURE, "K:": {"bet": 1, "check": 1}}, BadInput, "at 'K:' are 1, 1: must be"),
        ({**PURE, "K:": {"bet": 2, "check": -1}}, BadInput, "must be ≥ 0 and sum to 1"),
        ({**PURE, "K:": {"bet": float("nan")}}, BadInput, "must be ≥ 0 and sum to 1"),
        ({**PURE, "K:": {"raise": 1}}, UnknownName, "unknown action at 'K:' 'raise'"),
        ({**PURE, "T:": {"bet": 1}}, UnknownName, "unknown decision point 'T:'"),
        ({3: PURE}, BadParameter, "player=3: must be 1 to 2"),
    ],
)
def test_dictionaries_that_are_no_strategies(table, kind, told):
    with pytest.raises(kind) as found:
        Strategy.from_dict("kuhn", table)
    assert told in str(found.value)


def test_labels_of_several_players_need_a_player():
    with pytest.raises(BadInput, match="belongs to players 1 and 2: say which"):
        Strategy.from_dict("rps", {"choose": {"rock": 1}})


@pytest.mark.parametrize("name", FORMS)
def test_tables_come_back_bit_for_bit(name, tmp_path):
    form = FORMS[name]
    strategy = Strategy(form, random_behaviour(form, 3))
    path = tmp_path / "x.csv"
    strategy.to_csv(path)
    assert Strategy.from_csv(form, path) == strategy
    assert Strategy.from_pandas(form, strategy.to_pandas()) == strategy
    assert Strategy.from_dict(form, strategy.to_dict()) == strategy
    saved = tmp_path / "x.strategy"
    strategy.save(saved)
    assert rl.load_strategy(saved) == strategy
    assert rl.evaluate(form.spec, saved) == rl.evaluate(strategy)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("decision,action\nK:,bet\n", "no column probability"),
        ("player,decision,action,probability\n1,K:,bet,much\n", "x.csv:2:"),
        ("player,decision,action,probability\nx,K:,bet,1\n", "x.csv:2:"),
        ("decision,action,probability\nK:,bet,1\nK:,bet,1\n", "x.csv:3:0: bet appears twice"),
        ("", "no column decision"),
        (b"\xff\xfe\x00", "not a CSV file"),
    ],
)
def test_csv_files_that_are_no_strategies(tmp_path, text, told):
    path = tmp_path / "x.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadFile) as found:
        Strategy.from_csv("kuhn", path)
    assert told in str(found.value)
    with pytest.raises(BadFile, match="no such file"):
        Strategy.from_csv("kuhn", tmp_path / "missing")


def test_equal_means_same_game_and_same_probabilities():
    one, two = Strategy.uniform("kuhn"), Strategy.uniform(rl.sequence_form("kuhn"))
    assert one == two
    assert hash(one) == hash(two)
    assert one != one.edited({"K:": {"bet": 1}})
    assert one != Strategy.uniform("kuhn:bet=2")
    assert one != "kuhn"


def test_people_can_read_them():
    strategy = Strategy.uniform("leduc")
    assert repr(strategy) == "Strategy('leduc', 144 + 144 decision points)"
    lines = str(strategy).splitlines()
    assert len(lines) == 33
    assert "check 0.5000  bet 0.5000" in lines[2]
    assert lines[-1] == "… 258 more"
    assert "<td>check 0.5000  bet 0.5000</td>" in strategy._repr_html_()
    found = rl.evaluate(strategy)
    assert "exploitability 2.37" in str(found)
    assert ">best response</th>" in found._repr_html_()
    game = rl.load("kuhn")
    assert str(game) == "kuhn: Kuhn poker, 2 players, 3 cards"
    assert "<td>Kuhn poker, 2 players, 3 cards</td>" in game._repr_html_()


def test_another_form_of_the_same_game_is_evaluated_by_label():
    public = rl.solve("leduc", form="public", iterations=50).strategy
    there = rl.evaluate(rl.sequence_form("leduc"), public)
    assert there.values == pytest.approx(rl.evaluate(public).values, abs=1e-12)


EVEN = """NFG 1 R "All alike" { "A" "B" } { 3 2 }
7 7 7 7 7 7 7 7 7 7 7 7
"""


def test_of_equally_good_answers_the_first_is_taken(tmp_path):
    path = tmp_path / "even.nfg"
    path.write_text(EVEN)
    strategy = Strategy.uniform(str(path))
    for player in (1, 2):
        value, answer = rl.best_response(strategy, player)
        assert value == pytest.approx(7)
        (label,) = answer.to_dict()[player]
        assert next(iter(answer.probabilities(label, player).values())) == 1


@pytest.mark.parametrize("build", [rl.sequence_form, rl.forms.public_form])
def test_on_both_forms_the_first_answer_wins_a_tie(build):
    """Against a player who folds to every bet and bets every hand, calling and folding with the
    best card differ; with no money in the pot nothing does: then the first action is taken."""
    form = build("kuhn:ante=0")
    folds = {f"{card}:{after}": {"fold": 1} for card in "QKA" for after in ("r", "cr")}
    checks = {f"{card}:{after}": {"check": 1} for card in "QKA" for after in ("", "c")}
    strategy = Strategy.from_dict(form, folds | checks)
    for player in (1, 2):
        value, answer = rl.best_response(strategy, player)
        assert value == 0
        for actions in answer.to_dict()[player].values():
            chosen = list(actions.values())
            if "check" in actions:  # nobody ever pays: check and bet both earn nothing
                assert chosen == [1.0, 0.0]


def test_typed_probabilities_are_scaled_to_sum_to_one():
    typed = {"K:": {"check": 0.3333333, "bet": 0.6666666}}
    made = rl.Strategy.uniform("kuhn").edited(typed)
    found = made.probabilities("K:")
    assert sum(found.values()) == pytest.approx(1, abs=1e-15)
    assert found["check"] == pytest.approx(1 / 3, abs=1e-7)
