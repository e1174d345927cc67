"""Poker with cards: the betting of `_betting`, deals, and showdowns, as a State.

The deck holds a number of copies of every kind of card. If suits never matter, a kind is
a rank with as many copies as there are suits: this is an exact suit isomorphism."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement, groupby
from math import comb, prod

import numpy as np

from regretless.cards.deck import rank_names, suit_names
from regretless.cards.ranking import Strength
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, within
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.games._betting_tree import BettingTree, Kind
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

Kinds = tuple[int, ...]  # cards dealt together, as sorted kinds
MOST_BETTINGS = 300_000  # betting nodes that are counted before giving up


@dataclass(frozen=True, eq=False)
class Root:
    """Where play begins, if not at the start of a hand: board, betting, ranges."""

    betting: Betting
    board: tuple[Kinds, ...]  # cards of every round begun, empty if none are dealt
    weights: tuple[Floats, ...] = ()  # [player][hand of the deck]; (): all hands equally likely

    def check(self, deck: Deck) -> None:
        """Raise unless board, betting and weights fit the deck and each other."""
        wanted = deck.rules.board[: self.betting.round + 1]
        if tuple(map(len, self.board)) != wanted:
            raise BadParameter(f"board {self.board}: expected {wanted} cards per round")
        taken = Counter(kind for kinds in self.board for kind in kinds)
        for kind, count in taken.items():
            within("card", kind, 0, deck.kinds - 1)
            if count > deck.copies:
                raise BadParameter(f"{deck.names[kind]} appears {count} times on the board")
        if self.betting.over:
            raise BadParameter(f"betting {self.betting.history!r}: the hand is over")
        if self.weights and len(self.weights) != deck.rules.players:
            raise BadParameter(f"{len(self.weights)} ranges: expected {deck.rules.players}")
        for player, weights in enumerate(self.weights):
            if weights.shape != (len(deck.hands),):
                raise BadParameter(
                    f"range of player {player + 1}: got {weights.size} weights, "
                    f"expected {len(deck.hands)}"
                )
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise BadParameter(f"range of player {player + 1}: weights must be 0 or more")


class Deck:
    """Kinds of cards and their copies, and what follows from them."""

    def __init__(
        self, rules: PokerRules, *, suits_distinct: bool, weights: tuple[Floats, ...] = ()
    ) -> None:
        """`weights`: relative probability of every hand of every player, before card removal."""
        shown = rules.hole + sum(rules.board)
        # Straights and flushes need five cards; below that only ranks are compared.
        ranks_only = shown < 5 and rules.ranking is Ranking.BEST_FIVE
        folded = not suits_distinct and (ranks_only or rules.suits == 1)
        self.rules, self.weights = rules, weights
        self.copies = rules.suits if folded else 1
        self.kinds = rules.ranks if folded else rules.ranks * rules.suits
        self.full: Kinds = (self.copies,) * self.kinds
        ranks, suits = rank_names(rules.ranks), suit_names(rules.suits)
        self.names = list(ranks) if folded else [rank + suit for rank in ranks for suit in suits]
        lowest = 13 - rules.ranks
        self._cards = [
            (lowest + kind, 0) if folded else (lowest + kind // rules.suits, kind % rules.suits)
            for kind in range(self.kinds)
        ]
        self.deal = cache(self._deal)
        self.deal_hole = cache(self._deal_hole)
        self._mass = cache(self._sum_of_weights)
        self.text = cache(lambda kinds: "".join(self.names[kind] for kind in kinds))
        self.strength = cache(self._strength)
        self.settle = cache(self._settle)

    @cached_property
    def hands(self) -> list[Kinds]:
        """Every hand that can be dealt, in lexicographic order."""
        if self.copies == 1:
            return list(combinations(range(self.kinds), self.rules.hole))
        return [kinds for kinds, _, _ in self.deal(self.full, self.rules.hole)]

    @cached_property
    def numbers(self) -> dict[Kinds, int]:
        """The number of every hand."""
        return {hand: number for number, hand in enumerate(self.hands)}

    def without(self, board: tuple[Kinds, ...]) -> Kinds:
        """Copies of every kind left after dealing a board."""
        taken = Counter(kind for kinds in board for kind in kinds)
        return tuple(count - taken[kind] for kind, count in enumerate(self.full))

    def read(self, text: str) -> Kinds:
        """Parse cards."""
        width = len(self.names[0])
        parts = [text[i : i + width] for i in range(0, len(text), width)]
        for part in parts:
            if part not in self.names:
                raise BadParameter(f"card {part!r} in {text!r}: expected {' '.join(self.names)}")
        return tuple(sorted(self.names.index(part) for part in parts))

    def _strength(self, kinds: Kinds) -> Strength:
        cards = [self._cards[kind] for kind in kinds]
        return self.rules.ranking.strength(cards)

    def _deal(self, left: Kinds, count: int) -> list[tuple[Kinds, float, Kinds]]:
        """Every way to deal `count` cards: the cards, the probability, the copies left."""
        available = [kind for kind in range(self.kinds) if left[kind]]
        total = comb(sum(left), count)
        ways = []
        for kinds in combinations_with_replacement(available, count):
            taken = {kind: len(list(same)) for kind, same in groupby(kinds)}
            weight = prod(comb(left[kind], number) for kind, number in taken.items())
            if weight:
                rest = tuple(n - taken.get(kind, 0) for kind, n in enumerate(left))
                ways.append((kinds, weight / total, rest))
        return ways

    def _deal_hole(self, left: Kinds, player: int) -> list[tuple[Kinds, float, Kinds]]:
        """The hands of a player, given the hands dealt to the players before it."""
        ways = self.deal(left, self.rules.hole)
        if not self.weights:
            return ways
        mine, total = self.weights[player], self._mass(left, player)
        weighted = [
            (kinds, chance * float(mine[self.numbers[kinds]]) * self._mass(rest, player + 1), rest)
            for kinds, chance, rest in ways
        ]
        return [(kinds, weight / total, rest) for kinds, weight, rest in weighted if weight]

    def _sum_of_weights(self, left: Kinds, player: int) -> float:
        """Total weight of all deals to this player and the following ones."""
        if player == self.rules.players:
            return 1.0
        mine = self.weights[player]
        return sum(
            chance * float(mine[self.numbers[kinds]]) * self._mass(rest, player + 1)
            for kinds, chance, rest in self.deal(left, self.rules.hole)
            if mine[self.numbers[kinds]]
        )

    def _settle(
        self, betting: Betting, holes: tuple[Kinds, ...], board: Kinds
    ) -> tuple[float, ...]:
        return betting.settle([self.strength(tuple(sorted(hole + board))) for hole in holes])


class PokerState(State):
    """Cards dealt so far and the betting."""

    __slots__ = ("betting", "boards", "deck", "holes", "left", "player")

    def __init__(
        self,
        deck: Deck,
        betting: Betting,
        holes: tuple[Kinds, ...],
        boards: tuple[Kinds, ...],
        left: Kinds,
    ) -> None:
        self.deck, self.betting, self.left = deck, betting, left
        self.holes = holes
        self.boards = boards  # one entry per round begun, empty if no card is dealt
        self.player: int = self._mover()

    def _mover(self) -> int:
        rules, betting = self.deck.rules, self.betting
        if len(self.holes) < rules.players:
            return CHANCE
        if betting.over and sum(betting.folded) == rules.players - 1:
            return TERMINAL
        if len(self.boards) <= betting.round:
            return CHANCE
        return TERMINAL if betting.over else betting.actor

    @property
    def actions(self) -> list[str]:
        if self.player == CHANCE:
            return [self.deck.text(kinds) or "-" for kinds, _, _ in self._deals()]
        return [move.name for move in self.betting.choices] if self.player >= 0 else []

    @property
    def chances(self) -> list[float]:
        return [chance for _, chance, _ in self._deals()] if self.player == CHANCE else []

    def child(self, index: int) -> PokerState:
        if self.player >= 0:
            after = self.betting.children[index]
            return PokerState(self.deck, after, self.holes, self.boards, self.left)._begun()
        kinds, _, left = self._deals()[index]
        if len(self.holes) < self.deck.rules.players:
            dealt = PokerState(self.deck, self.betting, (*self.holes, kinds), self.boards, left)
        else:
            dealt = PokerState(self.deck, self.betting, self.holes, (*self.boards, kinds), left)
        return dealt._begun()

    def view(self, player: int) -> str:
        text = self.deck.text
        hole = text(self.holes[player]) if player < len(self.holes) else ""
        board = "".join("/" + text(kinds) for kinds in self.boards if kinds)
        return f"{hole}{board}:{self.betting.history}"

    @property
    def payoff(self) -> tuple[float, ...]:
        board = tuple(kind for kinds in self.boards for kind in kinds)
        if sum(self.betting.folded) == self.deck.rules.players - 1:
            return self.deck.settle(self.betting, ((),) * self.deck.rules.players, ())
        return self.deck.settle(self.betting, self.holes, board)

    def _deals(self) -> list[tuple[Kinds, float, Kinds]]:
        if len(self.holes) < self.deck.rules.players:
            return self.deck.deal_hole(self.left, len(self.holes))
        return self.deck.deal(self.left, self.deck.rules.board[len(self.boards)])

    def _begun(self) -> PokerState:
        """Begin rounds without board cards directly, with no chance move."""
        rules = self.deck.rules
        if self.player != CHANCE or len(self.holes) < rules.players:
            return self
        if rules.board[len(self.boards)]:
            return self
        boards = (*self.boards, ())
        return PokerState(self.deck, self.betting, self.holes, boards, self.left)._begun()


def poker_game(
    spec: str,
    rules: PokerRules,
    *,
    suits_distinct: bool = False,
    about: str = "",
    root: Root | None = None,
) -> Game:
    """A game of these rules, from the start of a hand or from a later root."""
    weights = root.weights if root else ()
    deck = Deck(rules, suits_distinct=suits_distinct, weights=weights)
    if root is None:
        first = PokerState(deck, rules.start(), (), (), deck.full)
    else:
        root.check(deck)
        first = PokerState(deck, root.betting, (), root.board, deck.without(root.board))
        if not sum(_hole_counts(first)[-1].values()):
            raise BadParameter("ranges: no two hands are compatible with the board and each other")
    return Game(spec, rules.players, first, about, lambda: sizes(first), rules)


def sizes(root: PokerState) -> Sizes:
    """Count nodes, terminals, decision points and sequences without enumerating deals."""
    rules = root.deck.rules
    # Deals up to a round: of all players' cards (nodes), and of one player's own (decision points).
    dealt = [rules.board[len(root.boards) : r + 1] for r in range(rules.rounds)]
    holes = _hole_counts(root)
    joint = [sum(n * count_deals(left, cards) for left, n in holes[-1].items()) for cards in dealt]
    own = [
        [sum(n * count_deals(left, cards) for left, n in mine.items()) for cards in dealt]
        for mine in _own_counts(root)
    ]
    nodes = sum(sum(counts.values()) for counts in holes[: rules.players])
    nodes += sum(holes[-1].values()) if rules.board[0] and not root.boards else 0
    terminals, points, sequences = 0, [0] * rules.players, [1] * rules.players
    # Blinds that put everybody all-in end the betting before the first board is dealt.
    tree = BettingTree(root.betting, round=max(len(root.boards) - 1, 0))
    for kind, player, number, betting in tree.walk(
        MOST_BETTINGS, "the game does not fit in memory"
    ):
        if kind is Kind.DEAL:
            nodes += joint[number] if rules.board[number + 1] else 0
            continue
        nodes += joint[number]
        if kind is Kind.DECISION:
            points[player] += own[player][number]
            sequences[player] += own[player][number] * len(betting.choices)
        else:
            terminals += joint[number]
    return Sizes(nodes, terminals, tuple(points), tuple(sequences))


def _hole_counts(root: PokerState) -> list[Counter[tuple[int, ...]]]:
    """For each number of players dealt to: deals, by how many kinds have how many copies left."""
    deck, rules = root.deck, root.deck.rules
    if deck.weights:
        return _weighted_counts(root)
    counts = [Counter({_copies_left(deck, root.left): 1})]
    for _ in range(rules.players):
        following: Counter[tuple[int, ...]] = Counter()
        for left, times in counts[-1].items():
            for ways, rest in _takes(left, rules.hole):
                following[rest] += times * ways
        counts.append(following)
    return counts


def _own_counts(root: PokerState) -> list[Counter[tuple[int, ...]]]:
    """For every player, its own hands by the copies left."""
    deck = root.deck
    if not deck.weights:
        return [_hole_counts(root)[1]] * deck.rules.players
    ways = deck.deal(root.left, deck.rules.hole)
    return [
        Counter(_copies_left(deck, rest) for kinds, _, rest in ways if mine[deck.numbers[kinds]])
        for mine in deck.weights
    ]


def _weighted_counts(root: PokerState) -> list[Counter[tuple[int, ...]]]:
    """The same counts when ranges exclude hands."""
    deck, players = root.deck, root.deck.rules.players
    if players == 2 and deck.copies == 1:
        return _pair_counts(root)
    counts: list[Counter[tuple[int, ...]]] = [Counter() for _ in range(players + 1)]

    def deal(left: Kinds, player: int) -> None:
        counts[player][_copies_left(deck, left)] += 1
        if player < players:
            for _, _, rest in deck.deal_hole(left, player):
                deal(rest, player + 1)

    deal(root.left, 0)
    return counts


def _pair_counts(root: PokerState) -> list[Counter[tuple[int, ...]]]:
    """Two players and distinct cards: the number of pairs of disjoint hands."""
    deck, hole = root.deck, root.deck.rules.hole
    hands = np.array(deck.hands).reshape(-1, hole)
    free = np.array([all(root.left[kind] for kind in hand) for hand in deck.hands])
    one, two = ((weights > 0) & free for weights in deck.weights)
    marks = np.zeros((len(hands), deck.kinds))
    np.put_along_axis(marks, hands, 1.0, axis=1)
    mine, other = marks[one], marks[two]
    apart = np.array([np.count_nonzero(other @ row == 0) for row in mine], dtype=np.int64)
    cards = sum(root.left)
    start = (deck.kinds - cards, cards)
    after = [(deck.kinds - cards + hole * q, cards - hole * q) for q in (1, 2)]
    return [
        Counter({start: 1}),
        Counter({after[0]: int(np.count_nonzero(apart))}),
        Counter({after[1]: int(apart.sum())}),
    ]


def _copies_left(deck: Deck, left: Kinds) -> tuple[int, ...]:
    """How many kinds have how many copies left."""
    counts = Counter(left)
    return tuple(counts[copies] for copies in range(deck.copies + 1))


@cache
def count_deals(left: tuple[int, ...], counts: tuple[int, ...]) -> int:
    """How many ways to deal groups of these sizes; left[c] kinds have c copies left."""
    if not counts:
        return 1
    return sum(ways * count_deals(rest, counts[1:]) for ways, rest in _takes(left, counts[0]))


def _takes(left: tuple[int, ...], count: int) -> list[tuple[int, tuple[int, ...]]]:
    """Ways to take `count` cards, grouped by the copies left."""
    options = [(have, lose) for have in range(1, len(left)) for lose in range(1, have + 1)]
    takes: list[tuple[int, tuple[int, ...]]] = []

    def choose(option: int, count: int, ways: int, whole: list[int], rest: list[int]) -> None:
        if not count:
            takes.append((ways, tuple(a + b for a, b in zip(whole, rest, strict=True))))
        elif option < len(options):
            have, lose = options[option]
            for kinds in range(min(whole[have], count // lose) + 1):
                now, then = list(whole), list(rest)
                now[have] -= kinds
                then[have - lose] += kinds
                choose(option + 1, count - kinds * lose, ways * comb(whole[have], kinds), now, then)

    choose(0, count, 1, list(left), [0] * len(left))
    return takes
