"""GS2, GS3 and potential-aware buckets by round, against the makers for small games."""

from __future__ import annotations

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.abstraction._maps import numbered
from regretless.core.errors import Unsuitable

RHODE = "rhode_island:ranks=5,suits=3,cap=1"
LEDUC = "leduc:ranks=5,suits=3"


def same_partition(one, two):
    return np.array_equal(numbered(one.tolist()), numbered(two.tolist()))


@pytest.mark.parametrize("squared", ["false", "true"])
@pytest.mark.parametrize(
    ("game", "sizes"), [(RHODE, (3, 10, 30)), (RHODE, (5, 40, 200)), (LEDUC, (5, 12))]
)
def test_two_routes_to_gs2(game, sizes, squared):
    """Through hands by number and their levels of strength, and through the lanes of a form."""
    form = rl.public_form(game)
    names = ("preflop", "flop", "turn", "river")
    by = ",".join(
        f"{name}=gs2:{size},squared={squared}" for name, size in zip(names, sizes, strict=False)
    )
    map = hand_map(game, by)
    direct = rl.abstract(form, f"gs2:buckets={'/'.join(map_text(sizes))},squared={squared}")
    there = map.card_map(form)
    assert map.counts == direct.classes[0]
    for round in range(len(sizes)):
        assert same_partition(there.rows[round], direct.maps[0].rows[round])


def map_text(sizes):
    return [str(size) for size in sizes]


def test_fewer_buckets_than_before_are_refused():
    with pytest.raises(Unsuitable, match="flop: buckets=3: must be at least the 5 of the preflop"):
        hand_map(RHODE, "preflop=lossless,flop=gs2:3,turn=lossless")
