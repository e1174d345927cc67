"""Poker with cards: the betting of `_betting`, deals, and showdowns, as a State.

The deck is a number of copies of every kind of card. Where suits never matter a kind
is a rank with as many copies as there are suits: this folds suits away exactly."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, groupby
from math import comb, prod

from regretless.cards.deck import rank_names, suit_names
from regretless.cards.ranking import Strength, strength, three_card_strength
from regretless.core.errors import BadParameter, TooLarge
from regretless.games._betting import Betting, PokerRules, Ranking
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

Kinds = tuple[int, ...]  # cards dealt together, as sorted kinds
MOST_BETTINGS = 300_000  # betting nodes that are counted before giving up


class Deck:
    """Kinds of cards and their copies, and what follows from them."""

    def __init__(self, rules: PokerRules, *, suits_distinct: bool) -> None:
        shown = rules.hole + sum(rules.board)
        # Straights and flushes need five cards; below that only ranks are compared.
        ranks_only = shown < 5 and rules.ranking is Ranking.BEST_FIVE
        folded = not suits_distinct and (ranks_only or rules.suits == 1)
        self.rules = rules
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
        self.text = cache(lambda kinds: "".join(self.names[kind] for kind in kinds))
        self.strength = cache(self._strength)
        self.settle = cache(self._settle)

    def read(self, text: str) -> Kinds:
        """Cards out of their text."""
        width = len(self.names[0])
        parts = [text[i : i + width] for i in range(0, len(text), width)]
        for part in parts:
            if part not in self.names:
                raise BadParameter(f"card {part!r} in {text!r}: allowed is {' '.join(self.names)}")
        return tuple(sorted(self.names.index(part) for part in parts))

    def _strength(self, kinds: Kinds) -> Strength:
        cards = [self._cards[kind] for kind in kinds]
        if self.rules.ranking is Ranking.BEST_FIVE:
            return strength(cards)
        return three_card_strength(cards, wheel=self.rules.ranking is Ranking.THREE_CARDS)

    def _deal(self, left: Kinds, count: int) -> list[tuple[Kinds, float, Kinds]]:
        """Every way to deal `count` cards: the cards, the probability, what is left."""
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
        self.boards = boards  # one entry a round begun, empty where no card is dealt
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
        return [move.name for move in self.betting.moves] if self.player >= 0 else []

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
            return self.deck.deal(self.left, self.deck.rules.hole)
        return self.deck.deal(self.left, self.deck.rules.board[len(self.boards)])

    def _begun(self) -> PokerState:
        """Begin every round that has no board cards without a chance move."""
        rules = self.deck.rules
        if self.player != CHANCE or len(self.holes) < rules.players:
            return self
        if rules.board[len(self.boards)]:
            return self
        boards = (*self.boards, ())
        return PokerState(self.deck, self.betting, self.holes, boards, self.left)._begun()


def poker_game(
    spec: str, rules: PokerRules, *, suits_distinct: bool = False, about: str = ""
) -> Game:
    """A game of these rules."""
    deck = Deck(rules, suits_distinct=suits_distinct)
    root = PokerState(deck, rules.start(), (), (), deck.full)
    return Game(spec, rules.players, root, about, lambda: sizes(deck), rules)


def sizes(deck: Deck) -> Sizes:
    """Count nodes, terminals, decision points and sequences without enumerating deals."""
    rules = deck.rules
    full = (0,) * deck.copies + (deck.kinds,)
    holes = (rules.hole,) * rules.players
    # Deals up to a round: of everybody's cards (nodes), and of one's own (decision points).
    joint = [count_deals(full, (*holes, *rules.board[: r + 1])) for r in range(rules.rounds)]
    own = [count_deals(full, (rules.hole, *rules.board[: r + 1])) for r in range(rules.rounds)]
    nodes = sum(count_deals(full, holes[:dealt]) for dealt in range(rules.players))
    nodes += count_deals(full, holes) if rules.board[0] else 0
    terminals = counted = 0
    points, sequences = [0] * rules.players, [1] * rules.players
    stack = [(rules.start(), 0)]
    while stack:
        betting, dealt = stack.pop()
        counted += 1
        if counted + len(stack) > MOST_BETTINGS:
            raise TooLarge(
                f"over {MOST_BETTINGS:,} betting nodes: such a game does not fit in memory"
            )
        nodes += sum(joint[r - 1] for r in range(dealt + 1, betting.round + 1) if rules.board[r])
        nodes += joint[betting.round]
        if betting.over:
            terminals += joint[betting.round]
            continue
        points[betting.actor] += own[betting.round]
        sequences[betting.actor] += own[betting.round] * len(betting.moves)
        stack += [(child, betting.round) for child in betting.children]
    return Sizes(nodes, terminals, tuple(points), tuple(sequences))


@cache
def count_deals(left: tuple[int, ...], counts: tuple[int, ...]) -> int:
    """How many ways to deal groups of these sizes; left[c] kinds have c copies left."""
    if not counts:
        return 1
    return sum(ways * count_deals(rest, counts[1:]) for ways, rest in _takes(left, counts[0]))


def _takes(left: tuple[int, ...], count: int) -> list[tuple[int, tuple[int, ...]]]:
    """Ways to take `count` cards, grouped by what is left."""
    options = [(have, lose) for have in range(1, len(left)) for lose in range(1, have + 1)]
    found: list[tuple[int, tuple[int, ...]]] = []

    def choose(option: int, count: int, ways: int, whole: list[int], rest: list[int]) -> None:
        if not count:
            found.append((ways, tuple(a + b for a, b in zip(whole, rest, strict=True))))
        elif option < len(options):
            have, lose = options[option]
            for kinds in range(min(whole[have], count // lose) + 1):
                now, then = list(whole), list(rest)
                now[have] -= kinds
                then[have - lose] += kinds
                choose(option + 1, count - kinds * lose, ways * comb(whole[have], kinds), now, then)

    choose(0, count, 1, list(left), [0] * len(left))
    return found
