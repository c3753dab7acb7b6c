# SPDX-License-Identifier: GPL-2.0-only
"""The simulator of preset fast, which has an ns-3 of its own, writes the same octets as the one with Debian's ns-3.

It is skipped where build/fast has not been made; NFSRDMA_FAST=required has it fail there.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

#: A workload of each NFS version, either TCP, lost and marked frames, many paths, and costs drawn at random.
RUNS = {
    "replay": ("linux-replay", "--pcap", "all"),
    "sweep": ("inline-threshold", "--runs", "2", "--set", "workload.operations=100"),
    "either TCP": ("rdma-against-tcp", "--set", "workload.operations=60"),
    "loss over ns-3's TCP": ("link-flap", "--set", "workload.operations=200", "--set", "rnic.tcp=ns3"),
    "loss": ("loss", "--set", "workload.requests=10"),
    "paths": ("paths",),
    "fio": ("fio-randrw", "--set", "workload.runtime=1ms", "--pcap", "all"),
    "restart": ("server-crash", "--set", "workload.requests=24"),
    "TLS": ("tls-cost", "--set", "workload.operations=60"),
    "measured window": ("mail", "--set", "measure.duration=1ms"),
}


@pytest.fixture(scope="module")
def fast(root) -> Path:
    program = root / "build" / "fast" / "bin" / "nfsrdma-sim"
    if not program.exists():
        assert os.environ.get("NFSRDMA_FAST") != "required", f"{program} is not built"
        pytest.skip(f"{program} is not built")
    return program


def octets_of(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_it_has_an_ns3_of_its_own(fast):
    needed = subprocess.run(["ldd", fast], check=True, capture_output=True, text=True).stdout
    libraries = re.findall(r"(libns3\S*) => (\S+)", needed)
    assert len(libraries) > 3
    for name, path in libraries:
        assert not path.startswith("/usr/"), f"{name} is {path}"


@pytest.mark.parametrize("run", RUNS)
def test_it_writes_the_same_octets(simulator, fast, tmp_path, run):
    written = []
    for program in (simulator, fast):
        # The manifest has the command, in which the directory is to be of the same name.
        folder = tmp_path / str(len(written))
        folder.mkdir()
        done = subprocess.run(
            [program, "run", *RUNS[run], "--out", "results"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        written.append(octets_of(folder / "results"))
    assert len(written[0]) > 5
    assert written[0].keys() == written[1].keys()
    assert [name for name in written[0] if written[0][name] != written[1][name]] == []


def test_a_cache_that_cannot_be_written_is_refused_in_one_line(root):
    done = subprocess.run(
        [root / "cmake" / "fast-ns3"],
        env=os.environ | {"XDG_CACHE_HOME": "/proc/version"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "fast-ns3: /proc/version/nfsrdma cannot be written: set XDG_CACHE_HOME to a folder that can\n"
    )


def test_the_source_of_ns3_is_not_unpacked_over_another(root, tmp_path):
    done = subprocess.run([root / "cmake" / "ns3-source", tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"ns3-source: {tmp_path} exists already\n")
