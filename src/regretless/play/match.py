"""Many hands between the same agents.

Agents keep their seats, seats change positions: in hand h position p is seat (p + h) mod
N, unless seats are fixed. In a duplicate match every deal is played N times, once for
each rotation of the seats, so that everybody gets everybody's cards: hands d N to
d N + N - 1 have the cards of deal d. Agents get d as the number of the hand, so
equal agents do the same in all of them and luck cancels as far as possible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import perm
from typing import NamedTuple

import numpy as np

from regretless.core.errors import BadParameter, IllegalMove, shown, within
from regretless.games._betting import Betting, PokerRules
from regretless.play.agents._agent import Agent, MixingAgent, Mixture
from regretless.play.agents._draws import Draws
from regretless.play.deals import MOST_SEED, Deal, Rows, dealt_rows, named
from regretless.play.records import Hand
from regretless.play.rules import Playable, rules_of
from regretless.play.showdown import Order, orders, settled
from regretless.play.table import View, after, boards, cards_text, joined, opening

MOST_HANDS = 10**12
_KEPT_DEALS = 5000
_KNOWN_DEALS = 500  # a deck with at most this many deals repeats them


def play_match(
    game: Playable,
    agents: Sequence[Agent],
    *,
    hands: int,
    seed: int,
    rotate: bool = True,
    duplicate: bool = False,
    first: int = 0,
    names: Sequence[str] = (),
    before: Iterable[Hand] = (),
) -> Iterator[Hand]:
    """The hands from number `first` up to `hands`; agents and names by seat.

    Agents that learn need the hands `before` the first, in their order; what they learned in other
    matches is forgotten."""
    rules = rules_of(game)
    names = tuple(names) or tuple(f"seat {seat + 1}" for seat in range(rules.players))
    within("hands", hands, 1, MOST_HANDS)
    within("first hand", first, 0, hands)
    within("seed", seed, 0, MOST_SEED)
    _check(rules, agents, names)
    seats = arrangements(rules.players, rotate=rotate, duplicate=duplicate)
    tables = [_Seated(rules, agents, names, places) for places in seats]
    times = rules.players if duplicate else 1
    return _hands(tables, _dealt(rules, seed, first // times), times, first, hands, before)


def _hands(
    tables: Sequence[_Seated],
    deals: Iterator[_Dealt],
    times: int,
    first: int,
    end: int,
    before: Iterable[Hand],
) -> Iterator[Hand]:
    for agent in dict.fromkeys(tables[0].agents):
        agent.begin()
    for number, hand in enumerate(before):
        tables[number % len(tables)].remember(hand, number // times)
    # The last deal of a duplicate match may end before its last rotation.
    begun = range(first // times, -(-end // times))
    for told, dealt in zip(begun, deals, strict=False):
        for number in range(max(first, told * times), min(end, (told + 1) * times)):
            yield tables[number % len(tables)].play(dealt, number, told)


def arrangements(
    players: int, *, rotate: bool = True, duplicate: bool = False
) -> list[tuple[int, ...]]:
    """The seat of every position: hand h has entry h mod N of these."""
    if duplicate and not rotate:
        raise BadParameter("fixed seats and a duplicate match cannot be combined")
    if not rotate:
        return [tuple(range(players))]
    return [tuple((p + h) % players for p in range(players)) for h in range(players)]


class _Dealt(NamedTuple):
    """A deal, and everything derived from it before anyone has acted."""

    deal: Deal
    boards: list[tuple[str, ...]]  # all cards shown in every round
    texts: list[str]  # cards of a hand that ends in this round
    order: Order
    decisions: dict[tuple[int, ...], _KnownDecision]  # where a hand begins, by seats


class _KnownDecision:
    """A decision in a known deal between agents that know their probabilities: looked up once."""

    __slots__ = ("actions", "below", "betting", "draws", "following", "place")

    def __init__(self, betting: Betting, mixture: Mixture, draws: Draws | None) -> None:
        self.betting, self.draws = betting, draws
        self.actions, self.below = mixture
        self.place = len(betting.history)
        self.following: list[_KnownDecision | None] = [None] * len(self.actions)


class _Seated:
    """The agents in one order of positions."""

    def __init__(
        self,
        rules: PokerRules,
        agents: Sequence[Agent],
        names: Sequence[str],
        places: tuple[int, ...],
    ) -> None:
        self.rules, self.start = rules, opening(rules)
        self.places = places
        self.agents = [agents[seat] for seat in places]
        self.names = tuple(names[seat] for seat in places)
        self.learning = [
            (position, agent) for position, agent in enumerate(self.agents) if agent.learns
        ]
        known = perm(rules.ranks * rules.suits, rules.players * rules.hole + sum(rules.board))
        # What was looked up once must hold for the rest of the match.
        mixing = all(type(agent).act is MixingAgent.act and not agent.learns for agent in agents)
        self.play = self._play_known if mixing and known <= _KNOWN_DEALS else self._play

    def _play(self, dealt: _Dealt, number: int, told: int) -> Hand:
        """Play one hand. This is `Table`, without a new one after every action."""
        betting = self.start
        while not betting.over:
            action = self.agents[betting.actor].act(self._view(dealt, betting, told))
            betting = self._after(betting, action, number)
        return self._finished(dealt, betting, number, told)

    def _play_known(self, dealt: _Dealt, number: int, told: int) -> Hand:
        """The same for a deal that has been played before: only the draws are new."""
        decision = dealt.decisions.get(self.places)
        if decision is None:
            decision = dealt.decisions[self.places] = self._decision(dealt, self.start)
        while decision.draws is not None:
            below = decision.below
            drawn = bisect_right(below, decision.draws.at(told, decision.place)) if below else 0
            following = decision.following[drawn]
            if following is None:
                betting = self._after(decision.betting, decision.actions[drawn], number)
                following = decision.following[drawn] = self._decision(dealt, betting)
            decision = following
        return self._finished(dealt, decision.betting, number, told)

    def _decision(self, dealt: _Dealt, betting: Betting) -> _KnownDecision:
        if betting.over:
            return _KnownDecision(betting, Mixture(()), None)
        agent = self.agents[betting.actor]
        assert isinstance(agent, MixingAgent)
        return _KnownDecision(betting, agent.mixed(self._view(dealt, betting, 0)), agent.draws)

    def _view(self, dealt: _Dealt, betting: Betting, told: int) -> View:
        actor = betting.actor
        return View(actor, told, betting, dealt.deal.holes[actor], dealt.boards[betting.round])

    def _after(self, betting: Betting, action: str, number: int) -> Betting:
        try:
            return after(betting, action)
        except IllegalMove as error:
            where = f"hand {number}, {self.names[betting.actor]}, betting {betting.history!r}"
            raise IllegalMove(f"{where}: action {error}") from None

    def _finished(self, dealt: _Dealt, betting: Betting, number: int, told: int) -> Hand:
        payoffs = settled(betting, dealt.order)
        hand = Hand(number, betting.history, dealt.texts[betting.round], payoffs, self.names)
        for position, agent in self.learning:
            seen = cards_text(dealt.deal, betting, position)
            agent.saw(hand._replace(number=told, cards=seen), position)
        return hand

    def remember(self, hand: Hand, told: int) -> None:
        """Show a hand that was played before to the agents that learn."""
        for position, agent in self.learning:
            agent.saw(as_seen(self.rules, hand, position)._replace(number=told), position)


def as_seen(rules: PokerRules, hand: Hand, position: int) -> Hand:
    """A recorded hand with the cards that a position could see."""
    folded = rules.replay(hand.betting, hand=hand.number).folded
    shown = sum(folded) < len(folded) - 1
    holes = [
        cards if p == position or (shown and not folded[p]) else ""
        for p, cards in enumerate(hand.holes)
    ]
    return hand._replace(cards=hand.cards.replace("|".join(hand.holes), "|".join(holes), 1))


def _dealt(rules: PokerRules, seed: int, first: int) -> Iterator[_Dealt]:
    """The deals of a match. Small decks repeat deals: those are prepared once."""
    known: dict[bytes, _Dealt] = {}
    for rows in dealt_rows(rules, seed, first=first):
        text, width = rows.tobytes(), rows.shape[1]
        keys = [text[at : at + width] for at in range(0, len(text), width)]
        if len(known) > _KEPT_DEALS:
            known.clear()
        if new := dict.fromkeys(key for key in keys if key not in known):
            fresh = np.frombuffer(b"".join(new), np.uint8).reshape(-1, width)
            known.update(zip(new, _prepared(rules, fresh), strict=True))
        yield from map(known.__getitem__, keys)


def _prepared(rules: PokerRules, rows: Rows) -> Iterator[_Dealt]:
    shown = list(accumulate(rules.board))
    for deal, order in zip(named(rules, rows), orders(rules, rows), strict=True):
        new = boards(rules, deal)
        texts = [joined(deal.holes, new[: round + 1]) for round in range(rules.rounds)]
        yield _Dealt(deal, [deal.board[:count] for count in shown], texts, order, {})


def _check(rules: PokerRules, agents: Sequence[Agent], names: Sequence[str]) -> None:
    for what, given in (("agents", agents), ("names", names)):
        if len(given) != rules.players:
            raise BadParameter(f"{what}: got {len(given)}, expected {rules.players}")
    for agent in agents:
        if not isinstance(agent, Agent):
            raise BadParameter(f"agent {shown(agent)}: must be an Agent: make one with rl.agent")
    require_distinct(names)


def require_distinct(names: Sequence[str]) -> None:
    """Refuse two players with the same name: a log could not distinguish them."""
    if len(set(names)) < len(names):
        raise BadParameter(f"names {', '.join(names)}: all names must differ")
