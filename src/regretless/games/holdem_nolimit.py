"""No-limit Texas hold'em, as played in the Annual Computer Poker Competition."""

from __future__ import annotations

from regretless.core.errors import within
from regretless.games._betting import NO_CAP, PokerRules
from regretless.games._poker import poker_game
from regretless.games._sizing import ANY, read_menu
from regretless.games._state import Game
from regretless.games.holdem_limit import seats


def game(
    *,
    players: int = 2,
    ranks: int = 13,
    suits: int = 4,
    small_blind: int = 50,
    stack: int = 20_000,
    sizes: str = ANY,
) -> Game:
    """All players start every hand with the same stack.

    `sizes` lists the bets and raises that are allowed in addition to all-in, such as
    50%+100%-a/100%-a: rounds are separated by /, the raises of a round by -. `nyx` is a menu with
    2,513 betting sequences at a stack of 25 big blinds."""
    within("players", players, 2, 10)
    within("small_blind", small_blind, 1, 10**6)
    within("stack", stack, 2 * small_blind, 10**9)
    blinds, first = seats(players, small_blind, 2 * small_blind)
    rules = PokerRules(
        players=players,
        ranks=ranks,
        suits=suits,
        hole=2,
        board=(0, 3, 1, 1),
        blinds=blinds,
        first=first,
        caps=(NO_CAP,) * 4,
        stacks=(stack,) * players,
        sizing=read_menu(sizes, rounds=4),
    )
    return poker_game("holdem_nolimit", rules, about=f"No-limit hold'em, {players} players")
