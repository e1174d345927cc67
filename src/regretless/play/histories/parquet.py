"""Hands as a Parquet table, written in groups of rows.

One row per hand: source, hand, betting, holes (a list by position), board, payoffs, names
(lists too). In the long format one row per player and hand: source, hand, position (from
1), players, name, hole, board, betting, payoff."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from regretless.core.errors import BadFile
from regretless.core.parquet import arrow
from regretless.play.records import Hand

GROUP = 50_000  # rows that are held in memory


class ParquetWriter:
    """A table being written; it is complete when its context ends."""

    def __init__(self, path: str | Path, *, long: bool = False) -> None:
        files = arrow().files
        self._schema = _long_schema() if long else _schema()
        self.path, self.long = path, long
        self.rows = 0
        self._columns: list[list[Any]] = [[] for _ in self._schema.names]
        try:
            self._writer = files.ParquetWriter(str(path), self._schema, compression="zstd")
        except OSError as error:
            raise BadFile(path, f"cannot be written: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def add(self, hand: Hand, source: str) -> None:
        """Add one row, or one per player."""
        board = "/".join(hand.boards)
        if self.long:
            players = len(hand.names)
            held = zip(hand.names, hand.holes, hand.payoffs, strict=True)
            for position, (name, hole, won) in enumerate(held, start=1):
                shared = source, hand.number, position, players
                self._row(*shared, name, hole, board, hand.betting, won)
        else:
            shown = hand.betting, hand.holes, board, hand.payoffs, hand.names
            self._row(source, hand.number, *shown)

    def _row(self, *values: object) -> None:
        for column, value in zip(self._columns, values, strict=True):
            column.append(value)
        self.rows += 1
        if self.rows % GROUP == 0:
            self._flush()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None and self._columns[0]:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        pa, types = arrow().types, self._schema.types
        arrays = [pa.array(c, t) for c, t in zip(self._columns, types, strict=True)]
        try:
            self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        except OSError as error:
            raise BadFile(self.path, f"cannot be written: {error}") from error
        for column in self._columns:
            column.clear()


def _schema() -> Any:
    pa = arrow().types
    return pa.schema(
        [
            ("source", pa.dictionary(pa.int32(), pa.string())),
            ("hand", pa.int64()),
            ("betting", pa.string()),
            ("holes", pa.list_(pa.string())),
            ("board", pa.string()),
            ("payoffs", pa.list_(pa.float64())),
            ("names", pa.list_(pa.string())),
        ]
    )


def _long_schema() -> Any:
    pa = arrow().types
    words = pa.dictionary(pa.int32(), pa.string())
    return pa.schema(
        [
            ("source", words),
            ("hand", pa.int64()),
            ("position", pa.int8()),
            ("players", pa.int8()),
            ("name", words),
            ("hole", pa.string()),
            ("board", pa.string()),
            ("betting", pa.string()),
            ("payoff", pa.float64()),
        ]
    )
