"""Argument checks for public functions: on any arguments, a failure is a RegretlessError.

Functions check what they know best, with better messages. If one still fails on an argument of
the wrong type, its signature says what was expected: nothing that works is refused."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import wraps
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

import numpy as np

from regretless.core.errors import BadParameter, RegretlessError, shown

RAW = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, AssertionError)
MOST_ITEMS = 1000  # of a sequence that are checked
PLAIN: dict[Any, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    int: ((Integral,), "a whole number"),
    float: ((Real,), "a number"),
    bool: ((bool, np.bool_), "True or False"),
    Path: ((PathLike,), "a path"),
    NoneType: ((NoneType,), "None"),
}


def checked_arguments(function: Callable[..., Any], module: str, name: str) -> Callable[..., Any]:
    """The function under its public name; its failures name the wrong argument."""
    signature = inspect.signature(function)

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            made = function(*given, **named)
        except RAW as error:
            _blame(function, signature, given, named, error)
            raise
        if not inspect.isgenerator(made):
            return made
        return _watched(made, lambda error: _blame(function, signature, given, named, error))

    call.__module__, call.__qualname__ = module, name  # where other processes find it
    return call


def _watched(made: Any, blame: Callable[[Exception], None]) -> Any:
    try:
        yield from made
    except RAW as error:
        blame(error)
        raise


def _blame(
    function: Callable[..., Any],
    signature: inspect.Signature,
    given: tuple[Any, ...],
    named: dict[str, Any],
    error: Exception,
) -> None:
    """Raise for the first argument whose type does not fit the signature."""
    if isinstance(error, RegretlessError):
        return
    try:
        bound = signature.bind(*given, **named)
    except TypeError:
        return  # Python's own message is about the signature
    for name, value in bound.arguments.items():
        if isinstance(value, str | Path) and (problem := _unspeakable(str(value))):
            raise BadParameter(f"{name}={shown(str(value))}: {problem}")
        kind = annotation(function, signature.parameters[name])
        if not fits(value, kind):
            raise BadParameter(f"{name}={shown(value)}: must be {said(kind)}") from error


def _unspeakable(text: str) -> str:
    """What keeps a text from being a name, if anything does."""
    if "\0" in text:
        return "must not contain a null character"
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        return "has a character that no file name can have"
    return ""


def annotation(function: Callable[..., Any], parameter: inspect.Parameter) -> Any:
    """The type of a parameter; Any if it is not known at run time."""
    written = parameter.annotation
    if not isinstance(written, str):
        return Any if written is parameter.empty else written
    try:
        return eval(written, vars(sys.modules[function.__module__]))  # ours, never a user's text
    except NameError:
        return Any


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type; True if in doubt."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if kind is None or kind in PLAIN:
        allowed = PLAIN[kind or NoneType][0]
        return isinstance(value, allowed) and (kind is bool or not isinstance(value, bool))
    if origin is Mapping or origin is dict:
        return isinstance(value, Mapping) and all(fits(one, inner[1]) for one in value.values())
    if origin in (Sequence, list, tuple):
        if not isinstance(value, Sequence | np.ndarray) or isinstance(value, str | bytes):
            return False
        return origin is tuple or all(fits(one, inner[0]) for one in value[:MOST_ITEMS])
    if origin is Iterable:
        return isinstance(value, Iterable)
    if origin is Callable:
        return callable(value)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray)
    if kind is Any or not isinstance(kind, type):
        return True
    if getattr(kind, "_is_protocol", False):
        needed = [one for one in vars(kind) if not one.startswith("_")]
        return all(hasattr(type(value), one) for one in needed)
    return isinstance(value, kind) or (issubclass(kind, Enum) and isinstance(value, str))


def said(kind: Any) -> str:
    """A type in the words of a message."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        words = list(dict.fromkeys(map(said, inner)))
        return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
    if kind is None or kind in PLAIN:
        return PLAIN[kind or NoneType][1]
    named: dict[Any, str] = {
        Mapping: "a dictionary",
        Iterable: "something to iterate over",
        tuple: "a tuple",
    }
    named |= {Sequence: "a list", list: "a list", Callable: "a function", np.ndarray: "an array"}
    if origin in named:
        return named[origin]
    article = "an" if getattr(kind, "__name__", "x")[0] in "AEIOU" else "a"
    return f"{article} {getattr(kind, '__name__', kind)}"
