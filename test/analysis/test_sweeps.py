# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps of nfsrdma-sim: interrupted, divided, failing, and what becomes of their files."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

SCENARIO = """
[cluster]
clients = 2
[link fast]
hosts = client-0
[workload]
kind = mix
operations = 150
files = 4
file_size = 32KiB
[sweep]
seeds = 2
link fast.rate = 10Gbps, 100Gbps
faults.loss = none; every 50th fpdu: drop
"""
# Of client 1 everything is lost, so that it stalls; client 0 has nothing to do with it.
STALLING = """
[cluster]
clients = 2
stall_limit = 100ms
[rpcrdma]
client_timeout = 0s
[workload]
kind = mix
operations = 20
files = 2
[sweep]
faults.cut = none; 3rd nfs READ reply: corrupt before crc field xid
"""


@pytest.fixture
def sweep(tmp_path, simulator):
    """Runs the simulator in a directory with scenario a.ini."""
    (tmp_path / "a.ini").write_text(SCENARIO)

    def run(*arguments):
        return subprocess.run(
            [simulator, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )

    return run


def octets_of(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def rows_of(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def interrupt(simulator, directory: Path, *arguments, after: int):
    """Starts a sweep, and kills it when so many runs have results."""
    process = subprocess.Popen(
        [simulator, "run", *arguments], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while len(list(directory.glob("part/points/*/manifest.json"))) < after:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    # What it had started ends with it, and only then is the directory free.
    return process.returncode


def one_error(done, *texts):
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    for text in texts:
        assert text in done.stderr


def test_an_interrupted_sweep_goes_on_and_gives_the_same_files(tmp_path, simulator, sweep):
    assert sweep("run", "a.ini", "--out", "whole").returncode == 0
    assert interrupt(simulator, tmp_path, "a.ini", "--out", "part", "--jobs", "1", after=3) == -signal.SIGKILL
    assert (tmp_path / "part/unfinished.json").exists() and not (tmp_path / "part/sweep.csv").exists()
    # Half a run: files without the one that comes last.
    half = tmp_path / "part/points/3-s2"
    half.mkdir(exist_ok=True)
    (half / "summary.json").write_text("{")
    (half / "mountstats.txt.part").write_text("")
    kept = tmp_path / "part/points/0-s1/manifest.json"
    stamp = kept.stat().st_mtime_ns
    done = sweep("run", "a.ini", "--out", "part")
    assert done.returncode == 0 and "of 8 runs are done already" in done.stderr
    assert kept.stat().st_mtime_ns == stamp
    assert octets_of(tmp_path / "part") == octets_of(tmp_path / "whole")


def pooled_of(rows: list[dict[str, str]], *columns: str) -> Counter:
    counts = Counter()
    for row in rows:
        counts[tuple(row[name] for name in (*columns, "measure", "population", "operation", "low_ns", "high_ns"))] += int(row["count"])
    return counts


def test_histograms_of_a_point_are_those_of_its_runs_together(tmp_path, sweep):
    assert sweep("run", "a.ini", "--out", "whole").returncode == 0
    pooled = pooled_of(rows_of(tmp_path / "whole/histograms.csv"), "point")
    summed = Counter()
    for run in (tmp_path / "whole/points").iterdir():
        for key, count in pooled_of(rows_of(run / "histograms.csv")).items():
            summed[(run.name.partition("-")[0], *key)] += count
    assert pooled == summed and len({key[0] for key in pooled}) == 4
    for row in rows_of(tmp_path / "whole/sweep-summary.csv"):
        counts = sorted((int(key[5]), count) for key, count in pooled.items() if key[:2] == (row["point"], "rpc"))
        total = sum(count for _, count in counts)
        assert int(row["pooled_rpcs"]) == total == round(2 * float(row["rpcs"]))
        seen = 0
        for bound, count in counts:
            seen += count
            if 2 * seen >= total:
                break
        assert float(row["pooled_latency_p50_us"]) == pytest.approx(bound / 1e3)
        assert row["pooled_latency_p999_us"] == "", "of 600 RPCs"


def test_damaged_histograms_are_refused_before_anything_is_merged(tmp_path, sweep):
    for shard in ("1", "2"):
        assert sweep("run", "a.ini", "--shard", f"{shard}/2", "--out", f"s{shard}").returncode == 0
    damaged = next((tmp_path / "s2/points").iterdir()) / "histograms.csv"
    damaged.write_text(damaged.read_text().replace("rpc,", "rcp,", 1))
    one_error(sweep("merge", "s1", "s2", "--out", "whole"), "histograms.csv:2", "a bucket of a histogram")
    assert not (tmp_path / "whole").exists()


def test_another_scenario_does_not_mix_with_unfinished_results(tmp_path, simulator, sweep):
    interrupt(simulator, tmp_path, "a.ini", "--out", "part", "--jobs", "1", after=1)
    before = octets_of(tmp_path / "part")
    for option, key, mine, theirs in (
        ("--set=cluster.clients=3", "cluster.clients", "'3'", "'2'"),
        ("--runs=3", "sweep.seeds", "'3'", "'2'"),
        ("--set=sweep.faults.loss=none; every 60th fpdu: drop", "runs", "60th", "50th"),
        ("--set=link fast.delay=1us", "link fast.delay", "got '1us'", "expected nothing"),
    ):
        done = sweep("run", "a.ini", "--out", "part", option)
        one_error(done, f"part/unfinished.json: {key}", mine, theirs, "--fresh")
    assert octets_of(tmp_path / "part") == before
    done = sweep("run", "a.ini", "--out", "part", "--set", "cluster.clients=1", "--fresh")
    assert done.returncode == 0 and not (tmp_path / "part/unfinished.json").exists()
    sweep("run", "a.ini", "--out", "other", "--set", "cluster.clients=1")
    assert octets_of(tmp_path / "part") == octets_of(tmp_path / "other")


def test_a_finished_sweep_is_replaced(tmp_path, sweep):
    assert sweep("run", "a.ini", "--out", "part").returncode == 0
    assert sweep("run", "a.ini", "--out", "part", "--runs", "1").returncode == 0
    assert sorted(path.name for path in (tmp_path / "part/points").iterdir()) == ["0-s1", "1-s1", "2-s1", "3-s1"]


def test_a_directory_has_one_sweep_at_a_time(tmp_path, simulator, sweep):
    process = subprocess.Popen(
        [simulator, "run", "a.ini", "--out", "part", "--set", "workload.operations=100000"],
        cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        while not (tmp_path / "part/unfinished.json").exists():
            time.sleep(0.005)
        one_error(sweep("run", "a.ini", "--out", "part"), "--out: got 'part'", "that no other run uses now")
    finally:
        process.kill()
        process.wait()


def test_shards_merge_into_the_undivided_sweep(tmp_path, sweep):
    assert sweep("run", "a.ini", "--out", "whole").returncode == 0
    parts = []
    for index in (1, 2, 3):
        done = sweep("run", "a.ini", "--shard", f"{index}/3")
        assert done.returncode == 0 and f"shard {index}/3" in done.stdout
        parts.append(f"results/a-shard-{index}-of-3")
    assert not (tmp_path / parts[0] / "sweep.csv").exists()
    assert sweep("merge", *reversed(parts)).returncode == 0
    assert octets_of(tmp_path / "results/a") == octets_of(tmp_path / "whole")
    # A shard is there to be kept: once more does nothing.
    before = octets_of(tmp_path / parts[0])
    assert "3 of 3 runs are done already" in sweep("run", "a.ini", "--shard", "1/3").stderr
    assert octets_of(tmp_path / parts[0]) == before


def test_shards_that_do_not_fit_are_refused_by_name(tmp_path, sweep):
    for index in (1, 2):
        sweep("run", "a.ini", "--shard", f"{index}/2", "--out", f"s{index}", "--runs", "1")
    sweep("run", "a.ini", "--shard", "2/2", "--out", "foreign", "--runs", "1", "--set", "cluster.clients=1")
    shutil.copytree(tmp_path / "s1", tmp_path / "copy")
    shutil.copytree(tmp_path / "s2", tmp_path / "torn")
    shutil.rmtree(tmp_path / "torn/points/1-s1")
    one_error(sweep("merge", "s1", "--out", "m"), "merge: got 1 of 2 shards, expected also 2/2")
    one_error(sweep("merge", "s1", "s2", "copy", "--out", "m"), "copy/shard.json", "1/2", "also in s1")
    one_error(sweep("merge", "s1", "foreign", "--out", "m"), "foreign/shard.json", "cluster.clients", "as in s1")
    one_error(sweep("merge", "s1", "torn", "--out", "m"), "torn: got no results of run 1-s1", "run shard 2/2 again")
    one_error(sweep("merge", "s1", "nowhere", "--out", "m"), "nowhere/shard.json: got No such file")
    one_error(sweep("merge", "s1", "s2", "--out", "s1"), "s1/shard.json", "no unfinished results")
    assert not (tmp_path / "m").exists()
    one_error(sweep("run", "a.ini", "--shard", "3/2"), "--shard: got '3/2'")
    one_error(sweep("run", "a.ini", "--shard", "2/2", "--out", "s1", "--runs", "1"), "s1/shard.json: shard: got 2/2")
    one_error(sweep("merge", "s1", "s2", "--runs", "2"), "--runs: got merge")


@pytest.mark.parametrize(
    "name, change, told",
    [
        ("shard.json", lambda text: "", ": got another file, expected the record of a sweep"),
        ("shard.json", lambda text: text[: len(text) // 2], ": got another file, expected the record of a sweep"),
        ("shard.json", lambda text: text.replace('"nfsrdma-sweep-1"', "1"), ": got another file"),
        ("shard.json", lambda text: text.replace('"runs"', '"walks"'), ": runs: got nothing"),
        ("shard.json", lambda text: text.replace('"0-s1"', '"../0-s1"'), ': runs.0.name: got "../0-s1"'),
        ("shard.json", lambda text: text.replace('"point": 0', '"point": -1'), ": runs.0.point: got number"),
        ("shard.json", lambda text: text.replace('"config": {', '"config": 1, "": {'), ": manifest.config: got number"),
        ("points/0-s1/summary.json", lambda text: "", ": got another file, expected the summary of a run"),
        ("points/0-s1/summary.json", lambda text: "[]", ": got another file, expected the summary of a run"),
        ("points/0-s1/summary.json", lambda text: text.replace('"rpcs"', '"calls"'), ": rpcs: got nothing"),
        ("points/0-s1/summary.json", lambda text: text.replace('"exit_status": 0', '"exit_status": 9'), ": exit_status: got 9"),
        ("points/0-s1/summary.json", lambda text: text.replace('"digest": ', '"digest": 1, "": '), ": digest: got number"),
    ],
)
def test_damaged_results_are_refused_by_name(tmp_path, sweep, name, change, told):
    for index in (1, 2):
        sweep("run", "a.ini", "--shard", f"{index}/2", "--out", f"s{index}", "--runs", "1")
    path = tmp_path / "s1" / name
    before = path.read_text()
    path.write_text(change(before))
    assert path.read_text() != before
    one_error(sweep("merge", "s1", "s2", "--out", "m"), f"s1/{name}{told}")
    assert not (tmp_path / "m").exists()


def test_a_scenario_of_one_run_has_no_shards(tmp_path, sweep):
    (tmp_path / "b.ini").write_text("[workload]\nkind = mix\noperations = 5\n")
    one_error(sweep("run", "b.ini", "--shard", "1/2"), "expected a scenario with section [sweep]")


def test_runs_that_fail_are_recorded_and_stop_nobody(tmp_path, sweep):
    (tmp_path / "b.ini").write_text(STALLING)
    done = sweep("run", "b.ini", "--out", "out")
    assert done.returncode == 3 and "run 1-s1 ended with status 3" in done.stdout
    rows = rows_of(tmp_path / "out/sweep.csv")
    assert [row["status"] for row in rows] == ["0", "3"]
    assert rows[1]["faults.cut"].startswith("3rd nfs")
    summary = rows_of(tmp_path / "out/sweep-summary.csv")
    assert [(row["runs"], row["lost"]) for row in summary] == [("1", "0"), ("0", "1")]
    assert summary[1]["rpcs_per_second"] == "" and float(summary[0]["rpcs_per_second"]) > 0
    for index in (1, 2):
        assert sweep("run", "b.ini", "--shard", f"{index}/2", "--out", f"s{index}").returncode == (0, 3)[index - 1]
    assert sweep("merge", "s1", "s2", "--out", "merged").returncode == 3
    assert octets_of(tmp_path / "merged") == octets_of(tmp_path / "out")


def test_a_run_that_is_killed_is_recorded_and_tried_again(tmp_path, simulator, sweep):
    arguments = ["a.ini", "--out", "out", "--jobs", "1", "--set", "workload.operations=2000", "--set",
                 "sweep.faults.loss=none", "--runs", "1"]
    process = subprocess.Popen([simulator, "run", *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    first = ""
    while not first and process.poll() is None:
        first = children.read_text().strip()
    assert first, process.communicate()[1]
    os.kill(int(first), signal.SIGKILL)
    errors = process.communicate(timeout=120)[1]
    assert process.returncode == 1 and "run 0-s1 was ended by signal 9" in errors
    rows = rows_of(tmp_path / "out/sweep.csv")
    assert [(row["status"], row["rpcs"] == "") for row in rows] == [("1", True), ("0", False)]
    assert (tmp_path / "out/points/0-s1/failure.json").exists()


def test_progress_is_told_on_a_terminal_only(tmp_path, simulator, sweep):
    arguments = ["run", "a.ini", "--out", "out", "--jobs", "1", "--set", "workload.operations=5000"]
    master, slave = pty.openpty()
    process = subprocess.Popen([simulator, *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=slave)
    os.close(slave)
    shown = b""
    while process.poll() is None or select.select([master], [], [], 0)[0]:
        if select.select([master], [], [], 0.1)[0]:
            try:
                shown += os.read(master, 4096)
            except OSError:
                break
    os.close(master)
    assert process.wait() == 0
    assert b"runs " in shown and b"/8" in shown and b"ETA " in shown
    assert sweep(*arguments).stderr == ""


def test_all_cores_give_the_same_files_as_one(tmp_path, sweep):
    assert sweep("run", "a.ini", "--out", "one", "--jobs", "1").returncode == 0
    assert sweep("run", "a.ini", "--out", "all").returncode == 0
    assert octets_of(tmp_path / "one") == octets_of(tmp_path / "all")


def test_the_manifest_tells_a_command_that_makes_it_again(tmp_path, sweep):
    words = ["--runs", "1", "--seed", "5", "--set", "link fast.rate=10Gbps", "--set", "faults.loss=3rd nfs READ reply: drop", "--jobs", "2"]
    assert sweep("run", "a.ini", *words, "--out", "one").returncode == 0
    told = json.loads((tmp_path / "one" / "manifest.json").read_text())["command"]
    program, *again = shlex.split(told)
    assert program == "nfsrdma-sim" and "--jobs" not in again and "--out" not in again
    assert sweep(*again, "--out", "two").returncode == 0
    assert (tmp_path / "two" / "sweep.csv").read_bytes() == (tmp_path / "one" / "sweep.csv").read_bytes()
    assert (tmp_path / "two" / "manifest.json").read_bytes() == (tmp_path / "one" / "manifest.json").read_bytes()


def test_runs_of_a_sweep_have_their_rpcs_only_when_asked(tmp_path, sweep):
    assert sweep("run", "a.ini", "--runs", "1", "--set", "output.rpc_csv=true", "--out", "with").returncode == 0
    assert sweep("run", "a.ini", "--runs", "1", "--out", "without").returncode == 0
    tables = {name: len(list((tmp_path / name).glob("points/*/rpc.csv"))) for name in ("with", "without")}
    assert tables == {"with": 4, "without": 0}
    assert (tmp_path / "with" / "sweep.csv").read_bytes() == (tmp_path / "without" / "sweep.csv").read_bytes()


def test_progress_is_written_to_logs(tmp_path, sweep):
    settings = ("--set", "sweep.link fast.rate=10Gbps", "--set", "sweep.faults.loss=none", "--set", "sweep.seeds=1")
    (tmp_path / "long.ini").write_text("[cluster]\nclients = 8\n[workload]\nkind = mix\noperations = 8000\nfiles = 4\n")
    done = sweep("run", "long.ini", "--out", "long", "--progress", "1s")
    assert done.returncode == 0
    lines = done.stderr.splitlines()
    assert lines, "the run takes more than a second"
    for line in lines:
        assert re.fullmatch(
            r"simulated \d+\.\d{3} s  RPCs \d+/\d+  \d+/s  \d+\.\d\d M events/s  \d+ MB  ETA \d+ s", line
        ), line
    assert sweep("run", "a.ini", "--out", "a", *settings).stderr == ""
    one_error(sweep("run", "a.ini", "--progress", "10ms"), "--progress", "at least 1s")
    one_error(sweep("explore", "a.ini", "--progress", "10s"), "--progress")


def test_status_tells_how_far_a_shard_has_come(tmp_path, simulator, sweep):
    def status():
        done = sweep("run", "a.ini", "--shard", "1/2", "--out", "part", "--status")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    nothing = {"scenario": "a", "sweep_runs": 8, "runs": 4, "done": 0, "failed": []}
    assert status() == nothing and not (tmp_path / "part").exists()
    assert sweep("run", "a.ini", "--shard", "1/2", "--out", "part").returncode == 0
    assert status() == nothing | {"done": 4}
    run = tmp_path / "part/points/1-s1"
    (run / "manifest.json").unlink()
    assert status() == nothing | {"done": 3}
    (run / "failure.json").write_text('{"exit_status": 1, "reason": "ended by signal 9"}')
    assert status() == nothing | {"done": 3, "failed": [{"run": "1-s1", "reason": "ended by signal 9"}]}
    (run / "failure.json").write_text("{")
    assert status()["failed"] == [{"run": "1-s1", "reason": "unknown"}]


def test_status_is_that_of_this_very_shard(sweep):
    assert sweep("run", "a.ini", "--shard", "1/2", "--out", "part").returncode == 0
    one_error(sweep("run", "a.ini", "--shard", "2/2", "--out", "part", "--status"), "part/shard.json", "1/2")
    one_error(sweep("run", "a.ini", "--shard", "1/2", "--out", "part", "--status", "--set", "nfs.threads=3"), "nfs.threads")
    one_error(sweep("run", "a.ini", "--status"), "--status", "--shard I/N")
    one_error(sweep("explore", "a.ini", "--status"), "--status")
