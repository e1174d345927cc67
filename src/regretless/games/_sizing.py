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
    merge         from the largest size X down, Y is dropped if (1 + X) / (1 + Y) < 1 + t"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from math import floor
from typing import NamedTuple

from regretless.core.errors import BadParameter, within
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
ByPlayer = tuple[Sizes, ...]


def read_sizes(text: str, *, what: str = "sizes", faced: bool = True) -> Sizes:
    """The sizes in a text; `faced`: whether there is a bet for `x` to multiply."""
    return tuple(
        _read(text, found[0], found.start() + 1, what, faced) for found in _WORD.finditer(text)
    )


def _read(text: str, word: str, at: int, what: str, faced: bool) -> Size:
    place = f"{what} {text!r}, character {at}"
    found = _SIZE.fullmatch(word.lower())
    if found is None:
        raise BadParameter(f"{place}: {word!r} is not a size; {ALLOWED}")
    unit, number = Unit(found[2]), float(found[1] or 0)
    if (found[1] is None) != (unit is Unit.ALL_IN) and unit is not Unit.STREETS:
        raise BadParameter(f"{place}: {word!r} is not a size; {ALLOWED}")
    if unit is Unit.BET_FACED and not faced:
        raise BadParameter(f"{place}: {word!r} multiplies a bet faced, but there is none")
    if unit is Unit.BET_FACED and number <= 1:
        raise BadParameter(f"{place}: {word!r} is not a raise; the factor must be above 1")
    if unit is Unit.STREETS and found[1] and number not in (1, 2, 3, 4):
        raise BadParameter(f"{place}: {word!r} must be 1e to 4e, a number of streets")
    if unit is Unit.CHIPS and number != int(number):
        raise BadParameter(f"{place}: {word!r} must be a whole number of chips")
    if unit in (Unit.POT, Unit.CHIPS) and not 0 < number <= MOST:
        raise BadParameter(f"{place}: {word!r} must be above 0 and at most {MOST:,.0f}")
    return Size(unit, number / 100 if unit is Unit.POT else number)


@dataclass(frozen=True, kw_only=True)
class SpotSizing:
    """The sizes of a spot by round and player, for two players."""

    bets: tuple[ByPlayer, ...]
    raises: tuple[ByPlayer, ...]
    donks: tuple[tuple[Sizes | None, ...], ...]  # None: same as bets
    streets: tuple[int, ...]  # streets left from each round on, including that round
    min_bet: int = 1
    add_allin: float = 0.0
    force_allin: float = 0.0
    merge: float = 0.0

    def __post_init__(self) -> None:
        within("min_bet", self.min_bet, 1, 10**9)
        for name in ("add_allin", "force_allin", "merge"):
            within(name, getattr(self, name), 0, MOST)

    def totals(self, betting: Betting) -> tuple[int, ...]:
        """The totals that the actor may bet or raise to, from small to large."""
        place = Place(betting, self.streets, self.min_bet)
        wanted = {place.legal(place.total(size)) for size in self._sizes(betting)}
        if place.behind <= nearest(place.pot * self.add_allin):
            wanted.add(place.most)
        forced = {place.most if place.nearly_all(t, self.force_allin) else t for t in wanted}
        return place.merged(sorted(forced), self.merge)

    def _sizes(self, betting: Betting) -> Sizes:
        number, actor = betting.round, betting.actor
        if betting.raised:
            return self.raises[number][actor]
        donk = self.donks[number][actor]
        # A lead into the last aggressor of the previous street.
        leads = betting.taken == 0 and betting.led not in (-1, actor)
        return donk if leads and donk is not None else self.bets[number][actor]


class Place:
    """Pot and stacks as the actor of a betting sees them."""

    def __init__(self, betting: Betting, streets: tuple[int, ...], min_bet: int) -> None:
        rules = betting.rules
        self.faced = max(betting.spent)  # total
        self.base = betting.base
        self.most = min(rules.stacks)  # total of the smaller stack: all-in for both
        self.behind = self.most - self.faced
        self.pot = rules.dead + 2 * self.faced  # after a call
        # A geometric raise has one street fewer for every earlier raise.
        self.streets = max(streets[betting.round] - max(betting.raised - 1, 0), 1)
        self.fewer = max(betting.raised - 1, 0)
        least = betting.min_to
        if not betting.raised:
            least = max(least, self.base + min_bet)
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

    def merged(self, totals: list[int], threshold: float) -> tuple[int, ...]:
        kept: list[int] = []
        limit = float("inf")
        for total in reversed(totals):
            ratio = (total - self.faced) / self.pot
            if ratio <= limit * (1 + EQUAL):
                kept.append(total)
                limit = (ratio - threshold) / (1 + threshold)
        return tuple(reversed(kept))


def nearest(chips: float) -> int:
    """The nearest whole number, halves up."""
    return floor(chips + 0.5)
