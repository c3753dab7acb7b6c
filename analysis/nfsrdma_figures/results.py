# SPDX-License-Identifier: GPL-2.0-only
"""The files of a results directory, checked on reading: manifest.json and tables.

Whatever is wrong with a file is one ResultsError, which names the file, and line and column or key where there are
any. What comes out of here needs no second look: tables have the columns that were asked for, at least one row, and
finite numbers that are not negative; values of the manifest have the type that was asked for. Alone a percentile that
the samples of its row do not carry (percentile.py) is NaN, and a difference may be negative, or NaN where there is none.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path

import pandas

from . import percentile
from .units import in_base_units

RPC_COLUMNS = (
    "client server xid program version procedure operation outcome status form submit_ns complete_ns "
    "call_type reply_type call_inline_bytes reply_inline_bytes read_segments write_chunks write_segments "
    "reply_segments read_chunk_bytes write_chunk_bytes reply_chunk_bytes registrations remote_invalidated"
).split()
SWEEP_COLUMNS = "point seed rpcs rpcs_per_second latency_p50_us latency_p99_us registrations_per_rpc".split()
#: Texts of column point, of which names of folders are made.
POINTS = {"point": "[0-9]{1,9}"}
#: Columns of sweep.csv that may be below 0, or empty: where there is nothing to take the difference from, or where runs
#: have no Read chunks of the server.
DIFFERENCES = (
    "regret_ns", "regret_share", "wait_regret_us", "exposed_number", "exposed_stay_us", "exposed_longest_stay_us",
)
#: What numbers of results are below: int64, which holds times in ns.
_TOO_LARGE = 1 << 63
_SHOWN = 40


class ResultsError(Exception):
    """Results that cannot be drawn; the text is one line for the user."""


def shown(value) -> str:
    """A value as messages quote it: on one line, and not long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def read_text(path: Path) -> str:
    try:
        octets = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    try:
        return octets.decode("utf-8")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise ResultsError(f"{path}: line {line}: not text in UTF-8") from None


class Manifest:
    """manifest.json of a run or a sweep."""

    def __init__(self, directory: Path) -> None:
        if not directory.is_dir():
            raise ResultsError(f"{directory}: no such results directory")
        self.directory = directory
        self.path = directory / "manifest.json"
        self._values = read_object(self.path)

    @property
    def name(self) -> str:
        """Of the scenario's file, or of the directory."""
        file = self._values.get("scenario_file")
        if file is None or file == "":
            return self.directory.resolve().name
        if not isinstance(file, str):
            raise self._error("scenario_file", file, "a path")
        return Path(file).stem

    @property
    def figures(self) -> list[str]:
        return self._texts("figures", self._values.get("figures"))

    @property
    def digest(self) -> str:
        value = self._values.get("digest")
        if not isinstance(value, str):
            raise self._error("digest", value, "a text")
        return value

    def settings(self) -> dict[str, str]:
        """What each section.key was configured as."""
        sections = self._values.get("config")
        if not isinstance(sections, dict) or not all(isinstance(values, dict) for values in sections.values()):
            raise self._error("config", sections, "sections of keys")
        keys = (f"{section}.{key}" for section, values in sections.items() for key in values)
        return {key: self.text(key) for key in keys}

    @property
    def swept_keys(self) -> list[str]:
        description = self._values.get("sweep")
        keys = description.get("keys") if isinstance(description, dict) else None
        if not isinstance(keys, list):
            raise ResultsError(f"{self.path}: figures ask for a sweep, but sweep.keys is no list")
        return self._texts("sweep.keys", keys)

    @property
    def seeds(self) -> list[int]:
        """Of a sweep all of them, of a run the one."""
        description = self._values.get("sweep")
        seeds = description.get("seeds") if isinstance(description, dict) else [self._values.get("seed")]
        if not isinstance(seeds, list) or not all(isinstance(seed, int) for seed in seeds):
            raise self._error("seeds", seeds, "whole numbers")
        return seeds

    @property
    def is_sweep(self) -> bool:
        return isinstance(self._values.get("sweep"), dict)

    @property
    def partial(self) -> str:
        """What is said of results of a run that had not ended; empty when it had."""
        if "partial" not in self._values:
            return ""
        described = self._values["partial"]
        seconds = described.get("simulated_s") if isinstance(described, dict) else None
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise self._error("partial", described, "simulated_s, a number")
        return f"partial results: the run was not over after {seconds:.9g} s of simulated time"

    @property
    def command(self) -> str:
        """What made the results; of results without it the scenario, whose settings the manifest lists."""
        command = self._values.get("command", f"nfsrdma-sim run {self.name}")
        if not isinstance(command, str):
            raise self._error("command", command, "a text")
        return command

    def text(self, key: str) -> str:
        """What section.key was configured as, with its unit; empty when the manifest has none."""
        section, _, name = key.partition(".")
        values = self._values.get("config")
        for part in (section, name):
            if values is None:
                return ""
            if not isinstance(values, dict):
                raise self._error("config", values, "sections of keys")
            values = values.get(part)
        if values is None:
            return ""
        if not isinstance(values, str):
            raise self._error(f"config.{key}", values, "a text")
        return values

    def number(self, key: str, least: float = 0.0) -> float:
        """What section.key was configured as, in octets, seconds or bit/s; of SIZE:WEIGHT the size."""
        value = in_base_units(self.text(key).partition(":")[0])
        if value is None or not least <= value < _TOO_LARGE:
            raise self._error(f"config.{key}", self.text(key), f"a number of at least {least:g}, with its unit")
        return value

    def flag(self, key: str) -> bool:
        value = self.text(key)
        if value not in ("true", "false", ""):
            raise self._error(f"config.{key}", value, "true or false")
        return value == "true"

    def _texts(self, key: str, values) -> list[str]:
        if values is None:
            return []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self._error(key, values, "a list of names")
        return values

    def _error(self, key: str, got, expected: str) -> ResultsError:
        return ResultsError(f"{self.path}: {key}: got {shown(got)}, expected {expected}")


def read_object(path: Path) -> dict:
    """A file of JSON that holds an object."""
    text = read_text(path)

    def refuse(word: str):
        raise ValueError(f"{word} is no number of JSON")

    try:
        value = json.loads(text, parse_constant=refuse)
        # An escape may be half of a pair, which nothing can print.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        reason = "half of a surrogate pair" if isinstance(error, UnicodeError) else str(error).splitlines()[0]
        raise ResultsError(f"{path}: not JSON ({reason})") from None
    if not isinstance(value, dict):
        raise ResultsError(f"{path}: not a JSON object")
    return value


class _Table:
    """Rows of a file with commas (RFC 4180), each with the line it ends in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = read_text(path)
        self._reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.header = self._next() or []
        if not self.header:
            raise ResultsError(f"{path}: is empty")
        for name in self.header:
            if self.header.count(name) > 1:
                raise ResultsError(f"{path}: line 1: column {shown(name)} is there twice")
        while (row := self._next()) is not None:
            line = self._reader.line_num
            if len(row) != len(self.header):
                raise ResultsError(f"{path}: line {line}: {len(row)} values under {len(self.header)} columns")
            self.rows.append(row)
            self.lines.append(line)
        if not text.endswith("\n"):
            raise ResultsError(f"{path}: line {self._reader.line_num}: cut short, it does not end")

    def _next(self) -> list[str] | None:
        try:
            return next(self._reader, None)
        except csv.Error as error:
            raise ResultsError(f"{self.path}: line {self._reader.line_num}: not a table with commas ({error})") from None

    def keep(self, is_kept: Callable[[list[str], int], bool]) -> None:
        kept = [(row, line) for row, line in zip(self.rows, self.lines) if is_kept(row, line)]
        self.rows = [row for row, _ in kept]
        self.lines = [line for _, line in kept]

    def place(self, column: str) -> int:
        if column not in self.header:
            raise ResultsError(f"{self.path}: column {column} is missing")
        return self.header.index(column)

    def texts(self, column: str, pattern: str | None = None) -> list[str]:
        place = self.place(column)
        texts = [row[place] for row in self.rows]
        if pattern is not None:
            wanted = re.compile(pattern)
            for text, line in zip(texts, self.lines):
                if not wanted.fullmatch(text):
                    raise self.error(column, line, text, f"what matches {pattern}")
        return texts

    def numbers(self, column: str) -> list[int] | list[float]:
        place = self.place(column)
        cells = [row[place] for row in self.rows]
        for kind in (int, float):
            try:
                numbers = list(map(kind, cells))
            except ValueError:
                continue
            if all(0 <= number < _TOO_LARGE for number in numbers):
                return numbers
            break
        for cell, line in zip(cells, self.lines):
            if not _is_number(cell):
                raise self.error(column, line, cell, "a number that is not negative")
        raise AssertionError("one of the numbers is wrong")

    def percentiles(self, column: str, share: float) -> list[float]:
        """Numbers; NaN where the cell is empty, or the row's count of samples does not carry the percentile."""
        place = self.place(column)
        counts = next((self.numbers(name) for name in percentile.COUNTS if name in self.header), None)
        found = []
        for index, (row, line) in enumerate(zip(self.rows, self.lines)):
            cell = row[place]
            if cell and not _is_number(cell):
                raise self.error(column, line, cell, "a number that is not negative")
            is_carried = counts is None or percentile.carries(share, counts[index])
            found.append(float(cell) if cell and is_carried else math.nan)
        return found

    def differences(self, column: str) -> list[float]:
        """Numbers of either sign; NaN where the cell is empty."""
        place = self.place(column)
        for row, line in zip(self.rows, self.lines):
            if row[place] and not _is_number(row[place].removeprefix("-")):
                raise self.error(column, line, row[place], "a number")
        return [float(row[place]) if row[place] else math.nan for row in self.rows]

    def error(self, column: str, line: int, got: str, expected: str) -> ResultsError:
        return ResultsError(f"{self.path}: line {line}: column {column}: got {shown(got)}, expected {expected}")


def _is_number(cell: str) -> bool:
    try:
        return 0 <= float(cell) < _TOO_LARGE
    except ValueError:
        return False


def read_table(
    path: Path, columns: Iterable[str], text_columns: Iterable[str] = (), patterns: dict[str, str] | None = None,
    may_be_empty: bool = False,
) -> pandas.DataFrame:
    """The columns of a table: numbers, but of text_columns. patterns are what the texts of a column have to match.

    Of a sweep's table rows of runs that ended without results are left out: they have no numbers.
    """
    table = _Table(path)
    if {"point", "status", "digest"} <= set(table.header):
        _keep_finished(table)
    texts = set(text_columns)
    found = {}
    for column in columns:
        share = percentile.share_of(column)
        if column in texts:
            found[column] = table.texts(column, (patterns or {}).get(column))
        elif column in DIFFERENCES:
            found[column] = table.differences(column)
        else:
            found[column] = table.numbers(column) if share is None else table.percentiles(column, share)
    if not table.rows and not may_be_empty:
        raise ResultsError(f"{path}: no rows")
    return pandas.DataFrame(found, index=range(len(table.rows)))


def _keep_finished(table: _Table) -> None:
    """Rows of runs that came to their end (exit status 0 or 1)."""
    status, digest = table.place("status"), table.place("digest")

    def is_finished(row: list[str], line: int) -> bool:
        if not re.fullmatch(r"-?[0-9]+", row[status]):
            raise table.error("status", line, row[status], "an exit status")
        return row[digest] != "" and int(row[status]) in (0, 1)

    table.keep(is_finished)


def read_header(path: Path) -> list[str]:
    """The names of a table's columns."""
    return _Table(path).header


def require_combinations(path: Path, table: pandas.DataFrame, columns: list[str]) -> None:
    """Refuses a table that lacks a row for one of the combinations of the values in its columns."""
    there = set(table[columns].itertuples(index=False, name=None))
    for values in product(*(dict.fromkeys(table[column]) for column in columns)):
        if values not in there:
            wanted = " and ".join(f"{column} = {value}" for column, value in zip(columns, values))
            raise ResultsError(f"{path}: no row with {wanted}")


def read_rpcs(directory: Path) -> pandas.DataFrame:
    texts = ("xid", "operation", "outcome", "status", "form", "call_type", "reply_type", "remote_invalidated")
    return read_table(directory / "rpc.csv", RPC_COLUMNS, texts)


def read_sweep(directory: Path, keys: list[str]) -> pandas.DataFrame:
    return read_table(directory / "sweep.csv", [*SWEEP_COLUMNS, *keys], ("point", *keys), POINTS)


def read_columns(directory: Path, keys: list[str], columns: list[str]) -> pandas.DataFrame:
    """sweep.csv of a sweep over given keys; they are text, the columns numbers."""
    return read_table(directory / "sweep.csv", ["point", "seed", *keys, *columns], ("point", *keys), POINTS)


def add_workload_columns(directory: Path, table: pandas.DataFrame, columns: list[str]) -> pandas.DataFrame:
    """table with columns WORKLOAD:ITEM:COLUMN more, of workloads.csv of the sweep; NaN: a percentile that is not carried."""
    for name in columns:
        workload, item, column = name.split(":")
        path = directory / "workloads.csv"
        rows = read_table(path, ["point", "seed", "workload", "client", "item", column],
                          ("point", "workload", "client", "item"))
        rows = rows[(rows["workload"] == workload) & (rows["item"] == item) & (rows["client"] == "all")]
        values = rows[["point", "seed", column]].rename(columns={column: name})
        table = table.merge(values, on=["point", "seed"], how="left", indicator="found")
        missing = (table.pop("found") != "both").any()
        if missing or table.duplicated(["point", "seed"]).any():
            raise ResultsError(f"{path}: not one row of workload {workload}, item {item} for each run")
    return table
