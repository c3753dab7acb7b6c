# SPDX-License-Identifier: GPL-2.0-only
"""Frames of a capture file: classic pcap (micro- and nanosecond, either byte order) or pcapng, optionally gzip."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path
from typing import Iterator

from .errors import CaptureError
from .frame import LINK_TYPE_MASK, Damage, Frame, check_lengths
from .octets import OctetSource
from .pcapng import SECTION_HEADER, PcapngReader

_MAGIC = {
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\x3c\x4d": (">", 1),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
}
_CONVERT = "convert it: editcap -F pcap IN OUT"
_OTHERS = (
    (b"\xfd7zX", "compressed by xz; uncompress it first: xz -d"),
    (b"BZh", "compressed by bzip2; uncompress it first: bzip2 -d"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd; uncompress it first: zstd -d"),
    (b"\x04\x22\x4d\x18", "compressed by lz4; uncompress it first: lz4 -d"),
    (b"PK\x03\x04", "a zip archive; unpack it first: unzip"),
    (b"\x1f\x8b", "compressed by gzip twice; uncompress it first: gzip -d"),
    (b"snoo", f"a snoop file (RFC 1761); {_CONVERT}"),
    (b"btsn", "a btsnoop file, of Bluetooth"),
    (b"\xa1\xb2\xcd\x34", f"a pcap file of a modified libpcap; {_CONVERT}"),
    (b"\x34\xcd\xb2\xa1", f"a pcap file of a modified libpcap; {_CONVERT}"),
    (b"RTSS", f"a Network Monitor file; {_CONVERT}"),
    (b"GMBU", f"a Network Monitor file; {_CONVERT}"),
    (b"TRSN", f"a Sniffer file; {_CONVERT}"),
    (b"XCP\0", f"a NetXRay file; {_CONVERT}"),
    (b"\x0a\x0d\x0d", "the capture is cut short within its file header"),
    (b"# nf", "a trace of the simulator, not a capture"),
)
_FCS_LENGTH_PRESENT, _FCS_LENGTH_SHIFT = 0x04000000, 28


def find_tool(name: str) -> str:
    """Path of an installed program; /usr/bin is preferred to the rest of PATH."""
    path = shutil.which(name, path="/usr/bin:/bin") or shutil.which(name)
    if path is None:
        raise CaptureError(f"{name} is not installed")
    return path


class CaptureReader:
    """All frames of a capture in file order, of which one at a time is in memory.

    CaptureError when the file is no capture or damaged. One that ends within a frame ends before it: note says so,
    once all frames were read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.note: str | None = None

    def __iter__(self) -> Iterator[Frame]:
        with OctetSource(self._path) as source:
            try:
                yield from self._frames(source)
            except Damage as damage:
                if not damage.is_cut or not damage.frame:
                    raise CaptureError(f"{self._path}: {damage.describe()}") from None
                self.note = damage.describe()

    def _frames(self, source: OctetSource) -> Iterator[Frame]:
        magic = source.take(4)
        if magic == SECTION_HEADER:
            return PcapngReader(source).frames()
        if magic in _MAGIC:
            return _classic_frames(source, *_MAGIC[magic])
        raise CaptureError(f"{self._path}: {_describe_other(magic)}")


def _describe_other(magic: bytes) -> str:
    if not magic:
        return "is empty"
    for start, reason in _OTHERS:
        if magic.startswith(start):
            return reason
    return "not a capture: a pcap or pcapng file, plain or gzip, is expected"


def _classic_frames(source: OctetSource, order: str, tick_ns: int) -> Iterator[Frame]:
    header = source.take(20)
    if len(header) < 20:
        raise Damage.cut(0)
    (word,) = struct.unpack_from(order + "I", header, 16)
    link_type = word & LINK_TYPE_MASK
    fcs_octets = 2 * (word >> _FCS_LENGTH_SHIFT) if word & _FCS_LENGTH_PRESENT else 0
    record = struct.Struct(order + "IIII")
    number = 0
    while head := source.take(record.size):
        number += 1
        if len(head) < record.size:
            raise Damage.cut(number)
        seconds, fraction, captured, on_wire = record.unpack(head)
        check_lengths(number, captured, on_wire)
        octets = source.take(captured)
        if len(octets) < captured:
            raise Damage.cut(number)
        time_ns = seconds * 1_000_000_000 + fraction * tick_ns
        yield Frame(number, time_ns, link_type, octets, on_wire).without_fcs(fcs_octets)
