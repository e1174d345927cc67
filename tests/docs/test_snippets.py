"""Everything that the documents show is run, and every file they point to exists.

What a fence says decides what happens, in the order of the document, in one folder per document:

    ```python               run, all blocks of a document in one namespace
    ```console or ```sh     lines that begin with `regretless` or `$ regretless` are run,
                            `> FILE` included;
                            `# exit 2` behind a command is the exit code it must have; lines
                            below a command are what it prints, numbers included, where `...`
                            stands for any lines; times and free memory may differ
    ```text file=NAME       written to the file NAME, for later blocks to read
    anything else           only read by people"""

import io
import os
import re
import shlex
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from children import SOON

import regretless as rl
from regretless.interfaces.cli import main

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
] + sorted((ROOT / "docs").rglob("*.md"))
GAMES = ROOT / "docs" / "reference" / "games.md"
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]

FENCE = re.compile(r"^```(?P<says>[^\n`]*)\n(?P<body>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ )?(?P<command>regretless .*?)(?:\s+# exit (?P<code>\d+))?$")
NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:e[-+]\d+)?")
ROUNDING = 1e-12
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
SIZE_ROW = re.compile(r"^\| `(?P<game>[^`]+)` \| (?P<points>[\d, +]+) \|", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block, and the line of the document at which its body begins."""

    says: str
    body: str
    line: int


def blocks(text: str) -> list[Block]:
    return [
        Block(found["says"].strip(), found["body"], text.count("\n", 0, found.start("body")) + 1)
        for found in FENCE.finditer(text)
    ]


class Command(NamedTuple):
    """A line that begins with `regretless`, its exit code, and what is shown below it."""

    arguments: list[str]
    code: int
    shown: list[str]
    redirected: str  # the file that stdout is written to, or nothing


def commands(block: Block) -> list[Command]:
    """Every `regretless` line of a block."""
    listed: list[Command] = []
    for line in block.body.splitlines():
        if one := COMMAND.match(line):
            command, _, file = one["command"].partition(" > ")
            listed.append(Command(shlex.split(command)[1:], int(one["code"] or 0), [], file))
        elif line.startswith("$ "):
            listed.append(Command([], 0, [], ""))  # another program: what it prints is its own
        elif listed:
            listed[-1].shown.append(line)
    return [one for one in listed if one.arguments]


def differs(shown: list[str], printed: list[str]) -> str | None:
    """The first shown line that was not printed; `...` stands for any lines."""
    wanted = [_plain(line) for line in shown if line.strip()]
    there = [_plain(line) for line in printed if line.strip()]
    at, anywhere = 0, False
    for line in wanted:
        if line == "...":
            anywhere = True
            continue
        places = range(at, len(there) if anywhere else min(at + 1, len(there)))
        found = next((place for place in places if _alike(line, there[place])), None)
        if found is None:
            return line
        at, anywhere = found + 1, False
    return None if anywhere or at == len(there) or not wanted else f"after the end: {there[at]}"


def _plain(line: str) -> str:
    """Without what differs from run to run and from machine to machine."""
    line = " ".join(line.split())
    line = re.sub(r"\bin [\d.,e-]+ s\b", "in TIME", line)
    return re.sub(r"\([\d.,]+ \w+ available\)", "(MEMORY available)", line)


def _alike(one: str, two: str) -> bool:
    """The same words; numbers may differ by a fiftieth, percentages by one, zeros by rounding.

    `...` within a line stands for the rest of it."""
    if "..." in one:
        one = one.partition("...")[0].rstrip()
        two = two[: len(one)]
    if NUMBER.sub("#", one) != NUMBER.sub("#", two):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(two), strict=True)
    values = [(float(a.replace(",", "")), float(b.replace(",", ""))) for a, b in pairs]
    percent = re.search(r"\b[fcr]\d", one) is not None
    return all(abs(a - b) <= max(ROUNDING, 0.02 * abs(a), float(percent)) for a, b in values)


def run_python(block: Block, document: Path, namespace: dict[str, Any]) -> None:
    # Empty lines in front, so that an error names the line of the document.
    source = "\n" * (block.line - 1) + block.body
    exec(compile(source, str(document), "exec"), namespace)


class Done(NamedTuple):
    """What a command has printed, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


def in_a_process(arguments: list[str], folder: Path) -> Done:
    """As a reader would run it."""
    done = subprocess.run(
        [sys.executable, "-m", "regretless", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "100"},
        timeout=SOON,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def in_this_process(arguments: list[str], _: Path) -> Done:
    """The same without a second of imports for each."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(out),
        redirect_stderr(err),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        patch.setenv("COLUMNS", "100")
        patch.setattr(sys, "argv", ["regretless", *arguments])
        patch.setattr(sys, "stdin", io.StringIO())
        patch.setattr(sys, "unraisablehook", sys.unraisablehook)
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


ONCE = "compiling kernels, once per machine …"  # whichever command comes first


def run_commands(block: Block, folder: Path, run: Callable[[list[str], Path], Done]) -> None:
    for arguments, expected, shown, redirected in commands(block):
        done = run(arguments, folder)
        if redirected:
            (folder / redirected).write_text(done.stdout, encoding="utf-8")
        said = f"regretless {shlex.join(arguments)}\n{done.stdout}{done.stderr}"
        assert done.returncode == expected, said
        assert "Traceback" not in done.stderr, said
        if shown:
            printed = (done.stdout + done.stderr).splitlines()
            wrong = differs(shown, [line for line in printed if line != ONCE])
            assert wrong is None, f"the document shows {wrong!r}\n{said}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_snippets_run(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = in_a_process if document.name in ("README.md", "acpc.md") else in_this_process
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(document.read_text(encoding="utf-8")):
        language, _, rest = block.says.partition(" ")
        if language == "python":
            run_python(block, document, namespace)
        elif language in ("console", "sh"):
            run_commands(block, tmp_path, run)
        elif rest.startswith("file="):
            (tmp_path / rest.removeprefix("file=")).write_text(block.body, encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_links_lead_somewhere(document: Path) -> None:
    text = FENCE.sub("", document.read_text(encoding="utf-8"))
    targets = [found["target"] for found in LINK.finditer(text)]
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    missing = [target for target in local if not _has_target(document, *target.partition("#")[::2])]
    assert not missing


def _has_target(document: Path, path: str, heading: str) -> bool:
    target = document.parent / path if path else document
    if not heading or not target.is_file():
        return target.exists()
    titles = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE)
    return heading in {_anchor(title) for title in titles}


def _anchor(title: str) -> str:
    """The name that a heading has in a link."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_documents_that_sources_name_exist() -> None:
    sources = [
        path for name in ("src", "tests", "benchmarks") for path in (ROOT / name).rglob("*.py")
    ]
    named = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources
        for name in re.findall(r"\bdocs/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert named
    assert not [one for one in sorted(named) if not (ROOT / one.partition(": ")[2]).is_file()]


def test_every_fence_says_what_it_is() -> None:
    silent = [
        f"{name}:{block.line}"
        for name, document in zip(NAMES, DOCUMENTS, strict=True)
        for block in blocks(document.read_text(encoding="utf-8"))
        if not block.says
    ]
    assert not silent


def test_sizes_are_those_of_the_games() -> None:
    rows = list(SIZE_ROW.finditer(GAMES.read_text(encoding="utf-8")))
    assert rows
    for row in rows:
        sizes = rl.forms.game_sizes(rl.load(row["game"]))
        assert row["points"] == " + ".join(f"{count:,}" for count in sizes.decision_points)


@pytest.mark.parametrize("method", rl.research.method_names())
def test_every_method_has_its_row(method: str) -> None:
    file = method.replace("+", "_plus").replace("-", "_") + ".py"
    pages = (ROOT / "docs").rglob("*.md")
    rows = (row for page in pages for row in page.read_text(encoding="utf-8").splitlines())
    assert any(f"`{method}`" in row and file in row for row in rows)


@pytest.mark.parametrize("game", rl.games.game_names())
def test_every_game_is_named(game: str) -> None:
    assert f"`{game}`" in GAMES.read_text(encoding="utf-8")


def test_stale_transcripts_are_found() -> None:
    printed = ["value  -0.0556", "in 0.3 s", "Q  c84 r16", "end"]
    assert differs(["value -0.0556", "in 0.1 s", "Q c84 r16", "end"], printed) is None
    assert differs(["value -0.0556", "..."], printed) is None
    assert differs(["...", "Q c83 r17", "..."], printed) is None
    assert differs(["value -0.0956", "..."], printed) == "value -0.0956"
    assert differs(["value -0.0556"], printed) == "after the end: in TIME"
    assert differs(["...", "Q c74 r26", "end"], printed) == "Q c74 r26"
    assert differs(["worth -0.0556", "..."], printed) == "worth -0.0556"
    assert differs(["gap 8.930e-07"], ["gap 8.930e-08"]) == "gap 8.930e-07"
    assert differs(["gap 8.930e-07"], ["gap 0"]) == "gap 8.930e-07"
    assert differs(["gap 8.930e-07"], ["gap 8.931e-07"]) is None
    assert differs(["gap 1e-17"], ["gap 0"]) is None
    assert differs([], printed) is None
