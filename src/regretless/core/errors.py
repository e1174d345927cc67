"""All errors that are raised on purpose.

    RegretlessError
    ├── BadInput              a request that cannot be understood
    │   ├── UnknownName       no game, method, parameter or decision of that name
    │   ├── BadParameter      a parameter outside its range, or of the wrong kind
    │   ├── BadFile           a file that is not what it should be (path, line, column)
    │   └── WrongGame         a strategy that belongs to another game
    ├── IllegalMove           an action the rules do not allow here
    ├── Unsuitable            an algorithm that cannot solve this kind of game
    │   └── ImperfectRecall   a player forgets what it knew or did
    ├── Unsolved              a program that HiGHS could not solve (its status)
    ├── Interrupted           Ctrl-C, before there was anything to keep
    └── TooLarge              the work does not fit in memory

Every message is one line that says what, got and allowed."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path


class RegretlessError(Exception):
    """Base of all errors raised on purpose."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*(printable(one) if isinstance(one, str) else one for one in arguments))


class BadInput(RegretlessError):
    """A request that cannot be understood."""


class UnknownName(BadInput):
    """No such name; the message lists the nearest ones."""

    def __init__(self, what: str, got: str, known: Iterable[str]) -> None:
        import difflib  # slow to load, and rarely needed

        names = sorted(known)
        near = difflib.get_close_matches(got.lower(), names, n=3, cutoff=0.5)
        known_text = f"known: {_shortened(names)}" if names else "there are none"
        known_text = f"did you mean {_either(near)}?" if near else known_text
        super().__init__(f"unknown {what} {shown(got)}; {known_text}")


class BadParameter(BadInput):
    """A parameter outside its range, or of the wrong kind."""


class BadFile(BadInput):
    """A file that is not what it should be."""

    def __init__(self, path: str | Path, problem: str, *, line: int = 0, column: int = 0) -> None:
        place = f"{path}:{line}:{column}" if line else path
        super().__init__(f"{place}: {problem}")
        self.line, self.column = line, column


class WrongGame(BadInput):
    """A strategy that belongs to another game."""


class IllegalMove(RegretlessError):
    """An action the rules do not allow here."""


class Unsuitable(RegretlessError):
    """The algorithm cannot solve this kind of game."""


class ImperfectRecall(Unsuitable):
    """A player forgets what it knew or did."""


class Unsolved(RegretlessError):
    """A linear program has no solution that could be found."""


class Interrupted(RegretlessError):
    """Ctrl-C, before there was anything to keep."""


class TooLarge(RegretlessError):
    """The work does not fit in memory."""


def within(name: str, got: int | float, low: int | float, high: int | float) -> None:
    """Raise unless low <= got <= high."""
    # Integers of any size, so that user input needs no conversion first.
    if not isinstance(got, Real) or not low <= got <= high:
        allowed = " to ".join(dict.fromkeys((_written(low), _written(high))))
        raise BadParameter(f"{name}={shown(got)}: must be {allowed}")


def whole(name: str, got: object, low: int, high: int) -> int:
    """The argument as an int; raise unless it is a whole number from low to high."""
    if isinstance(got, bool) or not isinstance(got, Integral):
        span = f"{_written(low)} to {_written(high)}"
        raise BadParameter(f"{name}={shown(got)}: must be a whole number, {span}")
    within(name, int(got), low, high)
    return int(got)


def number(name: str, got: object) -> float:
    """The argument as a float; raise unless it is a number."""
    if isinstance(got, bool) or not isinstance(got, Real):
        raise BadParameter(f"{name}={shown(got)}: must be a number")
    return float(got)


def one_of(name: str, got: object, allowed: Iterable[str]) -> None:
    """Raise unless the argument is one of these words."""
    words = list(allowed)
    if got not in words:
        raise BadParameter(f"{name}={got}: must be {_either(words)}")


def printable(text: str) -> str:
    """The text in one line: control characters, which could disturb a terminal, are escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(value: object, most: int = 60) -> str:
    """A value as shown in a message: in one line, truncated."""
    try:
        text = " ".join((repr(value) if isinstance(value, str) else str(value)).split())
    except ValueError:  # a whole number of thousands of digits
        text = f"a {type(value).__name__} too long to print"
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _written(bound: int | float) -> str:
    return f"{int(bound):,}" if bound == bound // 1 and abs(bound) < 1e16 else str(bound)


def _either(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _shortened(names: list[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
