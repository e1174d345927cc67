"""A finished hand, as in a line of a log.

Texts are in the format of the ACPC protocol and are parsed on demand: most readers of a log
need only some of them."""

from __future__ import annotations

from typing import NamedTuple


class Hand(NamedTuple):
    """Cards, betting and payoffs of a hand. Players are in the order of positions."""

    number: int
    betting: str  # such as `cr/crc`, `r300c///`
    cards: str  # such as `Qh|Ks/As`: holes, then the board of every later round
    payoffs: tuple[float, ...]
    names: tuple[str, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        """Hole cards, one text per position; empty if unknown."""
        return tuple(self.cards.partition("/")[0].split("|"))

    @property
    def boards(self) -> tuple[str, ...]:
        """Board cards of every round after the first that was reached."""
        return tuple(self.cards.split("/")[1:])
