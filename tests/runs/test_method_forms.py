"""A method that does not fit a game is refused, and the message names methods that do."""

import pytest

import regretless as rl
from regretless.core.errors import ImperfectRecall, TooLarge, Unsuitable

FORGETTING = "percentile:buckets=2,recall=false"


@pytest.mark.parametrize(
    ("game", "method", "error", "message"),
    [
        ("rps", "public-chance-sampling", Unsuitable, "not a poker game.*that do not: cfr, cfr"),
        ("rhode_island", "lp", TooLarge, "lp enumerates the game, methods that do not: cfr, cfr"),
        ("leduc", "tabu", TooLarge, "without a normal form: lp, double-oracle, lcp, cfr, cfr"),
        ("leduc", "normal-lp", TooLarge, "without a normal form: lp, double-oracle, lcp, cfr"),
        ("kuhn:players=3", "tabu", TooLarge, "at most 20,000; methods without a normal form: cfr"),
        ("kuhn:players=3", "egt", Unsuitable, r"two-player zero-sum.*3 players; .*: cfr, cfr\+,"),
        ("prisoners_dilemma", "egt", Unsuitable, "not zero-sum; .* lcp, lemke-howson, mip-nash"),
    ],
)
def test_what_a_method_cannot_solve(game, method, error, message):
    with pytest.raises(error, match=message):
        rl.solve(game, method=method, iterations=1)
    with pytest.raises(error, match=message):
        rl.compare(game, [method], iterations=1)


@pytest.mark.parametrize("method", ["egt", "lp", "fictitious-play", "cfr-br"])
def test_methods_that_need_perfect_recall(method):
    message = f"method {method} needs perfect recall: .*; methods that do not: cfr, cfr"
    with pytest.raises(ImperfectRecall, match=message):
        rl.solve("leduc", method=method, iterations=1, abstraction=FORGETTING)


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("double-oracle", "methods that do not enumerate it: cfr, cfr"),
        ("outcome-sampling", "neither shared cells nor leaves; methods that do: cfr, cfr"),
    ],
)
def test_methods_that_do_not_support_shared_cells(method, message):
    with pytest.raises(Unsuitable, match=message):
        rl.solve("leduc", method=method, iterations=1, abstraction=FORGETTING)


def test_methods_that_are_named_solve_what_others_refuse():
    names = ("cfr", "cfr+", "dcfr", "dcfr+")
    for method in names:
        assert rl.solve("leduc", method=method, iterations=1, abstraction=FORGETTING)
    with pytest.raises(ImperfectRecall, match=r"cfr, cfr\+, dcfr, dcfr\+, …$"):
        rl.solve("leduc", method="egt", abstraction=FORGETTING)


def test_hold_em_that_is_too_large_suggests_spots_instead_of_methods():
    with pytest.raises(TooLarge, match="solve a spot") as refused:
        rl.solve("holdem_limit", method="lp")
    assert "methods that do not" not in str(refused.value)
