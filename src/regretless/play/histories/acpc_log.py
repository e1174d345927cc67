"""Logs of matches, as the ACPC dealer writes them: one line per hand.

    # name/game/hands/seed kuhn3p kuhn.limit.3p.game 200 42
    STATE:0:rcc:Ks|As|Js:-2|4|-2:p1|p2|p3
    SCORE:-2|4|-2:p1|p2|p3

Logs of the first competitions have names before values; the numbers show which is which. A log
is read line by line, and nothing of it is kept in memory."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from regretless.core.errors import BadFile, BadParameter
from regretless.core.files import reading
from regretless.games._betting import PokerRules
from regretless.play.histories._check import Checker
from regretless.play.records import Hand

_CARDS = "(?:[2-9TJQKA][cdhs])*"
_NUMBERS = r"-?[0-9]{1,15}(?:\.[0-9]{1,9})?"
_LINE = re.compile(
    rf"STATE:([0-9]{{1,18}}):([fcr0-9/]*):({_CARDS}(?:\|{_CARDS})+(?:/{_CARDS})*):"
    r"([^:]+):([^:]+)"
)
_VALUES = re.compile(rf"{_NUMBERS}(?:\|{_NUMBERS})+")
_SCORE = re.compile(r"SCORE:([^:]+):([^:]+)")
_HEADER = re.compile(r"# name/game/hands/seed (.*) (\S+) ([0-9]{1,18}) ([0-9]{1,18})$")
_FIELDS = "STATE:number:betting:cards:values:names"
_KEPT = 4096  # cached texts of payoffs and names: a log repeats them
ROUNDING = 1e-5  # values have six decimals, so their sum may differ from zero by this


class CutLine(UserWarning):
    """The last line of a log is incomplete."""


class Header(NamedTuple):
    """The contents of the first comment of a log."""

    name: str
    game: str
    hands: int
    seed: int


class Score(NamedTuple):
    """The contents of the last line of a log; players in the order of seats."""

    totals: tuple[float, ...]
    names: tuple[str, ...]


def read_log(
    source: str | Path | Iterable[str], *, name: str = "", check: PokerRules | None = None
) -> Log:
    """The hands of a log, one by one. With `check` they are replayed by these rules.

    `name` is the source in error messages, if it is not a file. An incomplete last line is
    skipped, with the warning `CutLine`."""
    return Log(source, name=name, check=check)


class Log(Iterator[Hand]):
    """A log being read: its hands, and its header and score so far."""

    def __init__(
        self, source: str | Path | Iterable[str], *, name: str = "", check: PokerRules | None = None
    ) -> None:
        self.name = name or (str(source) if isinstance(source, str | Path) else "log")
        self.header: Header | None = None
        self.score: Score | None = None
        self.line = 0  # of the last hand
        self.cut = False  # whether the last line is incomplete
        self._checker = Checker(check) if check is not None else None
        self._hands = self._read(source)

    def __next__(self) -> Hand:
        return next(self._hands)

    def _read(self, source: str | Path | Iterable[str]) -> Iterator[Hand]:
        if not isinstance(source, str | Path):
            yield from self._parse(source)
            return
        # Invalid UTF-8 in a name is kept as \xNN: no reason to refuse a log.
        with reading(source, "a log", errors="backslashreplace") as stream:
            yield from self._parse(stream)

    def _parse(self, lines: Iterable[str]) -> Iterator[Hand]:
        ended = False  # some line has its end: then a last line without one may be incomplete
        names: frozenset[str] = frozenset()
        for self.line, raw in enumerate(lines, start=1):
            text = raw.rstrip("\r\n")
            whole = len(text) < len(raw) or not ended
            ended = ended or len(text) < len(raw)
            try:
                hand = self._hand(text)
            except BadFile:
                if whole:
                    raise
                self._warn()
                return
            if hand is None:
                continue
            if not whole and (abs(sum(hand.payoffs)) > ROUNDING or {*hand.names} != names):
                self._warn()
                return
            if not names:
                names = frozenset(hand.names)
            yield hand

    def _hand(self, text: str) -> Hand | None:
        """The hand of a line, or None for other lines."""
        match = _LINE.fullmatch(text)
        if match is None:
            self._other(text)
            return None
        number, betting, cards, values, names = match.groups()
        if not _VALUES.fullmatch(values):
            values, names = names, values  # as in the first competitions
            if not _VALUES.fullmatch(values):
                raise self._bad(f"got {names!r} and {values!r}: one must be numbers such as -5|5")
        payoffs = tuple(map(float, values.split("|")))
        players = tuple(names.split("|"))
        if not len(payoffs) == len(players) == cards.count("|") + 1:
            raise self._bad(
                f"got {cards.count('|') + 1} hands of cards, {len(payoffs)} values and "
                f"{len(players)} names: must be equally many"
            )
        hand = Hand(int(number), betting, cards, payoffs, players)
        if self._checker is not None and (wrong := self._checker.difference(hand)):
            raise self._bad(wrong)
        return hand

    def _other(self, text: str) -> None:
        if not text.strip() or text[0] in "#;":
            if found := _HEADER.match(text):
                self.header = Header(found[1], found[2], int(found[3]), int(found[4]))
        elif text.startswith("SCORE:"):
            self.score = self._score(text)
        else:
            raise self._bad(_complaint(text))

    def _score(self, text: str) -> Score:
        score = _SCORE.fullmatch(text)
        if score is not None:
            values, names = score.groups()
            if not _VALUES.fullmatch(values):
                values, names = names, values
            if _VALUES.fullmatch(values) and values.count("|") == names.count("|"):
                totals = tuple(map(float, values.split("|")))
                return Score(totals, tuple(names.split("|")))
        raise self._bad(f"got {_short(text)}, expected SCORE:values:names")

    def _bad(self, problem: str) -> BadFile:
        return BadFile(self.name, problem, line=self.line, column=1)

    def _warn(self) -> None:
        self.cut = True
        warnings.warn(
            f"{self.name}:{self.line}: the last line is incomplete and was skipped", CutLine, 2
        )


def write_header(
    name: str,
    game: str,
    hands: int,
    seed: int,
    *,
    response_ms: int = 600_000,
    hand_ms: int = 600_000,
    per_hand_ms: int = 7_000,
) -> str:
    """The comments at the top of a log, without the last line end."""
    return (
        f"# name/game/hands/seed {_plain(name)} {_plain(game)} {hands} {seed}\n"
        f"#--t_response {response_ms}\n#--t_hand {hand_ms}\n#--t_per_hand {per_hand_ms}"
    )


def write_hand(hand: Hand) -> str:
    """The line of a hand, without its end."""
    values, names = _values(hand.payoffs), _joined(hand.names)
    return f"STATE:{hand.number}:{hand.betting}:{hand.cards}:{values}:{names}"


def write_score(totals: Sequence[float], names: Sequence[str]) -> str:
    """The last line of a log, without its end; players in the order of seats."""
    return f"SCORE:{_values(tuple(totals))}:{_joined(tuple(names))}"


def chips(amount: float) -> str:
    """An amount in the format of the dealer: at most six decimals, never -0."""
    text = f"{amount:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def check_name(name: str) -> None:
    """Raise unless a log can contain this player name."""
    # Command-line bytes that are not UTF-8 arrive as surrogates, which no file accepts.
    if not isinstance(name, str) or not name or re.search(r"[:|\r\n\ud800-\udfff]", name):
        raise BadParameter(
            f"player name {name!r}: must not be empty or contain :, | or bytes that are not UTF-8"
        )


@lru_cache(maxsize=_KEPT)
def _values(payoffs: tuple[float, ...]) -> str:
    return "|".join(map(chips, payoffs))


@lru_cache(maxsize=_KEPT)
def _joined(names: tuple[str, ...]) -> str:
    for name in names:
        check_name(name)
    return "|".join(names)


def _plain(text: str) -> str:
    """The text as one word: the header is read word by word."""
    return re.sub(r"\s+", "_", text) or "-"


def _complaint(text: str) -> str:
    """What is wrong with a line that is not a hand."""
    fields = text.split(":")
    if fields[0] != "STATE":
        return f"got {_short(text)}, expected STATE:…, SCORE:… or a comment"
    if len(fields) != 6:
        return f"got {len(fields)} fields in {_short(text)}, expected {_FIELDS}"
    if not re.fullmatch("[0-9]{1,18}", fields[1]):
        return f"number of the hand: got {_short(fields[1])}, expected a whole number"
    if not re.fullmatch("[fcr0-9/]*", fields[2]):
        return f"betting: got {_short(fields[2])}, expected f, c, r with a number, and /"
    if not fields[4] or not fields[5]:
        return f"got no values or no names in {_short(text)}, expected {_FIELDS}"
    return f"cards: got {_short(fields[3])}, expected e.g. Qh|Ks/As"


def _short(text: str, most: int = 60) -> str:
    return repr(text if len(text) <= most else text[:most] + "…")
