"""Models of opponents from recorded hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from regretless.blueprints.blueprint import Blueprint
from regretless.blueprints.files import is_blueprint, load_blueprint
from regretless.core.errors import BadInput, BadParameter, UnknownName, Unsuitable, one_of, shown
from regretless.core.progress import Listener, Progress, nobody
from regretless.exploitation.bucket_model import BucketModel, fitted
from regretless.exploitation.equilibrium import equilibrium
from regretless.exploitation.evidence import Evidence
from regretless.exploitation.files import is_model, load_model
from regretless.exploitation.model import STRENGTH, Model, learned
from regretless.forms.choice import form_of
from regretless.games._catalog import game_names, load, named_in
from regretless.games._state import Game
from regretless.play.following import can_follow
from regretless.play.histories.acpc_log import read_log
from regretless.play.histories.reading import (
    DEALERS_GAMES,
    Recorded,
    is_of_a_table,
    read_history,
)
from regretless.play.histories.seen import Unreadable
from regretless.play.observing import Cards, Watcher
from regretless.play.observing_buckets import BucketWatcher
from regretless.play.records import Hand
from regretless.runs.opening import on_its_form
from regretless.strategy.face import Face, Result
from regretless.strategy.on_form import on_form

_LIKE = itemgetter(slice(1, None))  # a hand without its number
_CHUNK = 4096  # hands counted at a time
_EVERY = 25  # chunks between progress reports


def model(
    source: Any,
    *,
    player: str | None = None,
    game: str | Game | None = None,
    prior: Any = None,
    by: str = "posterior",
    strength: float = STRENGTH,
    cards: str = "all",
    listen: Listener = nobody,
) -> Model | BucketModel:
    """A model of an opponent, from recorded hands, a strategy or a model file.

    `source` is a log, a .phh or text file, several of them, hands from a match, or a strategy.
    `player` is the name of the opponent in the hands. Deviations are measured from `prior`, a
    strategy that counts as `strength` observations of every decision; by default an equilibrium is
    computed. `by` is the estimate: posterior (by decision point), or shifting, l1, l2 (by public
    history). `cards` may be restricted to those of a showdown, or to none.

    With a blueprint as the prior the model is over its buckets, for hold'em of any size."""
    one_of("cards", cards, Cards)
    if isinstance(source, Model):
        return source
    if isinstance(source, Face | Result) or _is_strategy(source):
        return _of_strategy(source, game)
    if isinstance(source, str | Path) and is_model(source):
        return load_model(source, game=game)
    if player is None:
        raise BadParameter("player: name the opponent whose hands are to be modelled")
    if (base := _blueprint(prior, game)) is not None:
        if by != "posterior":
            raise BadParameter(f"by={by}: over the buckets of a blueprint, must be posterior")
        made = bucket_model(source, base, player, strength=strength, cards=cards, listen=listen)
        return replace(made, base_path=None if isinstance(prior, Blueprint) else str(prior))
    counted = Counted(source, listen)
    counted.require(player)
    played = load(game) if isinstance(game, str) else game or _game_of(source)
    watcher = Watcher(_small(played), Cards(cards))
    form = watcher.form
    before = equilibrium(form, listen) if prior is None else on_form(on_its_form(prior), form)
    watcher.suppose(before)
    evidence = Evidence(form)
    for hand, times in counted.hands():
        if player in hand.names:
            evidence.add(watcher.observation(hand, hand.names.index(player)), times)
    return replace(learned(evidence, before, by=by, strength=strength), name=player)


class Counted:
    """Hands from any source; equal ones are counted and not kept."""

    def __init__(self, source: Any, listen: Listener = nobody) -> None:
        self._kinds: Counter[tuple[Any, ...]] = Counter()
        self._first: dict[tuple[Any, ...], int] = {}
        self.total = 0
        for number, chunk in enumerate(_chunks(_hands(source)), start=1):
            kinds = list(map(_LIKE, chunk))
            if new := [kind for kind in dict.fromkeys(kinds) if kind not in self._first]:
                numbers = dict(
                    zip(reversed(kinds), (h.number for h in reversed(chunk)), strict=True)
                )
                self._first.update((kind, numbers[kind]) for kind in new)
            self._kinds.update(kinds)
            self.total += len(chunk)
            if number % _EVERY == 0:
                listen(Progress(f"reading: {self.total:,} hands"))

    def hands(self) -> Iterator[tuple[Hand, int]]:
        """Different hands, and how often each was played."""
        for kind, times in self._kinds.items():
            yield Hand(self._first[kind], *kind), times

    def require(self, player: str) -> None:
        """Refuse a player who has not played."""
        names = {name for hand, _ in self.hands() for name in hand.names}
        if not names:
            raise BadInput("no hands: there is nothing to learn from")
        if player not in names:
            raise UnknownName("player", player, names)


def _hands(source: Any) -> Iterator[Hand]:
    return (recorded.hand for recorded in recorded_hands(source))


def recorded_hands(source: Any) -> Iterator[Recorded]:
    """Hands from files or from a match; those of a match do not know their rules."""
    files = [source] if isinstance(source, str | Path) else source
    if not isinstance(files, Iterable):
        raise BadParameter(
            f"source={shown(source)}: must be a file, several files, hands or a strategy"
        )
    for one in files:
        if isinstance(one, Hand):
            yield Recorded(one, None, "", 0)
            continue
        if not isinstance(one, str | Path):
            raise BadParameter(f"source: got {shown(one)}, must be a file or a hand")
        for found in read_history(one):
            if isinstance(found, Unreadable):
                raise found
            yield found


def bucket_model(
    source: Any,
    base: Blueprint,
    player: str,
    *,
    strength: float = STRENGTH,
    cards: str = "all",
    listen: Listener = nobody,
) -> BucketModel:
    """A model over the buckets of a blueprint, from heads-up hands; others are skipped."""
    watcher, names, skipped = BucketWatcher(base.tree, base.map, Cards(cards)), set[str](), 0
    for number, (hand, rules, _, _, _, seen, _) in enumerate(recorded_hands(source), start=1):
        if number % (_CHUNK * _EVERY) == 0:
            listen(Progress(f"reading: {number:,} hands"))
        names.update(hand.names)
        if player not in hand.names:
            continue
        at_table = seen.rules() if seen is not None and rules is None else rules
        if len(hand.names) != 2 or (seen is not None and at_table is None):
            skipped += 1
            continue
        watcher.add(hand, hand.names.index(player), at_table)
    if not names:
        raise BadInput("no hands: there is nothing to learn from")
    if player not in names:
        raise UnknownName("player", player, names)
    if not len(watcher):
        raise BadInput(f"{player}: no heads-up hands with plain blinds, {skipped:,} others")
    estimate, counts = fitted(base, watcher.seen(), strength=strength, listen=listen)
    left = watcher.left
    return BucketModel(estimate, base, counts, len(watcher), strength, player, skipped, left)


def _blueprint(prior: Any, game: str | Game | None) -> Blueprint | None:
    """The prior, if it is a blueprint."""
    if isinstance(prior, str | Path) and is_blueprint(prior):
        return load_blueprint(prior, game=game)
    return prior if isinstance(prior, Blueprint) else None


def _chunks(hands: Iterator[Hand]) -> Iterator[Sequence[Hand]]:
    chunk: list[Hand] = []
    for hand in hands:
        chunk.append(hand)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    yield chunk


def _small(game: Game) -> Game:
    """Refuse a game whose decision points cannot be listed."""
    if not can_follow(game):
        raise Unsuitable(
            f"game {game.spec}: only poker that can be enumerated, such as leduc, is modelled by "
            "decision point; for hold'em name a blueprint as the prior"
        )
    return game


def _game_of(source: Any) -> Game:
    """The game that the first log names in its header."""
    first = source if isinstance(source, str | Path) else next(iter(source), None)
    if isinstance(first, str | Path) and not is_of_a_table(first):
        log = read_log(first)
        next(log, None)
        if log.header is not None:
            named = log.header.game
            known = DEALERS_GAMES.get(Path(named).name)
            if known or named.partition(":")[0] in game_names() or named.endswith(".game"):
                return load(known or named_in(first, named))
    what = shown(first) if isinstance(first, str | Path) else "hands"
    raise BadInput(f"{what}: does not name its game: say which")


def _is_strategy(source: Any) -> bool:
    return isinstance(source, str | Path) and Path(source).suffix == ".strategy"


def _of_strategy(source: Any, game: str | Game | None) -> Model:
    strategy = on_its_form(source, game=game)
    listed = form_of(strategy.form.game or load(strategy.form.spec), kind="sequence")
    name = Path(source).stem if isinstance(source, str | Path) else "opponent"
    return Model.of(on_form(strategy, listed), name=name)
