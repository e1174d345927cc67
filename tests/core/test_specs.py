"""Specs such as `leduc:ranks=5`: how every kind of parameter is read."""

import pytest

from regretless.core.errors import BadParameter
from regretless.games._catalog import load


@pytest.mark.parametrize("text", ["true", "True", "TRUE", "yes", "Yes", "1"])
def test_switches_that_are_on(text):
    assert load(f"leduc:suits_distinct={text}").count().decision_points == (468, 468)


@pytest.mark.parametrize("text", ["false", "False", "no", "NO", "0"])
def test_switches_that_are_off(text):
    assert load(f"leduc:suits_distinct={text}").count().decision_points == (144, 144)


def test_numbers_pairs_and_defaults():
    assert load("leduc:ranks=5").count().decision_points == (390, 390)
    assert load("leduc:ranks=auto").count() == load("leduc").count()
    rules = load("leduc:bets=1/3").rules
    assert rules.raises == (1, 3)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("leduc:bets=1", "must be 2 values"),
        ("leduc:ranks=2.5", "ranks=2.5"),
        ("leduc:suits_distinct=2", "must be true or false"),
    ],
)
def test_what_cannot_be_read(spec, message):
    with pytest.raises(BadParameter, match=message):
        load(spec)
