# SPDX-License-Identifier: GPL-2.0-only
"""Captures of NFSv4 replayed by the simulator: one of Linux's client, and those of the simulator itself.

The latter are not tuned to anything: they show that a replay puts on the wire what it was made from.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from nfsrdma_capture.comparison import ASPECTS, compare
from nfsrdma_capture.operation import read_operations
from test_linux_replay import xprt_counters

LINUX = {"mtu1500": 672, "mount": 22, "nfsd-restart": 42}
# What Linux counts otherwise, by place in the xprt line without the times. Which slot a call takes depends on which
# earlier ones are free: once, between a WRITE and the next OPEN, the order of two was another on the emulated machine
# than here, and stays so. So other slots, which have other memory regions and buffers, come next: two calls more had to
# wait for regions, and what they had registered before counts again. From the regions that Linux's calls used, as
# captured, its counts follow (see below). Two calls overlapped there, not here.
OTHERWISE = {
    "mtu1500": {
        6: (684, 683),
        10: (59, 58),
        11: (1524028, 1261784),
        15: (125912, 95732),
        16: (5, 3),
        21: (24, 16),
    },
    "nfsd-restart": {},
}


def run(simulator, scenario, directory, settings):
    arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    finished = subprocess.run(
        [simulator, "run", scenario, "--out", directory, "--pcap", "client-0", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def replay(root, simulator, run_program):
    def go(capture, directory, **settings):
        done = run_program("trace_from_pcap.py", capture, "--out", directory / "trace")
        assert done.returncode == 0, done.stderr
        assert "unsupported" not in done.stderr
        settings = {"cluster.clients": 1, "workload.trace": directory / "trace"} | settings
        scenario = "linux-replay"
        output = run(simulator, scenario, directory / "out", settings)
        assert "unsupported     none" in output and "; 0 mismatches" in output and "recording; 0 differences" in output
        return output, compare(read_operations(capture), read_operations(directory / "out" / "client-0.pcap"))

    return go


@pytest.mark.parametrize("pace", ["closed", "recorded"])
@pytest.mark.parametrize("name", LINUX)
def test_every_rpc_crosses_the_wire_as_linux_sent_it(data, tmp_path, replay, name, pace):
    capture = data / f"linux-6.1-nfs-v4.1-{name}.pcap.gz"
    _, comparison = replay(capture, tmp_path, **{"workload.pace": pace})
    assert len(comparison.pairs) == LINUX[name]
    assert not comparison.unsupported and not comparison.private_data
    assert [pair.disagreements for pair in comparison.pairs if pair.disagreements] == []
    assert comparison.agrees(ASPECTS)


@pytest.mark.parametrize("name", OTHERWISE)
def test_mountstats_counters_are_linuxs_but_for_those_explained(data, tmp_path, replay, name):
    replay(data / f"linux-6.1-nfs-v4.1-{name}.pcap.gz", tmp_path, **{"workload.pace": "recorded"})
    simulated = xprt_counters(tmp_path / "out" / "mountstats.txt")
    captured = xprt_counters(data / f"linux-6.1-nfs-v4.1-{name}.mountstats")
    pairs = {place: pair for place, pair in enumerate(zip(captured, simulated)) if pair[0] != pair[1]}
    assert pairs == OTHERWISE[name]


def operation_rows(path):
    """Counts of a mount of NFSv4, times left out: calls, transmissions, octets sent and received, errors."""
    section = path.read_text().split("fstype nfs4")[1]
    rows = re.findall(r"^\s*([A-Z_]+): (\d+) (\d+) \d+ (\d+) (\d+) \d+ \d+ \d+ (\d+)$", section, re.MULTILINE)
    return {name: tuple(map(int, counts)) for name, *counts in rows}


def test_each_operation_counts_as_linux_counts_it(data, tmp_path, replay):
    """All but those of the mount of the server's root, which Linux's client makes first, with counts of its own."""
    replay(data / "linux-6.1-nfs-v4.1-mtu1500.pcap.gz", tmp_path)
    simulated = operation_rows(tmp_path / "out" / "mountstats.txt")
    captured = operation_rows(data / "linux-6.1-nfs-v4.1-mtu1500.mountstats")
    assert list(simulated) == list(captured) and len(captured) == 69
    more = {name: simulated[name][0] - captured[name][0] for name in captured if simulated[name] != captured[name]}
    assert more == {
        "FSINFO": 2,
        "ACCESS": 1,
        "GETATTR": 1,
        "LOOKUP": 2,
        "LOOKUP_ROOT": 1,
        "PATHCONF": 1,
        "SERVER_CAPS": 3,
        "SECINFO_NO_NAME": 1,
    }


@pytest.mark.parametrize("name", ["v3-mtu1500", "v4.1-mtu1500"])
def test_linuxs_counts_follow_from_the_regions_that_its_calls_used(data, name):
    """Regions stay with the slot that first took them. A call that finds none left fails to be marshalled, after what it
    has registered was counted, and four more are made."""
    batch, pads = 4, 1
    free, made, failed = batch - pads, batch, 0
    owned, reply_segments, offered = set(), 0, 0
    for operation in read_operations(data / f"linux-6.1-nfs-{name}.pcap.gz").operations:
        header = operation.exchange.call.header
        if operation.exchange.from_responder:
            continue
        writes = [segment for chunk in header.writes for segment in chunk]
        replies = list(header.reply or ())
        waiting = [*header.reads, *writes, *replies]
        pads_only = {segment.handle for segment in writes if segment.octets < 4}
        done = 0
        while done < len(waiting):
            segment = waiting[done]
            region = segment.handle >> 8
            if region not in owned and segment.handle not in pads_only:
                if free == 0:
                    failed, made, free, done = failed + 1, made + batch, batch, 0
                    continue
                free -= 1
                owned.add(region)
            reply_segments += segment in replies
            offered += 0 if segment in header.reads else segment.octets
            done += 1
    counters = xprt_counters(data / f"linux-6.1-nfs-{name}.mountstats")
    assert [reply_segments, offered, failed, made] == [counters[place] for place in (10, 11, 16, 21)]


def test_a_restart_of_the_server_is_seen_as_by_linux(data, tmp_path, replay):
    """The connection ends, an attempt is refused, 3 s pass; then the same XID, and the session is gone."""
    replay(data / "linux-6.1-nfs-v4.1-nfsd-restart.pcap.gz", tmp_path)
    simulated = read_operations(tmp_path / "out" / "client-0.pcap")
    first, second = simulated.connections.iwarp
    again = [operation for operation in simulated.operations if operation.exchange.resent_frames]
    assert [(operation.name, operation.status) for operation in again] == [("WRITE", "NFS4ERR_BADSESSION")]
    assert again[0].exchange.connection is second
    position = simulated.operations.index(again[0])
    names = [(operation.name, operation.status) for operation in simulated.operations[position + 1 : position + 9]]
    assert names == [
        ("DESTROY_SESSION", "NFS4ERR_BADSESSION"),
        ("CREATE_SESSION", "NFS4ERR_STALE_CLIENTID"),
        ("EXCHANGE_ID", "NFS4_OK"),
        ("CREATE_SESSION", "NFS4_OK"),
        ("GETATTR", "NFS4_OK"),
        ("OPEN", "NFS4ERR_NO_GRACE"),
        ("RECLAIM_COMPLETE", "NFS4_OK"),
        ("OPEN", "NFS4_OK"),
    ]
    calls = [simulated.operations[position + 1].exchange.call.time_ns, again[0].exchange.call.first_time_ns]
    assert 3e9 < calls[0] - calls[1] < 5e9


@pytest.mark.parametrize("clients", [2, 5])
@pytest.mark.parametrize("pace", ["closed", "recorded"])
def test_many_clients_see_the_same_restart(data, tmp_path, replay, clients, pace):
    """More than the server has threads, too: it stops when the last of them has come to where the recorded one was."""
    capture = data / "linux-6.1-nfs-v4.1-nfsd-restart.pcap.gz"
    output, comparison = replay(capture, tmp_path, **{"cluster.clients": clients, "workload.pace": pace})
    assert f"{clients * 41} replies compared with the recording; 0 differences" in output
    assert comparison.agrees(ASPECTS)


@pytest.mark.parametrize("name, version", [("v4.1-mtu1500", "4.1"), ("v3-mtu1500", "3")])
@pytest.mark.parametrize("servers", [1, 3])
def test_many_clients_each_with_its_own_tree(data, tmp_path, replay, name, version, servers):
    capture = data / f"linux-6.1-nfs-{name}.pcap.gz"
    output, comparison = replay(capture, tmp_path, **{"cluster.clients": 8, "cluster.servers": servers})
    count = {"4.1": 670, "3": 636}[version]
    assert f"{8 * count} replies compared with the recording; 0 differences" in output
    assert comparison.agrees(ASPECTS)


@pytest.mark.parametrize("version", ["4.0", "4.1", "4.2"])
@pytest.mark.parametrize(
    "scenario, settings",
    [
        ("mdtest", {"workload.items": 4, "workload.tasks": 1}),
        ("fio-randrw", {}),
    ],
)
def test_a_run_of_any_minor_version_can_be_replayed(root, simulator, tmp_path, replay, scenario, settings, version):
    settings = settings | {"cluster.clients": 1, "nfs.version": version}
    run(simulator, scenario, tmp_path / "first", settings)
    _, comparison = replay(tmp_path / "first" / "client-0.pcap", tmp_path, **{"link.mtu": 9000})
    assert len(comparison.pairs) > 400
    assert [pair.disagreements for pair in comparison.pairs if pair.disagreements] == []
    assert comparison.agrees(ASPECTS)


def test_a_version_that_the_trace_is_not_of_is_refused(root, data, simulator, run_program, tmp_path):
    capture = data / "linux-6.1-nfs-v4.1-mount.pcap.gz"
    assert run_program("trace_from_pcap.py", capture, "--out", tmp_path / "trace").returncode == 0
    settings = ["--set", f"workload.trace={tmp_path / 'trace'}", "--set", "nfs.version=4.2"]
    finished = subprocess.run(
        [simulator, "run", "linux-replay", "--out", tmp_path / "out", *settings],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1 and "nfs.version" in finished.stderr and "4.1" in finished.stderr
    assert not (tmp_path / "out").exists()
