"""Maps, abstract forms and lifting, against games whose players see cells instead of cards."""

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._maps import CardMap, Deals, PointMap
from regretless.core.errors import BadInput, ImperfectRecall, Unsuitable, WrongGame
from regretless.forms.form import own
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import sequence_form
from regretless.games._poker import PokerState
from regretless.runs.solve import solve


class CellState(PokerState):
    """Poker whose players see a cell instead of hand and board."""

    __slots__ = ()
    seen: ClassVar = None  # function of player and view

    def view(self, player):
        return type(self).seen(player, super().view(player))

    def child(self, index):
        below = super().child(index)
        return type(self)(below.deck, below.betting, below.holes, below.boards, below.left)


def seen_by(game, abstraction):
    """The slow twin: the game itself, walked with views that name cells."""
    deals = abstraction.deals

    def seen(player, label):
        mine = abstraction.maps[player]
        cards, _, betting = label.partition(":")
        if mine is None:
            return label
        round, lane = deals.find(player, cards)
        return f"{mine.rows[round][lane]}:{betting}"

    kind = type("Abstract", (CellState,), {"seen": staticmethod(seen), "__slots__": ()})
    root = game.root
    first = kind(root.deck, root.betting, root.holes, root.boards, root.left)
    return sequence_form(replace(game, root=first, count=None))


def random_map(deals, player, rng, *, recall):
    """Random cells; with recall a cell knows the cell of the round before."""
    counts, rows = [], []
    for round in deals.rounds:
        cells = rng.integers(0, 3, deals.count(player, round))
        if recall and round:
            cells += 3 * rows[-1][deals.above(player, round)]
        _, numbers = np.unique(cells, return_inverse=True)
        counts.append(int(numbers.max()) + 1)
        rows.append(numbers.astype(np.int32))
    return CardMap(tuple(counts), tuple(rows))


def random_abstraction(form, rng, *, recall=True, players=(0, 1)):
    deals = Deals(form)
    maps = [
        random_map(deals, player, rng, recall=recall) if player in players else None
        for player in range(form.players)
    ]
    return Abstraction(form, tuple(maps), "random")


def random_strategy(form, rng):
    behaviour = rng.random(sum(form.sizes.sequences))
    for player in range(form.players):
        part = behaviour[own(form, player)]
        part[0] = 1
        for point in form.points(player):
            part[point.sequences] /= part[point.sequences].sum()
    return rl.Strategy(form, behaviour)


GAMES = [
    "kuhn:ranks=5",
    "leduc:ranks=4",
    "leduc:suits_distinct=true",
    "rhode_island:ranks=3,suits=2,cap=1",
]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("players", [(0, 1), (1,)])
def test_the_abstract_game_is_the_game_whose_players_see_cells(spec, players):
    rng = np.random.default_rng(len(spec))
    game = rl.load(spec)
    abstraction = random_abstraction(sequence_form(game), rng, players=players)
    form, twin = abstraction.form(), seen_by(game, abstraction)
    assert form.sizes.decision_points == twin.sizes.decision_points
    assert form.sizes.sequences == twin.sizes.sequences
    assert form.chance.sum() == pytest.approx(twin.chance.sum())
    assert form.zero_sum
    value = solve(form, method="lp").values[0]
    assert value == pytest.approx(solve(twin, method="lp").values[0], abs=1e-9)


@pytest.mark.parametrize("spec", [*GAMES, "leduc:players=3,cap=1"])
def test_a_lifted_strategy_earns_the_same(spec):
    rng = np.random.default_rng(7)
    full = sequence_form(rl.load(spec))
    abstraction = random_abstraction(full, rng, players=range(full.players))
    strategy = random_strategy(abstraction.form(), rng)
    lifted = abstraction.lift(strategy)
    lifted.check()
    assert lifted.form is full
    here, there = rl.evaluate(strategy), rl.evaluate(lifted)
    assert there.values == pytest.approx(here.values, abs=1e-12)
    # Whoever sees more can respond better.
    assert all(
        b >= a - 1e-12 for a, b in zip(here.best_responses, there.best_responses, strict=True)
    )


@pytest.mark.parametrize("spec", GAMES)
def test_imperfect_recall_of_poker_is_solved_with_shared_cells(spec):
    rng = np.random.default_rng(3)
    game = rl.load(spec)
    full = sequence_form(game)
    deals = Deals(full)
    forgets = random_map(deals, 1, rng, recall=False)
    abstraction = Abstraction(full, (None, forgets), "random")
    if spec.startswith("kuhn"):
        assert abstraction.has_perfect_recall
        return
    assert isinstance(abstraction.form(), PublicForm)
    assert not abstraction.has_perfect_recall
    strategy = random_strategy(abstraction.form(), rng)
    for form in (full, public_form(game)):
        same = Abstraction(form, (None, forgets), "random")
        lifted = same.lift(rl.Strategy(same.form(), strategy.behaviour))
        lifted.check()
        found = rl.evaluate(lifted)
        assert found.values == pytest.approx(rl.evaluate(strategy).values, abs=1e-12)
        # Hands act one by one in a best response, so it is that of the full game.
        best = rl.evaluate(strategy).best_responses
        assert found.best_responses == pytest.approx(best, abs=1e-12)


def test_a_public_form_and_a_sequence_form_are_lifted_alike():
    rng = np.random.default_rng(11)
    game = rl.load("rhode_island:ranks=3,suits=2,cap=1")
    full, wide = sequence_form(game), public_form(game)
    maps = random_abstraction(full, rng).maps
    narrow = Abstraction(full, maps, "random")
    shared = Abstraction(wide, maps, "random")
    strategy = random_strategy(narrow.form(), rng)
    table = narrow.lift(strategy)
    lifted = shared.lift(rl.Strategy(shared.form(), same_play(shared, table)))
    for player in (0, 1):
        for point in list(wide.points(player))[::17]:
            here = lifted.at_point(player, point)
            assert here == pytest.approx(table.probabilities(point.label, player + 1))


def same_play(shared, table):
    """The behaviour of shared cells that a strategy of the full game has there."""
    form = shared.form()
    behaviour = np.ones(sum(form.sizes.sequences))
    for player in (0, 1):
        part = behaviour[own(form, player)]
        for point in shared.full.points(player):
            there = form.find(player, point.label)
            chosen = table.probabilities(point.label, player + 1)
            part[there.sequences] = [chosen[name] for name in point.actions]
    return behaviour


def test_actions_can_be_left_out():
    full = sequence_form("rps")
    plex = full.treeplexes[0]
    kept = np.ones(plex.size, bool)
    kept[plex.sequences[0][0]] = False  # no rock
    abstraction = Abstraction(full, (PointMap(np.zeros(1, np.int32), kept), None))
    assert abstraction.form().sizes.sequences == (3, 4)
    solution = solve(full, abstraction=abstraction, method="lp")
    assert solution.details["abstraction"]["values"][0] == pytest.approx(-1 / 3)
    assert solution.strategy.probabilities(plex.labels[0], 1)["rock"] == 0
    assert solution.exploitability > 0.1


def test_what_lies_below_an_action_that_is_left_out_is_left_out():
    full = sequence_form("leduc")
    abstraction = rl.abstraction.load_abstraction(
        write_map({"without": {":": ["bet"]}}, None), game=full
    )
    form = abstraction.form()
    assert not any(
        label.endswith((":r", ":rr", "/")) and ":r" in label for label in form.treeplexes[0].labels
    )
    assert form.sizes.decision_points[1] == full.sizes.decision_points[1]
    rng = np.random.default_rng(5)
    strategy = random_strategy(form, rng)
    lifted = abstraction.lift(strategy)
    lifted.check()
    assert rl.evaluate(lifted).values == pytest.approx(rl.evaluate(strategy).values, abs=1e-12)


def test_abstractions_compose():
    full = sequence_form("leduc:ranks=4")
    first = rl.abstract(full, "2.3.45")
    middle = first.form()
    # Merge the first two groups where they have the same past: by betting and pairing.
    second = Abstraction(middle, tuple(merge_by_betting(middle, p) for p in (0, 1)), "merge")
    both = first.then(second)
    assert both.form().sizes == second.form().sizes
    strategy = random_strategy(second.form(), np.random.default_rng(1))
    once = first.lift(second.lift(strategy))
    at_once = both.lift(rl.Strategy(both.form(), strategy.behaviour))
    assert np.allclose(once.behaviour, at_once.behaviour)
    with pytest.raises(WrongGame, match=r"abstraction of leduc:ranks=4: must be one of"):
        first.then(first)


def merge_by_betting(form, player):
    labels = form.treeplexes[player].labels
    known = {}
    keys = []
    for label in labels:
        cards, _, betting = label.partition(":")
        pairs = {h == b for h, b in (c.split("/") for c in cards.split("|") if "/" in c)}
        keys.append((cards.startswith("5"), betting, str(sorted(pairs))))
    return PointMap(np.array([known.setdefault(k, len(known)) for k in keys], np.int32))


def write_map(*players, game="leduc", path=None, **more):
    from tempfile import mkstemp

    path = path or mkstemp(suffix=".json")[1]
    about = {"format": "regretless abstraction 1", "game": game, "players": list(players), **more}
    Path(path).write_text(json.dumps(about))
    return path


PAIRS = {"Q": "low", "K": "low", "A": 1}
SECOND = {f"{h}/{b}": f"{PAIRS[h]}{h == b}" for h in "QKA" for b in "QKA"}


def test_a_map_by_hand_is_the_partition_that_it_spells_out():
    abstraction = rl.abstraction.load_abstraction(write_map({"cards": [PAIRS, SECOND]}, None))
    assert abstraction.form().sizes == rl.abstract("leduc", "QK.A-full").form().sizes
    same = rl.abstract("leduc", "JQ.K-full").form()
    assert solve(abstraction.form(), method="lp").values == pytest.approx(
        solve(same, method="lp").values
    )


@pytest.mark.parametrize("by", ["JQ.K-J.QK", "full-J.Q.K", "full"])
def test_a_saved_abstraction_is_the_same_when_it_is_read(tmp_path, by):
    abstraction = rl.abstract("leduc", by)
    abstraction.save(tmp_path / "a.json")
    again = rl.abstraction.load_abstraction(tmp_path / "a.json")
    assert again.by == by
    assert again.form().fingerprint() == abstraction.form().fingerprint()
    again.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_actions_left_out_are_saved(tmp_path):
    first = rl.abstraction.load_abstraction(
        write_map(None, {"without": {"K:r": ["raise", "fold"]}})
    )
    first.save(tmp_path / "a.json")
    assert (
        rl.abstraction.load_abstraction(tmp_path / "a.json").form().fingerprint()
        == first.form().fingerprint()
    )


BAD_MAPS = {
    "no cell": ({"cards": [{"Q": 0, "K": 0}, SECOND]}, r"map of player 1: 'A' has no cell"),
    "no card": ({"cards": [{**PAIRS, "J": 0}, SECOND]}, r"card 'J' in 'J'"),
    "wrong round": ({"cards": [{**PAIRS, "K/Q": 0}, SECOND]}, r"'K/Q' belongs to round 2"),
    "rounds": ({"cards": [PAIRS]}, r"cards must be a list of 2 rounds"),
    "kind": ({"cards": [{**PAIRS, "A": [1]}, SECOND]}, r"cell \[1\] of 'A' must be a number"),
    "object": ([1], r"must be null or an object of cards, points and without"),
    "both": ({"cards": [PAIRS, SECOND], "without": {}}, r"cannot be combined"),
    "label": ({"points": {"X:": 0}}, r"no decision point 'X:' in leduc"),
    "missing": ({"points": {"Q:": 0}}, r"decision point 'K:' has no cell"),
    "action": ({"without": {"K:": ["jump"]}}, r"no action 'jump' at 'K:'; expected one of"),
    "nowhere": ({"without": {"K:xx": ["call"]}}, r"no decision point 'K:xx' in leduc"),
    "list": ({"without": {"K:": "call"}}, r"must list actions, such as \['bet'\]"),
}


@pytest.mark.parametrize("name", BAD_MAPS)
def test_a_bad_map_is_refused_and_names_the_place(name):
    given, message = BAD_MAPS[name]
    with pytest.raises(BadInput, match=message):
        rl.abstraction.load_abstraction(write_map(given, None))


def test_bad_files_are_refused(tmp_path):
    path = tmp_path / "m.json"
    for text, message in [
        ("{", r"m.json:1:2: not JSON"),
        ("[]", r"not an abstraction: format is None"),
        ('{"format": "regretless abstraction 1"}', r"has no game"),
        ('{"format": "regretless abstraction 1", "game": "leduc"}', r"has no players"),
    ]:
        path.write_text(text)
        with pytest.raises(BadInput, match=message):
            rl.abstraction.load_abstraction(path)
    with pytest.raises(BadInput, match="no such file"):
        rl.abstraction.load_abstraction(tmp_path / "none.json")
    with pytest.raises(BadInput, match="players: got 1, leduc has 2"):
        rl.abstraction.load_abstraction(write_map(None))


def test_a_map_of_another_game_is_refused(tmp_path):
    rl.abstract("leduc", "JQ.K").save(tmp_path / "a.json")
    with pytest.raises(WrongGame, match=r"made for game leduc, does not fit game leduc:ranks=4"):
        solve("leduc:ranks=4", abstraction=tmp_path / "a.json")
    with pytest.raises(WrongGame, match=r"made for game leduc, does not fit game kuhn"):
        rl.abstraction.load_abstraction(write_map(None, None), game="kuhn")
    other = rl.abstract("leduc:ranks=4", "2.3.45")
    with pytest.raises(WrongGame, match=r"abstraction of leduc:ranks=4: does not fit game leduc"):
        solve("leduc", abstraction=other)
    with pytest.raises(WrongGame, match=r"strategy of leduc: must be one of"):
        other.lift(rl.Strategy.uniform("leduc"))


def test_cells_of_different_actions_are_refused():
    full = sequence_form("leduc")
    cells = np.zeros(full.sizes.decision_points[0], np.int32)
    with pytest.raises(
        BadInput, match=r"player 1 at '.*' and '.*' share a cell but have different"
    ):
        Abstraction(full, (PointMap(cells), None)).form()


def test_imperfect_recall_of_other_games_is_refused_and_names_the_place():
    full = sequence_form("goofspiel:cards=3")
    plex = full.treeplexes[0]
    known = {}
    cells = np.array([known.setdefault(a, len(known)) for a in plex.actions], np.int32)
    with pytest.raises(
        ImperfectRecall, match=r"player 1 at '.*' and '.*' share a cell but have different pasts"
    ):
        Abstraction(full, (PointMap(cells), None)).form()


def test_partitions_are_checked():
    for text, message in [
        ("JQ.K-J.QK-JQK", "has 3 parts, must be one or 2"),
        ("JQ.KA", "must name 3 different ranks, such as Q.K.A"),
        ("JQ.QK", "must name 3 different ranks"),
    ]:
        with pytest.raises(BadInput, match=message):
            rl.abstract("leduc", text)
    with pytest.raises(Unsuitable, match="not a poker game"):
        rl.abstract("rps", "JQ.K")
    with pytest.raises(BadInput, match="unknown abstraction 'foo'"):
        rl.abstract("leduc", "foo")


def test_what_a_partition_shows_after_the_board():
    form = rl.abstract("leduc", "JQ.K").form()
    labels = form.treeplexes[0].labels
    assert "Q|K:" in labels
    assert "A:" in labels
    assert "Q/Q|K/K:cc/" in labels  # pairs look alike,
    assert "Q/K|Q/A|K/Q|K/A:cc/" in labels  # and so do all other boards
    assert rl.abstract("leduc", "J.Q.K").classes == ((3, 6), (3, 6))
    assert rl.abstract("leduc", "JQK-full").classes == ((1, 2), (3, 9))


def test_solving_an_abstraction_can_be_resumed(tmp_path):
    path = tmp_path / "x.strategy"
    whole = solve("leduc", abstraction="JQ.K-J.QK", iterations=64)
    solve("leduc", abstraction="JQ.K-J.QK", iterations=32, out=path)
    with pytest.raises(BadInput, match=r"was made in the abstraction JQ.K-J.QK: name that one"):
        solve(resume=path, iterations=64)
    with pytest.raises(BadInput, match=r"was made in the abstraction JQ.K-J.QK: name that one"):
        solve(resume=path, abstraction="JQ.K", iterations=64)
    again = solve(resume=path, abstraction="JQ.K-J.QK", iterations=64)
    assert again.strategy == whole.strategy
    assert again.exploitability == rl.evaluate(rl.load_strategy(path)).exploitability
    solve("leduc", iterations=32, out=path)
    with pytest.raises(BadInput, match="was made without an abstraction"):
        solve(resume=path, abstraction="JQ.K", iterations=64)


def test_cfr_br_in_an_abstraction_learns_against_the_full_game(tmp_path):
    path = tmp_path / "x.strategy"
    fitted = rl.solve("leduc", abstraction="J.Q.K", iterations=300)
    found = rl.solve("leduc", abstraction="J.Q.K", method="cfr-br", iterations=300)
    assert found.exploitability < fitted.exploitability / 2
    assert found.strategy == rl.research.least_exploitable("leduc", "J.Q.K", iterations=300)
    assert "exploitability" not in found.details["abstraction"]  # best responses see all cards
    rl.solve(
        "leduc", abstraction="J.Q.K", method="cfr-br", iterations=100, out=path, keep_state=True
    )
    again = rl.solve(resume=path, abstraction="J.Q.K", iterations=300)
    assert again.strategy == found.strategy
    assert rl.research.evaluate_file(path).exploitability == found.exploitability


def test_a_solution_of_an_abstraction_is_measured_in_the_full_game():
    solution = solve("leduc", abstraction="JQ.K-full", method="lp")
    about = solution.details["abstraction"]
    assert solution.form.spec == "leduc"
    assert about["exploitability"] < 1e-9 < solution.exploitability
    assert about["values"] == pytest.approx(solution.values)
    assert about["decision_points"] == {"before": [144, 144], "after": [66, 144]}
    # Player 2 sees everything: what player 1's strategy is worth is exact.
    assert solution.evaluation.best_responses[1] == pytest.approx(solution.values[1])
