"""Players count from 1 in public functions: 0 is refused, or documented as all of them."""

import importlib
import inspect

import pytest

import regretless as rl
from regretless.continuous.discrete import discretised
from regretless.continuous.examples import example
from regretless.errors import BadParameter
from regretless.forms.form import uniform

KUHN = rl.sequence_form("kuhn")
UNIFORM = rl.Strategy.uniform(KUHN)
GAME = example("kuhn").game


def deck():
    return discretised(GAME, 3)


def profile():
    made = example("kuhn")
    return rl.continuous.solve_continuous(made.game, list(made.models)).profile


ASKED = {
    "best_response": lambda player: rl.best_response(UNIFORM, player),
    "find_gifts": lambda player: rl.exploitation.find_gifts(KUHN, player),
    "has_gifts": lambda player: rl.exploitation.has_gifts(KUHN, player),
    "likely_hands": lambda p: rl.exploitation.likely_hands(rl.model(UNIFORM), p, ":r"),
    "mixed_strategy": lambda p: rl.continuous.mixed_strategy(GAME, profile(), deck(), p),
    "respond": lambda p: rl.exploitation.respond("best-response", rl.model(UNIFORM), p),
    "safe_response": lambda p: rl.exploitation.safe_response(KUHN, p, uniform(KUHN)),
}
OTHERWISE = {"graft": "0: both", "model": "a name"}


@pytest.mark.parametrize("player", [0, 3])
@pytest.mark.parametrize("name", ASKED)
def test_there_is_no_player_0(name, player):
    with pytest.raises(BadParameter, match=rf"player={player}: must be 1 to 2"):
        ASKED[name](player)


def test_every_public_function_is_asked():
    modules = [rl, *(importlib.import_module(f"regretless.{name}") for name in rl._SHELVES)]
    public = {name: getattr(module, name) for module in modules for name in module.__all__}
    takes = {
        name
        for name, value in public.items()
        if inspect.isfunction(value) and "player" in inspect.signature(value).parameters
    }
    assert takes == {*ASKED, *OTHERWISE}
