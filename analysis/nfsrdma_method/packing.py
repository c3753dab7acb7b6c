# SPDX-License-Identifier: GPL-2.0-only
"""Runs of scenarios from a copy with all that they read, so that what is not in the copy cannot matter."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import archive
from .archive import Artifact
from .resolved import ROOT, MethodError, RunError, call, find_scenario, last_line, list_files, refuse_paths, require_inside, resolve

#: What nfsrdma-sim ends with when it has results.
ENDED = (0, 1)


@dataclass(frozen=True)
class Outcome:
    """How a run from a copy ended, with the digests of its files."""

    status: int
    digest: str
    results: dict[str, str]


def run_copy(files: dict[str, bytes], scenario: str, options: Sequence[str], simulator: Path, jobs: int | None) -> Outcome:
    """Runs a scenario in a directory of its own that has nothing but files."""
    settings = [octets.decode("utf-8", "replace") for name, octets in files.items() if name.endswith(".ini")]
    refuse_paths([*settings, *options])
    for name, octets in files.items():
        if octets.startswith(b"\x7fELF"):
            raise MethodError(f"{name}: a program, which an archive cannot have")
    with tempfile.TemporaryDirectory(prefix="nfsrdma-artifact-") as name:
        place = Path(name)
        for file, octets in files.items():
            path = place / "scenario" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(octets)
        require_inside(resolve(scenario, options, simulator, place / "scenario"), place / "scenario")
        extra = ["--jobs", str(jobs)] if jobs else []
        done = call([simulator, "run", scenario, *options, *extra, "--out", place / "results"], place / "scenario")
        if done.returncode not in ENDED:
            raise RunError(f"{scenario}: exit status {done.returncode}: {last_line(done)}")
        digest = next((line.split()[1] for line in done.stdout.splitlines() if line.startswith("digest ")), "")
        return Outcome(done.returncode, digest, archive.digest_tree(place / "results"))


def pack(scenario: str, options: list[list[str]], out: Path, simulator: Path, jobs: int | None = None) -> Artifact:
    """Runs the scenario and writes the archive."""
    path = find_scenario(scenario)
    words = [word for pair in options for word in pair]
    resolved = resolve(str(path), words, simulator)
    if resolved.values.get("cluster.plugins"):
        raise MethodError("cluster.plugins: an archive holds no programs, so that it is safe to run one from elsewhere")
    files = {path.name: path.read_bytes()}
    for name, file in list_files(path, resolved).items():
        files[name] = file.read_bytes()
    for name in files:
        if not archive.is_plain(name):
            raise MethodError(f"{name}: a name that an archive cannot have, expected letters, digits and ._+,=@-")
    if sum(map(len, files.values())) > archive.MOST_OCTETS // 2 or len(files) >= archive.MOST_FILES:
        raise MethodError(f"{scenario}: reads more than an archive may hold, {archive.MOST_OCTETS >> 21} MiB")
    outcome = run_copy(files, path.name, words, simulator, jobs)
    artifact = Artifact(path.name, options, commit(), version(simulator), outcome.status, outcome.digest, outcome.results)
    archive.write(out, artifact, files)
    return artifact


def reproduce(path: Path, simulator: Path, jobs: int | None = None) -> tuple[Artifact, Outcome]:
    """Runs what an archive has."""
    artifact, files = archive.read(path)
    return artifact, run_copy(files, artifact.scenario, artifact.command, simulator, jobs)


def compare(artifact: Artifact, outcome: Outcome) -> list[str]:
    """A line for each difference between what was packed and what came out."""
    lines = []
    if artifact.status != outcome.status:
        lines.append(f"exit status: {outcome.status}, was {artifact.status}")
    if artifact.digest != outcome.digest:
        lines.append(f"digest: {outcome.digest}, was {artifact.digest}")
    for name in sorted({*artifact.results, *outcome.results}):
        packed, found = artifact.results.get(name), outcome.results.get(name)
        if packed != found:
            lines.append(f"{name}: " + ("differs" if packed and found else "was not written" if packed else "was not there"))
    return lines


def commit() -> str:
    """Of this tree, with a mark when it has changes of its own; empty where there is no git."""
    try:
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
        if head.returncode != 0:
            return ""
        status = subprocess.run(
            ["git", "status", "--porcelain", "--untracked-files=no"], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return head.stdout.strip() + (" with changes" if status.stdout.strip() else "")


def version(simulator: Path) -> str:
    done = call([simulator, "--version"])
    if done.returncode != 0:
        raise RunError(f"{simulator}: exit status {done.returncode}: {last_line(done)}")
    return done.stdout.strip()
