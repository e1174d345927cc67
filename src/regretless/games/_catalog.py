"""Games by name: the modules of this folder, files, Python files, and OpenSpiel."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from regretless.core.errors import BadParameter, WrongGame, shown
from regretless.core.files import require_readable
from regretless.core.folders import Registry
from regretless.games._state import Game

GAMES: Registry[Callable[..., Game]] = Registry(
    "regretless.games", "game", "game", str, ("openspiel:NAME", "FILE.efg", "FILE.py")
)
game_names = GAMES.names
SUFFIXES = (".efg", ".nfg", ".game", ".toml")


def load(spec: str) -> Game:
    """The game that a spec names: `leduc:ranks=5`, `x.efg`, `openspiel:leduc_poker`.

    `mygame.py:Name` runs that Python file and takes the game of that name."""
    if not isinstance(spec, str):
        raise BadParameter(f"game={shown(spec)}: must be a name such as 'leduc'")
    spec = spec.strip()
    if is_python(spec):
        from regretless.games._python import read_python

        return read_python(spec)
    if spec.startswith("openspiel:"):
        from regretless.games._openspiel import read_openspiel

        return read_openspiel(spec)
    if spec.endswith(SUFFIXES):
        return _reader(Path(spec).suffix)(require_readable(spec))
    named = GAMES.parsed(spec)
    made: Game = named.make(**named.parameters)
    return replace(made, spec=named.text)


def named_in(path: str | Path, spec: str) -> str:
    """The spec of the game that a file names. A file is data: it must not choose code to run."""
    if is_python(spec):
        raise WrongGame(
            f"{path}: made for {spec}, a Python file, which is run only if you name {spec} "
            "as the game"
        )
    return spec


def is_python(spec: str) -> bool:
    """Whether the spec names a Python file: `mygame.py`, `folder/mygame.py:Name`."""
    return python_file(spec) is not None


def python_file(spec: str) -> str | None:
    """The Python file that a spec names."""
    match = re.fullmatch(r"(.+?\.py)(:.*)?", spec.strip(), re.DOTALL)
    return None if match is None or spec.startswith("openspiel:") else match[1]


def game_file(spec: object) -> str | None:
    """The file that a spec refers to, if any."""
    if not isinstance(spec, str):
        return None
    return spec.strip() if spec.strip().endswith(SUFFIXES) else python_file(spec)


def _reader(suffix: str) -> Callable[[Path], Game]:
    if suffix == ".efg":
        from regretless.games._efg import read_efg

        return read_efg
    if suffix == ".toml":
        from regretless.games._spot_files import read_spot

        return lambda path: replace(read_spot(path).game, spec=str(path))
    if suffix == ".nfg":
        from regretless.games._nfg import read_nfg

        return read_nfg
    from regretless.games._acpc import read_acpc

    return read_acpc
