"""16, 32 and 64 bits a number: the same game, the same solution within rounding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretless as rl
from regretless.core.array_files import Arrays
from regretless.core.errors import BadParameter, Unsuitable
from regretless.evaluation.exploitability import Evaluation, measured
from regretless.forms.form import behaviour_of, own, plan_of, size
from regretless.forms.precision import Precision
from regretless.forms.public import public_form
from regretless.kernels import compact_regrets, regret_matching
from regretless.kernels.compact_regrets import CompactMatching, CompactRegrets
from regretless.kernels.learner import Decisions, recall, remember
from regretless.kernels.regret_matching import RegretMatching, Regrets
from regretless.solvers._catalog import solver
from regretless.strategy import compact, files
from regretless.strategy.compact import STRATEGY
from regretless.strategy.strategy import Strategy

TURN = rl.spot(
    board="Ks8h5d3c",
    pot=100,
    stack=150,
    ranges={"oop": "AA,KQs,88,76s", "ip": "QQ-JJ,A5s,T9s"},
    bets="75%",
    raises="a",
)


def solved(precision: str, iterations: int, threads: int = 1):
    found = solver("dcfr:gamma=4", public_form(TURN.game, precision=precision, threads=threads))
    found.step(iterations)
    return found


@pytest.mark.parametrize("precision", ["single", "compact"])
def test_looks_without_writing_out_are_those_of_the_strategy(precision):
    found = solved(precision, 7)
    told = Evaluation(*zip(*found.judged(), strict=True))
    written = measured(Strategy.trusted(found.form, found.behaviour()))
    assert told.values == pytest.approx(written.values, abs=1e-3)
    assert told.best_responses == pytest.approx(written.best_responses, abs=1e-3)


def test_what_is_no_spot_is_judged_in_double_precision():
    """Scratch in single precision has no room for best responses there."""
    form = public_form("leduc", precision="single")
    found = solver("dcfr", form)
    *_, report = rl.run(found, until=rl.Limits(iterations=20))
    exact = solver("dcfr", public_form("leduc"))
    exact.step(20)
    twin = measured(Strategy(exact.form, exact.behaviour()))
    assert report.evaluation.values == pytest.approx(twin.values, abs=0.01)
    assert report.evaluation.best_responses == pytest.approx(twin.best_responses, abs=0.01)
    other = solver("hedge", form)
    assert other.judged() is None
    with pytest.raises(Unsuitable, match="evaluated in float64 only"):
        form.respond_to_average(0, other.learner, other.memory)


def test_strategies_in_single_precision_are_read_as_they_are():
    """A copy in double precision would be the largest array of a run on Rhode Island."""
    running = solver("dcfr", public_form("leduc", precision="single"))
    running.step(5)
    form, behaviour = running.form, running.behaviour()
    assert behaviour.dtype == np.float32
    answer, twin = behaviour.copy(), behaviour.astype(float)
    for player in range(2):
        # Probabilities in single precision add up to one only nearly; averages do exactly.
        exact = form.respond(player, behaviour.astype(float), twin)
        assert form.respond(player, behaviour, answer) == pytest.approx(exact, abs=1e-6)
        assert running.judged()[player] == pytest.approx(exact, abs=1e-6)
        assert (
            form.respond_to_average(player, running.learner, running.memory)
            == (running.judged()[player])
        )
    assert answer == pytest.approx(twin, abs=1e-7)
    assert form._singles(0, behaviour, np.empty(0)).playing.average is behaviour


def test_a_finished_run_frees_the_scratch_of_its_form():
    form = public_form("leduc", precision="single")
    solution = rl.solve(form, method="dcfr", iterations=5)
    assert not form._sweepers
    assert rl.evaluate(solution.strategy).values == pytest.approx(solution.evaluation.values)


def test_averages_that_nearly_vanish_are_forgotten_not_divided_by():
    """A tiny share of a tiny average has an infinite inverse in single precision."""
    average = np.array([1e-39, 0, 3e-38, 1e-38, 0.2, 0.6], np.float32)  # [action][lane]
    learner, none = RegretMatching(0, 0, 0, 0.5, 0), np.empty(0, np.float32)
    memory, out = Regrets(none, none, average), np.empty(6, np.float32)
    recall(learner, memory, Decisions(0, 2, 3, 0), out)
    assert out == pytest.approx([0.5, 0, 0, 0.5, 1, 1])
    remember(learner, memory, Decisions(0, 2, 3, 0), np.zeros(6, np.float32))
    assert average == pytest.approx([0, 0, 0, 0, 0.1, 0.3], abs=0)


def test_weights_that_grow_fast_do_not_spoil_averages_in_single_precision():
    running = solver("dcfr:gamma=20", public_form("leduc", precision="single"))
    running.step(300)
    found = measured(Strategy.trusted(running.form, running.behaviour()))
    assert found.exploitability < 0.01


def test_precisions_agree_within_rounding():
    exact, single, small = (solved(name, 60) for name in ("double", "single", "compact"))
    gains = [measured(Strategy.trusted(s.form, s.behaviour())).exploitability for s in (exact,)]
    for other in (single, small):
        strategy = Strategy.trusted(other.form, other.behaviour())
        assert measured(strategy).exploitability == pytest.approx(gains[0], abs=0.05)
        # Plans, because 16 bits forget what a line is worth that is hardly ever reached.
        plan = plan_of(other.form, strategy.behaviour)
        assert plan == pytest.approx(plan_of(exact.form, exact.behaviour()), abs=0.02)
    assert measured(Strategy.trusted(small.form, small.behaviour())).exploitability < 1.0
    assert small.memory.regret.dtype == np.int16
    assert small.memory.average.dtype == np.uint16


def test_compact_runs_go_on_where_they_stopped_on_any_number_of_threads():
    whole, first = solved("compact", 9), solved("compact", 4, threads=3)
    second = solver("dcfr:gamma=4", public_form(TURN.game, precision="compact"))
    second.restore({name: vector.copy() for name, vector in first.state().items()})
    second.step(5)
    for name, vector in whole.state().items():
        assert np.array_equal(second.state()[name], vector), name


def test_what_is_taken_where_nothing_is_said():
    assert public_form("leduc").precision == "double"
    assert public_form(TURN.game).precision == "single"
    with pytest.raises(BadParameter, match="precision=half"):
        public_form("leduc", precision="half")
    assert tuple(Precision) == ("compact", "single", "double")
    sizes = [public_form(TURN.game, precision=name).number_bytes for name in Precision]
    assert sizes == [2, 4, 8]


def test_compact_numbers_need_a_hand_on_every_board():
    spot = rl.spot(board="Ks8h5d", pot=10, stack=10, ranges={"oop": "AsAh", "ip": "KhKd"}, bets="a")
    with pytest.raises(Unsuitable, match="hands on every board"):
        public_form(spot.game, precision="compact")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_sixteen_bits_are_the_numbers_rounded(data):
    lanes, actions = data.draw(st.integers(1, 20)), data.draw(st.integers(2, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    count, base = lanes * actions, lanes
    size = base + count + 3
    whole = rng.integers(-32_767, 32_768, size).astype(np.int16)
    mean = rng.integers(0, 65_536, size).astype(np.uint16)
    scales = rng.uniform(0.1, 2.0, (2, size)).astype(np.float32)
    small = CompactRegrets(whole.copy(), scales[0].copy(), mean.copy(), scales[1].copy())
    place = base >> lanes.bit_length() - 1
    numbers = Regrets(whole * scales[0, place], np.empty(0, np.float32), mean * scales[1, place])
    learner = CompactMatching(0.9, 0.5, 0.25, lanes.bit_length() - 1)
    plain = RegretMatching(0.9, 0.5, 0.0, 0.25, 0.0)
    q = (rng.normal(size=count) * 1e4).astype(np.float32)
    value, played = q[:lanes] * 0.5, rng.random(count).astype(np.float32) * 1e4
    for learns, memory, module in (
        (learner, small, compact_regrets),
        (plain, numbers, regret_matching),
    ):
        where = Decisions(base, actions, lanes, 0)
        module.observe(learns, memory, where, q.copy(), value)
        remember(learns, memory, where, played.copy())
    mine = slice(base, base + count)
    regret = small.regret[mine] * small.regret_scale[place]
    nearest = 0.51  # of a unit: truncation is off by up to one
    assert regret == pytest.approx(
        numbers.regret[mine], abs=nearest * float(small.regret_scale[place])
    )
    average = small.average[mine] * small.average_scale[place]
    assert average == pytest.approx(
        numbers.average[mine], abs=nearest * float(small.average_scale[place])
    )
    assert abs(small.regret[mine]).max() == 32_767
    assert np.array_equal(small.regret[:base], whole[:base])  # nothing else is touched
    assert np.array_equal(small.regret[base + count :], whole[base + count :])
    out, there = np.empty(count, np.float32), np.empty(count, np.float32)
    recall(learner, small, where, out)
    recall(plain, numbers, where, there)
    assert out == pytest.approx(there, abs=1e-3)


def test_probabilities_in_a_file_are_the_nearest_of_sixteen_bits():
    form = public_form("leduc")
    behaviour = behaviour_of(form, np.random.default_rng(0).random(size(form)))
    for player, numbers in enumerate(compact.packed(form, behaviour)):
        exact = behaviour[own(form, player)]
        assert numbers / 65_535 == pytest.approx(exact, rel=0, abs=0.501 / 65_535)


def test_files_of_compact_runs_have_the_average_once_and_go_on_exactly(tmp_path):
    path, form = tmp_path / "x.strategy", public_form(TURN.game, precision="compact")
    whole = rl.solve(form, method="dcfr:gamma=4", iterations=9, keep_state=True)
    first = rl.solve(form, method="dcfr:gamma=4", iterations=4, keep_state=True, out=path)
    names = Arrays(path, STRATEGY).names
    assert "state.regret" in names
    assert "state.average" not in names
    kept = files.read(path)
    assert np.array_equal(kept.state["average"], first.state["average"])
    assert kept.strategy(form).behaviour == pytest.approx(first.strategy.behaviour, abs=1e-6)
    second = rl.solve(form, resume=path, iterations=9, keep_state=True)
    for name, vector in whole.state.items():
        assert np.array_equal(second.state[name], vector), name
    last = rl.solve(form, method="dcfr:gamma=4", iterations=9, out=path)
    assert not any(name.startswith("state.") for name in Arrays(path, STRATEGY).names)
    assert last.strategy == whole.strategy


def test_checkpoints_of_compact_runs_change_nothing(tmp_path):
    form = public_form(TURN.game, precision="compact")
    plain = rl.solve(form, method="dcfr:gamma=4", iterations=20)
    often = rl.solve(
        form, method="dcfr:gamma=4", iterations=20, out=tmp_path / "x.strategy", checkpoint_s=1e-9
    )
    assert often.strategy == plain.strategy
    assert often.evaluation == plain.evaluation


def test_numbers_that_are_all_zero_are_played_uniformly():
    rows = compact.normalised(np.array([[0, 3], [0, 1]], np.uint16))
    assert rows.tolist() == [[0.5, 0.75], [0.5, 0.25]]


def test_memory_is_counted_as_it_is_taken():
    form = public_form(TURN.game, threads=2)
    form.gradient(0, np.ones(int(form.layout.roots[-1])), np.zeros(int(form.layout.roots[-1])))
    solver("dcfr", form).step(1)
    sweeper = form._sweepers[np.float32]
    taken = _bytes(sweeper, set()) + _bytes(form.layout, set())
    assert form.memory_bytes == pytest.approx(taken, rel=0.5)
    assert form.memory_bytes > public_form(TURN.game, threads=1).memory_bytes


def _bytes(value, seen) -> int:
    """Of all arrays that are reached from here."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return value.nbytes if value.base is None else _bytes(value.base, seen)
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list | tuple):
        inner = vars(value).values() if hasattr(value, "__dict__") else ()
    return sum(_bytes(one, seen) for one in list(inner))
