"""A hand of hold'em as seen at a real table: what was hidden stays hidden.

Real tables have more than our rules support: antes of one player or of all, straddles, blinds
posted late or dead, cents, rake. So a hand is followed here by the chips put in, and not by
what is legal; `rules` says whether it also follows our rules. Amounts are whole numbers of the
smallest unit: `unit` of them are one chip, 100 if cents are played.

Players are in the order of positions: small blind first, the button last. Heads-up the
button is last too, though it posts the small blind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from regretless.core.errors import BadInput, BadParameter
from regretless.games._betting import NO_LIMIT_STACK, PokerRules
from regretless.play.histories._check import CARD_NUMBERS
from regretless.play.histories._holdem import TableFields, rules_from
from regretless.play.records import Hand

ENDLESS = 10**15  # an unknown stack
BOARDS = (0, 3, 1, 1)  # cards of every round
CENT = 0.01  # of the smallest unit: what sums may differ by
MOST_RAKE = 0.15  # of the pot: if more is missing, the file is incomplete
_SEATS = {
    2: ("BB", "BTN"),
    3: ("SB", "BB", "BTN"),
    4: ("SB", "BB", "CO", "BTN"),
    5: ("SB", "BB", "UTG", "CO", "BTN"),
    6: ("SB", "BB", "UTG", "MP", "CO", "BTN"),
    7: ("SB", "BB", "UTG", "MP", "HJ", "CO", "BTN"),
    8: ("SB", "BB", "UTG", "UTG+1", "MP", "HJ", "CO", "BTN"),
    9: ("SB", "BB", "UTG", "UTG+1", "MP", "MP+1", "HJ", "CO", "BTN"),
    10: ("SB", "BB", "UTG", "UTG+1", "UTG+2", "MP", "MP+1", "HJ", "CO", "BTN"),
}


class Unreadable(BadInput):
    """A hand that contradicts itself."""


class Act(NamedTuple):
    """What a player did: f, c (check or call) or r (bet or raise)."""

    position: int
    letter: str
    to: int  # what the player has put in during this round, afterwards
    owed: int  # what it had to pay for a call


class Posts(NamedTuple):
    """What was put in before the first card."""

    antes: tuple[int, ...]  # dead money, for the winner of the main pot
    blinds: tuple[int, ...]  # straddles and late posts too: they count as bets
    big_blind: int
    unit: int = 1
    limits: tuple[int, int] | None = None  # bets of fixed limit; None: no-limit
    odd: bool = False  # late or dead posts, straddles: not just the two blinds of our rules
    trimmed: bool = True  # a player short of the ante wins only as much from the others


class SeenHand(NamedTuple):
    """One hand."""

    number: int  # of the site; 0 if that is a name
    names: tuple[str, ...]
    stacks: tuple[int, ...]  # before anything was posted
    posts: Posts
    rounds: tuple[tuple[Act, ...], ...]
    holes: tuple[str, ...]  # empty if hidden
    boards: tuple[str, ...]
    folded: tuple[bool, ...]
    spent: tuple[int, ...]
    won: tuple[float, ...] | None  # None: the winner is unknown
    site: str = ""
    table: str = ""
    hero: int = -1  # position of the player whose client wrote the file

    @property
    def showdown(self) -> bool:
        """Whether two or more players were left at the end."""
        return sum(self.folded) < len(self.folded) - 1

    @property
    def uncalled(self) -> list[int]:
        """What every player put in that nobody called, and got back."""
        antes = [
            min(ante, stack) for ante, stack in zip(self.posts.antes, self.stacks, strict=True)
        ]
        return _uncalled(self.spent, antes)

    def seat(self, position: int) -> str:
        """The position as players call it."""
        return _SEATS[len(self.names)][position]

    def betting(self) -> str:
        """The betting in the format of a log; amounts exclude antes."""
        texts, base = [], [0] * len(self.names)
        for number, acts in enumerate(self.rounds):
            now = list(base) if number else list(self.posts.blinds)
            text = ""
            for act in acts:
                now[act.position] = base[act.position] + act.to
                sized = act.letter == "r" and self.posts.limits is None
                text += f"r{now[act.position]}" if sized else act.letter
            base = now
            texts.append(text)
        texts += [""] * (len(BOARDS) - len(texts)) if self.showdown else []
        return "/".join(texts)

    def hand(self) -> Hand:
        """The hand in the format of a log; payoffs are NaN if unknown."""
        cards = "|".join(self.holes) + "".join(f"/{cards}" for cards in self.boards)
        won = self.won or (float("nan"),) * len(self.names)
        return Hand(self.number, self.betting(), cards, won, self.names)

    def rules(self) -> PokerRules | None:
        """Our rules for this table; None if it has antes or posts that they do not support."""
        posts, heads_up = self.posts, len(self.names) == 2
        if posts.odd or any(posts.antes):
            return None
        small, big = posts.blinds[::-1][:2] if heads_up else posts.blinds[:2]
        bets = posts.limits or (big, big)
        stacks = tuple(NO_LIMIT_STACK if x == ENDLESS else x for x in self.stacks)
        try:
            fields = TableFields("FT" if posts.limits else "NT", (small, big), bets, stacks)
            return rules_from(fields)
        except BadParameter:
            return None


def seen_of(hand: Hand, rules: PokerRules) -> SeenHand:
    """A hand of a log of hold'em, as if it had been seen at a table."""
    if (rules.hole, rules.board) != (2, BOARDS):
        raise BadInput("player statistics are for hold'em only")
    betting, acts, base = rules.start(), [list[Act]()], [0] * rules.players
    for token in re.findall(r"r[0-9]*|[fc]", hand.betting):
        before, p = betting, betting.actor
        owed = min(max(before.spent), rules.stacks[p]) - before.spent[p]
        betting = before.act(token)
        acts[-1].append(Act(p, token[0], betting.spent[p] - base[p], owed))
        if betting.round > before.round:
            base = list(betting.spent)
            acts += [[] for _ in range(betting.round - before.round)]
    return SeenHand(
        number=hand.number,
        names=hand.names,
        stacks=tuple(min(x, ENDLESS) for x in rules.stacks),
        posts=Posts((0,) * rules.players, rules.blinds, max(rules.blinds), 1, None),
        rounds=tuple(map(tuple, acts)),
        holes=hand.holes,
        boards=hand.boards,
        folded=betting.folded,
        spent=betting.spent,
        won=hand.payoffs,
    )


class Following:
    """A hand being read: chips put in per player."""

    def __init__(self, stacks: Sequence[int], posts: Posts, *, full_blind: bool = False) -> None:
        """`full_blind`: a call is the big blind, even if that was posted short."""
        self.posts, self.stacks = posts, tuple(stacks)
        self.count = len(self.stacks)
        if not 2 <= self.count <= 10:
            raise Unreadable(f"{self.count} players: must be 2 to 10")
        # A short player posts what is left, the ante first.
        self.antes = [min(a, s) for a, s in zip(posts.antes, stacks, strict=True)]
        self.bets = [
            min(b, s - a) for b, s, a in zip(posts.blinds, stacks, self.antes, strict=True)
        ]
        self.spent = [a + b for a, b in zip(self.antes, self.bets, strict=True)]
        self.top = max(*self.bets, posts.big_blind) if full_blind else max(self.bets)
        self.folded = [False] * self.count
        self.holes = [""] * self.count
        self.boards: list[str] = []
        self.acts: list[Act] = []
        self.rounds: list[tuple[Act, ...]] = []

    def fold(self, p: int) -> None:
        self._require_live(p)
        self.acts.append(Act(p, "f", self.bets[p], self._owed(p)))
        self.folded[p] = True

    def call(self, p: int) -> None:
        self._require_live(p)
        owed = self._owed(p)
        self.bets[p] += owed
        self.spent[p] += owed
        self.acts.append(Act(p, "c", self.bets[p], owed))

    def raise_to(self, p: int, to: int) -> None:
        self._require_live(p)
        more = to - self.bets[p]
        if to <= self.top or more > self.stacks[p] - self.spent[p]:
            most = self.bets[p] + self.stacks[p] - self.spent[p]
            raise Unreadable(f"p{p + 1} raises to {to}: must be {self.top + 1} to {most}")
        self.acts.append(Act(p, "r", to, self._owed(p)))
        self.bets[p], self.top = to, to
        self.spent[p] += more

    def board(self, cards: str) -> None:
        """New cards end the round."""
        dealt = sum(map(len, self.boards)) // 2 + len(cards) // 2
        self.boards.append(cards)
        if dealt not in (3, 4, 5):
            raise Unreadable(f"board {''.join(self.boards)}: expected 3, then 1, then 1 card")
        self.rounds.append(tuple(self.acts))
        self.acts, self.bets, self.top = [], [0] * self.count, 0

    def hold(self, p: int, cards: str) -> None:
        if "?" not in cards:
            self.holes[p] = cards

    def finished(
        self,
        number: int,
        names: Sequence[str],
        *,
        collected: Sequence[float] | None = None,
        finishing: Sequence[float] | None = None,
        payoffs: Sequence[float] | None = None,
        site: str = "",
        table: str = "",
    ) -> SeenHand:
        """The hand, with the winnings of all players as far as they are known."""
        self.rounds.append(tuple(self.acts))
        self._require_cards()
        live = [p for p in range(self.count) if not self.folded[p]]
        if not live:
            raise Unreadable("everybody has folded")
        if payoffs is not None and self._plausible(payoffs, sum(self.spent)):
            won: tuple[float, ...] | None = tuple(payoffs)
        else:
            won = self._told(collected, finishing) or self._paid(live)
        return SeenHand(
            number=number,
            names=tuple(names),
            stacks=self.stacks,
            posts=self.posts,
            rounds=tuple(self.rounds),
            holes=tuple(self.holes),
            boards=tuple(self.boards),
            folded=tuple(self.folded),
            spent=tuple(self.spent),
            won=won,
            site=site,
            table=table,
        )

    def _owed(self, p: int) -> int:
        return min(self.top - self.bets[p], self.stacks[p] - self.spent[p])

    def _require_live(self, p: int) -> None:
        if self.folded[p]:
            raise Unreadable(f"p{p + 1} acts after folding")

    def _require_cards(self) -> None:
        text = "".join(self.holes) + "".join(self.boards)
        cards = [text[i : i + 2] for i in range(0, len(text), 2)]
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            raise Unreadable(f"cards {text}: {twice} appears twice")

    def _told(
        self, collected: Sequence[float] | None, finishing: Sequence[float] | None
    ) -> tuple[float, ...] | None:
        """The winnings in the file, if they can be true."""
        if finishing is not None and max(self.stacks) < ENDLESS:
            won = [b - a for a, b in zip(self.stacks, finishing, strict=True)]
            if self._plausible(won, sum(self.spent)):
                return tuple(float(x) for x in won)
        if collected is None or not any(collected):
            return None
        back = _uncalled(self.spent, self.antes)
        pot = sum(self.spent) - sum(back)
        # Some sites report winnings from the pot, some include the uncalled bet.
        if sum(collected) > pot + CENT:
            back = [0] * self.count
            pot = sum(self.spent)
        paid = zip(collected, back, self.spent, strict=True)
        results = [float(x + b - s) for x, b, s in paid]
        return tuple(results) if self._plausible(results, pot) else None

    def _plausible(self, won: Sequence[float], pot: int) -> bool:
        """Nobody loses more than they put in, nobody who folded wins, and little is missing."""
        each = zip(won, self.spent, self.folded, strict=True)
        return -MOST_RAKE * pot - CENT <= sum(won) <= CENT and all(
            x >= -spent - CENT and not (gone and x > CENT - spent) for x, spent, gone in each
        )

    def _paid(self, live: list[int]) -> tuple[float, ...] | None:
        """The winnings by the rules, without rake; None if the cards are hidden."""
        won = [0.0 - chips for chips in self.spent]
        if len(live) == 1:
            won[live[0]] += sum(self.spent)
            return tuple(won)
        shown = [p for p in live if self.holes[p]]
        if not shown or sum(map(len, self.boards)) != 10:
            return None
        strength = dict(zip(shown, self._strengths(shown), strict=True))
        bets = [s - a for s, a in zip(self.spent, self.antes, strict=True)]
        asked = zip(self.antes, self.posts.antes, strict=True)
        full = [a == b or not self.posts.trimmed for a, b in asked]
        for paid, dead in ((bets, False), (self.antes, True)):
            below = 0
            for level in sorted(set(paid) - {0}):
                payers = [p for p in range(self.count) if paid[p] >= level]
                rivals = [p for p in live if paid[p] >= level or (dead and full[p])]
                best = max((strength[p] for p in rivals if p in strength), default=None)
                if len(rivals) == 1:
                    winners = rivals
                elif best is None:
                    return None  # a side pot of players who did not show
                else:
                    winners = [p for p in rivals if strength.get(p) == best]
                for p in winners:
                    won[p] += (level - below) * len(payers) / len(winners)
                below = level
        return tuple(won)

    def _strengths(self, shown: list[int]) -> list[int]:
        from regretless.cards.evaluator import ranks

        board = "".join(self.boards)
        texts = [self.holes[p] + board for p in shown]
        hands = [[CARD_NUMBERS[t[i : i + 2]] for i in range(0, len(t), 2)] for t in texts]
        return [int(rank) for rank in ranks(np.array(hands))]


def _uncalled(spent: Sequence[int], antes: Sequence[int]) -> list[int]:
    """The uncalled part of a bet, which is returned."""
    bets = [chips - ante for chips, ante in zip(spent, antes, strict=True)]
    second, first = sorted(bets)[-2:]
    return [first - second if bet == first > second else 0 for bet in bets]
