"""The command `abstract`: build a smaller game, and report how much smaller it is."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer


def abstract(
    game: Annotated[
        str | None, typer.Argument(help="game to abstract; without one, list the abstractions")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="abstraction with parameters, e.g. binning:bins=5; or classes of cards: JQ.K-J.QK"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="file for the map (JSON)")] = None,
    form: Annotated[
        str, typer.Option(help="game representation: auto, sequence or public")
    ] = "auto",
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Abstract a game: decide which hands or decision points share a strategy. Use the map with
    `solve --abstraction`."""
    if game is None:
        _list(as_json=json_)
        return
    from regretless.abstraction._catalog import abstract as make
    from regretless.abstraction._catalog import maker_names
    from regretless.core.errors import BadParameter
    from regretless.core.files import require_distinct, require_writable
    from regretless.core.specs import split
    from regretless.games._catalog import game_file
    from regretless.interfaces.cli.console import facts, say
    from regretless.interfaces.cli.progress import Bar

    if by is None:
        raise BadParameter(
            f"--by is missing: must be one of {', '.join(maker_names())}, or classes of cards "
            "such as JQ.K"
        )
    if out is not None:
        require_writable(out)
        source = split(by)[1].get("strategy")  # of strategy-based
        require_distinct({"--out": out}, {"the game": game_file(game), "the strategy": source})
    from regretless.core.progress import Progress

    with Bar() as bar:
        bar.show(Progress("building the form"))
        from regretless.forms.choice import form_of

        full = form_of(game, kind=form)
        bar.show(Progress(f"abstracting by {by}"))
        started = time.perf_counter()
        made = make(full, by)
        seconds = time.perf_counter() - started
        bar.show(Progress("building the abstract game"))
        found = {**made.facts(), "seconds": seconds, "out": str(out) if out else None}
        if out is not None:
            made.save(out)
    if json_:
        typer.echo(json.dumps(found))
    else:
        say(facts(_rows(found)))


def _rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("game", found["game"]), ("by", f"{found['by']}, in {found['seconds']:.3g} s")]
    rows += [
        (f"classes of player {player + 1}", ", ".join(f"{count:,}" for count in counts))
        for player, counts in enumerate(found["classes"])
        if counts
    ]
    for key in ("decision_points", "sequences"):
        before, after = (
            ", ".join(f"{count:,}" for count in found[key][when]) for when in ("before", "after")
        )
        rows.append((key.replace("_", " "), f"{after} instead of {before}"))
    rows.append(("recall", "perfect" if found["perfect_recall"] else "imperfect"))
    if found["lossless"] is not None:
        rows.append(("lossless", "yes" if found["lossless"] else "no"))
    if found["out"]:
        rows.append(("written", found["out"]))
    return rows


def _list(*, as_json: bool) -> None:
    from rich.text import Text

    from regretless.abstraction._catalog import maker, maker_about, maker_names
    from regretless.core.specs import parameters, text
    from regretless.interfaces.cli.console import say, table

    known = {
        name: {key: text(one.default) for key, one in parameters(maker(name)).items()}
        for name in maker_names()
    }
    if as_json:
        rows = [
            {"abstraction": name, "about": maker_about(name), "parameters": given}
            for name, given in known.items()
        ]
        typer.echo(json.dumps(rows))
        return
    made = table("abstraction", "about", "parameters and defaults")
    made.columns[0].no_wrap = True
    for name, given in known.items():
        made.add_row(name, maker_about(name), ", ".join(f"{k}={v}" for k, v in given.items()))
    say(made, Text("\nclasses of cards can be given directly: JQ.K-J.QK, J.Q.K-full"))
