"""The command `reproduce`: published tables, reproduced."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regretless.core.counts import counted

if TYPE_CHECKING:
    from regretless.studies._study import Table


def reproduce(
    study: Annotated[
        str | None, typer.Argument(help="name of the study; without one, list the studies")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="directory for STUDY.md and STUDY.csv")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="skip what takes minutes")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="larger budgets, for studies that have them")
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="print the result as one JSON object")
    ] = False,
) -> None:
    """Reproduce the tables of a published study, ours beside theirs."""
    from rich.text import Text

    from regretless.core.errors import BadFile
    from regretless.core.files import require_writable, write_atomically
    from regretless.interfaces.cli.console import say
    from regretless.interfaces.cli.progress import Bar
    from regretless.studies._study import reproduce as run
    from regretless.studies._study import require_study, study_about, study_names

    if study is None:
        say(*(Text(f"{name:18} {study_about(name)}") for name in study_names()))
        return
    require_study(study)
    files = {}
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadFile(out, f"cannot be created as a directory: {error.strerror}") from None
        files = {kind: out / f"{study}.{kind}" for kind in ("md", "csv")}
        for path in files.values():
            require_writable(path)
    with Bar() as bar:
        found = run(study, bar.show, quick=quick, full=full)
    if files and found.tables:
        write_atomically(files["md"], found.markdown().encode())
        write_atomically(files["csv"], found.csv().encode())
        for picture in found.pictures:
            files[picture.name] = files["md"].parent / f"{study}-{picture.name}.png"
            picture.draw(files[picture.name])
    if json_:
        typer.echo(json.dumps({**found.facts(), "files": [str(path) for path in files.values()]}))
    else:
        for table in found.tables:
            _show(table)
        say(*(Text(f"written to {path}") for path in files.values() if found.tables))
    if found.interrupted:
        count = counted(len(found.tables), "table")
        sys.stderr.write(f"regretless: interrupted after {count}\n")
        raise typer.Exit(130)


def _show(table: Table) -> None:
    from rich.text import Text

    from regretless.interfaces.cli import console

    made = console.table(*table.columns, title=table.title, numbers=table.columns[1:])
    for line in table.lines():
        made.add_row(*line)
    note = " ".join(table.note.split())
    console.say(made, *([Text(note, style="dim")] if note else []), Text())
