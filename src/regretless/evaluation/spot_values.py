"""A solved spot, decision by decision: strategy, EV, equity and reach of every hand.

EVs are chips that a hand wins from here on, the pot included: folding is worth 0,
and without rake the EVs of both players sum to the pot. With ICM they are prizes, relative
to the stacks before the hand. A hand's EV is what it earns against the hands with which
the other player reaches the decision, whether or not the hand itself would reach it.

A saved solution is browsed without Numba, which alone takes longer to load than the query
itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.cards.deck import HOLDINGS
from regretless.cards.holdings import card_name, meeting, without
from regretless.cards.pair_equity import Equity
from regretless.core.array_files import Arrays
from regretless.core.arrays import Floats
from regretless.core.errors import BadFile, BadParameter, Unsuitable
from regretless.core.progress import Listener, nobody
from regretless.evaluation.hand_shares import TURN, Shares
from regretless.evaluation.river_values import River
from regretless.games._betting import Betting
from regretless.games._lines import move_names, read_line
from regretless.games._spot import STREETS, Spot
from regretless.games._spot_files import parse_spot
from regretless.strategy.compact import STRATEGY, is_compact, normalised
from regretless.strategy.node_index import FULL_BOARD, Board, NodeIndex

if TYPE_CHECKING:
    from regretless.strategy.strategy import Strategy

NEVER = 1e-4  # a line taken less often than this counts as never taken
_TOKEN = re.compile(r"r[0-9]+|[fc]")
Read = Callable[[int, int], np.ndarray]  # some numbers of a player's vector


@dataclass(frozen=True, eq=False)
class Held:
    """A player's hands at a decision; vectors have one number per hand of `holdings`."""

    weight: Floats  # in the range, times the probability of its own actions up to here
    reach: Floats  # that probability alone
    met: Floats  # weight of the other player's hands that it does not block
    ev: Floats  # nan if it blocks them all

    @property
    def share(self) -> Floats:
        """[hand] how likely it is held here, as weights that sum to 1."""
        both = self.weight * self.met
        total = both.sum()
        return np.asarray(both / total if total > 0 else both)

    def mean(self, values: Floats) -> float:
        """Mean over the range."""
        share = self.share
        kept = share > 0
        return float(share[kept] @ values[kept]) if kept.any() else float("nan")


@dataclass(frozen=True, eq=False)
class Node:
    """A decision of a solved spot."""

    line: str
    board: tuple[int, ...]
    betting: Betting
    actions: tuple[str, ...]
    reach: float  # how often play reaches this decision, if these cards are dealt
    held: tuple[Held, Held]
    strategy: Floats  # [hand, action] of the acting player; nan for hands outside its range
    action_ev: Floats  # [hand, action]
    shares: Callable[[], Shares] | None = None  # equities of single hands on this board

    @property
    def player(self) -> int:
        """Who acts: 0 is out of position."""
        return self.betting.actor

    @property
    def acting(self) -> Held:
        return self.held[self.player]

    @property
    def pot(self) -> int:
        return self.betting.pot

    @property
    def is_taken(self) -> bool:
        """Whether the solution ever reaches this decision."""
        return self.reach >= NEVER

    @cached_property
    def frequencies(self) -> tuple[float, ...]:
        """How often every action is taken, over the range."""
        return tuple(self.acting.mean(column) for column in self.strategy.T)

    @property
    def ev(self) -> tuple[float, float]:
        """Of both ranges."""
        first, second = (held.mean(held.ev) for held in self.held)
        rules = self.betting.rules
        if rules.rake is None and rules.utility is None:
            # Single hands of the player who does not act are not always known.
            first = self.pot - second if isnan(first) else first
            second = self.pot - first if isnan(second) else second
        return first, second

    def equities(self, listen: Listener = nobody) -> Equity | None:
        """Of the hands held here; None if no two of them are compatible."""
        first, second = (held.weight for held in self.held)
        if not self.acting.share.any():
            return None
        if self.shares is not None:
            return self.shares().equity(first, second)
        from regretless.cards.equities import equity

        return equity(first, second, self.board, listen=listen)


@dataclass(frozen=True, eq=False)
class SpotView:
    """A solution of a spot. `at` finds a decision by its line."""

    spot: Spot
    index: NodeIndex
    root: Betting  # where play begins
    dealt: Board  # cards of every round up to the root
    ranges: tuple[Floats, Floats]  # at the root
    play: tuple[Read, Read]  # every player's probabilities, up to a factor
    earned: tuple[Read, Read] | None  # what sequences before the river earn
    about: dict[str, Any]
    shares: Callable[[], Shares] | None = None  # on the flop that a spot begins with

    @classmethod
    def of(cls, strategy: Strategy) -> SpotView:
        """A strategy in memory."""
        from regretless.forms.public import PublicForm
        from regretless.strategy.node_indexing import early_values, index_of

        form = strategy.form
        if not isinstance(form, PublicForm) or form.game.spot is None:
            raise Unsuitable(f"game {form.spec} is not a spot")
        root, roots = form.layout.root, form.layout.roots.tolist()
        index = index_of(form.layout)
        kept = early_values(form, strategy.behaviour, index)

        def reader(vector: np.ndarray) -> Read:
            return lambda start, end: vector[start:end]

        parts = [strategy.behaviour[roots[p] : roots[p + 1]] for p in range(2)]
        return cls(
            spot=form.game.spot,
            index=index,
            root=root.betting,
            dealt=root.boards,
            ranges=(root.deck.weights[0], root.deck.weights[1]),
            play=(reader(parts[0]), reader(parts[1])),
            earned=(reader(kept[0]), reader(kept[1])),
            about={"game": form.spec},
        )

    @classmethod
    def open(cls, path: str | Path) -> SpotView:
        """A saved solution, which is read on demand."""
        if not is_compact(path):
            from regretless.strategy.files import read

            raise BadFile(path, f"not a solution of a spot: {read(path).about['game']}")
        arrays = Arrays(path, STRATEGY)
        about = arrays.about
        spot = parse_spot(str(about.get("spot", "")), name=f"{path}: its spot")
        index = NodeIndex.of_tensors(
            {name: arrays.whole(name) for name in arrays.names if name.startswith("index.")}
        )

        def reader(name: str) -> Read:
            return lambda start, end: arrays.part(name, start, end)

        def shares() -> Shares:
            return Shares.unpacked(arrays.whole("equities"), spot.ranges)

        return cls(
            spot=spot,
            index=index,
            root=spot.rules.start(),
            dealt=(spot.board,),
            ranges=spot.ranges,
            play=(reader("player_1"), reader("player_2")),
            earned=(reader("values_1"), reader("values_2")),
            about=about,
            shares=shares if "equities" in arrays.names else None,
        )

    def at(self, line: str = "") -> Node:
        """The decision at a line such as `check bet120 / 2s / check`."""
        betting, board = self.place(line)
        reach = self._reach(betting, board)
        cards = tuple(card for part in board for card in part)
        live = without(cards)
        weight = [np.where(live, w, 0.0) * r for w, r in zip(self.ranges, reach, strict=True)]
        met = [meeting(weight[1]), meeting(weight[0])]
        by_action, others = self._earned(betting, board, weight)
        chosen = self.probabilities(betting, board)
        evs: list[Floats] = [np.empty(0)] * 2
        actor = betting.actor
        with np.errstate(invalid="ignore", divide="ignore"):
            action_ev = self._chips(by_action / met[actor][:, None], betting, actor)
            evs[actor] = (chosen * action_ev).sum(axis=1)
            evs[1 - actor] = self._chips(others / met[1 - actor], betting, 1 - actor)
        for player in range(2):
            evs[player][~live | (self.ranges[player] <= 0) | (met[player] <= 0)] = np.nan
        held = [Held(weight[p], np.where(live, reach[p], 0.0), met[p], evs[p]) for p in range(2)]
        whole = np.where(live, self.ranges[0], 0.0) @ meeting(np.where(live, self.ranges[1], 0.0))
        return Node(
            line=line,
            board=cards,
            betting=betting,
            actions=move_names(betting),
            reach=float(weight[0] @ met[0] / whole) if whole else 0.0,
            held=(held[0], held[1]),
            strategy=chosen,
            action_ev=action_ev,
            shares=self._shares(cards),
        )

    def _shares(self, cards: tuple[int, ...]) -> Callable[[], Shares] | None:
        if len(cards) >= TURN:
            return lambda: Shares.on(cards, self.ranges)
        return self.shares if cards == self.spot.board else None

    def probabilities(self, betting: Betting, board: Board) -> Floats:
        """[hand, action] strategy of the acting player; nan for hands outside its range."""
        place = self.index.find(betting.history, board[: betting.round + 1])
        rows = normalised(place.of(self.play[place.player]))
        return _by_hand(rows, place.lane_of)

    def path(self, betting: Betting) -> Iterator[tuple[Betting, int]]:
        """Decisions from the root to this betting state, and the moves made there."""
        done = len(_TOKEN.findall(self.root.history))
        now = self.root
        for token in _TOKEN.findall(betting.history)[done:]:
            texts = [f"r{m.total}" if m.letter == "r" else m.letter for m in now.choices]
            move = texts.index(token)
            yield now, move
            now = now.children[move]

    def place(self, text: str) -> tuple[Betting, Board]:
        """The place that a line names, with the cards of each street."""
        betting, cards = read_line(self.spot.rules, self.spot.board, text)
        if betting.over:
            raise BadParameter(f"line {text!r}: the hand is over, nobody acts")
        board = []
        for round, count in enumerate(self.spot.rules.board[: betting.round + 1]):
            known = self.dealt[round] if round < len(self.dealt) else ()
            named = cards[round - 1] if round else ()
            if known and named and set(known) != set(named):
                raise BadParameter(f"line {text!r}: the solution is on board {_cards(known)}")
            if count and not (known or named):
                street = STREETS[sum(self.spot.rules.board[: round + 1])]
                raise BadParameter(
                    f"line {text!r}: expected the {street} between slashes, as in "
                    "'check check / 2s / bet'"
                )
            board.append(known or named)
        if not betting.history.startswith(self.root.history) or not self.index.knows(
            betting.history
        ):
            raise BadParameter(f"line {text!r}: not in the solution's tree")
        return betting, tuple(board)

    def _reach(self, betting: Betting, board: Board) -> list[Floats]:
        """[player][hand] probability of its own actions up to here."""
        reach = [np.ones(HOLDINGS), np.ones(HOLDINGS)]
        for before, move in self.path(betting):
            chosen = self.probabilities(before, board)[:, move]
            reach[before.actor] = reach[before.actor] * np.nan_to_num(chosen)
        return reach

    def _earned(
        self, betting: Betting, board: Board, weight: Sequence[Floats]
    ) -> tuple[Floats, Floats]:
        """[hand, action] of the actor and [hand] of the other player: what they earn, times
        the opposing weight."""
        actor = betting.actor
        cards = tuple(card for part in board for card in part)
        if len(cards) == FULL_BOARD:
            live = without(cards)
            held = [np.flatnonzero(live & (own > 0)) for own in self.ranges]
            river = River(
                cards, (held[0], held[1]), lambda at: np.nan_to_num(self.probabilities(at, board))
            )
            others = river.earned(betting, 1 - actor, weight[actor])
            return river.by_action(betting, weight[1 - actor]), others
        return self._stored(betting, board), self._of_other(betting, board, weight[actor])

    def _stored(self, betting: Betting, board: Board) -> Floats:
        """[hand, action] what the acting player earns, before the river."""
        assert self.earned is not None
        place = self.index.find(betting.history, board[: betting.round + 1])
        rows = np.asarray(place.of(self.earned[place.player]), dtype=np.float64)
        lanes = slice(place.first_lane, place.first_lane + place.lanes)
        return _by_hand(rows / self.index.chances[place.player][lanes], place.lane_of)

    def _of_other(self, betting: Betting, board: Board, rival: Floats) -> Floats:
        """[hand] what the other player earns: the value of its last action, if that was the
        last of all; otherwise it acts next, or the actor folds."""
        steps = list(self.path(betting))
        if steps and steps[-1][0].round == betting.round:
            before, move = steps[-1]
            return self._stored(before, board)[:, move]
        other, chosen = 1 - betting.actor, np.nan_to_num(self.probabilities(betting, board))
        earned = np.zeros(HOLDINGS)
        for action, child in enumerate(betting.children):
            if child.over and any(child.folded):
                paid = child.settle((0, 0))[other]
                earned += paid * meeting(rival * chosen[:, action])
            elif not child.over and child.actor == other and child.round == betting.round:
                below = self.probabilities(child, board) * self._stored(child, board)
                earned = earned + below.sum(axis=1)
            else:
                return np.full(HOLDINGS, np.nan)
        return earned

    def _chips(self, payoff: Floats, betting: Betting, player: int) -> Floats:
        """Payoffs as EVs: plus what the player has put into the pot."""
        rules = self.spot.rules
        if rules.utility is not None:
            return payoff
        return payoff + rules.dead / 2 + betting.spent[player]


def _by_hand(rows: Floats, lane_of: np.ndarray) -> Floats:
    """[hand, action] from [action, lane]; nan for hands without a lane."""
    by_hand = np.full((HOLDINGS, len(rows)), np.nan)
    known = lane_of >= 0
    by_hand[known] = rows[:, lane_of[known]].T
    return by_hand


def _cards(cards: Sequence[int]) -> str:
    return "".join(map(card_name, cards))
