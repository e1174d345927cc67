"""Validated values from the tables of a spot; errors name the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any

from regretless.core.errors import BadInput, BadParameter, UnknownName

PLAYERS = ("oop", "ip")  # out of position, in position


class BadSpot(BadParameter):
    """An invalid value in a spot; `key` says where, such as `ranges.oop`."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(f"{key}: {problem}")
        self.key, self.problem = key, problem


@contextmanager
def under(key: str) -> Iterator[None]:
    """Errors within this context are prefixed with the key."""
    try:
        yield
    except BadSpot as error:
        raise BadSpot(f"{key}.{error.key}", error.problem) from None
    except BadInput as error:
        raise BadSpot(key, str(error)) from None


def checked_table(
    given: object, known: Sequence[str], *, needed: Sequence[str] = ()
) -> Mapping[str, Any]:
    """A table with known keys only, including all required ones."""
    if not isinstance(given, Mapping):
        raise BadParameter(f"got {given!r}, expected a table of {', '.join(known)}")
    for key in given:
        if key not in known:
            raise UnknownName("key", str(key), known)
    for key in needed:
        if key not in given:
            raise BadSpot(key, "is missing")
    return given


def listed(given: object) -> Sequence[Any]:
    """A list of values."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise BadParameter(f"got {given!r}, expected a list of numbers")
    return given


def whole(key: str, given: object, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise BadSpot(key, f"got {given!r}, expected a whole number")
    if not low <= given <= high:
        raise BadSpot(key, f"got {given}, must be {low} to {high}")
    return given


def fraction(key: str, given: object, high: float) -> float:
    """A number of at least 0."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadSpot(key, f"got {given!r}, expected a number")
    if not isfinite(given) or not 0 <= given <= high:
        raise BadSpot(key, f"got {given}, must be 0 to {high:g}")
    return float(given)
