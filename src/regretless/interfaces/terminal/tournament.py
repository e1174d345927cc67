"""A person in a solved tournament: the other seats play the solution."""

from __future__ import annotations

import numpy as np
from rich.table import Table as Grid

from regretless.cards.evaluator import category_name, ranks
from regretless.cards.holdings import class_of, number_of, read_cards
from regretless.core.counts import counted
from regretless.core.interrupts import heard
from regretless.games._jam_fold import ALL_IN, CHECK, FOLD, JAM
from regretless.interfaces.terminal.screen import Screen
from regretless.play.deals import Deal, deals
from regretless.play.rules import rules_of
from regretless.play.tournament import Advice, TournamentTable
from regretless.runs.tournament_charts import Chart
from regretless.runs.tournaments import TournamentSolution

PERSON = "you"
LEAVE = ("x", "q", "quit", "exit")
HELP = """\
j        jam: all your chips; after somebody has jammed, call
f        fold
?        this help
x        leave; so do Ctrl-D and Ctrl-C"""
_TYPED = {
    **dict.fromkeys(("j", "jam", "a", "all-in", "allin", "c", "call"), JAM),
    **dict.fromkeys(("f", "fold"), FOLD),
}


class Left(Exception):
    """The person has left the table."""


class TournamentSession:
    """Hands until the person is out, has won or leaves."""

    def __init__(
        self, solution: TournamentSolution, screen: Screen, *, seat: int, seed: int, hints: bool
    ) -> None:
        self.table = TournamentTable.start(solution.rules, solution.stacks)
        self.screen, self.person, self.seed, self.hints = screen, seat, seed, hints
        self.advice = Advice(solution)
        self.cost = 0.0  # of choices that the hints would not have made
        self.interrupted = False  # by Ctrl-C
        if solution.stopped:
            screen.say("the run was not finished: its strategies are rough", style="yellow")
        self.names = [
            PERSON if other == seat else f"player {other + 1}"
            for other in range(solution.rules.players)
        ]

    def run(self) -> None:
        """Play."""
        rules = rules_of(f"holdem_nolimit:players={self.table.rules.players}")
        try:
            for deal in deals(rules, self.seed):
                self._hand(deal)
                if self.table.over or not self.table.stacks[self.person]:
                    break
        except (Left, EOFError):
            self.screen.say("")
        except KeyboardInterrupt:
            heard()
            self.screen.say("")
            self.interrupted = True
        self._farewell()

    def _hand(self, deal: Deal) -> None:
        """One hand; a draw per position and one for the blinds depend on its number only."""
        random = np.random.default_rng((self.seed, self.table.hands))
        draws, up = random.random(self.table.rules.players), random.random()
        self._open(deal)
        told = 0
        while True:
            told = self._tell(told)
            if self.table.bet:
                break
            position = len(self.table.history)
            chart = self.advice.chart(self.table)
            cell = _class(deal.holes[position])
            if self.table.order[position] == self.person:
                letter = self._asked(deal.holes[position], chart, cell)
            else:
                letter = JAM if draws[position] < chart.jams["tournament"][cell] else FOLD
            self.table = self.table.act(letter)
        self._close(deal, up=bool(up < 1 / self.table.rules.hands))

    def _open(self, deal: Deal) -> None:
        table, level = self.table, self.table.rules.levels[self.table.level]
        self.screen.say(f"hand {table.hands + 1:,}", style="bold underline")
        blinds = f"blinds {_chips(level.small)}/{_chips(level.big)}"
        blinds += f", ante {_chips(level.ante)}" if level.ante else ""
        ante = level.big_blind_ante
        self.screen.say(blinds + (f", big-blind ante {_chips(ante)}" if ante else ""))
        grid = Grid(box=None, padding=(0, 2, 0, 0), header_style="dim", show_edge=False)
        for column in ("position", "player"):
            grid.add_column(column, no_wrap=True)
        for column in ("chips", "posted"):
            grid.add_column(column, justify="right", no_wrap=True)
        for position, seat in enumerate(table.order):
            grid.add_row(
                table.hand.positions[position],
                self.names[seat],
                _chips(table.stacks[seat]),
                _chips(sum(table.hand.posted(position))),
                style="bold" if seat == self.person else "",
            )
        self.screen.console.print(grid)
        mine = deal.holes[table.order.index(self.person)]
        self.screen.say("you hold ", self.screen.cards(mine))

    def _tell(self, told: int) -> int:
        """Say what has been done since; how much has been told now."""
        history = self.table.history
        for position in range(told, len(history)):
            seat = self.table.order[position]
            if history[position] == CHECK and len(self.table.inside) == 1:
                continue  # everybody else has folded
            called = any(letter in (JAM, ALL_IN) for letter in history[:position])
            ends = "" if seat == self.person else "s"
            done = {
                FOLD: f"fold{ends}",
                CHECK: f"check{ends}",
                JAM: (f"call{ends}" if called else f"jam{ends}") + " all-in",
                ALL_IN: "are all-in" if seat == self.person else "is all-in",
            }[history[position]]
            self.screen.say(f"{self.names[seat]} {done}")
        return len(history)

    def _asked(self, hole: tuple[str, ...], chart: Chart, cell: int) -> str:
        jam, gain = float(chart.jams["tournament"][cell]), float(chart.gains[cell])
        costs = {JAM: max(-gain, 0.0), FOLD: max(gain, 0.0)}
        word = "call" if chart.jammed else "jam"
        if self.hints:
            told = f"solution: {chart.names[cell]} {word}s {jam:.0%}; "
            told += f"{word} costs {costs[JAM]:.3f}, fold costs {costs[FOLD]:.3f}"
            self.screen.say(told, style="cyan")
        while True:
            self.screen.say(f"j {word}{self.screen.dot}f fold", style="dim")
            typed = self.screen.ask().strip().lower()
            if typed in LEAVE:
                raise Left
            if typed in ("?", "h", "help"):
                self.screen.say(HELP)
            elif typed in _TYPED:
                self.cost += costs[_TYPED[typed]]
                return _TYPED[typed]
            elif typed:
                self.screen.say(f"{typed!r}: type j, f, ? or x", style="yellow")

    def _close(self, deal: Deal, *, up: bool) -> None:
        before, inside = self.table, self.table.inside
        boards = [read_cards("".join(hole + deal.board)) for hole in deal.holes]
        strengths = ranks(boards).tolist()
        if len(inside) > 1:
            flop, turn, river = deal.board[:3], deal.board[3:4], deal.board[4:]
            self.screen.say("board ", self.screen.boards([flop, turn, river]))
            for position in inside:
                seat = before.order[position]
                verb = "show " if seat == self.person else "shows "
                kind = f", {category_name(strengths[position])}"
                cards = self.screen.cards(deal.holes[position])
                self.screen.say(f"{self.names[seat]} {verb}", cards, kind)
        self.table = before.settle(strengths[: len(before.order)], up=up)
        for seat in before.order:
            self._result(seat, self.table.stacks[seat] - before.stacks[seat])
        if self.table.level > before.level:
            self.screen.say("the blinds go up", style="bold")
        self.screen.say("")

    def _result(self, seat: int, change: float) -> None:
        name, mine = self.names[seat], seat == self.person
        if change > 0:
            style = "bold green" if mine else ""
            self.screen.say(f"{name} {'win' if mine else 'wins'} {_chips(change)}", style=style)
        elif not self.table.stacks[seat]:
            are = "are" if mine else "is"
            prize = f", prize {_prize(self.table.won[seat])}" if self.table.won[seat] else ""
            self.screen.say(f"{name} {are} out{prize}", style="bold red" if mine else "")

    def _farewell(self) -> None:
        table, count = self.table, counted(self.table.hands, "hand")
        stack, won = table.stacks[self.person], _prize(table.won[self.person])
        if table.over and stack:
            told = f"you win the tournament after {count}: prize {won}"
        elif not stack:
            told = f"you are out after {count}: prize {won}"
        else:
            told = f"you leave after {count} with {_chips(stack)} chips"
        if self.hints:
            told += f"; your choices cost {self.cost:.3f}"
        self.screen.say(told, style="bold")


def _class(hole: tuple[str, ...]) -> int:
    first, second = read_cards("".join(hole))
    return int(class_of()[number_of(first, second)])


def _chips(amount: float) -> str:
    """Whole chips, or two digits after a split pot."""
    return f"{amount:,.0f}" if abs(amount - round(amount)) < 0.005 else f"{amount:,.2f}"


def _prize(amount: float) -> str:
    return f"{amount:,.2f}"
