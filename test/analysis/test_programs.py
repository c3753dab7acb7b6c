# SPDX-License-Identifier: GPL-2.0-only
"""The programs of analysis/ as a user starts them."""

from __future__ import annotations

import os
import subprocess

import pytest

PROGRAMS = ("trace_from_pcap.py", "compare_capture.py", "check_capture.py", "figures.py")


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_starts_from_any_directory_and_explains_itself(root, tmp_path, name):
    program = root / "analysis" / name
    assert os.access(program, os.X_OK)
    done = subprocess.run([str(program), "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: {name}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_missing_argument_is_bad_input(root, name):
    done = subprocess.run([str(root / "analysis" / name)], capture_output=True, text=True, check=False)
    assert done.returncode == 2


@pytest.mark.parametrize("name", PROGRAMS)
def test_who_has_read_enough_ends_a_program_quietly(root, name):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [root / "analysis" / name, "--help"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert done.stderr == "" and done.returncode != 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["frobnicate"], "unknown command frobnicate"),
        (["build", "fats"], "no preset 'fats' in CMakePresets.json; there are release, optimised, fast, debug, "),
        (["run"], "which scenario?"),
        (["run", "absent.ini"], "absent.ini: neither a scenario file nor a name that ./start scenarios lists"),
        (["run", "scenarios/inline-treshold.ini"], "neither a scenario file nor a name"),
        (["run", "profiles/rnic/generic-100g"], "neither a scenario file nor a name"),
        (["build", "ns3-3.36", "ns-3"], "got 'ns3-3.36', expected ns3-VERSION"),
        (["build", "ns3-dev", "ns-3"], "got 'ns3-dev', expected ns3-VERSION"),
        (["build", "ns3-3.48"], "which source tree of ns-3?"),
        (["build", "ns3-3.48", "absent"], "absent: expected a source tree of ns-3"),
        (["replay"], "which capture file?"),
        (["replay", "absent.pcap"], "absent.pcap: no such capture file"),
        (["replay", "a.pcap", "--out"], "--out: which directory?"),
        (["replay", "--fast", "a.pcap"], "unknown option --fast"),
    ],
)
def test_start_refuses_bad_input_in_one_line(root, tmp_path, arguments, message):
    done = subprocess.run([str(root / "start"), *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_start_refuses_a_source_tree_of_another_ns3(root, tmp_path):
    (tmp_path / "src" / "core" / "model").mkdir(parents=True)
    (tmp_path / "src" / "core" / "model" / "simulator.h").touch()
    (tmp_path / "VERSION").write_text("3.47\n")
    done = subprocess.run([root / "start", "build", "ns3-3.48", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"start: build: {tmp_path}/VERSION: got '3.47', expected 3.48\n"


def test_start_lists_each_scenario_with_one_line_under_its_folder(root, tmp_path):
    done = subprocess.run([str(root / "start"), "scenarios"], cwd=tmp_path, capture_output=True, text=True, check=False)
    listed, folder = set(), ""
    for line in done.stdout.splitlines():
        if not line.startswith(" "):
            folder = line
            continue
        name, about = line.strip().split(maxsplit=1)
        assert about[0].isalnum() and not about.endswith(".")
        listed.add(f"{folder}/{name}")
    assert done.returncode == 0
    assert listed == {f"{path.parent.name}/{path.stem}" for path in (root / "scenarios").glob("*/*.ini")
                      if path.parent.name != "validation"}
    assert len(listed) > 50


def test_start_helps(root):
    done = subprocess.run([str(root / "start"), "help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("Usage: ./start COMMAND")


def test_start_replay_refuses_what_is_not_nfs_and_writes_nothing(root, data, tmp_path):
    capture = data / "linux-6.1-verbs-rping.pcap.gz"
    command = [str(root / "start"), "replay", str(capture)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_start_replay_takes_nfs4(root, data, tmp_path):
    capture = data / "linux-6.1-nfs-v4.1-mount.pcap.gz"
    command = [str(root / "start"), "replay", str(capture)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "all that is supported agrees" in done.stdout
