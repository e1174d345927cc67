"""Products as linear constraints: they hold for exact products, and are off by little."""

import numpy as np
import pytest

from regretless.core.errors import BadParameter
from regretless.programs.polynomial import Program, combined, multiplied
from regretless.programs.products import linearised, maximised, product_error, sharpened


def fixed(values, objective):
    """A program whose variables have these values, and what is maximised."""
    program = Program()
    for k, value in enumerate(values):
        program.variable(f"x{k}", 0.0, 1.0)
        program.equal(f"is{k}", {(k,): 1.0}, value)
    program.objective = objective
    return program


@pytest.mark.parametrize("breakpoints", [2, 3, 5])
@pytest.mark.parametrize("key", [(0, 1), (0, 0), (0, 1, 2)])
def test_products_are_enclosed(breakpoints, key):
    rng = np.random.default_rng(breakpoints)
    error = (len(key) - 1) * product_error(breakpoints)
    worst = 0.0
    for _ in range(12):
        values = rng.uniform(0, 1, 3)
        exact = float(np.prod([values[k] for k in key]))
        ends = []
        for sign in (1.0, -1.0):
            made = linearised(fixed(values, {key: sign}), breakpoints)
            point = maximised(made.program, "a test")
            ends.append(point[made.products[key]])
        assert ends[1] - 1e-7 <= exact <= ends[0] + 1e-7
        assert ends[0] - exact <= error + 1e-7
        assert exact - ends[1] <= error + 1e-7
        worst = max(worst, ends[0] - ends[1])
    assert worst > error / 8  # the bound is not idle


def test_the_error_of_a_polynomial():
    made = linearised(Program(), 3)
    assert made.error({(): 9.0, (0,): 5.0, (0, 1): -2.0, (0, 1, 2): 3.0}) == pytest.approx(8 / 16)


def test_nothing_is_found_where_nothing_is():
    program = fixed([0.5, 0.5], {})
    program.at_least("too much", {(0, 1): 1.0}, 0.5)
    assert maximised(linearised(program, 5).program, "a test") is None
    program = Program()
    x, y = (program.variable(name, 0.0, 1.0) for name in "xy")
    program.equal("product", {(x, y): 1.0}, 0.25)
    program.equal("sum", {(x,): 1.0, (y,): 1.0}, 1.0)
    point = sharpened(program, maximised(linearised(program, 5).program, "a test"))
    assert point == pytest.approx([0.5, 0.5], abs=1e-4)
    assert program.violation(point) < 1e-9


def test_sharpening_keeps_binaries():
    program = Program()
    x, y = program.variable("x", 0.0, 1.0), program.variable("y", 0.0, 1.0)
    b = program.variable("b", 0.0, 1.0, binary=True)
    program.equal("product", {(x, y): 1.0, (b,): -0.3}, 0.0)
    program.equal("line", {(x,): 1.0, (y,): -1.0}, 0.1)
    point = sharpened(program, np.array([0.7, 0.5, 1.0]))
    assert point[b] == 1.0
    assert point[x] * point[y] == pytest.approx(0.3, abs=1e-10)


def test_algebra():
    one, two = {(): 1.0, (0,): 2.0}, {(1,): 3.0, (0,): -2.0}
    assert combined((1.0, one), (1.0, two)) == {(): 1.0, (1,): 3.0}
    assert multiplied(one, two) == {(1,): 3.0, (0,): -2.0, (0, 1): 6.0, (0, 0): -4.0}


def test_one_breakpoint_is_too_few():
    with pytest.raises(BadParameter, match="breakpoints=1: must be 2 or more"):
        linearised(Program(), 1)
