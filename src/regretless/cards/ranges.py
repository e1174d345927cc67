"""Ranges as players write them: a weight from 0 to 1 for each of the 1,326 hands.

    QQ+          pairs from queens up            A9s-A6s    the kickers in between
    A8s+         A8s, A9s, … AKs                 T9s-54s    the connectors in between
    AK, AKs, AKo all, suited, offsuit            AsAh       one hand
    KTo:0.5      with a weight                   random     every hand
    15%          the best hands, see `top`       0.5 0 1 …  1,326 weights in the order of hands

Entries are separated by commas or spaces; if two name the same hand the later one counts, so
`random,72o:0` is all but one class. Weights of zero are allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from regretless.cards.deck import HOLDINGS, RANKS, SUITS
from regretless.cards.holdings import class_names, hand_names, members, number_of
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadParameter

_ENTRY = re.compile(r"([^,\s:]+|(?=:))(?:\s*:\s*([^,\s]*))?")
_RANK = f"[{RANKS}{RANKS.lower()}]"
_SUIT = f"[{SUITS}{SUITS.upper()}]"
_CLASS = rf"({_RANK})({_RANK})([soSO]?)"
_HAND = re.compile(rf"({_RANK})({_SUIT})({_RANK})({_SUIT})")
_SPAN = re.compile(rf"{_CLASS}(?:(\+)|-{_CLASS})?")
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{0,9})?)%")
_WEIGHT = re.compile(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?|[0-9]+\.")
_SHOWN = 40  # characters of a range that an error quotes


class BadRange(BadParameter):
    """A range that cannot be parsed; `position` is the character, from 1."""

    def __init__(self, text: str, position: int, problem: str) -> None:
        begin = max(0, position - 1 - _SHOWN // 2)
        shown = ("…" if begin else "") + text[begin : begin + _SHOWN]
        shown += "…" if len(text) > begin + _SHOWN else ""
        super().__init__(f"range {shown!r}, character {position}: {problem}")
        self.position = position


def read_range(given: str | npt.ArrayLike) -> Floats:
    """The weights of all hands, from text or 1,326 numbers, validated."""
    if not isinstance(given, str):
        return _checked(given)
    entries = list(_ENTRY.finditer(given))
    if len(entries) > 1 and all(_is_weight(entry[0]) for entry in entries):
        numbers = [_weight(given, entry[0], entry.start()) for entry in entries]
        if len(numbers) != HOLDINGS:
            problem = f"got {len(numbers):,} weights, expected {HOLDINGS:,}"
            raise BadRange(given, len(given.rstrip()), problem)
        return np.array(numbers)
    weights = np.zeros(HOLDINGS)
    for entry in entries:
        chosen = _named(given, entry[1], entry.start())
        plain = entry[2] is None
        weights[chosen] = 1.0 if plain else _weight(given, entry[2], entry.start(2))
    return weights


def to_range(weights: npt.ArrayLike) -> str:
    """A short text that `read_range` turns into exactly these weights."""
    left = _checked(weights).copy()
    if (left == left[0]).all():
        return "random" + _suffix(left[0]) if left[0] else ""
    return ",".join(_entries(left))


def top(percent: float) -> Floats:
    """The top percentage of all hands, by equity against a random hand.

    Classes are taken whole, as many as come closest to the percentage."""
    sizes = np.array([len(members()[cell]) for cell in _best_first()])
    wanted = percent / 100 * HOLDINGS
    taken = int(np.abs(np.concatenate([[0], np.cumsum(sizes)]) - wanted).argmin())
    weights = np.zeros(HOLDINGS)
    for cell in _best_first()[:taken]:
        weights[members()[cell]] = 1.0
    return weights


@cache
def _best_first() -> tuple[int, ...]:
    """The 169 classes by equity against a random hand."""
    return tuple(class_names().index(name) for name in BEST_FIRST.split())


def _checked(given: npt.ArrayLike) -> Floats:
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadParameter(f"range {given!r}: must be text or {HOLDINGS} weights") from None
    if weights.shape != (HOLDINGS,):
        raise BadParameter(f"range of shape {weights.shape}: must be text or {HOLDINGS} weights")
    bad = np.flatnonzero(~((weights >= 0) & (weights <= 1)))
    if bad.size:
        name = hand_names()[bad[0]]
        raise BadParameter(f"weight of {name}={weights[bad[0]]}: must be 0 to 1")
    return weights


def _is_weight(word: str) -> bool:
    """Whether it is a number and not a pair such as 22."""
    return bool(_WEIGHT.fullmatch(word)) and float(word) <= 1


def _weight(text: str, word: str, at: int) -> float:
    if not _WEIGHT.fullmatch(word):
        raise BadRange(text, at + 1, f"weight {word!r} must be a number from 0 to 1")
    weight = float(word)
    if weight > 1:
        raise BadRange(text, at + 1, f"weight {word} must be 0 to 1")
    return weight


def _named(text: str, name: str, at: int) -> Ints:
    """The hands that an entry names; it begins at this place of the text."""
    if name.lower() == "random":
        return np.arange(HOLDINGS)
    if match := _PERCENT.fullmatch(name):
        if float(match[1]) > 100:
            raise BadRange(text, at + 1, f"{name} must be 0% to 100%")
        return np.flatnonzero(top(float(match[1])))
    if match := _HAND.fullmatch(name):
        cards = [_rank(match[1]) * 4 + SUITS.index(match[2].lower())]
        cards += [_rank(match[3]) * 4 + SUITS.index(match[4].lower())]
        if cards[0] == cards[1]:
            raise BadRange(text, at + 3, f"{match[3].upper()}{match[4].lower()} appears twice")
        return np.array([number_of(*cards)])
    match = _SPAN.fullmatch(name)
    if match is None:
        raise BadRange(text, *_first_wrong(name, at))
    names = _between(text, match, at)
    return np.concatenate([members()[class_names().index(one)] for one in names])


def _first_wrong(name: str, at: int) -> tuple[int, str]:
    """Where an entry stops being valid, and what was expected."""
    allowed = "hands are written like AK, AKs, AKo, QQ+, A9s-A6s, AsAh, 15% or random"
    fitting = max(length for length in range(len(name) + 1) if _begins(name[:length]))
    if fitting == len(name):
        return at + max(1, fitting), f"{name!r} is incomplete; {allowed}"
    return at + fitting + 1, f"{name[fitting]!r} does not fit; {allowed}"


def _begins(part: str) -> bool:
    """Whether an entry can begin like this."""
    endings = ("", "A", "2", "s", "As", "2s", "-22", "-A2", "2-22", "2-A2", "s-A2s", "%", "0%")
    patterns = (_SPAN, _HAND, _PERCENT)
    return "random".startswith(part.lower()) or any(
        pattern.fullmatch(part + ending) for pattern in patterns for ending in endings
    )


def _between(text: str, match: re.Match[str], at: int) -> Iterator[str]:
    """Names of the classes from one to the other."""
    first, second = sorted((_rank(match[1]), _rank(match[2])), reverse=True)
    kinds = [match[3].lower()] if match[3] else ["s", "o"]
    if first == second and match[3]:
        raise BadRange(text, at + 3, f"a pair is neither suited nor offsuit: {match[0]!r}")
    if match[4]:
        until = (12, 12) if first == second else (first, first - 1)
    elif match[5]:
        until = _until(text, match, at, (first, second))
    else:
        until = (first, second)
    low, high = sorted(((first, second), until))
    moves = (high[0] > low[0], high[1] > low[1])
    for step in range(max(high[0] - low[0], high[1] - low[1]) + 1):
        pair = RANKS[low[0] + step * moves[0]] + RANKS[low[1] + step * moves[1]]
        yield from [pair] if first == second else [pair + kind for kind in kinds]


def _until(text: str, match: re.Match[str], at: int, begin: tuple[int, int]) -> tuple[int, int]:
    """The other end of a span."""
    other = at + match.start(5) + 1
    end = sorted((_rank(match[5]), _rank(match[6])), reverse=True)
    if (end[0] == end[1]) != (begin[0] == begin[1]):
        raise BadRange(text, other, f"a span of pairs ends with a pair: {match[0]!r}")
    if match[7].lower() != match[3].lower():
        raise BadRange(text, other + 2, f"both ends must be alike, suited or not: {match[0]!r}")
    if end[0] != begin[0] and end[0] - end[1] != begin[0] - begin[1]:
        raise BadRange(text, other, f"both ends need the same first rank or gap: {match[0]!r}")
    return end[0], end[1]


def _rank(letter: str) -> int:
    return RANKS.index(letter.upper())


def _suffix(weight: float) -> str:
    if weight == 1:
        return ""
    return ":" + np.format_float_positional(weight, trim="-").removeprefix("0")


def _entries(left: Floats) -> Iterator[str]:
    """Entries for these weights; weights that are written are set to zero."""
    classes = class_names()
    whole = {
        classes[cell]: float(left[own[0]])
        for cell, own in enumerate(members())
        if left[own[0]] and (left[own] == left[own[0]]).all()
    }
    for name in whole:
        left[members()[classes.index(name)]] = 0.0
    yield from _runs([rank * 2 for rank in RANKS], whole)
    for high in range(len(RANKS) - 1, 0, -1):
        rows = {
            kind: [RANKS[high] + RANKS[low] + kind for low in range(high)] for kind in ("s", "o")
        }
        yield from _runs_of_both(rows["s"], rows["o"], whole)
    for hand in np.flatnonzero(left)[::-1].tolist():
        yield hand_names()[hand] + _suffix(float(left[hand]))


def _runs_of_both(suited: list[str], offsuit: list[str], whole: dict[str, float]) -> Iterator[str]:
    """A row of the grid: suited and offsuit apart, or combined where their weights agree."""
    apart = [*_runs(suited, whole), *_runs(offsuit, whole)]
    both = {
        one[:2]: whole[one]
        for one, other in zip(suited, offsuit, strict=True)
        if one in whole and whole[one] == whole.get(other)
    }
    rest = {name: weight for name, weight in whole.items() if name[:2] not in both}
    shared = [*_runs([name[:2] for name in suited], both)]
    shared += [*_runs(suited, rest), *_runs(offsuit, rest)]
    yield from min(apart, shared, key=lambda entries: len(",".join(entries)))


def _runs(row: list[str], whole: dict[str, float]) -> Iterator[str]:
    """Runs of equal weight as one entry each, highest first; the last may take a `+`."""
    end = len(row) - 1
    while end >= 0:
        weight, begin = whole.get(row[end]), end
        while weight is not None and begin and whole.get(row[begin - 1]) == weight:
            begin -= 1
        if weight is not None:
            plus = end == len(row) - 1 and begin < end
            span = f"{row[begin]}+" if plus else f"{row[end]}-{row[begin]}"
            yield (row[end] if begin == end else span) + _suffix(weight)
        end = begin - 1


# Made by sorting `equities.against_random`; a test reproduces it. It is stored here so that reading
# a range does not require counting 1.4 billion deals first.
BEST_FIRST = """
AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55
QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s
A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o
T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o
96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s
86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s
74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""
