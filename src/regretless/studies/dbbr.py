"""Deviation-based best response in Leduc and small hold'em: win rates against weak opponents.

Ganzfried & Sandholm 2011, "Game theory-based opponent modeling in large imperfect-information
games", as shown in Sandholm's slides on solving large games. There limit Texas hold'em is played;
here Leduc is small enough to know the equilibrium and the best response exactly, and hold'em has a
small deck and a blueprint (_dbbr_holdem.py)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from regretless.core.pictures import panels, write_figure
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Column, Estimated, Table, prose
from regretless.exploitation import models
from regretless.exploitation.model import Model
from regretless.exploitation.responses import respond
from regretless.forms.choice import form_of
from regretless.forms.form import Form, own
from regretless.play.agents._agent import MixingAgent
from regretless.play.agents._catalog import agent
from regretless.play.agents._tilted import started, strategy_of
from regretless.play.match import play_match
from regretless.play.win_rates import Course, WinRates, ahead
from regretless.strategy.on_form import on_form
from regretless.strategy.strategy import Strategy
from regretless.studies import _dbbr_holdem
from regretless.studies._study import Picture

ABOUT = """An agent that starts at an equilibrium, models its opponent from what it sees and plays a
best response to the model, beside the equilibrium it starts from and the best response to the true
strategy (Ganzfried & Sandholm 2011)."""
GAME, SEED = "leduc", 2011
OPPONENTS = {
    "random": "noisy:much=1",
    "always-call": "always-call",
    "aggressive": "aggressive",
    "always-fold": "always-fold",
    "tight": "tight",
    "loose": "loose",
    "noisy": "noisy",
    "positional": "positional",
}
QUICK = ("always-call", "tight")
HANDS, QUICK_HANDS, FULL_HANDS = 3_000, 300, 20_000
SLOW = "l1"  # its linear programs take ten times as long as the rest of a match
PRIORS = (1.0, 5.0, 25.0)


class Played(NamedTuple):
    """One opponent: exact values in chips per hand, and matches by estimate of the model."""

    equilibrium: float
    best: float
    courses: dict[str, Course]


def tables(
    listen: Listener, *, quick: bool = False, full: bool = False
) -> Iterator[Table | Picture]:
    """Win rates by estimate, by strength of the prior, and how they develop."""
    hands = QUICK_HANDS if quick else FULL_HANDS if full else HANDS
    names = QUICK if quick else tuple(OPPONENTS)
    specs = {name: f"model={name}" for name in models.MODELS.names() if full or name != SLOW}
    found = _all(listen, names, specs, hands)
    note = f"{hands:,} hands each, a model every 50 hands" + (
        "" if full else "; l1 only in the full study"
    )
    yield _table(f"{GAME}, by estimate of the model", found, note)
    priors = {f"N = {n:g}": f"model=posterior,strength={n:g}" for n in PRIORS}
    strengths = _all(listen, QUICK, priors, hands)
    yield _table(
        f"{GAME}, by strength of the prior", strengths, "posterior; N counts as N observations"
    )
    yield _ahead(found, hands)
    yield Picture("win-rates", lambda path: _draw(found, path))
    yield from _dbbr_holdem.tables(listen, quick=quick)


def _all(
    listen: Listener, names: Sequence[str], specs: dict[str, str], hands: int
) -> dict[str, Played]:
    base = started(GAME, "", SEED)
    form = form_of(GAME, kind="sequence")
    prior = on_form(strategy_of(base), form)
    found = {}
    for number, name in enumerate(names):
        opponent = agent(OPPONENTS[name], GAME, seed=SEED)
        assert isinstance(opponent, MixingAgent)
        played = on_form(opponent, form)
        courses = {}
        for which, spec in specs.items():
            listen(Progress(f"{name}, {which}", done=number / len(names)))
            courses[which] = _match(f"dbbr:{spec}", opponent, hands)
        found[name] = Played(_value(form, prior, played), _best(played), courses)
    return found


def _match(spec: str, opponent: MixingAgent, hands: int) -> Course:
    rates = WinRates(2)
    learner = agent(spec, GAME, seed=SEED)
    for hand in play_match(GAME, [learner, opponent], hands=hands, seed=SEED):
        rates.add(hand)
    return rates.course()


def _value(form: Form, mine: Strategy, theirs: Strategy) -> float:
    """Chips per hand of the first strategy, over both positions."""
    total = 0.0
    for player in (0, 1):
        together = theirs.behaviour.copy()
        part = own(form, player)
        together[part] = mine.behaviour[part]
        total += form.respond(player, together)[0]
    return total / 2


def _best(theirs: Strategy) -> float:
    model = Model.of(theirs)
    answers = [respond("best-response", model, player + 1) for player in (0, 1)]
    return sum(theirs.form.respond(player, answers[player])[0] for player in (0, 1)) / 2


def _table(title: str, found: dict[str, Played], note: str) -> Table:
    which = next(iter(found.values())).courses
    columns = [
        prose("opponent"),
        Column("equilibrium", "+.3f"),
        *(Column(name, "+.3f") for name in which),
        Column("best response", "+.3f"),
    ]
    rows = [
        (
            name,
            played.equilibrium,
            *(_last(course) for course in played.courses.values()),
            played.best,
        )
        for name, played in found.items()
    ]
    about = "chips per hand over the whole match with half the 95 % interval; equilibrium and best "
    return Table(title, columns, rows, f"{about}response are exact; {note}")


def _last(course: Course) -> Estimated:
    return Estimated(float(course.means[-1, 0]), float(course.halves[-1, 0]))


def _ahead(found: dict[str, Played], hands: int) -> Table:
    which = list(next(iter(found.values())).courses)
    rows = []
    for name, played in found.items():
        cells = []
        for one in which:
            course = played.courses[one]
            gain = course._replace(means=course.means - played.equilibrium)
            number = ahead(gain, 0)
            cells.append("not yet" if number is None else f"{number:,}")
        rows.append((name, *cells))
    note = (
        f"hands after which the 95 % interval of the win rate stays above what the equilibrium "
        f"earns, in a match of {hands:,}"
    )
    return Table("hands until ahead of the equilibrium", ("opponent", *which), rows, note)


def _draw(found: dict[str, Played], path: Path) -> None:
    """One panel per opponent: the posterior and the paper's weight shifting."""
    figure, axes = panels(len(found), width=3.4, height=3.2)
    for panel, (name, played) in zip(axes, found.items(), strict=True):
        for which in ("posterior", "shifting"):
            course = played.courses[which]
            low, high = (course.means[:, 0] + sign * course.halves[:, 0] for sign in (-1, 1))
            (line,) = panel.plot(course.hands, course.means[:, 0], label=which)
            panel.fill_between(course.hands, low, high, alpha=0.2, color=line.get_color())
        panel.axhline(played.equilibrium, color="#34495e", linestyle="--", label="equilibrium")
        panel.axhline(played.best, color="#999999", linestyle=":", label="best response")
        spread = played.best - played.equilibrium
        panel.set_ylim(played.equilibrium - 0.6 * spread, played.best + 0.4 * spread)
        panel.set_title(name, fontsize=10)
        panel.set_xlabel("hands")
    axes[0].set_ylabel("chips per hand so far")
    axes[-1].legend(frameon=False, fontsize=8, loc="lower right")
    write_figure(figure, path)
