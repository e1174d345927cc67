"""A menu of games, with an opponent that is solved at once."""

from __future__ import annotations

from typing import NamedTuple

from regretless.core.errors import BadInput, RegretlessError
from regretless.games._catalog import load
from regretless.interfaces.terminal.screen import Screen
from regretless.play.rules import rules_of
from regretless.runs.solve import solve
from regretless.strategy.strategy import Strategy

SOLVING_S = 1.0
TARGET = 1e-3  # chips per hand that a perfect opponent could win: far below what anybody notices
MOST_TERMINALS = 200_000  # of a game that is solved in about a second
LEAVE = ("q", "quit", "exit")
OFFERED = {
    "kuhn": "three cards, one bet: the smallest poker",
    "leduc": "six cards, two rounds",
    "leduc:ranks=6": "twelve cards, two rounds",
    "kuhn:players=3": "four cards, three players",
}


class Offered(NamedTuple):
    """A game, and a strategy for all of its seats."""

    spec: str
    strategy: Strategy


def offer(screen: Screen) -> Offered | None:
    """Ask for a game and solve it; None if the person leaves."""
    screen.say("Which game?", style="bold")
    for number, (spec, about) in enumerate(OFFERED.items(), start=1):
        screen.say(f"{number}  {spec:<15} {about}")
    screen.say("a number, or any small poker game such as leduc:ranks=4; q to leave", style="dim")
    while True:
        try:
            typed = screen.ask().strip()
        except EOFError:
            screen.say("")
            return None
        if typed.lower() in LEAVE:
            return None
        if not typed:
            continue
        try:
            return _solved(screen, _chosen(typed))
        except RegretlessError as error:
            screen.say(str(error), style="yellow")


def _chosen(typed: str) -> str:
    if not typed.isdecimal():
        return typed
    if not 1 <= int(typed[:9]) <= len(OFFERED):
        raise BadInput(f"{typed}: type 1 to {len(OFFERED)}, or the name of a game")
    return list(OFFERED)[int(typed) - 1]


def _solved(screen: Screen, spec: str) -> Offered:
    game = load(spec)
    rules_of(game)
    if game.count is not None and game.count().terminals > MOST_TERMINALS:
        raise BadInput(f"{spec} is too large to solve in a second: choose a smaller game")
    screen.say(f"solving {game.spec} …" if screen.symbols else f"solving {game.spec}", style="dim")
    solution = solve(game, seconds=SOLVING_S, target=TARGET)
    worst = solution.evaluation.exploitability
    screen.say(f"exploitability {worst:.2g} chips per hand", style="dim")
    return Offered(game.spec, solution.strategy)
