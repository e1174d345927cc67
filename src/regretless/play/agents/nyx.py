"""Plays a blueprint over buckets, translates bets, and solves turn and river while it plays.

After Nyx, of the Annual Computer Poker Competitions of 2013 and 2014 (Moravčík 2014), with endgame
solving (Ganzfried & Sandholm 2015) that is safe (Burch, Johanson & Bowling 2014). Early rounds are
played by the blueprint: bets that its tree does not have are translated, and its own become the
same fraction of the real pot. When a later round begins, ranges follow from the blueprint by Bayes'
rule, and the rest of the hand is solved with the real pot, stacks and bets; a bet that the solution
does not have is added and re-solved. Within the time limit there is always an answer: the
blueprint's, if nothing else.

    nyx:blueprint=nyx.strategy,limit_ms=500,sizes=50%+100%+a

As long as no limit is reached, its actions depend only on the hand, as with other agents."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import accumulate, islice, pairwise
from math import inf
from typing import NamedTuple
from zlib import crc32

import numpy as np

from regretless.blueprints.files import load_blueprint
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, one_of, whole
from regretless.core.interrupts import time_limit
from regretless.evaluation.table_cards import TableCards
from regretless.games._betting import Betting
from regretless.games._sizing import Sizing, same_sizes
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.agents._endgames import Before, Cards, Endgame, Ranges, solved, taken
from regretless.play.agents._river_models import by_models
from regretless.play.deals import deals
from regretless.play.rules import Playable
from regretless.play.table import Table, View
from regretless.strategy.face import Face, Play, by_move, place, split, text_of
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import Step, TreeWalk, tokens

SIZES = "50%+100%+a"
RIVERS = ("solved", "qualitative")
_KEPT = 256  # endgames in memory, which are cleared beyond that
_ROUNDED = 1e-6  # probabilities below this are rounding
_REHEARSED = 2  # hands played to compile all kernels


_Key = tuple[str, str, tuple[Cards, ...], str]  # root, tree, board, and what ranges depend on


class _EndgamePlace(NamedTuple):
    """Where a line is in the endgame of its round."""

    endgame: Endgame
    node: Betting
    ranges: Ranges


class Agent(MixingAgent):
    """A blueprint, translation, and endgames that are solved when they are reached."""

    answers_at_once = False

    def __init__(
        self,
        game: Playable,
        *,
        blueprint: str = "",
        strategy: Face | None = None,
        round: int | None = None,
        sizes: str = SIZES,
        safe: bool = True,
        river: str = "solved",
        limit_ms: int = 1000,
        iterations: int = 200,
        translation: str = "pseudo-harmonic",
        randomised: bool = True,
        seed: int = 0,
    ) -> None:
        """`blueprint`: a strategy file made with a map of hands; in Python `strategy` is the
        blueprint itself.

        `round`: the first one that is solved while it is played (of four rounds the third); one
        more than there are: none. `sizes`: bets and raises of an endgame, in addition to those
        really made; fewer if there is no time for all of them. `safe`: an endgame may not give any
        hand of the opponent more than what was played before. `river`: solved, or qualitative:
        by parametric models where one fits, which are not safe in this sense. `translation`:
        pseudo-harmonic or geometric, `randomised` or not."""
        super().__init__(game, seed=seed)
        self.play = strategy or _loaded(blueprint)
        rounds = self.rules.rounds
        default = min(3, rounds)
        self.round = (default if round is None else whole("round", round, 2, rounds + 1)) - 1
        whole("limit_ms", limit_ms, 1, 10**7)
        self.limit_s = limit_ms / 1000
        self.iterations = whole("iterations", iterations, 1, 10**6)
        self.safe = safe
        one_of("river", river, RIVERS)
        self.river = river
        self.menus = _menus(sizes.replace("+", " "), rounds)
        self.walk = TreeWalk(self.rules, self.play.rules, Translation(translation, randomised))
        self._chances = by_move(self.play)
        self.cards = TableCards(self.rules)
        self.seed = seed
        self._endgames: dict[_Key, Endgame | None] = {}
        self._stages: dict[_Key, _EndgamePlace | None] = {}

    def mixture(self, view: View) -> Mixture:
        if view.betting.round >= self.round:
            with time_limit(self.limit_s):
                solved_mixture = self._solved_mixture(view)
            if solved_mixture is not None:
                return solved_mixture
        return self._blueprint_mixture(view)

    def prepare(self) -> None:
        """Compile all kernels, which takes longer than most dealers wait for an answer: some hands
        without bets, their endgames solved for one iteration."""
        other = copy(self)
        other.limit_s, other.iterations, other.menus = inf, 1, self.menus[-1:]
        other._endgames, other._stages = {}, {}
        for deal in islice(deals(self.rules, self.seed), _REHEARSED):
            table = Table.start(self.rules, deal, 0)
            while not table.over:
                other.mixture(table.view(table.actor))
                table = table.act("c")

    def at(self, betting: str | Betting, board: str | Sequence[int] = ()) -> Play:
        if self.rules != self.play.rules:  # translation may depend on the hand
            return super().at(betting, board)
        node, cards = place(self.rules, betting, board)
        played = self.play.at(node, cards)
        if node.round < self.round:
            return played
        hole = [card for card in range(self.cards.deck) if card not in cards][:2]
        names = [tuple(self.cards.names[card] for card in part) for part in (hole, cards)]
        dealt = split(self.rules, cards, node.round)
        with time_limit(self.limit_s):
            stage = self._stage(View(node.actor, 0, node, names[0], names[1]), node.round, dealt)
        if stage is None:
            return played
        solved = stage.endgame.chances(stage.node, dealt)
        chances = np.where(np.isnan(solved), self._chances(node, dealt), solved)
        actions = tuple(text_of(move, self.rules) for move in node.choices)
        return Play(actions, chances, played.hands)

    # The blueprint

    def _blueprint_mixture(self, view: View) -> Mixture:
        step = self._follow(view, view.betting.history)[-1]
        if step.node is None or step.node.over:
            return Mixture(("c",))
        hand = self.cards.number(view.hole)
        shares = self._chances(step.node, self._dealt(view, view.betting.round))[hand]
        return _mixture([self.walk.reverse(step, i) for i in range(len(shares))], shares)

    def _follow(self, view: View, history: str) -> list[Step]:
        """All places in the blueprint's tree on the way to a betting.

        Translation of a bet depends on what was known when it was made, so that it
        does not change later in the hand."""

        def draw(place: int) -> float:
            round = history[:place].count("/")
            board = view.board[: sum(self.rules.board[: round + 1])]
            seen = f"{self.seed} {sorted(view.hole)} {board} {history[:place]}"
            return crc32(seen.encode()) / 2**32

        return self.walk.path(history, draw)

    def _dealt(self, view: View, round: int) -> tuple[Cards, ...]:
        """New board cards of every round up to this one."""
        return split(self.rules, self.cards.board(view.board), round)

    def _blueprint_ranges(self, path: list[Step], dealt: tuple[Cards, ...]) -> Ranges:
        """What both players hold after a path if they play the blueprint, by Bayes' rule."""
        ranges = [np.ones(len(self.cards.hands)) for _ in range(2)]
        for before, after in pairwise(path):
            if before.node is None or after.node is None:
                break
            index = [child.history for child in before.node.children].index(after.node.history)
            chosen = self._chances(before.node, dealt)[:, index]
            actor = before.node.actor
            ranges[actor] = taken(ranges[actor], chosen)
        return ranges[0], ranges[1]

    # Endgames

    def _solved_mixture(self, view: View) -> Mixture | None:
        dealt = self._dealt(view, view.betting.round)
        stage = self._stage(view, view.betting.round, dealt)
        if stage is None:
            return None
        shares = stage.endgame.chances(stage.node, dealt)[self.cards.number(view.hole)]
        if np.isnan(shares).any():  # the blueprint never comes here with this hand
            return None
        rules = self.rules
        return _mixture([text_of(move, rules) for move in stage.node.choices], shares)

    def _stage(self, view: View, round: int, dealt: tuple[Cards, ...]) -> _EndgamePlace | None:
        """Follow the actions of a round through its endgame, as far as they have been taken."""
        parts = view.betting.history.split("/")
        start = "".join(f"{part}/" for part in parts[:round])
        path = self._follow(view, start)
        node, shown = path[-1].node, dealt[: round + 1]
        # Ranges depend on the hand itself only through the translation of bets.
        key = "" if node is not None and node.history == start else f"{sorted(view.hole)}"
        key += f" {view.position}" if self.safe else ""
        known = (start + parts[round], "", shown, key)
        if known not in self._stages:
            if len(self._stages) >= _KEPT:
                self._stages.clear()
            above = self._stage(view, round - 1, dealt) if round > self.round else None
            ranges = above.ranges if above else self._blueprint_ranges(path, dealt[:round])
            before = None
            if self.safe and above:
                before = above.endgame.before(view.position, above.node)
            elif self.safe:
                before = self._blueprint_before(view.position, round, node)
            line = tokens(parts[round])
            self._stages[known] = self._reached(start, line, shown, ranges, before, key)
        return self._stages[known]

    def _blueprint_before(self, player: int, round: int, node: Betting | None) -> Before | None:
        """What the blueprint plays from a place of its tree on, if it is in the same round."""
        if node is None or node.over or node.round != round:
            return None
        return Before(player, node, self._chances)

    def _reached(
        self,
        root: str,
        line: list[str],
        dealt: tuple[Cards, ...],
        ranges: Ranges,
        before: Before | None,
        key: str,
    ) -> _EndgamePlace | None:
        tree = root
        while True:
            endgame = self._endgame(root, tree, dealt, ranges, before, key)
            if endgame is None:
                return None
            node, ranges, count = endgame.follow(line, dealt)
            if count == len(line):
                return _EndgamePlace(endgame, node, ranges)
            # A bet that is not in the tree: solve again from this decision, with the bet in it.
            before = endgame.before(before.player, node) if before else None
            root, tree, line = node.history, node.history + line[count], line[count:]

    def _endgame(
        self,
        root: str,
        tree: str,
        dealt: tuple[Cards, ...],
        ranges: Ranges,
        before: Before | None,
        key: str,
    ) -> Endgame | None:
        known = (root, tree, dealt, key)
        if known not in self._endgames:
            if len(self._endgames) >= _KEPT:
                self._endgames.clear()
            last = len(dealt) == self.rules.rounds and self.river == "qualitative"
            found = by_models(self.rules, tree, root, dealt, ranges) if last else None
            self._endgames[known] = found or solved(
                self.rules,
                self.menus,
                tree,
                root,
                dealt,
                ranges,
                self.iterations,
                self.limit_s,
                before,
            )
        return self._endgames[known]


def _mixture(actions: Sequence[str], shares: Floats) -> Mixture:
    """A mixture of real actions; sizes that are the same at the table are one action."""
    joined: dict[str, float] = {}
    for action, share in zip(actions, shares.tolist(), strict=True):
        if share > _ROUNDED:
            joined[action] = joined.get(action, 0.0) + share
    *sums, total = accumulate(joined.values())
    return Mixture(tuple(joined), tuple(part / total for part in sums))


def _menus(sizes: str, rounds: int) -> list[Sizing]:
    """Menus of an endgame from large to small: the first one that there is time for is used."""
    largest = " ".join(sizes.split()[-2:])
    return [
        same_sizes(sizes, rounds),
        same_sizes(sizes, rounds, raises="a"),
        same_sizes(largest, rounds, raises="a"),
        same_sizes("a", rounds),
    ]


def _loaded(blueprint: str) -> Face:
    if not blueprint:
        raise BadParameter("agent nyx: needs a blueprint, as in nyx:blueprint=nyx.strategy")
    return load_blueprint(blueprint)
