"""Finds subgames on any form.

A subgame is closed under information (Burch, Johanson & Bowling 2014; Brown & Sandholm 2017):
everything below one of its decision points belongs to it, and so do all states that a player who
acts in it cannot distinguish. In poker it begins with a public state, board and betting, and
contains every hand."""

from __future__ import annotations

from regretless.core.errors import Unsuitable
from regretless.forms.form import Form
from regretless.forms.public import PublicForm
from regretless.forms.public_subgames import PublicSubgames
from regretless.forms.sequence import SequenceForm
from regretless.forms.sequence_subgames import SequenceSubgames
from regretless.forms.subgame import Subgame


def subgame_at(form: Form, where: str) -> Subgame:
    """The subgame that begins at a decision point, or in poker at a public state.

    `where` is a label such as `K/Q:cr/`; `/Q:cr/` or `:cr`, without hole cards, is a public
    state."""
    return finder(form).at(where)


def subgames(form: Form, depth: int | None = None) -> list[Subgame]:
    """Disjoint subgames with the same number of rounds, or of own decisions, before them.

    Rounds count in poker of several rounds (the last one by default), own decisions in any other
    game (one by default)."""
    return finder(form).cut(depth)


def finder(form: Form) -> SequenceSubgames | PublicSubgames:
    """A finder of subgames of a form; shared data is computed once."""
    if form.players != 2 or not form.zero_sum:
        has = f"{form.players} players" if form.players != 2 else "payoffs that are not zero-sum"
        raise Unsuitable(f"subgames need a two-player zero-sum game: {form.spec} has {has}")
    if isinstance(form, PublicForm):
        return PublicSubgames(form)
    if isinstance(form, SequenceForm):
        return SequenceSubgames(form)
    raise Unsuitable(f"subgames of {form.spec}: need a sequence form or a public form")
