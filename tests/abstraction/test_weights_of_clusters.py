"""Clusters of hands that stand for several: their weights count from the first sample on."""

from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regretless.abstraction._grouping import by_share
from regretless.abstraction._opponents import preflop_cluster_strengths, weak_to_strong
from regretless.abstraction.rounds import _clusters
from regretless.abstraction.rounds._clusters import SAMPLE, by_strength, clustered, distinct
from regretless.cards.equities import class_equities, equity
from regretless.cards.holdings import CLASSES, class_of

CONTEXT = SimpleNamespace(seed=3, round=1, threads=1, name="flop", listen=lambda _: None)


def begun(rows, mass, count=1):
    """The centres with which clustering begins."""
    with patch.object(_clusters, "in_steps", lambda *arguments: arguments[3]()):
        return clustered(CONTEXT, rows, mass, count, metric="euclidean", starts=2, iterations=20)


@settings(max_examples=10)
@given(st.integers(0, 99))
def test_the_centre_of_one_cluster_is_the_weighted_mean(seed):
    rng = np.random.default_rng(seed)
    rows, mass = rng.random((50, 3)).astype(np.float32), rng.integers(1, 30, 50).astype(float)
    expected = np.average(rows, axis=0, weights=mass)
    assert begun(rows, mass)[0] == pytest.approx(expected, abs=1e-5)


def test_a_sample_is_drawn_by_weight():
    rng = np.random.default_rng(0)
    rows = rng.random((5 * SAMPLE, 2)).astype(np.float32)
    heavy = np.arange(len(rows)) % 5 == 0
    mass = np.where(heavy, 1e9, 1e-9)  # just enough heavy rows for a sample
    assert begun(rows, mass)[0] == pytest.approx(rows[heavy].mean(axis=0), abs=1e-5)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=30), st.integers(1, 4), st.data())
def test_weighted_values_are_repeated_values(values, count, data):
    """Whether a hand has weight 3 or is listed three times: shares and orders are the same."""
    size = len(values)
    weights = np.array(data.draw(st.lists(st.integers(1, 5), min_size=size, max_size=size)))
    given_values, ones = np.array(values, float), np.ones(int(weights.sum()))
    found = by_share(given_values, weights.astype(float), count)
    repeated = by_share(np.repeat(given_values, weights), ones, count)
    assert np.array_equal(np.repeat(found, weights), repeated)
    own = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)), np.int32)
    found, used = by_strength(own, given_values, weights.astype(float))
    repeated, again = by_strength(np.repeat(own, weights), np.repeat(given_values, weights), ones)
    assert used == again
    means = [np.average(given_values[found == k], weights=weights[found == k]) for k in range(used)]
    assert np.all(np.diff(means) > -1e-12)
    if len(set(np.round(means, 9))) == used:  # no two are equally strong
        assert np.array_equal(np.repeat(found, weights), repeated)
    merged = distinct(given_values[:, None].astype(np.float32), weights)
    assert np.array_equal(merged.rows[merged.own, 0], given_values)
    assert merged.mass.sum() == weights.sum()
    assert len(np.unique(merged.rows)) == len(merged.rows)


def test_clusters_of_starting_hands_are_ordered_by_their_hands_not_by_classes():
    """One class of many weak hands outweighs a strong class of few."""
    histograms = np.array([[10, 0, 0], [10, 0, 0], [0, 0, 10], [0, 0, 10]])
    strengths, sizes = np.array([0.1, 0.9, 0.2, 0.4]), np.array([12, 1, 4, 4])
    assert weak_to_strong(histograms, strengths, sizes, 2).tolist() == [0, 0, 1, 1]
    few = np.array([1, 12, 4, 4])
    assert weak_to_strong(histograms, strengths, few, 2).tolist() == [1, 1, 0, 0]


def test_a_class_meets_the_hands_of_a_cluster_that_it_does_not_block():
    clusters = np.arange(CLASSES) % 3
    _, deals = class_equities()
    for cell in (40, 168):
        found = preflop_cluster_strengths(cell, clusters)
        mine = (class_of() == cell).astype(float)
        for k in range(3):
            theirs = (clusters[class_of()] == k).astype(float)
            assert found[k] == pytest.approx(equity(mine, theirs).first, abs=1e-12)
    assert len(set(deals[40].tolist())) > 3
