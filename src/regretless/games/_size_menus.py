"""Bet sizes of a whole hand: an action abstraction as one text.

    sizes=50%+75%+100%+150%-a/100%-50%-a

Rounds are separated by `/`, and the last one counts for all later rounds. Within a round, sizes of
the first bet come first, then after each `-` those of the next raise; the last ones count
for all further raises. Sizes are joined by `+` and written as in spots: 60%, 2.5x, 120c, e, a.
All-in is always among them."""

from __future__ import annotations

from math import inf

from regretless.core.errors import BadParameter
from regretless.games._sizing import Sizing, read_sizes

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
