"""Left may not import right: the folders of the package, in order."""

import ast
from pathlib import Path

import pytest

import regretless

ROOT = Path(regretless.__file__).parent
ORDER = [
    "core",
    "kernels",
    "cards",
    "games",
    "forms",
    "strategy",
    "solvers",
    "abstraction",
    "evaluation",
    "blueprints",
    "refinement",
    "runs",
    "play",
    "stochastic",
    "studies",
    "interfaces",
]
SOURCES = sorted(ROOT.rglob("*.py"))


def imported(source: Path) -> set[str]:
    """Folders of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("regretless.")}
    return found & set(ORDER)


def folder(source: Path) -> str:
    return source.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_left_does_not_import_right(source):
    here = folder(source)
    if here.endswith(".py"):
        return  # the package's front door sees everything
    assert here in ORDER, f"folder {here} is not in the order"
    allowed = ORDER[: ORDER.index(here) + 1]
    assert imported(source) <= set(allowed)


def test_every_folder_is_there():
    there = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert there <= set(ORDER)
    assert {"core", "kernels", "games", "forms", "solvers", "evaluation"} <= there


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_interfaces_print_or_read_arguments(source):
    if folder(source) == "interfaces":
        return
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print"
        if isinstance(node, ast.Attribute):
            assert node.attr not in ("argv", "stdout")


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_is_ever_unpickled(source):
    text = source.read_text()
    assert "pickle" not in text.replace("never pickles", "")


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_solvers_and_kernels_know_no_cards(source):
    if folder(source) in ("solvers", "kernels"):
        assert not imported(source) & {"cards", "games"}


def test_every_module_says_what_it_is():
    for source in SOURCES:
        text = source.read_text()
        assert not text or ast.get_docstring(ast.parse(text)), source
