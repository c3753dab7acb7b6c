# SPDX-License-Identifier: GPL-2.0-only
"""What a mount of each version of NFS puts on the wire: nothing malformed, and its own COMPOUNDs."""

from __future__ import annotations

from collections import Counter

import pytest
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.wellformed import judge

SIZES = ["--set", "workload.items=4", "--set", "workload.tasks=1", "--set", "cluster.clients=1"]


@pytest.fixture(scope="module", params=["2", "3", "4.0", "4.1", "4.2"])
def mounted(request, capture_run):
    return request.param, capture_run("mdtest", "client-0", "--set", f"nfs.version={request.param}", *SIZES)


def test_nothing_is_malformed(mounted):
    _, capture = mounted
    assert judge(capture).faults == ()


def test_programs_are_those_of_the_version(mounted):
    version, capture = mounted
    programs = Counter(operation.program for operation in read_operations(capture).operations)
    assert set(programs) - {"NFSACL3"} == {"NFS" + version[0]}
    assert programs.most_common(1)[0][1] > 20
