# SPDX-License-Identifier: GPL-2.0-only
"""The table of published measurements."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from nfsrdma_method.resolved import ROOT, MethodError

FOLDER = ROOT / "scenarios" / "validation"
TABLE = FOLDER / "published.csv"
COLUMNS = ("id", "what", "setup", "value", "unit", "source")

#: A number as the table writes it; the dash of a range is no sign.
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?!\w)")


@dataclass(frozen=True)
class Row:
    id: str
    what: str
    setup: str
    value: str  #: As it is written: a number, several, a bound or a range.
    unit: str
    source: str

    @property
    def numbers(self) -> list[float]:
        return [float(text) for text in NUMBER.findall(self.value)]


def read_rows(path: Path = TABLE) -> dict[str, Row]:
    """Rows by id. MethodError for a table without the columns, and for an id that is none or stands twice."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [column for column in COLUMNS if column not in (reader.fieldnames or [])]
            if missing:
                raise MethodError(f"{path}:1: {missing[0]}: no such column, expected {', '.join(COLUMNS)}")
            rows: dict[str, Row] = {}
            for line in reader:
                row = Row(*((line[column] or "").strip() for column in COLUMNS))
                if not re.fullmatch(r"[A-Z]\w*", row.id) or row.id in rows:
                    raise MethodError(f"{path}:{reader.line_num}: id: got '{row.id}', expected a letter and digits, each id once")
                rows[row.id] = row
    except OSError as error:
        raise MethodError(f"{path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise MethodError(f"{path}: {error}, expected a table of comma-separated values") from error
    return rows
