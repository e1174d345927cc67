"""GS2, GS3 and potential-aware buckets, and what they are made of."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance

import regretless as rl
from regretless.abstraction import _grouping, _transport
from regretless.abstraction._allocation import by_slopes, error_within, share_out, top_down
from regretless.abstraction._grouping import Line, Vectors, members
from regretless.abstraction._maps import Deals
from regretless.abstraction._potential import (
    Features,
    Places,
    bottom_up,
    clusters,
    potential_features,
)
from regretless.abstraction._signals import Signals, shares_of, signals_of
from regretless.abstraction._strength import opponent_strengths
from regretless.abstraction._transport import distances_between, ground, move_k_means
from regretless.core.errors import BadParameter
from regretless.kernels.transport import Histograms, works_to

SMALL = "rhode_island:ranks=4,suits=2,cap=1"


# Numbers of children.


def best_allocation(errors, total):
    """The least sum of errors, by dynamic programming over buckets."""
    least = np.full(total + 1, np.inf)
    least[0] = 0.0
    for mine in errors:
        after = np.full(total + 1, np.inf)
        for used in range(total + 1):
            for count, error in mine.items():
                if used + count <= total:
                    after[used + count] = min(after[used + count], least[used] + error)
        least = after
    return least.min()


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_integer_program_finds_what_dynamic_programming_finds(data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    buckets = []
    for _ in range(data.draw(st.integers(1, 6))):
        counts = np.cumsum([1, *rng.integers(1, 3, rng.integers(0, 5))])
        buckets.append(SimpleNamespace(counts=counts, errors=rng.random(counts.size) * 1e-4))
    total = data.draw(st.integers(len(buckets), 4 * len(buckets)))
    shares = share_out(buckets, total)
    assert shares.sum() <= total
    menus = [dict(zip(b.counts.tolist(), b.errors, strict=True)) for b in buckets]
    error = sum(menu[share] for menu, share in zip(menus, shares.tolist(), strict=True))
    if sum(int(b.counts[-1]) for b in buckets) > total:
        assert error == pytest.approx(best_allocation(menus, total), rel=1e-5, abs=1e-12)
    else:  # enough for all
        assert shares.tolist() == [b.counts[-1] for b in buckets]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6), st.booleans())
def test_slopes_bound_the_optimum_and_reach_it_where_errors_are_convex(seed, size, convex):
    rng = np.random.default_rng(seed)
    buckets = []
    for _ in range(size):
        steps = rng.integers(1, 2 if convex else 4, rng.integers(0, 6))
        saved = np.sort(rng.random(steps.size))[::-1] if convex else rng.random(steps.size) - 0.2
        errors = np.abs(saved).sum() - np.cumsum([0.0, *saved])
        buckets.append(SimpleNamespace(counts=np.cumsum([1, *steps]), errors=errors))
    total = int(rng.integers(size, 5 * size + 1))
    shares, gap = by_slopes(buckets, total)
    menus = [dict(zip(b.counts.tolist(), b.errors, strict=True)) for b in buckets]
    error = sum(menu[share] for menu, share in zip(menus, shares.tolist(), strict=True))
    best = best_allocation(menus, total)
    assert shares.sum() <= total
    assert error * (1 - gap) - 1e-9 <= best <= error + 1e-9
    if convex:
        assert gap == pytest.approx(0, abs=1e-9) or error < 1e-9


def test_fewer_children_than_buckets_are_refused():
    one = SimpleNamespace(counts=np.array([1, 2]), errors=np.array([1.0, 0.0]))
    with pytest.raises(BadParameter, match=r"buckets=1: must be at least the 2 of the previous"):
        share_out([one, one], 1)
    with pytest.raises(BadParameter, match="buckets=2: must be at least the 4"):
        rl.abstract(SMALL, "gs2:buckets=4/2/8")


# Clusters on a line, and of vectors.


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(1, 6))
def test_a_line_has_the_error_of_its_labels_for_every_count(values, most):
    weights = np.arange(1.0, len(values) + 1)
    line = Line(np.array(values, float), weights, most)
    assert line.counts.tolist() == list(range(1, min(most, len(set(values))) + 1))
    for count, error in zip(line.counts.tolist(), line.errors, strict=True):
        labels = line.labels(count)
        assert len(set(labels.tolist())) == count
        cost = sum(
            weights[k]
            * (values[k] - np.average(np.array(values)[mine], weights=weights[mine])) ** 2
            for k, mine in ((k, labels == labels[k]) for k in range(len(values)))
        )
        assert error == pytest.approx(cost, abs=1e-9)
    assert all(a >= b - 1e-9 for a, b in pairwise(line.errors))


def plain_costs(points, mass, most):
    """[clusters, end] by trying every start."""
    least = np.full((most + 1, points.size + 1), np.inf)
    least[0, 0] = 0.0
    for k in range(1, most + 1):
        for end in range(k, points.size + 1):
            for start in range(k - 1, end):
                mean = np.average(points[start:end], weights=mass[start:end])
                cost = (mass[start:end] * (points[start:end] - mean) ** 2).sum()
                least[k, end] = min(least[k, end], least[k - 1, start] + cost)
    return least


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 25), st.integers(1, 7), st.integers(0, 2**32))
def test_starts_between_known_ones_are_enough(size, most, seed):
    rng = np.random.default_rng(seed)
    points = np.unique(rng.integers(0, 60, size) / 7 if seed % 2 else rng.random(size) ** 3)
    mass, most = rng.random(points.size) ** 4 + 1e-6, min(most, points.size)
    line = Line(points, mass, most)
    expected = plain_costs(points, mass, most)
    assert line.errors == pytest.approx(expected[1:, -1], abs=1e-9)
    assert line._least(most)[1:, 1:] == pytest.approx(expected[1:, 1:], abs=1e-9)


def test_near_numbers_are_gathered_if_there_are_too_many(monkeypatch):
    values, weights = np.random.default_rng(1).random(400), np.ones(400)
    exact = Line(values, weights, 5)
    monkeypatch.setattr(_grouping, "MOST_POINTS", 100)
    near = Line(values, weights, 5)
    assert near._sums.mass.size <= 101
    labels = near.labels(5)
    assert (np.diff(labels[np.argsort(values)]) >= 0).all()
    cost = sum(((values[labels == k] - values[labels == k].mean()) ** 2).sum() for k in range(5))
    assert exact.errors[4] <= cost <= 1.02 * exact.errors[4]


def test_the_error_of_vectors_is_the_sum_of_euclidean_distances():
    rows = np.array([[0.0, 0], [3, 4], [10, 10], [10, 10], [10, 13]])
    weights = np.array([1.0, 1, 2, 1, 3])
    found = Vectors(rows, weights, metric="manhattan", most=9)
    assert found.counts.tolist() == [1, 2, 3, 4]
    assert found.labels(2).tolist() in ([0, 0, 1, 1, 1], [1, 1, 0, 0, 0])
    # (0,0), (3,4) around (1.5, 2); (10,10) and (10,13), three of each, around (10, 11.5)
    assert found.errors[1] == pytest.approx(2.5 + 2.5 + 3 * 1.5 + 3 * 1.5)
    assert found.errors[3] == 0
    assert found.labels(4)[2] == found.labels(4)[3]
    many = Vectors(np.arange(100.0)[:, None], np.ones(100), metric="manhattan", most=60).counts
    assert many[:11].tolist() == list(range(1, 12))
    assert many[-1] == 60
    assert len(many) < 40


# Earth mover's distance.


def greedy_work(row, goal, distances):
    """Ganzfried & Sandholm 2014, Algorithm 2, on dictionaries."""
    need = {place: share for place, share in enumerate(row) if share > 0}
    left, total = list(goal), 0.0
    for rank in range(len(goal)):
        for place in need:
            to = sorted(range(len(goal)), key=lambda k: (distances[place][k], k))[rank]
            amount = min(need[place], left[to])
            total += amount * distances[place][to]
            need[place] -= amount
            left[to] -= amount
    return total


def exact_work(row, goal, distances):
    """The transport problem as a linear program."""
    size = len(row)
    sums = np.zeros((2 * size, size * size))
    for one in range(size):
        sums[one, one * size : (one + 1) * size] = 1
        sums[size + one, one::size] = 1
    found = linprog(distances.ravel(), A_eq=sums[:-1], b_eq=np.append(row, goal)[:-1])
    return found.fun


def random_ground(rng, size):
    points = rng.random((size, 3))
    return ground(np.linalg.norm(points[:, None] - points, axis=2))


def random_histograms(rng, count, size):
    rows = rng.dirichlet(np.full(size, 0.3), count)
    rows[rows < 0.05] = 0
    return rows / rows.sum(axis=1)[:, None]


def as_sparse(rows):
    made = sparse.csr_matrix(rows)
    return Histograms(made.indptr, made.indices, made.data)


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 7), st.integers(0, 2**32))
def test_the_heuristic_is_the_papers_and_never_below_the_exact_distance(size, seed):
    rng = np.random.default_rng(seed)
    over = random_ground(rng, size)
    rows, (goal,) = random_histograms(rng, 4, size), random_histograms(rng, 1, size)
    out = np.empty(4)
    works_to(as_sparse(rows), goal, over, out)
    for row, found in zip(rows, out, strict=True):
        assert found == pytest.approx(greedy_work(row, goal, over.distances), abs=1e-9)
        assert found >= exact_work(row, goal, over.distances) - 1e-9
    same = np.empty(1)
    works_to(as_sparse(goal[None]), goal, over, same)
    assert same[0] == pytest.approx(0, abs=1e-12)


def test_the_heuristic_is_close_to_the_exact_distance():
    rng = np.random.default_rng(3)
    over = random_ground(rng, 8)
    rows = random_histograms(rng, 40, 8)
    between = distances_between(rows, over)
    assert np.array_equal(between, between.T)
    exact = [[exact_work(a, b, over.distances) for b in rows[:k]] for k, a in enumerate(rows[:12])]
    ratio = np.concatenate([between[k, :k] / exact[k] for k in range(1, 12)])
    assert ratio.min() >= 1 - 1e-9
    assert ratio.mean() < 1.1


def test_ground_distances_become_a_metric():
    made = ground(np.array([[0.0, 5, 1], [4, 0, 2], [1, 2, 0]]))
    assert made.distances.tolist() == [[0, 3, 1], [3, 0, 2], [1, 2, 0]]
    assert made.nearest.tolist() == [[0, 2, 1], [1, 2, 0], [2, 0, 1]]


@pytest.mark.parametrize("seed", range(4))
def test_histograms_are_with_their_nearest_centre_and_centres_are_means(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    over, rows, weights = random_ground(rng, 9), random_histograms(rng, 60, 9), rng.random(60)
    matrix = sparse.csr_matrix(rows)
    found = move_k_means(matrix, 5, over, weights=weights, starts=2, iterations=100, seed=seed)
    error = 0.0
    for row, own, weight in zip(rows, found.own, weights, strict=True):
        apart = [greedy_work(row, centre, over.distances) for centre in found.centres]
        assert apart[own] <= min(apart) + 1e-9
        error += weight * apart[own] ** 2
    assert found.error == pytest.approx(error / weights.sum())
    for k in set(found.own.tolist()):
        mine = found.own == k
        mean = np.average(rows[mine], axis=0, weights=weights[mine])
        assert found.centres[k] == pytest.approx(mean, abs=1e-9)
    monkeypatch.setattr(_transport, "PART", 7)  # threads and parts change nothing
    again = move_k_means(
        matrix, 5, over, weights=weights, starts=2, iterations=100, seed=seed, threads=3
    )
    assert np.array_equal(again.own, found.own)
    assert again.error == found.error
    monkeypatch.setattr(_transport, "LANDMARKS", 1)  # bounds change nothing
    plain = move_k_means(matrix, 5, over, weights=weights, starts=2, iterations=100, seed=seed)
    assert np.array_equal(plain.own, found.own)


def test_more_starts_are_never_worse():
    rng = np.random.default_rng(8)
    over, matrix = random_ground(rng, 9), sparse.csr_matrix(random_histograms(rng, 80, 9))
    better = 0
    for seed in range(5):
        one, many = (
            move_k_means(matrix, 6, over, weights=np.ones(80), starts=s, seed=seed).error
            for s in (1, 6)
        )
        assert one >= many
        better += one > many
    assert better


def test_equal_rows_and_as_many_clusters_as_rows():
    over = random_ground(np.random.default_rng(0), 3)
    rows = sparse.csr_matrix([[1.0, 0, 0]] * 3 + [[0, 0, 1.0]])
    found = move_k_means(rows, 4, over, weights=np.ones(4))
    assert found.error == 0
    assert found.own[0] != found.own[3]


# Signals.


def slow_histograms(deals, buckets, round, player=0):
    """Where every hand leads, from texts: [hand before] bucket -> share."""
    found = [{} for _ in deals.texts(player, round - 1)]
    parents, weights = deals.above(player, round), deals.weights(player, round)
    for lane, bucket in enumerate(buckets.tolist()):
        mine = found[parents[lane]]
        mine[bucket] = mine.get(bucket, 0) + weights[lane]
    return [{k: v / sum(mine.values()) for k, v in mine.items()} for mine in found]


def test_histograms_are_shares_of_what_follows():
    deals = Deals(rl.forms.public_form(SMALL))
    signals = signals_of(deals, 0)
    buckets = np.random.default_rng(0).integers(0, 5, signals.weights[2].size).astype(np.int32)
    made = signals.histograms(2, buckets, signals.weights[1].size).toarray()
    for row, slow in zip(made, slow_histograms(deals, buckets, 2), strict=True):
        assert {k: v for k, v in enumerate(row) if v} == pytest.approx(slow)
    for round in range(3):
        assert signals.weights[round].sum() == pytest.approx(1)
    # The means of strengths are the strengths of the round before.
    exact = shares_of(signals.above[2], np.arange(buckets.size), signals.weights[2], made.shape[0])
    assert exact @ signals.strengths[2] == pytest.approx(signals.strengths[1], abs=1e-9)
    assert signals.ties.max() > 0
    assert (signals.strengths[2] >= signals.ties / 2).all()


def test_what_continues_some_hands():
    deals = Deals(rl.forms.public_form(SMALL))
    signals = signals_of(deals, 0)
    ranks = [[text[0] for text in deals.texts(0, round)] for round in range(3)]
    hands = np.array([1, 3])
    later = signals.below(0, hands)
    for depth in (0, 1):
        wanted = {ranks[0][hand] for hand in hands}
        mine = [k for k, rank in enumerate(ranks[depth + 1]) if rank in wanted]
        assert later.weights[depth].tolist() == signals.weights[depth + 1][mine].tolist()
        assert later.strengths[depth].tolist() == signals.strengths[depth + 1][mine].tolist()
    assert [ranks[0][hands[k]] for k in later.above[0]] == [
        rank for rank in ranks[1] if rank in wanted
    ]
    assert later.ties.size == later.weights[1].size


def test_strengths_against_clusters_of_rival_hands():
    """Deal by deal; over all rival hands they are the strength."""
    game = "leduc:ranks=4,suits=2"
    deals = Deals(rl.forms.public_form(game))
    clusters = np.array([0, 0, 1, 1], np.int32)  # of the four ranks
    found = opponent_strengths(deals, 0, clusters)
    for (hand, board), row in zip(deals.lanes(0, 1), found, strict=True):
        mine, shown = hand[0], board[1][0]
        ranks = [rank for rank in range(4) for _ in range(2)]
        ranks.remove(mine)
        ranks.remove(shown)

        def value(rank, shown=shown):
            return (rank == shown, rank)

        for cluster in (0, 1):
            rivals = [rank for rank in ranks if clusters[rank] == cluster]
            won = [(value(mine) > value(r)) + (r == mine) / 2 for r in rivals]
            assert row[cluster] == pytest.approx(np.mean(won) if won else 0.5)
    one = opponent_strengths(deals, 0, np.zeros(4, np.int32))
    assert one[:, 0] == pytest.approx(signals_of(deals, 0).strengths[1])


# Makers.


def coin_and_rock():
    """Two hands of equal E[HS]: one wins half of the time, the other always ties; and a third."""
    weights = (np.full(3, 1 / 3), np.full(6, 1 / 6))
    above = (np.zeros(3, np.int64), np.repeat(np.arange(3), 2))
    strengths = (np.array([0.5, 0.5, 0.6]), np.array([0.0, 1, 0.5, 0.5, 0.6, 0.6]))
    return Signals(weights, above, strengths, np.zeros(6), np.empty((6, 0)))


def test_potential_is_seen_where_expectation_is_blind():
    signals = coin_and_rock()
    features = potential_features(signals, (2, 4))
    own = clusters(features[0], signals.weights[0], np.arange(3), 2).own
    assert own[1] == own[2] != own[0]
    labels = Line(signals.strengths[0], signals.weights[0], 2).labels(2)
    assert labels[0] == labels[1] != labels[2]
    # With three buckets of strength 0.5 and 0.6 are one, with four they are not.
    assert bottom_up(signals, 3).tolist() in ([1, 0, 0], [0, 1, 1])
    assert len(set(bottom_up(signals, 4).tolist())) == 3


def test_on_a_line_the_distance_is_exact():
    rng = np.random.default_rng(2)
    rows, line = random_histograms(rng, 6, 5), np.sort(rng.random(5))
    features = Features(sparse.csr_matrix(rows), Places(line, None))
    found = clusters(features, np.ones(6), np.arange(6), 6)
    for a in range(6):
        for b in range(6):
            exact = wasserstein_distance(line, line, rows[a], rows[b])
            place = found.places.over.distances[found.own[a], found.own[b]]
            assert place == pytest.approx(exact, abs=1e-8)


def total_error(signals, labels, round):
    found = 0.0
    for bucket in set(labels.tolist()):
        mine = labels == bucket
        values, weights = signals.strengths[round][mine], signals.weights[round][mine]
        found += weights @ (values - np.average(values, weights=weights)) ** 2
    error = error_within(signals.strengths[round], signals.weights[round], labels)
    assert error == pytest.approx(found)
    return error


def test_shared_out_children_are_better_than_equally_many():
    deals = Deals(rl.forms.public_form("rhode_island:ranks=5,suits=3,cap=1"))
    signals = signals_of(deals, 0)

    def split(round, hands, most):
        return Line(signals.strengths[round][hands], signals.weights[round][hands], most)

    first, second, third = top_down(signals, (5, 10, 30), split)
    assert [int(rows.max()) + 1 for rows in (first, second, third)] == [5, 10, 30]
    for rows, before in ((second, first[signals.above[1]]), (third, second[signals.above[2]])):
        assert all(len(set(before[hands].tolist())) == 1 for hands in members(rows))
    equal = np.empty_like(third)
    for bucket, hands in enumerate(members(second[signals.above[2]])):
        equal[hands] = 3 * bucket + split(2, hands, 3).labels(3)
    assert total_error(signals, third, 2) < 0.95 * total_error(signals, equal, 2)


def test_gs3_becomes_gameshrink_and_expectations_never_do():
    form = rl.forms.public_form("rhode_island:ranks=5,suits=2,cap=1")
    classes = rl.abstract(form, "gameshrink")
    enough = "buckets=5/500/5000"
    exact = rl.abstract(form, f"gs3:ties=true,{enough}")
    for round in range(3):
        assert np.array_equal(exact.maps[0].rows[round], classes.maps[0].rows[round])
    assert exact.has_perfect_recall
    blind = rl.abstract(form, f"gs2:{enough}")
    assert blind.classes[0][1] < classes.classes[0][1]
    squared = rl.abstract(form, f"gs2:squared=true,{enough}")
    assert squared.classes[0] != blind.classes[0]


def test_recall_and_forgetting():
    form = rl.forms.public_form("rhode_island:ranks=5,suits=3,cap=1")
    kept = rl.abstract(form, "potential-aware:buckets=3/2/2")
    assert kept.classes[0] == (3, 6, 12)
    assert kept.has_perfect_recall
    lost = rl.abstract(form, "potential-aware:buckets=3/6/12,recall=false")
    assert lost.classes[0] == (3, 6, 12)
    assert not lost.has_perfect_recall
    with pytest.raises(BadParameter, match="buckets=3/2: must be 1 number, or 3 for the rounds"):
        rl.abstract(form, "potential-aware:buckets=3/2")
    with pytest.raises(BadParameter, match="buckets=0"):
        rl.abstract(form, "gs2:buckets=0")


def test_the_last_round_by_opponent_clusters():
    form = rl.forms.public_form("rhode_island:ranks=5,suits=3,cap=1")
    by = "potential-aware:buckets=5/10/20,recall=false"
    strength, clusters = rl.abstract(form, by), rl.abstract(form, f"{by},opponents=3")
    assert clusters.classes[0] == (5, 10, 20)
    assert not np.array_equal(strength.maps[0].rows[2], clusters.maps[0].rows[2])
    enough = [
        rl.abstract(form, f"potential-aware:buckets=9999,recall=false,opponents={k}").classes[0]
        for k in (0, 3)
    ]
    assert enough[1][2] > enough[0][2]  # strengths against clusters say more than one strength
    with pytest.raises(BadParameter, match="opponents"):
        rl.abstract(form, "potential-aware:opponents=-1")


def test_what_can_be_distinguished_in_rhode_island():
    """Potential becomes GameShrink's 13, 205 and 1,774 classes; expectations never do."""
    form = rl.forms.public_form("rhode_island")
    enough = "buckets=13/999/9999"
    found = {
        by: rl.abstract(form, f"{by}{enough}").classes[0]
        for by in ("gs2:", "gs2:squared=true,", "gs3:ties=true,", "gs3:")
    }
    assert found == {
        "gs2:": (13, 204, 1748),
        "gs2:squared=true,": (13, 205, 1751),
        "gs3:": (13, 205, 1751),
        "gs3:ties=true,": (13, 205, 1774),
    }
