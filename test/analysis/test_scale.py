# SPDX-License-Identifier: GPL-2.0-only
"""What a run costs against the number of clients, as measure_scale.py measures it."""

from __future__ import annotations

import measure_scale
import pandas as pd
import pytest
from measure_scale import Cost


def test_a_row_has_medians_and_what_each_further_client_takes():
    costs = {
        16: [Cost(1000, 50_000, cpu, 60) for cpu in (0.3, 0.1, 0.2)],
        48: [Cost(3000, 150_000, 0.9, memory) for memory in (75, 76, 90)],
    }
    table = measure_scale.tabulate([16, 48], costs)
    assert table["servers"].tolist() == [1, 3]
    assert table["events_per_rpc"].tolist() == [50, 50]
    assert table["cpu_per_rpc_us"].tolist() == [200, 300]
    assert table["peak_memory_mb"].tolist() == [60, 76]
    assert table["memory_per_further_client_mb"].tolist() == ["", "0.50"]


def test_every_size_makes_as_many_rpcs_over_as_many_links(simulator, tmp_path, capsys):
    assert measure_scale.main(["--clients", "2,4", "--rpcs", "200", "--runs", "1", "--out", str(tmp_path / "scale"), "--simulator", str(simulator)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "scale" / f"scale.{kind}") for kind in ("csv", "png", "pdf")]
    table = pd.read_csv(tmp_path / "scale" / "scale.csv")
    assert table["clients"].tolist() == [2, 4] and table["rpcs"].tolist() == [200, 200]
    assert table["peak_memory_mb"].between(20, 500).all() and (table["cpu_s"] > 0).all()
    # The same path, but a setup for each client.
    assert table["events_per_rpc"].between(30, 200).all()


@pytest.mark.parametrize("words, said", [
    (["--clients", "4,2"], "argument --clients: got '4,2', expected rising numbers from 1 to 1296, separated by commas"),
    (["--clients", "2,x"], "argument --clients: got '2,x', expected rising numbers"),
    (["--clients", "2000"], "argument --clients: got '2000', expected rising numbers"),
    (["--runs", "0"], "argument --runs: got '0', expected a number of at least 1"),
    (["--rpcs", "-1"], "expected"),
])  # fmt: skip
def test_bad_options_are_refused(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        measure_scale.main(words)
    assert ended.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_a_missing_simulator_is_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert measure_scale.main(["--simulator", "absent"]) == 2
    assert capsys.readouterr().err == "scale: absent: No such file or directory\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "simulator").write_text("#!/bin/sh\necho one >&2\necho no such key >&2\nexit 2\n")
    (tmp_path / "simulator").chmod(0o755)
    assert measure_scale.main(["--clients", "2", "--runs", "1", "--simulator", str(tmp_path / "simulator")]) == 1
    assert capsys.readouterr().err == "scale: 2 clients: exit status 2: no such key\n"


def test_the_guide_has_the_table_that_is_kept(root):
    page = (root / "analysis/guide/speed.md").read_text(encoding="utf-8")
    table = pd.read_csv(root / "test/bench/scale.csv")
    assert len(table) >= 6
    for row in table.itertuples():
        line = f"| {row.clients:,} | {row.servers} | {row.rpcs:,} | {row.events_per_rpc:.0f} | {row.cpu_per_rpc_us} us | {row.peak_memory_mb} MB |"
        assert line in page
