# SPDX-License-Identifier: GPL-2.0-only
"""iWARP connections of a capture: TCP reassembly, MPA startup and RDMAP messages per direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from . import iwarp, tcp
from .errors import CaptureError
from .pcap import read_frames

INITIATOR, RESPONDER = 0, 1


@dataclass
class _Direction:
    stream: tcp.Stream = field(default_factory=tcp.Stream)
    held: bytearray = field(default_factory=bytearray)
    held_since: tuple[int, int] | None = None
    startup: iwarp.Startup | None = None
    reader: iwarp.MessageReader | None = None


@dataclass
class Connection:
    """One TCP connection on which MPA started; messages are (direction, message) in capture order."""

    initiator: tuple[str, int]
    responder: tuple[str, int]
    first_frame: int
    is_iwarp: bool | None = None
    begun_before_capture: bool = False
    messages: list[tuple[int, iwarp.Message]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    tcp_segments: int = 0
    _directions: tuple[_Direction, _Direction] = field(default_factory=lambda: (_Direction(), _Direction()))

    @property
    def label(self) -> str:
        return f"{self.initiator[0]}:{self.initiator[1]} > {self.responder[0]}:{self.responder[1]}"

    @property
    def startups(self) -> tuple[iwarp.Startup | None, iwarp.Startup | None]:
        return self._directions[INITIATOR].startup, self._directions[RESPONDER].startup

    @property
    def fpdus(self) -> int:
        """FPDUs read in both directions."""
        return sum(state.reader.fpdus for state in self._directions if state.reader is not None)

    def accept(self, segment: tcp.Segment) -> None:
        self.tcp_segments += 1
        if self.is_iwarp is False:
            return
        direction = INITIATOR if segment.source == self.initiator else RESPONDER
        state = self._directions[direction]
        if segment.lost_octets:
            self.faults.append(f"frame {segment.frame}: {segment.lost_octets} octets cut off by the snap length")
        ready = state.stream.accept(segment)
        if not ready:
            return
        if state.reader is not None:
            self._deliver(direction, ready, segment.frame, segment.time_ns)
            return
        state.held += ready
        state.held_since = (segment.frame, segment.time_ns)
        self._start()

    def _start(self) -> None:
        for direction, state in enumerate(self._directions):
            if state.startup is None and state.held:
                try:
                    state.startup = iwarp.parse_startup(bytes(state.held[:1024]))
                except ValueError:
                    if self.is_iwarp is None:
                        self.is_iwarp = False
                    return
                if state.startup is not None:
                    self.is_iwarp = True
                    del state.held[: state.startup.frame_octets]
        request, reply = self.startups
        if request is None or reply is None or reply.rejected:
            return
        for direction, markers in ((INITIATOR, reply.markers), (RESPONDER, request.markers)):
            state = self._directions[direction]
            state.reader = iwarp.MessageReader(markers)
            if state.held:
                self._deliver(direction, bytes(state.held), *state.held_since)
                state.held.clear()

    def _deliver(self, direction: int, octets: bytes, frame: int, time_ns: int) -> None:
        reader = self._directions[direction].reader
        damaged = reader.damage
        for message in reader.feed(octets, frame, time_ns):
            self.messages.append((direction, message))
        if reader.damage is not None and damaged is None:
            self.faults.append(reader.damage)

    def finish(self) -> None:
        for direction, state in enumerate(self._directions):
            name = ("initiator", "responder")[direction]
            if self.is_iwarp and state.stream.pending:
                self.faults.append(f"{state.stream.pending} octets of the {name} lie behind a gap in the capture")


@dataclass(frozen=True)
class ConnectionTable:
    """Connections of a capture; frames is the number of frames read."""

    iwarp: tuple[Connection, ...]
    unreadable: tuple[Connection, ...]
    frames: int


def read_connections(path: Path) -> ConnectionTable:
    """All connections of a capture. CaptureError when the file cannot be read or holds no frame."""
    current: dict[tuple[tuple[str, int], tuple[str, int]], Connection] = {}
    connections: list[Connection] = []
    frames = 0
    for frame in read_frames(path):
        frames += 1
        segment = tcp.parse_segment(frame)
        if segment is None:
            continue
        ends = (min(segment.source, segment.destination), max(segment.source, segment.destination))
        opens = bool(segment.flags & tcp.SYN) and not segment.flags & tcp.ACK
        connection = current.get(ends)
        if connection is None or (opens and not _is_repeated_syn(connection, segment)):
            initiator, responder = segment.source, segment.destination
            if segment.flags & tcp.SYN and segment.flags & tcp.ACK:
                initiator, responder = responder, initiator
            connection = Connection(initiator, responder, segment.frame)
            connection.begun_before_capture = not segment.flags & tcp.SYN
            current[ends] = connection
            connections.append(connection)
        connection.accept(segment)
    if frames == 0:
        raise CaptureError(f"{path}: capture holds no frame")
    for connection in connections:
        connection.finish()
    return ConnectionTable(
        tuple(connection for connection in connections if connection.is_iwarp),
        tuple(c for c in connections if not c.is_iwarp and c.begun_before_capture and c.tcp_segments > 2),
        frames,
    )


def _is_repeated_syn(connection: Connection, segment: tcp.Segment) -> bool:
    state = connection._directions[INITIATOR if segment.source == connection.initiator else RESPONDER]
    return state.stream.next_sequence == (segment.sequence + 1) & 0xFFFFFFFF
