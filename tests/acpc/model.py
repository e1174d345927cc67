"""A dealer of the slowest kind, written from the description of the protocol alone.

It shares no code with the package: of `PokerRules` only the numbers are read. Seats, positions
and hands count from 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regretless.games._betting import PokerRules

WORD = 2**32
RANK_NAMES, SUIT_NAMES = "23456789TJQKA", "cdhs"


def twister(seed: int) -> Iterator[int]:
    """The outputs of MT19937 after init_genrand(seed)."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) % WORD)
    while True:
        for i in range(624):
            y = (state[i] & 0x80000000) | (state[(i + 1) % 624] & 0x7FFFFFFF)
            state[i] = state[(i + 397) % 624] ^ (y >> 1) ^ (0x9908B0DF if y % 2 else 0)
        for y in state:
            y ^= y >> 11
            y ^= (y << 7) & 0x9D2C5680
            y ^= (y << 15) & 0xEFC60000
            yield y ^ (y >> 18)


def dealt(rules: PokerRules, numbers: Iterator[int]) -> tuple[list[str], list[str]]:
    """Hole cards by position and new board cards by round, as texts."""
    suits, ranks = SUIT_NAMES[-rules.suits :], RANK_NAMES[-rules.ranks :]
    deck = [rank + suit for suit in suits for rank in ranks]

    def draw(count: int) -> str:
        text = ""
        for _ in range(count):
            place = next(numbers) % len(deck)
            text += deck[place]
            deck[place] = deck[-1]
            deck.pop()
        return text

    return [draw(rules.hole) for _ in range(rules.players)], [draw(n) for n in rules.board]


def strength(text: str) -> tuple[int, ...]:
    """Of the best five cards, or of all if there are fewer: category, then ranks."""
    cards = [(RANK_NAMES.index(text[i]), text[i + 1]) for i in range(0, len(text), 2)]
    return max(_strength(five) for five in combinations(cards, min(5, len(cards))))


def _strength(cards: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    counts = Counter(rank for rank, _ in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len(cards) == 5 and len({suit for _, suit in cards}) == 1
    straight = len(cards) == len(ranks) == 5 and ranks[0] - ranks[4] == 4
    if ranks == [12, 3, 2, 1, 0]:  # the wheel
        straight, ranks = True, [3]
    if straight:
        ranks = ranks[:1]
    category = (
        (8 if straight and flush else 0)
        or (7 if shape[0] == 4 else 0)
        or (6 if shape == [3, 2] else 0)
        or (5 if flush else 0)
        or (4 if straight else 0)
        or (3 if shape[0] == 3 else 0)
        or (2 if shape[:2] == [2, 2] else 0)
        or (1 if shape[0] == 2 else 0)
    )
    return (category, *ranks)


class ModelHand:
    """One hand: sections 4 and 6."""

    def __init__(self, rules: PokerRules, cards: tuple[list[str], list[str]], number: int) -> None:
        self.rules, self.number = rules, number
        self.holes, self.boards = cards
        self.spent, self.max_spent = list(rules.blinds), max(rules.blinds)
        self.folded = [False] * rules.players
        self.actions: list[list[tuple[int, str]]] = [[]]  # of every round: position, text
        self.min_to = 2 * self.max_spent or 1
        self.over = not any(map(self.acting, range(rules.players)))
        if self.over:
            self._jump()

    @property
    def round(self) -> int:
        return len(self.actions) - 1

    def acting(self, position: int) -> bool:
        return not self.folded[position] and self.spent[position] < self.rules.stacks[position]

    def actor(self) -> int:
        here, players = self.actions[-1], self.rules.players
        position = (here[-1][0] + 1) % players if here else self.rules.first[self.round]
        while not self.acting(position):
            position = (position + 1) % players
        return position

    def may_fold(self) -> bool:
        return self.spent[self.actor()] != self.max_spent

    def sizes(self) -> tuple[int, int] | None:
        """Smallest and largest total of a raise."""
        rules, here, stack = self.rules, self.actions[-1], self.rules.stacks[self.actor()]
        if sum(text[0] == "r" for _, text in here) >= rules.caps[self.round]:
            return None
        if len(here) + rules.players > 64 or sum(map(self.acting, range(rules.players))) < 2:
            return None
        # Read as it stands, a limit raise of a stack below the bet would lower the bet: we refuse.
        if stack <= self.max_spent:
            return None
        if rules.raises is not None:
            return (min(self.max_spent + rules.raises[self.round], stack),) * 2
        return (self.min_to, stack) if self.min_to <= stack else (stack, stack)

    def act(self, letter: str, to: int = 0) -> None:
        """Fold, call or raise to a total; it is legal."""
        position, no_limit = self.actor(), self.rules.raises is None
        if letter == "f":
            self.folded[position] = True
        elif letter == "c":
            self.spent[position] = min(self.max_spent, self.rules.stacks[position])
        else:
            self.min_to = max(self.min_to, 2 * to - self.max_spent)
            self.spent[position] = self.max_spent = to
        written = f"r{to}" if letter == "r" and no_limit else letter
        self.actions[-1].append((position, written))
        self._close()

    def _close(self) -> None:
        players, last = range(self.rules.players), self.rules.rounds - 1
        if self.folded.count(False) == 1:
            self.over = True
            return
        able, called = sum(map(self.acting, players)), 0
        for position, text in reversed(self.actions[-1]):
            called += text != "f" and self.acting(position)
            if text[0] == "r":
                break
        if called < able:
            return
        if able >= 2 and self.round < last:
            self.actions.append([])
            self.min_to = self.max_spent + max(1, *self.rules.blinds)
        else:
            self._jump()

    def _jump(self) -> None:
        self.over = True
        self.actions += [[] for _ in range(self.rules.rounds - 1 - self.round)]

    # --- texts

    def betting(self) -> str:
        return "/".join("".join(text for _, text in here) for here in self.actions)

    def cards(self, viewer: int | None) -> str:
        """As a position sees them; None sees all."""
        shown = self.over and self.folded.count(False) > 1
        holes = [
            hole if viewer in (None, place) or (shown and not self.folded[place]) else ""
            for place, hole in enumerate(self.holes)
        ]
        text = "|".join(holes) + self.boards[0]
        return text + "".join("/" + board for board in self.boards[1 : self.round + 1])

    def line(self, viewer: int) -> str:
        return f"MATCHSTATE:{viewer}:{self.number}:{self.betting()}:{self.cards(viewer)}"

    # --- money

    def values(self) -> list[float]:
        players = range(self.rules.players)
        live = [p for p in players if not self.folded[p]]
        values = [float(-chips) for chips in self.spent]
        if len(live) == 1:
            values[live[0]] = float(sum(self.spent) - self.spent[live[0]])
            return values
        best = {p: strength(self.holes[p] + "".join(self.boards)) for p in live}
        below = 0
        for level in sorted({chips for chips in self.spent if chips}):
            inside = [p for p in players if self.spent[p] >= level]
            top = max(best[p] for p in inside if p in best)
            winners = [p for p in inside if p in best and best[p] == top]
            for p in winners:
                values[p] += (level - below) * len(inside) / len(winners)
            below = level
        return values


class ModelMatch:
    """Hands, seats and the log: sections 1, 7 and 9."""

    def __init__(
        self, rules: PokerRules, names: Sequence[str], *, hands: int, seed: int, rotate: bool
    ) -> None:
        self.rules, self.names, self.hands, self.rotate = rules, names, hands, rotate
        self.numbers = twister(seed)
        self.totals = [0.0] * rules.players
        self.told: list[list[str]] = [[] for _ in names]  # lines by seat
        self.log: list[str] = []
        self.finished: list[ModelHand] = []
        self._begin()

    @property
    def over(self) -> bool:
        return self.log[-1:] != [] and self.log[-1].startswith("SCORE")

    def position(self, seat: int) -> int:
        return (seat - self.hand.number * self.rotate) % len(self.names)

    def waiting(self) -> int:
        """The seat to act."""
        return (self.hand.actor() + self.hand.number * self.rotate) % len(self.names)

    def act(self, letter: str, to: int = 0) -> None:
        self.hand.act(letter, to)
        self._tell()

    def _begin(self) -> None:
        self.hand = ModelHand(self.rules, dealt(self.rules, self.numbers), len(self.log))
        self._tell()

    def _tell(self) -> None:
        hand = self.hand
        for seat, told in enumerate(self.told):
            told.append(hand.line(self.position(seat)))
        if not hand.over:
            return
        values = hand.values()
        self.finished.append(hand)
        for seat in range(len(self.names)):
            self.totals[seat] += values[self.position(seat)]
        seats = sorted(range(len(self.names)), key=self.position)
        names = "|".join(self.names[seat] for seat in seats)
        cards, paid = hand.cards(None), "|".join(map(amount, values))
        self.log.append(f"STATE:{hand.number}:{hand.betting()}:{cards}:{paid}:{names}")
        if len(self.log) < self.hands:
            self._begin()
        else:
            won = "|".join(map(amount, self.totals))
            self.log.append(f"SCORE:{won}:{'|'.join(self.names)}")


def amount(chips: float) -> str:
    """Six decimals, without zeros at the end, never -0."""
    whole, _, rest = f"{chips:.6f}".partition(".")
    text = f"{whole}.{rest}".rstrip("0").rstrip(".") if rest.strip("0") else whole
    return "0" if text == "-0" else text
