# SPDX-License-Identifier: GPL-2.0-only
"""iWARP connections of a capture: TCP reassembly, MPA startup and RDMAP messages per direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from . import iwarp, link, tcp
from .budget import Budget
from .errors import CaptureError
from .frame import Frame
from .pcap import CaptureReader

INITIATOR, RESPONDER = 0, 1
_MAX_FAULTS = 100


@dataclass(slots=True)
class _Direction:
    stream: tcp.Stream = field(default_factory=tcp.Stream)
    held: bytearray = field(default_factory=bytearray)
    held_since: tuple[int, int] | None = None
    startup: iwarp.Startup | None = None
    reader: iwarp.MessageReader | None = None


@dataclass(slots=True, eq=False)
class Connection:
    """One TCP connection on which MPA started; messages are (direction, message) in capture order.

    gap_ns is the time from which on something of it is not in the capture; None: nothing is missing.
    """

    initiator: tuple[str, int]
    responder: tuple[str, int]
    first_frame: int
    is_iwarp: bool | None = None
    begun_before_capture: bool = False
    messages: list[tuple[int, iwarp.Message]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    gap_ns: int | None = None
    tcp_segments: int = 0
    budget: Budget = field(default_factory=Budget, repr=False)
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
            if len(self.faults) < _MAX_FAULTS:
                self.faults.append(f"frame {segment.frame}: {segment.lost_octets} octets cut off by the snap length")
            self._lacks_from(segment.time_ns)
        pending = state.stream.pending
        ready = state.stream.accept(segment)
        held = state.stream.pending - pending
        self.budget.spend(max(0, len(ready) + held) + (Budget.HELD_SEGMENT if held > 0 else 0))
        if not ready:
            return
        if state.reader is not None:
            self._deliver(direction, ready, segment.frame, segment.time_ns)
            return
        state.held += ready
        state.held_since = (segment.frame, segment.time_ns)
        self._start()

    def _lacks_from(self, time_ns: int) -> None:
        self.gap_ns = time_ns if self.gap_ns is None else min(self.gap_ns, time_ns)

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
            self.budget.spend(Budget.SEND if isinstance(message, iwarp.Send) else Budget.MESSAGE)
            self.messages.append((direction, message))
        if reader.damage is not None and damaged is None:
            self.faults.append(reader.damage)
            self._lacks_from(reader.damaged_at[1])

    def finish(self) -> None:
        for direction, state in enumerate(self._directions):
            name = ("initiator", "responder")[direction]
            if self.is_iwarp and state.stream.pending:
                self.faults.append(f"{state.stream.pending} octets of the {name} lie behind a gap in the capture")
                self._lacks_from(state.stream.gap_since[1])


@dataclass(frozen=True)
class ConnectionTable:
    """Connections of a capture; frames is the number of frames read, octets what they have together.

    remarks are lines on frames that were not read although a TCP segment may be in them, and on a cut end.
    """

    iwarp: tuple[Connection, ...]
    unreadable: tuple[Connection, ...]
    frames: int
    octets: int
    remarks: tuple[str, ...]
    budget: Budget = field(repr=False, compare=False)


class _TableBuilder:
    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._current: dict[tuple[tuple[str, int], tuple[str, int]], Connection] = {}
        self.connections: list[Connection] = []
        self.misses = link.Misses()

    def take(self, frame: Frame) -> None:
        try:
            segment = tcp.read_segment(frame)
        except link.Miss as miss:
            self.misses.add(miss)
            return
        ends = (min(segment.source, segment.destination), max(segment.source, segment.destination))
        opens = bool(segment.flags & tcp.SYN) and not segment.flags & tcp.ACK
        connection = self._current.get(ends)
        if connection is None or (opens and not _is_repeated_syn(connection, segment)):
            connection = self._open(segment)
            self._current[ends] = connection
        connection.accept(segment)

    def _open(self, segment: tcp.Segment) -> Connection:
        initiator, responder = segment.source, segment.destination
        if segment.flags & tcp.SYN and segment.flags & tcp.ACK:
            initiator, responder = responder, initiator
        self._budget.spend(Budget.CONNECTION)
        connection = Connection(initiator, responder, segment.frame, budget=self._budget)
        connection.begun_before_capture = not segment.flags & tcp.SYN
        self.connections.append(connection)
        return connection


def read_connections(path: Path, budget: Budget | None = None) -> ConnectionTable:
    """All connections of a capture. CaptureError when the file cannot be read or holds no frame."""
    budget = budget or Budget()
    builder = _TableBuilder(budget)
    reader = CaptureReader(path)
    frames = octets = 0
    for frame in reader:
        frames += 1
        octets += len(frame.octets)
        try:
            builder.take(frame)
        except CaptureError as error:
            raise CaptureError(f"{path}: {error}, at frame {frame.number}") from None
    if frames == 0:
        raise CaptureError(f"{path}: {reader.note or 'the capture holds no frame'}")
    if builder.misses.count(link.Miss.LINK_TYPE) == frames:
        raise CaptureError(f"{path}: link type {frame.link_type} is not read; {link.KNOWN_TEXT}")
    connections = builder.connections
    for connection in connections:
        connection.finish()
    found = tuple(connection for connection in connections if connection.is_iwarp)
    remarks = builder.misses.lost() + ([] if found else builder.misses.others())
    return ConnectionTable(
        found,
        tuple(c for c in connections if not c.is_iwarp and c.begun_before_capture and c.tcp_segments > 2),
        frames,
        octets,
        (*remarks, reader.note) if reader.note else tuple(remarks),
        budget,
    )


def _is_repeated_syn(connection: Connection, segment: tcp.Segment) -> bool:
    state = connection._directions[INITIATOR if segment.source == connection.initiator else RESPONDER]
    return state.stream.next_sequence == (segment.sequence + 1) & 0xFFFFFFFF
