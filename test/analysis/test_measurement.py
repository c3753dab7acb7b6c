# SPDX-License-Identifier: GPL-2.0-only
"""What is measured of a run, and from when to when: all populations, at the same time, without what is not asked about."""

from __future__ import annotations

import csv
import json
import subprocess

import pytest

CLIENTS = "[cluster]\nclients = 9\nservers = 1\n"
KINDS = {
    "mix": "kind = mix\noperations = 60\nfiles = 5\nfile_size = 16KiB\n",
    "mdtest": "kind = mdtest\nbranch = 2\ndepth = 1\n",
    "fio": "kind = fio\nsize = 64KiB\nrequests = 20\ndirect = true\n",
    "listing": "kind = listing\nlist_entries = 50\nrequests = 20\n",
    "acl": "kind = acl\nacl_files = 5\nrequests = 20\n",
    "lock": "kind = lock\nrequests = 10\n[nfs]\nversion = 4.1\n",
}


@pytest.fixture
def run(tmp_path, simulator):
    """Runs a scenario, a name or a text. Returns the summary, the rows of rpc.csv of the work, and the console."""

    def run(scenario, *options):
        if "\n" in scenario:
            (tmp_path / "a.ini").write_text(scenario)
            scenario = tmp_path / "a.ini"
        command = [simulator, "run", scenario, "--out", tmp_path / "out", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        if (tmp_path / "out/sweep.csv").exists():
            return None, None, done.stdout
        return json.loads((tmp_path / "out/summary.json").read_text()), rows_of(tmp_path / "out/rpc.csv"), done.stdout

    return run


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row.get("phase") != "setup"]


@pytest.mark.parametrize("kind", KINDS)
def test_clients_of_every_kind_begin_at_one_instant(run, kind):
    """However long the server took to set each of them up."""
    summary, rows, _ = run(f"{CLIENTS}[workload]\n{KINDS[kind]}")
    firsts = {}
    for row in rows:
        firsts[row["client"]] = min(firsts.get(row["client"], 1 << 62), int(row["arrival_ns"]))
    assert len(firsts) == 9
    begin = round(summary["window"]["begins_s"] * 1e9)
    assert max(firsts.values()) - min(firsts.values()) == 0 and min(firsts.values()) == begin


def test_all_populations_of_one_scenario_work_at_the_same_time_and_are_told(run):
    summary, rows, console = run("mixed-population", "--set", "workload oltp.runtime=4ms", "--set", "workload bulk.size=4MiB")
    names = ["bulk", "oltp", "storm", "lists", "trees", "operations", "recorded"]
    spans = {}
    for row in rows:
        for name in row["workload"].split("+"):
            first, last = spans.get(name, (1 << 62, 0))
            spans[name] = (min(first, int(row["arrival_ns"])), max(last, int(row["complete_ns"])))
    assert sorted(spans) == sorted(names)
    begin = round(summary["window"]["begins_s"] * 1e9)
    assert all(first - begin < 500_000 for first, _ in spans.values())
    assert max(first for first, _ in spans.values()) < min(last for _, last in spans.values())
    assert [workload["workload"] for workload in summary["workloads"]] == names
    operations = {operation["operation"]: operation["count"] for operation in summary["operations"]}
    assert min(operations[name] for name in ("READ", "WRITE", "READDIRPLUS", "NFSACL3 GETACL", "NFSACL3 SETACL", "CREATE", "GETATTR")) > 0
    assert all(f"\n{name}" in console for name in names)
    assert summary["rpcs"] == sum(operations.values())


def test_a_ramp_is_taken_off_everywhere(tmp_path, run):
    """In the first table, the summary, the workloads and the sweep: all are of the same time."""
    text = f"{CLIENTS}[workload]\nkind = fio\nreadwrite = randread\nsize = 256KiB\nrequests = 200\ndirect = true\nramp_time = 300us\n"
    summary, rows, console = run(text)
    window = summary["window"]
    begin, end = round(window["begins_s"] * 1e9), round(window["ends_s"] * 1e9)
    warm_up = next(phase["begins_s"] for phase in window["phases"] if phase["phase"] == "warm-up")
    assert begin - round(warm_up * 1e9) == 300_000
    ended = [row for row in rows if begin <= int(row["complete_ns"]) <= end and row["status"] == "0"]
    assert 0 < len(ended) == summary["rpcs"] < 9 * 200
    assert summary["rpcs_per_second"] == pytest.approx(len(ended) / (end - begin) * 1e9)
    table = next(line.split() for line in console.splitlines() if line.startswith("all "))
    assert int(table[3]) == len(ended)
    read = summary["workloads"][0]["items"][0]
    assert read["operations"] == len(ended) and read["seconds"] == pytest.approx((end - begin) / 1e9)
    run(text + "[sweep]\nlink.rate = 100Gbps,\nseeds = 1\n")
    sweep = rows_of(tmp_path / "out/sweep.csv")
    assert [int(row["rpcs"]) for row in sweep] == [len(ended)]
    assert float(sweep[0]["latency_mean_us"]) == pytest.approx(summary["latency_us"]["mean"])


def test_the_rate_is_of_what_ended_in_the_window_over_its_length(run):
    """Not of all RPCs from the first to the last: one straggler would be half of the time."""
    text = ("[cluster]\nclients = 2\n[workload]\nkind = fio\nclients = 0\nsize = 64KiB\nrequests = 2000\ndirect = true\nreadwrite = randread\n"
            "[workload late]\nkind = fio\nclients = 1\nsize = 64KiB\nrequests = 5\nthinktime = 2ms\ndirect = true\n"
            "[measure]\nduration = 1ms\n")  # fmt: skip
    summary, rows, _ = run(text)
    begin, end = (round(summary["window"][name] * 1e9) for name in ("begins_s", "ends_s"))
    assert end - begin == 1_000_000
    ended = sum(begin <= int(row["complete_ns"]) <= end for row in rows)
    assert summary["rpcs_per_second"] == pytest.approx(ended * 1000)
    assert int(rows[-1]["complete_ns"]) > end, "what had arrived ends in the drain"
