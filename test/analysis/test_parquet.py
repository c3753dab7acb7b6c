# SPDX-License-Identifier: GPL-2.0-only
"""parquet.py: RPCs as Parquet. Debian 12 packages no module that writes it, so that small ones stand in for them here."""

from __future__ import annotations

import csv
import importlib
import json
import sys
import types

import parquet
import pytest
import synthetic_results
from nfsrdma_figures.results import ResultsError


@pytest.fixture
def replay(tmp_path):
    return synthetic_results.make_replay(tmp_path / "run")


def stand_in_for_pyarrow() -> types.ModuleType:
    """Arrays and tables as PyArrow has them, written as JSON."""
    module, writer = types.ModuleType("pyarrow"), types.ModuleType("pyarrow.parquet")
    module.string, module.int64 = (lambda: str), (lambda: int)

    def array(values, type):
        assert all(value is None or isinstance(value, type) for value in values)
        return {"type": type.__name__, "values": values}

    module.array, module.table = array, dict

    def write_table(table, where):
        with open(where, "w", encoding="utf-8") as file:
            json.dump(table, file)

    writer.write_table = write_table
    return module, writer


class StandInForDuckdb(types.ModuleType):
    """Keeps the statements; COPY writes them."""

    def __init__(self) -> None:
        super().__init__("duckdb")
        self.statements: list[str] = []
        self.rows: list[tuple] = []

    def connect(self):
        return self

    def execute(self, statement):
        self.statements.append(statement)
        if statement.startswith("COPY"):
            path = statement.split("'", 1)[1].rsplit("'", 1)[0].replace("''", "'")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"statements": self.statements, "rows": self.rows}, file)

    def executemany(self, statement, rows):
        self.statements.append(statement)
        self.rows += rows

    def close(self):
        self.statements.append("closed")


@pytest.fixture
def modules(monkeypatch):
    """Has only those modules be there that are given."""

    def have(**there):
        for name in ("pyarrow", "pyarrow.parquet", "duckdb"):
            monkeypatch.setitem(sys.modules, name, there.get(name.replace(".", "_")))

    have()
    return have


def test_without_a_module_one_line_says_what_is_missing(replay, modules, capsys):
    assert parquet.main([str(replay)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "none of the modules pyarrow, duckdb is installed" in said
    assert not list(replay.glob("*.parquet*"))


def test_pyarrow_gets_the_columns_with_their_types(replay, modules):
    module, writer = stand_in_for_pyarrow()
    modules(pyarrow=module, pyarrow_parquet=writer, duckdb=StandInForDuckdb())
    assert parquet.convert(replay) == [replay / "rpc.parquet"]
    columns = json.loads((replay / "rpc.parquet").read_text())
    with open(replay / "rpc.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(columns) == list(rows[0])
    assert columns["complete_ns"] == {"type": "int", "values": [int(row["complete_ns"]) for row in rows]}
    assert columns["form"] == {"type": "str", "values": [row["form"] for row in rows]}
    assert not list(replay.glob("*.part"))


def test_duckdb_is_taken_when_pyarrow_is_not_there(tmp_path, modules):
    directory = synthetic_results.make_replay(tmp_path / "it's")
    modules(duckdb=StandInForDuckdb())
    assert parquet.convert(directory) == [directory / "rpc.parquet"]
    written = json.loads((directory / "rpc.parquet").read_text())
    assert '"xid" VARCHAR' in written["statements"][0] and '"complete_ns" BIGINT' in written["statements"][0]
    assert len(written["rows"]) == 950 and written["rows"][0][0] == 0


def test_steps_not_passed_are_null(replay, modules):
    module, writer = stand_in_for_pyarrow()
    modules(pyarrow=module, pyarrow_parquet=writer)
    path = replay / "rpc.csv"
    head, first, rest = path.read_text().split("\n", 2)
    cells = first.split(",")
    cells[head.split(",").index("reply_ns")] = ""
    path.write_text("\n".join([head, ",".join(cells), rest]))
    parquet.convert(replay)
    values = json.loads((replay / "rpc.parquet").read_text())["reply_ns"]["values"]
    assert values[0] is None and values.count(None) == 1


def test_each_run_of_a_sweep_gets_its_own(tmp_path, replay, modules):
    sweep = synthetic_results.make_sweep(tmp_path / "sweep", {"a.load": ["1", "2"]}, 2)
    module, writer = stand_in_for_pyarrow()
    modules(pyarrow=module, pyarrow_parquet=writer)
    with pytest.raises(ResultsError, match="output.rpc_csv=true"):
        parquet.convert(sweep)
    for point in (sweep / "points").iterdir():
        (point / "rpc.csv").write_bytes((replay / "rpc.csv").read_bytes())
    assert len(parquet.convert(sweep)) == 4


@pytest.mark.parametrize("damage", ["x", "1.5", "-1", "9" * 19])
def test_a_damaged_table_is_refused_and_nothing_is_written(replay, modules, capsys, damage):
    module, writer = stand_in_for_pyarrow()
    modules(pyarrow=module, pyarrow_parquet=writer)
    path = replay / "rpc.csv"
    lines = path.read_text().split("\n")
    lines[2] = ",".join([damage, *lines[2].split(",")[1:]])
    path.write_text("\n".join(lines))
    assert parquet.main([str(replay)]) == 2
    assert f"rpc.csv: line 3: column client: got '{damage}'" in capsys.readouterr().err
    assert not list(replay.glob("*.parquet*"))


@pytest.mark.parametrize("name", ["pyarrow", "duckdb"])
def test_the_file_is_parquet_where_a_module_is_installed(replay, name):
    """The stand-ins are what the modules are."""
    module = pytest.importorskip(name)
    columns = parquet.read_rpcs(replay / "rpc.csv")
    target = replay / "rpc.parquet"
    parquet.WRITERS[name](module, columns, target)
    if name == "pyarrow":
        table = importlib.import_module("pyarrow.parquet").read_table(str(target))
        assert table.to_pydict() == columns
    else:
        rows = module.connect().execute(f"SELECT * FROM '{target}'").fetchall()
        assert rows == list(zip(*columns.values()))
