"""The messages of dealer and clients: version 2.0.0 of the ACPC protocol, as bytes.

A client receives `MATCHSTATE:position:hand:betting:cards` and answers with the same line
followed by `:action`. A dealer reads answers leniently: upper case, `k` and `b` as letters,
a space before an amount, text after the action; anything else is a call, and an amount out
of range becomes the nearest legal one."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from regretless.core.errors import BadInput
from regretless.games._betting import PokerRules

VERSION = (2, 0, 0)
LONGEST = 4095  # bytes per line
END = b"\r\n"

_VERSION = re.compile(rb"VERSION:([0-9]{1,10})\.([0-9]{1,10})\.([0-9]{1,10})")
_CARD = "[2-9TJQKAtjqka][cdhsCDHS]"
_STATE = re.compile(
    rf"MATCHSTATE:([0-9]{{1,3}}):([0-9]{{1,10}}):([^:\r\n]*):((?:{_CARD}|[|/])*)".encode()
)
_LETTERS = dict(zip(b"fFcCkKrRbB", "ffccccrrrr", strict=True))
_AMOUNT = rb"\s*[+-]?[0-9]+"
_LIMIT_TOKEN = re.compile(rb"/|[fFcCkKrRbB]")
_NO_LIMIT_TOKEN = re.compile(rb"/|[fFcCkK]|[rRbB]" + _AMOUNT)


class MatchState(NamedTuple):
    """One view of a hand. Positions and hands count from 0."""

    position: int
    hand: int
    betting: str
    cards: str


class Refused(Enum):
    """Why a line is not an answer to what was asked."""

    NOT_A_STATE = "not a match state"
    NOT_ASKED = "not the state that was sent"


def write_version(version: tuple[int, int, int] = VERSION) -> bytes:
    """The first line of a client."""
    return b"VERSION:%d.%d.%d\r\n" % version


def read_version(line: bytes) -> tuple[int, int, int] | None:
    """The version that a client speaks; None if the line has none."""
    version = _VERSION.match(line)
    return (int(version[1]), int(version[2]), int(version[3])) if version else None


def is_comment(line: bytes) -> bool:
    """Whether both sides skip this line."""
    return line.startswith((b"#", b";"))


def read_state(line: bytes) -> MatchState:
    """The state sent by a dealer."""
    text = line.rstrip(END)
    match = _STATE.fullmatch(text)
    if match is None:
        shown = text[:80].decode("ascii", "backslashreplace")
        raise BadInput(f"the dealer sent {shown!r}: expected MATCHSTATE:position:hand:…:…")
    position, hand, betting, cards = match.groups()
    try:
        return MatchState(int(position), int(hand), betting.decode("ascii"), cards.decode())
    except UnicodeDecodeError:
        raise BadInput(f"the dealer sent {line[:80]!r}: expected ASCII") from None


def read_reply(line: bytes, asked: MatchState, rules: PokerRules) -> bytes | Refused:
    """What follows the state in an answer, `:` included; or why it is not an answer.

    The cards of other players, case, and the ends of betting rounds are not compared."""
    match = _STATE.match(line)
    if match is None:
        return Refused.NOT_A_STATE
    if (int(match[1]), int(match[2])) != (asked.position, asked.hand):
        return Refused.NOT_ASKED
    no_limit = rules.raises is None
    if _actions(match[3], no_limit) != _actions(asked.betting.encode(), no_limit):
        return Refused.NOT_ASKED
    cards = _cards_pattern(rules, len(asked.cards.split("/")) - 1)
    echoed, own = cards.match(line, match.start(4)), cards.match(asked.cards.encode())
    if echoed is None or own is None:
        return Refused.NOT_ASKED
    for compared in (f"hole{asked.position}", "board"):
        if (echoed[compared] or b"").lower() != (own[compared] or b"").lower():
            return Refused.NOT_ASKED
    return line[echoed.end() :].rstrip(END)


def read_action(text: bytes, *, fold: bool, raises: tuple[int, int] | None, no_limit: bool) -> str:
    """The legal action that a reply counts as.

    `text` is what `read_reply` returned; `fold` and `raises` are what is legal."""
    letter = _LETTERS.get(text[1]) if text[:1] == b":" and len(text) > 1 else None
    if letter == "f" and fold:
        return "f"
    if letter != "r" or raises is None:
        return "c"
    if not no_limit:
        return "r"
    amount = re.compile(_AMOUNT).match(text, 2)
    if amount is None:
        return "c"
    return f"r{min(max(int(amount[0]), raises[0]), raises[1])}"


def _actions(betting: bytes, no_limit: bool) -> list[str] | None:
    """The actions of a betting text in standard spelling; None if it is not one."""
    token, at, tokens = _NO_LIMIT_TOKEN if no_limit else _LIMIT_TOKEN, 0, []
    while at < len(betting):
        here = token.match(betting, at)
        if here is None:
            return None
        at = here.end()
        if here[0] != b"/":
            amount = here[0][1:]
            tokens.append(_LETTERS[here[0][0]] + (str(int(amount)) if amount else ""))
    return tokens


@lru_cache(maxsize=64)
def _cards_pattern(rules: PokerRules, round: int) -> re.Pattern[bytes]:
    """The cards of a state in this round: one group per position, and one for the board."""
    holes = r"\|".join(f"(?P<hole>(?:{_CARD}){{{rules.hole}}})?" for _ in range(rules.players))
    for position in range(rules.players):
        holes = holes.replace("<hole>", f"<hole{position}>", 1)
    board = "/".join(f"(?:{_CARD}){{{count}}}" for count in rules.board[: round + 1])
    return re.compile(f"{holes}(?P<board>{board})".encode())
