"""Public names of a package: listed once, in its stub, and imported on first use.

`__init__.pyi` (or `NAME.pyi`) is the list: type checkers read it as it is, and `front` reads the
same imports, so that importing the package loads nothing heavy."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

Front = tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]


def front(module: str, file: str) -> Front:
    """`__getattr__`, `__dir__` and `__all__` of a module, from the stub beside its file."""
    homes = listed(Path(file).with_suffix(".pyi"))
    names = sorted(homes, key=lambda name: (not name.isupper(), not name[0].isupper(), name))

    def public(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        value = _checked(homes[name], module, name)
        setattr(sys.modules[module], name, value)
        return value

    return public, lambda: names, names


@cache
def listed(stub: Path) -> dict[str, str]:
    """[name] the module that it is imported from, in a stub; namespaces are not names."""
    tree = ast.parse(stub.read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module or "" for node in imports for alias in node.names}
    return {name: home for name, home in homes.items() if "." in home}


def _checked(home: str, module: str, name: str) -> Any:
    """A public name; functions name a wrong argument when they fail on one."""
    value = getattr(import_module(home), name)
    if not isinstance(value, FunctionType):
        return value
    from regretless.core.arguments import checked_arguments

    return checked_arguments(value, module, name)
