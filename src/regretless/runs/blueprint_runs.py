"""From a game and a map of hands to a blueprint, in one call."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._hand_map import HandMap
from regretless.abstraction._hand_map_files import load_hand_map
from regretless.blueprints.blueprint import Blueprint
from regretless.blueprints.files import (
    Map,
    load_blueprint,
    opened,
    save_blueprint,
)
from regretless.blueprints.training import Trainer
from regretless.core import specs
from regretless.core.errors import BadFile, BadInput, BadParameter, UnknownName
from regretless.core.interrupts import interrupts
from regretless.core.loop import Loop
from regretless.core.memory import size_text
from regretless.core.progress import Listener, Progress, nobody
from regretless.core.specs import Spec
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._catalog import load, named_in
from regretless.games._state import Game
from regretless.runs.limits import Limits, Stop
from regretless.runs.request import SAMPLED as METHOD
from regretless.runs.request import Request, at_work, require_same
from regretless.runs.run import ended

DEFAULT_METHOD = f"{METHOD}:period=100"  # linear CFR: docs/measurements/blueprint-sweep.md
DEFAULT_ITERATIONS = 100_000
OWN = ("seed", "threads", "chunk_columns")  # of a run, not of the method


def train_blueprint(
    game: str | Game | None = None,
    map: Map | None = None,
    *,
    method: str | None = None,
    iterations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    checkpoint_s: float | None = None,
    keep_state: bool = False,
    listen: Listener = nobody,
) -> Blueprint:
    """Train a blueprint of a hold'em game on a map of hands by sampled boards.

    Default limit: 100,000 iterations, each of `boards` boards. `method` is public-chance-sampling
    with parameters, by default `public-chance-sampling:period=100`: linear CFR. `out` is written
    every `checkpoint_s` seconds (default 30) and at the end; `resume` continues a file exactly. A
    finished file holds what is needed to continue only with `keep_state`."""
    request = Request(
        game=game,
        abstraction=map if isinstance(map, HandMap | None) else Path(map),
        method=method,
        iterations=iterations,
        seconds=seconds,
        threads=threads,
        seed=seed,
        out=out,
        resume=resume,
        checkpoint_s=checkpoint_s,
        keep_state=keep_state,
    )
    with at_work(request.written, listen):
        return trained(request, listen)


def trained(request: Request, listen: Listener) -> Blueprint:
    """The blueprint that was asked for; the caller holds its file."""
    request.require_training()
    run = _prepared(request) if request.resume is None else _resumed(request, request.resume)
    if request.iterations is not None or request.seconds is not None:
        run.limits = Limits(iterations=request.iterations, seconds=request.seconds)
    run.keep_state = request.keep_state
    return run.go(request.written, request.save_s, listen)


class _Run:
    """A trainer and everything that its file will report."""

    def __init__(
        self, game: Game, map: HandMap, method: Spec, *, map_path: object, seed: int, threads: int
    ) -> None:
        if not isinstance(game.rules, PokerRules):
            raise BadInput(f"{game.spec} is not a poker game: a blueprint needs cards")
        self.game, self.seed, self.method = game, seed, method.text
        self.map_path = None if map_path is None else str(map_path)
        tree = BettingTree(game.rules)
        self.trainer = Trainer(tree, map, seed=seed, threads=threads, **method.parameters)
        self.limits = Limits(iterations=DEFAULT_ITERATIONS)
        self.seconds_before, self.keep_state = 0.0, False

    def go(self, out: Path | None, pause: float, listen: Listener) -> Blueprint:
        trainer = self.trainer
        listen(Progress(f"memory: about {size_text(trainer.memory_bytes)}", notice=True))
        trainer.step(0)  # compile before the clock starts
        loop = Loop(
            work=trainer,
            iterations=self.limits.iterations,
            seconds=self.limits.seconds,
            stage="training",
            listen=listen,
            save_s=pause,
        )
        self.keep_state = self.keep_state or ended(loop) is not None  # nothing to do: keep it all
        if out is not None:
            loop.save = lambda: self._save(out, loop.spent(), Stop.INTERRUPTED)
        with interrupts():
            loop.advance()
            stop = ended(loop)
        assert stop is not None
        if out is not None:
            self._save(out, loop.spent(), stop)
        return self._blueprint(loop.spent(), stop)

    def _save(self, out: Path, seconds: float, stop: Stop) -> None:
        going_on = self.keep_state or stop is Stop.INTERRUPTED
        state = self.trainer.state() if going_on else None
        save_blueprint(out, self._blueprint(seconds, stop), state)

    def _blueprint(self, seconds: float, stop: Stop) -> Blueprint:
        trainer = self.trainer
        hand_map = trainer.map
        about: dict[str, Any] = {
            "game": self.game.spec,
            "sequences": trainer.tree.sequences,
            "decisions": len(trainer.tree.decisions),
            "map": {
                "by": hand_map.by,
                "fingerprint": hand_map.fingerprint,
                "counts": list(hand_map.counts),
                "deal": hand_map.deal.facts(),
                "path": self.map_path,
            },
            "method": self.method,
            "seed": self.seed,
            "iterations": trainer.iteration,
            "boards": trainer.iteration * trainer.boards,
            "seconds": self.seconds_before + seconds,
            "stop": str(stop),
            "limits": {"iterations": self.limits.iterations, "seconds": self.limits.seconds},
            "version": version("regretless"),
        }
        return trainer.blueprint(about)


def _prepared(request: Request) -> _Run:
    game, place = request.source, request.abstraction
    if not isinstance(game, Game) or place is None:
        raise BadInput("a blueprint needs a game and a map of hands, or a file to resume")
    assert not isinstance(place, Abstraction)
    return _Run(
        game,
        place if isinstance(place, HandMap) else load_hand_map(place),
        method_of(request.method or DEFAULT_METHOD),
        map_path=None if isinstance(place, HandMap) else place,
        seed=request.seed or 0,
        threads=request.threads,
    )


def _resumed(request: Request, path: str | Path) -> _Run:
    arrays = opened(path)
    about, state = arrays.about, arrays.below("state.")
    if not state:
        raise BadFile(path, "holds no state of training: it cannot be resumed")
    method, seed = method_of(request.method or about["method"]), about.get("seed", 0)
    require_same(
        path,
        method=(method.text, about["method"]),
        seed=(seed if request.seed is None else request.seed, seed),
    )
    game, place = request.source or load(named_in(path, about["game"])), request.abstraction
    assert isinstance(game, Game)
    assert not isinstance(place, Abstraction)
    map = load_blueprint(path, map=place, game=game).map
    if place is None or isinstance(place, HandMap):
        place = about["map"].get("path")
    run = _Run(game, map, method, map_path=place, seed=seed, threads=request.threads)
    try:
        run.trainer.restore(state)
    except BadInput as error:
        raise BadFile(path, str(error)) from None
    run.seconds_before = float(about.get("seconds", 0.0))
    limits = about.get("limits") or {}
    if any(limits.values()):
        run.limits = Limits(**limits)
    return run


def method_of(text: str) -> Spec:
    """The method with its parameters."""
    method = specs.read(text, _trainer, "method")
    for key in OWN:
        if key in method.parameters:
            value = method.parameters[key]
            raise BadParameter(f"{key}={value}: an option of the run, not of the method")
    return method


def _trainer(name: str) -> Callable[..., None]:
    if name != METHOD:
        raise UnknownName("method for blueprints", name, (METHOD,))
    return Trainer.__init__
