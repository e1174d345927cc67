"""Units of work: every one is done once, here or in other processes, and errors come back."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from children import SOON

from regretless.core.errors import BadFile, BadParameter, RegretlessError
from regretless.runs.units import Done, local


def shout(unit):
    if unit == "bad":
        raise BadFile("x.toml", "cannot be read")
    return unit.upper()


def vanish(unit):
    os._exit(1)


def where(unit):
    return str(os.getpid())


@pytest.mark.parametrize("processes", [1, 2])
def test_all_are_done_and_errors_are_told(processes):
    units = ["a", "b", "bad", "c"]
    found = sorted(local(processes)(shout, units))
    wanted = [Done(0, "A"), Done(1, "B"), Done(2, "", "x.toml: cannot be read"), Done(3, "C")]
    assert found == wanted


def test_a_single_process_is_this_one():
    assert [done.result for done in local(1)(where, ["a", "b"])] == [str(os.getpid())] * 2
    assert list(local(2)(where, [])) == []


def test_several_are_others():
    found = {done.result for done in local(2)(where, ["a", "b", "c"])}
    assert str(os.getpid()) not in found


def test_a_process_that_vanishes_is_told():
    with pytest.raises(RegretlessError, match="was killed"):
        list(local(2)(vanish, ["a", "b"]))


@pytest.mark.parametrize("processes", [0, -1, 5000])
def test_numbers_of_processes(processes):
    with pytest.raises(BadParameter, match="processes"):
        local(processes)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc")
def test_processes_end_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "parent.py").write_text(
        "import os, time\n"
        "from regretless.runs.units import local\n"
        "def work(unit):\n"
        "    open(f'{os.getpid()}.pid', 'w').close()\n"
        f"    time.sleep({SOON})\n"
        "    return unit\n"
        "if __name__ == '__main__':\n"
        "    list(local(2)(work, ['a', 'b']))\n"
    )
    command = [sys.executable, "parent.py"]
    parent = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL)
    wait(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
    parent.kill()
    parent.wait()
    wait(lambda: not any(is_running(int(path.stem)) for path in tmp_path.glob("*.pid")))


def wait(reached):
    deadline = time.monotonic() + SOON / 2
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_running(number):
    stat = Path(f"/proc/{number}/stat")
    try:
        return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"  # zombies are dead
    except OSError:
        return False
