"""Random games in normal form, degenerate ones among them."""

import numpy as np
from hypothesis import strategies as st

from regretless.games._normal_form import normal_form_game


@st.composite
def payoffs(draw, players=(2, 2), actions=(1, 4), values=(0, 3)):
    """Small integers: ties, dominated strategies and equal rows are frequent."""
    counts = [draw(st.integers(*actions)) for _ in range(draw(st.integers(*players)))]
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    low, high = values
    return rng.integers(low, high, (len(counts), *counts)).astype(float)


def matrix_games(**given):
    """The same as games."""
    return payoffs(**given).map(lambda table: normal_form_game("matrices", table))
