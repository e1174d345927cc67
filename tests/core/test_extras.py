"""Without an extra everything else works, and what needs it says how to install it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from children import SOON

import regretless as rl
from regretless.core.errors import BadInput
from regretless.interfaces.cli import main
from regretless.play.histories.parquet import ParquetWriter
from regretless.runs.report import Report

SPOT = {
    "board": "2c3d4h",
    "pot": 10,
    "stack": 10,
    "ranges": {"oop": "AA", "ip": "KK"},
    "bets": "a",
}
HINT = r"Parquet tables need pyarrow: pip install 'regretless\[tables\]'"


@pytest.fixture
def missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)


def test_tables_ask_for_pyarrow_by_name(missing, tmp_path):
    report = Report(rl.spot(**SPOT), (), (), (), 0, None)
    with pytest.raises(BadInput, match=HINT):
        report.write(tmp_path / "r.parquet")
    with pytest.raises(BadInput, match=HINT):
        ParquetWriter(tmp_path / "hands.parquet")
    assert not list(tmp_path.iterdir())


def test_a_report_asks_before_it_solves(missing, tmp_path, monkeypatch, capsys):
    (tmp_path / "s.toml").write_text(rl.games.to_toml(rl.spot(**SPOT)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["regretless", "report", "s.toml", "--flops", "2"])
    monkeypatch.setattr("regretless.runs.report.report", lambda *_, **__: pytest.fail("solves"))
    with pytest.raises(SystemExit):
        main()
    assert "regretless[tables]" in capsys.readouterr().err


def test_pictures_ask_for_matplotlib_before_anything_is_solved(tmp_path, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    solution = rl.solve("kuhn", iterations=3)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput, match=r"regretless\[pictures\]"):
        solution.plot()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["regretless", "solve", "kuhn", "--plot", "kuhn.png"])
    monkeypatch.setattr("regretless.runs.solve.solve", lambda *_, **__: pytest.fail("solves"))
    with pytest.raises(SystemExit):
        main()
    assert "pip install 'regretless[pictures]'" in capsys.readouterr().err


def test_the_package_imports_no_extra():
    extras = ("pyarrow", "pandas", "pyspiel", "casadi", "pyscipopt", "matplotlib")
    script = (
        "import sys, regretless as rl; rl.solve('kuhn', iterations=5); "
        f"print([name for name in {extras} if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=SOON
    )
    assert run.stdout.strip() == "[]"
