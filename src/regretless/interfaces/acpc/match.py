"""What a dealer is to play, and what of it a log says has been played already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from regretless.core.errors import BadFile, BadParameter, IllegalMove, within
from regretless.games._betting import PokerRules
from regretless.interfaces.acpc.spots import Spot, Spots
from regretless.play.deals import MOST_SEED, Deal, dealt_rows, named
from regretless.play.histories.acpc_log import write_hand, write_header
from regretless.play.histories.acpc_log import write_score as _write_score
from regretless.play.match import arrangements
from regretless.play.records import Hand
from regretless.play.showdown import Order, orders, settled
from regretless.play.table import cards_text

MOST_HANDS = 10**9


class Limits(NamedTuple):
    """How long a seat may think, in milliseconds."""

    response_ms: int = 600_000
    hand_ms: int = 600_000
    per_hand_ms: int = 7_000  # times the hands of the match: over all of them


class Seating(NamedTuple):
    """Seats by position, positions by seat, and names by position."""

    seats: tuple[int, ...]
    positions: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Match:
    """The same seed and names give the same cards in the same seats."""

    name: str
    game: str  # as the log calls it
    rules: PokerRules
    hands: int
    seed: int
    names: tuple[str, ...]  # by seat
    rotate: bool = True  # seats move on by one position every hand
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        within("hands", self.hands, 1, MOST_HANDS)
        within("seed", self.seed, 0, MOST_SEED)
        for limit, got in self.limits._asdict().items():
            within(limit, got, 1, 2**40)
        if len(self.names) != self.rules.players:
            raise BadParameter(
                f"{len(self.names)} player names: the game has {self.rules.players} seats"
            )
        self.score_line([0.0] * len(self.names))  # complains of names that a log cannot hold

    def seating(self, hand: int) -> Seating:
        """Who sits where in this hand."""
        return self._seatings[hand % len(self._seatings)]

    @cached_property
    def _seatings(self) -> list[Seating]:
        found = []
        for seats in arrangements(self.rules.players, rotate=self.rotate):
            positions = tuple(seats.index(seat) for seat in range(len(seats)))
            found.append(Seating(seats, positions, tuple(self.names[seat] for seat in seats)))
        return found

    def dealt(self, first: int) -> Iterator[tuple[Deal, Order]]:
        """Cards from hand `first` on, and the order of the hands at a showdown."""
        for rows in dealt_rows(self.rules, self.seed, first=first):
            yield from zip(named(self.rules, rows), orders(self.rules, rows), strict=True)

    def record(self, number: int, deal: Deal, order: Order, spot: Spot) -> Hand:
        """A hand that is over."""
        if not spot.over:
            raise IllegalMove(f"betting {spot.betting.history!r} is not finished")
        payoffs = settled(spot.betting, order if spot.showdown else ())
        cards = cards_text(deal, spot.betting)
        names = self.seating(number).names
        return Hand(number, spot.betting.history, cards, payoffs, names)

    def header(self) -> str:
        """The comments that begin a log, each with its line end."""
        response, hand, per_hand = self.limits
        return (
            write_header(
                self.name,
                self.game,
                self.hands,
                self.seed,
                response_ms=response,
                hand_ms=hand,
                per_hand_ms=per_hand,
            )
            + "\n"
        )

    def score_line(self, totals: Sequence[float]) -> str:
        """The last line of a log."""
        return _write_score(totals, self.names) + "\n"


@dataclass
class Played:
    """What has been played: how many hands, and what every seat has won in them."""

    hands: int
    totals: list[float]

    def add(self, match: Match, hand: Hand) -> None:
        for seat, won in zip(match.seating(hand.number).seats, hand.payoffs, strict=True):
            self.totals[seat] += won
        self.hands += 1


def nothing_played(match: Match) -> Played:
    """The beginning of a match."""
    return Played(0, [0.0] * len(match.names))


def read_played(match: Match, path: Path) -> tuple[Played, int, bool]:
    """What a log holds of this match: the hands, the bytes of whole lines, and is it all.

    Every hand is compared with what the seed deals and the rules pay. Totals are summed from
    exact payoffs, as the log has but six decimals."""
    played, score = nothing_played(match), ""
    header = match.header().encode()
    try:
        with path.open("rb") as stream:
            begun = stream.read(len(header))
            if begun != header:
                if header.startswith(begun):
                    return played, 0, False  # killed while it wrote the header
                needed = header.decode().splitlines()[0]
                raise BadFile(path, f"log of another match: needed is {needed!r}")
            size, checking = len(begun), _Checking(match, path)
            for line, text in enumerate(stream, start=header.count(b"\n") + 1):
                if not text.endswith(b"\n"):
                    break
                score = checking.check(played, text.decode(), line)
                size += len(text)
    except OSError as error:
        raise BadFile(path, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadFile(path, "not a log: this is no text") from error
    return played, size, bool(score)


class _Checking:
    """Compares the lines of a log with what the match must have written."""

    def __init__(self, match: Match, path: Path) -> None:
        self.match, self.path = match, path
        self._spots, self._dealt = Spots(match.rules), match.dealt(0)

    def check(self, played: Played, text: str, line: int) -> str:
        """Count a hand; returns the score where this is its line."""
        match, number = self.match, played.hands
        needed = match.score_line(played.totals)
        if number < match.hands:
            self._spots.begin()
            betting = "".join(text.split(":")[2:3]).encode()
            try:
                hand = match.record(number, *next(self._dealt), self._spots.find(betting))
            except IllegalMove as error:
                problem = f"hand {number}: {error}"
                raise BadFile(self.path, problem, line=line, column=1) from error
            needed = write_hand(hand) + "\n"
            played.add(match, hand)
        if text != needed:
            problem = f"got {text.rstrip()!r}, needed is {needed.rstrip()!r}"
            raise BadFile(self.path, problem, line=line, column=1)
        return needed if number == match.hands else ""


class MatchLog:
    """The log of a match, a line a hand; every line is handed to the system at once."""

    def __init__(self, match: Match, path: Path, *, resume: bool = False) -> None:
        self.path, self.played, self.complete = path, nothing_played(match), False
        size = 0
        if resume and path.exists() and path.stat().st_size:
            self.played, size, self.complete = read_played(match, path)
        try:
            self._stream = path.open("r+b" if size else "wb")
            self._stream.seek(size)
            self._stream.truncate()
        except OSError as error:
            raise BadFile(path, f"cannot be written: {error.strerror}") from error
        if not size:
            self.write(match.header())
        elif self.played.hands == match.hands and not self.complete:
            self.write(match.score_line(self.played.totals))  # killed before it wrote this
            self.complete = True

    def write(self, text: str) -> None:
        """Append whole lines."""
        try:
            self._stream.write(text.encode())
            self._stream.flush()
        except OSError as error:
            raise BadFile(self.path, f"cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Nothing is written any more."""
        with suppress(OSError):  # `write` has told of it
            self._stream.close()
