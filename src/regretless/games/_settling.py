"""Payoffs at the end of a hand: side pots, dead chips, rake, and the value of stacks.

One pot is formed for every level of chips spent, as in the ACPC dealer; dead chips belong to
the lowest. Uncalled chips are returned before rake is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from regretless.core.errors import within


@dataclass(frozen=True)
class Rake:
    """A share of every pot up to a cap, taken by the house even when a player folds."""

    rate: float
    cap: float = float("inf")  # chips

    def __post_init__(self) -> None:
        within("rake rate", self.rate, 0, 1)
        within("rake cap", self.cap, 0, float("inf"))

    def of(self, pot: float) -> float:
        return min(self.rate * pot, self.cap)


class Utility(Protocol):
    """The value of stacks; frozen and hashable, because it is part of the rules."""

    def worth(self, stacks: tuple[float, ...]) -> tuple[float, ...]:
        """The value of every position's stack."""
        ...


class _Pot(NamedTuple):
    chips: float
    contributors: list[int]


def settled(
    spent: Sequence[int],
    folded: Sequence[bool],
    strengths: Sequence[object],
    *,
    dead: int = 0,
    rake: Rake | None = None,
    utility: Utility | None = None,
    stacks: Sequence[int] = (),
) -> tuple[float, ...]:
    """What every position has won, given comparable strengths of the hands.

    Dead chips are charged in equal parts, so that payoffs sum to minus the rake. With a
    utility, payoffs are the value of the stacks after the hand less their value before it,
    when every player still had its part of the dead chips."""
    players = len(spent)
    won = [-float(chips) for chips in spent]
    pots, kept = _pots(spent, dead), 1.0
    if rake is not None:
        called = sum(pot.chips for pot in pots if len(pot.contributors) > 1)
        kept = 1.0 - rake.of(called) / called if called else 1.0
    for pot in pots:
        chips = pot.chips * kept if len(pot.contributors) > 1 else pot.chips
        winners = _winners(pot.contributors, folded, strengths)
        for position in winners:
            won[position] += chips / len(winners)
    if utility is None:
        return tuple(chips - dead / players for chips in won) if dead else tuple(won)
    after = utility.worth(tuple(s + w for s, w in zip(stacks, won, strict=True)))
    before = utility.worth(tuple(s + dead / players for s in stacks))
    return tuple(a - b for a, b in zip(after, before, strict=True))


def _pots(spent: Sequence[int], dead: int) -> list[_Pot]:
    everybody = list(range(len(spent)))
    pots = [_Pot(float(dead), everybody)] if dead else []
    below = 0
    for level in sorted(set(spent) - {0}):
        contributors = [p for p in everybody if spent[p] >= level]
        pots.append(_Pot((level - below) * len(contributors), contributors))
        below = level
    return pots


def _winners(
    contributors: list[int], folded: Sequence[bool], strengths: Sequence[object]
) -> list[int]:
    """The players with the best hand; strengths are not needed if only one is left."""
    live = [p for p in range(len(folded)) if not folded[p]]
    if len(live) == 1:
        return live
    rivals = [p for p in contributors if not folded[p]]
    if len(rivals) == 1:
        return rivals
    best = max(strengths[p] for p in rivals)  # type: ignore[type-var]
    return [p for p in rivals if strengths[p] == best]
