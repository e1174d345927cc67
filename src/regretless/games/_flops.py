"""The flops of a spot: the 1,755 strategically distinct ones, and their probabilities.

There are more if the ranges depend on suits. The weight of a flop is the probability that it is
dealt to the two ranges: the number of flops it represents, times the hands it leaves them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from regretless.cards.holdings import card_name, disjoint, hands, read_cards, without
from regretless.cards.ranges import read_range
from regretless.cards.suits import CardSets, fixing, renamings
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadFile, BadInput, BadParameter
from regretless.core.files import is_file, read_text
from regretless.games._spot import Spot, spot
from regretless.games._spot_tables import PLAYERS

FLOP = 3
MOST_WEIGHT = 1e6
_ENTRY = re.compile(r"\s*([2-9TJQKAcdhs ]{6,8}?)\s*(?:[:,;\s]\s*([0-9.eE+-]+))?\s*", re.IGNORECASE)


class Flop(NamedTuple):
    """A flop, and the share of all deals that it represents."""

    cards: tuple[int, ...]
    weight: float

    @property
    def name(self) -> str:
        """Such as `Td9d6h`, highest card first."""
        return "".join(map(card_name, sorted(self.cards, reverse=True)))


def flops_of(given: Spot, which: str | int | Path = "all") -> list[Flop]:
    """All flops, a sample of the given size, or the flops of a file; weights sum to 1.

    The sample is systematic: equally spaced over the cumulative weight of the flops in a fixed
    order, so that each one represents the same share of deals."""
    if given.street != "flop":
        raise BadParameter(f"spot on the {given.street}: expected a board of 3 cards")
    if any(any(lock.line.cards) for lock in given.locks):
        raise BadParameter("locks on named cards: they apply to one board only")
    locked = [_locked(table) for table in given.given.get("locks", ())]
    rows = fixing(renamings(), hole=2, vectors=[*_ranges(given), *locked], sets=())
    text = str(which).strip()
    if text == "all":
        flops = _weighted(given, _all(rows))
    elif re.fullmatch(r"[0-9]+", text):
        flops = _sample(_weighted(given, _all(rows)), int(text))
    else:
        flops = _weighted(given, _of_file(Path(text), rows))
    if not flops:
        raise BadInput("flops: no hands of the ranges are possible on any of them")
    total = sum(flop.weight for flop in flops)
    return [Flop(flop.cards, flop.weight / total) for flop in flops]


def on_flop(given: Spot, cards: Sequence[int]) -> Spot:
    """The same spot on another flop, without locks whose hands that flop blocks."""
    live, ranges = without(tuple(cards)), _ranges(given)
    locks = [
        table
        for table, lock in zip(given.given.get("locks", ()), given.locks, strict=True)
        if (live & (_locked(table) > 0) & (ranges[lock.player] > 0)).any()
    ]
    board = "".join(map(card_name, cards))
    return spot(**{**given.given, "board": board, "locks": locks})


def _locked(table: Mapping[str, Any]) -> Floats:
    return read_range(table.get("hands", "random"))


def _ranges(given: Spot) -> list[Floats]:
    """The ranges as given, including the hands that the board of the spot blocks."""
    return [read_range(given.given["ranges"][name]) for name in PLAYERS]


def _all(rows: Ints) -> Mapping[tuple[int, ...], float]:
    """One flop per class under these suit permutations, with the size of the class."""
    flops = CardSets(rows, FLOP)
    orbits = flops.orbits(tuple(range(len(rows))))
    return {
        tuple(cards[::-1]): float(size)
        for cards, size in zip(
            flops.cards[orbits.firsts].tolist(), orbits.sizes[orbits.firsts].tolist(), strict=True
        )
    }


def _weighted(given: Spot, times_of: Mapping[tuple[int, ...], float]) -> list[Flop]:
    """The flops weighted by the probability that both ranges leave these cards in the deck."""
    ranges = _ranges(given)
    boards = np.array(list(times_of), dtype=np.int64).reshape(-1, FLOP)
    live: Floats = np.ones((len(boards), len(ranges[0])))
    for card in hands().T:
        live[(boards[:, :, None] == card).any(axis=1)] = 0.0
    one, two = (live * mine for mine in ranges)
    pairs = ((one @ disjoint()) * two).sum(axis=1)
    return [
        Flop(cards, float(times * pair))
        for (cards, times), pair in zip(times_of.items(), pairs, strict=True)
        if times * pair > 0
    ]


def _sample(flops: list[Flop], count: int) -> list[Flop]:
    if not 1 <= count <= len(flops):
        raise BadParameter(f"flops={count}: must be 1 to {len(flops):,}, or all")
    ends = np.cumsum([flop.weight for flop in flops])
    places = np.searchsorted(ends / ends[-1], (np.arange(count) + 0.5) / count)
    numbers, times = np.unique(places, return_counts=True)
    return [Flop(flops[n].cards, float(t)) for n, t in zip(numbers, times, strict=True)]


def _of_file(path: Path, rows: Ints) -> dict[tuple[int, ...], float]:
    """One flop per line; the default weight is the number of equivalent flops."""
    if not is_file(path):
        raise BadParameter(f"flops={path}: must be a file, a number or all")
    lines = read_text(path, "a list of flops").splitlines()
    weights: dict[tuple[int, ...], float] = {}
    seen: dict[frozenset[int], int] = {}
    for number, line in enumerate(lines, start=1):
        text = line.partition("#")[0]
        if not text.strip():
            continue
        cards, weight = _entry(path, number, text)
        images = set(map(frozenset, rows[:, list(cards)].tolist()))
        if before := next((seen[image] for image in images if image in seen), 0):
            raise BadFile(path, f"same flop as in line {before}, up to suits", line=number)
        seen |= dict.fromkeys(images, number)
        weights[cards] = float(len(images)) if weight is None else weight
    if not weights:
        raise BadFile(path, "has no flops: expected one per line, such as Td9d6h or Td9d6h:0.5")
    return weights


def _entry(path: Path, number: int, text: str) -> tuple[tuple[int, ...], float | None]:
    entry = _ENTRY.fullmatch(text)
    if entry is None:
        problem = f"got {text.strip()!r}, expected a flop such as Td9d6h or Td9d6h:0.5"
        raise BadFile(path, problem, line=number, column=1)
    try:
        cards = read_cards(entry[1])
        weight = None if entry[2] is None else float(entry[2])
    except (BadParameter, ValueError) as error:
        raise BadFile(path, str(error), line=number, column=1) from None
    if len(cards) != FLOP:
        raise BadFile(path, f"got {len(cards)} cards, expected 3", line=number, column=1)
    if weight is not None and not (isfinite(weight) and 0 < weight <= MOST_WEIGHT):
        problem = f"weight {entry[2]}: must be more than 0 and at most {MOST_WEIGHT:g}"
        raise BadFile(path, problem, line=number, column=1)
    return cards, weight
