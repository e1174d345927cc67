"""The command `reproduce`: published tables, made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from regretless.studies._study import Table


def reproduce(
    study: Annotated[str | None, typer.Argument(help="which one; without: the list")] = None,
    out: Annotated[
        Path | None, typer.Option(help="write tables and figures here, as STUDY.md, .csv and .png")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="leave out what takes long")] = False,
    json_: Annotated[bool, typer.Option("--json", help="print facts as one JSON object")] = False,
) -> None:
    """Make the tables of a published study again, ours beside theirs."""
    from rich.console import Console

    from regretless.core.files import require_writable, write_atomically
    from regretless.interfaces.cli.progress import Bar
    from regretless.studies._study import reproduce as run
    from regretless.studies._study import study_about, study_names

    console = Console()
    if study is None:
        for name in study_names():
            console.print(f"{name:18} {study_about(name)}", highlight=False, markup=False)
        return
    files = {}
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        files = {kind: out / f"{study}.{kind}" for kind in ("md", "csv")}
        for path in files.values():
            require_writable(path)
    with Bar() as bar:
        found = run(study, bar.show, quick=quick)
    if files:
        write_atomically(files["md"], found.markdown().encode())
        write_atomically(files["csv"], found.csv().encode())
        for picture in found.pictures:
            files[picture.name] = files["md"].parent / f"{study}-{picture.name}.png"
            picture.draw(files[picture.name])
    if json_:
        typer.echo(json.dumps({**found.facts(), "files": [str(path) for path in files.values()]}))
        return
    for table in found.tables:
        _show(console, table)
    for path in files.values():
        console.print(f"written: {path}", highlight=False, markup=False)


def _show(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as Drawn

    drawn = Drawn(title=table.title, box=box.SIMPLE_HEAD, title_justify="left")
    drawn.caption, drawn.caption_justify = " ".join(table.note.split()), "left"
    for number, column in enumerate(table.columns):
        drawn.add_column(column, justify="right" if number else "left")
    for line in table.lines():
        drawn.add_row(*line)
    console.print(drawn)
