"""Hands of real tables in PHH files: cents, hidden cards, antes, straddles, late posts.

Files written by programs have one field per line and a heading before each hand. These are read
directly, which is ten times as fast as TOML; anything else is read as TOML. Both ways give
the same fields, which a test checks."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, TextIO

from regretless.core.files import reading
from regretless.play.histories.seen import ENDLESS, Following, Posts, SeenHand, Unreadable

CHUNK = 1 << 20  # characters read at a time
_HEADING = re.compile(r"^[ \t]*\[[ \t]*[0-9]+[ \t]*\][ \t]*(?:#.*)?$", re.MULTILINE)
_CARDS = re.compile(r"(?:[2-9TJQKA][cdhs]|\?\?)+")
_AMOUNT = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,6}))?")
_ARRAYS = (
    "antes",
    "blinds_or_straddles",
    "starting_stacks",
    "winnings",
    "finishing_stacks",
    "_payoffs",  # written by us: exact shares of a pot
)
_TEXTS = ("actions", "players")
_FLAG = "ante_trimming_status"
_SINGLE = ("variant", _FLAG, "min_bet", "small_bet", "big_bet", "hand", "venue", "table")
_MONEY = ("currency", "currency_symbol")
_WANTED = frozenset((*_ARRAYS, *_TEXTS, *_SINGLE, *_MONEY))
_FIELD = re.compile(r"^([a-z_]+) = (.+)$", re.MULTILINE)
_FOLD, _CALL, _HIDDEN = range(3)
_OTHER = -1, -1
Fields = Mapping[str, Any]  # numbers as texts, as money is not a binary fraction


def read_seen(path: str | Path) -> Iterator[SeenHand | Unreadable]:
    """The hands of a `.phh` or `.phhs` file; an unreadable hand is yielded as its error."""
    with reading(path, "a hand history") as stream:
        yield from parse_seen(stream, name=str(path))


def parse_seen(stream: TextIO, *, name: str = "phh") -> Iterator[SeenHand | Unreadable]:
    """The same, from an open file."""
    for line, block in _blocks(stream):
        if block.isspace() or not block:
            continue
        try:
            yield _read(block)
        except Unreadable as error:
            yield Unreadable(f"{name}:{line}: {error}" if line else f"{name}: {error}")


def _read(block: str) -> SeenHand:
    fields = plain_fields(block)
    if fields is not None:
        with suppress(Unreadable):  # perhaps it is only not as simple as it looked
            return seen_hand(fields)
    return seen_hand(toml_fields(block))


def _blocks(stream: TextIO) -> Iterator[tuple[int, str]]:
    """The text below each heading, and the line of the heading; 0 before the first."""
    held, line, counted = "", 0, 1  # a block that may continue, its heading, the line it begins on
    while part := stream.read(CHUNK):
        held += part if part.endswith("\n") else part + stream.readline()
        begin = 0
        for found in _HEADING.finditer(held):
            block = held[begin : found.start()]
            yield line, block
            counted += block.count("\n")
            line, begin = counted, found.end()
        held = held[begin:]
    yield line, held


def plain_fields(block: str) -> Fields | None:
    """The fields of a hand with one field per line; None if it has another layout."""
    lines = block.strip("\n").count("\n") + 1
    pairs = _FIELD.findall(block)
    given: dict[str, str] = dict(pairs)
    if not len(given) == len(pairs) == lines:
        return None
    fields: dict[str, Any] = {}
    for key in _WANTED & given.keys():
        value = given[key]
        if key in _TEXTS:
            # Anything other than plain texts in single quotes: escapes, or a comment after it.
            if value[:2] != "['" or value[-2:] != "']" or '"' in value or "'] #" in value:
                return None
            fields[key] = value[2:-2].split("', '")
        elif key in _ARRAYS:
            if value[0] != "[" or value[-1] != "]":
                return None
            fields[key] = value[1:-1].split(", ")
        elif value[0] == value[-1] == "'" and value.count("'") == 2:
            fields[key] = value[1:-1]
        elif not value.replace(".", "", 1).isalnum():
            return None
        else:
            fields[key] = value
    return fields


def toml_fields(text: str) -> Fields:
    """The same fields, by a full TOML parser."""
    try:
        # Floats stay texts: 961.80 dollars are 96180 cents, but not a binary fraction.
        found = tomllib.loads(text, parse_float=str)
    except ValueError as error:
        raise Unreadable(f"not TOML: {error}") from None
    except RecursionError:
        raise Unreadable("brackets are nested too deeply") from None
    fields: dict[str, Any] = {}
    for key in _WANTED & found.keys():
        value = found[key]
        many = key in _ARRAYS or key in _TEXTS
        if isinstance(value, list) != many:
            raise Unreadable(f"{key}: must be {'an array' if many else 'one value'}")
        if key == _FLAG and isinstance(value, bool):
            value = str(value).lower()
        parts = value if many else [value]
        kinds = (str,) if key in _TEXTS else (int, str)
        if any(isinstance(part, bool) or not isinstance(part, kinds) for part in parts):
            raise Unreadable(f"{key}: got {value!r}")
        fields[key] = [str(part) for part in value] if many else str(value)
    return fields


def seen_hand(fields: Fields) -> SeenHand:
    """The hand described by these fields."""
    if fields.get("variant") not in ("NT", "FT"):
        got = fields.get("variant")
        raise Unreadable(f"variant: got {got!r}, must be 'FT' or 'NT' (Texas hold'em)")
    for name in ("actions", "starting_stacks", "blinds_or_straddles"):
        if name not in fields:
            raise Unreadable(f"{name}: missing")
    amount = _Amounts(fields)
    stacks = [amount(text) for text in fields["starting_stacks"]]
    if min(stacks, default=0) < 0:
        raise Unreadable(f"starting_stacks: got {min(stacks) // amount.unit}, must be 0 or more")
    count = len(stacks)
    posts = _posts(fields, amount, count)
    followed = Following(stacks, posts)
    usual = _usual(count)
    for text in fields["actions"]:
        what, position = usual.get(text, _OTHER)
        if what == _FOLD:
            followed.fold(position)
        elif what == _CALL:
            followed.call(position)
        elif what != _HIDDEN:
            _act(followed, text, amount)
    names = fields.get("players") or [f"p{p}" for p in range(1, count + 1)]
    told = {
        name: _told(fields, name, count, amount.unit)
        for name in ("winnings", "finishing_stacks", "_payoffs")
    }
    number = fields.get("hand", "0")
    return followed.finished(
        int(number) if number.isdecimal() and len(number) < 19 else 0,
        [_name(text, p) for p, text in enumerate(_counted("players", names, count), 1)],
        collected=told["winnings"],
        finishing=told["finishing_stacks"],
        payoffs=told["_payoffs"],
        site=fields.get("venue", ""),
        table=fields.get("table", ""),
    )


class _Amounts:
    """Amounts as whole numbers of the smallest unit."""

    _known: dict[tuple[str, int], int] = {}  # noqa: RUF012 - shared by all hands on purpose

    def __init__(self, fields: Fields) -> None:
        texts = [*fields["starting_stacks"], *fields["blinds_or_straddles"]]
        texts += [*fields.get("antes", ()), *(act for act in fields["actions"] if "." in act)]
        money = "currency" in fields or "currency_symbol" in fields
        self.unit = 100 if money or any("." in text for text in texts) else 1

    def __call__(self, text: str) -> int:
        amount = self._known.get((text, self.unit))
        if amount is None:
            if len(self._known) > 100_000:
                self._known.clear()
            amount = self._known[text, self.unit] = self._read(text)
        return amount

    def _read(self, text: str) -> int:
        if text in ("inf", "+inf"):
            return ENDLESS
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise Unreadable(f"amount {text!r}: must be a number")
        sign, whole, part = match[1], int(match[2]), (match[3] or "").rstrip("0")
        digits = 2 if self.unit == 100 else 0
        if len(part) > digits:
            raise Unreadable(f"amount {text!r}: must have at most two decimals")
        value = whole * self.unit + int(part.ljust(digits, "0") or 0)
        return -value if sign else value


def _posts(fields: Fields, amount: _Amounts, count: int) -> Posts:
    raw = [amount(text) for text in _counted("blinds", fields["blinds_or_straddles"], count)]
    antes = [amount(text) for text in fields.get("antes") or ["0"] * count]
    antes = [amount("0")] * count if not antes else _counted("antes", antes, count)
    if min(antes) < 0 or max(map(abs, raw)) >= ENDLESS:
        raise Unreadable(f"antes {antes}, blinds {raw}: must be 0 or more, and finite")
    # Heads-up the order is reversed, for antes too, as the button posts the small blind.
    blinds = raw[::-1] if count == 2 else raw
    antes = antes[::-1] if count == 2 else antes
    small, big = (raw[0], raw[1])
    odd = any(raw[2:]) or small > big or not small or small < 0 or big <= 0
    limits = None
    if fields["variant"] == "FT":
        limits = amount(fields.get("small_bet", "")), amount(fields.get("big_bet", ""))
        unit_bet = limits[0]
    else:
        unit_bet = amount(fields["min_bet"]) if "min_bet" in fields else max(raw)
    live = tuple(map(abs, blinds))
    # The bet to call is the largest at the table, even if it was posted short or late.
    big_blind = max(unit_bet, 1) if odd else max(live)
    trimmed = fields.get(_FLAG) == "true"
    return Posts(tuple(antes), live, big_blind, amount.unit, limits, odd, trimmed)


@lru_cache
def _usual(count: int) -> dict[str, tuple[int, int]]:
    """The most common actions by their text, so that they need no parsing."""
    found = {}
    for position in range(count):
        player = f"p{position + 1}"
        found[f"{player} f"] = _FOLD, position
        found[f"{player} cc"] = _CALL, position
        found[f"d dh {player} ????"] = found[f"{player} sm ????"] = _HIDDEN, position
    return found


def _act(followed: Following, text: str, amount: _Amounts) -> None:
    words = text.split()
    if "#" in text:
        words = text.partition("#")[0].split()
    match words:
        case [player, "f"]:
            followed.fold(_position(player, followed.count))
        case [player, "cc"]:
            followed.call(_position(player, followed.count))
        case [player, "cbr", to]:
            followed.raise_to(_position(player, followed.count), amount(to))
        case ["d", "dh", player, cards] | [player, "sm", cards] if player != "d":
            position = _position(player, followed.count)
            if cards != "-":
                _require_cards(cards, 4)
                followed.hold(position, cards)
        case ["d", "db", cards]:
            _require_cards(cards, len(cards))
            if "?" in cards:
                raise Unreadable(f"board {cards}: hidden")
            followed.board(cards)
        case [player, "sm"]:
            _position(player, followed.count)
        case []:
            pass
        case _:
            raise Unreadable(f"action {text!r}: must be dh, db, f, cc, cbr or sm")


def _require_cards(cards: str, length: int) -> None:
    if len(cards) != length or not _CARDS.fullmatch(cards):
        raise Unreadable(f"cards {cards!r}: must be e.g. AhTd, or ???? if unknown")


def _position(player: str, count: int) -> int:
    if player[:1] != "p" or not player[1:].isdecimal() or not 1 <= int(player[1:3]) <= count:
        raise Unreadable(f"player {player!r}: must be p1 to p{count}")
    return int(player[1:]) - 1


def _told(fields: Fields, name: str, count: int, unit: int) -> list[float] | None:
    """The results in the file: shares of a pot may be any fraction."""
    if name not in fields:
        return None
    try:
        amounts = [unit * float(text) for text in _counted(name, fields[name], count)]
    except ValueError:
        raise Unreadable(f"{name}: got {fields[name]!r}, must be numbers") from None
    return [round(x, 6) for x in amounts] if all(map(isfinite, amounts)) else None


def _counted(name: str, values: list[Any], count: int) -> list[Any]:
    if len(values) != count:
        raise Unreadable(f"{name}: got {len(values)} values, expected {count}")
    return values


@lru_cache(maxsize=100_000)
def _name(text: str, position: int) -> str:
    # A log cannot contain these characters in a name.
    return re.sub(r"[:|\s]", "_", text) or f"p{position}"
