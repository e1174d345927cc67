"""The betting of a poker hand: who may do what, when a round ends, who is paid.

One engine for solving, dealing and playing. It follows the ACPC dealer: blinds and
antes are chips already spent, a raise is written by the total it raises to, and one
pot is formed for every level of chips spent. Cards are unknown here, so one betting
tree serves every deal; nodes compute their children once and keep them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from regretless.cards.ranking import Card, Strength, strength, three_card_strength
from regretless.core.errors import BadParameter, IllegalMove, TooLarge, within
from regretless.games._settling import Rake, Utility, settled
from regretless.games._sizing import Sizing, chip_sizes

NO_LIMIT_STACK = 2**31 - 1  # "no stack" in an ACPC definition
MOST_ACTIONS = 64  # per round, in the ACPC dealer
NO_CAP = 255
MOST_RAISES = 1_000_000  # sizes listed at one node: without stacks there would be 2^31


class Ranking(StrEnum):
    """Which hand beats which."""

    BEST_FIVE = "best five"  # of hole and board cards together, or all of them if fewer
    THREE_CARDS = "three cards"  # Rhode Island's order; A-2-3 is a straight
    THREE_CARDS_ACE_HIGH = "three cards, ace high"  # as above, but A-2-3 is not a straight

    def strength(self, cards: Sequence[Card]) -> Strength:
        """A tuple that compares like the hand of these cards with their board."""
        if self is Ranking.BEST_FIVE:
            return strength(cards)
        return three_card_strength(cards, wheel=self is Ranking.THREE_CARDS)


class Menu(NamedTuple):
    """The sizes of one round, in chips above the last bet."""

    bets: tuple[int, ...]  # of the first bet in a round
    raises: tuple[int, ...]  # of later ones


@dataclass(frozen=True, kw_only=True)
class PokerRules:
    """The contents of an ACPC game definition, and more. Positions and rounds count from 0."""

    players: int
    ranks: int
    suits: int
    hole: int
    board: tuple[int, ...]  # new board cards in every round
    blinds: tuple[int, ...]  # chips spent before the first action, antes included
    first: tuple[int, ...]  # first position to act in every round
    caps: tuple[int, ...]  # maximum number of bets and raises in every round
    raises: tuple[int, ...] | None = None  # size of a raise in every round; None: no-limit
    stacks: tuple[int, ...] = ()  # (): unlimited
    ranking: Ranking = Ranking.BEST_FIVE
    menus: tuple[Menu, ...] = ()  # no-limit: the only sizes in every round; (): any size
    sizing: Sizing | None = None  # no-limit: the only sizes, depending on the betting so far
    dead: int = 0  # chips in the pot that nobody has spent; players are charged equal parts
    rake: Rake | None = None
    utility: Utility | None = None  # value of stacks; None: chips
    limps: bool = True  # if False, the first action of the hand cannot be a call

    def __post_init__(self) -> None:
        within("players", self.players, 2, 10)
        within("ranks", self.ranks, 1, 13)
        within("suits", self.suits, 1, 4)
        within("hole cards", self.hole, 1, 3)
        within("rounds", self.rounds, 1, 4)
        if not self.stacks:
            object.__setattr__(self, "stacks", (NO_LIMIT_STACK,) * self.players)
        self._check_lengths()
        self._check_amounts()
        shown = self.hole + sum(self.board)
        if self.ranking is not Ranking.BEST_FIVE and shown != 3:
            raise BadParameter(f"ranking by {self.ranking}: got {shown} cards, expected 3")
        needed = self.players * self.hole + sum(self.board)
        if needed > self.ranks * self.suits:
            raise BadParameter(
                f"{self.players} players with {self.hole} hole cards and {sum(self.board)} board "
                f"cards need {needed} cards: the deck has {self.ranks * self.suits}"
            )

    @property
    def rounds(self) -> int:
        return len(self.board)

    @property
    def listed(self) -> bool:
        """Whether raises come from a list of sizes, not from a range."""
        return self.sizes is not None

    @cached_property
    def sizes(self) -> Sizing | None:
        """No-limit: the only sizes; None: any size."""
        return chip_sizes(self.menus) if self.menus else self.sizing

    def start(self) -> Betting:
        """The betting before anyone has acted."""
        blind = max(self.blinds)
        opening = Betting(
            self, self.blinds, (False,) * self.players, min_to=2 * blind if blind else 1
        )
        return opening.seated(self.first[0])

    def replay(self, text: str, *, hand: int = 0) -> Betting:
        """The betting after an ACPC text such as `rc/crf` or `r300c///`.

        The error for an illegal action names the hand, the position and the legal actions."""
        betting, spelled = self.start(), ""
        for token in re.findall(r"r[0-9]*|.", text, flags=re.DOTALL):
            spelled += token
            if token != "/":
                position = betting.actor + 1
                try:
                    betting = betting.act(token)
                except IllegalMove as error:
                    where = f"hand {hand}, position {position}, betting {spelled!r}"
                    raise IllegalMove(f"{where}: action {error}") from None
            if not betting.history.startswith(spelled):
                raise IllegalMove(
                    f"hand {hand}, betting {spelled!r}: rounds end at {betting.history!r}"
                )
        if betting.history != text:
            raise IllegalMove(f"hand {hand}, betting {text!r}: continues as {betting.history!r}")
        return betting

    def _check_lengths(self) -> None:
        for name, values, length in (
            ("blinds", self.blinds, self.players),
            ("stacks", self.stacks, self.players),
            ("first player", self.first, self.rounds),
            ("caps", self.caps, self.rounds),
            ("raise sizes", self.raises, self.rounds),
            ("menus", self.menus or None, self.rounds),
        ):
            if values is not None and (got := len(values)) != length:
                plural = "" if got == 1 else "s"
                raise BadParameter(f"{name}: got {got} value{plural}, expected {length}")

    def _check_amounts(self) -> None:
        for position, (blind, stack) in enumerate(zip(self.blinds, self.stacks, strict=True)):
            within(f"blind of position {position + 1}", blind, 0, stack)
        for number, count in enumerate(self.board):
            within(f"board cards of round {number + 1}", count, 0, 7)
        for number, position in enumerate(self.first):
            within(f"first player of round {number + 1}", position + 1, 1, self.players)
        for number, cap in enumerate(self.caps):
            within(f"raise cap of round {number + 1}", cap, 0, NO_CAP)
        within("dead chips", self.dead, 0, NO_LIMIT_STACK)
        if not any(self.blinds) and not any(self.caps) and not self.dead:
            raise BadParameter("blinds and raise caps are all 0: there is nothing to play for")
        if self.listed and self.raises is not None:
            raise BadParameter("menus of sizes are for no-limit betting: got raise sizes as well")
        if self.menus and self.sizing is not None:
            raise BadParameter("bet sizes come from menus or from a sizing: got both")
        sizes = [((size,), ()) for size in self.raises or ()]
        for number, menu in enumerate(sizes or self.menus):
            for size in (*menu[0], *menu[1]):
                within(f"raise size of round {number + 1}", size, 1, NO_LIMIT_STACK)


class Move(NamedTuple):
    """An action: its letter, the player's total after it, and its name."""

    letter: str
    total: int  # of a raise of any size: the smallest
    name: str
    more: int = 0  # chips above `total` that the player may add, if any size is legal

    @property
    def high(self) -> int:
        """The largest total."""
        return self.total + self.more


class Betting:
    """One node of the betting tree; its children are computed once."""

    __slots__ = (
        "__dict__",
        "actor",
        "aggressor",
        "base",
        "called",
        "folded",
        "history",
        "led",
        "min_to",
        "over",
        "raised",
        "round",
        "rules",
        "spent",
        "taken",
    )

    def __init__(
        self,
        rules: PokerRules,
        spent: tuple[int, ...],
        folded: tuple[bool, ...],
        *,
        round: int = 0,
        min_to: int,
        history: str = "",
        raised: int = 0,
        called: int = 0,
        taken: int = 0,
        base: int = 0,
        aggressor: int = -1,
        led: int = -1,
    ) -> None:
        self.rules = rules
        self.spent = spent
        self.folded = folded
        self.round = round
        self.min_to = min_to  # smallest total of a no-limit raise
        self.history = history  # ACPC betting text
        self.raised = raised  # raises in this round
        self.called = called  # players who have called the last raise and can still act
        self.taken = taken  # actions in this round
        self.base = base  # total that everybody had matched before this round
        self.aggressor = aggressor  # position of the last bet or raise of this round, or -1
        self.led = led  # the same for the previous round
        self.actor = -1
        self.over = False

    @property
    def pot(self) -> int:
        """All chips in the middle."""
        return self.rules.dead + sum(self.spent)

    def can_act(self, position: int) -> bool:
        """Neither folded nor all-in."""
        return not self.folded[position] and self.spent[position] < self.rules.stacks[position]

    def seated(self, position: int) -> Betting:
        """Pass the turn to this position or the next one that can act; end if none can."""
        players = self.rules.players
        for step in range(players):
            if self.can_act((position + step) % players):
                self.actor = (position + step) % players
                return self
        return self._finished()

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """What the player may do: fold, call, raises from small to large. Where any size is legal,
        there is one raise, from `total` to `high`."""
        totals = self.raise_totals
        if isinstance(totals, tuple) or len(totals) < 2:
            return self.choices
        low, high = totals[0], totals[-1]
        return (*self._passive(), Move("r", low, self._raise_word(), high - low))

    @cached_property
    def choices(self) -> tuple[Move, ...]:
        """All legal moves one by one, in the order of `moves`: those that lead to `children`."""
        totals = self.raise_totals
        if len(totals) > MOST_RAISES:
            raise TooLarge(f"{len(totals):,} raise sizes: at most {MOST_RAISES:,} are listed")
        return (*self._passive(), *map(self._raise_to, totals))

    @cached_property
    def children(self) -> tuple[Betting, ...]:
        """The betting after each of the `choices`."""
        return tuple(self._after(move) for move in self.choices)

    def act(self, name: str) -> Betting:
        """The betting after the move of this name or ACPC text (`f`, `c`, `r`, `r300`)."""
        # No-limit has thousands of raises: only the requested one is checked.
        totals, digits = self.raise_totals, re.search(r"[0-9]{1,10}$", name)
        to = int(digits[0]) if digits else totals[0] if totals else 0
        legal = self._passive()
        for move in (*legal, self._raise_to(to)) if to in totals else legal:
            if name in (move.name, move.letter, f"{move.letter}{move.total}"):
                return self._after(move)
        if name == self._raise_word() and totals:
            return self._after(self._raise_to(totals[0]))
        names = [move.name for move in legal]
        if isinstance(totals, tuple):
            names += [self._raise_to(total).name for total in totals]
        elif totals:
            most = f" to {totals[-1]}" if len(totals) > 1 else ""
            names.append(self._raise_to(totals.start).name + most)
        raise IllegalMove(f"{name!r}: legal actions are {', '.join(names) or 'none'}")

    @property
    def raise_totals(self) -> range | tuple[int, ...]:
        """The totals that a raise may reach: a range if any size is legal, otherwise a list."""
        rules, most = self.rules, max(self.spent)
        able = sum(self.can_act(position) for position in range(rules.players))
        if (
            self.over
            or self.raised >= rules.caps[self.round]
            or self.taken + rules.players > MOST_ACTIONS
            or able < 2
        ):
            return ()
        stack = rules.stacks[self.actor]
        if rules.raises is not None:
            wanted: tuple[int, ...] = (min(most + rules.raises[self.round], stack),)
        elif rules.sizes is not None:
            wanted = rules.sizes.totals(self)
        else:
            return range(max(min(self.min_to, stack), most + 1), stack + 1)
        return tuple(total for total in wanted if total > most)

    def raise_range(self) -> tuple[int, int] | None:
        """Smallest and largest total a raise may reach; None if no raise is legal."""
        totals = self.raise_totals
        return (totals[0], totals[-1]) if totals else None

    def settle(self, strengths: Sequence[object]) -> tuple[float, ...]:
        """What every position has won, given comparable strengths of the hands."""
        rules = self.rules
        return settled(
            self.spent,
            self.folded,
            strengths,
            dead=rules.dead,
            rake=rules.rake,
            utility=rules.utility,
            stacks=rules.stacks,
        )

    def _passive(self) -> list[Move]:
        """Fold and call, where legal."""
        if self.over:
            return []
        owed = max(self.spent) - self.spent[self.actor]
        total = min(max(self.spent), self.rules.stacks[self.actor])
        fold = [Move("f", self.spent[self.actor], "fold")] if owed else []
        if fold and not self.rules.limps and not self.history:
            return fold
        return [*fold, Move("c", total, "call" if owed else "check")]

    def _raise_word(self) -> str:
        opening = self.raised == 0 and (self.round > 0 or len(set(self.rules.blinds)) == 1)
        return "bet" if opening else "raise"

    def _raise_to(self, total: int) -> Move:
        word = self._raise_word()
        return Move("r", total, word if self.rules.raises is not None else f"{word} {total}")

    def _after(self, move: Move) -> Betting:
        rules, actor, before = self.rules, self.actor, max(self.spent)
        spent = list(self.spent)
        spent[actor] = move.total
        folded = list(self.folded)
        folded[actor] = move.letter == "f"
        written = f"r{move.total}" if move.letter == "r" and rules.raises is None else move.letter
        raises = move.letter == "r"
        after = Betting(
            rules,
            tuple(spent),
            tuple(folded),
            round=self.round,
            min_to=max(self.min_to, 2 * move.total - before) if raises else self.min_to,
            history=self.history + written,
            raised=self.raised + raises,
            called=0 if raises else self.called,
            taken=self.taken + 1,
            base=self.base,
            aggressor=actor if raises else self.aggressor,
            led=self.led,
        )
        after.called += not folded[actor] and after.can_act(actor)
        return after._closed(actor)

    def _closed(self, actor: int) -> Betting:
        """Pass the turn, open the next round, or end the hand."""
        rules = self.rules
        if sum(not gone for gone in self.folded) == 1:
            self.over = True
            return self
        able = sum(self.can_act(position) for position in range(rules.players))
        if self.called < able:
            return self.seated((actor + 1) % rules.players)
        if able < 2 or self.round == rules.rounds - 1:
            return self._finished()
        following = Betting(
            rules,
            self.spent,
            self.folded,
            round=self.round + 1,
            min_to=max(self.spent) + max(1, max(rules.blinds)),
            history=self.history + "/",
            base=max(self.spent),
            led=self.aggressor,
        )
        return following.seated(rules.first[self.round + 1])

    def _finished(self) -> Betting:
        """Go to the showdown: the remaining board cards will be dealt."""
        last = self.rules.rounds - 1
        self.history += "/" * (last - self.round)
        self.round, self.over, self.actor = last, True, -1
        return self
