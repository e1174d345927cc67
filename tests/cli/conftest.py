"""The command, as a person calls it."""

import sys

import pytest

from regretless.interfaces.cli import main


@pytest.fixture
def command(monkeypatch, capsys, tmp_path):
    """Run `regretless …` in a fresh folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["regretless", *words])
        try:
            main()
            code = 0
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
