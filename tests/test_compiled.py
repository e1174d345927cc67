"""The compiled cache notices a change in a function that a kernel calls."""

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
