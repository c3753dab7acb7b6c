# SPDX-License-Identifier: GPL-2.0-only
"""Captures of Linux's client replayed by the simulator, over IPv4 and IPv6: the wire above TCP and mountstats' xprt
counters are Linux's."""

from __future__ import annotations

import subprocess
from itertools import product

import pytest
from nfsrdma_capture.comparison import ASPECTS, compare
from nfsrdma_capture.operation import read_operations

CAPTURES = {"mtu1500": 636, "crc-mtu1500": 636, "1m-read": 14, "p2p": 11, "loss3": 18}
# Seconds spent connecting and idle: times of emulated machines.
TIMES = (3, 4)


def xprt_counters(path) -> list[int]:
    """The 27 values of the line "xprt: rdma", the times left out."""
    (line,) = [line.split() for line in path.read_text().splitlines() if line.strip().startswith("xprt:\trdma")]
    values = [int(word) for word in line[2:]]
    assert len(values) == 27
    return [value for index, value in enumerate(values) if index not in TIMES]


@pytest.fixture(scope="module", params=product(CAPTURES, ("ipv4", "ipv6")), ids="-".join)
def replayed(request, root, data, simulator, run_program, tmp_path_factory):
    """Name of a capture, its comparison with the replay's capture, the latter's contents, the replay's directory."""
    name, ip = request.param
    capture = data / f"linux-6.1-nfs-v3-{name}.pcap.gz"
    directory = tmp_path_factory.mktemp(f"{name}-{ip}")
    done = run_program("trace_from_pcap.py", capture, "--out", directory / "trace")
    assert done.returncode == 0, done.stderr
    assert "unsupported" not in done.stderr
    settings = {
        "cluster.clients": 1,
        "topology.ip": ip,
        "workload.kind": "replay",
        "workload.trace": directory / "trace",
    }
    arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    scenario = "linux-replay"
    finished = subprocess.run(
        [simulator, "run", scenario, "--out", directory / "out", "--pcap", "client-0", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    simulated = read_operations(directory / "out" / "client-0.pcap")
    return name, compare(read_operations(capture), simulated), simulated, directory / "out"


def test_every_rpc_crosses_the_wire_as_linux_sent_it(replayed):
    name, comparison, _, _ = replayed
    assert len(comparison.pairs) == CAPTURES[name]
    assert not comparison.unsupported
    assert [pair.disagreements for pair in comparison.pairs if pair.disagreements] == []
    assert comparison.agrees(ASPECTS)


def test_private_data_of_both_sides_are_linuxs(replayed):
    _, comparison, simulated, _ = replayed
    assert comparison.connections == 1
    assert comparison.private_data == []
    (connection,) = simulated.connections.iwarp
    assert [startup.upper_private_data.hex() for startup in connection.startups] == [
        "f6ab0e1801010303",
        "f6ab0e1801000303",
    ]


def test_mountstats_counters_are_linuxs(replayed, data):
    name, _, _, out = replayed
    assert xprt_counters(out / "mountstats.txt") == xprt_counters(data / f"linux-6.1-nfs-v3-{name}.mountstats")
