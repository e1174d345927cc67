"""Hands from PHH files: fields are checked, then the actions are played by our rules.

Antes, straddles, fractions of chips and unfinished hands are not supported: a file that has them
is refused with the reason. Payoffs are those of the file if it has them, as they may include odd
chips or rake; otherwise those of the rules."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from regretless.cards.deck import RANKS, SUITS
from regretless.core.errors import BadFile, BadParameter, IllegalMove
from regretless.core.files import read_text, reading
from regretless.games._betting import NO_LIMIT_STACK, Betting, PokerRules
from regretless.play.histories._check import Checker
from regretless.play.histories._holdem import TableFields, rules_from
from regretless.play.records import Hand

_HEADING = re.compile(r"\s*\[\s*[0-9]+\s*\]\s*(#.*)?$")
_CARDS = re.compile(f"(?:[{RANKS}][{SUITS}]|[?]{{2}})+")
MOST_HANDS = 10**18  # hand numbers of a log have at most as many digits
_AMOUNT = re.compile(r"([0-9]{1,12})(?:\.0*)?")


class PhhHand(NamedTuple):
    """A hand and the rules it was played by."""

    rules: PokerRules
    hand: Hand


def read_phh(path: str | Path) -> PhhHand:
    """The hand of a `.phh` file."""
    return parse_phh(read_text(path, "a hand history"), name=str(path))


def read_phhs(path: str | Path) -> Iterator[PhhHand]:
    """The hands of a `.phhs` file, read one by one."""
    with reading(path, "a hand history") as stream:
        yield from parse_phhs(stream, name=str(path))


def parse_phhs(lines: Iterable[str], *, name: str = "phhs") -> Iterator[PhhHand]:
    """The hands in these lines; `name` is their source in error messages."""
    held: list[str] = []
    first = headed = 0
    for number, line in enumerate(lines, start=1):
        if _HEADING.match(line.rstrip()):
            if headed or "".join(held).strip():
                yield parse_phh("\n".join(held), name=name, line=first)
            held, first, headed = [], number, 1
        else:
            held.append(line.rstrip("\r\n"))
    if headed or "".join(held).strip():
        yield parse_phh("\n".join(held), name=name, line=first)


def parse_phh(text: str, *, name: str = "phh", line: int = 0) -> PhhHand:
    """The hand in this text, which begins after line `line` of the file."""
    try:
        fields = tomllib.loads(text)
        table = _Table(fields)
        return PhhHand(table.rules, table.hand())
    except ValueError as error:  # also for a number with thousands of digits
        raise BadFile(name, f"not TOML: {error}", line=line, column=min(line, 1)) from error
    except (_Wrong, BadParameter, IllegalMove) as error:
        raise BadFile(name, str(error), line=line, column=min(line, 1)) from error
    except RecursionError:
        raise BadFile(name, "brackets are nested too deeply", line=line, column=1) from None


class _Wrong(Exception):
    """What is wrong with a field."""


class _Table:
    """The fields of one hand, checked."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.fields = fields
        variant = fields.get("variant")
        if variant not in ("FT", "NT"):
            raise _Wrong(f"variant: got {variant!r}, must be 'FT' or 'NT' (Texas hold'em)")
        stacks = self._numbers("starting_stacks")
        self.players = len(stacks)
        if not 2 <= self.players <= 10:
            raise _Wrong(f"starting_stacks: got {self.players}, must be 2 to 10")
        if any(self._numbers("antes", self.players)):
            raise _Wrong(f"antes: got {fields['antes']}, must be 0")
        blinds = [_whole("blinds_or_straddles", x) for x in self._blinds()]
        if any(blinds[2:]):
            raise _Wrong(f"blinds_or_straddles: got {blinds}, must be two blinds")
        if variant == "NT":
            bets = (self._one("min_bet"),) * 2
        else:
            bets = (self._one("small_bet"), self._one("big_bet"))
        whole = tuple(_whole("starting_stacks", x, endless=True) for x in stacks)
        self.rules = rules_from(TableFields(variant, (blinds[0], blinds[1]), bets, whole))

    def hand(self) -> Hand:
        actions = self.fields.get("actions")
        if not isinstance(actions, list) or not all(isinstance(act, str) for act in actions):
            raise _Wrong("actions: must be an array of strings")
        played = _Played(self.rules)
        for action in actions:
            played.act(action)
        betting = played.finished()
        number = self.fields.get("hand", 0)
        if type(number) is not int or not 0 <= number < MOST_HANDS:
            number = 0  # it is a name: our hands have numbers
        hand = Hand(number, betting.history, played.cards(), (0.0,) * self.players, self._names())
        checker = Checker(self.rules)
        if wrong := checker.difference(hand, payoffs=False):
            raise _Wrong(wrong)
        payoffs = self._told() or checker.payoffs(hand)
        if payoffs is None:
            raise _Wrong(
                "no cards are shown and finishing_stacks is missing: the winner is unknown"
            )
        return hand._replace(payoffs=payoffs)

    def _told(self) -> tuple[float, ...] | None:
        """The payoffs in the file."""
        if "_payoffs" in self.fields:
            return tuple(map(float, self._numbers("_payoffs", self.players, below=True)))
        if "finishing_stacks" in self.fields:
            ends = self._numbers("finishing_stacks", self.players)
            starts = self._numbers("starting_stacks")
            if all(math.isfinite(x) for x in (*starts, *ends)):
                return tuple(float(b - a) for a, b in zip(starts, ends, strict=True))
        return None

    def _names(self) -> tuple[str, ...]:
        names = self.fields.get("players")
        if names is None:
            return tuple(f"p{p}" for p in range(1, self.players + 1))
        if not isinstance(names, list) or len(names) != self.players:
            raise _Wrong(f"players: must be {self.players} names")
        if not all(isinstance(name, str) for name in names):
            raise _Wrong("players: must be an array of strings")
        # A log cannot contain these three characters in a name.
        return tuple(re.sub(r"[:|\s]", "_", name) or f"p{p}" for p, name in enumerate(names, 1))

    def _blinds(self) -> list[float]:
        blinds = self._numbers("blinds_or_straddles")
        if not 2 <= len(blinds) <= self.players:
            raise _Wrong(f"blinds_or_straddles: got {len(blinds)}, expected {self.players}")
        return blinds

    def _one(self, name: str) -> int:
        value = self.fields.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _Wrong(f"{name}: got {value!r}, expected a number")
        return _whole(name, value)

    def _numbers(self, name: str, count: int = 0, *, below: bool = False) -> list[float]:
        values = self.fields.get(name)
        if not isinstance(values, list) or not values:
            raise _Wrong(f"{name}: must be an array of numbers")
        if count and len(values) != count:
            raise _Wrong(f"{name}: got {len(values)} values, expected {count}")
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise _Wrong(f"{name}: got {value!r}, expected a number")
            if abs(value) > 1e15 and (value != math.inf or below):
                raise _Wrong(f"{name}: got a number that is too large")
            if math.isnan(value) or (value < 0 and not below):
                raise _Wrong(f"{name}: got {value}, must be 0 or more")
        return values


class _Played:
    """The hand as far as it was read."""

    def __init__(self, rules: PokerRules) -> None:
        self.rules = rules
        self.betting: Betting = rules.start()
        self.base = 0  # chips that everybody has put in before this round
        self.holes = [""] * rules.players
        self.boards: list[str] = []

    def act(self, action: str) -> None:
        words = action.partition("#")[0].split()
        match words:
            case []:
                pass
            case ["d", "dh", player, cards]:
                self._hold(player, cards)
            case ["d", "db", cards]:
                self.boards.append(_known(cards, action))
            case [player, "f"]:
                self._bet(player, "f", action)
            case [player, "cc"]:
                self._bet(player, "c", action)
            case [player, "cbr", amount]:
                self._bet(player, f"r{self._total(amount)}", action)
            case [player, "sm"]:
                self._position(player)
            case [player, "sm", cards]:
                self._hold(player, cards)
            case _:
                raise _Wrong(f"action {action!r}: must be dh, db, f, cc, cbr or sm")

    def finished(self) -> Betting:
        if not self.betting.over:
            raise _Wrong(f"actions end before the hand: betting is {self.betting.history!r}")
        # Unfinished dealing after an all-in is found by the check of the cards.
        return self.betting

    def cards(self) -> str:
        """The cards in the format of a log."""
        return "|".join(self.holes) + "".join(f"/{cards}" for cards in self.boards)

    def _bet(self, player: str, token: str, action: str) -> None:
        position, before = self._position(player), self.betting
        if position != before.actor:
            turn = f"p{before.actor + 1}'s turn" if before.actor >= 0 else "nobody's turn"
            raise _Wrong(f"action {action!r}: it is {turn}")
        if token[0] == "r" and self.rules.raises is not None:
            limits = before.raise_range()
            if limits is not None and token != f"r{limits[0]}":
                raise _Wrong(f"action {action!r}: must be {limits[0] - self.base}")
        try:
            self.betting = before.act(token)
        except IllegalMove as error:
            raise _Wrong(f"action {action!r}, in chips of the whole hand: {error}") from None
        if self.betting.round > before.round:
            self.base = max(self.betting.spent)

    def _total(self, amount: str) -> int:
        found = _AMOUNT.fullmatch(amount)
        if found is None:
            raise _Wrong(f"amount {amount!r}: must be a whole number of chips")
        return self.base + int(found[1])

    def _hold(self, player: str, cards: str) -> None:
        position = self._position(player)
        if cards == "-":  # shown, as they are known already
            return
        if not _CARDS.fullmatch(cards):
            raise _Wrong(f"cards {cards!r}: must be e.g. AhTd, or ?? if unknown")
        if "?" not in cards:
            self.holes[position] = cards

    def _position(self, player: str) -> int:
        found = re.fullmatch(r"p([0-9]{1,2})", player)
        if found is None or not 1 <= int(found[1]) <= self.rules.players:
            raise _Wrong(f"player {player!r}: must be p1 to p{self.rules.players}")
        return int(found[1]) - 1


def _known(cards: str, action: str) -> str:
    if not _CARDS.fullmatch(cards) or "?" in cards:
        raise _Wrong(f"action {action!r}: must have cards such as AhTd5c")
    return cards


def _whole(name: str, value: float, *, endless: bool = False) -> int:
    if value == math.inf and endless:
        return NO_LIMIT_STACK
    if not math.isfinite(value) or value != int(value) or not 0 <= value <= NO_LIMIT_STACK:
        raise _Wrong(f"{name}: got {value}, expected a whole number of chips")
    return int(value)
