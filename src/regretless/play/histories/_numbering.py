"""Duplicate and missing hand numbers.

Hands of a match are numbered from 0 without gaps, so runs of numbers are kept instead of
numbers, and a log of any length takes a few bytes. Hands of real tables have the numbers of
their site: these are kept one by one, and only duplicates can be found."""

from __future__ import annotations

from bisect import bisect_right


class Numbering:
    """The numbers of one log, added one by one."""

    def __init__(self) -> None:
        self._starts: list[int] = []  # runs: sorted, disjoint, not touching
        self._ends: list[int] = []  # one past the last of each run

    def add(self, number: int) -> bool:
        """Add a number; False if it is a duplicate."""
        starts, ends = self._starts, self._ends
        if ends and number == ends[-1]:
            ends[-1] += 1
            return True
        at = bisect_right(starts, number) - 1
        if at >= 0 and number < ends[at]:
            return False
        left = at >= 0 and ends[at] == number
        right = at + 1 < len(starts) and starts[at + 1] == number + 1
        if left and right:
            ends[at] = ends[at + 1]
            del starts[at + 1], ends[at + 1]
        elif left:
            ends[at] += 1
        elif right:
            starts[at + 1] = number
        else:
            starts.insert(at + 1, number)
            ends.insert(at + 1, number + 1)
        return True

    def missing(self) -> list[tuple[int, int]]:
        """First and last number of every gap below the largest number."""
        before = [0, *self._ends]
        return [(a, b - 1) for a, b in zip(before, self._starts, strict=False) if a < b]
