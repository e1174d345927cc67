"""Bet sizes around what was really bet: a menu, and every bet of one line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from regretless.games._betting import Betting, Sizing
from regretless.games._sizing import SpotSizing, read_sizes

SEATS = 2


@dataclass(frozen=True)
class LineSizing:
    """The sizes of a menu, and on a line of betting its own bets as well."""

    menu: Sizing
    line: str  # ACPC betting text such as `r300c/cr450`

    def totals(self, betting: Betting) -> tuple[int, ...]:
        """The totals that the actor may bet or raise to, from small to large."""
        found = set(self.menu.totals(betting))
        if self.line.startswith(betting.history):
            played = re.match(r"r([0-9]+)", self.line[len(betting.history) :])
            if played is not None:
                found.add(int(played[1]))
        return tuple(sorted(found))


def same_sizes(
    sizes: str, rounds: int, *, raises: str | None = None, what: str = "sizes"
) -> SpotSizing:
    """The same sizes for both players in all rounds; `raises` are the bets unless given."""
    read = (read_sizes(sizes, what=what),) * SEATS
    again = read if raises is None else (read_sizes(raises, what=what),) * SEATS
    return SpotSizing(
        bets=(read,) * rounds,
        raises=(again,) * rounds,
        donks=((None,) * SEATS,) * rounds,
        streets=tuple(range(rounds, 0, -1)),
    )
