"""Blocks that are made before they are needed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

Block = TypeVar("Block")


class Ahead(Generic[Block]):
    """Numbered blocks, one at a time; the following one is made in the background if asked to."""

    def __init__(self, make: Callable[[int], Block], *, background: bool) -> None:
        self._make = make
        self._pool = ThreadPoolExecutor(1) if background else None
        self._now: tuple[int, Block] | None = None
        self._later: tuple[int, Future[Block]] | None = None

    def block(self, number: int) -> Block:
        """The block with this number, until another one is asked for."""
        if self._now is None or self._now[0] != number:
            self._now = number, self._awaited(number)
            if self._pool is not None:
                self._later = number + 1, self._pool.submit(self._make, number + 1)
        return self._now[1]

    def _awaited(self, number: int) -> Block:
        if self._later is not None:
            # Finished even if it is not the one: it may write to memory that the next one needs.
            found, self._later = (self._later[0], self._later[1].result()), None
            if found[0] == number:
                return found[1]
        return self._make(number)
