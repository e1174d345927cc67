"""What Gambit's text files have in common: tokens, the first line, numbers and names.

A file is made of quoted strings, words and the marks { } and comma; white space only
separates. The format is described in the Gambit manual, "Game representation formats".
Differs from it: a backslash in a string is doubled, so that any name can be read back.
Gambit itself shows both, and requires names in printable ASCII."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import fsum, isfinite
from pathlib import Path
from typing import NamedTuple

from regretless.core.errors import BadFile, Unsuitable

TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*+") | (?P<mark>[{},]) | (?P<word>[^\s{},"]+)
    | (?P<unclosed>") | (?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
WHOLE = re.compile(r"-?[0-9]{1,18}")  # products of a few such numbers stay printable
RATIONAL = re.compile(r"([+-]?[0-9]{1,4000})/([0-9]{1,4000})")  # int() takes 4300 digits
DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

SUM_SLACK = 1e-9  # tolerance for the sum of probabilities
SAME = 1e-15  # relative; a probability this close to a fraction is taken to be it
MOST_TERM = 10**6  # of a fraction; beyond it a decimal is just as readable
MOST_EXACT = 1e15  # from here on floats are written with an exponent


class Token(NamedTuple):
    """A piece of the file; `at` is its offset."""

    kind: str  # string, mark, word, unclosed or end
    text: str
    at: int


class Reader:
    """Takes tokens off a text; `token` is the next one."""

    def __init__(self, text: str, source: str | Path) -> None:
        self.text, self.source = text, source
        self._offset = 0
        self.token = self._scan()

    def _scan(self) -> Token:
        match = TOKEN.match(self.text, self._offset)
        assert match is not None
        assert match.lastgroup is not None
        self._offset = match.end()
        kind = match.lastgroup
        # For a file that ends early, report where its text stops, not the blank lines after it.
        at = len(self.text.rstrip()) if kind == "end" else match.start(kind)
        return Token(kind, match[kind], at)

    def take(self) -> Token:
        token = self.token
        self.token = self._scan()
        return token

    def error(self, problem: str, token: Token) -> BadFile:
        """The problem, with the position of the token."""
        line = self.text.count("\n", 0, token.at) + 1
        column = token.at - self.text.rfind("\n", 0, token.at)
        return BadFile(self.source, problem, line=line, column=column)

    def wrong(self, expected: str) -> BadFile:
        """The error for a next token that is not as expected."""
        if self.token.kind == "unclosed":
            return self.error('a string is never closed: expected another "', self.token)
        got = "the file ends" if self.token.kind == "end" else f"found {shown(self.token.text)}"
        return self.error(f"{got}: expected {expected}", self.token)

    def sees(self, mark: str) -> bool:
        return self.token.kind == "mark" and self.token.text == mark

    def mark(self, mark: str, where: str) -> Token:
        if not self.sees(mark):
            raise self.wrong(f"'{mark}' {where}")
        return self.take()

    def word(self, *allowed: str) -> str:
        if self.token.kind != "word" or self.token.text not in allowed:
            raise self.wrong(" or ".join(allowed))
        return self.take().text

    def string(self, what: str) -> str:
        if self.token.kind != "string":
            raise self.wrong(f"{what} in quotes")
        text = self.take().text[1:-1]
        return re.sub(r'\\(["\\])', r"\1", text) if "\\" in text else text

    def maybe_string(self) -> str:
        return self.string("a name") if self.token.kind == "string" else ""

    def strings(self, what: str) -> list[str]:
        """One or more strings in braces."""
        self.mark("{", f"before {what}")
        names = [self.string(what)]
        while not self.sees("}"):
            names.append(self.string(f"'}}' or {what}"))
        self.take()
        return names

    def whole(self, what: str) -> int:
        if self.token.kind != "word" or not WHOLE.fullmatch(self.token.text):
            raise self.wrong(what)
        return int(self.take().text)

    def number(self, what: str) -> float:
        value = _value(self.token.text) if self.token.kind == "word" else None
        if value is None:
            raise self.wrong(f"{what}, such as 2, -0.5, 1e-3 or 1/3")
        if not isfinite(value):
            raise self.error(f"{shown(self.token.text)} is too large", self.token)
        self.take()
        return value

    def payoffs(self, players: int, where: str = "") -> tuple[float, ...]:
        """One number per player, with or without commas between them."""
        values = []
        for player in range(players):
            values.append(self.number(f"payoff {player + 1} of {players}{where}"))
            if self.sees(","):
                self.take()
        return tuple(values)

    def first_line(self, kind: str, version: str) -> tuple[str, list[str]]:
        """Title and players of `EFG 2 R "title" { "player" … }`."""
        self.word(kind)
        self.word(version)
        self.word("R", "D")  # rational or decimal: each number shows which it is
        title = self.string("a title")
        return title, self.strings("a player")

    def end(self) -> None:
        if self.token.kind != "end":
            raise self.wrong("the end of the file")


def _value(text: str) -> float | None:
    rational = RATIONAL.fullmatch(text)
    if rational is None:
        return float(text) if DECIMAL.fullmatch(text) else None
    above, below = int(rational[1]), int(rational[2])
    try:
        return above / below
    except ZeroDivisionError:
        return None
    except OverflowError:
        return float("inf")


def shown(text: str, most: int = 40) -> str:
    """Quoted and on one line, for a message."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


def distinct(names: Sequence[str], numbers: Sequence[int]) -> tuple[str, ...]:
    """The names made unique: duplicates become `name#number`, empty ones `number`."""
    times = Counter(names)
    taken = {name for name in names if name and times[name] == 1}
    texts = []
    for name, number in zip(names, numbers, strict=True):
        text = name
        if name not in taken or times[name] > 1:
            text = f"{name}#{number}" if name else str(number)
            while text in taken:
                text += "'"
            taken.add(text)
        texts.append(text)
    return tuple(texts)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def quoted_list(names: Sequence[str]) -> str:
    return "{ " + " ".join(quoted(name) for name in names) + " }"


def player_list(players: int) -> str:
    return quoted_list([f"Player {player + 1}" for player in range(players)])


@lru_cache(maxsize=65536)
def number_text(value: float, slack: float = 0.0) -> str:
    """The number as a fraction, to a relative error of `slack`, or as the shortest decimal."""
    value = float(value)
    if not isfinite(value):
        raise Unsuitable(f"{value} in a game: Gambit files only hold finite numbers")
    if abs(value) < MOST_EXACT:
        near = Fraction(value).limit_denominator(MOST_TERM)
        plain = near.denominator == 1 or abs(near.numerator) <= MOST_TERM
        if plain and abs(float(near) - value) <= slack * abs(value):
            return str(near)
    return repr(value).replace("e+", "e")  # Gambit reads 1e3, not 1e+3


@lru_cache(maxsize=4096)
def chance_texts(chances: tuple[float, ...]) -> tuple[str, ...]:
    """Probabilities that sum to exactly one, as Gambit requires.

    If they are not fractions, the largest one absorbs the rounding error of the others."""
    if abs(fsum(chances) - 1) > SUM_SLACK:
        raise Unsuitable(f"probabilities sum to {fsum(chances)!r}: expected 1")
    fractions = tuple(number_text(chance, SAME) for chance in chances)
    if sum(map(Fraction, fractions)) == 1:
        return fractions
    texts = [repr(float(chance)) for chance in chances]
    with localcontext(prec=400):  # the smallest float ends 324 digits after the point
        exact = [Decimal(text) for text in texts]
        largest = exact.index(max(exact))
        if rest := 1 - sum(exact):
            texts[largest] = str(exact[largest] + rest)
    return tuple(texts)
