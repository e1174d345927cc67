"""Validation of a game while it is walked.

Games can come from users: every result of a state is checked before it is used, so that a mistake
gives one line that names the game and the place, and not a wrong number. Errors raised by a game
are reported in the same way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite
from numbers import Integral, Real
from typing import Any, TypeVar

from regretless.core.errors import BadInput, RegretlessError, TooLarge, shown
from regretless.games._state import CHANCE, TERMINAL, Game, State

SUM_SLACK = 1e-9  # tolerance for the sum of chances
MOST_DEPTH = 10_000  # moves in a row; an endless game is not a tree

Answer = TypeVar("Answer")


def checked_game(game: object) -> Game:
    """The game, if its fields are valid; its states are checked one by one."""
    if not isinstance(game, Game):
        raise BadInput(f"game={shown(game)}: must be a Game")
    if not isinstance(game.spec, str) or not game.spec:
        raise BadInput(f"a game's spec is {shown(game.spec)}: must be a text")
    if isinstance(game.players, bool) or not isinstance(game.players, Integral):
        raise BadInput(f"game {game.spec}: players is {shown(game.players)}: must be 1 or more")
    if not 1 <= game.players <= 63:
        raise BadInput(f"game {game.spec}: players is {game.players}: must be 1 to 63")
    if not isinstance(game.root, State):
        raise BadInput(f"game {game.spec}: root is {shown(game.root)}: must be a State")
    return game


def checked_player(game: Game, state: State) -> int:
    """The player to move in this state."""
    player = _asked(game, "player", lambda: state.player)
    whole = isinstance(player, Integral) and not isinstance(player, bool)
    if not whole or not (player in (CHANCE, TERMINAL) or 0 <= player < game.players):
        raise BadInput(
            f"game {game.spec}: player is {shown(player)}: must be 0 to {game.players - 1}, "
            "CHANCE or TERMINAL"
        )
    return int(player)


def checked_actions(game: Game, state: State, player: int) -> tuple[str, ...]:
    """The names of the actions of a decision, or of the outcomes of a chance move."""
    actions = _sequence(game, "actions", _asked(game, "actions", lambda: state.actions))
    who = "a chance move" if player == CHANCE else f"player {player + 1}"
    if not actions:
        raise BadInput(f"game {game.spec}: {who} has no actions, but the game is not over")
    for action in actions:
        if not isinstance(action, str):
            raise BadInput(f"game {game.spec}: action {shown(action)} of {who}: must be a text")
    if player >= 0 and len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise BadInput(f"game {game.spec}: {who} has the action {twice!r} twice")
    return actions


def checked_chances(game: Game, state: State, outcomes: int) -> tuple[float, ...]:
    """The probability of every outcome of a chance move."""
    chances = _sequence(game, "chances", _asked(game, "chances", lambda: state.chances))
    if len(chances) != outcomes:
        raise BadInput(
            f"game {game.spec}: a chance move has {outcomes} outcomes and {len(chances)} "
            "probabilities: must be the same number"
        )
    for chance in chances:
        if not _is_finite(chance) or not 0 <= float(chance) <= 1 + SUM_SLACK:
            raise BadInput(f"game {game.spec}: probability {shown(chance)}: must be 0 to 1")
    total = float(sum(chances))
    if not abs(total - 1) <= SUM_SLACK:
        raise BadInput(
            f"game {game.spec}: the {outcomes} probabilities of a chance move sum to "
            f"{total:.12g}: must sum to 1"
        )
    return tuple(map(float, chances))


def checked_payoff(game: Game, state: State) -> tuple[float, ...]:
    """What every player has won at the end."""
    payoff = _sequence(game, "payoff", _asked(game, "payoff", lambda: state.payoff))
    if len(payoff) != game.players:
        raise BadInput(
            f"game {game.spec}: a terminal pays {len(payoff)} players: must be {game.players}"
        )
    for amount in payoff:
        if not _is_finite(amount):
            raise BadInput(f"game {game.spec}: payoff {shown(amount)}: must be a finite number")
    return tuple(map(float, payoff))


def checked_child(game: Game, state: State, index: int, depth: int) -> State:
    """The state after an action."""
    if depth >= MOST_DEPTH:
        raise TooLarge(f"game {game.spec}: more than {MOST_DEPTH:,} moves in a row; does it end?")
    child = _asked(game, f"child({index})", lambda: state.child(index))
    if not isinstance(child, State):
        raise BadInput(f"game {game.spec}: child({index}) is {shown(child)}: must be a State")
    return child


def checked_view(game: Game, state: State, player: int) -> str:
    """Everything a player knows in this state."""
    label = _asked(game, f"view({player})", lambda: state.view(player))
    if not isinstance(label, str):
        raise BadInput(f"game {game.spec}: view({player}) is {shown(label)}: must be a text")
    return label


def _is_finite(amount: object) -> bool:
    """Whether it is a finite number as a float: whole numbers can be too large for that."""
    try:
        return isinstance(amount, Real) and isfinite(amount)
    except OverflowError:
        return False


def _asked(game: Game, what: str, ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except (RegretlessError, MemoryError):
        raise
    except Exception as error:
        problem = " ".join(str(error).split())[:120]
        message = f"{what} failed: {type(error).__name__}: {problem}"
        raise BadInput(f"game {game.spec}: {message}") from error


def _sequence(game: Game, what: str, found: Any) -> tuple[Any, ...]:
    if isinstance(found, str) or not isinstance(found, Sequence):
        try:
            if isinstance(found, str | None):
                raise TypeError
            return tuple(found)  # arrays and generators are fine
        except TypeError:
            raise BadInput(f"game {game.spec}: {what} is {shown(found)}: must be a list") from None
    return tuple(found)
