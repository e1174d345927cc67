"""Blueprints: tables, files, and runs that continue exactly."""

import signal
from dataclasses import replace

import numpy as np
import pytest

import regretless as rl
from regretless.abstraction._composition import hand_map
from regretless.blueprints import training
from regretless.blueprints.blueprint import packed
from regretless.blueprints.files import is_blueprint, load_blueprint, save_blueprint

SMALL = "holdem_nolimit:ranks=4,suits=3,stack=600,sizes=100%-a"
LOSSLESS = "preflop=lossless,flop=lossless,turn=lossless,river=lossless"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("maps") / "small.map"
    hand_map(SMALL, LOSSLESS, out=place)
    return place


@pytest.fixture(scope="module")
def blueprint(folder):
    return rl.train_blueprint(SMALL, folder, iterations=20, seed=5)


def test_columns_of_decisions_fill_the_tables(blueprint):
    seen = [[np.zeros(width, int) for width in two] for two in blueprint.tree.widths]
    for one in blueprint.tree.decisions:
        seen[one.round][one.player][one.columns] += 1
    assert all((part == 1).all() for two in seen for part in two)


def test_probabilities_are_a_row_of_the_table(blueprint):
    board = "QdJhQs"
    betting = "cc/"
    row = blueprint.map.of("AdKh", board)
    got = blueprint.probabilities(betting, "AdKh", board)
    np.testing.assert_array_equal(got, blueprint.table(betting)[row])
    assert got.sum() == pytest.approx(1)
    # later board cards are not known yet
    np.testing.assert_array_equal(got, blueprint.probabilities(betting, "AdKh", board + "As"))


def test_numbers_are_proportional_to_sums(blueprint):
    tree = blueprint.tree
    sums = np.random.default_rng(1).random((3, tree.widths[0][1]))
    sums[2] = 0
    first = tree.find("").columns
    made = packed(tree, 0, 1, sums)[:, first]
    np.testing.assert_allclose(
        made[:2] / 65535, sums[:2, first] / sums[:2, first].sum(1)[:, None], atol=0.501 / 65535
    )
    assert (made[2] == 0).all()


def test_unknown_betting_and_short_boards_are_refused(blueprint):
    with pytest.raises(rl.RegretlessError, match=r"legal actions are fold, call"):
        blueprint.table("r250")
    with pytest.raises(rl.RegretlessError, match=r"'f': the hand is over"):
        blueprint.table("f")
    with pytest.raises(rl.RegretlessError, match="board of 0 cards: betting 'cc/' needs 3"):
        blueprint.probabilities("cc/", "AdKh")


def test_a_saved_blueprint_is_the_same(blueprint, folder, tmp_path):
    path = tmp_path / "small.strategy"
    save_blueprint(path, blueprint)
    found = load_blueprint(path)
    assert is_blueprint(path)
    assert found.about == blueprint.about
    assert found.map.fingerprint == blueprint.map.fingerprint
    for mine, theirs in zip(found.tables, blueprint.tables, strict=True):
        for one, two in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, two)


def test_damage_and_other_maps_are_refused(blueprint, tmp_path):
    path = tmp_path / "small.strategy"
    save_blueprint(path, blueprint)
    other = hand_map("holdem_nolimit:ranks=5,suits=3", LOSSLESS)
    with pytest.raises(rl.RegretlessError, match="made with another map"):
        load_blueprint(path, map=other)
    content = bytearray(path.read_bytes())
    path.write_bytes(content[:-10])
    with pytest.raises(rl.RegretlessError, match="damaged"):
        load_blueprint(path)
    content[-10] ^= 1
    path.write_bytes(content)
    with pytest.raises(rl.RegretlessError, match=r"a checksum of .* is wrong"):
        load_blueprint(path)


def test_a_map_that_is_gone_is_asked_for(blueprint, tmp_path):
    path = tmp_path / "small.strategy"
    about = {**blueprint.about, "map": {**blueprint.about["map"], "path": "gone.map"}}
    save_blueprint(path, replace(blueprint, about=about))
    with pytest.raises(rl.RegretlessError, match=r"neither at gone.map nor beside the file"):
        load_blueprint(path)
    assert load_blueprint(path, map=blueprint.map).about == about


def test_a_run_in_pieces_is_the_same_run(blueprint, folder, tmp_path):
    path = tmp_path / "pieces.strategy"
    rl.train_blueprint(SMALL, folder, iterations=7, seed=5, out=path, keep_state=True)
    with pytest.raises(rl.RegretlessError, match="made with seed 5: it cannot continue with 6"):
        rl.train_blueprint(resume=path, iterations=20, seed=6)
    whole = rl.train_blueprint(resume=path, iterations=20)
    assert whole.about["iterations"] == 20
    for mine, theirs in zip(whole.tables, blueprint.tables, strict=True):
        for one, two in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, two)
    with pytest.raises(rl.RegretlessError, match="no state of training"):
        rl.train_blueprint(resume=path, iterations=30)


def test_a_state_with_other_columns_names_its_file(folder, tmp_path, monkeypatch):
    path = tmp_path / "older.strategy"
    rl.train_blueprint(SMALL, folder, iterations=1, out=path, keep_state=True)
    monkeypatch.setattr(training, "LAYOUT_VERSION", 999)
    with pytest.raises(rl.RegretlessError, match=r"older\.strategy: .*columns in another order"):
        rl.train_blueprint(resume=path, iterations=2)


def test_ctrl_c_keeps_the_work(blueprint, folder, tmp_path):
    path, seen = tmp_path / "stopped.strategy", []

    def press(progress):
        if progress.stage == "training" and not seen:
            seen.append(progress.iteration)
            signal.raise_signal(signal.SIGINT)

    stopped = rl.train_blueprint(SMALL, folder, iterations=20, seed=5, out=path, listen=press)
    assert stopped.about["stop"] == "interrupted"
    assert stopped.about["iterations"] < 20
    whole = rl.train_blueprint(resume=path)  # with the limit of the first run
    assert whole.about["iterations"] == 20
    np.testing.assert_array_equal(whole.tables[3][1], blueprint.tables[3][1])


def test_checkpoints_are_whole_files(folder, tmp_path):
    path, seen = tmp_path / "checked.strategy", []

    def look(progress):
        if path.exists():
            seen.append(load_blueprint(path).about["iterations"])

    options = {"iterations": 12, "seed": 5, "checkpoint_s": 1e-9}
    rl.train_blueprint(SMALL, folder, out=path, listen=look, **options)
    assert seen
    assert seen == sorted(seen)


def test_a_pruned_run_in_pieces_is_the_same_run(folder, tmp_path):
    path = tmp_path / "pruned.strategy"
    options = {"method": "public-chance-sampling:prune=-0.1,explore=0.4", "seed": 5}
    whole = rl.train_blueprint(SMALL, folder, iterations=12, **options)
    rl.train_blueprint(SMALL, folder, iterations=5, out=path, keep_state=True, **options)
    with pytest.raises(rl.RegretlessError, match=r"was made with method .*prune=-0\.1"):
        rl.train_blueprint(resume=path, iterations=12, method="public-chance-sampling")
    pieces = rl.train_blueprint(resume=path, iterations=12)
    for mine, theirs in zip(whole.tables, pieces.tables, strict=True):
        for one, two in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, two)


def test_a_run_with_nothing_to_do_loses_nothing(folder, tmp_path):
    path = tmp_path / "kept.strategy"
    rl.train_blueprint(SMALL, folder, iterations=4, out=path, keep_state=True)
    assert rl.train_blueprint(resume=path, iterations=2).about["iterations"] == 4
    assert rl.train_blueprint(resume=path, iterations=6).about["iterations"] == 6


@pytest.mark.parametrize("limit", [{"iterations": 0}, {"seconds": 0}])
def test_a_limit_of_nothing_is_refused(folder, limit):
    with pytest.raises(rl.RegretlessError, match="must be"):
        rl.train_blueprint(SMALL, folder, **limit)
