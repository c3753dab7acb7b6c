# SPDX-License-Identifier: GPL-2.0-only
"""A scenario as nfsrdma-sim --print-config resolves it, and the files that it reads."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .place import COMMAND, ROOT, SIMULATOR

#: Sections with a key profile, each with a folder of scenarios/profiles.
PROFILES = ("kernel", "rnic", "host", "rpcrdma", "tls", "storage")
#: The files that a replay reads beside NAME.
TRACE_SUFFIXES = (".trace.csv", ".tree.csv")


class MethodError(Exception):
    """What cannot be done with what the user gave; the text is one line."""


class RunError(Exception):
    """A run that did not end well; the text is one line."""


@dataclass
class Resolved:
    """values has each SECTION.KEY that the scenario uses; unused those without effect; swept the lists of a sweep."""

    text: str
    values: dict[str, str] = field(default_factory=dict)
    unused: dict[str, str] = field(default_factory=dict)
    swept: dict[str, list[str]] = field(default_factory=dict)


def resolve(scenario: str, options: Sequence[str] = (), simulator: Path = SIMULATOR, directory: Path | None = None) -> Resolved:
    """MethodError with the simulator's line when it refuses the scenario."""
    done = call([simulator, "run", scenario, *options, "--print-config"], directory)
    if done.returncode != 0:
        raise MethodError(last_line(done))
    return parse(done.stdout)


def parse(text: str) -> Resolved:
    found = Resolved(text)
    section = ""
    for line in text.splitlines():
        if header := re.fullmatch(r"\[(.+)\]", line):
            section = header[1]
        elif match := re.fullmatch(r"(# not used: )?([^=#]+?) = ?(.*)", line):
            if section == "sweep" and "." in match[2]:
                found.swept[match[2]] = split_list(match[3])
            else:
                (found.unused if match[1] else found.values)[f"{section}.{match[2]}"] = match[3]
    return found


def split_list(text: str) -> list[str]:
    """Values of a list of a sweep: with semicolons where a value has commas; without the list that it goes with."""
    _, colon, rest = text.partition(": ")
    values = rest if colon and re.fullmatch(r"[\w .-]+\.\w+", text.partition(": ")[0]) else text
    return [value.strip() for value in values.split(";" if ";" in values else ",")]


def call(command: Sequence, directory: Path | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(list(map(str, command)), cwd=directory, capture_output=True, text=True, errors="replace", check=False)


def last_line(done: subprocess.CompletedProcess) -> str:
    """What a program said last, without its name."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1].removeprefix("nfsrdma-sim: ") if lines else f"exit status {done.returncode}"


def find_scenario(name: str) -> Path:
    """The file of a scenario, given as a path or by the name under which the project has it."""
    path = Path(name)
    if path.is_file():
        return path
    if path.parent in (Path("."), Path("scenarios")):
        stem = path.name.removesuffix(".ini")
        for found in sorted((ROOT / "scenarios").glob(f"*/{stem}.ini")):
            if found.parent.name not in ("profiles", "validation"):
                return found
    raise MethodError(f"{name}: neither a scenario file nor a name that {COMMAND} scenarios lists")


def list_files(scenario: Path, resolved: Resolved) -> dict[str, Path]:
    """The files that runs of a scenario read beside it, by the name under which they are looked for from its directory.

    MethodError for a file outside the directories of the scenario and of the project's scenarios.
    """
    found: dict[str, Path] = {}
    for key, value in resolved.values.items():
        section, _, name = key.rpartition(".")
        base = section.partition(" ")[0]
        values = resolved.swept.get(key, [value])
        if name == "profile" and base in PROFILES:
            for profile in dict.fromkeys(values):
                _add_profile(found, scenario, base, profile)
        elif base == "workload" and name == "trace":
            for trace in dict.fromkeys(values):
                for suffix in TRACE_SUFFIXES:
                    _add_file(found, scenario, key, trace + suffix)
        elif key == "topology.file" and value:
            for file in dict.fromkeys(values):
                _add_file(found, scenario, key, file)
    return found


def _add_profile(found: dict[str, Path], scenario: Path, base: str, profile: str) -> None:
    """With those that it names, as that of a kernel does."""
    path = _locate(scenario, f"profiles/{base}/{profile}.ini")
    if path is None:
        return
    found[f"profiles/{base}/{profile}.ini"] = path
    for key, value in parse(path.read_text(encoding="utf-8")).values.items():
        section, _, name = key.rpartition(".")
        if name == "profile":
            _add_profile(found, scenario, section, value.partition("#")[0].strip())


def _locate(scenario: Path, name: str) -> Path | None:
    candidates = (scenario.parent / name, ROOT / "scenarios" / name)
    return next((path for path in candidates if path.is_file()), None)


def _add_file(found: dict[str, Path], scenario: Path, key: str, file: str) -> None:
    path = Path(file)
    if not path.is_absolute():
        located = _locate(scenario, file)
        if located is None or ".." in path.parts:
            raise MethodError(f"{key}: {file}: not found from the scenario's directory")
        found[file] = located
        return
    for directory in (scenario.resolve().parent, (ROOT / "scenarios").resolve()):
        if path.resolve().is_relative_to(directory):
            found[str(path.resolve().relative_to(directory))] = path
            return
    raise MethodError(f"{key}: {file}: lies outside the scenario's directory, where an archive cannot have it")


def refuse_paths(texts: Iterable[str]) -> None:
    """MethodError for a value that leads out of a directory, before the simulator looks at what is there."""
    for text in texts:
        for line in text.splitlines():
            value = re.sub(r"(^|\s)#.*", "", line)
            if re.search(r"(^|[\s=,;:\"'])/|\.\./|/\.\.", value):
                raise MethodError(f"{ascii(value.strip()[:80])}: a path that leads out of the scenario's directory")


def require_inside(resolved: Resolved, directory: Path) -> None:
    """MethodError when a run would read a trace or a topology from elsewhere."""
    for key, value in resolved.values.items():
        section, _, name = key.rpartition(".")
        files = resolved.swept.get(key, [value])
        if (section.partition(" ")[0] == "workload" and name == "trace") or (key == "topology.file" and value):
            for file in files:
                path = Path(file)
                if ".." in path.parts or (path.is_absolute() and not path.resolve().is_relative_to(directory.resolve())):
                    raise MethodError(f"{key}: {file}: lies outside the scenario's directory; name it relative to the scenario")
