"""A finished hand, as a line of a log says it.

Texts are those of the ACPC protocol and are kept as they are: most readers of a log want
only some of them."""

from __future__ import annotations

from typing import NamedTuple


class Hand(NamedTuple):
    """Who held what, what was done, who was paid. Players stand in the order of positions."""

    number: int
    betting: str  # as `cr/crc`, `r300c///`
    cards: str  # as `Qh|Ks/As`: holes, then the board of every later round
    payoffs: tuple[float, ...]
    names: tuple[str, ...]

    @property
    def holes(self) -> tuple[str, ...]:
        """Hole cards of every position, as one text each; empty where unknown."""
        return tuple(self.cards.partition("/")[0].split("|"))

    @property
    def boards(self) -> tuple[str, ...]:
        """Board cards of every round after the first that was reached."""
        return tuple(self.cards.split("/")[1:])
