"""Distances between boards against plain optimal transport, on small decks."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment, linprog

from regretless.abstraction import _board_distances
from regretless.abstraction._board_distances import board_distances, exact_distance, nearest_boards
from regretless.abstraction._board_sets import ONE, HandSets, _functions, hand_sets, merged, typed
from regretless.cards.hand_index import HandIndex
from regretless.core.errors import BadFile, Interrupted
from regretless.kernels.board_distances import distances_to
from regretless.kernels.hand_types import distance, merge_hands
from regretless.kernels.network_simplex import new_tree, transport

BINS = 7


def flows(costs, supply, demand):
    """[source, sink] what the kernel ships."""
    tree = new_tree(len(supply) + len(demand))
    transport(costs, supply, demand, tree)
    shipped = np.zeros(costs.shape, int)
    for node, (parent, flow) in enumerate(zip(tree.parent, tree.flow, strict=True)):
        if parent >= 0:
            low, high = min(node, parent), max(node, parent) - len(supply)
            shipped[low, high] += flow
    return shipped


masses = st.lists(st.integers(1, 6), min_size=1, max_size=9)


@settings(max_examples=60, deadline=None)
@given(masses, masses, st.integers(0, 2**31), st.sampled_from([2, 60, 10**6]))
def test_network_simplex_is_optimal(supply, demand, seed, most):
    supply[0] += max(sum(demand) - sum(supply), 0)
    demand[0] += max(sum(supply) - sum(demand), 0)
    costs = np.random.default_rng(seed).integers(0, most, (len(supply), len(demand)))
    shipped = flows(costs.astype(np.int32), np.array(supply), np.array(demand))
    assert (shipped >= 0).all()
    assert shipped.sum(axis=1).tolist() == supply
    assert shipped.sum(axis=0).tolist() == demand
    full = np.repeat(np.repeat(costs, supply, axis=0), demand, axis=1)
    assert (shipped * costs).sum() == full[linear_sum_assignment(full)].sum()


def test_network_simplex_on_a_larger_problem():
    rng = np.random.default_rng(1)
    places = rng.integers(0, 1000, (2, 150, 3))
    costs = abs(places[0][:, None] - places[1]).sum(axis=2)
    weights = rng.multinomial(1176 - 150, np.ones(150) / 150, size=2) + 1
    shipped = flows(costs.astype(np.int32), weights[0], weights[1])
    assert (shipped.sum(axis=1) == weights[0]).all()
    assert (shipped.sum(axis=0) == weights[1]).all()
    full = np.repeat(np.repeat(costs, weights[0], axis=0), weights[1], axis=1)
    assert (shipped * costs).sum() == full[linear_sum_assignment(full)].sum()


def small_sets(seed=0, rounds=2, ranks=4, suits=3):
    """Random histograms for two hole cards and boards of two; early ones depend on the hand."""
    index, rng = HandIndex((2, 2), ranks, suits), np.random.default_rng(seed)
    now = rng.multinomial(40, np.ones(BINS) / BINS, size=index.size)
    early = HandIndex((2,), ranks, suits)
    before = rng.dirichlet(np.ones(BINS), size=early.size)
    row = early.index(index.cards(np.arange(index.size))[:, :2])
    parts = [(before, row), (now, np.arange(index.size))][2 - rounds :]
    return index, parts, hand_sets(index, 2, parts)


def distinct_boards(rounds=2):
    """Boards that are further apart than their hands: the board decides most of the strength."""
    index, parts, _ = small_sets(rounds=rounds)
    rank = index.cards(np.arange(index.size))[:, 2:].astype(int).sum(axis=1) // 3
    centre = rank / rank.max() * (BINS - 1)
    odds = np.exp(-((np.arange(BINS) - centre[:, None]) ** 2) / 2)
    odds /= odds.sum(axis=1)[:, None]
    now = np.random.default_rng(7).multinomial(60, odds)
    parts[-1] = now, np.arange(index.size)
    return hand_sets(index, 2, parts)


def plain_distance(index, parts, one, other):
    """The slow twin: all hands of both boards by cards, one by one, and a linear program."""
    boards = HandIndex((2,), index.ranks, index.suits)
    vectors = []
    for board in boards.cards([one, other]).astype(int).tolist():
        rest = [card for card in range(index.ranks * index.suits) if card not in board]
        numbers = index.index([[*hand, *board] for hand in combinations(rest, 2)])
        shares = [
            given[row[numbers]] / given[row[numbers]].sum(axis=1)[:, None] for given, row in parts
        ]
        vectors.append([np.cumsum(one, axis=1) for one in shares])
    squares = [abs(x[:, None] - y).sum(axis=2) ** 2 for x, y in zip(*vectors, strict=True)]
    costs = np.sqrt(sum(squares))
    n = len(costs)
    sides = np.concatenate([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    return linprog(costs.ravel(), A_eq=sides, b_eq=np.ones(2 * n)).fun / n


@pytest.mark.parametrize("rounds", [1, 2])
def test_exact_distance_is_that_of_a_linear_program(rounds):
    index, parts, sets = small_sets(rounds=rounds, ranks=3)
    for one, other in ((0, 1), (2, 5)):
        found = exact_distance(sets, one, other)
        assert found == pytest.approx(plain_distance(index, parts, one, other), abs=sets.slack)
    assert exact_distance(sets, 3, 3) == 0


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("spread", [0.0, 0.15, 0.6])
def test_bounds_contain_the_exact_distance(tmp_path, rounds, spread):
    _, _, sets = small_sets(rounds=rounds)
    found = board_distances(sets, folder=tmp_path / "d", spread=spread)
    for one in range(sets.count):
        for other in range(one):
            exact = exact_distance(sets, one, other)
            low, middle, high = (
                float(part[one, other]) for part in (found.lower, found.between, found.upper)
            )
            assert low <= exact <= high
            assert low <= middle <= high
            if spread == 0:
                assert middle == pytest.approx(exact, abs=2 * sets.slack)
                assert high - low <= 3 * sets.slack
    for part in (found.lower, found.between, found.upper):
        assert (part == part.T).all()
        assert (np.diagonal(part) == 0).all()
    assert (found.lower + 1e-6 < found.upper).sum() == sets.count * (sets.count - 1)


def test_upper_bound_comes_from_a_plan_and_lower_bound_from_functions(tmp_path):
    """Both are closer than the mean distances of hands to their types alone."""
    _, _, sets = small_sets()
    spread = 0.6
    found = board_distances(sets, folder=tmp_path / "d", spread=spread)
    errors = typed(sets, merged(sets, spread)).errors / ONE
    wide = errors[:, None] + errors
    off = ~np.eye(sets.count, dtype=bool)
    types_alone = found.between - wide  # no lower bound from types is larger than this
    assert (found.lower > types_alone)[off].all()
    assert (found.lower > 0)[off].mean() > 0.9
    exact = np.array([[exact_distance(sets, a, b) for b in range(sets.count)] for a in range(3)])
    assert (found.upper[:3] - exact)[off[:3]].mean() < 0.5 * wide[:3][off[:3]].mean()


@pytest.mark.parametrize("rounds", [1, 2])
def test_estimates_allow_for_the_spread_of_types(tmp_path, rounds, monkeypatch):
    sets, spread = distinct_boards(rounds), 0.25 * rounds
    found = board_distances(sets, folder=tmp_path / "d", spread=spread)
    errors = typed(sets, merged(sets, spread)).errors / ONE
    off = ~np.eye(sets.count, dtype=bool)
    exact = np.array(
        [[exact_distance(sets, a, b) for b in range(sets.count)] for a in range(sets.count)]
    )[off]
    estimate, square = found.between[off], (errors[:, None] ** 2 + errors**2)[off]
    # From e = m² / sqrt(m² + s): the distance m of types alone is too large.
    alone = np.sqrt((estimate**2 + np.sqrt(estimate**4 + 4 * square * estimate**2)) / 2)
    assert (estimate / exact).mean() < 1 < (alone / exact).mean()
    assert abs(estimate / exact - 1).mean() < 0.06
    # Costs are scaled where there are many types.
    monkeypatch.setattr(_board_distances, "MOST", 1 << 20)
    scaled = board_distances(sets, folder=tmp_path / "scaled", spread=spread)
    assert scaled.between[off] == pytest.approx(estimate, rel=0.01)


def test_types_are_as_near_as_asked():
    _, _, sets = small_sets()
    counts = []
    for spread in (0.0, 0.2, 0.5, 1e9):
        boards = typed(sets, merged(sets, spread))
        assert (boards.errors <= (spread + 1e-3) * ONE).all()
        assert (boards.masses.sum(axis=1) == sets.mass).all()
        counts.append(boards.counts.sum())
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1] > counts[2] > counts[3] == sets.count


def test_errors_count_every_hand_of_a_board():
    _, _, sets = small_sets()
    own = merged(sets, 0.4)
    boards = typed(sets, own)
    assert (sets.weights > 1).any()
    for board in range(sets.count):
        part = sets.hands_of(board)
        rows = np.repeat(sets.rows[part].astype(float), sets.weights[part], axis=0)
        types = np.repeat(own[part], sets.weights[part])
        means = np.array([rows[types == one].mean(axis=0) for one in range(types.max() + 1)])
        moved = np.sqrt((abs(rows - means[types]).sum(axis=2) ** 2).sum(axis=1))
        assert boards.errors[board] == pytest.approx(moved.mean(), abs=10)  # of 65,535


def test_functions_of_hands_change_no_faster_than_the_distance():
    """Boards of a single hand: then sorted values are those of the hands."""
    rng = np.random.default_rng(3)
    rows = np.sort(rng.integers(0, ONE, (40, 2, BINS)), axis=2)
    rows[:2] = 0
    rows[1, 0], rows[1, 1] = (
        30_000,
        43_850,
    )  # a direction in which one function is as steep as it may
    sets = HandSets(
        np.arange(41), np.arange(40), np.ones(40, np.int64), rows.astype(np.uint16), BINS
    )
    values = _functions(sets)[:, :, 0].astype(float)
    assert values.shape == (40, 4)
    for one, other in combinations(range(40), 2):
        apart = distance(rows[one].astype(np.int32), rows[other].astype(np.int32))
        assert (abs(values[one] - values[other]) <= apart + 1).all()
    apart = distance(rows[0].astype(np.int32), rows[1].astype(np.int32))
    assert abs(values[0] - values[1]).max() > 0.999 * apart


def test_the_cheapest_merger_comes_first():
    rows = np.array([[[0, 0]], [[10, 0]], [[100, 0]], [[100, 4]]], np.int32)
    weights, own = np.array([1.0, 1.0, 1.0, 3.0]), np.empty(4, np.int32)
    assert merge_hands(rows.copy(), weights.copy(), 5.9, own) == 4
    assert merge_hands(rows.copy(), weights.copy(), 6.0, own) == 3
    assert own.tolist() == [0, 1, 2, 2]
    changed, mass = rows.copy(), weights.copy()
    assert merge_hands(changed, mass, 16.0, own) == 2
    assert own.tolist() == [0, 0, 1, 1]
    assert sorted(map(tuple, changed[mass > 1][:, 0].tolist())) == [(5, 0), (100, 3), (100, 4)]


def test_distance_of_hands_is_the_root_of_summed_squares():
    one = np.array([[3, 0, 0], [5, 5, 0]], np.int32)
    other = np.array([[0, 0, 0], [3, 4, 1]], np.int32)
    assert distance(one, other) == 5.0


def test_weights_are_the_hands_of_one_board():
    index, _, sets = small_sets()
    boards = HandIndex((2,), 4, 3)
    cards = boards.cards(np.arange(sets.count)).astype(int).tolist()
    for board, shown in enumerate(cards):
        rest = [card for card in range(12) if card not in shown]
        numbers = index.index([[*hand, *shown] for hand in combinations(rest, 2)])
        expected = dict(
            zip(*(x.tolist() for x in np.unique(numbers, return_counts=True)), strict=True)
        )
        part = sets.hands_of(board)
        assert (
            dict(zip(sets.numbers[part].tolist(), sets.weights[part].tolist(), strict=True))
            == expected
        )


def test_resumes_after_interruption_with_the_same_bytes(tmp_path, monkeypatch):
    _, _, sets = small_sets()
    whole = board_distances(sets, folder=tmp_path / "whole", spread=0.3)
    rows = []

    def failing(*arguments):
        rows.append(arguments[1])
        if len(rows) == 7:
            raise KeyboardInterrupt
        distances_to(*arguments)

    monkeypatch.setattr(_board_distances, "distances_to", failing)
    monkeypatch.setattr(_board_distances, "SAVE_S", 0.0)
    with pytest.raises(KeyboardInterrupt):
        board_distances(sets, folder=tmp_path / "parts", spread=0.3)
    assert int((tmp_path / "parts" / "done").read_text()) == 6
    rows[:] = [0] * 7
    found = board_distances(sets, folder=tmp_path / "parts", spread=0.3, threads=2)
    assert sorted(rows[7:]) == list(range(6, sets.count))
    assert found.between.tobytes() == whole.between.tobytes()
    assert found.upper.tobytes() == whole.upper.tobytes()
    rows.clear()
    board_distances(sets, folder=tmp_path / "parts", spread=0.3)
    assert not rows


def test_nearest_boards_are_those_of_the_matrix(tmp_path):
    _, _, sets = small_sets()
    found = board_distances(sets, folder=tmp_path / "d", spread=0.0).between
    centres = np.array([5, 1, 8])
    expected = found[centres].argmin(axis=0).tolist()
    assert nearest_boards(sets, centres, spread=0.0).tolist() == expected


def test_ctrl_c_keeps_finished_rows(tmp_path):
    _, _, sets = small_sets()
    import signal

    def press(progress):
        if progress.stage == "distances between boards" and progress.done > 0.2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(Interrupted, match="rows are saved"):
        board_distances(sets, folder=tmp_path / "d", spread=0.3, listen=press)
    assert int((tmp_path / "d" / "done").read_text()) > 0


def test_damaged_or_foreign_tables_are_refused(tmp_path):
    _, _, sets = small_sets()
    place = tmp_path / "d"
    board_distances(sets, folder=place, spread=0.5)
    about = json.loads((place / "about.json").read_text())
    (place / "about.json").write_text(json.dumps({**about, "version": 0}))
    with pytest.raises(BadFile, match="another version"):
        board_distances(sets, folder=place, spread=0.5)
    (place / "about.json").write_text(json.dumps(about))
    whole = (place / "distances.npy").read_bytes()
    (place / "distances.npy").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadFile, match="damaged"):
        board_distances(sets, folder=place, spread=0.5)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        board_distances(sets, folder=blocked / "d", spread=0.5)
