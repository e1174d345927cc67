"""Poker rules as text: the game definitions of the Annual Computer Poker Competition.

As in the ACPC dealer, a line starts with its key, in upper or lower case; `=` is optional;
the last line for a key wins; nothing is read after `end gamedef`. Unlike the dealer, we
warn about a line without a known key, and a wrong number of values is an error."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import NamedTuple

from regretless.core.errors import BadFile, BadParameter
from regretless.core.files import read_text
from regretless.games._betting import NO_CAP, NO_LIMIT_STACK, PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import Game

# The range of every value of a key.
_KEYS = {
    "numPlayers": (2, 10),
    "numRounds": (1, 4),
    "stack": (0, NO_LIMIT_STACK),
    "blind": (0, NO_LIMIT_STACK),
    "raiseSize": (1, NO_LIMIT_STACK),
    "firstPlayer": (1, 10),
    "maxRaises": (0, NO_CAP),
    "numSuits": (1, 4),
    "numRanks": (1, 13),
    "numHoleCards": (1, 3),
    "numBoardCards": (0, 7),
}
_OPTIONAL = {"stack", "firstPlayer", "maxRaises"}
_END, _NO_LIMIT, _WORDS = "end gamedef", "nolimit", ("gamedef", "limit", "nolimit")


class SkippedLine(UserWarning):
    """A line of a game definition that has no known key."""


def read_acpc(path: str | Path) -> Game:
    """The game that an ACPC definition describes."""
    rules = parse_rules(read_text(path, "a game definition"), path)
    betting = "no-limit" if rules.raises is None else "limit"
    about = f"{betting} poker, {rules.players} players, {rules.ranks}×{rules.suits} cards"
    return poker_game(str(path), rules, about=about)


def parse_rules(text: str, source: str | Path) -> PokerRules:
    """The rules in this text; errors and warnings name it `source`."""
    definition = _Definition(source)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lower().startswith(_END):
            break
        definition.read(number, line.rstrip())
    return definition.rules()


class _Row(NamedTuple):
    """The values of a key and their columns; the last of `columns` is the end of the line."""

    line: int
    columns: list[int]
    values: tuple[int, ...]


class _Definition:
    """The lines read so far."""

    def __init__(self, source: str | Path) -> None:
        self.source = source
        self.rows: dict[str, _Row] = {}
        self.no_limit = False

    def read(self, number: int, line: str) -> None:
        if not line or line.startswith("#"):
            return
        lowered = line.lower()
        for key in _KEYS:
            if lowered.startswith(key.lower()):
                self.rows[key] = self._row(key, number, line)
                return
        for word in _WORDS:
            if lowered.startswith(word):
                if word != "gamedef":
                    self.no_limit = word == _NO_LIMIT
                return
        place = f"{self.source}:{number}:1"
        warnings.warn(f"{place}: skipped {line!r}: no known key", SkippedLine, stacklevel=3)

    def rules(self) -> PokerRules:
        optional = _OPTIONAL | ({"raiseSize"} if self.no_limit else set())
        missing = [key for key in _KEYS if key not in self.rows and key not in optional]
        if missing:
            raise BadFile(self.source, f"missing: {', '.join(missing)}")
        players, rounds = self._one("numPlayers"), self._one("numRounds")
        first = self._many("firstPlayer", rounds, default=1)
        try:
            return PokerRules(
                players=players,
                ranks=self._one("numRanks"),
                suits=self._one("numSuits"),
                hole=self._one("numHoleCards"),
                board=self._many("numBoardCards", rounds),
                blinds=self._many("blind", players),
                first=tuple(position - 1 for position in first),
                caps=self._many("maxRaises", rounds, default=NO_CAP),
                raises=None if self.no_limit else self._many("raiseSize", rounds),
                stacks=self._many("stack", players, default=NO_LIMIT_STACK),
            )
        except BadParameter as error:
            raise BadFile(self.source, str(error)) from error

    def _row(self, key: str, number: int, line: str) -> _Row:
        columns, values = [], []
        rest = re.compile(r"[\s=]*").match(line, len(key))
        for word in re.compile(r"\S+").finditer(line, rest.end() if rest else len(key)):
            if word[0].startswith("#"):
                line = line[: word.start()].rstrip()
                break
            columns.append(word.start() + 1)
            # Ten digits hold every chip count of the dealer.
            if not re.fullmatch(r"[+-]?[0-9]{1,10}", word[0]):
                problem = f"{key}: got {word[0]!r}, expected a whole number"
                raise BadFile(self.source, problem, line=number, column=columns[-1])
            values.append(int(word[0]))
        return _Row(number, [*columns, len(line) + 1], tuple(values))

    def _one(self, key: str) -> int:
        return self._many(key, 1)[0]

    def _many(self, key: str, count: int, default: int | None = None) -> tuple[int, ...]:
        """The values of a key, after checking their number and range."""
        if key not in self.rows and default is not None:
            return (default,) * count
        row, (low, high) = self.rows[key], _KEYS[key]
        got = len(row.values)
        if got != count:
            problem = f"{key}: got {got} {'value' if got == 1 else 'values'}, expected {count}"
            column = row.columns[min(got, count)]
            raise BadFile(self.source, problem, line=row.line, column=column)
        for column, value in zip(row.columns, row.values, strict=False):
            if not low <= value <= high:
                problem = f"{key}: got {value}, must be {low} to {high}"
                raise BadFile(self.source, problem, line=row.line, column=column)
        return row.values
