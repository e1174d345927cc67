"""A solver's random generator comes from the seed, and a file can hold it."""

import numpy as np
import pytest

from regretless.core.errors import BadInput
from regretless.forms.sequence import sequence_form
from regretless.solvers._catalog import solver
from regretless.solvers._solver import restored_rng, saved_rng


@pytest.mark.parametrize("seed", [0, 7, 2**63])
def test_a_generator_that_was_saved_goes_on(seed):
    rng = solver("cfr", sequence_form("kuhn"), seed=seed).rng
    rng.integers(10, size=5, dtype=np.int32)  # leaves half a word behind
    words = saved_rng(rng)
    assert words.dtype == np.uint64
    again = restored_rng(words)
    assert np.array_equal(rng.random(9), again.random(9))
    assert np.array_equal(rng.integers(10, size=9), again.integers(10, size=9))


def test_another_seed_draws_other_numbers():
    form = sequence_form("kuhn")
    one, two = (solver("cfr", form, seed=seed).rng.random(4) for seed in (1, 2))
    assert not np.array_equal(one, two)


def test_what_is_no_generator_is_refused():
    with pytest.raises(BadInput, match="must be 6"):
        restored_rng(np.zeros(5, dtype=np.uint64))
