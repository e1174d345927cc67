"""Liar's dice: bid on all dice while seeing only your own, or challenge the last bid.

A bid is a number of dice and a face; bids rise by number, then by face. The highest face
is wild. The loser of a challenge, bidder or caller, pays the other one; the rest win nothing.
The rules are OpenSpiel's `liars_dice`, except that a roll is one chance move over
unordered dice instead of one move per die, and that more than two can play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

from regretless.core.errors import within
from regretless.games._state import CHANCE, TERMINAL, Game, Sizes, State

Roll = tuple[int, ...]  # faces counted from 1, sorted
NO_BID = -1


class DiceRules:
    """The fixed part of the game: rolls, bids and their names."""

    def __init__(self, players: int, dice: int, faces: int) -> None:
        self.players, self.faces = players, faces
        shown = range(1, faces + 1)
        self.rolls: list[Roll] = list(combinations_with_replacement(shown, dice))
        self.roll_names = tuple("".join(map(str, roll)) for roll in self.rolls)
        self.chances = tuple(_ways(roll) / faces**dice for roll in self.rolls)
        self.bids = [(number, face) for number in range(1, players * dice + 1) for face in shown]
        names = tuple(f"{number}x{face}" for number, face in self.bids)
        # Legal actions after every bid; the last entry is before any bid, with nothing to call.
        self.legal = [(*names[bid + 1 :], "liar") for bid in range(len(names))] + [names]
        self.matches = cache(self._matches)

    def _matches(self, rolled: tuple[int, ...]) -> list[int]:
        """How many dice of all rolls (given by index) count as each face; wild ones always do."""
        dice = [die for index in rolled for die in self.rolls[index]]
        return [sum(die in (face, self.faces) for die in dice) for face in range(self.faces + 1)]


@dataclass(frozen=True, slots=True)
class LiarsDiceState(State):
    """Rolls and bids so far."""

    rules: DiceRules
    rolled: tuple[int, ...] = ()  # index of every player's roll
    bid: int = NO_BID
    history: str = ""  # all bids, and "liar" at the end
    turn: int = 0  # bids and calls made
    called: bool = False

    @property
    def player(self) -> int:
        if self.called:
            return TERMINAL
        players = self.rules.players
        return self.turn % players if len(self.rolled) == players else CHANCE

    @property
    def actions(self) -> tuple[str, ...]:
        if self.called:
            return ()
        rules = self.rules
        rolling = len(self.rolled) < rules.players
        return rules.roll_names if rolling else rules.legal[self.bid]

    @property
    def chances(self) -> tuple[float, ...]:
        return self.rules.chances if self.player == CHANCE else ()

    def child(self, index: int) -> LiarsDiceState:
        rules, turn = self.rules, self.turn
        if len(self.rolled) < rules.players:
            return LiarsDiceState(rules, (*self.rolled, index))
        name = rules.legal[self.bid][index]
        history = f"{self.history} {name}" if turn else name
        bid, called = self.bid + 1 + index, name == "liar"
        return LiarsDiceState(
            rules, self.rolled, self.bid if called else bid, history, turn + 1, called
        )

    def view(self, player: int) -> str:
        roll = self.rules.roll_names[self.rolled[player]] if player < len(self.rolled) else ""
        return f"{roll}|{self.history}"

    @property
    def payoff(self) -> tuple[float, ...]:
        number, face = self.rules.bids[self.bid]
        players = self.rules.players
        caller, bidder = (self.turn - 1) % players, (self.turn - 2) % players
        honest = self.rules.matches(self.rolled)[face] >= number
        won = [0.0] * players
        won[bidder], won[caller] = (1.0, -1.0) if honest else (-1.0, 1.0)
        return tuple(won)


def game(*, players: int = 2, dice: int = 1, faces: int = 6) -> Game:
    """`dice` is the number of dice per player; OpenSpiel's default is one six-sided die."""
    within("players", players, 2, 10)
    within("dice", dice, 1, 9)
    within("faces", faces, 2, 9)  # a roll is written as digits
    root = LiarsDiceState(DiceRules(players, dice, faces))
    each = f"{dice} {'die' if dice == 1 else 'dice'} of {faces} faces"
    about = f"Liar's dice, {players} players, {each} each"
    return Game("liars_dice", players, root, about, lambda: sizes(players, dice, faces))


def sizes(players: int, dice: int, faces: int) -> Sizes:
    """Any set of bids in rising order is a history; it can be called unless it is empty."""
    rolls, bids = comb(faces + dice - 1, dice), players * dice * faces
    joint = rolls**players
    # Histories after which a player moves, with and without the empty one.
    turns = [sum(comb(bids, n) for n in range(p, bids + 1, players)) for p in range(players)]
    called = [count - (p == 0) for p, count in enumerate(turns)]
    return Sizes(
        nodes=sum(rolls**rolled for rolled in range(players)) + joint * (2 ** (bids + 1) - 1),
        terminals=joint * (2**bids - 1),
        decision_points=tuple(rolls * count for count in turns),
        # A bid leads to a history of the next player; "liar" ends any but the empty one.
        sequences=tuple(
            1 + rolls * (called[(p + 1) % players] + called[p]) for p in range(players)
        ),
    )


def _ways(roll: Roll) -> int:
    """The number of orders in which these dice can fall."""
    return factorial(len(roll)) // prod(factorial(roll.count(face)) for face in set(roll))
