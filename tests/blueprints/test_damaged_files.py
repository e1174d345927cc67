"""Damaged files: what is loaded is what was saved, or an error of ours names the file."""

import json
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.abstraction import _hand_map_files
from regretless.abstraction._hand_map import RoundMap
from regretless.blueprints import files
from regretless.cards import strengths
from regretless.core.errors import BadFile

GAME = "holdem_nolimit:ranks=4,suits=3,small_blind=1,stack=20,sizes=100%-a"
BY = "preflop=lossless,flop=percentile:8,turn=percentile:6,river=history:2"
HANDS = 40  # of a strength table with the real layout, which is too large to load often
LAYOUT = {"means": ((HANDS, 2), np.float32), "histograms": ((HANDS, strengths.BINS), np.uint16)}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A map, a blueprint and a strength table, in one folder."""
    place = tmp_path_factory.mktemp("saved")
    rl.abstraction.hand_map(GAME, BY, out=place / "a.map")
    rl.train_blueprint(
        GAME, place / "a.map", iterations=3, out=place / "a.strategy", keep_state=True
    )
    table = place / f"strengths-3-{strengths.VERSION}"
    table.mkdir()
    draw = np.random.default_rng(1)
    for name, (shape, kind) in LAYOUT.items():
        np.save(table / f"{name}.npy", draw.integers(0, 99, shape).astype(kind))
    strengths._finish(table, {"hands": HANDS})
    return place


def map_content(place):
    found = rl.abstraction.load_hand_map(place / "a.map")
    again = [RoundMap(one.index, one.count, one.labels, one.pairs).digest for one in found.rounds]
    return found.by, found.deal, found.counts, found.fingerprint, again


def blueprint_content(place):
    found = rl.research.load_blueprint(place / "a.strategy", map=place / "a.map")
    state = files.opened(place / "a.strategy").below("state.")
    tables = [table.tobytes() for two in found.tables for table in two]
    return found.about, tables, {name: vector.tobytes() for name, vector in state.items()}


def table_content(place):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(strengths, "_layout", lambda cards: LAYOUT)
        found = rl.cards.strength_table(3, folder=place)
    return found.means.tobytes(), found.histograms.tobytes()


CONTENTS = {"a.map": map_content, "a.strategy": blueprint_content, "strengths": table_content}


@st.composite
def damages(draw):
    """Cut a file, or flip some bits; places are shares of its length, or near its beginning."""
    place = st.one_of(st.floats(0, 1, exclude_max=True), st.integers(0, 2000))
    if draw(st.booleans()):
        return "cut", [(draw(place), 0)]
    flips = st.lists(st.tuples(place, st.integers(0, 7)), min_size=1, max_size=4)
    return "flip", draw(flips)


def damage(content, kind, places):
    for place, bit in places:
        at = int(place * len(content)) if isinstance(place, float) else place % len(content)
        if kind == "cut":
            return content[:at]
        content[at] ^= 1 << bit
    return content


@pytest.fixture(scope="module", params=CONTENTS)
def content(request, saved):
    """What is to be damaged, how it is loaded, and what it contains."""
    load = CONTENTS[request.param]
    return request.param, load, load(saved)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_the_same_content_or_an_error_that_names_the_file(saved, content, data):
    what, load, wanted = content
    names = [path.relative_to(saved) for path in sorted(saved.rglob("*")) if path.is_file()]
    chosen = data.draw(st.sampled_from([one for one in names if str(one).startswith(what)]))
    kind, places = data.draw(damages())
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "copy"
        shutil.copytree(saved, copy)
        spoilt = damage(bytearray((saved / chosen).read_bytes()), kind, places)
        (copy / chosen).write_bytes(spoilt)
        told = ""
        try:
            found = load(copy)
        except rl.RegretlessError as error:
            told = str(error)
        if told:  # names the file, or the folder of the map
            assert told.startswith(str(copy / chosen.parts[0]))
            assert "\n" not in told
        else:
            assert found == wanted


def test_no_bit_of_the_beginning_of_a_round_can_be_flipped(saved, tmp_path):
    """Random bits hardly ever hit the number of buckets, which stands there."""
    place = tmp_path / "a.map"
    shutil.copytree(saved / "a.map", place)
    deal = rl.abstraction.load_hand_map(place).deal
    path = place / "flop.json"
    text = path.read_bytes()
    for at in range(text.index(b"dealt")):
        for bit in range(8):
            path.write_bytes(damage(bytearray(text), "flip", [(at, bit)]))
            with pytest.raises(BadFile, match=r"flop\.json: "):
                _hand_map_files.read_round(place, "flop", deal)


@pytest.mark.parametrize("key", ["count", "dealt", "digest", "checksums", "recipe"])
def test_everything_that_is_read_of_a_round_is_covered(saved, tmp_path, key):
    shutil.copytree(saved / "a.map", tmp_path / "a.map")
    path = tmp_path / "a.map" / "flop.json"
    about = json.loads(path.read_text())
    other = {
        "count": about["count"] + 1,
        "dealt": [2, 1, 2],
        "digest": "0" * 64,
        "checksums": {},
        "recipe": {},
    }[key]
    path.write_text(json.dumps({**about, key: other}))
    with pytest.raises(BadFile, match=r"flop\.json: damaged: its checksum is wrong"):
        rl.abstraction.load_hand_map(tmp_path / "a.map")


def test_maps_of_the_first_format_are_read(saved, tmp_path):
    place = tmp_path / "a.map"
    shutil.copytree(saved / "a.map", place)
    for path in place.glob("*.json"):
        about = json.loads(path.read_text())
        del about["check"]
        path.write_text(json.dumps({**about, "format": "regretless hand map 1"}))
    wanted = rl.abstraction.load_hand_map(saved / "a.map").fingerprint
    assert rl.abstraction.load_hand_map(place).fingerprint == wanted
    rl.research.load_blueprint(saved / "a.strategy", map=place)
    about = json.loads((place / "flop.json").read_text())
    (place / "flop.json").write_text(json.dumps({**about, "count": about["count"] + 1}))
    with pytest.raises(BadFile, match=r"flop\.json: damaged: its digest is not that of its"):
        rl.abstraction.load_hand_map(place)
    (place / "flop.json").write_text(json.dumps({**about, "format": "regretless hand map 3"}))
    with pytest.raises(BadFile, match=f"must be '{_hand_map_files.FORMAT}': rebuild the map"):
        rl.abstraction.load_hand_map(place)
