"""Spots as TOML files: reading, writing, and an example with comments."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from regretless.core.errors import BadFile, BadInput
from regretless.core.files import read_text
from regretless.games._spot import Spot, spot
from regretless.games._spot_tables import BadSpot, checked_table

_HEADING = re.compile(r"\s*\[\[?\s*([A-Za-z0-9_.-]+)\s*\]\]?")
_KEY = re.compile(r"\s*([A-Za-z0-9_.-]+)\s*=")

EXAMPLE = """\
# A spot: a heads-up hold'em situation. Solve it with `regretless solve FILE`.

board = "Td9d6hQc2s"             # 0, 3, 4 or 5 cards; the streets after it are part of the tree
pot = 200                        # chips in the middle
stack = 900                      # chips behind; or stacks = [900, 1200], out of position first
# rake = { rate = 0.05, cap = 4 }

# Before the flop (board = ""), the small blind is in position; stacks are those before posting:
# blinds = [1, 2]                # small, big
# ante = 1                       # per player
# Payoffs in prizes instead of chips, with the stacks of the others at the table:
# icm = { prizes = [50, 30, 20], others = [3000] }

[ranges]                         # QQ+  A9s-A6s  T9s-54s  AK  KTo:0.5  AsAh  15%  random
oop = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
ip = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"

# Sizes: 60% of the pot, 2.5x the bet faced, 120c chips, e geometric to all-in on the river
# (2e: over two streets), a all-in. Keys: all, a street, or a street and player (river.ip);
# the most specific wins.
[bets]
all = "60%,e,a"
# river.ip = "33%,75%"

[raises]
all = "2.5x"

[donks]                          # bets into the last aggressor; without an entry: same as bets
river = "50%"

[tree]                           # all optional
add_allin = 1.5                  # add all-in if it is at most 1.5 pots
force_allin = 0.15               # a bet that leaves at most 0.15 pots behind becomes all-in
merge = 0.1                      # drop sizes close to the next larger one
# raise_cap = 4                  # bets and raises per street, or { flop = 3, river = 2 }
# min_bet = 10
# limp = false                   # before the flop: raise or fold

# [[locks]]                      # what some hands must do; the others adapt
# at = "check"                   # a line: "check bet120 / 2s / check"; "" is the first decision
# hands = "JJ"                   # all hands if left out
# play = { check = 1.0 }
"""


def read_spot(path: str | Path) -> Spot:
    """The spot in a TOML file; errors name file, line and key."""
    return parse_spot(read_text(path, "a spot"), name=str(path))


def parse_spot(text: str, *, name: str = "spot") -> Spot:
    """The spot in a TOML text; errors name it `name`."""
    try:
        tables = tomllib.loads(text)
        parameters = inspect.signature(spot).parameters
        needed = [key for key, one in parameters.items() if one.default is inspect.Parameter.empty]
        return spot(**checked_table(tables, tuple(parameters), needed=needed))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        # TOML's own message ends with line and column.
        raise BadFile(name, f"not TOML: {error or 'nested too deeply'}") from None
    except BadSpot as error:
        line = _line_of(text, error.key)
        raise BadFile(name, str(error), line=line, column=min(line, 1)) from None
    except BadInput as error:
        raise BadFile(name, str(error)) from None


def to_toml(spot: Spot) -> str:
    """The TOML text of a spot."""
    simple = {k: v for k, v in spot.given.items() if k not in (*_TABLES, "locks")}
    if not simple.get("ante"):
        simple.pop("ante", None)
    lines = [f"{key} = {_value(value)}" for key, value in simple.items()]
    for name in _TABLES:
        value = spot.given.get(name)
        # Bets must be named, even if there are none; no donk bets are not those of [bets].
        if value or name == "bets" or (name == "donks" and value == ""):
            table = value if isinstance(value, Mapping) else {"all": value}
            lines += ["", f"[{name}]", *(f"{key} = {_value(own)}" for key, own in table.items())]
    for lock in spot.given.get("locks", ()):
        lines += ["", "[[locks]]", *(f"{key} = {_value(own)}" for key, own in lock.items())]
    return "\n".join([*lines, ""])


_TABLES = ("ranges", "bets", "raises", "donks", "tree")


def _value(value: object) -> str:
    """A TOML value. JSON strings are TOML strings, except for DEL."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_quoted(str(key))} = {_value(own)}" for key, own in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_value, value))}]"
    if hasattr(value, "tolist"):  # weights of a range, as an array
        return _value(" ".join(map(repr, value.tolist())))
    raise BadInput(f"{value!r} of type {type(value).__name__} cannot be written as TOML")


def _quoted(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key)


@dataclass
class _Reading:
    """The place in a TOML text: the heading, with a number if it repeats."""

    heading: str = ""
    count: int = 0


def _line_of(text: str, key: str) -> int:
    """The line of a key such as `bets.river.ip`, or of the table it belongs to; 0 if none."""
    best, nearest, at = 0, 0, _Reading()
    for number, line in enumerate(text.splitlines(), start=1):
        own = ""
        if heading := _HEADING.match(line):
            repeats = line.lstrip().startswith("[[")
            at.count = at.count + 1 if repeats and at.heading.startswith(heading[1]) else 1
            own = at.heading = heading[1] + (f".{at.count}" if repeats else "")
        elif pair := _KEY.match(line):
            own = f"{at.heading}.{pair[1]}" if at.heading else pair[1]
        if own and f"{key}.".startswith(f"{own}.") and len(own) > best:
            best, nearest = len(own), number
    return nearest
