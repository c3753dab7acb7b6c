# SPDX-License-Identifier: GPL-2.0-only
"""The mount and umount of a Linux client over TCP, in a cluster: what Linux's capture shows, and nothing malformed."""

from __future__ import annotations

import subprocess

import pytest
from nfsrdma_capture.wellformed import judge

FIELDS = ("tcp.dstport", "rpc.msgtyp", "rpc.program", "rpc.programversion", "rpc.procedure", "rpc.auth.flavor")
MOUNTD = {"simulated": "20048", "golden": "51791"}


def auxiliary_messages(capture, mountd: str) -> list[list[str]]:
    """Of each message of the port mapper and MOUNT: where to, what, and under which flavours."""
    fields = [word for field in FIELDS for word in ("-e", field)]
    done = subprocess.run(
        ["tshark", "-r", capture, "-Y", "portmap || mount", "-T", "fields", *fields],
        capture_output=True,
        text=True,
        check=True,
    )
    messages = [line.split("\t") for line in done.stdout.splitlines()]
    for message in messages:
        port = message[0]
        reserved = port.isdigit() and 665 <= int(port) <= 1023
        message[0] = {mountd: "mountd", "111": "rpcbind"}.get(port, "reserved" if reserved else "ephemeral")
    return messages


@pytest.fixture(scope="module")
def mounted(root, simulator, tmp_path_factory):
    directory = tmp_path_factory.mktemp("mount")
    scenario = "linux-replay"
    arguments = ["--out", directory, "--set", "nfs.mount=linux", "--pcap", "client-0"]
    finished = subprocess.run(
        [simulator, "run", scenario, *arguments], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return directory / "client-0.pcap"


def test_mount_and_umount_are_linuxs(mounted, golden):
    simulated = auxiliary_messages(mounted, MOUNTD["simulated"])
    assert len(simulated) == 12
    assert simulated == auxiliary_messages(golden, MOUNTD["golden"])


def test_capture_with_a_mount_has_no_fault(mounted):
    assert judge(mounted).faults == ()
