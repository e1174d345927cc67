"""Blueprints from files against each other, and against a local best response."""

from __future__ import annotations

from regretless.core.errors import Unsuitable, shown
from regretless.core.progress import Listener, nobody
from regretless.evaluation import local_best_response as lbr
from regretless.evaluation import one_on_one as comparison
from regretless.evaluation.bucket_strategy import BucketStrategy
from regretless.evaluation.local_best_response import SIZES, LocalBestResponse
from regretless.evaluation.one_on_one import OneOnOne
from regretless.runs.opening import Openable, opened
from regretless.strategy.by_hand import deck_of
from regretless.strategy.face import Face
from regretless.strategy.strategy import Strategy
from regretless.strategy.translation import Translation
from regretless.strategy.tree_walk import AtTable


def one_on_one(
    first: Openable,
    second: Openable,
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
    strategy: Openable,
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
        _at_table(strategy, translation),
        hands=hands,
        seed=seed,
        sizes=sizes,
        first_round=first_round,
        listen=listen,
    )


def _blueprint(given: Openable) -> BucketStrategy:
    strategy = opened(given).strategy
    if not isinstance(strategy, BucketStrategy):
        raise Unsuitable(
            f"{shown(given)}: not a blueprint trained on a map of hands; strategies of other "
            "kinds meet exactly in a league"
        )
    return strategy


def _at_table(given: Openable, translation: str) -> Face:
    """Who plays it: a blueprint at a table with any bet size, all others by their own rules."""
    strategy = opened(given).strategy
    if isinstance(strategy, BucketStrategy):
        return AtTable(strategy, by=translation)
    if isinstance(strategy, Strategy) and deck_of(strategy).weights:
        spec = strategy.form.spec
        raise Unsuitable(f"game {spec}: a spot is not a complete hand; evaluate it exactly")
    return strategy
