"""What the user asked for: the game, the method, the form, limits and files.

`solve`, `train_blueprint`, `compare` and the command line make a `Request`. It is checked before
anything is read or built, and every name in it is resolved once, when it is first needed: a game
may be user code. What kind of run it is follows from the request alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from regretless.abstraction._abstraction import Abstraction
from regretless.abstraction._catalog import any_abstraction, is_saved
from regretless.abstraction._hand_map import HandMap
from regretless.core import specs
from regretless.core.errors import (
    BadInput,
    BadParameter,
    Interrupted,
    TooLarge,
    Unsuitable,
    WrongGame,
    number,
    one_of,
    shown,
    whole,
)
from regretless.core.files import is_folder, locked, require_distinct, require_writable
from regretless.core.interrupts import seconds_left, time_limit
from regretless.core.progress import Listener, Progress
from regretless.core.specs import Spec
from regretless.forms.choice import FORMS, MOST_THREADS, any_form, any_game, form_kind, form_of
from regretless.forms.form import Form
from regretless.forms.precision import Precision
from regretless.games._betting import PokerRules
from regretless.games._catalog import game_file
from regretless.games._poker import PokerState
from regretless.games._spot import Spot
from regretless.games._state import Game
from regretless.kernels.compiled import announced
from regretless.runs.limits import Limits
from regretless.runs.spot_runs import plain_target, target_in_chips
from regretless.solvers._catalog import needed_form, parsed
from regretless.solvers._needs import learners
from regretless.solvers._solver import Iterate, Solver
from regretless.strategy.compact import is_blueprint

CHECKPOINT_S = 30.0
MOST_SEED = 2**63 - 1
SAMPLED = "public-chance-sampling"  # the method that trains blueprints


@dataclass(frozen=True, kw_only=True)
class Request:
    """What to solve and how, as in `solve`; None and auto choose by game."""

    game: str | Game | Spot | Form | None = None
    method: str | None = None
    target: str | float | None = None
    iterations: int | None = None
    seconds: float | None = None
    strategy: str | None = None
    form: str = "auto"
    threads: int = 1
    precision: str | None = None
    seed: int | None = None
    out: str | Path | None = None
    resume: str | Path | None = None
    checkpoint_s: float | None = None
    keep_state: bool = False
    abstraction: str | Path | Abstraction | HandMap | None = None

    def __post_init__(self) -> None:
        if self.method is not None and not isinstance(self.method, str):
            raise BadParameter(f"method={shown(self.method)}: must be a name such as 'cfr+'")
        target = plain_target(self.target)
        Limits(target=target, iterations=self.iterations, seconds=self.seconds)  # or refused
        if self.strategy is not None:
            one_of("strategy", self.strategy, Iterate)
        one_of("form", self.form, FORMS)
        if self.precision is not None:
            one_of("precision", self.precision, Precision)
        if self.seed is not None:
            whole("seed", self.seed, 0, MOST_SEED)
        whole("threads", self.threads, 1, MOST_THREADS)
        if self.checkpoint_s is not None:
            if not number("checkpoint_s", self.checkpoint_s) > 0:
                raise BadParameter(f"checkpoint_s={self.checkpoint_s}: must be more than 0")
            if self.written is None:
                raise BadParameter("checkpoint interval: needs a file to write: name it with out")
        if self.written is not None:
            require_writable(self.written)
            require_distinct({"out": self.written}, {"the game": game_file(self.game)})

    @property
    def written(self) -> Path | None:
        """The file to write: a resumed run continues its own."""
        path = self.resume if self.out is None else self.out
        return None if path is None else Path(path)

    @property
    def save_s(self) -> float:
        """Seconds between two saves."""
        return CHECKPOINT_S if self.checkpoint_s is None else self.checkpoint_s

    @cached_property
    def source(self) -> Game | Form | None:
        """The game, or a form to be used as it is; None for that of the file to resume."""
        if isinstance(self.game, str | Game | Spot):
            return any_game(self.game)
        return None if self.game is None else any_form(self.game)

    @cached_property
    def trains(self) -> bool:
        """Whether a blueprint is trained by sampled boards: of hold'em on a map of hands, unless
        another method is asked for. Everything else is solved on a form."""
        if self.resume is not None and is_blueprint(self.resume):
            return True
        if not self._has_map or (self.method and specs.split(self.method)[0] != SAMPLED):
            return False
        rules = self.source.rules if isinstance(self.source, Game) else None
        return isinstance(rules, PokerRules) and rules.hole == 2 and sum(rules.board) == 5

    def require_training(self) -> None:
        """Refuse options that blueprints do not have."""
        for name in ("target", "strategy", "form", "precision"):
            if (value := getattr(self, name)) not in (None, "auto"):
                raise BadParameter(f"{name}={value}: blueprints have no such option")

    @property
    def _has_map(self) -> bool:
        given = self.abstraction
        if isinstance(given, str):
            return is_saved(given) and is_folder(given)
        return isinstance(given, HandMap) or (isinstance(given, Path) and is_folder(given))

    @cached_property
    def spec(self) -> Spec | None:
        """The method, if one is named."""
        return None if self.method is None else parsed(self.method)

    @cached_property
    def kind(self) -> str:
        """The kind of form: as given, otherwise what the method needs, if one is named."""
        given = self.abstraction
        needed = needed_form(self.spec) if self.form == "auto" and self.spec else self.form
        if isinstance(given, Abstraction) and needed in ("", "auto"):
            return form_kind(given.full)
        return needed or "auto"

    def limits(self, form: Form) -> Limits | None:
        """When to stop; None if nothing was asked for."""
        if (self.target, self.iterations, self.seconds) == (None, None, None):
            return None
        target = target_in_chips(form, self.target)
        return Limits(target=target, iterations=self.iterations, seconds=self.seconds)

    def built(self) -> Form:
        """The form of the game. An error names methods that do without this form."""
        game = self.source
        if game is None:
            raise BadInput("no game: name one, or a file to resume")
        if not isinstance(game, Game):
            return self.given_form(game, self.form)
        method = "" if self.spec is None else self.spec.text
        needed = self.spec is not None and self.kind == needed_form(self.spec)
        try:
            return form_of(game, kind=self.kind, threads=self.threads, precision=self.precision)
        except Unsuitable as error:
            if not (needed and self.kind == "public"):
                raise
            reason = f"method {method} needs the public form of a poker game: {error}"
            raise Unsuitable(f"{reason}; methods that do not: {learners()}") from None
        except TooLarge as error:
            poker = isinstance(game.root, PokerState) and game.root.deck.rules.hole == 1
            if not (needed and self.kind == "sequence" and poker):
                raise
            reason = f"{error}; method {method} enumerates the game"
            raise TooLarge(f"{reason}, methods that do not: {learners()}") from None

    def given_form(self, form: Form, kind: str) -> Form:
        """A form that was built before: how to build it cannot be asked for."""
        if kind not in ("auto", form_kind(form)):
            raise BadParameter(f"form={kind}: the given form is a {form_kind(form)} form")
        if self.threads > 1:
            raise BadParameter(f"threads={self.threads}: set when the form is built")
        if self.precision is not None:
            raise BadParameter(f"precision={self.precision}: set when the form is built")
        return form

    def abstracted(self, full: Form) -> Abstraction | None:
        """The abstraction of this form to be solved, if any."""
        given = self.abstraction
        if given is None:
            return None
        if isinstance(given, HandMap):
            given.require(full)
            return given.abstraction(full)
        made = any_abstraction(given, full)
        if made.full is not full and made.full.fingerprint() != full.fingerprint():
            raise WrongGame(f"abstraction of {made.full.spec}: does not fit game {full.spec}")
        return made

    def iterate(self, solver: Solver, method: str, saved: str = "average") -> Iterate:
        """Which strategy of the solver to keep."""
        chosen = Iterate(self.strategy or saved)
        if solver.is_exact and chosen is not Iterate.AVERAGE:
            raise BadParameter(f"strategy={chosen}: {method} finds one strategy only")
        if chosen not in solver.iterates:
            kept = ", ".join(solver.iterates)
            raise BadParameter(f"strategy={chosen}: {method} keeps {kept}")
        return chosen


@contextmanager
def in_time(seconds: float | None) -> Iterator[None]:
    """Build a form within the time limit of the run."""
    with time_limit(seconds):
        try:
            yield
        except Interrupted as error:
            if seconds_left() > 0:
                raise
            raise BadParameter(f"seconds={seconds}: too short, {error}") from None


@contextmanager
def at_work(out: str | Path | None, listen: Listener) -> Iterator[None]:
    """Hold the file to write, and report kernels that are being compiled."""
    with (
        announced(lambda name: listen(Progress(f"compiling {name} (once per machine)"))),
        locked(out) if out is not None else nullcontext(),
    ):
        yield


def require_same(resume: str | Path, **options: tuple[object, object]) -> None:
    """Refuse to continue a run with other options: what is asked for, and what it was made with."""
    for option, (wanted, made) in options.items():
        if wanted != made:
            raise BadInput(
                f"{resume} was made with {option} {made}: it cannot continue with {wanted}"
            )
