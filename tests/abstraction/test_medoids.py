"""k-medoids against plain definitions."""

from itertools import combinations

import numpy as np
import pytest

from regretless.abstraction._clustering import k_medoids
from regretless.core.errors import BadInput, BadParameter
from regretless.kernels.medoids import improve_medoids


def random_points(seed, count):
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(count, 2))
    distances = np.sqrt(((places[:, None] - places) ** 2).sum(axis=2)).astype(np.float32)
    return distances, rng.integers(1, 9, count).astype(float)


def total(distances, weights, medoids):
    return float(weights @ distances[list(medoids)].min(axis=0))


def swapped(distances, weights, medoids):
    """The slow twin: candidates in turn, each with its best swap, until none gains."""
    medoids, point, looked = list(medoids), 0, 0
    while looked < len(weights):
        now = total(distances, weights, medoids)
        trials = []
        for place in range(len(medoids)):
            trial = list(medoids)
            trial[place] = point
            trials.append((total(distances, weights, trial), place))
        looked += 1
        if min(trials)[0] < now - 1e-6:
            medoids[min(trials)[1]] = point
            looked = 0
        point = (point + 1) % len(weights)
    return medoids


@pytest.mark.parametrize("seed", range(8))
def test_kernel_makes_the_swaps_of_its_twin(seed):
    distances, weights = random_points(seed, 24)
    for k in (1, 2, 5):
        start = np.random.default_rng([seed, k]).choice(24, k, replace=False)
        expected = swapped(distances, weights, start.tolist())
        medoids, own = start.copy(), np.empty(24, np.int32)
        error = improve_medoids(distances, weights, medoids, own)
        assert medoids.tolist() == expected
        assert error == pytest.approx(total(distances, weights, expected), rel=1e-6)
        assert (distances[medoids[own], np.arange(24)] == distances[medoids].min(axis=0)).all()


def test_best_of_several_starts_is_the_best_of_all_choices():
    for seed in range(4):
        distances, weights = random_points(seed, 11)
        best = min(total(distances, weights, chosen) for chosen in combinations(range(11), 3))
        found = k_medoids(distances, 3, weights=weights, starts=20)
        assert found.error * weights.sum() == pytest.approx(best, rel=1e-6)
        assert (np.diff(found.points) > 0).all()
        assert (found.own[found.points] == np.arange(3)).all()


def test_weights_move_the_centres():
    line = np.arange(5.0)
    distances = abs(line[:, None] - line)
    assert k_medoids(distances, 1).points.tolist() == [2]
    assert k_medoids(distances, 1, weights=[1, 1, 1, 1, 9]).points.tolist() == [4]


def test_as_many_clusters_as_points():
    distances, _ = random_points(0, 6)
    found = k_medoids(distances, 6)
    assert found.own.tolist() == [0, 1, 2, 3, 4, 5]
    assert found.error == 0


def test_every_centre_has_its_own_cluster_even_at_distance_0():
    assert sorted(set(k_medoids(np.zeros((4, 4)), 3).own.tolist())) == [0, 1, 2]


def test_seed_decides():
    distances, _ = random_points(1, 60)
    one, same = (k_medoids(distances, 12, starts=1, seed=5) for _ in range(2))
    assert one.points.tolist() == same.points.tolist()
    others = {tuple(k_medoids(distances, 12, starts=1, seed=s).points) for s in range(6)}
    assert len(others) > 1


def test_refusals():
    square = np.zeros((3, 3))
    with pytest.raises(BadInput, match="square"):
        k_medoids(np.zeros((3, 2)), 1)
    with pytest.raises(BadInput, match="finite"):
        k_medoids(np.full((3, 3), np.nan), 1)
    with pytest.raises(BadInput, match="symmetric"):
        k_medoids(np.triu(np.ones((3, 3)), 1), 1)
    with pytest.raises(BadInput, match="positive"):
        k_medoids(square, 1, weights=[1, 0, 1])
    with pytest.raises(BadParameter, match="clusters=4"):
        k_medoids(square, 4)
