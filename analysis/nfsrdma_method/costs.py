# SPDX-License-Identifier: GPL-2.0-only
"""How uncertain each cost of the model is: uncertainty.csv, and the ranges that it gives a scenario.

A row says for a key, under one profile or any (*), from where to where its value may lie, as values or as percentages of
what the scenario has. Its source begins with the kind: "range" is a published one, "data sheet" a number of a product,
taken to 10 %, "estimate" one that nobody measured, taken to 50 %; a "setting" is chosen by whoever runs the system and is
not varied.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from .resolved import MethodError, Resolved

TABLE = Path(__file__).resolve().parents[1] / "uncertainty.csv"
COLUMNS = ["key", "profile", "low", "high", "source"]
KINDS = ("range", "data sheet", "estimate", "setting")
#: Of a value that lies outside the range of its row: another one was chosen, of which nothing is published.
OUTSIDE = 50.0
TIMES = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000}
RATES = {"bps": 1, "kbps": 1_000, "Mbps": 1_000_000, "Gbps": 1_000_000_000, "Tbps": 1_000_000_000_000}


@dataclass(frozen=True)
class Row:
    key: str
    profile: str
    low: str
    high: str
    source: str


@dataclass(frozen=True)
class Cost:
    """A cost of a scenario, in ns or bit/s: its value and between what it is varied."""

    key: str
    unit: str
    value: int
    low: int
    high: int
    source: str

    def at(self, share: float) -> str:
        """The value at a share of the range, 0 to 1, as a scenario says it."""
        return f"{round(self.low + share * (self.high - self.low))}{self.unit}"

    def tell(self, number: int) -> str:
        """A value in the largest unit in which it is whole."""
        scale = TIMES if self.unit == "ns" else RATES
        unit = max((name for name in scale if number % scale[name] == 0), key=scale.get) if number else self.unit
        return f"{number // scale[unit]}{unit}"


def read_table(path: Path = TABLE) -> list[Row]:
    """MethodError for a row that says nothing that can be varied."""
    with open(path, encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        if reader.fieldnames != COLUMNS:
            raise MethodError(f"{path}: columns {reader.fieldnames}, expected {COLUMNS}")
        rows = [Row(**row) for row in reader]
    for line, row in enumerate(rows, 2):
        kind = next((kind for kind in KINDS if re.match(rf"{kind}\b", row.source)), None)
        if kind is None:
            raise MethodError(f"{path}: line {line}: source: got {row.source!r}, expected one that begins with {', '.join(KINDS)}")
        if (kind == "setting") != (row.low == row.high == ""):
            raise MethodError(f"{path}: line {line}: {row.key}: a setting has no range, all else has one")
    return rows


def parse_value(text: str) -> tuple[int, str] | None:
    """Whole ns or bit/s, and which of them; None when the text is neither."""
    match = re.fullmatch(r"([0-9.]+)([A-Za-z]+)", text)
    for unit, scale in (("ns", TIMES), ("bps", RATES)):
        if match and match[2] in scale:
            return round(float(match[1]) * scale[match[2]]), unit
    return None


def find_costs(resolved: Resolved, rows: list[Row], fixed: frozenset[str] = frozenset()) -> list[Cost]:
    """The costs that a scenario pays, with their ranges; not those of fixed, which are set on purpose.

    A cost of 0 is one that the scenario does not have, and is left out. Hosts of a section [rnic NAME] have costs of their own.
    """
    found = []
    for known in dict.fromkeys(row.key for row in rows):
        for key in (key for key in resolved.values if _common(key) == known):
            parsed = parse_value(resolved.values[key])
            if parsed is None or parsed[0] == 0 or key in fixed or key in resolved.swept:
                continue
            profile = resolved.values.get(f"{key.rpartition('.')[0]}.profile", "")
            fitting = [row for name in (profile, "*") for row in rows if row.key == known and row.profile == name]
            row = fitting[0] if fitting else Row(known, "*", f"-{OUTSIDE:g}%", f"+{OUTSIDE:g}%", "estimate: no row for this profile")
            if row.low:
                found.append(_bound(key, parsed, row))
    return found


def _common(key: str) -> str:
    """rnic.doorbell of [rnic NAME] doorbell."""
    section, _, name = key.rpartition(".")
    return f"{section.partition(' ')[0]}.{name}"


def _bound(key: str, parsed: tuple[int, str], row: Row) -> Cost:
    value, unit = parsed
    ends = []
    for text in (row.low, row.high):
        if percent := re.fullmatch(r"([+-][0-9.]+)%", text):
            ends.append(round(value * (1 + float(percent[1]) / 100)))
            continue
        end = parse_value(text)
        if end is None or end[1] != unit:
            raise MethodError(f"{TABLE.name}: {key}: got {text!r}, expected a value as {value}{unit}, or a percentage")
        ends.append(end[0])
    low, high = ends
    if not low <= value <= high:
        low, high = (round(value * (1 + sign * OUTSIDE / 100)) for sign in (-1, 1))
        return Cost(key, unit, value, low, high, f"estimate: the scenario's value lies outside {row.low} to {row.high}")
    return Cost(key, unit, value, low, high, row.source)
