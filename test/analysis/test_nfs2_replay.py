# SPDX-License-Identifier: GPL-2.0-only
"""Captures of NFSv2, of runs of the simulator: made traces of, replayed, and compared with the replay RPC by RPC."""

from __future__ import annotations

import subprocess

import pytest
from nfsrdma_capture import nfs2
from nfsrdma_capture.comparison import ASPECTS, compare
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.xdr import XdrReader


def run(simulator, scenario, directory, settings):
    arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    finished = subprocess.run(
        [simulator, "run", scenario, "--out", directory, "--pcap", "all", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


RUNS = {
    "mdtest": {"workload.items": 5, "workload.tasks": 1, "workload.write_bytes": "3901B"},
    "fio-randrw": {"workload.size": "256KiB"},
    "mix": {
        "workload.kind": "mix",
        "workload.operations": 300,
        "workload.files": 8,
        "workload.operation_mix": "lookup:4,read:4,write:4,getattr:4,setattr:2,readlink:2,readdir:2,create:2,remove:1,symlink:1,"
        "fsstat:1",
    },
    "acl": {"workload.kind": "acl", "workload.requests": 40, "workload.acl_files": 5, "nfs.nfsacl2": "true"},
}


@pytest.mark.parametrize("pace", ["recorded", "closed"])
@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_version_2_can_be_replayed(root, simulator, run_program, tmp_path, name, pace):
    scenario = name if name in ("mdtest", "fio-randrw") else "mdtest"
    settings = RUNS[name] | {"cluster.clients": 1, "nfs.version": 2}
    run(simulator, scenario, tmp_path / "first", settings)
    capture = tmp_path / "first" / "client-0.pcap"
    done = run_program("trace_from_pcap.py", capture, "--out", tmp_path / "trace")
    assert done.returncode == 0, done.stderr
    assert "unsupported" not in done.stderr and "differs on 0" in done.stderr
    clients = 3 if pace == "closed" else 1
    settings = {"cluster.clients": clients, "workload.trace": tmp_path / "trace", "workload.pace": pace, "link.mtu": 9000}
    output = run(simulator, "linux-replay", tmp_path / "out", settings)
    assert "unsupported     none" in output and "; 0 mismatches" in output and "recording; 0 differences" in output
    for client in range(clients):
        comparison = compare(read_operations(capture), read_operations(tmp_path / "out" / f"client-{client}.pcap"))
        assert len(comparison.pairs) > 40 and not comparison.unsupported
        assert [pair.disagreements for pair in comparison.pairs if pair.disagreements] == []
        assert comparison.agrees(ASPECTS)


def words(*numbers):
    return b"".join(number.to_bytes(4, "big") for number in numbers)


UNSET = 0xFFFFFFFF
NAME = words(1) + b"f\0\0\0"


@pytest.mark.parametrize(
    "attributes, expected",
    [
        ((0o100644, UNSET, UNSET, UNSET), {"mode": 0o644}),
        ((0o010600, UNSET, UNSET, UNSET), {"mode": 0o600, "spec": "FIFO"}),
        ((0o020600, UNSET, UNSET, UNSET), {"mode": 0o600, "spec": "FIFO"}),
        ((0o020600, 5, UNSET, 0x0101), {"mode": 0o600, "uid": 5, "spec": "CHR:1:1"}),
        ((0o060600, UNSET, 6, 0x00100811), {"mode": 0o600, "gid": 6, "spec": "BLK:8:273"}),
    ],
)
def test_create_tells_files_from_devices(attributes, expected):
    octets = bytes(32) + NAME + words(*attributes, UNSET, UNSET, UNSET, UNSET)
    arguments = nfs2.decode_arguments("CREATE", XdrReader(octets))
    assert arguments == {"object": bytes(32), "name": "f"} | expected


def test_times_are_the_servers_or_the_clients():
    octets = bytes(32) + words(UNSET, UNSET, UNSET, 77, 100, 5, 200, 1_000_000)
    arguments = nfs2.decode_arguments("SETATTR", XdrReader(octets))
    assert (arguments["size"], arguments["atime"], arguments["mtime"]) == (77, "server", "server")
    octets = bytes(32) + words(UNSET, UNSET, UNSET, UNSET, 100, 5, UNSET, UNSET)
    arguments = nfs2.decode_arguments("SETATTR", XdrReader(octets))
    assert arguments["atime"] == "100.000005000" and "mtime" not in arguments
