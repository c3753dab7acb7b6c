# SPDX-License-Identifier: GPL-2.0-only
"""Shared by all tests of analysis/: its modules on the import path, the data, and its programs."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "analysis"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
# As the programs have it.
os.environ["MPLBACKEND"] = "Agg"


from installed_tree import install  # noqa: E402  (beside this file)


@pytest.fixture(autouse=True)
def no_open_figures():
    """Figures that a test looks at and does not save are closed with it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    return ROOT / "test" / "data"


@pytest.fixture(scope="session")
def golden(data) -> Path:
    """The functional run of a Linux client: 636 RPCs of all forms."""
    return data / "linux-6.1-nfs-v3-mtu1500.pcap.gz"


@pytest.fixture(scope="session")
def simulator(root) -> Path:
    """nfsrdma-sim as NFSRDMA_SIM names it, or of the release preset, which has to be built."""
    program = Path(os.environ.get("NFSRDMA_SIM", root / "build" / "release" / "bin" / "nfsrdma-sim"))
    assert program.exists(), f"{program} is not built"
    return program


@pytest.fixture(scope="session")
def prefix(simulator, tmp_path_factory) -> Path:
    """An installed tree, moved after it was installed."""
    return install(simulator.parents[1], tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="session")
def capture_run(root, simulator, tmp_path_factory):
    """Runs a scenario, which has to succeed, with a capture at a host. Returns the capture."""

    def run(scenario: str, host: str, *arguments: str) -> Path:
        directory = tmp_path_factory.mktemp(scenario)
        finished = subprocess.run(
            [simulator, "run", scenario, "--out", directory, "--pcap", host, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return directory / f"{host}.pcap"

    return run


@dataclass(frozen=True)
class Finished:
    """How a program of analysis/ ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(scope="session")
def run_program():
    """Runs a program of analysis/ in this process."""

    def run(name: str, *arguments) -> Finished:
        program = importlib.import_module(name.removesuffix(".py"))
        stdout, stderr = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            status = program.main([str(argument) for argument in arguments])
        return Finished(status, stdout.getvalue(), stderr.getvalue())

    return run
