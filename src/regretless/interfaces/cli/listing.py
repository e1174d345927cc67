"""What there is: games and methods."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regretless.core import folders, specs
from regretless.core.errors import TooLarge
from regretless.core.memory import available_bytes, size_text
from regretless.forms.public import PublicSizes, public_sizes
from regretless.forms.sequence import game_sizes, memory_bytes
from regretless.games import _catalog as games
from regretless.games._state import Sizes
from regretless.solvers import _catalog as methods

FILES = [
    ("FILE.efg", "a Gambit extensive-form file"),
    ("FILE.nfg", "a Gambit normal-form file"),
    ("FILE.game", "an ACPC poker definition"),
    ("openspiel:NAME(params)", "any OpenSpiel game (pip install regretless[openspiel])"),
]


def all_games(*, as_json: bool) -> None:
    """Every game of the package, at its default parameters."""
    facts = [_facts(name) for name in games.game_names()]
    if as_json:
        sys.stdout.write(json.dumps(facts) + "\n")
        return
    table = _table("game", "what", "nodes", "decision points")
    for fact in facts:
        points = " + ".join(map(_count, fact["decision_points"]))
        table.add_row(fact["game"], fact["about"], _count(fact["nodes"]), points)
    console = Console()
    console.print(table)
    console.print("\nalso:", style="bold")
    for name, about in FILES:
        console.print(f"  {name:24}{about}", markup=False, highlight=False)
    console.print("\n`regretless games NAME` tells the parameters of a game", highlight=False)


def one_game(spec: str, *, as_json: bool) -> None:
    """Sizes and memory of one game."""
    fact = _facts(spec)
    if as_json:
        sys.stdout.write(json.dumps(fact) + "\n")
        return
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for key in ("game", "about", "players", "nodes", "terminals"):
        value = fact[key]
        table.add_row(key, _count(value) if isinstance(value, int) else Text(str(value)))
    if fact["nodes"]:
        for key in ("decision_points", "sequences"):
            table.add_row(key.replace("_", " "), _counts(fact[key]))
        if fact["lp_size"]:
            table.add_row("LP rows, columns", _counts(fact["lp_size"]))
        available = f"{size_text(available_bytes())} available"
        table.add_row("memory to solve", f"{size_text(fact['memory_bytes'])} ({available})")
    if "public" in fact:
        public = fact["public"]
        for key in ("hands_by_round", "decision_points"):
            table.add_row(f"public form: {key}".replace("_", " "), _counts(public[key]))
        table.add_row("public form: memory", size_text(public["memory_bytes"]))
    if fact["parameters"]:
        pairs = ", ".join(f"{key}={value}" for key, value in fact["parameters"].items())
        table.add_row("defaults", pairs)
    Console().print(table)


def all_methods(*, as_json: bool) -> None:
    """Every algorithm, with what it is and what can be set."""
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
    table = _table("method", "what", "parameters")
    for fact in facts:
        given = ", ".join(f"{key}={value}" for key, value in fact["parameters"].items())
        table.add_row(fact["method"], fact["about"], given)
    Console().print(table)


def _facts(spec: str) -> dict[str, Any]:
    game = games.load(spec)
    try:
        sizes = game_sizes(game)
    except TooLarge:
        sizes = Sizes(0, 0, (), ())
    name = spec.partition(":")[0]
    known = name in games.game_names()
    public = public_sizes(game) if sizes.nodes else None
    found = {"public": _public_facts(public)} if public else {}
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


def _public_facts(public: PublicSizes) -> dict[str, Any]:
    return {
        "hands_by_round": list(public.lanes),
        "decision_points": list(public.decision_points),
        "sequences": list(public.sequences),
        "memory_bytes": public.memory_bytes,
    }


def _counts(numbers: Sequence[int]) -> str:
    return ", ".join(map(_count, numbers))


def _count(number: int) -> str:
    if not number:
        return "beyond counting"
    return f"{number:,}" if number < 1e12 else f"{number:.1e}"


def _defaults(make: Any) -> dict[str, str]:
    found = specs.parameters(make)
    return {key: specs.text(parameter.default) for key, parameter in found.items()}


def _table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        numeric = column in ("nodes", "decision points")
        table.add_column(
            column,
            justify="right" if numeric else "left",
            no_wrap=column in ("game", "method", *(["nodes"] if numeric else [])),
        )
    return table
