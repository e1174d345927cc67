"""What recorded hands of hold'em say about an opponent, over the buckets of a blueprint.

Bets are translated into the betting tree, deterministically and as fractions of the pot: so stacks
and blinds of the table may differ from those of the tree. What follows after a hand has left the
tree is not used. Cards that were not shown may be any that nobody has seen; of a large deck some
are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from regretless.abstraction._hand_map import HandMap
from regretless.core.arrays import Indices, Ints
from regretless.core.errors import BadInput, WrongGame
from regretless.exploitation.bucket_model import Entered, Seen
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.kernels.bucket_counts import Acts, bucket_hands
from regretless.play.observing import Cards
from regretless.play.records import Hand
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import Step, TreeWalk, move_of, tokens

CARD = 2  # characters
MOST_LISTED = 300  # hands of a deck of which all are tried when cards are hidden
DRAWN = 24  # hands that are tried otherwise
NOWHERE = -1
_KEPT = 500_000  # bettings that are remembered


class Line(NamedTuple):
    """A betting as one position played it."""

    number: int  # among all different lines
    shown: bool  # the position has shown its cards: it is at a showdown
    left: bool  # the betting has left the tree


class BucketWatcher:
    """Collects the observations of one opponent."""

    def __init__(self, tree: BettingTree, map: HandMap, cards: Cards = Cards.ALL) -> None:
        self.tree, self.map, self.cards = tree, map, cards
        self.deck = map.deal.deck
        self.entered = Entered(tree, map.counts)
        self.left = 0
        self._acts: list[list[tuple[int, int, int]]] = []  # [line] entry, width, round
        self._lines: dict[tuple[int, str, int], Line] = {}
        self._steps: dict[tuple[int, str], Step] = {}
        self._walks: list[TreeWalk] = []
        self._tables: dict[PokerRules, int] = {}  # to the numbers of walks
        self._last: tuple[PokerRules, int] | None = None
        self._texts: dict[str, tuple[int, ...]] = {"": ()}
        # By observation: its line, its hand or NOWHERE, the cards that others hold, the board.
        self._seen: list[tuple[int, int, int, tuple[int, ...]]] = []

    def add(self, hand: Hand, position: int, rules: PokerRules | None = None) -> None:
        """Count a hand of the opponent at this position, counted from 0; `rules` of its table."""
        line = self._line(hand, position, self._table(rules or self.tree.rules))
        self.left += line.left
        holes = [self._read(text, hand) for text in hand.holes]
        board = self._read("".join(hand.boards), hand)
        cards = [*holes[0], *holes[1], *board]
        if len(set(cards)) < len(cards) or any(len(h) not in (0, 2) for h in holes):
            raise BadInput(f"hand {hand.number}: cards {hand.cards!r}: cannot be dealt")
        needed = max((self.map.deal.shown(act[2]) for act in self._acts[line.number]), default=0)
        if len(board) < needed:
            raise BadInput(f"hand {hand.number}: board of {len(board)} cards: {needed} are needed")
        visible = self.cards is Cards.ALL or (self.cards is Cards.SHOWDOWN and line.shown)
        mine, theirs = holes[position], holes[1 - position]
        number = self.deck.hand_numbers[_sorted(mine)] if mine and visible else NOWHERE
        taken = sum(1 << card for card in theirs)
        self._seen.append((line.number, number, taken, board))

    def __len__(self) -> int:
        return len(self._seen)

    def seen(self) -> Seen:
        """Everything so far, as arrays."""
        lines = np.array([one[0] for one in self._seen], np.int64)
        lengths = np.array([len(acts) for acts in self._acts], np.int64)
        begins = np.cumsum([0, *lengths])
        table = np.array([act for acts in self._acts for act in acts], np.int64).reshape(-1, 3)
        counts = lengths[lines]
        starts = np.cumsum([0, *counts])
        inside = np.arange(starts[-1]) - np.repeat(starts[:-1], counts)
        entry, width, round = table[np.repeat(begins[lines], counts) + inside].T
        reached = np.array([max((a[2] for a in acts), default=-1) for acts in self._acts])
        hands, first = self._hands()
        buckets = self._buckets(hands, first, reached[lines])
        acts = Acts(starts, *map(np.ascontiguousarray, (entry, width, round)))
        return Seen(acts, first, buckets)

    def _hands(self) -> tuple[Ints, Ints]:
        """The hands that were held or may have been, NOWHERE if impossible, and where those of an
        observation begin."""
        known = np.array([one[1] for one in self._seen], np.int64)
        every = len(self.deck.hands)
        tried = every if every <= MOST_LISTED else DRAWN
        counts = np.where(known >= 0, 1, tried)
        first = np.cumsum([0, *counts])
        hands = np.repeat(known, counts)
        hidden = np.flatnonzero(hands < 0)
        if every <= MOST_LISTED:
            hands[hidden] = np.tile(np.arange(every), len(hidden) // every)
        else:
            hands[hidden] = np.random.default_rng(0).integers(0, every, len(hidden))
        bits = (np.int64(1) << self.deck.hands).sum(axis=1)
        taken = [theirs | sum(1 << card for card in board) for _, _, theirs, board in self._seen]
        met = bits[hands] & np.repeat(np.array(taken, np.int64), counts)
        return np.where(met > 0, NOWHERE, hands), first

    def _buckets(self, hands: Ints, first: Ints, reached: Ints) -> Indices:
        """[round, hand] in the rounds in which the opponent has acted."""
        deal, rounds = self.map.deal, self.map.rounds
        boards = np.zeros((len(self._seen), max(deal.shown(len(rounds) - 1), 1)), np.uint8)
        for number, (_, _, _, board) in enumerate(self._seen):
            boards[number, : len(board)] = board
        cards = deal.hands[np.maximum(hands, 0)]
        buckets = np.full((len(rounds), len(hands)), NOWHERE, np.int32)
        for number, one in enumerate(rounds):
            shown = np.ascontiguousarray(boards[:, : deal.shown(number)])
            live = reached >= number
            before = buckets[number - 1] if one.remembers else buckets[number]
            bucket_hands(one.tables, cards, first, shown, live, buckets[number], before)
        buckets[:, hands < 0] = NOWHERE
        return buckets

    def _line(self, hand: Hand, position: int, table: int) -> Line:
        key = table, hand.betting, position
        line = self._lines.get(key)
        if line is None:
            if len(self._lines) >= _KEPT:
                self._lines.clear()
                self._steps.clear()
            line = self._lines[key] = self._followed(hand, position, table)
        return line

    def _followed(self, hand: Hand, position: int, table: int) -> Line:
        acts, walk = [], self._walks[table]
        step, text = self._steps.setdefault((table, ""), walk.start()), ""
        for token in tokens(hand.betting):
            before, text = step, text + token
            found = self._steps.get((table, text))
            if found is None:
                found = walk.after(before, move_of(before.real, token))
                self._steps[table, text] = found
            step = found
            if before.real.actor == position and before.node is not None and step.node is not None:
                acts.append(self._act(before, step))
        if not step.real.over:
            raise BadInput(f"hand {hand.number}: betting {hand.betting!r} is not finished")
        self._acts.append(acts)
        shown = not any(step.real.folded)
        return Line(len(self._acts) - 1, shown, step.node is None)

    def _act(self, before: Step, after: Step) -> tuple[int, int, int]:
        assert before.node is not None
        one = self.tree.find(before.node)
        index = next(i for i, child in enumerate(before.node.children) if child is after.node)
        begin = self.entered.begin[one.round][one.player] + one.columns.start + index
        return begin, self.tree.widths[one.round][one.player], one.round

    def _table(self, rules: PokerRules) -> int:
        """The number of the walk from tables with these rules: most hands have those before."""
        if self._last is None or self._last[0] is not rules:
            if rules not in self._tables:
                translation = Translation(randomised=False)
                walk = TreeWalk(rules, self.tree.rules, translation, scaled=True)
                self._tables[rules] = len(self._walks)
                self._walks.append(walk)
            self._last = rules, self._tables[rules]
        return self._last[1]

    def _read(self, text: str, hand: Hand) -> tuple[int, ...]:
        cards = self._texts.get(text)
        if cards is None:
            names = [text[i : i + CARD] for i in range(0, len(text), CARD)]
            numbers = self.deck.numbers
            for name in names:
                if name not in numbers:
                    raise WrongGame(f"hand {hand.number}: card {name!r} is not in the deck")
            cards = tuple(numbers[name] for name in names)
            if len(text) <= 2 * CARD:
                self._texts[text] = cards
        return cards


def _sorted(cards: Sequence[int]) -> Any:
    return tuple(sorted(cards))
