"""What every maker of abstractions owes: found in the folder, tried on several games."""

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._catalog import maker, maker_names
from regretless.core.errors import RegretlessError, Unsuitable
from regretless.core.specs import parameters
from regretless.runs.solve import solve

POKER = [
    "kuhn:ranks=5",
    "leduc",
    "leduc:ranks=5,suits=3",
    "leduc:suits_distinct=true",
    "rhode_island:ranks=3,suits=2,cap=1",
]
OTHERS = {"strategy-based": ["goofspiel:cards=3", "liars_dice:faces=2", "rps"]}
COARSE = {"strategy-based": "strategy-based:cells=1,iterations=10", "binning": "binning:bins=2"}


@pytest.fixture(scope="module")
def forms():
    return {spec: rl.sequence_form(spec) for spec in POKER}


@pytest.mark.parametrize("name", maker_names())
@pytest.mark.parametrize("spec", POKER)
def test_every_maker_keeps_its_promises(name, spec, forms, tmp_path):
    full = forms[spec]
    abstraction = rl.abstract(full, COARSE.get(name, name))
    form = abstraction.form()
    before, after = abstraction.sizes
    assert after == form.sizes
    assert all(a <= b for a, b in zip(after.sequences, before.sequences, strict=True))
    # Same input, same cells.
    again = rl.abstract(full, COARSE.get(name, name))
    assert again.form().fingerprint() == form.fingerprint()
    # A lifted strategy earns in the full game what it earns in the abstract one.
    solution = solve(full, abstraction=abstraction, iterations=20)
    about = solution.details["abstraction"]
    assert solution.form is full
    solution.strategy.check()
    if abstraction.is_merged:
        assert about["values"] == pytest.approx(solution.values, abs=1e-9)
        assert solution.exploitability >= about["exploitability"] - 1e-9
    # What is saved is what was made.
    abstraction.save(tmp_path / "map.json")
    read = rl.abstraction.load_abstraction(tmp_path / "map.json", game=full)
    assert read.by == abstraction.by
    assert read.form().fingerprint() == form.fingerprint()


@pytest.mark.parametrize("name", maker_names())
@pytest.mark.parametrize("spec", ["goofspiel:cards=3", "liars_dice:faces=2", "rps"])
def test_other_games_are_abstracted_or_refused_in_one_line(name, spec):
    if spec in OTHERS.get(name, []):
        abstraction = rl.abstract(spec, COARSE.get(name, name))
        solution = solve(spec, abstraction=abstraction, iterations=20)
        assert solution.details["abstraction"]["values"] == pytest.approx(solution.values)
        assert sum(abstraction.sizes[1].sequences) <= sum(abstraction.sizes[0].sequences)
        return
    with pytest.raises(Unsuitable, match=r"^[^\n]*is not a poker game[^\n]*$"):
        rl.abstract(spec, name)


@pytest.mark.parametrize("name", maker_names())
def test_parameters_out_of_range_are_refused(name):
    for key, parameter in parameters(maker(name)).items():
        if parameter.annotation in (int, "int", float, "float"):
            with pytest.raises(RegretlessError, match=key):
                rl.abstract("kuhn", f"{name}:{key}=-1")


@pytest.mark.parametrize("spec", POKER)
def test_a_lossless_abstraction_loses_nothing(spec, forms):
    abstraction = rl.abstract(forms[spec], "lossless")
    assert abstraction.is_lossless
    solution = solve(forms[spec], abstraction=abstraction, iterations=100)
    there = solution.details["abstraction"]["exploitability"]
    assert solution.exploitability == pytest.approx(there, abs=1e-9)


def test_the_slides_partitions_lose_something():
    for by in ("JQ.K", "J.Q.K", "JQK-full"):
        assert rl.abstract("leduc", by).is_lossless is False
    assert rl.abstract("leduc", "full").is_lossless
    assert rl.abstract("leduc", "strategy-based").is_lossless is None


def test_the_same_cells_for_equal_cards_whatever_the_deck_calls_suits(forms):
    for by in ("binning:bins=2", "percentile:buckets=2", "gameshrink", "lossless"):
        one = rl.abstract(forms["leduc"], by)
        two = rl.abstract(forms["leduc:suits_distinct=true"], by)
        assert one.classes == two.classes, by
        assert np.array_equal(one.form().sizes.sequences, two.form().sizes.sequences)
