"""Parquet tables need pyarrow, which is an extra because of its size."""

from __future__ import annotations

from typing import Any, NamedTuple

from regretless.core.errors import BadInput


class Arrow(NamedTuple):
    """The two modules of pyarrow that tables need."""

    types: Any
    files: Any


def arrow() -> Arrow:
    """pyarrow; if it is missing, the error says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet tables need pyarrow: pip install 'regretless[tables]'") from None
    return Arrow(pyarrow, pyarrow.parquet)
