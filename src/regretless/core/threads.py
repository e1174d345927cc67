"""Threads for independent parts of work; with one thread the caller does it all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol, TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")


class Map(Protocol):
    """As the built-in `map`, in order."""

    def __call__(
        self, work: Callable[[Part], Result], parts: Iterable[Part], /
    ) -> Iterator[Result]: ...


@contextmanager
def threaded(threads: int) -> Iterator[Map]:
    """A `map` on this many threads.

    Handing work to a single other thread would only add two switches per part, which matter where
    parts are small."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads) as pool:
        yield pool.map
