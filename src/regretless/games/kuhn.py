"""Kuhn poker (Kuhn 1950), for any number of players and ranks.

One card each, an ante of one chip, one bet of one chip. Szafron, Gibson & Sturtevant 2013
play it with three players and four cards."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import Game


def game(*, players: int = 2, ranks: int | None = None, ante: int = 1, bet: int = 1) -> Game:
    """By default there is one rank more than players."""
    within("players", players, 2, 10)
    ranks = players + 1 if ranks is None else ranks
    within("ranks", ranks, players, 13)
    within("ante", ante, 0, 10**6)
    within("bet", bet, 1, 10**6)
    rules = PokerRules(
        players=players,
        ranks=ranks,
        suits=1,
        hole=1,
        board=(0,),
        blinds=(ante,) * players,
        first=(0,),
        caps=(1,),
        raises=(bet,),
    )
    return poker_game("kuhn", rules, about=f"Kuhn poker, {players} players, {ranks} cards")
