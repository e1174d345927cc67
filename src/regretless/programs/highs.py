"""HiGHS in a thread of its own, with progress reports and early termination.

Simplex and interior point call back many times a second to ask whether to continue. The
first-order method (PDLP) has no such callback: it runs for some iterations at a time, each time
from where it stopped."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from regretless.core import memory
from regretless.core.arrays import Floats
from regretless.core.errors import BadParameter, Interrupted, Unsolved
from regretless.core.interrupts import interrupted, seconds_left

if TYPE_CHECKING:
    from scipy import sparse

TIGHT = {  # tolerances for answers that are checked to nine digits
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}
WAIT_S = 0.1  # between two progress reports
SLICE_S = 0.5  # of the first-order method, which cannot be interrupted in between
SIMPLEX_ENTRIES = 30_000  # beyond, interior point is faster (docs/measurements/normal_form.md)
INTERIOR_ENTRIES = 3_000_000  # beyond, its factors take gigabytes


_LOCAL = threading.local()


class Infeasible(Unsolved):
    """HiGHS has proved that no point fulfils all rows."""


class Algorithm(StrEnum):
    """How HiGHS solves a linear program."""

    AUTO = "auto"  # by the number of entries
    SIMPLEX = "simplex"
    INTERIOR = "ipm"  # interior point, then crossover to a vertex
    FIRST_ORDER = "pdlp"  # little memory; accurate to a few digits only

    @classmethod
    def named(cls, name: str) -> Algorithm:
        """The algorithm of this name."""
        try:
            return cls(name)
        except ValueError:
            raise BadParameter(f"algorithm={name}: must be one of {', '.join(cls)}") from None

    def for_entries(self, entries: int) -> Algorithm:
        """What `auto` chooses for a program with this many entries."""
        if self is not Algorithm.AUTO:
            return self
        if entries <= SIMPLEX_ENTRIES:
            return Algorithm.SIMPLEX
        return Algorithm.INTERIOR if entries <= INTERIOR_ENTRIES else Algorithm.FIRST_ORDER


def model(
    matrix: sparse.spmatrix | Floats,
    cost: Floats,
    columns: tuple[Floats, Floats],
    rows: tuple[Floats, Floats],
    integer: Floats | None = None,
) -> Any:
    """Maximise cost subject to bounds (lower, upper) of columns and of rows, as HiGHS reads it.

    Columns with a 1 in `integer` are integer."""
    import highspy

    lp = highspy.HighsLp()
    lp.num_row_, lp.num_col_ = matrix.shape
    lp.col_cost_ = cost
    lp.col_lower_, lp.col_upper_ = columns
    lp.row_lower_, lp.row_upper_ = rows
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    if isinstance(matrix, np.ndarray):
        at = np.nonzero(matrix.T)
        counts = np.bincount(at[0], minlength=matrix.shape[1])
        lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(counts)])
        lp.a_matrix_.index_, lp.a_matrix_.value_ = at[1], matrix.T[at]
    else:
        entries = matrix.tocsc()
        lp.a_matrix_.start_, lp.a_matrix_.index_ = entries.indptr, entries.indices
        lp.a_matrix_.value_ = entries.data
    lp.sense_ = highspy.ObjSense.kMaximize
    if integer is not None:
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[int(one)] for one in integer]
    return lp


class Blocks:
    """A program in blocks of columns and of rows, which name the blocks of columns they need."""

    def __init__(self) -> None:
        self._columns: list[tuple[int, tuple[Any, ...]]] = []  # of a block: how many, and what
        self._rows: list[tuple[Mapping[int, Any], Any, Any]] = []

    def columns(
        self,
        count: int,
        low: Floats | float = 0.0,
        high: Floats | float = np.inf,
        *,
        gain: Floats | float = 0.0,
        integer: bool = False,
    ) -> int:
        """More columns, which may be from low to high; the number of the block."""
        self._columns.append((count, (low, high, gain, float(integer))))
        return len(self._columns) - 1

    def rows(self, parts: Mapping[int, Any], low: Floats | float, high: Floats | float) -> None:
        """More rows: the sum of these matrices, each times its block of columns."""
        self._rows.append((parts, low, high))

    def model(self) -> Any:
        """The program that maximises what the columns gain, as HiGHS reads it."""
        from scipy import sparse

        counts = [count for count, _ in self._columns]
        given = zip(*(what for _, what in self._columns), strict=True)
        low, high, gain, integer = (_repeated(each, counts) for each in given)
        heights = [next(iter(parts.values())).shape[0] for parts, _, _ in self._rows]
        lows = _repeated([low for _, low, _ in self._rows], heights)
        highs = _repeated([high for _, _, high in self._rows], heights)
        grid = [
            [parts.get(k, sparse.csr_matrix((height, count))) for k, count in enumerate(counts)]
            for (parts, _, _), height in zip(self._rows, heights, strict=True)
        ]
        matrix = sparse.bmat(grid, format="csc")
        whole = integer if integer.any() else None
        return model(matrix, gain, (low, high), (lows, highs), whole)


def _repeated(values: Iterable[Floats | float], counts: Sequence[int]) -> Floats:
    """One number per entry, of numbers for whole blocks or for their entries."""
    pairs = zip(values, counts, strict=True)
    return np.concatenate([np.broadcast_to(value, count) for value, count in pairs]).astype(float)


def optimum(program: Any) -> Floats | None:
    """The optimal columns of a small linear program, if it has a solution."""
    import highspy

    highs = getattr(_LOCAL, "highs", None)  # creating one takes longer than solving a small program
    if highs is None:
        highs = _LOCAL.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in {"output_flag": False, "threads": 1, **TIGHT}.items():
            highs.setOptionValue(name, value)
    highs.clearModel()
    highs.passModel(program)
    highs.setOptionValue("time_limit", highs.getRunTime() + _allowed_s())  # it adds up all runs
    highs.run()
    if highs.getModelStatus() == highspy.HighsModelStatus.kTimeLimit:
        raise Interrupted("HiGHS had not solved a linear program yet")
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return np.array(highs.getSolution().col_value)


def solved(
    model: Any,
    what: str = "the linear program",
    *,
    options: Mapping[str, Any] | None = None,
    listen: Callable[[str], None] | None = None,
) -> Running:
    """Solve to the end, reporting progress; `Interrupted` if asked to stop before."""
    running = Running(model, options=options)
    try:
        while not running.wait(WAIT_S):
            if listen is not None:
                listen(running.news())
            if interrupted():
                raise Interrupted(f"HiGHS had not solved {what} yet")
        running.result(what)
        return running
    finally:
        running.cancel()


class Running:
    """A program that HiGHS is solving; `algorithm` is ignored if variables are integer."""

    def __init__(
        self,
        model: Any,
        algorithm: Algorithm = Algorithm.AUTO,
        options: Mapping[str, Any] | None = None,
        basis: Any = None,
    ) -> None:
        import highspy

        entries = len(model.a_matrix_.value_)
        self.is_integer = bool(len(model.integrality_))
        self.algorithm = algorithm.for_entries(entries)
        self.size = (int(model.num_row_), int(model.num_col_), entries)
        self.highs = highspy.Highs()  # type: ignore[no-untyped-call]
        chosen = {} if self.is_integer else {"solver": str(self.algorithm)}
        limit = {"time_limit": _allowed_s()}  # steps that never call back respect it as well
        given = {"output_flag": False, "threads": 1, **limit, **chosen, **(options or {})}
        self._stops_alone = "time_limit" in (options or {})
        for name, value in given.items():
            self.highs.setOptionValue(name, value)
        self.highs.passModel(model)
        if basis is not None:
            self.highs.setBasis(basis)
        self.started = time.perf_counter()
        self._iterations = 0
        self._stop = threading.Event()
        self._error: BaseException | None = None
        self._listen()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        weakref.finalize(self, _end, self._stop, self._thread)  # at the latest when Python exits

    def wait(self, seconds: float | None = None) -> bool:
        """Wait at most this long; returns whether HiGHS is done.

        It is not if a time limit around it stopped it: then the caller is asked to end as well."""
        import highspy

        self._thread.join(seconds)
        if self._error is not None:
            raise self._error
        if not self._thread.is_alive():
            late = self.highs.getModelStatus() == highspy.HighsModelStatus.kTimeLimit
            return self._stops_alone or not late
        memory.keep("a program of HiGHS")
        return False

    def cancel(self) -> None:
        """Stop it; the solution so far can be read afterwards. Takes a moment at most."""
        self._stop.set()
        self._thread.join()

    @property
    def is_optimal(self) -> bool:
        """Whether HiGHS is done and has found an optimal solution."""
        import highspy

        return bool(self.highs.getModelStatus() == highspy.HighsModelStatus.kOptimal)

    def result(self, what: str = "the linear program") -> Any:
        """The solution, if HiGHS has found an optimal one."""
        import highspy

        if not self.is_optimal:
            if self.highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
                raise Infeasible(f"{what} has no solution")
            text = self.highs.modelStatusToString(self.highs.getModelStatus())
            raise Unsolved(f"HiGHS could not solve {what}: status {text}")
        return self.highs.getSolution()

    def news(self) -> str:
        """Progress, as text."""
        spent = time.perf_counter() - self.started
        unit = "nodes" if self.is_integer else "iterations"
        return f"{self.name}, {self._iterations:,} {unit}, {spent:.0f} s"

    @property
    def name(self) -> str:
        """The algorithm, as text."""
        names = {
            Algorithm.SIMPLEX: "simplex",
            Algorithm.INTERIOR: "interior point",
            Algorithm.FIRST_ORDER: "first-order (PDLP)",
        }
        return "branch and bound" if self.is_integer else names[self.algorithm]

    def details(self) -> dict[str, Any]:
        """Algorithm, size and status as JSON-compatible data."""
        rows, columns, entries = self.size
        return {
            "algorithm": self.name,
            "rows": rows,
            "columns": columns,
            "entries": entries,
            "status": self.highs.modelStatusToString(self.highs.getModelStatus()),
        }

    def _listen(self) -> None:
        def look(event: Any) -> None:
            told = event.data_out
            counts = (told.simplex_iteration_count, told.ipm_iteration_count)
            if self.is_integer:
                counts = (told.mip_node_count, 0)
            self._iterations = max(self._iterations, *counts)
            if self._stop.is_set():
                event.data_in.user_interrupt = True

        highs = self.highs
        for callback in (highs.cbSimplexInterrupt, highs.cbIpmInterrupt, highs.cbMipInterrupt):
            callback.subscribe(look)

    def _run(self) -> None:
        try:
            if self.algorithm is Algorithm.FIRST_ORDER and not self.is_integer:
                self._run_in_slices()
            else:
                self.highs.run()
        except BaseException as error:  # raised by `wait`, in the calling thread
            self._error = error

    def _run_in_slices(self) -> None:
        import highspy

        at_once = 8
        self.highs.setOptionValue("presolve", "off")  # it would lose the warm start
        while not self._stop.is_set():
            self.highs.setOptionValue("pdlp_iteration_limit", at_once)
            before = time.perf_counter()
            self.highs.run()
            spent = time.perf_counter() - before
            self._iterations += int(self.highs.getInfo().pdlp_iteration_count)
            if self.highs.getModelStatus() != highspy.HighsModelStatus.kIterationLimit:
                return
            at_once = max(1, int(at_once * min(4.0, SLICE_S / max(spent, 1e-6))))


def _allowed_s() -> float:
    """Until the time limit around the running work, for HiGHS."""
    return max(seconds_left(), 0.0)


def _end(stop: threading.Event, thread: threading.Thread) -> None:
    stop.set()
    if thread is not threading.current_thread():
        thread.join()
