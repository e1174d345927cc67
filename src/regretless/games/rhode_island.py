"""Rhode Island hold'em (Shi & Littman 2001; solved by Gilpin & Sandholm 2005).

One private card, two rounds with one board card each, hands of three cards. Ante 5, bets
10, 20 and 20, at most three bets and raises per round."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import PokerRules, Ranking
from regretless.games._poker import poker_game
from regretless.games._state import Game


def game(
    *,
    ranks: int = 13,
    suits: int = 4,
    ante: int = 5,
    bets: tuple[int, int, int] = (10, 20, 20),
    cap: int = 3,
    wheel: bool = True,
) -> Game:
    """`wheel`: A-2-3 counts as a straight."""
    within("cap", cap, 1, 60)
    within("ante", ante, 0, 10**6)
    within("smallest bet", min(bets), 1, 10**6)
    rules = PokerRules(
        players=2,
        ranks=ranks,
        suits=suits,
        hole=1,
        board=(0, 1, 1),
        blinds=(ante, ante),
        first=(0, 0, 0),
        caps=(cap,) * 3,
        raises=bets,
        ranking=Ranking.THREE_CARDS if wheel else Ranking.THREE_CARDS_ACE_HIGH,
    )
    return poker_game("rhode_island", rules, about=f"Rhode Island hold'em, {ranks}×{suits} cards")
