"""Games whose equilibria are known by structure, each with its models.

Signals are uniform on [0, 1] unless said otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from regretless.continuous.files import ModelledGame
from regretless.continuous.game import ContinuousGame, Showdown, continuous_game
from regretless.core.errors import UnknownName, within
from regretless.core.specs import Spec, read

MOST = 1e6  # chips


def bet_or_check(*, pot: float = 1.0) -> ModelledGame:
    """The first example of the slides: the lower signal wins; player 1 may bet 1 chip.

    Payoffs are net of the bet and include the pot, which belongs to nobody before."""
    within("pot", pot, 1e-6, MOST)
    game = _one_bet(
        "bet-or-check",
        check=([pot] * 2, [0, 0]),
        fold=[pot, 0],
        call=([pot + 1] * 2, [-1, -1]),
        wins="lower",
    )
    return ModelledGame(game, ("p1: bet check bet | p2: call fold | p1.1 < p2.1 < p1.2",))


def von_neumann(*, bet: float = 2.0) -> ModelledGame:
    """Von Neumann and Morgenstern's poker: antes of 1, player 1 bets or checks."""
    within("bet", bet, 1e-6, MOST)
    game = _one_bet(
        "von-neumann", check=([1, 1], [-1, -1]), fold=[1, -1], call=([1 + bet] * 2, [-1 - bet] * 2)
    )
    return ModelledGame(game, ("p1: bet check bet | p2: fold call | p1.1 < p2.1 < p1.2",))


def wrong_models(*, bet: float = 2.0) -> ModelledGame:
    """Von Neumann's poker with three models, two of them wrong."""
    models = (
        "p1: check bet | p2: fold call",
        "p1: bet check bet | p2: fold call | p2.1 < p1.1",
        *von_neumann(bet=bet).models,
    )
    return ModelledGame(von_neumann(bet=bet).game, models)


def strong_caller(*, bet: float = 2.0) -> ModelledGame:
    """Von Neumann's poker in which player 2 holds strong hands more often than player 1."""
    weak, strong = [[0, 0], [0.5, 0.7], [1, 1]], [[0, 0], [0.3, 0.1], [1, 1]]
    even = von_neumann(bet=bet)
    game = ContinuousGame(
        "strong-caller",
        continuous_game([weak, strong], {"p1:x": [0, 0]}).distributions,
        even.game.root,
    )
    return ModelledGame(game, even.models)


def kuhn(*, bet: float = 1.0) -> ModelledGame:
    """Kuhn poker with a continuum of cards: after a check player 2 may bet as well."""
    within("bet", bet, 1e-6, MOST)
    one, two = ([1, 1], [-1, -1]), ([1 + bet] * 2, [-1 - bet] * 2)
    game = continuous_game(
        ["uniform", "uniform"],
        {
            "p1:check p2:check": Showdown(*one),
            "p1:check p2:bet p1:fold": [-1, 1],
            "p1:check p2:bet p1:call": Showdown(*two),
            "p1:bet p2:fold": [1, -1],
            "p1:bet p2:call": Showdown(*two),
        },
        name="kuhn",
    )
    return ModelledGame(game, KUHN_MODELS)


def three_players(*, bet: float = 1.0) -> ModelledGame:
    """Antes of 1; player 1 bets or checks, then players 2 and 3 call or fold."""
    within("bet", bet, 1e-6, MOST)
    more, less = 1 + bet, -1 - bet
    game = continuous_game(
        ["uniform"] * 3,
        {
            "p1:check": Showdown([2] * 3, [-1] * 3),
            "p1:bet p2:fold p3:fold": [2, -1, -1],
            "p1:bet p2:fold p3:call": Showdown([1 + more, -1, 1 + more], [less, -1, less]),
            "p1:bet p2:call p3:fold": Showdown([1 + more, 1 + more, -1], [less, less, -1]),
            "p1:bet p2:call p3:call": Showdown([2 * more] * 3, [less] * 3),
        },
        name="three-players",
    )
    order = "p1.1 < p3.1 < p1.2 < p1.3 < p2.1 < p1.4 < p3.2"
    plans = "p1: bet check bet check bet | p2: fold call | p3: fold/fold call/fold call/call"
    return ModelledGame(game, (f"{plans} | {order}",))


KUHN_MODELS = ("p1: bet check/fold check/call bet | p2: bet/fold check/fold check/call bet/call",)
EXAMPLES: dict[str, Callable[..., ModelledGame]] = {
    "bet-or-check": bet_or_check,
    "von-neumann": von_neumann,
    "wrong-models": wrong_models,
    "strong-caller": strong_caller,
    "kuhn": kuhn,
    "three-players": three_players,
}


def example(spec: str) -> ModelledGame:
    """The example of this name, with its parameters: `von-neumann:bet=1`."""
    found: Spec = read(spec, _maker, "example")
    made: ModelledGame = found.make(**found.parameters)
    return made


def _maker(name: str) -> Callable[..., ModelledGame]:
    if name not in EXAMPLES:
        raise UnknownName("example", name, EXAMPLES)
    return EXAMPLES[name]


def _one_bet(
    name: str,
    *,
    check: Sequence[Any],
    fold: Sequence[float],
    call: Sequence[Any],
    wins: str = "higher",
) -> ContinuousGame:
    ends = {
        "p1:check": Showdown(*check),
        "p1:bet p2:fold": fold,
        "p1:bet p2:call": Showdown(*call),
    }
    return continuous_game(["uniform", "uniform"], ends, wins=wins, name=name)
