"""A person at the table: deal hands, let agents act, ask the person, report results.

A hand that the person leaves does not count: the log ends with the hand before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

from rich.text import Text

from regretless.cards.deck import RANKS, SUITS
from regretless.cards.evaluator import category_name, ranks
from regretless.core.counts import counted
from regretless.core.errors import BadInput, IllegalMove
from regretless.core.interrupts import heard
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.interfaces.terminal import words
from regretless.interfaces.terminal.screen import Screen
from regretless.play.agents._agent import Agent, MixingAgent
from regretless.play.deals import Deal, deals
from regretless.play.histories.acpc_log import chips, write_hand
from regretless.play.match import as_seen
from regretless.play.match_log import MatchLog
from regretless.play.records import Hand
from regretless.play.score import Score, unit
from regretless.play.table import Table, View, boards, cards_text

STREETS = ("", "flop", "turn", "river")


class Left(Exception):
    """The person has left the table."""


@dataclass(frozen=True, kw_only=True)
class Seating:
    """Agents and names by seat; the person's entry among the agents is None."""

    rules: PokerRules
    agents: Sequence[Agent | None]
    names: Sequence[str]
    seed: int
    hands: int | None = None  # None: until the person leaves

    @property
    def person(self) -> int:
        return list(self.agents).index(None)


class Advised(NamedTuple):
    """A decision of the person: what was advised, and what was done."""

    view: View
    advice: dict[str, float]
    action: str


class Session:
    """Hands played one after another."""

    def __init__(
        self,
        seating: Seating,
        screen: Screen,
        *,
        log: MatchLog | None = None,
        adviser: MixingAgent | None = None,
    ) -> None:
        self.seating, self.screen, self.log, self.adviser = seating, screen, log, adviser
        self.interrupted = False  # by Ctrl-C
        self.score = Score(seating.rules.players) if log is None else log.score
        for agent in seating.agents:
            if agent is not None:
                agent.begin()
        if log is not None:
            for hand in log.hands():
                self._remember(hand)
            log.begin()

    def run(self) -> None:
        """Play until all hands are played or the person leaves."""
        seating, first = self.seating, self.score.hands
        dealt = deals(seating.rules, seating.seed, first=first)
        left = None if seating.hands is None else max(0, seating.hands - first)
        try:
            for number, deal in enumerate(islice(dealt, left), start=first):
                self._hand(number, deal)
            if self.log is not None and seating.hands is not None:
                self.log.finish(self.score)
        except (Left, EOFError):
            self.screen.say("")
        except KeyboardInterrupt:
            heard()
            self.screen.say("")
            self.interrupted = True
        self._farewell()

    def _remember(self, hand: Hand) -> None:
        """Show a hand of an earlier session to the agents that learn."""
        players = self.seating.rules.players
        for position in range(players):
            agent = self.seating.agents[(position + hand.number) % players]
            if agent is not None and agent.learns:
                agent.saw(as_seen(self.seating.rules, hand, position), position)

    def _hand(self, number: int, deal: Deal) -> None:
        players, person = self.seating.rules.players, self.seating.person
        seats = [(p + number) % players for p in range(players)]
        playing = _Playing(self, Table.start(self.seating.rules, deal, number), seats)
        hand = playing.play(seats.index(person))
        for position, seat in enumerate(seats):
            agent = self.seating.agents[seat]
            if agent is not None:
                seen = cards_text(deal, playing.table.betting, position)
                agent.saw(hand._replace(cards=seen), position)
        self.score.add(hand)
        if self.log is not None:
            self.log.write(write_hand(hand) + "\n")
            self.log.flush()
        won, total = hand.payoffs[seats.index(person)], self.score.totals()[person]
        result = f"you win {chips(won)}" if won > 0 else f"you lose {chips(-won)}"
        result = result if won else "you break even"
        style = "bold green" if won > 0 else "bold red" if won < 0 else "bold"
        self.screen.say(Text(result, style), f"{self.screen.dot}score {_signed(total)}")
        self.screen.say("")

    def _farewell(self) -> None:
        score, person, screen = self.score, self.seating.person, self.screen
        count = counted(score.hands, "hand")
        noun = "chip" if abs(score.totals()[person]) == 1 else "chips"
        told = f"{count}, score {_signed(score.totals()[person])} {noun}"
        interval = score.intervals()[person]
        if interval is not None:
            name, size = unit(self.seating.rules)
            scale = 1000 / size
            told += f", {score.means()[person] * scale:+,.0f} ± {interval * scale:,.0f} "
            told += f"milli-{name}s per hand"
        screen.say(told if screen.dot == " · " else told.replace("±", "+-"))
        if self.log is not None:
            screen.say(f"log: {self.log.path}")


class _Playing:
    """One hand while it is played."""

    def __init__(self, session: Session, table: Table, seats: Sequence[int]) -> None:
        self.session, self.table = session, table
        self.screen, seating = session.screen, session.seating
        self.names = [seating.names[seat] for seat in seats]
        self.called = [  # the person is "you"
            words.YOU if seat == seating.person else seating.names[seat] for seat in seats
        ]
        self.agents = [seating.agents[seat] for seat in seats]
        self.advised: list[Advised] = []

    def play(self, person: int) -> Hand:
        """The finished hand."""
        self._open(person)
        while not self.table.over:
            before, actor = self.table, self.table.actor
            agent = self.agents[actor]
            if agent is None:
                self._ask(person)
            else:
                self.table = before.act(agent.act(before.view(actor)))
            self.screen.say(words.done(self.called[actor], before.betting, self.table.betting))
            self._deal_on(before.betting.round)
        self._close(person)
        return self.table.record(self.names)

    def _open(self, person: int) -> None:
        session, rules = self.session, self.table.rules
        of = f" of {session.seating.hands:,}" if session.seating.hands else ""
        title = f"hand {self.table.number + 1:,}{of}"
        self.screen.say(title, style="bold underline")
        posts = [
            words.posted(name, blind)
            for name, blind in zip(self.called, rules.blinds, strict=True)
            if blind
        ]
        self.screen.say(", ".join(posts))
        self.screen.say("you hold ", self.screen.cards(self.table.deal.holes[person]))

    def _ask(self, person: int) -> None:
        """Let the person act; after invalid input, say so and ask again."""
        view = self.table.view(person)
        self._show(view)
        advice = self._advice(view)
        if advice is not None:
            self.screen.say(f"strategy: {_percentages(advice, view.betting)}", style="cyan")
        while True:
            self.screen.say(self.screen.dot.join(words.choices(view.betting)), style="dim")
            typed = self.screen.ask().strip().lower()
            if typed in ("q", "quit", "exit"):
                raise Left
            if typed in ("?", "h", "help"):
                self.screen.say(words.HELP)
                continue
            if not typed:
                continue
            try:
                self.table = self.table.act(words.understood(typed, view.betting))
            except (BadInput, IllegalMove) as error:
                self.screen.say(str(error), style="yellow")
                continue
            if advice is not None:
                self.advised.append(Advised(view, advice, self._written(view)))
            return

    def _written(self, view: View) -> str:
        return self.table.betting.history[len(view.betting.history) :].rstrip("/")

    def _show(self, view: View) -> None:
        self.screen.table(view.betting, self.called, view.position)
        parts: list[str | Text] = []
        if view.board:
            rounds = boards(self.table.rules, self.table.deal)[: view.betting.round + 1]
            parts += ["board ", self.screen.boards(rounds), self.screen.dot]
        parts += ["you hold ", self.screen.cards(view.hole)]
        self.screen.say(*parts, f"{self.screen.dot}pot {view.betting.pot:,}")

    def _advice(self, view: View) -> dict[str, float] | None:
        if self.session.adviser is None:
            return None
        actions, below = self.session.adviser.mixed(view)
        cuts = (0.0, *below, 1.0)
        return {a: high - low for a, (low, high) in zip(actions, pairwise(cuts), strict=True)}

    def _deal_on(self, before: int) -> None:
        """Show the cards of every round that has begun."""
        betting = self.table.betting
        if betting.over and sum(betting.folded) == self.table.rules.players - 1:
            return
        rounds = boards(self.table.rules, self.table.deal)
        holdem = self.table.rules.board == (0, 3, 1, 1)
        for number in range(before + 1, betting.round + 1):
            name = STREETS[number] if holdem else f"round {number + 1}"
            self.screen.say(Text(name, "bold"), "  ", self.screen.boards(rounds[: number + 1]))

    def _close(self, person: int) -> None:
        betting, deal = self.table.betting, self.table.deal
        live = [p for p in range(self.table.rules.players) if not betting.folded[p]]
        for p in live if len(live) > 1 else []:
            verb = "show " if p == person else "shows "
            kind = self._kind(deal.holes[p] + deal.board)
            self.screen.say(f"{self.called[p]} {verb}", self.screen.cards(deal.holes[p]), kind)
        if self.advised:
            self.screen.say("the strategy would have played", style="cyan")
        for view, advice, action in self.advised:
            share, yours = advice.get(action, 0.0), words.named(action, view.betting)
            told = f"  {view.betting.history or '-':<12} {_percentages(advice, view.betting)}"
            self.screen.say(f"{told}; you: {yours}, {share:.0%}", style="cyan")

    def _kind(self, cards: tuple[str, ...]) -> str:
        """The name of a hand of five or more cards."""
        if not 5 <= len(cards) <= 7 or self.table.rules.ranking is not Ranking.BEST_FIVE:
            return ""
        numbers = [RANKS.index(card[0]) * 4 + SUITS.index(card[1]) for card in cards]
        return f", {category_name(int(ranks([numbers])[0]))}"


def _percentages(advice: dict[str, float], betting: Betting) -> str:
    shares = advice.items()
    return ", ".join(f"{words.named(action, betting)} {share:.0%}" for action, share in shares)


def _signed(amount: float) -> str:
    return ("+" if amount > 0 else "") + chips(amount)
