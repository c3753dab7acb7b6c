# SPDX-License-Identifier: GPL-2.0-only
"""The package nfsrdma: runs and sweeps from Python, their tables, figures and errors."""

from __future__ import annotations

import re
import subprocess
import tomllib

import nfsrdma
import pandas
import pytest
from nfsrdma import simulation

SMALL = {"cluster.clients": 1, "workload.operations": 40, "workload.files": 2, "workload.file_size": "16KiB"}


@pytest.fixture(autouse=True)
def of_this_build(simulator, monkeypatch):
    monkeypatch.setattr(simulation, "SIMULATOR", simulator)


@pytest.fixture(scope="module")
def scenario(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenario") / "small.ini"
    path.write_text("[workload]\nkind = mix\noperation_mix = getattr:1,read:1\n")
    return path


def test_a_run_is_tables_with_units(scenario, tmp_path):
    run = nfsrdma.run(scenario, SMALL, captures="client-0", out=tmp_path / "out")
    assert isinstance(run, nfsrdma.Run) and run.name == "small"
    assert run.settings["cluster.clients"] == "1" and re.fullmatch("[0-9a-f]{64}", run.digest)
    measured = run.rpcs[run.rpcs["phase"] == "measurement"]
    assert len(measured) == run.summary["rpcs"] == 40
    assert (measured["latency_ns"] > 0).all()
    assert run.summary["latency_us"]["mean"] == pytest.approx(measured["latency_ns"].mean() / 1000)
    reads = run.workloads.query("client == 'all' and item == 'read'")
    assert reads["operations"].item() == (measured["operation"] == "READ").sum()
    assert {"host", "source", "counter", "value"} == set(run.counters)
    assert [path.name for path in run.captures] == ["client-0.pcap"]


def test_a_sweep_has_a_row_for_each_run_and_tells_how_far_it_is(scenario, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(simulation, "INTERVAL", 0.01)
    sweep = nfsrdma.sweep(scenario, {"rpcrdma.inline_threshold": ["1KiB", "8KiB"], "rnic.polling": [True, False]},
                          {**SMALL, "workload.operations": 400}, seeds=2, jobs=1, out=tmp_path / "out",
                          progress=lambda done, total: told.append((done, total)))  # fmt: skip
    assert sweep.keys == ["rpcrdma.inline_threshold", "rnic.polling"]
    assert len(sweep.runs) == 8 and len(sweep.summary) == 4
    assert sweep.runs.groupby("point")["latency_mean_us"].mean().tolist() == pytest.approx(sweep.summary["latency_mean_us"].tolist())
    assert told[-1] == (8, 8) and {total for _, total in told} == {8}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert sweep.run(3, 2).summary["rpcs"] == 400
    with pytest.raises(nfsrdma.ScenarioError, match="no such run"):
        sweep.run(4, 1)


def test_values_with_commas_can_be_swept(scenario, tmp_path):
    sweep = nfsrdma.sweep(scenario, {"workload.operation_mix": ["getattr:1,read:1", "read:1"]}, SMALL, out=tmp_path / "out")
    assert len(sweep.runs) == 2


def test_several_seeds_make_a_sweep(scenario, tmp_path):
    sweep = nfsrdma.run(scenario, SMALL, seeds=3, seed=5, out=tmp_path / "out", progress=None)
    assert isinstance(sweep, nfsrdma.Sweep) and sweep.runs["seed"].tolist() == [5, 6, 7]


def test_results_of_the_command_line_are_loaded_and_are_the_same(scenario, simulator, tmp_path):
    options = [word for key, value in SMALL.items() for word in ("--set", f"{key}={value}")]
    subprocess.run([simulator, "run", scenario, "--out", tmp_path / "a", *options], check=True, capture_output=True)
    loaded, run = nfsrdma.load(tmp_path / "a"), nfsrdma.run(scenario, SMALL, out=tmp_path / "b")
    assert loaded.digest == run.digest
    pandas.testing.assert_frame_equal(loaded.rpcs, run.rpcs)


def test_figures_have_captions_and_notebooks_show_both(scenario, tmp_path):
    run = nfsrdma.run(scenario, SMALL, out=tmp_path / "out")
    figures = run.plot("cdf", series="operation")
    assert [path.name for path in figures] == ["cdf.png"]
    shown = figures._repr_html_()
    assert shown.startswith('<img style="max-width: 100%" src="data:image/png;base64,iVBOR')
    assert run.digest in shown


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda path, out: nfsrdma.run("inline-treshold", out=out), "neither a scenario file nor a name"),
        (lambda path, out: nfsrdma.run(path, {"cluster.client": 1}, out=out), "nearest key: cluster.clients"),
        (lambda path, out: nfsrdma.run(path, {"cluster.clients": -1}, out=out), "cluster.clients"),
        (lambda path, out: nfsrdma.sweep(path, {"cluster.clients": []}, out=out), "no values to sweep over"),
        (lambda path, out: nfsrdma.load(out), "no such results directory"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_written(scenario, tmp_path, wrong, message):
    with pytest.raises(nfsrdma.ScenarioError, match=re.escape(message)) as raised:
        wrong(scenario, tmp_path / "out")
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []


def test_a_run_without_progress_is_an_error_of_its_own(scenario, tmp_path):
    cut = {**SMALL, "cluster.stall_limit": "100ms", "rpcrdma.client_timeout": "0s",
           "faults.cut": "3rd nfs READ reply: corrupt before crc field xid"}  # fmt: skip
    with pytest.raises(nfsrdma.Stalled):
        nfsrdma.run(scenario, cut, out=tmp_path / "out")


def test_figures_of_wrong_kind_are_refused(scenario, tmp_path):
    run = nfsrdma.run(scenario, SMALL, out=tmp_path / "out")
    with pytest.raises(nfsrdma.ScenarioError, match="lines draws a sweep, and this is one run"):
        run.plot("lines")
    with pytest.raises(nfsrdma.ScenarioError, match="no kind of figure"):
        run.plot("pie")
    with pytest.raises(nfsrdma.ScenarioError, match="messages.csv"):
        run.table("messages")


def test_damaged_results_are_refused_in_one_line(scenario, tmp_path):
    run = nfsrdma.run(scenario, SMALL, out=tmp_path / "out")
    (tmp_path / "out" / "summary.json").write_text("{")
    with pytest.raises(nfsrdma.ScenarioError, match="summary.json"):
        run.summary
    (tmp_path / "out" / "manifest.json").write_text('{"digest": 1}')
    with pytest.raises(nfsrdma.ScenarioError, match="manifest.json"):
        nfsrdma.load(tmp_path / "out").digest


def test_the_version_is_that_of_the_simulator(root, simulator):
    project = tomllib.loads((root / "analysis" / "pyproject.toml").read_text())["project"]
    done = subprocess.run([simulator, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"nfsrdma-sim {project['version']} ")
    packages = {path.parent.name for path in (root / "analysis").glob("*/__init__.py")}
    assert packages == set(tomllib.loads((root / "analysis" / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
