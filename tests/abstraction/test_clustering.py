"""k-means with bounds against the plain one, written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.abstraction import _clustering
from regretless.abstraction._clustering import k_means, nearest_clusters
from regretless.core.errors import BadInput, BadParameter


def distance(a, b, metric):
    """The obvious formula of each; EMD by moving earth from bin to bin."""
    if metric == "euclidean":
        return float(np.sqrt(((np.asarray(a, float) - b) ** 2).sum()))
    if metric == "manhattan":
        return float(np.abs(np.asarray(a, float) - b).sum())
    shovel = work = 0.0
    for have, want in zip(a, b, strict=True):
        shovel += have - want
        work += abs(shovel)
    return work


def random_rows(rng, metric, count, size):
    if metric == "emd":
        return rng.multinomial(40, rng.dirichlet(np.ones(size)), size=count).astype(np.uint8)
    return rng.normal(size=(count, size)).astype(np.float32)


def centre_rows(found, metric):
    return np.diff(found.centres, axis=1, prepend=0) if metric == "emd" else found.centres


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_point_is_with_its_nearest_centre_and_centres_are_means(data):
    metric = data.draw(st.sampled_from(["euclidean", "manhattan", "emd"]))
    count, size = data.draw(st.integers(1, 80)), data.draw(st.integers(1, 9))
    clusters = data.draw(st.integers(1, count))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    rows = random_rows(rng, metric, count, size)
    weights = rng.integers(1, 9, count) if data.draw(st.booleans()) else None
    found = k_means(rows, clusters, weights=weights, metric=metric, iterations=200, seed=3)
    centres = centre_rows(found, metric)
    scale = max(1.0, float(np.abs(rows).max()) * size)
    mass = np.ones(count) if weights is None else weights
    error = 0.0
    for point, own in enumerate(found.own):
        apart = [distance(rows[point], centre, metric) for centre in centres]
        assert apart[own] <= min(apart) + 1e-4 * scale
        error += mass[point] * apart[own] ** 2
    assert found.error == pytest.approx(error / mass.sum(), rel=1e-3, abs=1e-5 * scale)
    if found.iterations < 200:  # it has ended by itself: the last means are those of the clusters
        for k in range(clusters):
            mine = found.own == k
            if mine.any():
                mean = np.average(rows[mine].astype(float), axis=0, weights=mass[mine])
                assert centres[k] == pytest.approx(mean, abs=1e-4 * scale)


def plain(rows, centres, metric, iterations):
    """Lloyd's algorithm without bounds, in double precision."""
    centres = np.asarray(centres, float)
    for _ in range(iterations):
        apart = np.array([[distance(row, c, metric) for c in centres] for row in rows])
        own = apart.argmin(axis=1)
        for k in range(len(centres)):
            if (own == k).any():
                centres[k] = rows[own == k].astype(float).mean(axis=0)
    return own, centres


@pytest.mark.parametrize(("clusters", "times"), [(12, 7), (70, 3)])  # one block of centres, several
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "emd"])
def test_bounds_change_nothing(metric, clusters, times, monkeypatch):
    rng = np.random.default_rng(5)
    rows = random_rows(rng, metric, 300, 8)
    start = rows[:clusters]
    loaded = np.cumsum(start, axis=1) if metric == "emd" else start
    monkeypatch.setattr(_clustering, "_seeded", lambda *_: loaded.astype(np.float32))
    found = k_means(rows, clusters, metric=metric, iterations=times)
    own, centres = plain(rows, start, metric, times)
    assert (found.own == own).mean() > 0.98  # ties and rounding may differ
    assert found.iterations == times
    assert centre_rows(found, metric) == pytest.approx(centres, abs=0.1)


def test_same_seed_same_clusters_on_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(_clustering, "PART", 64)
    rows = random_rows(np.random.default_rng(1), "emd", 500, 10)
    one, two = (k_means(rows, 20, metric="emd", seed=4, threads=n) for n in (1, 3))
    assert np.array_equal(one.own, two.own)
    assert np.array_equal(one.centres, two.centres)
    other = k_means(rows, 20, metric="emd", seed=5)
    assert not np.array_equal(one.own, other.own)


def test_more_starts_are_no_worse_and_groups_are_found():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(6), 30)
    rows = (10 * np.eye(6)[groups] + rng.normal(size=(180, 6)) * 0.1).astype(np.float32)
    found = k_means(rows, 6, starts=5)
    assert len({(g, k) for g, k in zip(groups, found.own.tolist(), strict=True)}) == 6
    errors = [k_means(rows, 40, starts=n).error for n in (1, 4)]
    assert errors[1] <= errors[0]


def test_fewer_different_points_than_clusters():
    rows = np.repeat(np.array([[0.0, 1.0], [2.0, 3.0]], np.float32), 5, axis=0)
    found = k_means(rows, 4)
    assert found.error == 0
    assert len(set(found.own[:5].tolist())) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"clusters": 4}, "clusters=4: must be 1 to 3"),
        ({"metric": "taxi"}, "must be one of euclidean, manhattan, emd"),
        ({"weights": np.ones(2)}, "one positive number per row"),
        ({"weights": np.zeros(3)}, "one positive number per row"),
        ({"starts": 0}, "starts=0"),
        ({"iterations": 0}, "iterations=0"),
        ({"threads": 0}, "threads=0"),
        ({"rows": np.full((3, 2), np.nan)}, "finite"),
        ({"rows": np.zeros(3)}, "matrix of numbers"),
    ],
)
def test_what_is_refused(arguments, message):
    given = {"rows": np.zeros((3, 2)), "clusters": 2, **arguments}
    with pytest.raises((BadInput, BadParameter), match=message):
        k_means(given.pop("rows"), given.pop("clusters"), **given)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "emd"])
def test_rows_go_to_the_nearest_of_given_centres(metric, monkeypatch):
    rng = np.random.default_rng(5)
    rows = random_rows(rng, metric, 90, 6)
    found = k_means(rows[:40], 7, metric=metric, seed=1)
    monkeypatch.setattr(_clustering, "PART", 8)
    shares = []
    own = nearest_clusters(
        rows, found.centres, metric=metric, threads=2, listen=lambda one: shares.append(one.done)
    )
    centres = centre_rows(found, metric)
    for row, mine in zip(rows, own, strict=True):
        apart = [distance(row, centre, metric) for centre in centres]
        assert apart[mine] == pytest.approx(min(apart), rel=1e-5)
    assert shares[-1] == 1.0
    assert len(shares) == 6
