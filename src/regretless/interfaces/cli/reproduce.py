"""The command `reproduce`: published tables, reproduced."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretless.core.counts import counted
from regretless.interfaces.cli import options


def reproduce(
    study: Annotated[
        str | None, typer.Argument(help="name of the study; without one, list the studies")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option(help="directory for STUDY.md, STUDY.csv and pictures")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="skip what takes minutes")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="larger budgets, for studies that have them")
    ] = False,
    json_: options.Json = False,
) -> None:
    """Reproduce the tables of a published study, ours beside theirs."""
    from regretless.core.errors import BadFile
    from regretless.core.files import require_writable, write_atomically
    from regretless.interfaces.cli.finish import attempted, finish
    from regretless.interfaces.cli.progress import Bar
    from regretless.studies._study import STUDIES
    from regretless.studies._study import reproduce as run

    if study is None:
        from regretless.interfaces.cli import listing

        listing.all_studies(as_json=json_)
        return
    STUDIES.module(study)
    files = {}
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadFile(folder, f"cannot be created as a directory: {error.strerror}") from None
        files = {kind: folder / f"{study}.{kind}" for kind in ("md", "csv")}
        for path in files.values():
            require_writable(path)
    with Bar() as bar:
        results = run(study, bar.show, quick=quick, full=full)

    def write() -> None:
        if not (files and results.tables):
            return
        write_atomically(files["md"], results.markdown().encode())
        write_atomically(files["csv"], results.csv().encode())
        for picture in results.pictures:
            place = files["md"].parent / f"{study}-{picture.name}.png"
            picture.draw(place)
            files[picture.name] = place

    unwritten = attempted(write)
    shown = [part for table in results.tables for part in (table, "")]
    shown += [f"written to {path}" for path in files.values() if path.exists()]
    cut = (
        f"interrupted after {counted(len(results.tables), 'table')}" if results.interrupted else ""
    )
    facts = {**results.facts(), "files": [str(path) for path in files.values()]}
    finish(facts, *shown, as_json=json_, interrupted=cut, unwritten=unwritten)
