"""Single conditions of maps, files and makers, each on the smallest case that shows it."""

import json

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._grouping import by_share, of_vectors
from regretless.abstraction._maps import Deals, PointMap
from regretless.abstraction._strength import expected_strengths
from regretless.abstraction.k_means import _connected
from regretless.core.errors import BadFile, BadInput, WrongGame
from regretless.forms.form import behaviour_of, size, uniform
from regretless.games._locked import HandLock, locked


def saved(path, *players, game="leduc", **more):
    about = {"format": "regretless abstraction 1", "game": game, "players": list(players), **more}
    path.write_text(json.dumps(about))
    return path


@pytest.fixture(scope="module")
def leduc():
    return rl.sequence_form("leduc")


@pytest.fixture(scope="module")
def half_locked():
    return locked(rl.load("leduc"), HandLock("", np.full((3, 2), 0.5)))


def test_a_cell_whose_members_keep_different_actions_is_refused(tmp_path):
    labels = [point.label for point in rl.sequence_form("kuhn").points(0)]
    points = {label: label.partition(":")[2] for label in labels}
    path = saved(
        tmp_path / "m.json", {"points": points, "without": {"Q:": ["bet"]}}, None, game="kuhn"
    )
    with pytest.raises(BadInput, match=r"share a cell but have .* \(others are left out\)"):
        rl.abstraction.load_abstraction(path).form()


def test_an_abstract_game_stays_locked(half_locked):
    full = rl.sequence_form(half_locked)
    abstraction = rl.abstract(full, "JQ.K")
    assert abstraction.form().locked == full.locked
    assert abstraction.is_lossless is None  # nobody asks where play is given


def test_the_order_of_ranks_in_a_partition_does_not_matter(leduc):
    made = [rl.abstract(leduc, by).form().treeplexes[0].labels for by in ("JQ.K", "K.QJ")]
    assert "Q|K:" in made[0]
    assert made[0] == made[1]


def test_heavy_points_attract_the_centre():
    line = np.array([[0.0], [4.0], [10.0]])
    one = of_vectors(line, np.array([100.0, 1.0, 0.3]), 2)
    assert one[0] != one[1] == one[2]
    two = of_vectors(line, np.ones(3), 2)
    assert two[0] == two[1] != two[2]


def test_lossy_gameshrink_merges_siblings_only():
    spec = "rhode_island:ranks=3,suits=2,cap=1"
    assert rl.abstract(spec, "gameshrink:threshold=0.2").has_perfect_recall


def test_groups_of_deals_connect_cards_in_chains():
    cards, groups = np.array(["a", "b", "b", "c", "d"]), np.array([0, 0, 1, 1, 2])
    assert _connected(cards, groups) == {"a": 0, "b": 0, "c": 0, "d": 1}


def test_percentiles_count_deals_rather_than_kinds_of_hands():
    form = rl.sequence_form("leduc:ranks=4")
    deals = Deals(form)
    strength, weights = expected_strengths(deals, 0, 1)[1], deals.weights(0, 1)
    mine = rl.abstract(form, "percentile:buckets=1/3").maps[0]
    shares = by_share(strength, weights, 3)
    assert (by_share(strength, np.ones(strength.size), 3) != shares).any()
    pairs = set(zip(mine.rows[1].tolist(), shares.tolist(), strict=True))
    assert len(pairs) == 3


def test_equivalent_hands_in_different_cells_are_refused(tmp_path):
    deals = Deals(rl.sequence_form("leduc:suits_distinct=true"))
    first = dict.fromkeys(deals.texts(0, 0), 0)
    second = dict.fromkeys(deals.texts(0, 1), 0)
    card = next(iter(first))
    other = card[0] + ("h" if card[1] != "h" else "s")
    spec = "leduc:suits_distinct=true"
    path = saved(tmp_path / "m.json", {"cards": [{**first, other: 1}, second]}, None, game=spec)
    with pytest.raises(BadFile, match=rf"'{other}' is in cell 1, an equivalent hand in 0"):
        rl.abstraction.load_abstraction(path)


def test_a_map_of_a_changed_game_of_the_same_name_is_refused(tmp_path):
    path = saved(tmp_path / "m.json", None, None, fingerprint="0" * 32)
    with pytest.raises(WrongGame, match=r"m.json: made for game leduc, does not fit game leduc"):
        rl.abstraction.load_abstraction(path)


def test_a_cell_is_not_true_or_false(tmp_path):
    path = saved(tmp_path / "m.json", {"cards": [{"Q": 0, "K": 0, "A": True}, {}]}, None)
    with pytest.raises(BadFile, match=r"cell True of 'A' must be a number or a name"):
        rl.abstraction.load_abstraction(path)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"game": "leduk"}, r"m.json: unknown game 'leduk'"),
        ({"form": [1]}, r"m.json: form is \[1\], must be auto"),
    ],
)
def test_a_map_whose_game_cannot_be_built_is_named(tmp_path, given, message):
    with pytest.raises(BadFile, match=message):
        rl.abstraction.load_abstraction(saved(tmp_path / "m.json", None, None, **given))


def test_actions_that_are_left_out_stay_out_where_nobody_comes(leduc, tmp_path):
    given = {"without": {":": ["bet"], ":rr": ["fold"]}}
    first = rl.abstraction.load_abstraction(saved(tmp_path / "a.json", given, None), game=leduc)
    form = first.form()
    played = first.lift(rl.Strategy(form, uniform(form)))
    assert played.probabilities("K:rr", 1) == {"fold": 0, "call": 1}
    assert played.probabilities("K:", 1) == {"check": 1, "bet": 0}
    # The same for two abstractions, one after the other.
    second = rl.abstraction.Abstraction(form, (without(form, ":cr", "fold"), None), "second")
    both = first.then(second)
    small = second.form()
    behaviour = behaviour_of(small, np.random.default_rng(2).uniform(0.5, 1, size(small)))
    twice = first.lift(second.lift(rl.Strategy(small, behaviour)))
    at_once = both.lift(rl.Strategy(both.form(), behaviour))
    assert np.allclose(twice.behaviour, at_once.behaviour)
    assert at_once.probabilities("K:rr", 1) == {"fold": 0, "call": 1}
    assert at_once.probabilities("K:cr", 1)["fold"] == 0


def test_only_strategies_are_lifted(leduc):
    with pytest.raises(BadInput, match="strategy=3: must be a Strategy"):
        rl.abstract(leduc, "JQ.K").lift(3)


def without(form, betting, action):
    plex = form.treeplexes[0]
    kept = np.ones(plex.size, bool)
    for label, actions, sequences in zip(plex.labels, plex.actions, plex.sequences, strict=True):
        if label.endswith(betting):
            kept[sequences[actions.index(action)]] = False
    return PointMap(np.arange(len(plex.labels), dtype=np.int32), kept)
