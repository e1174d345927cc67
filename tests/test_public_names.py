"""The front door: what is promised is there, and the error tree is drawn as it is."""

import importlib
import inspect

import regretless
from regretless.core import errors


def test_all_is_sorted_and_complete():
    names = regretless.__all__
    assert names == sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert set(names) == set(regretless._HOME)
    for name in names:
        home = importlib.import_module(f"regretless.{regretless._HOME[name]}")
        assert inspect.unwrap(getattr(regretless, name)) is getattr(home, name)


def test_error_tree_is_drawn_as_it_is():
    drawn = errors.__doc__
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, Exception) and kind.__module__ == errors.__name__:
            assert name in drawn


def test_unknown_attribute():
    assert not hasattr(regretless, "no_such_thing")
    assert "solve" in dir(regretless)
