"""All-ins before the first board: a matrix over boards up to suits pays what every deal does."""

import pytest
from both_forms import Both, game, two_cards

from regretless.games._betting_tree import Kind
from regretless.games._icm import IndependentChipModel
from regretless.games._settling import Rake

ALL_IN = {"board": (0, 1, 1), "first": (1, 0, 0), "caps": (1, 1, 1)}
PAYOFFS = {
    "chips": {},
    "rake": {"rake": Rake(0.1, cap=0.5)},
    "prizes": {"utility": IndependentChipModel((5.0, 3.0, 1.0), (6.0,))},
}


@pytest.mark.parametrize("name", PAYOFFS)
def test_boards_of_several_rounds_count_as_often_as_they_are_dealt(name):
    both = Both.of(game(two_cards(**ALL_IN, **PAYOFFS[name])), runouts=True)
    layout = both.public.layout
    assert any(n.kind is Kind.RUNOUT for s in layout.stages if s.round == 0 for n in s.nodes)
    assert max(layout.sides[0][1].weights) > 1
    both.check_gradients()
    both.check_responses()
