"""A few numbers side by side, as one value: a vector instruction without a loop around it.

LLVM vectorises loops for long runs: with eight or sixteen numbers it ends up in what it generates
for the rest, one number at a time. Here the width is part of the type, and local
variables of it stay in registers. Without the compiler, lanes are short NumPy arrays."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.extending import intrinsic, overload, register_model

WIDE = 16  # numbers in single precision
LINE = 64  # bytes of a cache line: lanes that cross one take twice as long
ALIGNED = 4  # bytes, which the compiler may count on
READ, OFTEN, DATA = 0, 3, 1  # what LLVM is told of a prefetch: to read, to be used often, no code

Row = npt.NDArray[np.floating[Any]]
Lanes = np.ndarray[Any, Any]  # as the interpreter sees them


def zeros(*shape: int) -> Any:
    """An array whose first number begins a cache line."""
    size = int(np.prod(shape))
    bytes = np.zeros(4 * size + LINE, np.uint8)
    begin = -bytes.ctypes.data % LINE
    return bytes[begin : begin + 4 * size].view(np.float32).reshape(shape)


def load(row: Row, at: Any) -> Lanes:
    """The lanes that begin here."""
    return row[at : at + WIDE].copy()


def gather(row: Row, places: Any, at: Any) -> Lanes:
    """Numbers of a row, from places of which the first is here."""
    found: Lanes = row[places[at : at + WIDE]]
    return found


def store(row: Row, at: Any, lanes: Lanes) -> None:
    """Write lanes, beginning here."""
    row[at : at + WIDE] = lanes


def prefetch(row: Row, at: Any) -> None:
    """Have the cache line of a number brought to the first cache, without waiting for it."""


def spread(number: Any) -> Lanes:
    """The same number in all lanes."""
    return np.full(WIDE, number, np.float32)


def where_positive(test: Lanes, yes: Lanes, no: Lanes) -> Lanes:
    """One or the other, lane by lane."""
    return np.where(test > 0, yes, no)


class _Type(types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"lanes of {WIDE}")


lanes_type = _Type()
VECTOR = ir.VectorType(ir.FloatType(), WIDE)


@register_model(_Type)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)  # type: ignore[no-untyped-call]


def _place(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), VECTOR.as_pointer())


def _same(builder: Any, number: Any) -> Any:
    found = ir.Constant(VECTOR, ir.Undefined)
    for k in range(WIDE):
        found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), k))
    return found


def _zero() -> Any:
    return ir.Constant(VECTOR, [0.0] * WIDE)


@intrinsic
def _load(context: Any, row: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _place(context, builder, signature.args[0], *given)
        return builder.load(place, align=ALIGNED)

    return lanes_type(row, at), generate


@intrinsic
def _gather(context: Any, row: Any, places: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, given[0]).data
        index = context.make_array(signature.args[1])(context, builder, given[1]).data
        found = ir.Constant(VECTOR, ir.Undefined)
        for k in range(WIDE):
            step = builder.add(given[2], ir.Constant(given[2].type, k))
            number = builder.load(builder.gep(data, [builder.load(builder.gep(index, [step]))]))
            found = builder.insert_element(found, number, ir.Constant(ir.IntType(32), k))
        return found

    return lanes_type(row, places, at), generate


@intrinsic
def _store(context: Any, row: Any, at: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        place = _place(context, builder, signature.args[0], given[0], given[1])
        builder.store(given[2], place, align=ALIGNED)
        return context.get_dummy_value()

    return types.void(row, at, lanes), generate


@intrinsic
def _prefetch(context: Any, row: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        fetch = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, kind, "llvm.prefetch.p0i8"
        )
        place = builder.bitcast(_place(context, builder, signature.args[0], *given), byte)
        builder.call(fetch, [place, *(ir.Constant(word, each) for each in (READ, OFTEN, DATA))])
        return context.get_dummy_value()

    return types.void(row, at), generate


@intrinsic
def _spread(context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _same(builder, given[0])

    return lanes_type(types.float32), generate


@intrinsic
def _where_positive(context: Any, test: Any, yes: Any, no: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", given[0], _zero()), given[1], given[2])

    return lanes_type(test, yes, no), generate


def _operator(name: str) -> Any:
    """An operation on two values, lane by lane."""

    @intrinsic
    def operate(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return getattr(builder, name)(*given)

        return lanes_type(a, b), generate

    return operate


@overload(load, strict=False, inline="always")
def _load_lanes(row: Any, at: Any) -> Any:
    return lambda row, at: _load(row, at)  # type: ignore[call-arg]


@overload(gather, strict=False, inline="always")
def _gather_lanes(row: Any, places: Any, at: Any) -> Any:
    return lambda row, places, at: _gather(row, places, at)  # type: ignore[call-arg]


@overload(store, strict=False, inline="always")
def _store_lanes(row: Any, at: Any, lanes: Any) -> Any:
    return lambda row, at, lanes: _store(row, at, lanes)  # type: ignore[call-arg]


@overload(prefetch, strict=False, inline="always")
def _prefetch_line(row: Any, at: Any) -> Any:
    return lambda row, at: _prefetch(row, at)  # type: ignore[call-arg]


@overload(spread, strict=False, inline="always")
def _spread_number(number: Any) -> Any:
    return lambda number: _spread(number)  # type: ignore[call-arg]


@overload(where_positive, strict=False, inline="always")
def _choose(test: Any, yes: Any, no: Any) -> Any:
    return lambda test, yes, no: _where_positive(test, yes, no)  # type: ignore[call-arg]


def _teach(sign: Any, name: str) -> None:
    operate = _operator(name)

    @overload(sign, strict=False, inline="always")
    def apply(a: Any, b: Any) -> Any:
        if isinstance(a, _Type) and isinstance(b, _Type):
            return lambda a, b: operate(a, b)
        return None


for _sign, _name in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _teach(_sign, _name)
