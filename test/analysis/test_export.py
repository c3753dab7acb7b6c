# SPDX-License-Identifier: GPL-2.0-only
"""Results in the formats of other programs, read by those programs themselves where they are installed.

NFSRDMA_READERS=required has a program that is not there fail the test and not skip it.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import nfsrdma
import pytest
from nfsrdma import export

MOUNTSTATS = "/proc/self/mountstats"


@pytest.fixture(scope="module")
def results(root, simulator, tmp_path_factory) -> nfsrdma.Run:
    """A run of kind fio."""
    out = tmp_path_factory.mktemp("fio") / "out"
    subprocess.run([simulator, "run", "fio-randrw", "--out", out], check=True, capture_output=True)
    return nfsrdma.load(out)


def require(name: str) -> str:
    """The path of a program of another project."""
    path = shutil.which(name, path="/usr/sbin:/usr/bin")
    if path is None:
        assert os.environ.get("NFSRDMA_READERS") != "required", f"{name} is not installed"
        pytest.skip(f"{name} is not installed")
    return path


def test_fio_has_what_the_run_measured(results):
    (job,) = json.loads(export.fio(results))["jobs"]
    assert job["job options"]["readwrite"] == "randrw" and job["job options"]["iodepth"] == "8"
    for direction in ("read", "write"):
        row = results.workloads.query("client == 'all' and item == @direction").iloc[0]
        told = job[direction]
        assert (told["total_ios"], told["io_bytes"]) == (row["operations"], row["octets"])
        assert told["iops"] == pytest.approx(row["per_second"], rel=1e-6)
        assert told["bw_bytes"] == pytest.approx(row["octets_per_second"], rel=1e-6)
        latency = told["clat_ns"]
        assert latency["mean"] == pytest.approx(row["latency_mean_us"] * 1000)
        # Operations that ended in the measurement; latencies of those that arrived in it.
        assert 0.9 * row["operations"] < sum(latency["bins"].values()) == latency["N"] <= row["operations"]
        assert latency["percentile"]["50.000000"] == pytest.approx(row["latency_p50_us"] * 1000, rel=1 / 64)
        assert latency["min"] <= latency["percentile"]["1.000000"] <= latency["percentile"]["99.990000"]
    assert job["trim"]["total_ios"] == 0 and "bins" not in job["trim"]["clat_ns"]


def test_fio_reads_it(results, tmp_path):
    program = require("fio_jsonplus_clat2csv")
    (tmp_path / "fio.json").write_text(export.fio(results))
    for words in ([], ["--validate"]):
        done = subprocess.run([program, "fio.json", "fio.csv", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert "validated" in done.stdout


def test_a_run_without_fio_is_refused(replay_results, capsys):
    assert importlib.import_module("export").main([str(replay_results), "fio"]) == 2
    assert capsys.readouterr().err == f"export: {replay_results}: no workload of kind fio\n"


def test_rdma_has_a_link_for_each_host(results):
    links = json.loads(export.rdma(results))
    assert [link["ifname"] for link in links] == ["server-0", "client-0", "client-1", "client-2", "client-3"]
    assert [link["ifindex"] for link in links] == [1, 2, 3, 4, 5]
    received = results.counters.query("host == 'client-0' and counter == 'iwInRdmaWrites'")["value"].item()
    assert links[1]["iwInRdmaWrites"] == received > 0


def test_openmetrics_has_a_sample_for_each_counter_and_ends(results):
    text = export.openmetrics(results)
    assert text.endswith("# EOF\n")
    names = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    assert sum("_total{" in line for line in text.splitlines()) == len(results.counters)


def test_openmetrics_has_peaks_as_gauges(results, tmp_path):
    shutil.copytree(results.directory, tmp_path / "out")
    with (tmp_path / "out" / "counters.csv").open("a") as table:
        table.write("server-0,pool_stats,threads_peak,7\n")
    text = export.openmetrics(nfsrdma.load(tmp_path / "out"))
    assert "# TYPE nfsrdma_pool_stats_threads_peak gauge\n" in text
    assert re.search(r'^nfsrdma_pool_stats_threads_peak\{.*host="server-0"\} 7\.0$', text, re.MULTILINE)


def test_openmetrics_is_what_its_parser_reads(results):
    try:
        parser = importlib.import_module("prometheus_client.openmetrics.parser")
    except ImportError:
        assert os.environ.get("NFSRDMA_READERS") != "required", "python3-prometheus-client is not installed"
        pytest.skip("python3-prometheus-client is not installed")
    families = {family.name: family for family in parser.text_string_to_metric_families(export.openmetrics(results))}
    sent = next(sample for sample in families["nfsrdma_ethtool_tx_packets"].samples if sample.labels["host"] == "client-0")
    assert sent.value == results.counters.query("host == 'client-0' and counter == 'tx_packets'")["value"].item()


@pytest.fixture(scope="module")
def replay_results(simulator, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("replay") / "out"
    subprocess.run([simulator, "run", "linux-replay", "--out", out], check=True, capture_output=True)
    return out


def test_mountstats_of_nfs_utils_reads_the_file_of_a_run(replay_results):
    program = require("mountstats")
    done = subprocess.run(["/usr/bin/python3", program, "mountstats", "-f", replay_results / "mountstats.txt"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Stats for server-0:/export-0 mounted on /mnt/client-0" in done.stdout
    assert "636 RPC requests sent, 636 RPC replies received" in done.stdout
    assert "LOOKUP:\n\t529 ops" in done.stdout


def test_nfsiostat_of_nfs_utils_reads_the_file_of_a_run(replay_results, monkeypatch, capsys):
    """The program itself, unchanged; it reads a fixed path, for which the file of the run is put."""
    program = require("nfsiostat")
    text, plain = (replay_results / "mountstats.txt").read_text(), builtins.open
    monkeypatch.setattr(builtins, "open", lambda file, *more, **words: io.StringIO(text) if file == MOUNTSTATS
                        else plain(file, *more, **words))  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["nfsiostat", "/mnt/client-0"])
    monkeypatch.setattr(os.path, "ismount", lambda path: path == "/mnt/client-0")
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        assert not end.code
    shown = capsys.readouterr().out
    assert "server-0:/export-0 mounted on /mnt/client-0:" in shown
    assert "read:" in shown and "write:" in shown


def test_a_table_without_a_column_is_refused_in_one_line(results, tmp_path, capsys):
    damaged = tmp_path / "out"
    shutil.copytree(results.directory, damaged)
    (damaged / "counters.csv").write_text("host,counter\nserver-0,1\n")
    assert importlib.import_module("export").main([str(damaged), "rdma"]) == 2
    assert capsys.readouterr().err == f"export: {damaged}: damaged ('source')\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["absent", "rdma"], "absent: no such results directory"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments, message, capsys):
    assert importlib.import_module("export").main(arguments) == 2
    assert capsys.readouterr().err == f"export: {message}\n"
