"""The coarsest partition of hands that loses nothing, by colour refinement.

Two hands are merged if their parents are, if they lead to every class of later
hands equally often, and if they face every class of rival hands on their board equally often and
with the same result. Then against any strategy over classes both earn the same with every action,
so a best response needs only classes, and an equilibrium of the abstract game is one of
the full game. Splitting a single class until nothing changes gives the coarsest such partition;
it is at least as coarse as suit isomorphism."""

from __future__ import annotations

from regretless.abstraction._equitable import refined
from regretless.abstraction._maps import CardMap, Deals
from regretless.abstraction.gameshrink import check_ordered
from regretless.core.errors import Unsuitable
from regretless.forms.form import Form


def make(form: Form) -> tuple[CardMap, ...]:
    """Both players' hands are classified together."""
    deals = Deals(form)
    check_ordered(deals)
    if form.players != 2:
        raise Unsuitable(f"lossless: needs two players, {form.spec} has {form.players}")
    return refined(deals)
