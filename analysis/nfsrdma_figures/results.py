# SPDX-License-Identifier: GPL-2.0-only
"""Tables of a results directory, checked on reading."""

from __future__ import annotations

import json
from pathlib import Path

import pandas

RPC_COLUMNS = (
    "client server xid program version procedure operation outcome status form submit_ns send_ns reply_ns complete_ns "
    "call_type reply_type call_inline_bytes reply_inline_bytes read_segments write_chunks write_segments "
    "reply_segments read_chunk_bytes write_chunk_bytes reply_chunk_bytes registrations remote_invalidated"
).split()
SWEEP_COLUMNS = "point seed rpcs rpcs_per_second latency_p50_us latency_p99_us registrations_per_rpc".split()


class ResultsError(Exception):
    """Results that cannot be drawn; the text is one line for the user."""


def read_manifest(directory: Path) -> dict:
    path = directory / "manifest.json"
    if not directory.is_dir():
        raise ResultsError(f"{directory}: no such results directory")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ResultsError(f"{path}: not JSON ({error})") from None
    if not isinstance(manifest, dict):
        raise ResultsError(f"{path}: not a JSON object")
    return manifest


def read_table(path: Path, columns: list[str], text_columns: tuple[str, ...] = ()) -> pandas.DataFrame:
    try:
        table = pandas.read_csv(path, dtype={column: str for column in text_columns}, keep_default_na=False)
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
    except (ValueError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path}: not a CSV table ({str(error).splitlines()[0]})") from None
    if "status" in table.columns and "digest" in table.columns and "point" in table.columns:
        # Of a sweep: runs that ended without results have no numbers.
        table = _finished(table, text_columns)
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise ResultsError(f"{path}: column {missing[0]} is missing")
    if table.empty:
        raise ResultsError(f"{path}: no rows")
    for column in columns:
        if column not in text_columns and not pandas.api.types.is_numeric_dtype(table[column]):
            raise ResultsError(f"{path}: column {column} has a value that is no number")
    return table


def _finished(table: pandas.DataFrame, text_columns: tuple[str, ...]) -> pandas.DataFrame:
    """Rows of runs that came to their end (exit status 0 or 1)."""
    lost = (table["digest"] == "") | ~table["status"].isin([0, 1])
    if not lost.any():
        return table
    table = table[~lost].copy()
    for column in table.columns:
        if column not in text_columns and table[column].dtype == object:
            numbers = pandas.to_numeric(table[column], errors="coerce")
            if numbers.notna().all():
                table[column] = numbers
    return table


def read_rpcs(directory: Path) -> pandas.DataFrame:
    texts = ("xid", "operation", "outcome", "status", "form", "call_type", "reply_type", "remote_invalidated")
    return read_table(directory / "rpc.csv", RPC_COLUMNS, texts)


def read_sweep(directory: Path, keys: list[str]) -> pandas.DataFrame:
    return read_table(directory / "sweep.csv", SWEEP_COLUMNS + keys, ("point", *keys))


def read_columns(directory: Path, keys: list[str], columns: list[str]) -> pandas.DataFrame:
    """sweep.csv of a sweep over given keys; they are text, the columns numbers."""
    return read_table(directory / "sweep.csv", ["point", "seed", *keys, *columns], ("point", *keys))


def add_workload_columns(directory: Path, table: pandas.DataFrame, columns: list[str]) -> pandas.DataFrame:
    """table with columns WORKLOAD:ITEM:COLUMN more, of workloads.csv of the sweep."""
    for name in columns:
        workload, item, column = name.split(":")
        path = directory / "workloads.csv"
        rows = read_table(path, ["point", "seed", "workload", "client", "item", column],
                          ("point", "workload", "client", "item"))
        rows = rows[(rows["workload"] == workload) & (rows["item"] == item) & (rows["client"] == "all")]
        values = rows[["point", "seed", column]].rename(columns={column: name})
        table = table.merge(values, on=["point", "seed"], how="left", validate="one_to_one")
        if table[name].isna().any():
            raise ResultsError(f"{path}: no row of workload {workload}, item {item} for each run")
    return table
