"""Parametric models P = (T, Q, <): what an equilibrium looks like, without its numbers.

    p1: bet check bet | p2: call fold | p1.1 < p2.1 < p1.2

The signals of every player are divided into regions, smallest signals first, each with a plan
(actions at the player's decisions, joined by `/`). The threshold `p1.2` is the one after player
1's second region; a chain of `<` orders thresholds of different players. Regions may be as
small as one point, so `<` includes equality."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from regretless.continuous.game import JOIN, ContinuousGame, Plan
from regretless.core.errors import BadInput, UnknownName

Threshold: TypeAlias = tuple[int, int]  # player, and number of the region below it, from 1
Order: TypeAlias = frozenset[tuple[Threshold, Threshold]]
PART, BELOW = "|", "<"
PLAYER = re.compile(r"p(\d+)\s*:")
THRESHOLD = re.compile(r"p(\d+)\.(\d+)")


@dataclass(frozen=True)
class ParametricModel:
    """Plans of every player's regions, and pairs of thresholds in order."""

    plans: tuple[tuple[Plan, ...], ...]
    order: Order = frozenset()

    def __str__(self) -> str:
        parts = [
            f"p{i + 1}: {' '.join(JOIN.join(plan) for plan in own)}"
            for i, own in enumerate(self.plans)
        ]
        return f" {PART} ".join([*parts, *_chains(self.order)])

    @property
    def thresholds(self) -> list[Threshold]:
        return [(i, k) for i, own in enumerate(self.plans) for k in range(1, len(own))]

    @property
    def full_order(self) -> Order:
        """All pairs that follow, each player's own thresholds included."""
        return closure([*self.order, *own_order(self.plans)])


class BadModel(BadInput):
    """A model that cannot be read: shows where."""

    def __init__(self, text: str, at: int, problem: str) -> None:
        super().__init__(f"model, character {at + 1} ({_near(text, at)}): {problem}")
        self.at = at


def parametric_model(text: str, game: ContinuousGame) -> ParametricModel:
    """A model from its text; an error points at the character."""
    plans: dict[int, tuple[Plan, ...]] = {}
    order: list[tuple[Threshold, Threshold]] = []
    places: list[tuple[int, int]] = []  # of the thresholds that are ordered
    for at, part in _parts(text):
        if BELOW in part or THRESHOLD.match(part):
            chain = list(_chain(text, at, part))
            places += [(a, b) for (_, a), (_, b) in pairwise(chain)]
            order += [(a, b) for (a, _), (b, _) in pairwise(chain)]
            continue
        player, own = _regions(text, at, part, game)
        if player in plans:
            raise BadModel(text, at, f"p{player + 1} is given twice")
        plans[player] = own
    for player in range(game.players):
        if player not in plans:
            raise BadModel(text, len(text), f"p{player + 1} has no regions")
    made = tuple(plans[player] for player in range(game.players))
    for pair, where in zip(order, places, strict=True):
        for (player, number), at in zip(pair, where, strict=True):
            _require_threshold(text, at, player, number, made)
    _require_no_cycle(text, order, places, made)
    return ParametricModel(made, frozenset(order))


def closure(pairs: Sequence[tuple[Threshold, Threshold]]) -> Order:
    """All pairs that follow by transitivity."""
    found = set(pairs)
    for middle in {item for pair in pairs for item in pair}:
        below = [a for a, b in found if b == middle]
        above = [b for a, b in found if a == middle]
        found |= {(a, b) for a in below for b in above}
    return frozenset(found)


def own_order(plans: Sequence[Sequence[Plan]]) -> list[tuple[Threshold, Threshold]]:
    """Pairs of neighbouring thresholds of the same player."""
    return [((i, k), (i, k + 1)) for i, own in enumerate(plans) for k in range(1, len(own) - 1)]


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Where every part begins, and its text."""
    at = 0
    for raw in text.split(PART):
        start = at + len(raw) - len(raw.lstrip())
        if not raw.strip():
            raise BadModel(text, at, "an empty part")
        yield start, raw.strip()
        at += len(raw) + len(PART)


def _regions(text: str, at: int, part: str, game: ContinuousGame) -> tuple[int, tuple[Plan, ...]]:
    head = PLAYER.match(part)
    if head is None:
        raise BadModel(text, at, "must begin with p1: or be a chain such as p1.1 < p2.1")
    player = int(head[1]) - 1
    if not 0 <= player < game.players:
        raise BadModel(text, at, f"must be p1 to p{game.players}")
    plans = []
    for word in re.finditer(r"\S+", part[head.end() :]):
        here = at + head.end() + word.start()
        try:
            plans.append(game.plan(player, word[0]))
        except UnknownName as error:
            raise BadModel(text, here, str(error)) from None
        if len(plans) > 1 and plans[-1] == plans[-2]:
            raise BadModel(text, here, "the same plan as the region before")
    if not plans:
        raise BadModel(text, at, f"p{player + 1} has no regions")
    return player, tuple(plans)


def _chain(text: str, at: int, part: str) -> Iterator[tuple[Threshold, int]]:
    here = at
    links = part.split(BELOW)
    if len(links) < 2:
        raise BadModel(text, at + len(part), "expected < and another threshold")
    for raw in links:
        start = here + len(raw) - len(raw.lstrip())
        found = THRESHOLD.fullmatch(raw.strip())
        if found is None:
            raise BadModel(text, start, "must be a threshold such as p1.1")
        yield (int(found[1]) - 1, int(found[2])), start
        here += len(raw) + len(BELOW)


def _require_threshold(
    text: str, at: int, player: int, number: int, plans: Sequence[Sequence[Plan]]
) -> None:
    if not 0 <= player < len(plans):
        raise BadModel(text, at, f"must be p1 to p{len(plans)}")
    most = len(plans[player]) - 1
    if not 1 <= number <= most:
        allowed = f"p{player + 1}.1 to p{player + 1}.{most}" if most else "none"
        raise BadModel(text, at, f"no such threshold; p{player + 1} has {allowed}")


def _require_no_cycle(
    text: str,
    order: Sequence[tuple[Threshold, Threshold]],
    places: Sequence[tuple[int, int]],
    plans: Sequence[Sequence[Plan]],
) -> None:
    """The first link that contradicts those before it is to blame."""
    known = list(own_order(plans))
    for (a, b), (_, at) in zip(order, places, strict=True):
        if a == b or (b, a) in closure(known):
            raise BadModel(
                text, at, f"a cycle: {_name(a)} < {_name(b)}, but {_name(b)} < {_name(a)} follows"
            )
        known.append((a, b))


def _chains(order: Order) -> list[str]:
    """The order as chains, as few as a simple search finds."""
    left = sorted(order)
    chains = []
    while left:
        chain = list(left.pop(0))
        while following := [pair for pair in left if pair[0] == chain[-1]]:
            chain.append(following[0][1])
            left.remove(following[0])
        chains.append(f" {BELOW} ".join(map(_name, chain)))
    return chains


def _name(threshold: Threshold) -> str:
    return f"p{threshold[0] + 1}.{threshold[1]}"


def _near(text: str, at: int) -> str:
    piece = text[at : at + 12].strip()
    return f"at {piece!r}" if piece else "at the end"
