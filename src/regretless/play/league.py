"""Leagues of strategies and agents.

An agent that knows its probabilities is a strategy, and is evaluated exactly. If any agent does
not, or takes its time to answer and a number of hands is given, all hands are played at a table:
every deal in every seating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from regretless.blueprints.files import is_blueprint
from regretless.core.arrays import Floats, Ints
from regretless.core.errors import BadInput, Unsuitable
from regretless.core.files import is_file
from regretless.core.progress import Listener, Progress, nobody
from regretless.evaluation.entrants import Entrant, simple_names
from regretless.evaluation.league import League, unit_of
from regretless.evaluation.league import league as of_strategies
from regretless.evaluation.payoffs import Payoffs, in_batches
from regretless.evaluation.seatings import Seatings
from regretless.forms.choice import form_of
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.play.agents import _python_file
from regretless.play.agents._agent import Agent, MixingAgent
from regretless.play.agents._catalog import Seatable, agents, called, is_built_in
from regretless.play.match import play_match
from regretless.play.rules import rules_of
from regretless.runs.opening import open_strategy
from regretless.strategy.face import Result
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy


def league(
    game: str | Game,
    strategies: Sequence[Seatable] | Mapping[str, Seatable],
    *,
    hands: int | None = None,
    seed: int = 0,
    duplicates: bool = True,
    listen: Listener = nobody,
) -> League:
    """Let strategies and agents meet in all seatings.

    They are files, names, `mybot.py:Bot`, Strategy or Agent; a mapping gives them names.
    Without `hands`: expected payoffs over all deals. Otherwise that many deals are drawn, and
    each is played in every seating. `duplicates=False` leaves out tables at which a strategy
    meets itself."""
    loaded = load(game) if isinstance(game, str) else game
    if loaded.spot is not None and hands is not None:
        raise Unsuitable(f"game {loaded.spec}: a league of a spot is exact, without hands")
    given, coded, names = _gathered(loaded, strategies, seed)
    if all(_is_read(agent, hands) for agent in coded.values()):
        kind = "auto" if hands is None else "sequence"
        meeting = _read(loaded, given, coded, names, kind, listen)
        return of_strategies(
            loaded, meeting, hands=hands, seed=seed, duplicates=duplicates, listen=listen
        )
    if hands is None:
        raise _not_mixing(coded, names, "so hands must be played: give a number of hands")
    seated = agents([coded.get(at, one) for at, one in enumerate(given)], loaded, seed=seed)
    seatings = Seatings(len(seated), loaded.players, duplicates)
    payoffs = _played(loaded, seated, seatings, hands, seed, listen)
    return League(loaded.spec, tuple(names), seatings, payoffs, unit_of(loaded), seed, hands)


def strategies_of(
    game: str | Game,
    strategies: Sequence[Seatable] | Mapping[str, Seatable],
    *,
    seed: int = 0,
    listen: Listener = nobody,
) -> Sequence[Entrant] | Mapping[str, Entrant]:
    """The same without agents: what they play is looked up at every decision point."""
    loaded = load(game) if isinstance(game, str) else game
    given, coded, names = _gathered(loaded, strategies, seed)
    if not all(isinstance(agent, MixingAgent) for agent in coded.values()):
        raise _not_mixing(coded, names, "so its strategy is not known")
    return _read(loaded, given, coded, names, "sequence", listen)


def _gathered(
    game: Game, strategies: Sequence[Seatable] | Mapping[str, Seatable], seed: int
) -> tuple[list[Seatable], dict[int, Agent], list[str]]:
    """All that take part; those that must be asked, by their place; and names, unless strategies
    without agents are to be named by their files."""
    names, entries = [], strategies
    if isinstance(strategies, Mapping):
        names, entries = list(strategies), list(strategies.values())
    given: list[Seatable] = [
        open_strategy(one, game=game) if isinstance(one, Result | Mapping) else one
        for one in entries
    ]
    coded = {
        at: agents([one], game, seed=seed)[0] for at, one in enumerate(given) if _is_agent(one)
    }
    return given, coded, names or (called(given) if coded else [])


def _read(
    game: Game,
    given: Sequence[Seatable],
    coded: Mapping[int, Agent],
    names: Sequence[str],
    kind: str,
    listen: Listener,
) -> Sequence[Entrant] | dict[str, Entrant]:
    """Strategies, with agents looked up on a form of this kind."""
    form = form_of(game, kind=kind) if coded else None
    meeting: list[Entrant] = []
    for at, one in enumerate(given):
        agent = coded.get(at)
        if isinstance(agent, MixingAgent) and form is not None:
            listen(Progress(f"reading the strategy of {names[at]}"))
            meeting.append(on_form(agent, form))
        elif isinstance(one, str | Path | Strategy):
            meeting.append(one)
    return dict(zip(names, meeting, strict=True)) if names else meeting


def _not_mixing(coded: Mapping[int, Agent], names: Sequence[str], problem: str) -> BadInput:
    who = [names[at] for at, agent in coded.items() if not isinstance(agent, MixingAgent)]
    return BadInput(f"{', '.join(who)}: not a MixingAgent, {problem}")


def _is_read(agent: Agent, hands: int | None) -> bool:
    """Whether its whole strategy is looked up before any cards are dealt."""
    return isinstance(agent, MixingAgent) and (hands is None or agent.answers_at_once)


def _is_agent(one: Seatable) -> bool:
    """Whether it must be asked what it plays: no strategy of a form, and no simple rule."""
    if not isinstance(one, str | Path):
        return not isinstance(one, Strategy)
    text = str(one)
    if is_built_in(text):
        return text not in simple_names()
    return _python_file.names_one(text) or (is_file(text) and is_blueprint(text))


def _played(
    game: Game,
    seated: Sequence[Agent],
    seatings: Seatings,
    deals: int,
    seed: int,
    listen: Listener,
) -> Payoffs:
    """Payoffs of hands at a table; Ctrl-C ends it with the batches that are done."""
    rules = rules_of(game)
    tables = [
        play_match(rules, [seated[i] for i in places], hands=deals, seed=seed, rotate=False)
        for places in seatings.all
    ]

    def play(bounds: Ints, sums: Floats, squares: Floats) -> None:
        for batch, count in enumerate(np.diff(bounds).tolist()):
            for number, table in enumerate(tables):
                for hand in islice(table, count):
                    won = np.array(hand.payoffs)
                    sums[batch, number] += won
                    squares[batch, number] += won * won

    return in_batches(play, (len(seatings.all), rules.players), deals, listen)
