# SPDX-License-Identifier: GPL-2.0-only
"""The operations of NFS version 4, from the table that the simulator is built from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "model/nfs/v4/protocol/operations.def"
_ROW = re.compile(r"^NFS4_OPERATION\((\d+), (\w+), \w+, (\w+), (\w+), ([\w |]+), .*\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """What a row says: nfs_opnum4, the first minor version (None of ILLEGAL), and the rules."""

    number: int
    name: str
    since: int | None
    rules: frozenset[str]


def read_rows(table: Path = TABLE) -> tuple[Row, ...]:
    """All rows of operations.def, in the order of the numbers."""
    rows = []
    for number, name, since, _, rules in _ROW.findall(table.read_text(encoding="utf-8")):
        minor = int(since) if since.isdecimal() else None
        rows.append(Row(int(number), name, minor, frozenset(rules.split(" | "))))
    return tuple(rows)


_ROWS = read_rows()
NAMES = {row.number: row.name for row in _ROWS if row.since is not None}
CHANGING = frozenset(row.name for row in _ROWS if "CHANGES_FILES" in row.rules)
