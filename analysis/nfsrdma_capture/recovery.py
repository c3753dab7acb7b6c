# SPDX-License-Identifier: GPL-2.0-only
"""How a client and its server came through loss and restarts, as a capture at the client shows it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from .errors import CaptureError
from .operation import CaptureContents, read_operations
from .pcap import CaptureReader
from .tcp import FIN, RST, SYN, Segment, _signed_distance, parse_segment

NFS_PORT = 20049


@dataclass
class Side:
    """What one side has sent on all connections to the port of NFS.

    A segment is repeated when octets behind its first were seen before it: the capture has the
    original or, when that was lost before the capture, the gap it left. repairs are the times, in ns, from
    the first sight of those octets, or of what followed them, to each repetition.
    """

    segments: int = 0
    repeated: int = 0
    repairs: list[int] = field(default_factory=list)

    @property
    def share(self) -> float:
        return self.repeated / self.segments if self.segments else 0.0


@dataclass
class Rpc:
    """Times in ns since the first frame; completed is None without a reply."""

    name: str
    called: int
    completed: int | None
    status: str
    resent: int

    @property
    def duration(self) -> int | None:
        return None if self.completed is None else self.completed - self.called


@dataclass
class Connection:
    """Times in ns since the first frame, None for what did not happen."""

    opened: int
    syns: int = 1
    refused: int | None = None
    established: int | None = None
    mpa_request: int | None = None
    operational: int | None = None
    ended: int | None = None
    end: str = ""
    ended_by: str = ""


@dataclass
class Recovery:
    """longest_silence: without any segment while an RPC waits for its reply, in ns."""

    path: Path
    client: Side
    server: Side
    connections: list[Connection]
    rpcs: list[Rpc]
    longest_silence: int

    @property
    def resent(self) -> int:
        return sum(rpc.resent for rpc in self.rpcs)

    @property
    def share(self) -> float:
        """Of segments with data those that were repeated; 0 without any."""
        segments = self.client.segments + self.server.segments
        return (self.client.repeated + self.server.repeated) / segments if segments else 0.0

    def recovery_order(self) -> list[str]:
        """From the first RPC that was sent again, or failed with its session, on: names of RPCs with their status."""
        for index, rpc in enumerate(self.rpcs):
            if rpc.resent or rpc.status == "NFS4ERR_BADSESSION":
                return [f"{after.name} {after.status}".strip() for after in self.rpcs[index:]]
        return []

    def pauses(self, least: int = 500_000_000) -> list[int]:
        """From the end of each connection or attempt to the next attempt, if that took so long, in ns."""
        found = []
        for before, after in zip(self.connections, self.connections[1:]):
            end = before.refused if before.refused is not None else before.ended
            if end is not None and after.opened - end >= least:
                found.append(after.opened - end)
        return found


class _Sequence:
    """Octets of one direction of a connection as they pass."""

    def __init__(self) -> None:
        self.highest: int | None = None
        self.marks: list[tuple[int, int]] = []  # Ends of what was new, and when.

    def take(self, segment: Segment, now: int, side: Side) -> None:
        if segment.flags & SYN or self.highest is None:
            self.highest = (segment.sequence + bool(segment.flags & SYN)) & 0xFFFFFFFF
            self.marks = []
        length = len(segment.payload) + segment.lost_octets
        if not length:
            return
        side.segments += 1
        if _signed_distance(segment.sequence, self.highest) < 0:
            side.repeated += 1
            seen = next((when for end, when in self.marks if _signed_distance(end, segment.sequence) > 0), now)
            side.repairs.append(now - seen)
        end = (segment.sequence + length) & 0xFFFFFFFF
        if _signed_distance(end, self.highest) > 0:
            self.highest = end
            self.marks.append((end, now))


def read_recovery(path: Path) -> Recovery:
    """CaptureError when the capture has no RPC-over-RDMA call or no connection to the port of NFS."""
    contents = read_operations(path)
    sides = {True: Side(), False: Side()}
    flows: dict[tuple, _Sequence] = defaultdict(_Sequence)
    latest: dict[tuple, Connection] = {}
    connections: list[Connection] = []
    first: int | None = None
    times: list[int] = []
    for frame in CaptureReader(path):
        segment = parse_segment(frame)
        first = frame.time_ns if first is None else first
        if segment is None or NFS_PORT not in (segment.source[1], segment.destination[1]):
            continue
        now = frame.time_ns - first
        times.append(now)
        from_client = segment.destination[1] == NFS_PORT
        ends = (segment.source, segment.destination) if from_client else (segment.destination, segment.source)
        if from_client and segment.flags & SYN and _is_new(latest.get(ends)):
            latest[ends] = Connection(now)
            connections.append(latest[ends])
        elif from_client and segment.flags & SYN:
            latest[ends].syns += 1
        if ends in latest:
            _follow(latest[ends], segment, from_client, now)
        flows[segment.source, segment.destination].take(segment, now, sides[from_client])
    if not connections:
        raise CaptureError(f"{path}: no connection to port {NFS_PORT} from its start")
    rpcs = _list_rpcs(contents, first)
    return Recovery(Path(path), sides[True], sides[False], connections, rpcs, _find_silence(times, rpcs))


def _find_silence(times: list[int], rpcs: list[Rpc]) -> int:
    return max(
        (
            after - before
            for before, after in zip(times, times[1:])
            if any(rpc.called <= before and (rpc.completed is None or rpc.completed >= after) for rpc in rpcs)
        ),
        default=0,
    )


def _is_new(connection: Connection | None) -> bool:
    return connection is None or connection.established is not None or connection.ended is not None


def _follow(connection: Connection, segment: Segment, from_client: bool, now: int) -> None:
    if segment.flags & RST and not from_client and connection.established is None:
        connection.refused = connection.refused if connection.refused is not None else now
        return
    if segment.flags & SYN and not from_client:
        connection.established = now
        connection.refused = None
    if segment.payload and from_client and connection.mpa_request is None:
        connection.mpa_request = now
    if segment.payload and not from_client and connection.operational is None:
        connection.operational = now
    if segment.flags & (FIN | RST) and connection.ended is None:
        connection.ended = now
        connection.end = "RST" if segment.flags & RST else "FIN"
        connection.ended_by = "client" if from_client else "server"


def _list_rpcs(contents: CaptureContents, first: int) -> list[Rpc]:
    rpcs = []
    for operation in contents.operations:
        exchange = operation.exchange
        completed = exchange.reply.time_ns - first if exchange.reply is not None else None
        rpcs.append(
            Rpc(operation.name, exchange.call.first_time_ns - first, completed, operation.status, len(exchange.resent_frames))
        )
    return rpcs
