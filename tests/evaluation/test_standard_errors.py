"""Standard errors: their definitions, written out sample by sample."""

from statistics import mean, stdev, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regretless.evaluation.statistics import batch_error, estimate, standard_error

NUMBERS = st.lists(st.integers(-50, 50), min_size=2, max_size=20)


@given(NUMBERS)
def test_of_single_samples(numbers):
    found = standard_error(np.array(numbers, float))
    assert found == pytest.approx(stdev(numbers) / len(numbers) ** 0.5, abs=1e-9)


@given(NUMBERS, st.data())
def test_repeated_samples_count_as_often_as_they_occurred(numbers, data):
    size = len(numbers)
    counts = np.array(data.draw(st.lists(st.integers(1, 4), min_size=size, max_size=size)))
    plain = np.array(numbers, float)
    corrected = plain / 3 + 1
    found = estimate(corrected, plain, counts=counts)
    every = np.repeat(plain, counts)
    assert found.hands == len(every)
    assert found.mean == pytest.approx(every.mean() / 3 + 1)
    assert found.plain_mean == pytest.approx(every.mean())
    expected = stdev(every.tolist()) / len(every) ** 0.5
    assert found.plain_standard_error == pytest.approx(expected, abs=1e-9)
    assert found.standard_error == pytest.approx(expected / 3, abs=1e-9)


@given(NUMBERS, NUMBERS)
def test_strata_add_up_their_variances(one, two):
    samples = np.array([*one, *two], float)
    strata = np.array([0] * len(one) + [1] * len(two))
    total = len(samples)
    squares = len(one) * variance(one) + len(two) * variance(two)
    assert standard_error(samples, strata) == pytest.approx(squares**0.5 / total, abs=1e-9)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=10), st.integers(1, 9))
def test_batches_of_equal_size_are_samples_of_their_means(means, size):
    sums = size * np.array(means, float)
    found = batch_error(sums, np.full(len(means), size))
    assert found == pytest.approx(stdev(means) / len(means) ** 0.5, abs=1e-9)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 9)), min_size=2, max_size=10))
def test_batches_of_any_size(batches):
    """A ratio estimate: sums minus what a batch of that size has on average."""
    sums, sizes = np.array([[total] for total, _ in batches], float), [n for _, n in batches]
    centre = sums.sum() / sum(sizes)
    squares = sum((total - n * centre) ** 2 for total, n in batches)
    expected = (squares * len(batches) / (len(batches) - 1)) ** 0.5 / sum(sizes)
    assert batch_error(sums, np.array(sizes)) == pytest.approx([expected], abs=1e-9)


def test_batches_of_different_sizes_scatter_as_they_say():
    """Whatever the sizes of batches, errors are those of the single samples."""
    rng = np.random.default_rng(0)
    samples = rng.normal(3, 2, 20_000)
    ends = np.sort(rng.choice(np.arange(1, 20_000), 499, replace=False))
    parts = np.split(samples, ends)
    sums, sizes = np.array([part.sum() for part in parts]), np.array([len(p) for p in parts])
    assert float(batch_error(sums, sizes)) == pytest.approx(2 / 20_000**0.5, rel=0.1)
    assert mean(samples) == pytest.approx(3, abs=0.05)
