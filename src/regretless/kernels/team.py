"""Threads that share the work of one kernel: counting, and waiting for each other.

Every thread calls the kernel; they share an array of two counters. Calling a kernel with
hundreds of arrays takes longer than a sweep over a small board, and waking a thread takes
longer still: so threads stay in the kernel until all iterations are done."""

from __future__ import annotations

import sys
import time
from typing import Any, NamedTuple

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from regretless.core.arrays import Ints

TAKEN, ARRIVED = range(2)  # counters: parts taken, threads arrived
PATIENCE = 2_000  # reads of a counter before yielding the core
YIELD = "SwitchToThread" if sys.platform == "win32" else "sched_yield"


class Team(NamedTuple):
    """One of the threads that share a kernel."""

    member: int
    threads: int
    counters: Ints


def next_part(counters: Ints) -> int:
    """Take the next free part; return its number."""
    taken = int(counters[TAKEN])
    counters[TAKEN] += 1
    return taken


def meet(counters: Ints, threads: int, meeting: int) -> None:
    """Wait until all threads have reached a barrier; barriers are counted from 1."""
    counters[ARRIVED] += 1
    while counters[ARRIVED] < threads * meeting:
        time.sleep(0)


@intrinsic
def _add(context: Any, array: Any, index: Any) -> Any:
    """Atomic counters[index] += 1; returns the old value."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _place(context, builder, signature, given)
        return builder.atomic_rmw("add", place, ir.Constant(place.type.pointee, 1), "seq_cst")

    return types.int64(array, index), generate


@intrinsic
def _read(context: Any, array: Any, index: Any) -> Any:
    """Atomic read of counters[index]."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _place(context, builder, signature, given)
        return builder.load_atomic(place, "seq_cst", 8)

    return types.int64(array, index), generate


@intrinsic
def _offer(context: Any) -> Any:
    """Yield the core to another thread, if one is waiting."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        given = cgutils.get_or_insert_function(builder.module, kind, YIELD)  # type: ignore[no-untyped-call]
        builder.call(given, [])
        return context.get_dummy_value()

    return types.void(), generate


def _place(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, given[0])
    return builder.gep(array.data, [given[1]])


@overload(next_part, strict=False)
def _next_part(counters: Any) -> Any:
    return lambda counters: _add(counters, TAKEN)  # type: ignore[call-arg]


@overload(meet, strict=False)
def _meet(counters: Any, threads: Any, meeting: Any) -> Any:
    def wait(counters: Any, threads: Any, meeting: Any) -> None:
        _add(counters, ARRIVED)  # type: ignore[call-arg]
        looks = 0
        while _read(counters, ARRIVED) < threads * meeting:
            looks += 1
            if looks > PATIENCE:
                _offer()

    return wait
