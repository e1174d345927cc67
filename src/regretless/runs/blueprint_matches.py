"""Blueprints from files against each other, and against a local best response."""

from __future__ import annotations

from pathlib import Path

from regretless.blueprints.files import is_blueprint, load_blueprint
from regretless.core.errors import BadFile, Unsuitable
from regretless.core.progress import Listener, nobody
from regretless.evaluation import local_best_response as lbr
from regretless.evaluation import one_on_one as comparison
from regretless.evaluation.all_hands import AllHands, BucketHands, StrategyHands
from regretless.evaluation.bucket_play import BucketPlay
from regretless.evaluation.local_best_response import SIZES, LocalBestResponse
from regretless.evaluation.one_on_one import OneOnOne
from regretless.games._catalog import load
from regretless.strategy.files import load_strategy
from regretless.strategy.strategy import Strategy
from regretless.strategy.translation import Translation


def one_on_one(
    first: str | Path | BucketPlay,
    second: str | Path | BucketPlay,
    *,
    boards: int = 1000,
    histories: int | None = None,
    seed: int = 0,
    threads: int = 1,
    translation: str = "pseudo-harmonic",
    randomised: bool = True,
    listen: Listener = nobody,
) -> OneOnOne:
    """What the first blueprint wins from the second over this many boards, from both seats.

    On every board the betting is traversed for all hands of both players; with `histories`, only so
    many ways to the end of a hand are drawn per board and seat. If the betting trees differ,
    bets are translated: `translation` is pseudo-harmonic or geometric, `randomised` or not."""
    return comparison.one_on_one(
        _blueprint(first),
        _blueprint(second),
        boards=boards,
        histories=histories,
        seed=seed,
        threads=threads,
        translation=Translation(translation, randomised),
        listen=listen,
    )


def local_best_response(
    strategy: str | Path | BucketPlay | Strategy,
    *,
    hands: int = 1000,
    seed: int = 0,
    sizes: str = SIZES,
    first_round: int = 1,
    translation: str = "pseudo-harmonic",
    listen: Listener = nobody,
) -> LocalBestResponse:
    """What a local best response wins against a strategy: a lower bound on its exploitability.

    A blueprint is played at a table with any bet size, and translates deterministically. `sizes`
    are the raises of the responder; before `first_round` it only checks and calls."""
    return lbr.local_best_response(
        _all_hands(strategy, translation),
        hands=hands,
        seed=seed,
        sizes=sizes,
        first_round=first_round,
        listen=listen,
    )


def _blueprint(given: str | Path | BucketPlay) -> BucketPlay:
    if not isinstance(given, str | Path):
        return given
    if Path(given).is_file() and not is_blueprint(given):
        raise BadFile(given, "not a blueprint: must be trained on a map of hands")
    return load_blueprint(given)


def _all_hands(given: str | Path | BucketPlay | Strategy, translation: str) -> AllHands:
    if isinstance(given, str | Path):
        given = load_blueprint(given) if is_blueprint(given) else load_strategy(given)
    if isinstance(given, Strategy):
        game = given.form.game or load(given.form.spec)
        if game.spot is not None:
            raise Unsuitable(f"game {game.spec}: a spot is no whole hand; evaluate it exactly")
        return StrategyHands(given, game)
    return BucketHands(given, by=translation)
