# SPDX-License-Identifier: GPL-2.0-only
"""trace.json keeps the rules of the Trace Event Format, and tells what the other files tell."""

from __future__ import annotations

import csv
import json
import subprocess
from collections import Counter, defaultdict

import pytest

MIX = "kind = mix\noperations = 300\nfiles = 4\nfile_size = 64KiB\nsymlinks = 2\nio_sizes = 4096:1,65536:1\n"
FAULTS = "[faults]\nbreak = 20th nfs READ call: qp-error on client-0\nflap = at 1500us on client-1: link-down for 2ms\n"


def run(simulator, directory, trace="true", version="3"):
    directory.mkdir(exist_ok=True)
    scenario = directory / "trace.ini"
    scenario.write_text(
        f"[cluster]\nclients = 2\n[nfs]\nversion = {version}\n[output]\ntrace_events = {trace}\n[workload]\n{MIX}{FAULTS}"
    )
    command = [simulator, "run", scenario, "--out", directory / "out"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert finished.returncode == 0, finished.stderr
    return directory / "out", [line for line in finished.stdout.splitlines() if line.startswith("digest")]


@pytest.fixture(scope="module", params=["3", "4.1"])
def traced(simulator, tmp_path_factory, request):
    directory, digest = run(simulator, tmp_path_factory.mktemp("traced"), version=request.param)
    document = json.loads((directory / "trace.json").read_text(), parse_float=lambda text: round(float(text) * 1000))
    return directory, document, digest, request.param


def rows_of(path):
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_every_event_has_what_its_phase_needs(traced):
    document = traced[1]
    assert set(document) == {"traceEvents", "displayTimeUnit"}
    assert document["displayTimeUnit"] in ("ms", "ns")
    needs = {
        "M": {"ph", "name", "pid", "args"},
        "X": {"ph", "name", "cat", "pid", "tid", "ts", "dur"},
        "i": {"ph", "name", "cat", "pid", "tid", "ts", "s"},
        "C": {"ph", "name", "pid", "ts", "args"},
    }
    for event in document["traceEvents"]:
        assert needs[event["ph"]] <= set(event), event
        assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0
        assert event.get("s", "t") in "gpt"
        if event["ph"] == "C":
            assert all(isinstance(value, int) for value in event["args"].values())
    assert {event["ph"] for event in document["traceEvents"]} == set(needs)


def test_every_track_has_one_name_and_belongs_to_a_named_process(traced):
    events = traced[1]["traceEvents"]
    processes = Counter(event["pid"] for event in events if event["name"] == "process_name")
    tracks = Counter((event["pid"], event["tid"]) for event in events if event["name"] == "thread_name")
    assert set(processes.values()) == {1} and set(tracks.values()) == {1}
    assert {event["pid"] for event in events} == set(processes)
    assert {(event["pid"], event["tid"]) for event in events if event["ph"] in "Xi"} <= set(tracks)
    names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert {"client-0", "client-1", "server-0"} < names


def test_slices_of_a_track_follow_or_enclose_each_other(traced):
    tracks = defaultdict(list)
    for event in traced[1]["traceEvents"]:
        if event["ph"] == "X":
            tracks[event["pid"], event["tid"]].append((event["ts"], -event["dur"], event["ts"] + event["dur"]))
    for slices in tracks.values():
        open_ends = []
        for begin, _, end in sorted(slices):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or end <= open_ends[-1]
            open_ends.append(end)
    assert len(tracks) > 10


def test_counters_go_forward_in_time(traced):
    latest = {}
    for event in traced[1]["traceEvents"]:
        if event["ph"] == "C":
            key = event["pid"], event["name"]
            assert latest.get(key, -1) <= event["ts"]
            latest[key] = event["ts"]
    assert latest


def test_tells_of_every_rpc_and_fault(traced):
    directory, document, _, _ = traced
    events = document["traceEvents"]
    rpcs = Counter((event["name"], event["args"]["xid"]) for event in events if event["ph"] == "X" and event["cat"] == "rpc" and "args" in event)
    table = Counter((row["operation"], hex(int(row["xid"], 16))) for row in rows_of(directory / "rpc.csv"))
    assert rpcs == table
    faults = [(event["ts"], event["name"]) for event in events if event["ph"] == "i" and event["cat"] == "fault"]
    assert faults == [(int(row["time_ns"]), f"{row['name']}: {row['what']}") for row in rows_of(directory / "faults.csv")]
    assert len(faults) == 2
    lasting = [(event["ts"], event["ts"] + event["dur"]) for event in events if event["ph"] == "X" and event["cat"] == "fault"]
    times = [(int(row["time_ns"]), int(row["until_ns"])) for row in rows_of(directory / "faults.csv")]
    assert lasting == [(begin, until) for begin, until in times if until > begin]
    states = [event["name"] for event in events if event["ph"] == "i" and event["cat"] == "qp"]
    assert any(name.startswith("RTS to") and name != "RTS to CLOSING" for name in states)


def test_phases_fill_the_rpc(traced):
    whole, parts = {}, defaultdict(int)
    current = {}
    for event in traced[1]["traceEvents"]:
        if event["ph"] == "X" and event["cat"] == "rpc":
            track = event["pid"], event["tid"]
            if "args" in event:
                current[track] = (track, event["ts"])
                whole[current[track]] = event["dur"]
            else:
                parts[current[track]] += event["dur"]
    assert len(whole) > 600
    assert dict(parts) == whole
    served = [event for event in traced[1]["traceEvents"] if event["ph"] == "X" and event["name"] == "server"]
    assert len(served) > 0.95 * len(whole)


def test_size_is_bounded_and_nothing_changes(traced, simulator, tmp_path):
    directory, document, digest, version = traced
    rpcs = len(rows_of(directory / "rpc.csv"))
    assert (directory / "trace.json").stat().st_size < 6000 * rpcs
    again, _ = run(simulator, tmp_path / "again", version=version)
    assert (again / "trace.json").read_bytes() == (directory / "trace.json").read_bytes()
    without, same = run(simulator, tmp_path / "without", trace="false", version=version)
    assert same == digest
    assert not (without / "trace.json").exists()
