# SPDX-License-Identifier: GPL-2.0-only
"""Captures the simulator writes are what Wireshark expects.

They are those of the results directories in NFSRDMA_RESULTS (separated by colons) or, without it, of a run of
scenarios/replays/linux-replay.ini with all nodes captured.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from nfsrdma_capture.connection import read_connections
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.wellformed import judge


@pytest.fixture(scope="module")
def simulate(root, tmp_path_factory):
    """Runs the replay scenario with more options and gives its results directory."""

    def run(*options: str) -> Path:
        directory = tmp_path_factory.mktemp("simulated") / "linux-replay"
        simulator = root / "build" / "release" / "bin" / "nfsrdma-sim"
        scenario = "linux-replay"
        command = [str(simulator), "run", str(scenario), "--out", str(directory), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return directory

    return run


@pytest.fixture(scope="module")
def replay(simulate) -> Path:
    return simulate("--pcap", "all")


@pytest.fixture(scope="module")
def captures(request) -> list[Path]:
    directories = [Path(text) for text in os.environ.get("NFSRDMA_RESULTS", "").split(":") if text]
    directories = directories or [request.getfixturevalue("replay")]
    found = sorted(path for directory in directories for path in directory.rglob("*.pcap"))
    assert found, f"no capture in {directories}"
    return found


def test_nothing_is_malformed_and_all_is_dissected(captures):
    verdicts = {path: judge(path) for path in captures}
    assert {str(path): verdict.faults for path, verdict in verdicts.items() if verdict.faults} == {}
    assert all(verdict.operations > 0 for verdict in verdicts.values())


def test_every_call_has_its_whole_reply(captures):
    for path in captures:
        for operation in read_operations(path).operations:
            where = f"{path.name} frame {operation.exchange.call.frame} {operation.title}"
            assert operation.exchange.reply is not None, where
            assert operation.exchange.call.whole and operation.exchange.reply.whole, where
            assert operation.note == "", f"{where}: {operation.note}"


def test_every_crc_is_there_and_good_when_asked_for(simulate):
    capture = simulate("--pcap", "client-0", "--set", "rnic.mpa_crc=true") / "client-0.pcap"
    verdict = judge(capture)
    assert verdict.faults == ()
    assert verdict.good_crcs == sum(connection.fpdus for connection in read_connections(capture).iwarp) > 0


def test_replay_agrees_with_linux(golden, replay, run_program):
    """Every NFSv3 operation of the golden capture goes by the same form, segments and lengths."""
    clients = sorted(replay.glob("client-*.pcap"))
    assert clients
    for capture in clients:
        done = run_program("compare_capture.py", golden, capture)
        assert done.returncode == 0, done.stdout
