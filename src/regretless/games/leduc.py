"""Leduc hold'em (Southey et al. 2005), for any number of players and any deck.

One private card, one board card before the second round; a pair beats a high card.
`cap` is the maximum number of bets and raises per round: two in the original and in
OpenSpiel, one in the three-player games of Risk & Szafron 2010."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import Game


def game(
    *,
    players: int = 2,
    ranks: int | None = None,
    suits: int = 2,
    ante: int = 1,
    bets: tuple[int, int] = (2, 4),
    cap: int = 2,
    suits_distinct: bool = False,
) -> Game:
    """By default there is one rank more than players; `bets` are the sizes in the two rounds."""
    within("players", players, 2, 10)
    ranks = players + 1 if ranks is None else ranks
    within("ante", ante, 0, 10**6)
    within("smaller bet", min(bets), 1, 10**6)
    within("cap", cap, 1, 60)
    rules = PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=1,
        board=(0, 1),
        blinds=(ante,) * players,
        first=(0, 0),
        caps=(cap, cap),
        raises=bets,
    )
    about = f"Leduc hold'em, {players} players, {ranks}×{suits} cards"
    return poker_game("leduc", rules, suits_distinct=suits_distinct, about=about)
