"""Jam/fold as plainly as possible: a deck of ranks × copies, a card per player and on the board.

A pair with the board beats high card. Pots are awarded chip by chip; every deal is a chance
move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations

import numpy as np

from regretless.cards.orders import orders
from regretless.cards.showdowns import Showdowns
from regretless.games._state import CHANCE, TERMINAL, Game, State


def ranks_of(cards: Sequence[int], board: int) -> tuple[int, ...]:
    """The rank of every hand, the best with 0."""
    strengths = [(card == board, card) for card in cards]
    best = sorted(set(strengths), reverse=True)
    return tuple(best.index(one) for one in strengths)


def small_showdowns(ranks: int = 3, copies: int = 3, hands: int = 3) -> Showdowns:
    """Showdowns of the small deck by enumeration of all deals."""
    deck = [rank for rank in range(ranks) for _ in range(copies)]
    tables = []
    for count in range(2, hands + 1):
        table = np.zeros((ranks,) * count + (len(orders(count)),))
        for deal in permutations(range(len(deck)), count + 1):
            *cards, board = (deck[card] for card in deal)
            table[(*cards, orders(count).index(ranks_of(cards, board)))] += 1
        tables.append(table / table.sum())
    return Showdowns(tuple("KQJT9"[-ranks:][::-1]), *tables)


def awarded(
    stacks: Sequence[int], paid: Sequence[int], dead: int, inside: dict[int, int]
) -> list[Fraction]:
    """Final stacks; `inside` are the ranks of those who have not folded. One chip after another."""
    final = [Fraction(stack - put) for stack, put in zip(stacks, paid, strict=True)]
    final[-1] -= dead
    winners = [p for p in inside if inside[p] == min(inside.values())]
    for winner in winners:
        final[winner] += Fraction(dead, len(winners))
    for chip in range(max(paid)):
        rivals = [p for p in inside if paid[p] > chip]
        if rivals:
            best = min(inside[p] for p in rivals)
            winners = [p for p in rivals if inside[p] == best]
        pot = sum(put > chip for put in paid)
        for winner in winners:
            final[winner] += Fraction(pot, len(winners))
    return final


@dataclass(frozen=True)
class Hand(State):
    """One hand of two or three players."""

    stacks: tuple[int, ...]
    blinds: tuple[int, int]
    ante: int
    big_ante: int
    utility: object  # final stacks → payoffs
    deck: tuple[int, ...]
    cards: tuple[int, ...] = ()
    history: tuple[str, ...] = ()

    @property
    def _posts(self) -> list[tuple[int, int, int]]:
        found = []
        for player, stack in enumerate(self.stacks):
            ante = min(stack, self.ante)
            extra = min(stack - ante, self.big_ante) if player == len(self.stacks) - 1 else 0
            due = {len(self.stacks) - 2: self.blinds[0], len(self.stacks) - 1: self.blinds[1]}
            found.append((ante, extra, min(stack - ante - extra, due.get(player, 0))))
        return found

    @property
    def player(self) -> int:
        n = len(self.stacks)
        if len(self.cards) <= n:
            return CHANCE
        return TERMINAL if len(self.history) == n else len(self.history)

    @property
    def actions(self) -> Sequence[str]:
        if self.player == CHANCE:
            return tuple(map(str, range(len(self.deck))))
        return self._choices()

    def _choices(self) -> tuple[str, ...]:
        me, posts = len(self.history), self._posts
        if sum(posts[me]) == self.stacks[me]:
            return ("all-in",)
        bets = [
            self.stacks[p] - posts[p][0] - posts[p][1]
            for p in range(len(self.stacks))
            if p != me and (p > me or self.history[p] != "fold")
        ]
        waiting = any(sum(posts[p]) < self.stacks[p] for p in range(me + 1, len(self.stacks)))
        if not waiting and all(bet <= posts[me][2] for bet in bets):
            return ("check",)
        return ("fold", "jam")

    @property
    def chances(self) -> Sequence[float]:
        return [1 / len(self.deck)] * len(self.deck)

    def child(self, index: int) -> Hand:
        if self.player == CHANCE:
            rest = self.deck[:index] + self.deck[index + 1 :]
            return replace(self, deck=rest, cards=(*self.cards, self.deck[index]))
        return replace(self, history=(*self.history, self._choices()[index]))

    def view(self, player: int) -> str:
        letters = {"fold": "f", "jam": "j", "all-in": "a", "check": "x"}
        return f"{'KQJT9'[::-1][self.cards[player]]}:{''.join(letters[a] for a in self.history)}"

    @property
    def payoff(self) -> Sequence[float]:
        posts = self._posts
        paid = [
            stack - extra if action in ("jam", "all-in") else ante + blind
            for stack, action, (ante, extra, blind) in zip(
                self.stacks, self.history, posts, strict=True
            )
        ]
        *cards, board = self.cards
        inside = [p for p, action in enumerate(self.history) if action != "fold"]
        ranks = dict(zip(inside, ranks_of([cards[p] for p in inside], board), strict=True))
        final = awarded(self.stacks, paid, posts[-1][1], ranks)
        return self.utility(list(map(float, final)))  # type: ignore[operator]


def twin(
    stacks: tuple[int, ...],
    blinds: tuple[int, int],
    utility: object,
    *,
    ante: int = 0,
    big_ante: int = 0,
    ranks: int = 3,
    copies: int = 3,
) -> Game:
    """The game for `sequence_form`."""
    deck = tuple(rank for rank in range(ranks) for _ in range(copies))
    root = Hand(stacks, blinds, ante, big_ante, utility, deck)
    return Game("twin", len(stacks), root)
