"""Parquet tables need pyarrow, which is an extra because of its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from regretless.core.errors import BadFile, BadInput
from regretless.core.files import write_with


class Arrow(NamedTuple):
    """The two modules of pyarrow that tables need."""

    types: Any
    files: Any


def write_columns(
    path: str | Path, columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, str]
) -> None:
    """Write a table: columns by name, their kinds as Arrow calls them, otherwise float64."""
    pa, pq = arrow()
    schema = pa.schema([(name, getattr(pa, kinds.get(name, "float64"))()) for name in columns])
    table = pa.table(dict(columns), schema=schema)
    try:
        write_with(path, lambda beside: pq.write_table(table, str(beside), compression="zstd"))
    except pa.ArrowException as error:
        raise BadFile(path, f"cannot be written: {error}") from None


def arrow() -> Arrow:
    """pyarrow; if it is missing, the error says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet tables need pyarrow: pip install 'regretless[tables]'") from None
    return Arrow(pyarrow, pyarrow.parquet)
