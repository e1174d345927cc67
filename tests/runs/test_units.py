"""Units of work: every one is done once, here or in other processes, and errors come back."""

import os

import pytest

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
