# SPDX-License-Identifier: GPL-2.0-only
"""What "cmake --install" installs: a package that other projects build with, and programs that run where they are put."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from installed_tree import call

CONSUMER = Path("test") / "consumer"


def configure(prefix: Path, folder: Path, find: str) -> subprocess.CompletedProcess:
    """Configures a project that looks for the package with the words of find."""
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES CXX)\nfind_package(nfsrdma {find})\n"
    )
    return call("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=folder)


def test_a_project_of_another_finds_builds_and_runs(root, prefix, tmp_path):
    shutil.copytree(root / CONSUMER, tmp_path / "consumer")
    for command in (
        ["cmake", "-S", "consumer", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
        ["cmake", "--build", "build"],
        ["build/consumer"],
    ):
        done = call(*command, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(r"WRITE of 65536 octets by msg\+R/inline in \+[\d.]+us\n", done.stdout)


def test_pkg_config_builds_the_same_program(root, prefix, tmp_path):
    flags = call("pkg-config", "--cflags", "--libs", "nfsrdma", cwd=tmp_path, PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig"))
    assert flags.returncode == 0, flags.stderr
    done = call("g++", root / CONSUMER / "consumer.cc", "-o", "consumer", *flags.stdout.split(),
                f"-Wl,-rpath,{prefix}/lib", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert call(tmp_path / "consumer", cwd=tmp_path).stdout.startswith("WRITE of 65536 octets")


@pytest.mark.parametrize(
    "find, message",
    [
        ("0.2 CONFIG REQUIRED", "0.2"),
        ("0.1 CONFIG REQUIRED COMPONENTS rnic wimax", "wimax"),
    ],
)
def test_what_is_not_installed_is_not_found(prefix, tmp_path, find, message):
    done = configure(prefix, tmp_path / "other", find)
    assert done.returncode != 0
    assert message in done.stderr


def test_each_library_is_a_component(prefix, tmp_path):
    libraries = sorted(path.name.removeprefix("libnfsrdma-").removesuffix(".so") for path in (prefix / "lib").glob("*.so"))
    assert {"wire", "rnic", "rpcrdma", "nfs", "workload", "helper", "capture"} <= set(libraries)
    done = configure(prefix, tmp_path / "other", "0.1 EXACT CONFIG REQUIRED COMPONENTS " + " ".join(libraries))
    assert "0.1.0" in done.stderr, "version 0.1 is not exactly 0.1.0"
    done = configure(prefix, tmp_path / "another", "0.1 CONFIG REQUIRED COMPONENTS " + " ".join(libraries))
    assert done.returncode == 0, done.stderr


def test_headers_are_installed_with_all_that_they_include(root, prefix):
    headers = prefix / "include" / "nfsrdma"
    missing = []
    for header in headers.rglob("*.h"):
        for included in re.findall(r'^#include "(?!ns3/)([^"]+)"', header.read_text(), re.MULTILINE):
            if not (headers / included).exists() and not (header.parent / included).exists():
                missing.append(f"{header.relative_to(headers)}: {included}")
    assert missing == []
    generated = [Path("helper") / "version.h"]
    sources = [path.relative_to(root / "model") for path in (root / "model").rglob("*.h")]
    sources += [path.relative_to(root) for path in (root / "helper").rglob("*.h")]
    assert sorted(path.relative_to(headers) for path in headers.rglob("*.h")) == sorted(sources + generated)


def test_the_program_runs_a_scenario_by_name_in_an_empty_folder(prefix, tmp_path):
    done = call(prefix / "bin" / "nfsrdma", "run", "linux-replay", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "costs: nfsrdma sensitivity linux-replay says" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} <= {"results", ".cache", ".config"}
    assert (tmp_path / "results" / "linux-replay" / "latency.png").exists()


def test_the_program_has_the_scenarios_of_its_source_tree(root, prefix, tmp_path):
    def names(program: Path) -> list[str]:
        return call(program, "scenarios", cwd=tmp_path).stdout.splitlines()

    assert names(prefix / "bin" / "nfsrdma") == names(root / "start")


def test_python_finds_the_package_and_the_package_the_simulator(prefix, tmp_path):
    script = "import nfsrdma; print(nfsrdma.run('linux-replay', {'cluster.clients': 1}).name)"
    done = call("/usr/bin/python3", "-c", script, cwd=tmp_path, PYTHONPATH=f"{prefix}/lib/python3/dist-packages")
    assert (done.stdout, done.returncode) == ("linux-replay\n", 0), done.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["frobnicate"], "nfsrdma: unknown command frobnicate; nfsrdma help lists the commands"),
        (["run", "linux-repay"], "nfsrdma: linux-repay: neither a scenario file nor a name that nfsrdma scenarios lists"),
        (["plot"], "nfsrdma: plot: which results directory, and which kind of figure? nfsrdma help lists the kinds"),
    ],
)
def test_the_program_refuses_bad_input_in_one_line(prefix, tmp_path, arguments, message):
    done = call(prefix / "bin" / "nfsrdma", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, message + "\n")
    assert list(tmp_path.iterdir()) == []


def test_completion_knows_commands_scenarios_and_keys(prefix, tmp_path):
    def complete(*words: str) -> list[str]:
        script = ("compopt() { :; }; source share/bash-completion/completions/nfsrdma; "
                  f"COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _nfsrdma; echo \"${{COMPREPLY[@]}}\"")  # fmt: skip
        return call("bash", "-c", script, cwd=prefix, PATH=f"{prefix}/bin:/usr/bin:/bin").stdout.split()

    assert complete("nfsrdma", "pl") == ["plot"]
    assert complete("nfsrdma", "run", "linux-rep") == ["linux-replay"]
    assert complete("nfsrdma", "run", "incast", "--set", "rpcrdma.inline_th") == ["rpcrdma.inline_threshold="]
    assert "--jobs" in complete("nfsrdma-sim", "run", "incast", "--jo")


def test_readme_shows_the_project_that_is_built_here(root):
    """Word for word, as an indented block."""
    blocks = {re.sub(r"^    ", "", block, flags=re.MULTILINE).strip()
              for block in re.findall(r"(?:^(?:    .*)?\n)+", (root / "README.md").read_text(), re.MULTILINE)}  # fmt: skip
    for name in ("CMakeLists.txt", "consumer.cc"):
        assert (root / CONSUMER / name).read_text().strip() in blocks, name
