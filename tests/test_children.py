"""A test that fails leaves no process behind."""

import subprocess
import sys

import pytest
from children import none_left

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_what_still_runs_is_killed():
    begin = subprocess.Popen.__init__
    left = []

    def failing():
        with none_left():
            left.append(subprocess.Popen(SLEEP))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert left[0].returncode < 0
    assert subprocess.Popen.__init__ is begin


def test_what_has_ended_is_left_alone():
    with none_left():
        done = subprocess.run([sys.executable, "-c", "raise SystemExit(3)"], check=False)
    assert done.returncode == 3


def test_every_test_is_watched():
    assert subprocess.Popen.__init__.__name__ == "noted"
