"""The coarsest partition of hands that loses nothing, by colour refinement.

Two hands are put together if the hands before them are, if they lead to every class of later
hands equally often, and if they meet every class of rival hands on their board equally often and
with the same result. Then against any strategy of classes both earn the same with every action,
so a best response needs no more than classes, and an equilibrium of the abstract game is one of
the full game. Going on from one class until nothing is split gives the coarsest such partition;
it is at least as coarse as suits that are renamed."""

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
