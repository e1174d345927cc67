"""Numbers of a file as probabilities: in proportion, whatever their sum."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretless as rl
from regretless.blueprints.blueprint import shares
from regretless.strategy import compact
from regretless.strategy.compact import normalised

ROW = st.lists(st.integers(0, 65_535) | st.integers(0, 2), min_size=3, max_size=3)


@given(st.lists(ROW, min_size=1, max_size=5))
def test_rows_are_in_proportion_and_uniform_without_any(rows):
    table = np.array(rows, np.uint16)  # [lane, action]
    for given_type in (np.uint16, np.float32, np.float64):
        lanes = normalised(table.T.astype(given_type)).T
        for numbers, chances, same in zip(rows, lanes, shares(table), strict=True):
            total = sum(numbers)
            expected = [n / total if total else 1 / 3 for n in numbers]
            assert chances == pytest.approx(expected, abs=1e-9)
            assert same == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6))
def test_files_hold_the_nearest_whole_number(chances):
    """To half a unit; all pieces of a long vector alike."""
    form = rl.sequence_form("matching_pennies")
    behaviour = np.array(chances)
    for at_once in (1, 2, compact.AT_ONCE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compact, "AT_ONCE", at_once)
            numbers = np.concatenate(compact.packed(form, behaviour)).astype(float)
        assert np.abs(numbers - behaviour * compact.WHOLE).max() <= 0.5
