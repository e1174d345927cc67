"""Which form a game is solved in."""

from __future__ import annotations

from regretless.core.errors import BadParameter
from regretless.forms.form import Form
from regretless.forms.public import PublicForm, public_form
from regretless.forms.sequence import sequence_form
from regretless.games._catalog import load
from regretless.games._poker import PokerState
from regretless.games._spot import Spot
from regretless.games._state import Game

FORMS = ("auto", "sequence", "public")
# Half as many terminals take a second to walk (leduc:ranks=13,suits=4), the public form of that
# game 7 ms; but its kernels compile longer, and small games sweep faster written out.
TERMINALS_TO_WRITE = 200_000


def form_of(game: str | Game | Spot, *, kind: str = "auto", threads: int = 1) -> Form:
    """The form of a game: explicit where it is small, public where poker is large."""
    game = load(game) if isinstance(game, str) else game
    if kind not in FORMS:
        raise BadParameter(f"form={kind}: allowed is {', '.join(FORMS)}")
    if isinstance(game, Spot):
        game = game.game
    if kind == "public" or (kind == "auto" and _large_poker(game, threads)):
        return public_form(game, threads=threads)
    return sequence_form(game)


def form_kind(form: Form) -> str:
    """The kind that builds this form again."""
    return "public" if isinstance(form, PublicForm) else "sequence"


def _large_poker(game: Game, threads: int) -> bool:
    if game.spot is not None:
        return True
    if not isinstance(game.root, PokerState) or game.count is None:
        return False
    return threads > 1 or game.count().terminals > TERMINALS_TO_WRITE
