"""`python -m benchmarks [NAME ...] [--write FOLDER] [--long]`: run benchmarks, save the results."""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
import time
from pathlib import Path

import benchmarks
from benchmarks import _report
from benchmarks._timing import LONG, use_one_core


def names() -> list[str]:
    """The benchmarks: modules of this folder whose names have no leading underscore."""
    modules = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name for name in modules if not name.startswith("_"))


def run(name: str, folder: Path | None) -> None:
    """Run one benchmark, print its table and write it if asked to."""
    print(f"{name} …", file=sys.stderr, flush=True)
    module = importlib.import_module(f"benchmarks.{name}")
    started = time.perf_counter()
    rows = module.measure()
    taken_s = time.perf_counter() - started
    shown = _report.markdown(getattr(module, "table", _report.table)(rows))
    print(f"\n{name} ({taken_s:.0f} s)\n\n{shown}", flush=True)
    if folder is not None:
        title, _, about = (module.__doc__ or name).strip().partition("\n\n")
        shown_folder = folder.name if folder.is_absolute() else folder  # shows no absolute path
        command = f"python -m benchmarks {name} --write {shown_folder}"
        command += " --long" if os.environ.get(LONG) else ""
        text = _report.document(title.rstrip("."), about, shown, command, taken_s)
        if hasattr(module, "draw"):
            module.draw(rows, folder)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__)
    parser.add_argument("name", nargs="*", help=f"one of {', '.join(names())}; default: all")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FOLDER",
        help="write one Markdown file per benchmark to this folder",
    )
    parser.add_argument("--long", action="store_true", help="include runs that take many minutes")
    given = parser.parse_args()
    if unknown := sorted(set(given.name) - set(names())):
        parser.error(f"{', '.join(unknown)}: known: {', '.join(names())}")
    if given.write is not None:
        given.write.mkdir(parents=True, exist_ok=True)
    if given.long:
        os.environ[LONG] = "1"
    use_one_core()
    for name in given.name or names():
        run(name, given.write)


if __name__ == "__main__":
    main()
