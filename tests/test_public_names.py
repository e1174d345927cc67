"""The front door: what is promised is there, and the error tree is drawn as it is."""

import importlib
import inspect
import pkgutil

import pytest

import regretless
from regretless.core import errors
from regretless.core.front import listed

STUBS = {"regretless": regretless.__path__[0] + "/__init__.pyi"}
STUBS |= {f"regretless.{name}": str(stub) for name, stub in regretless._SHELVES.items()}


@pytest.mark.parametrize("module", STUBS)
def test_names_are_those_of_the_stub(module):
    front = importlib.import_module(module)
    homes = listed(type(regretless._SHELVES["cards"])(STUBS[module]))
    assert set(front.__all__) == set(homes)
    assert front.__all__ == sorted(
        front.__all__, key=lambda n: (not n.isupper(), not n[0].isupper(), n)
    )
    for name, home in homes.items():
        value = getattr(importlib.import_module(home), name)
        assert inspect.unwrap(getattr(front, name)) is value


@pytest.mark.parametrize("module", STUBS)
def test_no_name_is_that_of_a_submodule(module):
    front = importlib.import_module(module)
    submodules = {one.name for one in pkgutil.iter_modules(getattr(front, "__path__", []))}
    assert not submodules & set(front.__all__)


def test_no_name_has_two_places():
    places = [name for module in STUBS for name in importlib.import_module(module).__all__]
    assert {name for name in places if places.count(name) > 1} <= {"RegretlessError"}


def test_daily_names_are_few():
    assert len(regretless.__all__) <= 40


@pytest.mark.parametrize(
    ("old", "new"), [("equity", "equity"), ("write_efg", "to_efg"), ("report", "report")]
)
def test_old_names_work_with_a_warning(old, new):
    with pytest.warns(DeprecationWarning, match=rf"rl\.{old} is now rl\.\w+\.{new}"):
        assert getattr(regretless, old).__name__ == new


def test_all_errors_are_exported():
    made = {
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == errors.__name__
    }
    assert made == set(regretless.errors.__all__)


def test_error_tree_is_drawn_as_it_is():
    for name in regretless.errors.__all__:
        assert name in errors.__doc__


def test_unknown_attribute():
    assert not hasattr(regretless, "no_such_thing")
    assert "solve" in dir(regretless)
