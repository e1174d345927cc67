"""Numbers with their units."""

import pytest

from regretless.core.amounts import amount


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1 chip"), (1.00004, "1 chip"), (1.01, "1.01 chips"), (0, "0 chips"), (-1, "-1 chip")],
)
def test_one_is_singular(number, text):
    assert amount(number, "chips") == text
