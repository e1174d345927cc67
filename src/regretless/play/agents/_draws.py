"""Random numbers with an address: seed, hand, place in the hand.

A counter-based generator (Philox) gives any of them directly. The place is the length of
the betting text so far, which differs at every decision of a hand: so agents with equal
seeds at one table never use the same number."""

from __future__ import annotations

import numpy as np

from regretless.core.errors import within

MOST_SEED = 2**64 - 1
_HANDS, _PLACES = 256, 16  # drawn at a time: few hands of limit games are longer


class Draws:
    """Numbers in [0, 1); streams are independent of each other."""

    def __init__(self, seed: int, *, stream: int = 0) -> None:
        within("seed", seed, 0, MOST_SEED)
        self._key = np.array([seed, stream], np.uint64)
        self._number, self._row = -1, list[float]()  # of the hand that is being played
        self._chunk, self._rows = -1, list[list[float]]()

    def at(self, number: int, place: int) -> float:
        """The number for a decision in this hand."""
        if number != self._number:
            self._turn(number)
        if place >= len(self._row):
            self._lengthen(place)
        return self._row[place]

    def _turn(self, number: int) -> None:
        chunk, hand = divmod(number, _HANDS)
        if chunk != self._chunk:
            self._rows, self._chunk = self._drawn(chunk, 0), chunk
        self._number, self._row = number, self._rows[hand]

    def _lengthen(self, place: int) -> None:
        """Later places for the whole chunk: hands as long as this one are rarely alone."""
        while place >= len(self._row):
            block = self._drawn(self._chunk, len(self._row) // _PLACES)
            self._rows = [row + more for row, more in zip(self._rows, block, strict=True)]
            self._row = self._rows[self._number % _HANDS]

    def _drawn(self, chunk: int, block: int) -> list[list[float]]:
        counter = np.array([0, chunk, block, 0], np.uint64)
        numbers = np.random.Generator(np.random.Philox(counter=counter, key=self._key))
        rows: list[list[float]] = numbers.random((_HANDS, _PLACES)).tolist()
        return rows
