"""Profiles of Hypothesis: `HYPOTHESIS_PROFILE=ci` draws the same examples every time."""

import os

import pytest
from children import none_left
from hypothesis import settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """No process outlives the test that started it."""
    with none_left():
        return (yield)
