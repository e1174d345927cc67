"""Killed at any moment, a run leaves a whole file, and goes on as if nothing had been."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from children import SOON

from regretless.runs.solve import solve
from regretless.strategy import files


@pytest.mark.parametrize("delay", [0.05, 0.17, 0.31])
def test_kill_and_resume(tmp_path, delay):
    path = tmp_path / "x.strategy"
    command = [sys.executable, "-m", "regretless", "solve", "leduc", "--method", "cfr+"]
    command += ["--iterations", "100000000", "--out", str(path), "--checkpoint", "0.01"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + SOON
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(delay)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    reached = files.read(path).about["iterations"]
    assert reached > 0
    wanted = reached + 1234
    resumed = solve(resume=path, iterations=wanted)
    whole = solve("leduc", method="cfr+", iterations=wanted)
    assert np.array_equal(resumed.strategy.behaviour, whole.strategy.behaviour)
    for name, vector in whole.state.items():
        assert np.array_equal(vector, resumed.state[name]), name
