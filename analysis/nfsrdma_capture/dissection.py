# SPDX-License-Identifier: GPL-2.0-only
"""What tshark makes of a capture.

tshark 4.0 needs two dissections. With one pass, a READ reply whose data went by Write chunk ends malformed;
with two passes it is right, but a Send of several DDP segments fails an assertion of the dissector. Hence
Dissection holds both, and what counts is what at least one of them gets right.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from .errors import CaptureError
from .pcap import find_tool

PREFERENCES = ("-o", "tcp.reassemble_out_of_order:TRUE")
_FIELDS = (
    "frame.number frame.protocols tcp.stream tcp.len tcp.reassembled_in iwarp_mpa.req _ws.malformed "
    "tcp.analysis.retransmission tcp.analysis.spurious_retransmission "
    "rpc.xid rpc.msgtyp rpc.program rpc.procedure rpc.reqframe rpc.repframe nfs.status "
    "ip.src ipv6.src tcp.srcport ip.dst ipv6.dst tcp.dstport"
).split()

# tshark keeps all that it has dissected in memory.
MAX_OCTETS = 64 << 20

Endpoints = frozenset[tuple[str, int]]
MessageKey = tuple[Endpoints, int, int]


@dataclass(frozen=True, slots=True)
class Dissected:
    """An RPC message in tshark's eyes; status is None when it shows none."""

    frame: int
    program: int
    procedure: int
    status: int | None


@dataclass(frozen=True, slots=True)
class DissectedFrame:
    """A TCP frame in tshark's eyes; messages by connection, XID and message type."""

    number: int
    protocols: tuple[str, ...]
    stream: int
    tcp_octets: int
    is_part: bool
    is_repeat: bool
    starts_iwarp: bool
    malformed: bool
    messages: dict[MessageKey, Dissected]
    replies: int
    matches: int


@dataclass(frozen=True)
class Dissection:
    """Frames by number, of one pass and of two."""

    one_pass: dict[int, DissectedFrame]
    two_pass: dict[int, DissectedFrame]

    def messages(self, protocol: str = "rpc") -> dict[MessageKey, Dissected]:
        """RPC messages found in frames that reach a protocol; the two-pass result goes first."""
        merged: dict[MessageKey, Dissected] = {}
        for frames in (self.two_pass, self.one_pass):
            for frame in frames.values():
                if protocol in frame.protocols and "iwarp_mpa" in frame.protocols:
                    for key, message in frame.messages.items():
                        merged.setdefault(key, message)
        return merged


def run_tshark(path: Path, *arguments: str) -> str:
    """Standard output of tshark over a capture; CaptureError when it fails."""
    finished = subprocess.run(
        [find_tool("tshark"), "-r", str(path), *PREFERENCES, *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if finished.returncode != 0:
        lines = [line for line in finished.stderr.splitlines() if line and "Running as user" not in line]
        raise CaptureError(f"{path}: tshark: {lines[-1] if lines else 'failed'}")
    return finished.stdout


def dissect(path: Path, octets: int = 0) -> Dissection:
    """What tshark makes of a capture whose frames have so many octets together."""
    if octets > MAX_OCTETS:
        raise CaptureError(f"{path}: has {octets >> 20} MiB in its frames, tshark is given {MAX_OCTETS >> 20} at most")
    # An ICMP error quotes the TCP header it is about.
    options = ["-Y", "tcp && !icmp && !icmpv6", "-T", "fields"]
    for field in _FIELDS:
        options += ["-e", field]
    passes = []
    for extra in ((), ("-2",)):
        frames = (_frame(line) for line in run_tshark(path, *extra, *options).splitlines())
        passes.append({frame.number: frame for frame in frames if frame is not None})
    return Dissection(*passes)


def dissect_messages(path: Path, octets: int) -> dict[MessageKey, Dissected]:
    """The RPC messages of dissect()."""
    return dissect(path, octets).messages()


def _frame(line: str) -> DissectedFrame | None:
    """None for a frame in which tshark finds no whole TCP header."""
    try:
        return _whole_frame(dict(zip(_FIELDS, line.split("\t"), strict=True)))
    except ValueError:
        return None


def _whole_frame(columns: dict[str, str]) -> DissectedFrame:
    source = (columns["ip.src"] or columns["ipv6.src"], int(columns["tcp.srcport"].split(",")[0]))
    destination = (columns["ip.dst"] or columns["ipv6.dst"], int(columns["tcp.dstport"].split(",")[0]))
    types = _split(columns["rpc.msgtyp"])
    return DissectedFrame(
        int(columns["frame.number"]),
        tuple(columns["frame.protocols"].split(":")),
        int(columns["tcp.stream"].split(",")[0]),
        int(columns["tcp.len"].split(",")[0]),
        bool(columns["tcp.reassembled_in"]),
        any(columns[f"tcp.analysis.{kind}retransmission"] for kind in ("", "spurious_")),
        bool(columns["iwarp_mpa.req"]),
        bool(columns["_ws.malformed"]),
        _messages(int(columns["frame.number"]), frozenset((source, destination)), columns),
        types.count("1"),
        # tshark 4.0 names the link of a reply to its call repframe, later versions reqframe.
        max(len(_split(columns["rpc.repframe"])), len(_split(columns["rpc.reqframe"]))) if "1" in types else 0,
    )


def _split(column: str) -> list[str]:
    return column.split(",") if column else []


def _messages(frame: int, endpoints: Endpoints, columns: dict[str, str]) -> dict[MessageKey, Dissected]:
    names = ("rpc.xid", "rpc.msgtyp", "rpc.program", "rpc.procedure")
    xids, types, programs, procedures = (_split(columns[name]) for name in names)
    statuses = _split(columns["nfs.status"])
    if not len(xids) == len(types) == len(programs) == len(procedures):
        return {}
    messages: dict[MessageKey, Dissected] = {}
    for index, xid in enumerate(xids):
        status = int(statuses[0]) if len(xids) == len(statuses) == 1 else None
        key = (endpoints, int(xid, 16), int(types[index]))
        messages.setdefault(key, Dissected(frame, int(programs[index]), int(procedures[index]), status))
    return messages
