"""The tables `bets`, `raises` and `donks` of a spot: the sizes by street and player.

The most specific entry wins: a street and player, a street, a player, then `all`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from regretless.games._sizing import Sizes, Sizing, Unit, read_sizes
from regretless.games._spot_tables import PLAYERS, BadSpot, checked_table, fraction, under, whole

ALL, PREFLOP = "all", "preflop"
STREETS = (PREFLOP, "flop", "turn", "river")
MOST_POTS = 1e6

Table = str | Mapping[str, Any]


def read_sizing(
    streets: Sequence[str],
    bets: Table,
    raises: Table,
    donks: Table | None,
    options: Mapping[str, Any],
    stacks: tuple[int, int],
) -> Sizing:
    """The sizes of the remaining streets."""
    tables = {"bets": _flat("bets", bets), "raises": _flat("raises", raises)}
    tables["donks"] = _flat("donks", donks if donks is not None else {})
    for key, sizes in ((f"{n}.{k}", s) for n, t in tables.items() for k, s in t.items()):
        _check(key, sizes, min(stacks))
    least = options.get("min_bet", 1)

    def threshold(name: str) -> float:
        return fraction(f"tree.{name}", options.get(name, 0), MOST_POTS)

    return Sizing(
        sizes=tuple(
            tuple(
                tuple(_entry(tables[name], street, player) or () for name in ("bets", "raises"))
                for player in PLAYERS
            )
            for street in streets
        ),
        rounds=len(streets),
        donks=tuple(_entry(tables["donks"], street, PLAYERS[0]) for street in streets),
        min_bet=whole("tree.min_bet", least, 1, min(stacks)),
        add_allin=threshold("add_allin"),
        force_allin=threshold("force_allin"),
        merge=threshold("merge"),
    )


def _flat(name: str, given: Table) -> dict[str, Sizes]:
    """Sizes by key, such as `all`, `river` or `river.ip`."""
    if isinstance(given, str):
        given = {ALL: given}
    players = PLAYERS if name != "donks" else PLAYERS[:1]
    sizes: dict[str, Sizes] = {}
    with under(name):
        for key, value in checked_table(given, (ALL, *players, *STREETS)).items():
            if isinstance(value, Mapping) and key in STREETS:
                with under(key):
                    inner = checked_table(value, (ALL, *players))
                for player, text in inner.items():
                    own = key if player == ALL else f"{key}.{player}"
                    sizes[own] = _sizes(name, f"{key}.{player}", text)
            else:
                sizes[key] = _sizes(name, key, value)
    return sizes


def _sizes(name: str, key: str, text: object) -> Sizes:
    if not isinstance(text, str):
        raise BadSpot(key, f"got {text!r}, expected a text such as '60%, a'")
    # Before the flop there is always a big blind to multiply.
    faced = name == "raises" or key.split(".")[0] == PREFLOP
    with under(key):
        return read_sizes(text, faced=faced)


def _check(key: str, sizes: Sizes, stack: int) -> None:
    for size in sizes:
        if size.unit is Unit.CHIPS and size.number > stack:
            raise BadSpot(key, f"{size.number:.0f} chips cannot be bet: the stack is {stack}")


def _entry(table: Mapping[str, Sizes], street: str, player: str) -> Sizes | None:
    for key in (f"{street}.{player}", street, player, ALL):
        if key in table:
            return table[key]
    return None
