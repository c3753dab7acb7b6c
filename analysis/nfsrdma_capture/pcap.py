# SPDX-License-Identifier: GPL-2.0-only
"""Frames of a capture file.

Classic pcap (micro- and nanosecond, either byte order, optionally gzip) is read here; anything else
(pcapng, ...) is converted by tshark first.
"""

from __future__ import annotations

import gzip
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator

from .errors import CaptureError

_MAGIC = {
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\x3c\x4d": (">", 1),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
}
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True)
class Frame:
    """One captured frame: number from 1 as Wireshark counts, time in ns since the epoch, DLT number."""

    number: int
    time_ns: int
    link_type: int
    octets: bytes
    wire_octets: int


def find_tool(name: str) -> str:
    """Path of an installed program; /usr/bin is preferred to the rest of PATH."""
    path = shutil.which(name, path="/usr/bin:/bin") or shutil.which(name)
    if path is None:
        raise CaptureError(f"{name} is not installed")
    return path


def read_octets(path: Path) -> bytes:
    """Contents of a capture file as classic pcap."""
    try:
        octets = Path(path).read_bytes()
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from None
    if octets[:2] == _GZIP_MAGIC:
        try:
            octets = gzip.decompress(octets)
        except (OSError, EOFError) as error:
            raise CaptureError(f"{path}: damaged gzip file ({error})") from None
    if octets[:4] in _MAGIC:
        return octets
    converted = subprocess.run(
        [find_tool("tshark"), "-r", str(path), "-F", "nsecpcap", "-w", "-"],
        capture_output=True,
        check=False,
    )
    if converted.returncode != 0 or converted.stdout[:4] not in _MAGIC:
        raise CaptureError(f"{path}: not a capture file that tshark can read")
    return converted.stdout


def read_frames(path: Path) -> Iterator[Frame]:
    """All frames of a capture in file order; a file cut inside its last frame ends before it."""
    octets = read_octets(path)
    order, tick_ns = _MAGIC[octets[:4]]
    if len(octets) < 24:
        raise CaptureError(f"{path}: capture file is cut short in its header")
    link_type = struct.unpack_from(order + "I", octets, 20)[0] & 0x0FFFFFFF
    record = struct.Struct(order + "IIII")
    position = 24
    number = 0
    while position + record.size <= len(octets):
        seconds, fraction, captured, on_wire = record.unpack_from(octets, position)
        position += record.size
        if position + captured > len(octets):
            return
        number += 1
        yield Frame(
            number,
            seconds * 1_000_000_000 + fraction * tick_ns,
            link_type,
            octets[position : position + captured],
            on_wire,
        )
        position += captured
