"""Bet and raise sizes as players write them, and the totals they stand for in a hand.

    60%     of the pot; a raise: of the pot after the call, above the bet faced
    2.5x    a multiple of the bet faced (before the flop also of the big blind)
    120c    120 chips; a raise: above the bet faced
    e, 2e   the geometric size that ends all-in on the river, or over that many streets
    a       all-in

Sizes are rounded to the nearest chip, and limited to the smallest legal bet and the smaller
stack. Then, with thresholds t in units of the pot after a call:

    add all-in    all-in is added if it is at most t × pot
    force all-in  a bet becomes all-in if a call would leave at most t × the new pot behind
    merge         from the largest size X down, Y is dropped if (1 + X) / (1 + Y) < 1 + t

One text can have the sizes of a whole hand: `50%+75%+100%+150%-a/100%-50%-a`. Rounds are separated
by `/`, and the last one counts for all later rounds. Within a round, sizes of the first bet come
first, then after each `-` those of the next raise; the last ones count for all further raises.
All-in is always among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import floor, inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from regretless.core.errors import BadParameter, within

if TYPE_CHECKING:
    from regretless.games._betting import Betting

EQUAL = 1e-12  # pot ratios this close count as equal
MOST = 1e6  # of any factor: far beyond any stack
_WORD = re.compile(r"[^\s,]+")
_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9}"
_SIZE = re.compile(rf"({_NUMBER})?(%|x|c|e|a)")
ALLOWED = "sizes are written like 60%, 2.5x, 120c, e, 2e or a"


class Unit(StrEnum):
    """The unit of a size."""

    POT = "%"
    BET_FACED = "x"
    CHIPS = "c"
    STREETS = "e"  # geometric over that many; 0: all remaining
    ALL_IN = "a"


class Size(NamedTuple):
    """One size: a number of units."""

    unit: Unit
    number: float = 0.0  # of pots, bets faced, chips or streets


Sizes = tuple[Size, ...]
Entry = TypeVar("Entry")


def read_sizes(text: str, *, what: str = "sizes", faced: bool = True) -> Sizes:
    """The sizes in a text; `faced`: whether there is a bet for `x` to multiply."""
    return tuple(_read(text, one[0], one.start() + 1, what, faced) for one in _WORD.finditer(text))


def _read(text: str, word: str, at: int, what: str, faced: bool) -> Size:
    place = f"{what} {text!r}, character {at}"
    match = _SIZE.fullmatch(word.lower())
    if match is None:
        raise BadParameter(f"{place}: {word!r} is not a size; {ALLOWED}")
    unit, number = Unit(match[2]), float(match[1] or 0)
    if (match[1] is None) != (unit is Unit.ALL_IN) and unit is not Unit.STREETS:
        raise BadParameter(f"{place}: {word!r} is not a size; {ALLOWED}")
    if unit is Unit.BET_FACED and not faced:
        raise BadParameter(f"{place}: {word!r} multiplies a bet faced, but there is none")
    if unit is Unit.BET_FACED and number <= 1:
        raise BadParameter(f"{place}: {word!r} is not a raise; the factor must be above 1")
    if unit is Unit.STREETS and match[1] and number not in (1, 2, 3, 4):
        raise BadParameter(f"{place}: {word!r} must be 1e to 4e, a number of streets")
    if unit is Unit.CHIPS and number != int(number):
        raise BadParameter(f"{place}: {word!r} must be a whole number of chips")
    if unit in (Unit.POT, Unit.CHIPS) and not 0 < number <= MOST:
        raise BadParameter(f"{place}: {word!r} must be above 0 and at most {MOST:,.0f}")
    return Size(unit, number / 100 if unit is Unit.POT else number)


@dataclass(frozen=True, kw_only=True, repr=False)
class Sizing:
    """Which totals may be bet: sizes by round, by player and by raises so far in the round.

    In each of the three, the last entry counts for all later ones. Units other than chips are for
    two players."""

    sizes: tuple[tuple[tuple[Sizes, ...], ...], ...]  # [round][player][raises so far]
    rounds: int  # of the game
    donks: tuple[Sizes | None, ...] = ()  # [round] into the last aggressor; None: same as bets
    min_bet: int = 1
    add_allin: float = 0.0  # infinity: always
    force_allin: float = 0.0
    merge: float = 0.0
    exact: bool = False  # any number of chips up to the own stack, without a minimum
    line: str = ""  # ACPC betting text such as `r300c/cr450`: its own bets are possible as well

    def __post_init__(self) -> None:
        within("min_bet", self.min_bet, 1, 10**9)
        within("add_allin", self.add_allin, 0, inf)
        for name in ("force_allin", "merge"):
            within(name, getattr(self, name), 0, MOST)

    def totals(self, betting: Betting) -> tuple[int, ...]:
        """The totals that the actor may bet or raise to, from small to large."""
        place = Place(betting, self)
        wanted = {place.legal(place.total(size)) for size in self._sizes(betting)}
        if place.behind <= place.pot * self.add_allin + 0.5:
            wanted.add(place.most)
        forced = {place.most if place.nearly_all(t, self.force_allin) else t for t in wanted}
        totals = place.merged(sorted(forced), self.merge)
        if self.line and self.line.startswith(betting.history):
            played = re.match(r"r([0-9]+)", self.line[len(betting.history) :])
            totals = sorted({*totals, int(played[1])}) if played else totals
        return tuple(totals)

    def _sizes(self, betting: Betting) -> Sizes:
        # A lead into the last aggressor of the previous street.
        if self.donks and betting.taken == 0 and betting.led not in (-1, betting.actor):
            donk = self.donks[betting.round]
            if donk is not None:
                return donk
        by_player = _entry(self.sizes, betting.round)
        return _entry(_entry(by_player, betting.actor), betting.raised)

    def __repr__(self) -> str:
        """As versions 0.1 and 0.2 wrote it, because fingerprints of their files depend on it."""
        streets = tuple(range(self.rounds, 0, -1))
        if self.add_allin == inf:
            text = f"SizeMenu(sizes={tuple(row[0] for row in self.sizes)}, streets={streets})"
        else:
            bets, raises = (
                tuple(tuple(_entry(own, raised) for own in row) for row in self.sizes)
                for raised in (0, 1)
            )
            text = (
                f"SpotSizing(bets={bets}, raises={raises}, "
                f"donks={tuple((donk, None) for donk in self.donks)}, streets={streets}, "
                f"min_bet={self.min_bet}, add_allin={self.add_allin}, "
                f"force_allin={self.force_allin}, merge={self.merge})"
            )
        return f"LineSizing(menu={text}, line={self.line!r})" if self.line else text


def same_sizes(
    sizes: str, rounds: int, *, raises: str | None = None, what: str = "sizes"
) -> Sizing:
    """The same sizes for all players in all rounds; `raises` are the bets unless given."""
    texts = (sizes,) if raises is None else (sizes, raises)
    levels = tuple(read_sizes(text, what=what) for text in texts)
    return Sizing(sizes=((levels,),), rounds=rounds)


def chip_sizes(rounds: Sequence[Sequence[Sequence[int]]]) -> Sizing:
    """Sizes in chips above the last bet, by round and by raises so far."""
    sizes = tuple(
        tuple(tuple(Size(Unit.CHIPS, chips) for chips in level) for level in levels)
        for levels in rounds
    )
    return Sizing(sizes=tuple((levels,) for levels in sizes), rounds=len(rounds), exact=True)


def _entry(row: tuple[Entry, ...], number: int) -> Entry:
    return row[min(number, len(row) - 1)]


class Place:
    """Pot and stacks as the actor of a betting sees them."""

    def __init__(self, betting: Betting, sizing: Sizing) -> None:
        rules = betting.rules
        self.faced = max(betting.spent)  # total
        self.base = betting.base
        # Total of the smaller stack: all-in for both.
        self.most = rules.stacks[betting.actor] if sizing.exact else min(rules.stacks)
        self.behind = self.most - self.faced
        self.pot = rules.dead + 2 * self.faced  # after a call
        # A geometric raise has one street fewer for every earlier raise.
        self.fewer = max(betting.raised - 1, 0)
        self.streets = max(sizing.rounds - betting.round - self.fewer, 1)
        least = 0 if sizing.exact else betting.min_to
        if not betting.raised and not sizing.exact:
            least = max(least, self.base + sizing.min_bet)
        self.least = min(least, self.most)

    def total(self, size: Size) -> int:
        """The total of a size, before any limits."""
        if size.unit is Unit.POT:
            return self.faced + nearest(self.pot * size.number)
        if size.unit is Unit.BET_FACED:
            return self.base + nearest((self.faced - self.base) * size.number)
        if size.unit is Unit.CHIPS:
            return self.faced + int(size.number)
        if size.unit is Unit.STREETS:
            streets = max(int(size.number) - self.fewer, 1) if size.number else self.streets
            return self.faced + nearest(self.pot * self._geometric(streets))
        return self.most

    def _geometric(self, streets: int) -> float:
        """The share of the pot that, bet on every street, ends with all chips in."""
        growth: float = (2 * self.behind / self.pot + 1) ** (1 / streets)
        return (growth - 1) / 2

    def legal(self, total: int) -> int:
        return min(max(total, self.least), self.most)

    def nearly_all(self, total: int, threshold: float) -> bool:
        """Whether a call would leave almost nothing behind."""
        pot = self.pot + 2 * (total - self.faced)
        return self.most <= total + nearest(pot * threshold)

    def merged(self, totals: list[int], threshold: float) -> list[int]:
        if not threshold:
            return totals
        kept: list[int] = []
        limit = float("inf")
        for total in reversed(totals):
            ratio = (total - self.faced) / self.pot
            if ratio <= limit * (1 + EQUAL):
                kept.append(total)
                limit = (ratio - threshold) / (1 + threshold)
        return kept[::-1]


def nearest(chips: float) -> int:
    """The nearest whole number, halves up."""
    return floor(chips + 0.5)


ANY = "any"
# 2,513 betting sequences with 25 big blinds and up to five sizes, as many as in the action
# abstraction of Moravčík 2014, section 5.1.2, which does not list its sizes.
NAMED = {"nyx": "50%+75%+100%+150%-a/100%-50%-a"}


def read_menu(text: str, rounds: int) -> Sizing | None:
    """The menu that a text names or spells out; None for `any`."""
    if text == ANY:
        return None
    parts = NAMED.get(text, text).split("/")
    if len(parts) > rounds:
        raise BadParameter(f"sizes={text}: {len(parts)} rounds, the game has {rounds}")
    sizes = tuple(
        tuple(
            # Before the flop the first raise faces the big blind.
            read_sizes(level.replace("+", " "), faced=round == 0 or raised > 0)
            for raised, level in enumerate(part.split("-"))
        )
        for round, part in enumerate(parts)
    )
    if not all(level for levels in sizes for level in levels):
        raise BadParameter(
            f"sizes={text}: a part is empty; sizes are written like 50%+100%-a/100%-a, "
            f"or one of {', '.join((ANY, *NAMED))}"
        )
    return Sizing(sizes=tuple((levels,) for levels in sizes), rounds=rounds, add_allin=inf)
