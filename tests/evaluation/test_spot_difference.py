"""Two solutions of a spot, compared at a decision."""

import json

import numpy as np
import pytest

import regretless as rl
from regretless.cards.holdings import class_names, class_of
from regretless.core.errors import Unsuitable, WrongGame

RIVER = {
    "board": "Td9d6hQc2s",
    "pot": 20,
    "stack": 30,
    "ranges": {"oop": "QQ,AK,87s", "ip": "TT,AQs,76s"},
    "bets": "50%,a",
    "raises": "a",
}


def solved(iterations=30, **changes):
    return rl.solve(rl.spot(**RIVER | changes), iterations=iterations).strategy


@pytest.fixture(scope="module")
def plain():
    return solved()


@pytest.fixture(scope="module")
def locked():
    return solved(locks=[{"at": "", "hands": "AK", "play": {"bet10": 0.5, "check": 0.5}}])


def test_a_solution_does_not_differ_from_itself(plain):
    found = rl.research.spot_difference(plain, plain)
    assert found.distance == 0
    assert found.largest_ev == 0
    assert found.ev[0] == found.ev[1]
    assert found.frequencies[0] == found.frequencies[1]


def test_a_lock_is_seen_where_it_is(plain, locked):
    found = rl.research.spot_difference(plain, locked)
    kings = {one.name: one for one in found.classes}
    for name in ("AKs", "AKo"):
        np.testing.assert_allclose(kings[name].second, [0.5, 0.5, 0])
        assert kings[name].distance > 0.1
    assert sum(one.share for one in found.classes) == pytest.approx(1)


def test_classes_add_up_to_the_range(plain, locked):
    found = rl.research.spot_difference(plain, locked)
    share = np.array([one.share for one in found.classes])
    for n in range(len(found.actions)):
        assert share @ [c.first[n] for c in found.classes] == pytest.approx(found.frequencies[0][n])
        assert share @ [c.second[n] for c in found.classes] == pytest.approx(
            found.frequencies[1][n]
        )
    assert share @ [c.first_ev for c in found.classes] == pytest.approx(found.ev[0])
    assert share @ [c.second_ev for c in found.classes] == pytest.approx(found.ev[1])


def test_a_class_is_the_mean_of_its_hands(plain, locked):
    found = rl.research.spot_difference(plain, locked, "check")
    one = found.classes[0]
    hands = np.flatnonzero(class_of() == class_names().index(one.name))
    hands = hands[found.share[hands] > 0]
    weight = found.first.acting.share[hands]
    expected = weight @ found.second.acting.ev[hands] / weight.sum()
    assert one.second_ev == pytest.approx(expected)


def test_differences_stand_from_large_to_small(plain, locked):
    sizes = [c.distance * c.share for c in rl.research.spot_difference(plain, locked).classes]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0


def test_ranges_may_differ(plain):
    found = rl.research.spot_difference(
        plain, solved(ranges={"oop": "QQ,AKs,JJ", "ip": "TT,AQs,7s6s"})
    )
    assert {c.name for c in found.classes} == {"QQ", "AKs"}


def test_ranges_without_a_common_hand(plain):
    found = rl.research.spot_difference(plain, solved(ranges={"oop": "JJ,5c4c", "ip": "TT,7s6s"}))
    assert found.classes == ()
    assert json.loads(json.dumps(found.facts(), allow_nan=False))["distance"] is None


def test_what_cannot_be_compared(plain):
    with pytest.raises(WrongGame, match="different boards"):
        rl.research.spot_difference(plain, solved(iterations=1, board="Td9d6hQc3s"))
    with pytest.raises(WrongGame, match="first solution has check, bet10, allin"):
        rl.research.spot_difference(plain, solved(iterations=1, bets="a"))
    with pytest.raises(Unsuitable, match="not a spot"):
        rl.research.spot_difference(plain, rl.Strategy.uniform(rl.sequence_form("kuhn")))
