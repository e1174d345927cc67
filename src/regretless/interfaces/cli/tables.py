"""Strategies as tables.

Where decision points read like poker (`cards/board:betting`), cards become columns:
one row per betting, one table per board. Anything else is one row per decision point."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.text import Text

from regretless.cards.deck import RANKS, SUITS
from regretless.core.amounts import amount
from regretless.core.errors import BadInput, whole
from regretless.core.tables import Column, Table, prose
from regretless.evaluation.exploitability import Evaluation
from regretless.forms.public import PublicForm
from regretless.interfaces.cli.console import paged, say
from regretless.interfaces.cli.finish import finish
from regretless.strategy.strategy import Decision, Strategy
from regretless.strategy.tables import probabilities_text

MOST_COLUMNS = 13
MOST_ROWS = 2_000  # decision points that are printed without a filter
MOST_LISTED = 200_000  # that are collected at all without a filter
PAGE = 40  # decision points that fit a screen
POKER = re.compile(rf"([{RANKS}][{SUITS}]?)+(/([{RANKS}][{SUITS}]?)+)*:[fcr0-9/]*")
LEGEND = (
    "percentages; c = check or call, r = bet or raise, f = fold; "
    "dim: the player's own strategy never reaches this point"
)
STYLES = {"f": "blue", "c": "green", "r": "red", "b": "red"}


def chosen(
    strategy: Strategy, player: int | None, text: str | None, *, all_: bool = False
) -> list[Decision]:
    """The requested decision points."""
    points = strategy.form.sizes.decision_points
    if player is not None:
        whole("player", player, 1, strategy.form.players)
    count = sum(points) if player is None else points[player - 1]
    if text is None and count > (MOST_LISTED if all_ or sys.stdout.isatty() else MOST_ROWS):
        raise BadInput(f"{count:,} decision points: choose some with {_ways(strategy, all_)}")
    decisions = [d for d in strategy.decisions(player) if text is None or text in d.label]
    if not decisions:
        raise BadInput(f"no decision point contains {text!r}")
    return decisions


def _ways(strategy: Strategy, all_: bool) -> str:
    ways = ["--filter"]
    if isinstance(strategy.form, PublicForm):
        ways += ["--board", "--betting"]
    return ", ".join(ways) + ("" if all_ else "; or write all with --csv or --json")


def show(decisions: Sequence[Decision]) -> None:
    """Print the tables, page by page if they are long."""
    legend = False
    with paged(len(decisions) > PAGE):
        for player, own in groupby(decisions, key=lambda decision: decision.player):
            mine = list(own)
            columns = {_parts(d.label)[0] for d in mine}
            cards = all(POKER.fullmatch(d.label) for d in mine) and len(columns) <= MOST_COLUMNS
            legend = legend or cards
            for made in _by_board(player, mine) if cards else [_plain(player, mine)]:
                say(made, Text())
        if legend:
            say(Text(LEGEND), style="dim")


def show_board(strategy: Strategy, board: str, betting: str, *, as_json: bool) -> None:
    """All hands on one board after one betting, strongest first: hands × actions."""
    if not isinstance(strategy.form, PublicForm):
        raise BadInput("--board and --betting need a strategy of a public form: use --filter")
    hands_there = strategy.form.lookup.hands_at(
        [part for part in board.split("/") if part], betting
    )
    hands = [
        {"hand": hand, "stands_for": n, "probabilities": strategy.at_point(player, point)}
        for player, hand, n, point in reversed(hands_there)
    ]
    note = "percentages; hands that differ in suits only are counted together"
    show_hands(hands_there[0][0], board, betting, hands, note, as_json=as_json)


def show_hands(
    player: int, board: str, betting: str, hands: list[dict[str, Any]], note: str, *, as_json: bool
) -> None:
    """Hands × actions at one decision."""
    facts = {"player": player + 1, "board": board, "betting": betting, "hands": hands}
    title = f"Player {player + 1}, board {board or '-'}, betting {betting or '(first)'}"
    *names, last = hands[0]
    columns = [prose("hand"), *(Column(name.replace("_", " ")) for name in names[1:])]
    columns += [Column(action, ".1f") for action in hands[0][last]]
    cells = [
        (*(one[name] for name in names), *(100 * p for p in one[last].values())) for one in hands
    ]
    finish(facts, Table(title, columns, cells, note), as_json=as_json)


def spot_lines(evaluation: Evaluation, spot: Mapping[str, Any]) -> list[str]:
    """An evaluation in poker terms."""
    chips = amount(evaluation.exploitability, spot["unit"])
    percent = f"{spot['exploitability_percent']:.3g} % of {spot['percent_of']}"
    first, second = spot["ev"]
    return [
        f"exploitability {chips}, {percent}",
        f"EV             out of position {first:.3f}, in position {second:.3f} {spot['unit']}",
    ]


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
        bettings = sorted({betting for betting, _ in here}, key=lambda b: (b.count("/"), b))
        rows = [
            (
                betting or "(first)",
                *(_cell(here[betting, h]) if (betting, h) in here else Text() for h in holes),
            )
            for betting in bettings
        ]
        columns = [Column(name, align="left") for name in ("betting", *holes)]
        tables.append(Table(title, columns, rows))
    return tables


def _cell(decision: Decision) -> Text:
    """`f12 c60 r28`, in the colours of the actions; letters only if nothing is mixed."""
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
    columns = ("decision point", Column("reach", ".4f"), prose("probabilities"))
    rows = [(one.label, one.reach, probabilities_text(one)) for one in decisions]
    return Table(f"Player {player}", columns, rows)
