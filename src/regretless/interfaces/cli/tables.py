"""Strategies as tables.

Where decision points read like poker (`cards/board:betting`), cards become columns:
one row a betting, one table a board. Anything else is one row a decision point."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from regretless.cards.deck import RANKS, SUITS
from regretless.core.errors import BadInput, within
from regretless.core.files import write_atomically
from regretless.evaluation.exploitability import Evaluation
from regretless.forms.public import PublicForm
from regretless.strategy.strategy import Decision, Strategy

MOST_COLUMNS = 13
MOST_ROWS = 200_000
POKER = re.compile(rf"([{RANKS}][{SUITS}]?)+(/([{RANKS}][{SUITS}]?)+)*:[fcr0-9/]*")
LEGEND = (
    "percentages; c = check or call, r = bet or raise, f = fold; "
    "dim: the player's own strategy never comes here"
)
STYLES = {"f": "blue", "c": "green", "r": "red", "b": "red"}


def chosen(strategy: Strategy, player: int | None, text: str | None) -> list[Decision]:
    """The decision points that were asked for."""
    if player is not None:
        within("player", player, 1, strategy.form.players)
    count = sum(strategy.form.sizes.decision_points)
    if count > MOST_ROWS and text is None:
        raise BadInput(f"{count:,} decision points: choose with --board, --betting or --filter")
    found = [d for d in strategy.decisions(player) if text is None or text in d.label]
    if not found:
        raise BadInput(f"no decision point has {text!r} in its name")
    return found


def write_csv(decisions: Sequence[Decision], path: Path) -> None:
    """One row an action."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["player", "decision", "action", "probability", "reach"])
    for decision in decisions:
        pairs = zip(decision.actions, decision.probabilities, strict=True)
        for action, probability in pairs:
            row = [decision.player, decision.label, action, repr(probability)]
            writer.writerow([*row, repr(decision.reach)])
    write_atomically(path, text.getvalue().encode())


def show(decisions: Sequence[Decision]) -> None:
    """Print the tables."""
    console = Console()
    legend = False
    for player, own in groupby(decisions, key=lambda decision: decision.player):
        mine = list(own)
        columns = {_parts(d.label)[0] for d in mine}
        cards = all(POKER.fullmatch(d.label) for d in mine) and len(columns) <= MOST_COLUMNS
        legend = legend or cards
        for table in _by_board(player, mine) if cards else [_plain(player, mine)]:
            console.print(table)
            console.print()
    if legend:
        console.print(LEGEND, style="dim", highlight=False)


def show_board(strategy: Strategy, board: str, betting: str) -> None:
    """All hands on one board after one betting, strongest first: hands × actions."""
    if not isinstance(strategy.form, PublicForm):
        raise BadInput("--board and --betting are for strategies of a public form: use --filter")
    texts = [part for part in board.split("/") if part]
    found = strategy.form.lookup.hands_at(texts, betting)
    player, _, _, first = found[0]
    title = f"Player {player + 1}, board {board or '-'}, betting {betting or '(first)'}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    table.add_column("hand", no_wrap=True)
    table.add_column("stands for", justify="right")
    for action in first.actions:
        table.add_column(action, justify="right")
    for _, hand, count, point in reversed(found):
        chosen = strategy.at(player, point)
        table.add_row(hand, str(count), *(f"{100 * p:.1f}" for p in chosen.values()))
    console = Console()
    console.print(table)
    console.print("percentages; hands with other suits that play the same are counted", style="dim")


def show_evaluation(evaluation: Evaluation) -> None:
    """One row a player, then the totals."""
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("player", "value", "best response", "epsilon"):
        table.add_column(column, justify="right")
    for i, value in enumerate(evaluation.values):
        best, epsilon = evaluation.best_responses[i], evaluation.epsilon[i]
        table.add_row(str(i + 1), f"{value + 0.0:.9f}", f"{best + 0.0:.9f}", f"{epsilon:.3e}")
    console = Console()
    console.print(table)
    console.print(f"exploitability {evaluation.exploitability:.6e}", highlight=False)
    console.print(f"NashConv       {evaluation.nash_conv:.6e}", highlight=False)


def show_spot_evaluation(evaluation: Evaluation, spot: Mapping[str, Any]) -> None:
    """The same in the words of poker."""
    chips = f"{evaluation.exploitability:.4g} {spot['unit']}"
    percent = f"{spot['exploitability_percent']:.3g} % of {spot['percent_of']}"
    first, second = spot["ev"]
    console = Console()
    console.print(f"exploitability {chips}, {percent}", highlight=False)
    ev = f"EV             out of position {first:.3f}, in position {second:.3f} {spot['unit']}"
    console.print(ev, highlight=False)


def _parts(label: str) -> tuple[str, str, str]:
    """Hole cards, board and betting of a poker decision point."""
    cards, _, betting = label.partition(":")
    hole, _, board = cards.partition("/")
    return hole, board, betting


def _by_rank(cards: str) -> list[int]:
    return [(RANKS + SUITS).index(character) for character in cards.replace("/", "")]


def _by_board(player: int, decisions: Sequence[Decision]) -> list[Table]:
    tables = []
    for board in sorted({_parts(d.label)[1] for d in decisions}, key=_by_rank):
        here = {
            (_parts(d.label)[2], _parts(d.label)[0]): d
            for d in decisions
            if _parts(d.label)[1] == board
        }
        holes = sorted({hole for _, hole in here}, key=_by_rank)
        title = f"Player {player}, board {board}" if board else f"Player {player}"
        table = Table(title=title, title_justify="left", title_style="bold", box=None)
        table.add_column("betting", no_wrap=True)
        for hole in holes:
            table.add_column(hole, no_wrap=True)
        for betting in sorted({betting for betting, _ in here}, key=lambda b: (b.count("/"), b)):
            cells = [_cell(here[betting, h]) if (betting, h) in here else Text() for h in holes]
            table.add_row(betting or "(first)", *cells)
        tables.append(table)
    return tables


def _cell(decision: Decision) -> Text:
    """`f12 c60 r28`, in the colours of the actions; letters only where nothing is mixed."""
    text = Text()
    for action, probability in zip(decision.actions, decision.probabilities, strict=True):
        percent = round(100 * probability)
        if not percent:
            continue
        size = action.partition(" ")[2]
        letter = {"b": "r"}.get(action[0], action[0]) + size
        style = STYLES.get(action[0], "") if decision.reach > 1e-9 else "dim"
        text.append(letter if percent == 100 else f"{letter}{percent} ", style)
    text.rstrip()
    return text


def _plain(player: int, decisions: Sequence[Decision]) -> Table:
    table = Table(title=f"Player {player}", title_justify="left", title_style="bold", box=None)
    table.add_column("decision point", overflow="fold")
    table.add_column("reach", justify="right")
    table.add_column("probabilities", overflow="fold")
    for decision in decisions:
        pairs = zip(decision.actions, decision.probabilities, strict=True)
        text = "  ".join(f"{action} {probability:.4f}" for action, probability in pairs)
        table.add_row(Text(decision.label), f"{decision.reach:.4f}", Text(text))
    return table
