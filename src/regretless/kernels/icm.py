"""Expected prizes from stacks: sums over the sets of players that have taken the first places, or
have gone out. A set is a number whose bits are its players; sets with fewer players come first only
among their own subsets, which is all that the sums need."""

from __future__ import annotations

from regretless.core.arrays import Floats
from regretless.kernels.compiled import apart


@apart
def first_places(
    stacks: Floats, prizes: Floats, reached: Floats, chips: Floats, out: Floats
) -> None:
    """Malmuth-Harville: the next place goes to a player by its share of the chips left.

    All stacks are positive; `reached` and `chips` are scratch, one number per set."""
    players = stacks.size
    _sum_sets(stacks, chips)
    reached[:] = 0.0
    reached[0] = 1.0
    for taken in range(1 << players):
        chance = reached[taken]
        place = _count(taken)
        if chance == 0.0 or place >= prizes.size or place == players:
            continue
        left = chance / (chips[-1] - chips[taken]) if place < players - 1 else 0.0
        for p in range(players):
            if not taken >> p & 1:
                share = stacks[p] * left if place < players - 1 else chance
                out[p] += share * prizes[place]
                reached[taken | 1 << p] += share


@apart
def last_places(
    stacks: Floats, prizes: Floats, reached: Floats, chips: Floats, out: Floats
) -> None:
    """Malmuth-Weitzman: the next to go out is a player by the inverse of its stack, and the others
    divide its chips equally. What they have then does not depend on the order."""
    players = stacks.size
    _sum_sets(stacks, chips)
    reached[:] = 0.0
    reached[0] = 1.0
    for gone in range((1 << players) - 1):
        chance, place = reached[gone], players - 1 - _count(gone)
        extra = chips[gone] / (place + 1)
        total = 0.0
        for p in range(players):
            if not gone >> p & 1:
                total += 1.0 / (stacks[p] + extra)
        for p in range(players):
            if not gone >> p & 1:
                share = chance / ((stacks[p] + extra) * total)
                if place < prizes.size:
                    out[p] += share * prizes[place]
                reached[gone | 1 << p] += share


@apart
def _sum_sets(stacks: Floats, chips: Floats) -> None:
    chips[0] = 0.0
    for p in range(stacks.size):
        for least in range(1 << p):
            chips[1 << p | least] = chips[least] + stacks[p]


@apart
def _count(members: int) -> int:
    count = 0
    while members:
        members &= members - 1
        count += 1
    return count


@apart
def many_first_places(
    stacks: Floats, prizes: Floats, reached: Floats, chips: Floats, out: Floats
) -> None:
    """`first_places` for every row."""
    for row in range(stacks.shape[0]):
        first_places(stacks[row], prizes, reached, chips, out[row])
