"""From a game and a map of hands to a blueprint, in one call."""

from __future__ import annotations

from contextlib import nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any

from regretless.abstraction._hand_map import HandMap
from regretless.abstraction._hand_map_files import load_hand_map
from regretless.blueprints.blueprint import Blueprint
from regretless.blueprints.files import (
    Map,
    load_blueprint,
    opened,
    save_blueprint,
    saved_state,
)
from regretless.blueprints.training import Trainer
from regretless.core import specs
from regretless.core.errors import BadFile, BadInput, BadParameter, UnknownName, number, whole
from regretless.core.files import locked, require_writable
from regretless.core.interrupts import interrupts
from regretless.core.loop import Loop
from regretless.core.memory import size_text
from regretless.core.progress import Listener, Progress, nobody
from regretless.forms.choice import MOST_THREADS
from regretless.games._betting import PokerRules
from regretless.games._betting_tree import BettingTree
from regretless.games._catalog import load
from regretless.games._state import Game
from regretless.kernels.compiled import announced
from regretless.runs.limits import Limits, Stop
from regretless.runs.run import ended
from regretless.runs.solve import CHECKPOINT_S, MOST_SEED

METHOD = "public-chance-sampling"
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
    limited = iterations is not None or seconds is not None
    limits = Limits(iterations=iterations, seconds=seconds) if limited else None
    whole("threads", threads, 1, MOST_THREADS)
    if seed is not None:
        whole("seed", seed, 0, MOST_SEED)
    pause = CHECKPOINT_S if checkpoint_s is None else number("checkpoint_s", checkpoint_s)
    if not pause > 0:
        raise BadParameter(f"checkpoint_s={checkpoint_s}: must be more than 0")
    out = resume if out is None else out
    if out is not None:
        require_writable(out)
    with (
        announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))),
        locked(out) if out is not None else nullcontext(),
    ):
        asked = _Asked(game, map, method, threads, seed)
        run = _Run(asked) if resume is None else _resumed(asked, resume)
        run.limits = limits or run.limits
        run.keep_state = keep_state
        return run.go(Path(out) if out is not None else None, pause, listen)


class _Asked:
    """What is to be trained, and how."""

    def __init__(
        self,
        game: str | Game | None,
        map: Map | None,
        method: str | None,
        threads: int,
        seed: int | None,
    ) -> None:
        self.game, self.map, self.threads, self.seed = game, map, threads, seed
        self.method = method


class _Run:
    """A trainer and everything that its file will report."""

    def __init__(self, asked: _Asked) -> None:
        if asked.game is None or asked.map is None:
            raise BadInput("a blueprint needs a game and a map of hands, or a file to resume")
        game = load(asked.game) if isinstance(asked.game, str) else asked.game
        if not isinstance(game.rules, PokerRules):
            raise BadInput(f"{game.spec} is not a poker game: a blueprint needs cards")
        self.game, self.seed = game, asked.seed or 0
        self.map_path = None if isinstance(asked.map, HandMap) else str(asked.map)
        hand_map = asked.map if isinstance(asked.map, HandMap) else load_hand_map(asked.map)
        self.method, given = method_of(asked.method or DEFAULT_METHOD)
        tree = BettingTree(game.rules)
        self.trainer = Trainer(tree, hand_map, seed=self.seed, threads=asked.threads, **given)
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


def _resumed(asked: _Asked, path: str | Path) -> _Run:
    arrays, about = opened(path)
    state = saved_state(arrays)
    if not state:
        raise BadFile(path, "holds no state of training: it cannot be resumed")
    seed = about.get("seed", 0)
    method = method_of(asked.method)[0] if asked.method else about["method"]
    for option, wanted, made in (
        ("method", method, about["method"]),
        ("seed", seed if asked.seed is None else asked.seed, seed),
    ):
        if wanted != made:
            raise BadInput(
                f"{path} was made with {option} {made}: it cannot continue with {wanted}"
            )
    saved = load_blueprint(path, map=asked.map, game=asked.game)
    place = asked.map if isinstance(asked.map, str | Path) else about["map"].get("path")
    run = _Run(_Asked(asked.game or about["game"], saved.map, about["method"], asked.threads, seed))
    run.map_path = None if place is None else str(place)
    try:
        run.trainer.restore(state)
    except BadInput as error:
        raise BadFile(path, str(error)) from None
    run.seconds_before = float(about.get("seconds", 0.0))
    limits = about.get("limits") or {}
    if any(limits.values()):
        run.limits = Limits(**limits)
    return run


def method_of(text: str) -> tuple[str, dict[str, Any]]:
    """The method in full, and its parameters."""
    name, given = specs.split(text)
    if name != METHOD:
        raise UnknownName("method for blueprints", name, (METHOD,))
    for key in given:
        if key in OWN:
            raise BadParameter(f"{key}={given[key]}: an option of the run, not of the method")
    bound = specs.bind(Trainer.__init__, given, f"method {name}")
    return specs.join(name, Trainer.__init__, bound), bound
