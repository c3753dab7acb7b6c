#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the RPCs of results as Parquet: rpc.parquet beside each rpc.csv, of a run or of all runs of a sweep.

It takes PyArrow (module pyarrow) or DuckDB (module duckdb), whichever is installed; Debian 12 packages neither, and nothing
else needs them. Columns are those of rpc.csv, whole numbers of 64 bits or texts; a step that an RPC has not passed is null.
Exit status: 0 done, 2 unusable input, or neither module is there.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path

import entry
from nfsrdma_figures import program
from nfsrdma_figures.results import Manifest, ResultsError
from nfsrdma_figures.rpc_table import read_rpcs, type_of


def write_with_pyarrow(pyarrow, columns: dict[str, list], target: Path) -> None:
    types = {"string": pyarrow.string(), "int64": pyarrow.int64()}
    arrays = {name: pyarrow.array(values, type=types[type_of(name)]) for name, values in columns.items()}
    importlib.import_module("pyarrow.parquet").write_table(pyarrow.table(arrays), str(target))


def write_with_duckdb(duckdb, columns: dict[str, list], target: Path) -> None:
    types = {"string": "VARCHAR", "int64": "BIGINT"}
    connection = duckdb.connect()
    try:
        described = ", ".join(f'"{name}" {types[type_of(name)]}' for name in columns)
        connection.execute(f"CREATE TABLE rpcs ({described})")
        rows = list(zip(*columns.values()))
        if rows:
            connection.executemany(f"INSERT INTO rpcs VALUES ({', '.join('?' * len(columns))})", rows)
        quoted = str(target).replace("'", "''")
        connection.execute(f"COPY rpcs TO '{quoted}' (FORMAT PARQUET)")
    finally:
        connection.close()


#: By the module that each takes, best first.
WRITERS: dict[str, Callable] = {"pyarrow": write_with_pyarrow, "duckdb": write_with_duckdb}


def find_writer() -> tuple[object, Callable]:
    """The first module of WRITERS that is installed, and what writes with it."""
    for name, write in WRITERS.items():
        try:
            return importlib.import_module(name), write
        except ImportError:
            continue
    raise ResultsError(f"none of the modules {', '.join(WRITERS)} is installed, and Parquet needs one of them; rpc.csv has the same")


def find_tables(directory: Path) -> list[Path]:
    """rpc.csv of a run, or of the runs of a sweep."""
    manifest = Manifest(directory)
    pattern = "points/*/rpc.csv" if manifest.is_sweep else "rpc.csv"
    tables = sorted(directory.glob(pattern))
    if not tables:
        advice = "; runs of a sweep write it only with --set output.rpc_csv=true" if manifest.is_sweep else ""
        raise ResultsError(f"{directory / pattern}: not there{advice}")
    return tables


def convert(directory: Path) -> list[Path]:
    """Writes; returns the paths. Nothing is written before all tables have been read once and a module was found."""
    module, write = find_writer()
    tables = find_tables(directory)
    for path in tables:
        read_rpcs(path)
    targets = []
    for path in tables:
        target = path.with_suffix(".parquet")
        part = path.with_suffix(".parquet.part")
        try:
            write(module, read_rpcs(path), part)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
        targets.append(target)
    return targets


def main(arguments: list[str] | None = None) -> int:
    return program.run("parquet", __doc__, convert, arguments)


if __name__ == "__main__":
    entry.run(main)
