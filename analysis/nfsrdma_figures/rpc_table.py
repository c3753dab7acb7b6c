# SPDX-License-Identifier: GPL-2.0-only
"""rpc.csv with the types of its columns."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from .results import ResultsError, read_text, shown

#: Columns of rpc.csv that are texts; all others are whole numbers.
TEXTS = frozenset(
    "workload phase xid operation outcome status form call_type reply_type call_reason reply_reason".split()
)
_WHOLE = re.compile(r"[0-9]{1,18}")


def type_of(column: str) -> str:
    """Of a column, as PyArrow and DuckDB name it."""
    return "string" if column in TEXTS else "int64"


def read_rpcs(path: Path) -> dict[str, list]:
    """The columns of rpc.csv, checked; None where a number is not told."""
    rows = csv.reader(read_text(path).splitlines(), strict=True)
    header: list[str] = []
    columns: list[list] = []
    try:
        header = next(rows, [])
        columns = [[] for _ in header]
        for line, row in enumerate(rows, 2):
            if len(row) != len(header):
                raise ResultsError(f"{path}: line {line}: got {len(row)} cells, expected {len(header)}")
            for name, values, cell in zip(header, columns, row):
                values.append(_value(path, line, name, cell))
    except csv.Error as error:
        raise ResultsError(f"{path}: {error}") from None
    if "xid" not in header or len(set(header)) != len(header):
        raise ResultsError(f"{path}: not a table of RPCs")
    return dict(zip(header, columns))


def _value(path: Path, line: int, column: str, cell: str) -> str | int | None:
    if type_of(column) == "string":
        return cell
    if cell and not _WHOLE.fullmatch(cell):
        raise ResultsError(f"{path}: line {line}: column {column}: got {shown(cell)}, expected a whole number")
    return int(cell) if cell else None
