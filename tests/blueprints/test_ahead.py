"""Blocks that are made before they are needed."""

import threading

import pytest

from regretless.blueprints._ahead import Ahead


@pytest.mark.parametrize("background", [False, True])
def test_every_block_is_the_one_that_was_asked_for(background):
    blocks = Ahead(lambda number: f"block {number}", background=background)
    for number in (0, 0, 1, 2, 7, 8, 3, 3, 4, 0):
        assert blocks.block(number) == f"block {number}"


def test_the_following_block_is_made_in_the_background():
    made, by = [], {}

    def make(number):
        made.append(number)
        by[number] = threading.current_thread()
        return number

    blocks = Ahead(make, background=True)
    for number in (5, 6, 7):
        blocks.block(number)
    blocks.block(20)
    assert made[:5] == [5, 6, 7, 8, 20]
    assert by[5] is by[20] is threading.current_thread()
    assert by[6] is by[7] is not threading.current_thread()


def test_without_background_nothing_is_made_in_vain():
    made = []
    blocks = Ahead(made.append, background=False)
    for number in (0, 0, 1):
        blocks.block(number)
    assert made == [0, 1]


def test_an_error_is_raised_where_the_block_is_needed():
    def make(number):
        if number == 1:
            raise ValueError("no such block")
        return number

    blocks = Ahead(make, background=True)
    assert blocks.block(0) == 0
    with pytest.raises(ValueError, match="no such block"):
        blocks.block(1)
