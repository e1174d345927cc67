"""Battle of the sexes (Luce & Raiffa 1957, chapter 5).

Two want to spend the evening together, but would choose differently. Two equilibria are
pure; in the third, mixed one they miss each other more often than not. Luce & Raiffa
count an evening apart as -1."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._normal_form import normal_form_game
from regretless.games._state import Game

ACTIONS = ("opera", "football")
MOST_PAYOFF = 1e6


def game(*, favourite: float = 2.0, other: float = 1.0, apart: float = 0.0) -> Game:
    """The first player would rather see the opera, the second football."""
    within("favourite", favourite, other, MOST_PAYOFF)
    within("other", other, apart, favourite)
    within("apart", apart, -MOST_PAYOFF, other)
    first = [[favourite, apart], [apart, other]]
    second = [[other, apart], [apart, favourite]]
    return normal_form_game(
        "battle_of_the_sexes", [first, second], [ACTIONS, ACTIONS], "Battle of the sexes"
    )
