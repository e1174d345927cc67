"""Lists: games, methods, agents, refinements, abstractions, studies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from regretless.core import specs
from regretless.core.errors import TooLarge
from regretless.core.folders import Registry
from regretless.core.memory import available_bytes, size_text
from regretless.core.tables import Column, Table, facts_table, prose
from regretless.games import _catalog as games
from regretless.games._sizes import DEFAULT_SIZES
from regretless.games._state import Game, Sizes
from regretless.interfaces.cli.finish import finish

if TYPE_CHECKING:
    from regretless.forms.public import PublicSizes

COUNTING_S = 10.0
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
    rows = [
        (
            fact["game"],
            fact["about"],
            _count(fact["nodes"]),
            " + ".join(map(_count, fact["decision_points"])),
        )
        for fact in facts
    ]
    finish(
        facts,
        Table("", ("game", prose("about"), "nodes", "decision points"), rows),
        "\nalso:",
        *(f"  {name:24}{about}" for name, about in FILES),
        "\n`regretless games NAME` shows size, memory and parameters of a game",
        as_json=as_json,
    )


def one_game(spec: str, *, as_json: bool) -> None:
    """Sizes and memory of one game."""
    fact = _facts(spec)
    more = "more than " if fact["nodes"] and not fact["counted"] else ""
    rows = [(key, str(fact[key])) for key in ("game", "about", "players")]
    rows += [(key, more + _count(fact[key])) for key in ("nodes", "terminals")]
    if fact["nodes"]:
        rows.append(("decision points", more + _counts(fact["decision_points"])))
        rows.append(("sequences", more + _counts(fact["sequences"])))
        if fact["lp_size"]:
            rows.append(("LP rows, columns", more + _counts(fact["lp_size"])))
        available = f"{size_text(available_bytes())} available"
        needed = f"{more}{size_text(fact['memory_bytes'])}"
        rows.append(("memory to solve", f"{needed} ({available})"))
    if "public" in fact:
        public = fact["public"]
        rows.append(("public form: hands by round", _counts(public["hands_by_round"])))
        rows.append(("public form: decision points", _counts(public["decision_points"])))
        rows.append(("public form: memory", size_text(public["memory_bytes"])))
    if fact["parameters"]:
        pairs = ", ".join(f"{k}={specs.text(v)}" for k, v in fact["parameters"].items())
        rows.append(("defaults", pairs))
    finish(fact, facts_table(rows), as_json=as_json)


def all_methods(*, as_json: bool) -> None:
    """Every algorithm with its description and parameters."""
    from regretless.solvers._catalog import METHODS

    known = _known("method", METHODS)
    note = "\nparameters follow a colon: dcfr:alpha=2,gamma=3"
    finish(known, _table(known), note, as_json=as_json)


def all_agents(*, as_json: bool) -> None:
    """Every built-in agent with its description and parameters."""
    from regretless.play.agents._catalog import AGENTS, NOT_GIVEN

    known = _known("agent", AGENTS, without=NOT_GIVEN)
    also = "\nalso: FILE.strategy, a strategy file, and FILE.py:NAME, a class in a Python file"
    finish(known, _table(known), also, as_json=as_json)


def all_refinements(*, as_json: bool) -> None:
    """Every refinement with its description and parameters."""
    from regretless.refinement._catalog import REFINEMENTS

    known = _known("refinement", REFINEMENTS)
    note = "\nparameters follow a colon: in-game:iterations=500"
    finish(known, _table(known), note, as_json=as_json)


def all_abstractions(*, as_json: bool) -> None:
    """Every abstraction, of whole games and by round."""
    from regretless.abstraction._catalog import MAKERS
    from regretless.abstraction._composition import ROUND_MAKERS

    games, by_round = _known("abstraction", MAKERS), _known("abstraction", ROUND_MAKERS)
    facts = [{**one, "by_round": False} for one in games]
    facts += [{**one, "by_round": True} for one in by_round]
    finish(
        facts,
        _table(games),
        "\nclasses of cards can be given directly: JQ.K-J.QK, J.Q.K-full\n",
        _table(by_round, "by round"),
        "\ne.g. preflop=lossless,flop=distribution:50,turn=distribution:50,river=ochs:50",
        as_json=as_json,
    )


def all_studies(*, as_json: bool) -> None:
    """Every study with its description."""
    from regretless.studies._study import STUDIES

    facts = [{"study": name, "about": STUDIES.about(name)} for name in STUDIES.names()]
    rows = [tuple(fact.values()) for fact in facts]
    finish(facts, Table("", (Column("study", align="left"), prose("about")), rows), as_json=as_json)


def _known(
    kind: str, registry: Registry[Any], *, without: Iterable[str] = ()
) -> list[dict[str, Any]]:
    """The members of a folder: name, description, parameters with their defaults."""
    return [
        {
            kind: name,
            "about": registry.about(name),
            "parameters": {
                key: value
                for key, value in _defaults(registry.made(name)).items()
                if key not in without
            },
        }
        for name in registry.names()
    ]


def _table(known: Sequence[dict[str, Any]], head: str = "") -> Table:
    rows = []
    for fact in known:
        name, about, given = fact.values()
        texts = [k.upper() if v is None else f"{k}={specs.text(v)}" for k, v in given.items()]
        rows.append((name, about, ", ".join(texts)))
    first = Column(head or next(iter(known[0])), align="left")
    return Table("", (first, prose("about"), prose("parameters and defaults")), rows)


def _short_facts(name: str) -> dict[str, Any]:
    """One entry in the list of games; sizes are looked up, which is quick."""
    game = games.load(name)
    return _size_facts(game, DEFAULT_SIZES.get(name) or _sizes(game))


def _size_facts(game: Game, sizes: Sizes) -> dict[str, Any]:
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
    """Counted for some seconds at most; all zero if the game knows that there are too many."""
    from regretless.forms.sequence import game_sizes
    from regretless.interfaces.cli.progress import Bar

    try:
        with Bar() as bar:
            return game_sizes(game, seconds=COUNTING_S, listen=bar.show)
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
    of_public = {"public": _public_facts(public, table_bytes(game))} if public else {}
    points, sequences = sizes.decision_points, sizes.sequences
    two = len(points) == 2
    return {
        **_size_facts(game, sizes),
        "counted": sizes.complete and sizes.nodes > 0,
        "lp_size": [points[k] + 1 + sequences[1 - k] for k in (0, 1)] if two else [],
        "memory_bytes": memory_bytes(sizes),
        **of_public,
        "parameters": _defaults(games.GAMES.made(name)) if known else {},
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


def _defaults(make: Any) -> dict[str, Any]:
    """Parameters and their defaults, numbers as numbers; None if there is none."""
    return {
        key: one.default if isinstance(one.default, int | float) else _text(one.default)
        for key, one in specs.parameters(make).items()
    }


def _text(default: Any) -> str | None:
    return None if default is Parameter.empty else specs.text(default)
