"""Functions that another module implements: which one, the type of the first argument says.

A learner is one file, and so is a way to evaluate terminals: a NamedTuple, and functions of fixed
names beside it. The sweep is compiled once per type, and contains nothing of the others. An
implementation may leave out last arguments that it does not need."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from numba.extending import overload

Function = TypeVar("Function", bound=Callable[..., Any])


def by_type(function: Function) -> Function:
    """A function of the module in which the type of its first argument is defined; the decorated
    one itself if that module has none of this name."""

    @cache
    def chosen(kind: type) -> tuple[Any, int]:
        found = getattr(sys.modules[kind.__module__], function.__name__, function)
        return found, len(inspect.signature(getattr(found, "py_func", found)).parameters)

    def interpreted(*given: Any) -> Any:
        kind: Any = type(given[0])
        found, count = chosen(kind)
        return found(*given[:count])

    @overload(interpreted, strict=False, jit_options={"_nrt": False})  # type: ignore[typeddict-unknown-key]
    def compiled(*kinds: Any) -> Any:
        found, count = chosen(kinds[0].instance_class)
        return found if found is function else lambda *given: found(*given[:count])

    assert compiled is not None
    return cast(Function, interpreted)
