"""The choice of a form for a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from regretless.core.errors import BadParameter, TooLarge, one_of, shown, whole
from regretless.core.memory import require, usable_bytes
from regretless.forms.form import Form
from regretless.forms.precision import Precision
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import memory_bytes, sequence_form
from regretless.games._catalog import load
from regretless.games._poker import Deck, PokerState, count_deals
from regretless.games._spot import Spot
from regretless.games._spot_tree import SHRINKING, require_room
from regretless.games._state import Game

FORMS = ("auto", "sequence", "public")
MOST_THREADS = 256
# Half as many terminals take a second to walk (leduc:ranks=13,suits=4), the public form of that
# game 7 ms; but its kernels take longer to compile, and small games sweep faster enumerated.
TERMINALS_TO_WRITE = 200_000
# Three or more players, measured on kuhn:players=5 and 6: walking costs WALK_S per terminal, the
# tables of joint hands TABLE_S per entry; an iteration costs the same per combination of hands on
# both forms, but only the public form sweeps over combinations that share a card.
WALK_S, TABLE_S, SWEEP_S = 3e-5, 5e-6, 7e-9
BYTES_PER_ENTRY = 4  # of a large spot: a regret and an average of 16 bits each
USUAL_ITERATIONS = 1000  # that the choice assumes


def form_of(
    game: str | Game | Spot,
    *,
    kind: str = "auto",
    threads: int = 1,
    precision: str | None = None,
) -> Form:
    """The form of a game: the public form for large poker games, otherwise the sequence form.

    `precision`: compact, single or double numbers in the memory of a solver; by default a public
    form chooses by size, a sequence form has double."""
    one_of("form", kind, FORMS)
    whole("threads", threads, 1, MOST_THREADS)
    game = any_game(game)
    if precision is not None:
        one_of("precision", precision, Precision)
    with _refused(game):
        return _built(game, kind, threads, precision)


@contextmanager
def _refused(game: Game) -> Iterator[None]:
    """If hold'em does not fit, suggest what can be done instead."""
    try:
        yield
    except TooLarge as error:
        if not isinstance(game.root, PokerState) or game.root.deck.rules.hole < 2:
            raise
        if game.spot is not None:
            shrinking = "" if SHRINKING in str(error) else f"; {SHRINKING}"
            raise TooLarge(f"{error}{shrinking}") from None
        raise TooLarge(
            f"{game.spec} is too large to solve whole ({error}); "
            "solve a spot (regretless spot) or a small deck"
        ) from None


def _built(game: Game, kind: str, threads: int, precision: str | None) -> Form:
    if kind == "auto":
        kind = "public" if _better_public(game, threads) else "sequence"
    if kind == "public":
        if game.spot is not None:
            require_room(game.spot, BYTES_PER_ENTRY, game.spec)
        _require_tables(game)
        return public_form(game, threads=threads, precision=precision)
    if precision not in (None, Precision.DOUBLE):
        raise BadParameter(
            f"precision={precision}: must be double for the sequence form of {game.spec}; "
            "only the public form of poker has others"
        )
    if threads > 1:
        raise BadParameter(
            f"threads={threads}: must be 1 for the sequence form of {game.spec}; "
            "only the public form of poker uses more"
        )
    return sequence_form(game)


def building_s(game: str | Game | Spot | Form) -> float:
    """The approximate time to build the form of a game; 0 if unknown.

    A form that does not fit is refused."""
    if not isinstance(game, str | Game | Spot):
        return 0.0
    game = any_game(game)
    if game.count is None or game.spot is not None:
        return 0.0
    with _refused(game):
        if _better_public(game, 1):
            _require_tables(game)
            return _joint_entries(game) * TABLE_S if game.players > 2 else 0.0
        require(memory_bytes(game.count()), f"game {game.spec}")
        return game.count().terminals * WALK_S


def any_game(game: object) -> Game:
    """The game given or named by an argument."""
    if isinstance(game, str):
        return load(game)
    if isinstance(game, Spot):
        return game.game
    if not isinstance(game, Game):
        raise BadParameter(f"game={shown(game)}: must be a name such as 'leduc', or a Game")
    return game


def any_form(game: Any) -> Form:
    """The form given as argument, or the form of the given or named game."""
    if isinstance(game, str | Game | Spot):
        return form_of(game)
    if not (hasattr(game, "blocks") and hasattr(game, "respond")):
        raise BadParameter(f"game={shown(game)}: must be a name such as 'leduc', a Game, or a form")
    return cast(Form, game)


def form_kind(form: Form) -> str:
    """The kind of form, as in `form_of`."""
    return "public" if isinstance(form, PublicForm) else "sequence"


def _better_public(game: Game, threads: int) -> bool:
    """Whether the public form fits and is likely to be faster; nothing is built to find out."""
    if game.spot is not None:
        return True
    if not isinstance(game.root, PokerState) or game.count is None:
        return False
    if threads > 1:
        return True
    sizes = game.count()
    if sizes.terminals <= TERMINALS_TO_WRITE or game.players == 2:
        return sizes.terminals > TERMINALS_TO_WRITE
    deck = game.root.deck
    if memory_bytes(sizes) > usable_bytes():
        return True
    work = SWEEP_S * USUAL_ITERATIONS * game.players * sizes.terminals
    wasted: float = deck.kinds**game.players / _hole_deals(deck, game.players)
    return bool(_joint_entries(game) * TABLE_S + work * wasted < sizes.terminals * WALK_S + work)


def _hole_deals(deck: Deck, players: int) -> int:
    """Ways to deal one kind of card to every player."""
    return count_deals((0,) * deck.copies + (deck.kinds,), (1,) * players)


def _joint_entries(game: Game) -> int:
    """Entries of the public form's tables: boards × joint hands × sets of players still in."""
    assert isinstance(game.root, PokerState)
    deck, rules = game.root.deck, game.root.deck.rules
    full = (0,) * deck.copies + (deck.kinds,)
    boards = sum(count_deals(full, rules.board[: r + 1]) for r in range(rules.rounds))
    return int(boards * deck.kinds**rules.players * (2**rules.players - 1))


def _require_tables(game: Game) -> None:
    """Refuse tables that do not fit, before they are built."""
    require(table_bytes(game), f"public form of {game.spec}")


def table_bytes(game: Game) -> int:
    """Memory for the tables of joint hands, which games of three or more players need."""
    poker = isinstance(game.root, PokerState) and game.root.deck.rules.hole == 1
    return 8 * game.players * _joint_entries(game) if poker and game.players > 2 else 0
