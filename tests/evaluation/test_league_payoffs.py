"""Leagues: computed against recursion over states, played against a slow twin."""

from itertools import product

import numpy as np
import pytest
from brute_force import random_strategy, seating_values, slow_hands
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import random_games

import regretless as rl
from regretless.core.errors import BadInput, BadParameter, TooLarge, UnknownName, WrongGame
from regretless.evaluation import payoffs as module
from regretless.evaluation.entrants import entrants, simple
from regretless.evaluation.league import league, unit_of
from regretless.evaluation.payoffs import Payoffs, computed, played
from regretless.evaluation.seatings import Mix, Seatings
from regretless.evaluation.statistics import CONFIDENCE_95, batch_error
from regretless.forms.form import own
from regretless.forms.tree import game_tree
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.kernels import sampling

GAMES = ["kuhn", "kuhn:players=3", "leduc:ranks=2", "liars_dice:faces=2", "battle_of_the_sexes"]


def some(form, count, seed=0):
    return [random_strategy(form, seed + i, pure=0.2 * (i % 2)) for i in range(count)]


@pytest.mark.parametrize("spec", ["kuhn:players=3", "leduc:ranks=2", "prisoners_dilemma"])
def test_computed_is_what_recursion_finds(spec):
    game = rl.load(spec)
    form = rl.sequence_form(game)
    strategies = some(form, 3)
    found = computed(form, [s.behaviour for s in strategies], Seatings(3, game.players, True).all)
    slow = seating_values(game, form, strategies)
    assert np.allclose(found.means, [slow[places] for places in slow], rtol=0, atol=1e-12)


@given(random_games(), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_computed_on_random_games(game, seed):
    form = rl.sequence_form(game)
    strategies = some(form, 2, seed)
    found = computed(form, [s.behaviour for s in strategies], Seatings(2, game.players, True).all)
    slow = seating_values(game, form, strategies)
    assert np.allclose(found.means, [slow[places] for places in slow], rtol=0, atol=1e-10)


@pytest.mark.parametrize("spec", GAMES)
def test_kernel_plays_like_its_slow_twin(spec):
    game = rl.load(spec)
    tree = game_tree(game)
    strategies = some(tree.form, 2)
    seatings = Seatings(2, game.players, True).all
    found = played(tree, [s.behaviour for s in strategies], seatings, deals=60, seed=7)
    slow = slow_hands(game, strategies, seatings, 7, 60)
    assert np.array_equal(found.sums, slow)  # 60 batches of one hand
    assert np.allclose(found.squares, (slow**2).sum(axis=0))


@pytest.mark.parametrize("count", [1, 2, 8, 9, 10, 17, 40])
def test_few_and_many_options_are_chosen_alike(count):
    """Running sums, with some options of probability 0: the first sum above the number."""
    parts = np.arange(count) % 3 * 1.0 + (np.arange(count) == 0)
    sums = np.cumsum(parts) / parts.sum()
    numbers = np.concatenate([[0.0], sums[:-1], np.random.default_rng(count).random(50)])
    for u in numbers[numbers < 1]:
        wanted = min(np.searchsorted(sums, u, side="right"), count - 1)
        assert sampling.chosen(np.append(9.0, sums), 1, count, u) == wanted


def test_recorded_terminals_are_those_of_played_hands():
    tree = game_tree("kuhn")
    choices = tree.running_sums(some(tree.form, 1)[0].behaviour)[None]
    seating, bounds = np.zeros(2, dtype=np.int32), np.arange(41)
    ends, late = np.empty(40, np.int64), np.empty(15, np.int64)
    sampling.play_terminals(tree.tree, choices, seating, 5, 0, ends)
    sampling.play_terminals(tree.tree, choices, seating, 5, 25, late)
    sums, squares = np.zeros((2, 40, 1, 2))
    sampling.play_batches(tree.tree, choices, seating[None], 5, bounds, sums, squares)
    assert np.array_equal(tree.tree.payoffs[ends], sums[:, 0])
    assert np.array_equal(ends[25:], late)


def test_terminals_are_those_of_the_sequence_form():
    tree = game_tree("leduc")
    plan = tree.chance.copy()
    for node in range(1, len(plan)):
        plan[node] *= plan[tree.parents[node]]
    assert np.allclose(plan[tree.ends], tree.form.chance)
    assert tree.tree.nodes[:, 2].sum() == len(plan) - 1
    first = tree.tree.nodes[tree.parents[1:], 1]
    offset = np.arange(1, len(plan)) - first
    assert ((offset >= 0) & (offset < tree.tree.nodes[tree.parents[1:], 2])).all()


def test_result_does_not_depend_on_chunks(monkeypatch):
    tree = game_tree("kuhn:players=3")
    behaviours = [s.behaviour for s in some(tree.form, 2)]
    seatings = Seatings(2, 3, True).all
    one = played(tree, behaviours, seatings, deals=5000, seed=3)
    monkeypatch.setattr(module, "CHUNK_S", 0.0)  # one batch a call
    two = played(tree, behaviours, seatings, deals=5000, seed=3)
    assert np.array_equal(one.sums, two.sums)
    assert np.array_equal(one.squares, two.squares)
    other = played(tree, behaviours, seatings, deals=5000, seed=4)
    assert not np.array_equal(one.sums, other.sums)


def test_all_seatings_play_the_same_deal():
    """Two that always call turn over the same cards: winner and loser change places."""
    found = league("leduc", ["always-call", "random"], hands=500, duplicates=True)
    calls = found.payoffs.sums[:, 0]
    assert (calls[:, 0] != 0).any()
    cell = found.against("always-call", "always-call")
    assert cell.half_width == 0.0 < cell.plain


@pytest.mark.parametrize(
    ("spec", "duplicates"), [("kuhn:players=3", True), ("leduc", False), ("leduc", True)]
)
def test_played_agrees_with_computed(spec, duplicates):
    names = ["random", "always-call", "aggressive"]
    exact = league(spec, names, duplicates=duplicates)
    sampled = league(spec, names, duplicates=duplicates, hands=50_000, seed=1)
    pairs = []
    for rest, row in exact.cross.items():
        pairs += [(cell, sampled.cross[rest][name]) for name, cell in row.items()]
    for name in names:
        pairs += zip(exact.positions[name], sampled.positions[name], strict=True)
    for order, cells in exact.orders.items():
        pairs += zip(cells, sampled.orders[order], strict=True)
    pairs += [(exact.overall[name], sampled.overall[name]) for name in names]
    off = [abs(a.mean - b.mean) / b.half_width for a, b in pairs if b.half_width > 1e-9]
    assert max(off) < 2.5  # five standard errors
    assert np.mean(np.array(off) < 1) > 0.7
    assert all(abs(a.mean - b.mean) < 1e-9 for a, b in pairs if b.half_width <= 1e-9)


def test_intervals_cover_as_often_as_they_say():
    exact = league("kuhn", ["random", "aggressive"]).against("aggressive", "random").mean
    hits = 0
    for seed in range(200):
        found = league("kuhn", ["random", "aggressive"], hands=400, seed=seed)
        cell = found.against("aggressive", "random")
        hits += abs(cell.mean - exact) <= cell.half_width
    assert 180 <= hits <= 198


@pytest.mark.parametrize("hands", [None, 2000])
def test_positions_sum_to_zero(hands):
    found = league("kuhn:players=3", ["random", "always-call", "aggressive"], hands=hands)
    assert np.allclose(found.payoffs.means.sum(axis=1), 0, atol=1e-12)
    for cells in found.orders.values():
        assert sum(cell.mean for cell in cells) == pytest.approx(0, abs=1e-9)
    two = league("leduc", ["random", "aggressive"], hands=hands)
    assert sum(cell.mean for cell in two.overall.values()) == pytest.approx(0, abs=1e-9)


def test_tables_are_means_over_seatings():
    game = rl.load("kuhn:players=3")
    form = rl.sequence_form(game)
    strategies = dict(zip("abc", some(form, 3), strict=True))
    found = league(game, strategies)
    slow = {
        tuple("abc"[i] for i in places): np.array(values) * 1000
        for places, values in seating_values(game, form, list(strategies.values())).items()
    }
    both = ("abc", "acb", "bac", "bca", "cab", "cba")
    mean = np.mean([slow[tuple(s)][s.index("a")] for s in both])
    assert found.against("a", "c", "b").mean == pytest.approx(mean)
    assert found.cross["b", "c"]["a"].mean == pytest.approx(mean)
    turns = ("acb", "cba", "bac")
    for seat, name in enumerate("acb"):
        mean = np.mean([slow[tuple(s)][s.index(name)] for s in turns])
        assert found.orders["a", "c", "b"][seat].mean == pytest.approx(mean)
    twice = [slow[tuple(s)][i] for s in ("aab", "aba", "baa") for i in range(3) if s[i] == "a"]
    assert found.against("a", "a", "b").mean == pytest.approx(np.mean(twice))
    second = [
        np.mean([slow[s][1] for s in {(x, "a", y), (y, "a", x)}])
        for x, y in ["aa", "ab", "ac", "bb", "bc", "cc"]
    ]
    assert found.positions["a"][1].mean == pytest.approx(np.mean(second))
    for name in "abc":
        overall = found.overall[name].mean
        assert overall == pytest.approx(np.mean([c.mean for c in found.positions[name]]))
        column = [row[name].mean for row in found.cross.values()]
        assert overall == pytest.approx(np.mean(column))


def test_orders_are_cyclic():
    assert Seatings(3, 3, False).orders() == [(0, 1, 2), (0, 2, 1)]
    assert len(Seatings(4, 4, False).orders()) == 6
    assert len(Seatings(6, 3, True).orders()) == 76
    assert Seatings(2, 2, True).orders() == [(0, 0), (0, 1), (1, 1)]
    for places in product(range(2), repeat=4):
        turned = [places[i:] + places[:i] for i in range(4)]
        assert sum(t in Seatings(2, 4, True).orders() for t in set(turned)) == 1


def test_units():
    assert unit_of(rl.load("leduc:ante=2"))[::2] == ("ma/h", 500.0)
    assert unit_of(rl.load("holdem_limit"))[::2] == ("mbb/h", 100.0)
    assert unit_of(rl.load("rps"))[::2] == ("chips/h", 1.0)
    found = league("leduc:ante=2,bets=4/8", ["random", "aggressive"])
    assert found.against("aggressive", "random").mean == pytest.approx(
        league("leduc", ["random", "aggressive"]).against("aggressive", "random").mean
    )


def test_simple_strategies_follow_their_names():
    game = rl.load("leduc")
    form = rl.sequence_form(game)
    assert simple("always-call", form, game).probabilities("Q:cr") == {
        "fold": 0.0,
        "call": 1.0,
        "raise": 0.0,
    }
    assert simple("aggressive", form, game).probabilities("Q:cr")["raise"] == 1.0
    assert simple("aggressive", form, game).probabilities("Q:rr")["call"] == 1.0
    for name in ("always-call", "aggressive"):
        simple(name, form, game).check()


def test_aggressive_raises_by_the_pot(tmp_path):
    text = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 1
stack = 8 8
blind = 1 2
firstPlayer = 1
numSuits = 1
numRanks = 3
numHoleCards = 1
numBoardCards = 0
END GAMEDEF
"""
    path = tmp_path / "tiny.game"
    path.write_text(text)
    game = rl.load(str(path))
    strategy = simple("aggressive", rl.sequence_form(game), game)
    assert strategy.probabilities("A:")["raise 6"] == 1.0
    assert strategy.probabilities("A:r6")["raise 8"] == 1.0


def test_public_and_sequence_forms_meet(tmp_path):
    rl.solve("leduc", form="public", iterations=20, out=tmp_path / "public.strategy")
    rl.solve("leduc", form="sequence", iterations=20, out=tmp_path / "plain.strategy")
    files = [tmp_path / "public.strategy", tmp_path / "plain.strategy"]
    exact = league("leduc", files)
    assert exact.names == ("public", "plain")
    sampled = league("leduc", files, hands=100)
    assert sampled.names == exact.names
    form, found = entrants(rl.load("leduc"), files, explicit=True)
    public = found["public"]
    assert public.form is form
    saved = rl.load_strategy(files[0])
    assert rl.expected_values(public) == pytest.approx(rl.expected_values(saved), abs=1e-9)
    one = public.probabilities("K/Q:cc/", 1)
    assert one == pytest.approx(saved.probabilities("K/Q:cc/", 1))


def test_interrupted_play_keeps_what_is_done():
    count = 0

    def stop(_):
        nonlocal count
        count += 1
        if count == 7:  # building, and some batches
            raise KeyboardInterrupt

    names = ["random", "aggressive"]
    found = league("kuhn", names, hands=20_000, listen=stop)
    assert found.interrupted
    assert 0 < found.payoffs.deals < 20_000
    assert found.facts()["interrupted"]
    assert "interrupted" in found.markdown()
    whole = league("kuhn", names, hands=20_000)
    done = len(found.payoffs.sizes)
    assert np.array_equal(found.payoffs.sums, whole.payoffs.sums[:done])


def test_bad_input(tmp_path):
    with pytest.raises(BadInput, match="strategies for 2 players: got 1, must be 2 or more"):
        league("kuhn", ["random"])
    with pytest.raises(BadInput, match="must be 3 or more without duplicates"):
        league("kuhn:players=3", ["random", "aggressive"], duplicates=False)
    with pytest.raises(UnknownName, match="did you mean random"):
        league("kuhn", ["random", "rnadom"])
    with pytest.raises(BadInput, match="given twice"):
        league("kuhn", ["random", "random"])
    with pytest.raises(BadInput, match="expected one of raise, bet, call, check"):
        league("rps", ["random", "aggressive"])
    rl.solve("leduc", iterations=5, out=tmp_path / "x.strategy")
    with pytest.raises(WrongGame, match="made for game leduc"):
        league("kuhn", ["random", tmp_path / "x.strategy"])
    foreign = rl.Strategy.uniform(rl.sequence_form("kuhn:ante=2"))
    with pytest.raises(WrongGame):
        league("kuhn", {"a": "random", "b": foreign})
    with pytest.raises(BadParameter, match="hands=1"):
        league("kuhn", ["random", "aggressive"], hands=1)
    with pytest.raises(BadParameter, match="seed"):
        league("kuhn", ["random", "aggressive"], hands=10, seed=-1)
    with pytest.raises(TooLarge, match=r"6,705,372,545 nodes.*2,000,000"):
        league("rhode_island", ["random", "aggressive"], hands=10)
    with pytest.raises(TooLarge, match="seatings"):
        Seatings(200, 2, True)


# --- units and errors


def test_payoffs_are_told_in_thousandths_of_the_big_blind():
    """The same game with all chips four times as many: other chips, the same league."""
    found = {}
    for chip in (1, 4):
        rules = PokerRules(
            players=2,
            ranks=3,
            suits=1,
            hole=1,
            board=(0,),
            blinds=(1 * chip, 2 * chip),
            first=(0,),
            caps=(2,),
            raises=(2 * chip,),
        )
        game = poker_game(f"blinds of {chip}", rules)
        cell = league(game, ["random", "always-call"]).against("random", "always-call")
        form = rl.sequence_form(game)
        strategies = [simple(name, form, game) for name in ("random", "always-call")]
        chips = [
            rl.expected_values(rl.Strategy(form, joined(form, first, second)))[position]
            for position, (first, second) in enumerate([strategies, strategies[::-1]])
        ]
        assert cell.mean == pytest.approx(1000 * sum(chips) / 2 / (2 * chip))
        found[chip] = cell.mean
    assert found[1] == pytest.approx(found[4])
    assert found[1] != 0


def joined(form, first, second):
    """The behaviour of the first player of one strategy and the second of another."""
    whole = first.behaviour.copy()
    whole[own(form, 1)] = second.behaviour[own(form, 1)]
    return whole


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_error_of_few_batches_is_that_of_the_textbook(count):
    """s / sqrt(n) with n - 1 in the variance, which matters where n is small."""
    rng = np.random.default_rng(count)
    sizes = np.full(count, 7)
    sums = rng.normal(size=(count, 4))
    means = sums / 7
    expected = means.std(axis=0, ddof=1) / np.sqrt(count)
    assert batch_error(sums, sizes) == pytest.approx(expected)


def test_the_error_of_batches_is_unbiased():
    """Over many leagues of three batches, the mean square is the true variance of the mean."""
    rng = np.random.default_rng(5)
    sums = rng.normal(scale=np.sqrt(10), size=(3, 20_000))  # of 10 hands with variance 1
    errors = batch_error(sums, np.full(3, 10))
    assert np.mean(errors**2) == pytest.approx(1 / 30, rel=0.03)


def test_a_place_that_counts_twice_is_one_sample():
    won = np.array([1.0, -2.0, 4.0, 0.5, 0.0])
    sums, squares = won[:, None, None], np.array([[won @ won]])
    made = Payoffs(np.array([[won.mean()]]), np.ones(5, np.int64), sums, squares)
    cell = made.mean(Mix(np.array([0, 0]), np.array([0.5, 0.5])))
    half = CONFIDENCE_95 * won.std(ddof=1) / 5**0.5
    assert cell == pytest.approx((won.mean(), half, half))
