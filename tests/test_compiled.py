"""The compiled cache notices a change in a function that a kernel calls."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import regretless.kernels.compiled as compiled

INNER = "from pkg.compiled import kernel\n\n@kernel\ndef inner(x):\n    return x + {}\n"
OUTER = """
from pkg.compiled import announced, kernel
from pkg.inner import inner

@kernel
def outer(x):
    return inner(x)

names = []
with announced(names.append):
    print(outer(1.0), "compiled" if names else "cached")
"""


def test_a_changed_callee_is_compiled_again(tmp_path):
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "compiled.py").write_text(Path(compiled.__file__).read_text())
    (folder / "outer.py").write_text(textwrap.dedent(OUTER))
    told = []
    for number in (1, 1, 2):
        (folder / "inner.py").write_text(INNER.format(number))
        command = [sys.executable, "-c", "import pkg.outer"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        told.append(run.stdout.strip())
    assert told == ["2.0 compiled", "2.0 cached", "3.0 compiled"]


def test_without_a_writable_folder_it_warns_once_and_compiles(tmp_path):
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "compiled.py").write_text(Path(compiled.__file__).read_text())
    (folder / "inner.py").write_text(INNER.format(1))
    (folder / "outer.py").write_text(textwrap.dedent(OUTER))
    (folder / "__pycache__").write_text("a file, so nothing can be written below it")
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", "import pkg.outer"]
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    run = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, env=kept | nowhere, check=False
    )
    assert run.stdout.strip() == "2.0 compiled"
    assert run.stderr.count("NUMBA_CACHE_DIR") == 1


def test_digests_follow_imports_both_ways_and_learners_reach_sweeps(tmp_path):
    folder = Path(compiled.__file__).parent
    before = compiled.source_digests(folder)
    for source in folder.glob("*.py"):
        (tmp_path / source.name).write_text(source.read_text())

    def changed_by(name):
        source = tmp_path / f"{name}.py"
        text = source.read_text() if source.exists() else ""
        source.write_text(text + "# changed\n")
        after = compiled.source_digests(tmp_path)
        source.write_text(text)
        return {one for one in before if before[one] != after[one]}

    assert changed_by("new") == set()
    assert changed_by("compiled") == set(before)
    after = changed_by("hands")
    assert {"hands", "equities"} <= after
    assert not {"public", "sequence"} & after
    for name in ("hedge", "compact_regrets", "hand_rows", "leaf_values"):
        assert {"public", name} <= changed_by(name)
    assert {"sequence", "public"} <= changed_by("regret_matching")


def test_kernels_run_without_the_compiler(tmp_path):
    """With the JIT off the same sources run as plain Python, for coverage and debugging."""
    script = (
        "from regretless.runs.solve import solve; "
        "print(solve('kuhn', method='cfr+', iterations=10).nash_conv)"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"NUMBA_DISABLE_JIT": "1", "PATH": ""},
    )
    assert abs(float(run.stdout) - 0.0653741813367) < 1e-9


def test_an_index_that_names_types_which_are_gone_is_not_read(tmp_path):
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "compiled.py").write_text(Path(compiled.__file__).read_text())
    text = """
from typing import NamedTuple

from pkg.compiled import kernel

class {0}(NamedTuple):
    number: float

@kernel
def number(pair):
    return pair.number

print(number({0}(3.0)))
"""
    for name in ("Old", "New"):
        (folder / "user.py").write_text(text.format(name))
        command = [sys.executable, "-c", "import pkg.user"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.stdout.strip() == "3.0", run.stderr
