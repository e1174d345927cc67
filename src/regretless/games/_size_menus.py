"""Bet sizes of a whole hand: an action abstraction as one text.

    sizes=50%+75%+100%+150%-a/100%-50%-a

Rounds are separated by `/`, and the last one counts for all later rounds. Within a round, sizes of
the first bet come first, then after each `-` those of the next raise; the last ones count
for all further raises. Sizes are joined by `+` and written as in spots: 60%, 2.5x, 120c, e, a.
All-in is always among them."""

from __future__ import annotations

from dataclasses import dataclass

from regretless.core.errors import BadParameter
from regretless.games._betting import Betting
from regretless.games._sizing import Place, Sizes, read_sizes

ANY = "any"
# 2,513 betting sequences with 25 big blinds and up to five sizes, as many as in the action
# abstraction of Moravčík 2014, section 5.1.2, which does not list its sizes.
NAMED = {"nyx": "50%+75%+100%+150%-a/100%-50%-a"}


@dataclass(frozen=True)
class SizeMenu:
    """The sizes by round and by number of raises so far in that round."""

    sizes: tuple[tuple[Sizes, ...], ...]
    streets: tuple[int, ...]  # rounds left, including this one; for geometric sizes

    def totals(self, betting: Betting) -> tuple[int, ...]:
        """The totals that the actor may bet or raise to, from small to large."""
        place = Place(betting, self.streets, min_bet=1)  # the rules have a minimum of their own
        levels = self.sizes[min(betting.round, len(self.sizes) - 1)]
        listed = levels[min(betting.raised, len(levels) - 1)]
        wanted = {place.legal(place.total(size)) for size in listed}
        return tuple(sorted(wanted | {place.most}))


def read_menu(text: str, rounds: int) -> SizeMenu | None:
    """The menu that a text names or spells out; None for `any`."""
    if text == ANY:
        return None
    parts = NAMED.get(text, text).split("/")
    if len(parts) > rounds:
        raise BadParameter(f"sizes={text}: {len(parts)} rounds, the game has {rounds}")
    found = tuple(
        tuple(
            # Before the flop the first raise faces the big blind.
            read_sizes(level.replace("+", " "), faced=round == 0 or raised > 0)
            for raised, level in enumerate(part.split("-"))
        )
        for round, part in enumerate(parts)
    )
    if not all(level for levels in found for level in levels):
        raise BadParameter(
            f"sizes={text}: a part is empty; sizes are written like 50%+100%-a/100%-a, "
            f"or one of {', '.join((ANY, *NAMED))}"
        )
    return SizeMenu(found, tuple(range(rounds, 0, -1)))
