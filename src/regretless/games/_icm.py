"""The value of tournament stacks: the independent chip model (Malmuth 1987, Harville 1973).

A player's probability of winning is its share of all chips; the next place goes to one of the
others in the same way, and so on. Players without chips share the remaining places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from regretless.core.errors import BadParameter, within

MOST_PLAYERS = 12  # the computation visits 2^n sets of players


@dataclass(frozen=True)
class IndependentChipModel:
    """The prizes of a tournament, largest first, and the stacks of the players not in the hand."""

    prizes: tuple[float, ...]
    others: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        within("number of prizes", len(self.prizes), 1, MOST_PLAYERS)
        within("players outside the hand", len(self.others), 0, MOST_PLAYERS - 2)
        if any(prize < 0 for prize in self.prizes):
            raise BadParameter(f"prizes {self.prizes}: must be 0 or more")
        if any(low > high for high, low in zip(self.prizes, self.prizes[1:], strict=False)):
            raise BadParameter(
                f"prizes {self.prizes}: must be in descending order, first place first"
            )
        if any(stack <= 0 for stack in self.others):
            raise BadParameter(f"stacks {self.others} of other players: must be positive")

    def worth(self, stacks: tuple[float, ...]) -> tuple[float, ...]:
        """Expected prizes of the players of the hand."""
        return _worth((*stacks, *self.others), self.prizes)[: len(stacks)]


@cache
def _worth(stacks: tuple[float, ...], prizes: tuple[float, ...]) -> tuple[float, ...]:
    """Expected prizes of all players."""
    players = range(len(stacks))

    @cache
    def left(seated: frozenset[int]) -> tuple[float, ...]:
        """Expected prizes of the players who compete for the remaining places."""
        expected = [0.0] * len(stacks)
        place = len(stacks) - len(seated)
        if not seated or place >= len(prizes):
            return tuple(expected)
        chips = sum(stacks[p] for p in sorted(seated))
        if chips <= 0:
            share = sum(prizes[place : place + len(seated)]) / len(seated)
            return tuple(share if p in seated else 0.0 for p in players)
        for winner in sorted(seated):
            chance = stacks[winner] / chips
            if chance:
                below = left(seated - {winner})
                expected[winner] += chance * prizes[place]
                expected = [e + chance * b for e, b in zip(expected, below, strict=True)]
        return tuple(expected)

    return left(frozenset(players))
