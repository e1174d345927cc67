"""Lists of games and methods."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from regretless.core import folders, specs
from regretless.core.errors import TooLarge
from regretless.core.memory import available_bytes, size_text
from regretless.games import _catalog as games
from regretless.games._sizes import DEFAULT_SIZES
from regretless.games._state import Game, Sizes
from regretless.interfaces.cli.console import facts as facts_table
from regretless.interfaces.cli.console import say, table

if TYPE_CHECKING:
    from regretless.forms.public import PublicSizes

FILES = [
    ("FILE.efg", "a Gambit extensive-form file"),
    ("FILE.nfg", "a Gambit normal-form file"),
    ("FILE.game", "an ACPC poker definition"),
    ("FILE.py:NAME", "a game in a Python file, which is run"),
    ("openspiel:NAME(params)", "any OpenSpiel game (pip install regretless[openspiel])"),
]


def all_games(*, as_json: bool) -> None:
    """Every game of the package, at its default parameters."""
    facts = [_short_facts(name) for name in games.game_names()]
    if as_json:
        sys.stdout.write(json.dumps(facts) + "\n")
        return
    made = table("game", "about", "nodes", "decision points", numbers=("nodes", "decision points"))
    for fact in facts:
        points = " + ".join(map(_count, fact["decision_points"]))
        made.add_row(fact["game"], fact["about"], _count(fact["nodes"]), points)
    say(made, Text("\nalso:", style="bold"))
    say(*(Text(f"  {name:24}{about}") for name, about in FILES))
    say(Text("\n`regretless games NAME` shows size, memory and parameters of a game"))


def one_game(spec: str, *, as_json: bool) -> None:
    """Sizes and memory of one game."""
    fact = _facts(spec)
    if as_json:
        sys.stdout.write(json.dumps(fact) + "\n")
        return
    rows = []
    for key in ("game", "about", "players", "nodes", "terminals"):
        value = fact[key]
        rows.append((key, _count(value) if isinstance(value, int) else str(value)))
    if fact["nodes"]:
        rows.append(("decision points", _counts(fact["decision_points"])))
        rows.append(("sequences", _counts(fact["sequences"])))
        if fact["lp_size"]:
            rows.append(("LP rows, columns", _counts(fact["lp_size"])))
        available = f"{size_text(available_bytes())} available"
        rows.append(("memory to solve", f"{size_text(fact['memory_bytes'])} ({available})"))
    if "public" in fact:
        public = fact["public"]
        rows.append(("public form: hands by round", _counts(public["hands_by_round"])))
        rows.append(("public form: decision points", _counts(public["decision_points"])))
        rows.append(("public form: memory", size_text(public["memory_bytes"])))
    if fact["parameters"]:
        pairs = ", ".join(f"{key}={value}" for key, value in fact["parameters"].items())
        rows.append(("defaults", pairs))
    say(facts_table(rows))


def all_methods(*, as_json: bool) -> None:
    """Every algorithm with its description and parameters."""
    from regretless.solvers import _catalog as methods

    facts: list[dict[str, Any]] = [
        {
            "method": name,
            "about": methods.method_about(name),
            "parameters": _defaults(methods.method_class(name)),
        }
        for name in methods.method_names()
    ]
    if as_json:
        sys.stdout.write(json.dumps(facts) + "\n")
        return
    made = table("method", "about", "parameters and defaults")
    made.columns[0].no_wrap = True
    for fact in facts:
        given = ", ".join(f"{key}={value}" for key, value in fact["parameters"].items())
        made.add_row(fact["method"], fact["about"], given)
    say(made, Text("\nparameters follow a colon: dcfr:alpha=2,gamma=3"))


def _short_facts(name: str) -> dict[str, Any]:
    """One entry in the list of games; sizes are looked up, which is quick."""
    game = games.load(name)
    sizes = DEFAULT_SIZES.get(name) or _sizes(game)
    return {
        "game": game.spec,
        "about": game.about,
        "players": game.players,
        "nodes": sizes.nodes,
        "terminals": sizes.terminals,
        "decision_points": list(sizes.decision_points),
        "sequences": list(sizes.sequences),
    }


def _sizes(game: Game) -> Sizes:
    """All zero if there are too many nodes to count."""
    from regretless.forms.sequence import game_sizes

    try:
        return game_sizes(game)
    except TooLarge:
        return Sizes(0, 0, (), ())


def _facts(spec: str) -> dict[str, Any]:
    from regretless.forms.choice import table_bytes
    from regretless.forms.public import public_sizes
    from regretless.forms.sequence import memory_bytes

    game = games.load(spec)
    sizes = _sizes(game)
    name = spec.strip().partition(":")[0]
    known = name in games.game_names()
    public = public_sizes(game) if sizes.nodes else None
    found = {"public": _public_facts(public, table_bytes(game))} if public else {}
    points, sequences = sizes.decision_points, sizes.sequences
    two = len(points) == 2
    return {
        "game": game.spec,
        "about": game.about,
        "players": game.players,
        "nodes": sizes.nodes,
        "terminals": sizes.terminals,
        "decision_points": list(sizes.decision_points),
        "sequences": list(sizes.sequences),
        "lp_size": [points[k] + 1 + sequences[1 - k] for k in (0, 1)] if two else [],
        "memory_bytes": memory_bytes(sizes),
        **found,
        "parameters": _defaults(folders.module(games.PACKAGE, name).game) if known else {},
    }


def _public_facts(public: PublicSizes, tables: int) -> dict[str, Any]:
    return {
        "hands_by_round": list(public.lanes),
        "decision_points": list(public.decision_points),
        "sequences": list(public.sequences),
        "memory_bytes": public.memory_bytes + tables,
    }


def _counts(numbers: Sequence[int]) -> str:
    return ", ".join(map(_count, numbers))


def _count(number: int) -> str:
    if not number:
        return "too many to count"
    return f"{number:,}" if number < 1e12 else f"{number:.1e}"


def _defaults(make: Any) -> dict[str, str]:
    found = specs.parameters(make)
    return {key: specs.text(parameter.default) for key, parameter in found.items()}
