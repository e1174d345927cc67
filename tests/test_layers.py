"""Left may not import right: the folders of the package, in order."""

import ast
from functools import cache
from pathlib import Path

import regretless

ROOT = Path(regretless.__file__).parent
ORDER = [
    "core",
    "kernels",
    "cards",
    "games",
    "forms",
    "strategy",
    "programs",
    "solvers",
    "abstraction",
    "evaluation",
    "blueprints",
    "refinement",
    "exploitation",
    "stochastic",
    "continuous",
    "runs",
    "play",
    "studies",
    "interfaces",
]
SOURCES = sorted(ROOT.rglob("*.py"))


@cache
def parsed(source: Path) -> ast.Module:
    return ast.parse(source.read_text())


def imported(source: Path) -> set[str]:
    """Folders of the package that a file imports."""
    found = set()
    for node in ast.walk(parsed(source)):
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


def test_left_does_not_import_right():
    for source in SOURCES:
        here = folder(source)
        if here.endswith(".py"):
            continue  # the package's front door sees everything
        assert here in ORDER, f"folder {here} is not in the order"
        right = set(ORDER[ORDER.index(here) + 1 :])
        assert not imported(source) & right, source


def test_every_folder_is_there():
    there = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] != "_"}
    assert there <= set(ORDER)
    assert {"core", "kernels", "games", "forms", "solvers", "evaluation"} <= there
    assert len(SOURCES) > 100


def test_only_interfaces_print_or_read_arguments():
    for source in SOURCES:
        if folder(source) == "interfaces":
            continue
        for node in ast.walk(parsed(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "print", source
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("argv", "stdout"), source


def test_nothing_is_ever_unpickled():
    for source in SOURCES:
        assert "pickle" not in source.read_text().replace("never pickles", ""), source


def test_solvers_and_kernels_know_no_cards():
    for source in SOURCES:
        if folder(source) in ("solvers", "kernels"):
            assert not imported(source) & {"cards", "games"}, source


def test_every_module_says_what_it_is():
    for source in SOURCES:
        assert not source.read_text() or ast.get_docstring(parsed(source)), source


def test_test_files_have_names_of_their_own():
    """Of two with one name, only one would be collected."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
