"""The description of a match: the game, the cards, the seats and the time limits.

Matches in one process, matches over sockets and sessions in the terminal all follow a
fixture, so they write the same logs and can check each other's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from regretless.core.errors import BadParameter, IllegalMove, within
from regretless.games._betting import Betting, PokerRules
from regretless.play.deals import MOST_SEED, Deal, dealt_rows, named
from regretless.play.histories.acpc_log import write_header, write_score
from regretless.play.match import MOST_HANDS, arrangements, require_distinct
from regretless.play.records import Hand
from regretless.play.showdown import Order, orders, settled
from regretless.play.table import cards_text


class Limits(NamedTuple):
    """Time limits of a seat, in milliseconds."""

    response_ms: int = 600_000
    hand_ms: int = 600_000
    per_hand_ms: int = 7_000  # average over the hands of the match


class Seating(NamedTuple):
    """Seats by position, positions by seat, and names by position."""

    seats: tuple[int, ...]
    positions: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Fixture:
    """The same seed and names give the same cards in the same seats."""

    name: str
    game: str  # as named in the log
    rules: PokerRules
    hands: int | None  # None: until the person leaves
    seed: int
    names: tuple[str, ...]  # by seat
    rotate: bool = True  # seats move on by one position every hand
    duplicate: bool = False  # every deal is played in each rotation of the seats
    limits: Limits = field(default_factory=Limits)
    comments: tuple[str, ...] = ()  # for the log: what else the hands depend on

    def __post_init__(self) -> None:
        if self.hands is not None:
            within("hands", self.hands, 1, MOST_HANDS)
        within("seed", self.seed, 0, MOST_SEED)
        for limit, got in self.limits._asdict().items():
            within(limit, got, 1, 2**40)
        if not self.name.strip():
            raise BadParameter("name of the match: must not be empty")
        if len(self.names) != self.rules.players:
            raise BadParameter(
                f"{len(self.names)} player names: the game has {self.rules.players} seats"
            )
        require_distinct(self.names)
        self.score_line([0.0] * len(self.names))  # rejects names that a log cannot contain

    @property
    def times(self) -> int:
        """How often each deal is played."""
        return self.rules.players if self.duplicate else 1

    def seating(self, hand: int) -> Seating:
        """The seating of this hand."""
        return self._seatings[hand % len(self._seatings)]

    @cached_property
    def _seatings(self) -> list[Seating]:
        entries = []
        ways = {"rotate": self.rotate, "duplicate": self.duplicate}
        for seats in arrangements(self.rules.players, **ways):
            positions = tuple(seats.index(seat) for seat in range(len(seats)))
            entries.append(Seating(seats, positions, tuple(self.names[seat] for seat in seats)))
        return entries

    def dealt(self, first: int) -> Iterator[tuple[Deal, Order]]:
        """Cards from hand `first` on, and the order of the hands at a showdown."""
        times, skipped = self.times, first % self.times
        for rows in dealt_rows(self.rules, self.seed, first=first // times):
            for dealt in zip(named(self.rules, rows), orders(self.rules, rows), strict=True):
                yield from [dealt] * (times - skipped)
                skipped = 0

    def record(self, number: int, deal: Deal, order: Order, betting: Betting) -> Hand:
        """The record of a finished hand."""
        if not betting.over:
            raise IllegalMove(f"betting {betting.history!r} is not finished")
        contested = sum(betting.folded) < self.rules.players - 1
        payoffs = settled(betting, order if contested else ())
        cards = cards_text(deal, betting)
        return Hand(number, betting.history, cards, payoffs, self.seating(number).names)

    def header(self) -> str:
        """The comments at the top of a log, each with its line end."""
        response, hand, per_hand = self.limits
        usual = write_header(
            self.name,
            self.game,
            self.hands or 0,
            self.seed,
            response_ms=response,
            hand_ms=hand,
            per_hand_ms=per_hand,
        )
        return "".join(f"{line}\n" for line in (usual, *(f"# {text}" for text in self.comments)))

    def score_line(self, totals: Sequence[float]) -> str:
        """The last line of a log, with its end; chips by seat."""
        return write_score(totals, self.names) + "\n"
