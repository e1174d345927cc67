"""A folder as a registry: `games/leduc.py` is the game `leduc`.

Modules whose name starts with an underscore serve the others and are not listed."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

from regretless.core.errors import UnknownName


@cache
def listed(package: str) -> tuple[str, ...]:
    """Names of the public modules of a package, in alphabetical order."""
    folder = importlib.import_module(package)
    modules = pkgutil.iter_modules(folder.__path__)
    files = [module.name for module in modules if not module.ispkg]
    return tuple(sorted(name for name in files if not name.startswith("_")))


def module(package: str, name: str) -> ModuleType:
    """The module of this name."""
    if name not in listed(package):
        raise UnknownName(package.rpartition(".")[2].removesuffix("s"), name, listed(package))
    return importlib.import_module(f"{package}.{name}")


def summary(described: ModuleType) -> str:
    """First line of a module's docstring."""
    return (described.__doc__ or "").strip().splitlines()[0].rstrip(".")
