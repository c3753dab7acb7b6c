# SPDX-License-Identifier: GPL-2.0-only
"""The archive of an artifact: a scenario with every file it reads, the command, the commit, digests of the results.

A gzipped tar of artifact.json and of scenario/: the scenario under its own name, and beside it what it reads. The same
artifact gives the same octets. An archive that was not made here is read as what it may be: only regular files with
plain relative names, of bounded size, are taken out of it, and only options that change a scenario are taken from it.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import tarfile
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath

from .place import COMMAND
from .resolved import MethodError

FORMAT = 1
DESCRIPTION = "artifact.json"
FOLDER = "scenario/"
MOST_OCTETS = 256 << 20
MOST_FILES = 1000
#: Options of nfsrdma-sim that change what a run does, or what it writes.
OPTIONS = ("--set", "--seed", "--runs", "--pcap")
_NAME = re.compile(r"[A-Za-z0-9_+,=@ -][A-Za-z0-9._+,=@ -]*")


@dataclass
class Artifact:
    """scenario is a name in files; options are pairs of an option and its value; results has the SHA-256 of each file."""

    scenario: str
    options: list[list[str]]
    commit: str
    version: str
    status: int
    digest: str
    results: dict[str, str]
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    @property
    def command(self) -> list[str]:
        return [word for pair in self.options for word in pair]


def sha256(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


def digest_tree(directory: Path) -> dict[str, str]:
    """SHA-256 of each file below a directory, by its name from there."""
    paths = sorted(path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): sha256(path.read_bytes()) for path in paths}


def write(path: Path, artifact: Artifact, files: dict[str, bytes]) -> None:
    artifact.files = {name: sha256(octets) for name, octets in sorted(files.items())}
    text = json.dumps(asdict(artifact), indent=1, sort_keys=True) + "\n"
    members = {DESCRIPTION: text.encode("utf-8"), **{FOLDER + name: octets for name, octets in sorted(files.items())}}
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=buffer, mode="wb", mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, octets in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(octets)
                member.mode = 0o644
                tar.addfile(member, io.BytesIO(octets))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())


class _Bounded(io.RawIOBase):
    """Reads a stream up to MOST_OCTETS, whatever headers of the archive claim."""

    def __init__(self, stream) -> None:
        self._stream = stream
        self._left = MOST_OCTETS

    def read(self, size: int = -1) -> bytes:
        if size < 0 or size > self._left:
            size = self._left + 1
        octets = self._stream.read(size)
        self._left -= len(octets)
        if self._left < 0:
            raise MethodError(f"holds more than {MOST_OCTETS >> 20} MiB")
        return octets


def read(path: Path) -> tuple[Artifact, dict[str, bytes]]:
    """The description, and the files of the scenario; MethodError for what is no artifact or not whole."""
    try:
        with open(path, "rb") as file, gzip.GzipFile(fileobj=file) as zipped:
            members = _read_members(_Bounded(zipped))
    except MethodError as error:
        raise MethodError(f"{path}: {error}") from None
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError) as error:
        raise MethodError(f"{path}: no archive of {COMMAND} artifact ({error})") from None
    try:
        if DESCRIPTION not in members:
            raise MethodError(f"{DESCRIPTION} is missing")
        artifact = _parse(members.pop(DESCRIPTION))
        files = {name.removeprefix(FOLDER): octets for name, octets in members.items()}
        for name, digest in artifact.files.items():
            if name not in files or sha256(files[name]) != digest:
                raise MethodError(f"{name}: {'is not what was packed' if name in files else 'is missing'}")
        for name in files:
            if name not in artifact.files:
                raise MethodError(f"{name}: is not listed in {DESCRIPTION}")
        if artifact.scenario not in files or "/" in artifact.scenario:
            raise MethodError(f"{artifact.scenario}: the scenario is missing")
    except MethodError as error:
        raise MethodError(f"{path}: {error}") from None
    return artifact, files


def _read_members(stream) -> dict[str, bytes]:
    members: dict[str, bytes] = {}
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            if len(members) >= MOST_FILES:
                raise MethodError(f"holds more than {MOST_FILES} files")
            if not member.isreg():
                raise MethodError(f"{_shown(member.name)}: not a regular file")
            if not is_plain(member.name) or not (member.name == DESCRIPTION or member.name.startswith(FOLDER)):
                raise MethodError(f"{_shown(member.name)}: a name that an artifact cannot have")
            if member.name in members:
                raise MethodError(f"{_shown(member.name)}: is there twice")
            octets = tar.extractfile(member).read()
            if len(octets) != member.size:
                raise MethodError(f"{_shown(member.name)}: is cut short")
            members[member.name] = octets
    return members


def _shown(name: str) -> str:
    return ascii(name[:80])


def is_plain(name: str) -> bool:
    """Relative, without .., hidden files and characters that a shell or a terminal would take for something else."""
    return len(name) < 256 and all(_NAME.fullmatch(part) for part in name.split("/")) and not PurePosixPath(name).is_absolute()


def _parse(octets: bytes) -> Artifact:
    try:
        values = json.loads(octets)
    except (ValueError, RecursionError):
        raise MethodError(f"{DESCRIPTION}: not JSON") from None
    kinds = {"scenario": str, "options": list, "commit": str, "version": str, "status": int, "digest": str, "results": dict,
             "files": dict, "format": int}  # fmt: skip
    for name, kind in kinds.items():
        if not isinstance(values, dict) or type(values.get(name)) is not kind:
            raise MethodError(f"{DESCRIPTION}: {name}: missing, or of another type")
    if values["format"] != FORMAT:
        raise MethodError(f"{DESCRIPTION}: format {values['format']}, expected {FORMAT}")
    for name in ("results", "files"):
        if not all(isinstance(key, str) and isinstance(value, str) for key, value in values[name].items()):
            raise MethodError(f"{DESCRIPTION}: {name}: expected names and digests")
    for pair in values["options"]:
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(word, str) for word in pair) and pair[0] in OPTIONS):
            raise MethodError(f"{DESCRIPTION}: options: expected pairs of {', '.join(OPTIONS)} and a value")
        if "\0" in pair[1]:
            raise MethodError(f"{DESCRIPTION}: options: a value that no command can have")
    return Artifact(**{name: values[name] for name in kinds})
