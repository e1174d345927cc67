"""The first phase of a hand: early rounds are solved before the rest of the game.

GS1 (Gilpin & Sandholm 2006) solves the first rounds as if nobody bet afterwards: rollout. GS2
(Gilpin & Sandholm 2007) uses statistics of how others play later rounds instead. Either way
play after the first rounds follows a fixed strategy, whose values are leaves. The second phase
solves the end of a hand during play: the agent `phases`.

Differs from both: no abstraction is needed here, and the first rounds are solved by regret
minimisation, not by a linear program."""

from __future__ import annotations

import numpy as np

from regretless.core.arrays import Floats
from regretless.core.errors import BadInput, BadParameter, Unsuitable, one_of, shown, whole
from regretless.core.interrupts import interrupts
from regretless.core.loop import Loop
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.choice import any_game
from regretless.forms.continuations import continuation_values
from regretless.forms.form import behaviour_of, own, size
from regretless.forms.public import PublicForm, public_form
from regretless.games._state import Game
from regretless.solvers._catalog import solver
from regretless.strategy.strategy import Strategy

ROLLOUT = "rollout"
PASSIVE = ("check", "call")


def first_phase(
    game: str | Game,
    *,
    rounds: int = 1,
    rest: str | Strategy = ROLLOUT,
    method: str = "dcfr",
    iterations: int = 1000,
    listen: Listener = nobody,
) -> Strategy:
    """A strategy of the whole game whose first rounds are solved, given how the rest is played.

    `rest` is "rollout" (check and call to the end), or a strategy of the game, such as one from
    `strategy_of_play`. The result plays later rounds as `rest` does."""
    form = public_form(any_game(game), runouts=False)
    last = form.layout.rounds[-1]
    if last == 0:
        raise Unsuitable(f"{form.spec} has one round of betting: a first phase needs two or more")
    whole("rounds", rounds, 1, last)
    whole("iterations", iterations, 1, 10**9)
    behaviour = _rest(form, rest)
    listen(Progress("valuing leaves"))
    leaves = continuation_values(form, behaviour, rounds - 1)
    trunk = public_form(form.game, leaves=leaves)
    running = solver(method, trunk)
    loop = Loop(
        work=running, iterations=iterations, stage="solving the first rounds", listen=listen
    )
    with interrupts():
        loop.advance()
    solved = running.behaviour()
    for player in range(2):
        for point in trunk.points(player):
            other = form.find(player, point.label)
            assert other is not None
            chosen = solved[own(trunk, player)][point.sequences]
            behaviour[own(form, player)][other.sequences] = chosen
    return Strategy(form, behaviour)


def _rest(form: PublicForm, rest: str | Strategy) -> Floats:
    """How the rounds that are not solved are played."""
    if isinstance(rest, str):
        one_of("rest", rest, [ROLLOUT])
        return passive(form)
    if not isinstance(rest, Strategy):
        raise BadParameter(f"rest={shown(rest)}: must be 'rollout' or a strategy")
    behaviour = np.ones(size(form))
    for player in range(2):
        theirs = rest.behaviour[own(rest.form, player)]
        for point in form.points(player):
            there = rest.form.find(player, point.label)
            if there is None or there.actions != point.actions:
                raise BadInput(
                    f"strategy of {rest.form.spec}: player {player + 1} has no {point.label!r}"
                )
            behaviour[own(form, player)][point.sequences] = theirs[there.sequences]
    return behaviour


def passive(form: PublicForm) -> Floats:
    """Always check or call."""
    plan = np.zeros(size(form))
    for player in range(2):
        for point in form.points(player):
            calls = [name in PASSIVE for name in point.actions]
            plan[own(form, player)][point.sequences[calls.index(True)]] = 1.0
    return behaviour_of(form, plan)
