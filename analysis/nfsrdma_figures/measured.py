# SPDX-License-Identifier: GPL-2.0-only
"""The RPCs of a run that were measured: those that arrived in its window and succeeded, with their latencies."""

from __future__ import annotations

from pathlib import Path

import pandas

from .caption import read_window
from .results import ResultsError, read_header, read_table

_TEXTS = ("operation", "outcome", "status", "form", "phase", "workload")
_NEEDED = ("client", "operation", "outcome", "status", "form", "submit_ns", "complete_ns")
#: Phase of column phase whose RPCs are measured.
MEASURE = ("measure", "measurement")


def read_all(directory: Path) -> pandas.DataFrame:
    """rpc.csv with columns arrival_ns and latency_us: from arrival, or submission where it has no arrival."""
    path = directory / "rpc.csv"
    if not path.exists() and directory.is_dir():
        raise ResultsError(f"{path}: not there; runs of a sweep write it only with --set output.rpc_csv=true")
    header = read_header(path)
    columns = [*_NEEDED, *(name for name in ("arrival_ns", "phase", "workload") if name in header)]
    rpcs = read_table(path, columns, [name for name in _TEXTS if name in columns])
    if "arrival_ns" not in rpcs:
        rpcs["arrival_ns"] = rpcs["submit_ns"]
    rpcs["latency_us"] = (rpcs["complete_ns"] - rpcs["arrival_ns"]) / 1e3
    return rpcs


def read_measured(directory: Path) -> pandas.DataFrame:
    """Of read_all() the RPCs that succeeded and belong to the window, by column phase or by the times of summary.json."""
    rpcs = read_all(directory)
    succeeded = (rpcs["outcome"] == "SUCCESS") & rpcs["status"].isin(("0", "")) & (rpcs["latency_us"] >= 0)
    if "phase" in rpcs:
        inside = rpcs["phase"].isin(MEASURE)
    else:
        begin, end = read_window(directory / "summary.json")
        inside = rpcs["arrival_ns"].between(round(begin * 1e9), round(end * 1e9))
    chosen = rpcs[succeeded & inside]
    if chosen.empty:
        raise ResultsError(f"{directory / 'rpc.csv'}: no RPC that succeeded in the window measured")
    return chosen


def window_s(directory: Path) -> float:
    """Length of the window, in seconds."""
    begin, end = read_window(directory / "summary.json")
    if end <= begin:
        raise ResultsError(f"{directory / 'summary.json'}: window: ends before it begins")
    return end - begin
