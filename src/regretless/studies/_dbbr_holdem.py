"""The same question in limit and no-limit hold'em with a small deck and a blueprint.

The opponent is modelled over the buckets of the blueprint from hands as seen at the table, then a
best response over the buckets is learned. Win rates are one-on-one, on boards of their own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regretless.abstraction._composition import hand_map
from regretless.blueprints.blueprint import Blueprint, shares
from regretless.blueprints.response import Response
from regretless.blueprints.training import Trainer
from regretless.core.progress import Listener, Progress
from regretless.core.tables import Column, Estimated, Table, prose
from regretless.evaluation.one_on_one import OneOnOne, one_on_one
from regretless.games._betting_tree import BettingTree, Decision
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.play.agents._agent import MixingAgent, Mixture
from regretless.play.match import play_match
from regretless.play.modelling import bucket_model
from regretless.play.table import View

DECK = "ranks=3,suits=3"
GAMES = {
    "limit": f"holdem_limit:{DECK}",
    "no-limit": f"holdem_nolimit:{DECK},stack=600,sizes=100%-a",
}
MAP = "preflop=lossless,flop=percentile:10,turn=percentile:10,river=percentile:10"
TRAINING, LEARNING, BOARDS = 2_000, 1_000, 400
HANDS = (100, 300, 1_000)
QUICK = ("no-limit",), ("always-call",), (100,)
OPPONENTS = ("random", "always-call", "always-raise", "tight")
TIGHT = 8.0  # times the odds of folding
SEED, FRESH = 2011, 1
OPPONENT = "opponent"


class _Player(MixingAgent):
    """Plays a blueprint at a table with the same bet sizes."""

    def __init__(self, game: Game, strategy: Blueprint, seed: int) -> None:
        super().__init__(game, seed=seed)
        self.strategy = strategy

    def mixture(self, view: View) -> Mixture:
        hand, board = "".join(view.hole), "".join(view.board)
        played = self.strategy.probabilities(view.betting.history, hand, board)
        moves = self.strategy.tree.find(view.betting.history).moves
        texts = [f"r{move.total}" if move.letter == "r" else move.letter for move in moves]
        kept = [number for number, share in enumerate(played) if share > 0]
        sums = np.cumsum(played[kept]) / played[kept].sum()
        return Mixture(tuple(self._written(texts[k]) for k in kept), tuple(sums[:-1].tolist()))

    def _written(self, text: str) -> str:
        return text[0] if self.rules.raises is not None else text


def tables(listen: Listener, *, quick: bool = False) -> Iterator[Table]:
    """Win rates by the number of hands that the model has seen; one table per game."""
    games, names, counts = QUICK if quick else (tuple(GAMES), OPPONENTS, HANDS)
    for which in games:
        game = load(GAMES[which])
        base = _trained(game)
        rows: list[tuple[object, ...]] = []
        for number, name in enumerate(names):
            listen(Progress(f"{which} hold'em, {name}", done=number / len(names)))
            rows.append((name, *_played(game, base, opponent(base, name), counts)))
        yield _table(game, rows, counts)


def _trained(game: Game) -> Blueprint:
    assert game.rules is not None
    trainer = Trainer(BettingTree(game.rules), hand_map(game, MAP), seed=SEED, period=100)
    trainer.step(TRAINING)
    return trainer.blueprint({"game": game.spec})


def opponent(base: Blueprint, name: str) -> Blueprint:
    """A weak player, over the buckets of the blueprint."""
    made = tuple((np.zeros_like(first), np.zeros_like(second)) for first, second in base.tables)
    for one in base.tree.decisions:
        weights = _weights(base, one, name)
        made[one.round][one.player][:, one.columns] = np.rint(60_000 * shares(weights))
    return Blueprint(base.tree, base.map, made, base.about)


def _weights(base: Blueprint, one: Decision, name: str) -> np.ndarray:
    letters = np.array([move.letter for move in one.moves])
    weights = base.table(one.betting).copy()
    if name == "tight":
        weights[:, letters == "f"] *= TIGHT
    elif name == "random":
        weights[:] = 1
    else:
        wanted = "r" if name == "always-raise" and "r" in letters else "c"
        weights[:] = letters == wanted
    return weights


def _played(
    game: Game, base: Blueprint, villain: Blueprint, counts: tuple[int, ...]
) -> list[Estimated | str]:
    """Blueprint, responses to the models, response to the opponent itself; hands until ahead."""
    agents = [_Player(game, base, SEED), _Player(game, villain, SEED)]
    names = ("blueprint", OPPONENT)
    hands = list(play_match(game, agents, hands=counts[-1], seed=SEED, names=names))
    before = _won(base, villain)
    after = []
    for count in counts:
        model = bucket_model(hands[:count], base, OPPONENT, cards="showdown")
        after.append(_won(_response(model.strategy), villain))
    best = _won(_response(villain), villain)
    return [*map(_cell, (before, *after, best)), _ahead(before, after, counts)]


def _response(villain: Blueprint) -> Blueprint:
    response = Response(villain, seed=SEED, period=50)
    response.step(LEARNING)
    return response.blueprint(villain.about)


def _won(mine: Blueprint, villain: Blueprint) -> OneOnOne:
    return one_on_one(mine, villain, boards=BOARDS, seed=FRESH)


def _ahead(before: OneOnOne, after: list[OneOnOne], counts: tuple[int, ...]) -> str:
    """The fewest hands from which on the intervals of both are apart."""
    found = "not yet"
    for count, one in reversed(list(zip(counts, after, strict=True))):
        if one.mean - one.half_width <= before.mean + before.half_width:
            break
        found = f"{count:,}"
    return found


def _cell(won: OneOnOne) -> Estimated:
    return Estimated(*won.mbb)


def _table(game: Game, rows: list[tuple[object, ...]], counts: tuple[int, ...]) -> Table:
    columns = [prose("opponent"), Column("blueprint", "+.0f")]
    columns += [Column(f"{count:,} hands", "+.0f") for count in counts]
    columns += [Column("best response", "+.0f"), Column("ahead after")]
    note = (
        f"mbb/h over {BOARDS:,} boards; blueprint: {TRAINING:,} iterations on {MAP}; models from "
        f"the hands so far, cards shown at showdowns only; responses over buckets: {LEARNING:,} "
        "iterations; best response: to the opponent itself; ahead: intervals are apart"
    )
    return Table(game.spec, columns, rows, note)
