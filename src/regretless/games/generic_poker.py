"""Poker with one private card, one board card and several bet sizes (Bošanský et al. 2014).

Like Leduc hold'em, but bets and raises are chosen from a menu of sizes; sizes in the second
round are `growth` times as large."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import Menu, PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import Game


def game(
    *,
    ranks: int = 3,
    suits: int = 2,
    ante: int = 1,
    bets: tuple[int, ...] = (1, 2),
    raises: tuple[int, ...] = (1, 2),
    growth: int = 2,
    cap: int = 2,
    suits_distinct: bool = False,
) -> Game:
    """`bets` and `raises` list the sizes, `cap` limits the bets and raises per round."""
    within("ante", ante, 0, 10**6)
    within("growth", growth, 1, 10**3)
    within("cap", cap, 1, 60)
    for size in (*bets, *raises):
        within("bet size", size, 1, 10**6)
    later = Menu(tuple(growth * size for size in bets), tuple(growth * size for size in raises))
    rules = PokerRules(
        players=2,
        ranks=ranks,
        suits=suits,
        hole=1,
        board=(0, 1),
        blinds=(ante, ante),
        first=(0, 0),
        caps=(cap, cap),
        menus=(Menu(bets, raises), later),
    )
    about = f"poker with {len(bets)} bet sizes and {len(raises)} raise sizes, {ranks}×{suits} cards"
    return poker_game("generic_poker", rules, suits_distinct=suits_distinct, about=about)
