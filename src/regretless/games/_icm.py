"""The value of tournament stacks: the independent chip model (Malmuth 1987, Harville 1973).

A player's probability of winning is its share of all chips; the next place goes to one of the
others in the same way, and so on. Players without chips share the remaining places, or take them
in the order of the stacks that they had before the hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, within

MOST_PLAYERS = 20  # the computation visits 2^n sets of players


@dataclass(frozen=True)
class IndependentChipModel:
    """The prizes of a tournament, largest first, and the stacks of the players not in the hand."""

    prizes: tuple[float, ...]
    others: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        within("number of prizes", len(self.prizes), 1, MOST_PLAYERS)
        within("players outside the hand", len(self.others), 0, MOST_PLAYERS - 2)
        require_prizes(self.prizes)
        if any(stack <= 0 for stack in self.others):
            raise BadParameter(f"stacks {self.others} of other players: must be positive")

    def worth(self, stacks: tuple[float, ...]) -> tuple[float, ...]:
        """Expected prizes of the players of the hand."""
        return _worth((*stacks, *self.others), self.prizes)[: len(stacks)]


@cache
def _worth(stacks: tuple[float, ...], prizes: tuple[float, ...]) -> tuple[float, ...]:
    """Expected prizes of all players."""
    return tuple(expected_prizes(np.array([stacks], np.float64), prizes)[0].tolist())


def require_prizes(prizes: Sequence[float]) -> None:
    """Refuse prizes that are not what a tournament pays."""
    shown = tuple(prizes)
    if any(not prize >= 0 or prize == float("inf") for prize in prizes):
        raise BadParameter(f"prizes {shown}: must be 0 or more")
    if any(low > high for high, low in pairwise(prizes)):
        raise BadParameter(f"prizes {shown}: must be in descending order, first place first")


def expected_prizes(
    stacks: Floats, prizes: Sequence[float], before: Sequence[float] | None = None
) -> Floats:
    """[row, player] for every row of stacks.

    Of players without chips, those with more before the hand are placed higher."""
    paid = np.zeros(max(stacks.shape[1], len(prizes)))
    paid[: len(prizes)] = prizes
    earlier = np.zeros(stacks.shape[1]) if before is None else np.asarray(before, np.float64)
    found = np.zeros(stacks.shape)
    for alive in np.unique(stacks > 0, axis=0):
        rows = ((stacks > 0) == alive).all(axis=1)
        if alive.any():
            found[np.ix_(rows, alive)] = _of_live(stacks[np.ix_(rows, alive)], paid)
        place = int(alive.sum())
        for stack in np.unique(earlier[~alive])[::-1]:
            tied = ~alive & (earlier == stack)
            count = int(tied.sum())
            found[np.ix_(rows, tied)] = paid[place : place + count].mean()
            place += count
    return found


def _of_live(stacks: Floats, prizes: Floats) -> Floats:
    """[row, player] where all have chips."""
    from regretless.kernels.icm import many_first_places  # loads Numba

    players = stacks.shape[1]
    within("players with chips", players, 1, MOST_PLAYERS)
    scratch = np.empty((2, 1 << players))
    found = np.zeros(stacks.shape)
    rows = np.ascontiguousarray(stacks)
    many_first_places(rows, np.trim_zeros(prizes, "b"), scratch[0], scratch[1], found)
    return found


def icm_utility(
    stacks: Sequence[float], prizes: Sequence[float], others: Sequence[float] = ()
) -> Callable[[Floats], Floats]:
    """What final stacks are worth to the players of a hand who began it with these stacks."""
    require_prizes(prizes)
    seated = len(stacks)
    before = (*stacks, *others)

    def worth(final: Floats) -> Floats:
        rest = np.tile(np.asarray(others, np.float64), (len(final), 1))
        # Equal shares of a pot leave rounding, which is not chips.
        kept = np.where(final < 1e-9 * sum(before), 0.0, final)
        return expected_prizes(np.hstack([kept, rest]), prizes, before)[:, :seated]

    return worth


def weitzman(stacks: npt.ArrayLike, prizes: Sequence[float]) -> Floats:
    """[player] expected prizes by Malmuth-Weitzman; all have chips."""
    from regretless.kernels.icm import last_places  # loads Numba

    live, found = np.asarray(stacks, np.float64), np.zeros(np.size(stacks))
    within("players", live.size, 1, MOST_PLAYERS)
    scratch = np.empty((2, 1 << live.size))
    last_places(live, np.asarray(prizes, np.float64), scratch[0], scratch[1], found)
    return found
