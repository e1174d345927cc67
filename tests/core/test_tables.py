"""One table, written in five ways: every way keeps every cell."""

import csv
import io
import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import regretless as rl
from regretless.core.errors import BadParameter
from regretless.core.tables import Column, Estimated, Shown, Table, facts_table

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**9), 10**9)
HEADS = st.lists(TEXTS.filter(bool), min_size=1, max_size=4)


@st.composite
def tables(draw):
    names = draw(HEADS)
    row = st.tuples(*[TEXTS | NUMBERS | st.none()] * len(names))
    return Table(draw(TEXTS), names, draw(st.lists(row, max_size=4)), draw(TEXTS))


class Cells(HTMLParser):
    """The texts of all cells, row by row."""

    def __init__(self):
        super().__init__()
        self.rows = []
        self.tags = set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


@given(tables())
def test_html_keeps_every_cell_and_adds_no_tag(table):
    seen = Cells()
    seen.feed(table.html().partition("<table>")[2].partition("</table>")[0])
    assert seen.rows == [table.names, *table.lines()]
    every = Cells()
    every.feed(table.html())
    assert every.tags <= {"p", "table", "tr", "th", "td"}


@given(tables())
def test_csv_is_read_back_in_full(table):
    names, *rows = csv.reader(io.StringIO(table.csv()))
    assert names == table.names
    for read, row in zip(rows, table.rows, strict=True):
        for text, cell in zip(read, row, strict=True):
            assert text == "" if cell is None else type(cell)(text) == cell


@given(tables())
def test_markdown_has_one_cell_per_column(table):
    lines = table.markdown().splitlines()
    assert len(lines) == 2 + len(table.rows)
    for line in lines:
        cells = line.replace("\\|", "").split(" | ")
        assert len(cells) == len(table.columns)
        assert line.startswith("| ")


@given(tables())
def test_json_keeps_numbers(table):
    told = json.loads(json.dumps(table.facts(), allow_nan=False))
    assert told["rows"] == [list(row) for row in table.rows]


def test_cells_of_a_column_are_aligned():
    rows = [("a", 1.5, Estimated(2.0, 0.25)), ("long name", -12.0, None), ("b", float("nan"), None)]
    table = Table("t", ("", Column("x", "z.1f"), Column("y", "+.2f")), rows, "a note")
    assert table.text().splitlines() == [
        "t",
        "               x             y",
        "a            1.5  +2.00 ± 0.25",
        "long name  -12.0             –",
        "b              –             –",
        "a note",
    ]
    shown = Console(width=60, file=io.StringIO(), record=True)
    shown.print(table)
    assert "long name  -12.0" in shown.export_text()
    assert json.loads(json.dumps(table.facts()))["rows"][2] == ["b", None, None]


def test_rows_must_fit_the_columns():
    with pytest.raises(BadParameter, match="got a row of 1 cells, expected 2"):
        Table("t", ("a", "b"), [("x",)])


def test_rows_may_name_their_cells():
    table = Table.of("t", ({"a": name, "b": k} for k, name in enumerate("xy")), "a note")
    assert table == Table("t", ("a", "b"), [("x", 0), ("y", 1)], "a note")
    assert Table.of("t", []).rows == []
    with pytest.raises(BadParameter, match="got cells b, a, expected a, b"):
        Table.of("t", [{"a": 1, "b": 2}, {"b": 2, "a": 1}])


def test_facts_have_no_header():
    assert facts_table([("game", "kuhn")]).text() == "game  kuhn"
    assert (
        "<th style='text-align:left'>game</th><td>kuhn</td>"
        in facts_table([("game", "kuhn")]).html()
    )


def test_every_result_shows_itself():
    solution = rl.solve("kuhn", iterations=10)
    league = rl.league("kuhn", {"<b>": solution.strategy, "random": "random"})
    for result in (
        solution,
        solution.evaluation,
        rl.compare("kuhn", ["cfr"], iterations=2),
        league,
        rl.purify(solution),
    ):
        assert isinstance(result, Shown)
        assert str(result).strip() == "\n\n".join(table.text() for table in result.tables())
        assert result._repr_html_().count("<table>") == len(result.tables())
    assert "<b>" not in league._repr_html_()
    assert "&lt;b&gt;" in league._repr_html_()
