"""Strategies as OpenSpiel policies, and back: for games loaded as `openspiel:NAME`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from regretless.core.errors import BadInput, Unsuitable
from regretless.forms.choice import any_game, form_of
from regretless.forms.form import Form
from regretless.games._openspiel import OpenSpielState, read_openspiel
from regretless.games._state import CHANCE, TERMINAL, Game
from regretless.strategy.strategy import Strategy


def to_openspiel(strategy: Strategy) -> Any:
    """The strategy as an OpenSpiel `TabularPolicy` (Python)."""
    from open_spiel.python import policy as policies

    root = _root(strategy.form.spec)
    made = policies.TabularPolicy(root.theirs.get_game())
    for state, player, label in _decisions(root):
        theirs = state.theirs
        row = made.action_probability_array[made.state_lookup[_key(theirs, player)]]
        chosen = strategy.probabilities(label, player + 1)
        row[:] = 0.0
        for move, name in zip(theirs.legal_actions(), state.actions, strict=True):
            row[move] = chosen[name]
    return made


def from_openspiel(game: str | Game | Form, policy: Any) -> Strategy:
    """An OpenSpiel policy, C++ or Python, as a strategy of the game `openspiel:NAME`."""
    if not hasattr(policy, "action_probabilities"):
        raise BadInput(f"policy {type(policy).__name__}: must have action_probabilities(state)")
    form = form_of(any_game(game), kind="sequence") if isinstance(game, str | Game) else game
    table: dict[int, dict[str, dict[str, float]]] = {}
    for state, player, label in _decisions(_root(form.spec)):
        chosen = dict(policy.action_probabilities(state.theirs))
        moves = zip(state.theirs.legal_actions(), state.actions, strict=True)
        here = {name: float(chosen.get(move, 0.0)) for move, name in moves}
        table.setdefault(player + 1, {})[label] = here
    return Strategy.from_dict(form, table)


def _root(spec: str) -> OpenSpielState:
    if not spec.startswith("openspiel:"):
        raise Unsuitable(f"{spec} is not an OpenSpiel game: load it as openspiel:NAME")
    root = read_openspiel(spec).root
    assert isinstance(root, OpenSpielState)
    return root


def _decisions(root: OpenSpielState) -> Iterator[tuple[OpenSpielState, int, str]]:
    """One state per decision point, with its player and its label."""
    seen: set[tuple[int, str]] = set()
    stack = [root]
    while stack:
        state = stack.pop()
        if state.player == TERMINAL:
            continue
        if state.player != CHANCE:
            label = state.view(state.player)
            if (state.player, label) not in seen:
                seen.add((state.player, label))
                yield state, state.player, label
        stack += [state.child(index) for index in range(len(state.actions))]


def _key(state: Any, player: int) -> str:
    return str(state.information_state_string(player))
