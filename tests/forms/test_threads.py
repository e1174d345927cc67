"""Solvers in several threads on one form, and arrays that do not belong to it."""

import threading
from itertools import pairwise

import numpy as np
import pytest

import regretless as rl
from regretless.core.errors import BadParameter, TooLarge
from regretless.forms.form import require_kernel_arguments
from regretless.forms.public import public_form
from regretless.forms.treeplex import MOST_SEQUENCES, require_numbers
from regretless.solvers._catalog import solver

METHODS = ("cfr+", "dcfr", "pcfr+", "hedge")


def in_threads(works):
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("make", [rl.sequence_form, public_form])
def test_two_solvers_on_one_form_do_not_disturb_each_other(make):
    """Kernels release the GIL: sweeps of several threads run at the same time."""
    form = make("leduc")
    alone = [solver(method, form) for method in METHODS]
    for one in alone:
        one.step(200)
    together = [solver(method, form) for method in METHODS]
    in_threads([lambda one=one: [one.step(20) for _ in range(10)] for one in together])
    for one, other in zip(alone, together, strict=True):
        np.testing.assert_array_equal(one.behaviour(), other.behaviour())


def test_scratch_belongs_to_a_thread():
    form = rl.sequence_form("kuhn")
    seen = []
    in_threads([lambda: seen.append(form._scratch.playing.plan)] * 2)
    seen.append(form._scratch.playing.plan)
    assert not any(np.shares_memory(a, b) for a, b in pairwise(seen))
    assert form._scratch.playing.plan is seen[-1]  # kept from sweep to sweep


KINDS = (np.uint8, np.uint16, np.int16, np.int64, np.float16, np.float32, np.float64, bool, complex)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("off", [-1, 1, None])
def test_no_array_of_the_wrong_size_reaches_a_kernel(kind, off):
    for form in (public_form("kuhn"), public_form("kuhn", precision="single")):
        size = int(form.layout.roots[-1])
        wrong = np.zeros(3 if off is None else size + off, kind)
        for ask in (form.action_values, form.respond, form.root_values):
            with pytest.raises(BadParameter, match="contiguous floats"):
                ask(0, wrong)
        with pytest.raises(BadParameter, match="contiguous floats"):
            form.gradient(0, wrong, np.zeros(size))
        running = solver("cfr+", form)
        average = running.memory._replace(average=wrong)
        with pytest.raises(BadParameter, match="contiguous floats"):
            form.respond_to_average(0, running.learner, average)


def test_whole_numbers_are_a_behaviour_only_where_kernels_read_them():
    roots = np.array([0, 3])
    require_kernel_arguments(roots, 0, np.zeros(3, np.uint16), whole=np.uint16)
    kinds = (np.zeros((1, 3), np.uint16), np.zeros(3, ">u2"), np.zeros(3, np.uint32))
    for wrong in (*kinds, np.zeros(4, np.uint16), np.zeros(6, np.uint16)[::2]):
        with pytest.raises(BadParameter, match="contiguous floats"):
            require_kernel_arguments(roots, 0, wrong, whole=np.uint16)
    form = public_form("kuhn")  # in double precision: no kernel reads whole numbers there
    with pytest.raises(BadParameter, match="contiguous floats"):
        form.action_values(0, np.zeros(int(form.layout.roots[-1]), np.uint16))


def test_sequence_numbers_do_not_wrap():
    require_numbers(np.array([0, MOST_SEQUENCES]))
    with pytest.raises(TooLarge, match=r"vast has 2,147,483,648 sequences: must be at most"):
        require_numbers(np.array([0, 5, MOST_SEQUENCES + 1]), "vast")


def test_large_forms_are_refused_before_their_numbers_wrap(monkeypatch):
    monkeypatch.setattr("regretless.forms.treeplex.MOST_SEQUENCES", 20)
    with pytest.raises(TooLarge, match="26 sequences"):
        rl.sequence_form("kuhn")
    with pytest.raises(TooLarge, match="kuhn has 26 sequences"):
        public_form("kuhn").plex  # noqa: B018
    with pytest.raises(TooLarge, match="sequences"):
        public_form("kuhn").expanded()


def test_points_of_a_large_public_form_have_64_bits(monkeypatch):
    small = list(public_form("kuhn").points(0))
    monkeypatch.setattr("regretless.forms.public_points.MOST_SEQUENCES", 20)
    large = public_form("kuhn")
    for one, other in zip(small, large.points(0), strict=True):
        assert (one.sequences.dtype, other.sequences.dtype) == (np.int32, np.int64)
        np.testing.assert_array_equal(one.sequences, other.sequences)
    assert large.find(0, small[0].label).sequences.dtype == np.int64


@pytest.mark.parametrize("make", [rl.sequence_form, public_form])
@pytest.mark.parametrize("method", METHODS)
def test_a_memory_is_as_long_as_the_form(make, method):
    form = make("kuhn")
    running = solver(method, form)

    def sweep(**spoilt):
        memory = running.memory._replace(**spoilt)
        form.sweep(running.learner, memory, np.zeros((1, 4)), False)

    for name, vector in running.memory._asdict().items():
        strided = np.zeros(2 * vector.size, vector.dtype)[::2]
        wrong = [np.zeros(3), np.zeros((2, 2)), [0.0] * vector.size, None]
        for other in [*wrong, strided] if vector.size else wrong:
            with pytest.raises(BadParameter, match=rf"{name} of .*: must be 26 contiguous numbers"):
                sweep(**{name: other})
        fixed = vector.copy()
        fixed.flags.writeable = False
        with pytest.raises(BadParameter, match="is read-only"):
            sweep(**{name: fixed})


@pytest.mark.parametrize("make", [rl.sequence_form, public_form])
def test_results_are_not_written_to_what_is_read_only(make):
    form = make("kuhn")
    behaviour, fixed = np.full(26, 0.5), np.zeros(26)
    fixed.flags.writeable = False
    for ask in (form.gradient, form.respond):
        with pytest.raises(BadParameter, match="is read-only"):
            ask(0, behaviour, fixed)
    for answer in ([0.0] * 26, np.zeros(25), np.zeros(26, int)):
        with pytest.raises(BadParameter):
            form.respond(0, behaviour, answer)
