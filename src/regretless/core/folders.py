"""A folder as a registry: `games/leduc.py` is the game `leduc`.

Modules whose name starts with an underscore serve the others and are not listed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, Generic, TypeVar

from regretless.core.errors import UnknownName
from regretless.core.specs import Spec, read

Made = TypeVar("Made", bound=Any)


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


def dashed(module: str) -> str:
    """A name as people write it."""
    return module.replace("_", "-")


@dataclass(frozen=True)
class Registry(Generic[Made]):
    """What the modules of a package make, by name: `dcfr` or `dcfr:alpha=2` is one of them."""

    package: str
    kind: str  # in messages
    makes: str  # the name in every module
    spelled: Callable[[str], str] = dashed  # the name of what a module makes
    also: tuple[str, ...] = ()  # what else a text may be, in messages

    def names(self) -> tuple[str, ...]:
        """The names of everything that the folder makes, in alphabetical order."""
        return tuple(map(self.spelled, listed(self.package)))

    def module(self, name: str) -> ModuleType:
        """The module behind a name."""
        modules = {self.spelled(each): each for each in listed(self.package)}
        if name not in modules:
            raise UnknownName(self.kind, name, (*modules, *self.also))
        return module(self.package, modules[name])

    def about(self, name: str) -> str:
        """One line about it."""
        return summary(self.module(name))

    def made(self, name: str) -> Made:
        """The function or class behind a name."""
        found: Made = getattr(self.module(name), self.makes)
        return found

    def parsed(self, text: str | Spec) -> Spec:
        """A text with parameters, parsed."""
        return text if isinstance(text, Spec) else read(text, self.made, self.kind)


def summary(described: ModuleType) -> str:
    """First line of a module's docstring."""
    return (described.__doc__ or "").strip().splitlines()[0].rstrip(".")
