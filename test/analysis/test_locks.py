# SPDX-License-Identifier: GPL-2.0-only
"""Clients that lock: what the mount, the lock managers and NFS put on the wire, and nothing malformed."""

from __future__ import annotations

import subprocess
from collections import Counter

import pytest
from nfsrdma_capture.wellformed import judge

CALLS = ("portmap", "mount", "nlm")
FIELDS = ("rpc.msgtyp", "rpc.program", "rpc.programversion", "rpc.procedure", "tcp.dstport")
PORTMAP, MOUNT, NLM = "100000", "100005", "100021"
LOCK, UNLOCK, GRANTED_MSG, GRANTED_RES = "2", "4", "10", "15"


def calls(capture) -> Counter:
    """How often each program, version, procedure and port was called over TCP."""
    fields = [word for field in FIELDS for word in ("-e", field)]
    done = subprocess.run(
        ["tshark", "-r", capture, "-Y", "||".join(CALLS), "-T", "fields", *fields],
        capture_output=True,
        text=True,
        check=True,
    )
    counted: Counter = Counter()
    for line in done.stdout.splitlines():
        types, programs, versions, procedures, port = line.split("\t")
        for kind, *call in zip(types.split(","), programs.split(","), versions.split(","), procedures.split(",")):
            counted[(*call, port)] += kind == "0"
    return counted


@pytest.fixture(scope="module", params=["2", "3"])
def locked(request, capture_run):
    return request.param, capture_run("file-locks", "server-0", "--set", f"nfs.version={request.param}")


def test_nothing_is_malformed(locked):
    _, capture = locked
    assert judge(capture).faults == ()


def test_lock_managers_speak_the_version_of_linux(locked):
    version, capture = locked
    counted = calls(capture)
    nlm, mount = ("1", "1") if version == "2" else ("4", "3")
    assert counted[(MOUNT, mount, "1", "20048")] == 4
    assert counted[(NLM, nlm, LOCK, "32803")] == counted[(NLM, nlm, UNLOCK, "32803")] == 160
    assert counted[(NLM, nlm, GRANTED_MSG, "32803")] == counted[(NLM, nlm, GRANTED_RES, "32803")] > 0
    assert {call[:2] for call in counted if call[0] == NLM} == {(NLM, nlm)}
    assert counted[(PORTMAP, "2", "3", "111")] > 4
