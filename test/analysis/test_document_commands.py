# SPDX-License-Identifier: GPL-2.0-only
"""The commands of the documents are run, one after the other as a reader would, in an empty folder.

That takes long: they run where NFSRDMA_COMMANDS=run, as at night. Every change checks that each command is either run
or left out for a reason (LEFT_OUT), and test_documents.py that its scenario and its settings are taken.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from test_documents import MARKDOWN, ROOT, WITH_OWN_SCENARIOS, Document

#: How a line begins that a reader types.
PROGRAMS = re.compile(r"(?:[A-Z_]+=\S+\s+)*(?:\./start|build/\w+/bin/[\w-]+|analysis/\w+\.py|nfsrdma(?:-sim)?|cmake|ctest|tshark)\s+(?!=)")

#: What a document leaves to the reader, and what stands for it here.
PLACEHOLDERS = {
    "CAPTURE.pcap": "test/data/linux-6.1-nfs-v3-mtu1500.pcap.gz",
    "CAPTURE...": "test/data/linux-6.1-nfs-v3-mtu1500.pcap.gz",
    "CAPTURE": "test/data/linux-6.1-nfs-v3-mtu1500.pcap.gz",
    "REAL SIMULATED": "test/data/linux-6.1-nfs-v3-mtu1500.pcap.gz results/linux-replay/client-0.pcap",
    "RESULTS": "results/linux-replay",
    "/usr/local": "prefix",
    "/tmp/rping": "rping",
}

#: Beginnings of commands that are not run here, and why.
LEFT_OUT = {
    "./start test": "what every change runs",
    "./start build": "a build of its own",
    "NFSRDMA_PRESET=fast": "a build of its own: test_fast.py",
    "./start scale": "measures for minutes: test_scale.py has small clusters",
    "./start submit": "needs a batch system: test_submit.py runs one",
    "./start figures paper": "draws what test_gallery.py draws",
    "./start figures": "draws what test_gallery.py draws",
    "./start calibrate": "the nightly tests of validation do",
    "build/asan/": "a build of its own",
    "build/fuzz/": "a build of its own",
    "ctest": "the tests themselves",
    "tshark -r server-0.pcap": "in the folder of results: test-ipsec's captures are read so",
}


def read_commands(document: Document) -> list[str]:
    found = []
    for block in document.blocks:
        for line in block.replace("\\\n", " ").splitlines():
            if PROGRAMS.match(line.strip()):
                found.append(re.split(r"\s{2,}(?![-\s])|\s+#", line.strip())[0])
    return found


def get_reason(command: str) -> str | None:
    return next((reason for beginning, reason in LEFT_OUT.items() if command.startswith(beginning)), None)


def fill_in(command: str) -> str:
    for placeholder, value in PLACEHOLDERS.items():
        command = re.sub(rf"(?<![\w.]){re.escape(placeholder)}(?![\w.])", value, command)
    return command


WITH_COMMANDS = [document for document in MARKDOWN if document.name not in WITH_OWN_SCENARIOS
                 and any(get_reason(command) is None for command in read_commands(document))]  # fmt: skip


@pytest.fixture
def folder(tmp_path, simulator) -> Path:
    """What a reader has before them, without writing to it: the tree by links, and ./start for results here."""
    for name in ("analysis", "build", "scenarios", "test", "cmake", "model", "helper"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("build"))
    programs = {"start": ROOT / "start", "bin/nfsrdma": ROOT / "analysis/nfsrdma.sh", "bin/nfsrdma-sim": simulator}
    (tmp_path / "bin").mkdir()
    for name, program in programs.items():
        (tmp_path / name).write_text(f'#!/bin/bash\nexec "{program}" "$@"\n')
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_every_command_has_its_programs_and_placeholders():
    assert len(WITH_COMMANDS) >= 8
    unknown = []
    for document in WITH_COMMANDS:
        for command in read_commands(document):
            words = re.findall(r"(?<![\w./-])[A-Z]{3,}[\w.]*", fill_in(command))
            unknown += [f"{document.name}: {command}: {word}" for word in words
                        if get_reason(command) is None and word not in ("READ", "WRITE")]  # fmt: skip
    assert unknown == []
    every = [command for document in MARKDOWN for command in read_commands(document)]
    assert [beginning for beginning in LEFT_OUT if not any(command.startswith(beginning) for command in every)] == []


@pytest.mark.skipif(os.environ.get("NFSRDMA_COMMANDS") != "run", reason="run at night: NFSRDMA_COMMANDS=run")
@pytest.mark.parametrize("document", WITH_COMMANDS, ids=lambda document: document.name)
def test_commands_of_a_document_end_well(document, folder, prefix):
    environment = {**os.environ, "PATH": f"{folder}/bin:/usr/bin:/bin", "CMAKE_PREFIX_PATH": str(prefix)}
    if "results/linux-replay/client-0.pcap" in " ".join(map(fill_in, read_commands(document))):
        subprocess.run(["./start", "run", "linux-replay", "--pcap", "all"], cwd=folder, env=environment, check=True, capture_output=True)
    failed = []
    for command in read_commands(document):
        if get_reason(command) is not None:
            continue
        done = subprocess.run(["bash", "-c", fill_in(command)], cwd=folder, env=environment, capture_output=True, text=True,
                              check=False, timeout=3000)  # fmt: skip
        if done.returncode != 0:
            failed.append(f"{command}: status {done.returncode}: {done.stderr.strip()[-500:]}")
    assert failed == []
