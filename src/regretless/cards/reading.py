"""Cards, hands and boards as people write them: any order, any case, any spacing.

`kSaS`, `AsKs`, `A♠ K♠` and `as,ks` are one hand; `10h` is `Th`. The result is normalised:
upper-case rank, lower-case suit, higher card first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from regretless.cards.deck import RANKS, SUITS
from regretless.core.errors import BadParameter

FLOP, TURN, RIVER = 3, 4, 5  # cards on the board
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", "cdhscdhs")
_CARD = re.compile(r"(10|[2-9tjqka])([cdhs])", re.IGNORECASE)


def read_cards(text: str, *, what: str = "cards") -> tuple[str, ...]:
    """Distinct cards, in the order in which they are written."""
    plain, found, at = _plain(text), list[str](), 0
    while at < len(plain):
        here = _CARD.match(plain, at)
        if here is None:
            raise BadParameter(f"{what} {text}: {plain[at:]!r} is not a card, e.g. As or Th")
        found.append(_spelled(here[1], here[2]))
        at = here.end()
    for card in found:
        if found.count(card) > 1:
            raise BadParameter(f"{what} {text}: {card} appears twice")
    return tuple(found)


def read_hand(text: str, *, cards: int = 2) -> tuple[str, ...]:
    """Hole cards, highest first."""
    found = read_cards(text, what="hand")
    if len(found) != cards:
        example = "".join(rank + "s" for rank in RANKS[: -cards - 1 : -1])
        raise BadParameter(f"hand {text}: expected {cards} cards, e.g. {example}")
    return ordered(found)


def read_board(text: str, *, needed: Sequence[int] = (0, FLOP, TURN, RIVER)) -> tuple[str, ...]:
    """A hold'em board; the order of the flop does not matter, so it is normalised."""
    found = read_cards(text, what="board")
    if len(found) not in needed:
        if len(found) < FLOP and FLOP in needed:
            raise BadParameter(f"board {text}: expected 3 flop cards, e.g. AhKhQh")
        counts = " or ".join(str(count) for count in needed if count)
        raise BadParameter(f"board {text}: got {len(found)} cards, expected {counts}")
    return (*ordered(found[:FLOP]), *found[FLOP:])


def ordered(cards: Sequence[str]) -> tuple[str, ...]:
    """The same cards, highest first."""
    return tuple(sorted(cards, key=lambda c: (RANKS.index(c[0]), SUITS.index(c[1])), reverse=True))


def _plain(text: str) -> str:
    """The text without separators, with suit symbols as letters."""
    return re.sub(r"[\s,;/|_\ufe0e\ufe0f-]", "", text.translate(_SYMBOLS))


def _spelled(rank: str, suit: str) -> str:
    return _rank(rank) + suit.lower()


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()
