"""Limit Texas hold'em, as played in the Annual Computer Poker Competition.

With two players the second position posts the small blind, acts first before the flop
and last after it ("reverse blinds"); with more the blinds sit left of the button."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import PokerRules
from regretless.games._poker import poker_game
from regretless.games._state import Game


def seats(players: int, small: int, big: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Blinds by position, and the first position to act in every round."""
    if players == 2:
        return (big, small), (1, 0, 0, 0)
    return (small, big) + (0,) * (players - 2), (2, 0, 0, 0)


def game(
    *, players: int = 2, ranks: int = 13, suits: int = 4, small_blind: int = 5, cap: int = 4
) -> Game:
    """Bets are one big blind in the first two rounds and two in the last two; `cap` limits the
    bets and raises per round, where the big blind counts as one."""
    within("players", players, 2, 10)
    within("small_blind", small_blind, 1, 10**6)
    within("cap", cap, 1, 60)
    big = 2 * small_blind
    blinds, first = seats(players, small_blind, big)
    rules = PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=2,
        board=(0, 3, 1, 1),
        blinds=blinds,
        first=first,
        caps=(cap - 1, cap, cap, cap),
        raises=(big, big, 2 * big, 2 * big),
    )
    return poker_game("holdem_limit", rules, about=f"Limit hold'em, {players} players")
