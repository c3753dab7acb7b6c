# SPDX-License-Identifier: GPL-2.0-only
"""MPA startup, FPDUs, and DDP/RDMAP messages of one direction of a connection (RFC 5044, 5041, 5040)."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

REQUEST_KEY = b"MPA ID Req Frame"
REPLY_KEY = b"MPA ID Rep Frame"
_STARTUP_OCTETS = 20
_MARKER_SPACING = 512
_MARKER_OCTETS = 4

WRITE, READ_REQUEST, READ_RESPONSE, SEND, SEND_INVALIDATE, SEND_SE, SEND_SE_INVALIDATE, TERMINATE = range(8)
SENDS = (SEND, SEND_INVALIDATE, SEND_SE, SEND_SE_INVALIDATE)
INVALIDATING = (SEND_INVALIDATE, SEND_SE_INVALIDATE)


@dataclass(frozen=True, slots=True)
class Startup:
    """An MPA Request or Reply Frame."""

    is_reply: bool
    markers: bool
    crc: bool
    rejected: bool
    revision: int
    private_data: bytes
    enhanced: bool = False

    @property
    def frame_octets(self) -> int:
        return _STARTUP_OCTETS + len(self.private_data)

    @property
    def upper_private_data(self) -> bytes:
        """Without the IRD and ORD of an enhanced frame (RFC 6581), which come first."""
        return self.private_data[4:] if self.enhanced else self.private_data


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tagged DDP segment: RDMA Write or RDMA Read Response."""

    frame: int
    time_ns: int
    opcode: int
    stag: int
    offset: int
    payload: bytes
    last: bool


@dataclass(frozen=True, slots=True)
class ReadRequest:
    frame: int
    time_ns: int
    sink_stag: int
    sink_offset: int
    octets: int
    source_stag: int
    source_offset: int


@dataclass(frozen=True, slots=True)
class Send:
    """A whole Send message; first_* is where its first octets were seen, frame where it became complete."""

    first_frame: int
    first_time_ns: int
    frame: int
    time_ns: int
    opcode: int
    invalidate_stag: int
    segments: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class Terminate:
    frame: int
    time_ns: int
    payload: bytes


Message = Tagged | ReadRequest | Send | Terminate


def parse_startup(octets: bytes) -> Startup | None:
    """The startup frame at the head of a direction: None if it is not whole yet, ValueError if it is none."""
    key = bytes(octets[:16])
    if key != REQUEST_KEY[: len(key)] and key != REPLY_KEY[: len(key)]:
        raise ValueError("no MPA startup frame")
    if len(octets) < _STARTUP_OCTETS:
        return None
    flags, revision, private_octets = struct.unpack_from(">BBH", octets, 16)
    if len(octets) < _STARTUP_OCTETS + private_octets:
        return None
    return Startup(
        key == REPLY_KEY,
        bool(flags & 0x80),
        bool(flags & 0x40),
        bool(flags & 0x20),
        revision,
        bytes(octets[_STARTUP_OCTETS : _STARTUP_OCTETS + private_octets]),
        bool(flags & 0x10),
    )


@dataclass(slots=True)
class _PartialSend:
    first_frame: int
    first_time_ns: int
    segments: int = 0
    payload: bytearray = field(default_factory=bytearray)


class MessageReader:
    """Turns the in-order octets of a direction in full operation into RDMAP messages.

    damage holds one line for the first fault that makes the rest of the direction unreadable, damaged_at the frame
    and the time of it.
    """

    def __init__(self, markers: bool) -> None:
        self._markers = markers
        self._stream_offset = 0
        self._buffer = bytearray()
        self._starts: list[tuple[int, int, int]] = []
        self._consumed = 0
        self._appended = 0
        self._sends: dict[tuple[int, int], _PartialSend] = {}
        self.damage: str | None = None
        self.damaged_at: tuple[int, int] | None = None
        self.fpdus = 0

    @property
    def unread_octets(self) -> int:
        return len(self._buffer)

    def feed(self, octets: bytes, frame: int, time_ns: int) -> list[Message]:
        if self.damage is not None:
            return []
        if self._markers:
            octets = self._without_markers(octets)
        self._starts.append((self._appended, frame, time_ns))
        self._appended += len(octets)
        self._buffer += octets
        messages: list[Message] = []
        position = 0
        while len(self._buffer) - position >= 2:
            (ulpdu_octets,) = struct.unpack_from(">H", self._buffer, position)
            fpdu_octets = (2 + ulpdu_octets + 3) // 4 * 4 + 4
            if len(self._buffer) - position < fpdu_octets:
                break
            ulpdu = bytes(self._buffer[position + 2 : position + 2 + ulpdu_octets])
            first_frame, first_time_ns = self._origin(self._consumed + position)
            position += fpdu_octets
            self.fpdus += 1
            message = self._segment(ulpdu, first_frame, first_time_ns, frame, time_ns)
            if self.damage is not None:
                self.damaged_at = frame, time_ns
                break
            if message is not None:
                messages.append(message)
        del self._buffer[:position]
        self._consumed += position
        while len(self._starts) > 1 and self._starts[1][0] <= self._consumed:
            del self._starts[0]
        return messages

    def _origin(self, stream_position: int) -> tuple[int, int]:
        origin = self._starts[0]
        for start in self._starts:
            if start[0] > stream_position:
                break
            origin = start
        return origin[1], origin[2]

    def _without_markers(self, octets: bytes) -> bytes:
        kept = bytearray()
        position = 0
        while position < len(octets):
            phase = self._stream_offset % _MARKER_SPACING
            limit = _MARKER_OCTETS if phase < _MARKER_OCTETS else _MARKER_SPACING
            step = min(limit - phase, len(octets) - position)
            if phase >= _MARKER_OCTETS:
                kept += octets[position : position + step]
            position += step
            self._stream_offset += step
        return bytes(kept)

    def _segment(
        self, ulpdu: bytes, first_frame: int, first_time_ns: int, frame: int, time_ns: int
    ) -> Message | None:
        if len(ulpdu) < 14 or ulpdu[0] & 0x03 != 1:
            self.damage = f"frame {frame}: FPDU without a DDP version 1 header"
            return None
        tagged = bool(ulpdu[0] & 0x80)
        last = bool(ulpdu[0] & 0x40)
        opcode = ulpdu[1] & 0x0F
        if tagged:
            stag, offset = struct.unpack_from(">IQ", ulpdu, 2)
            return Tagged(frame, time_ns, opcode, stag, offset, ulpdu[14:], last)
        if len(ulpdu) < 18:
            self.damage = f"frame {frame}: untagged DDP header is cut short"
            return None
        invalidate, queue, sequence, _offset = struct.unpack_from(">IIII", ulpdu, 2)
        if opcode == READ_REQUEST and len(ulpdu) >= 46:
            return ReadRequest(frame, time_ns, *struct.unpack_from(">IQIIQ", ulpdu, 18))
        if opcode == TERMINATE:
            return Terminate(frame, time_ns, ulpdu[18:])
        if opcode not in SENDS:
            self.damage = f"frame {frame}: RDMAP opcode {opcode} in an untagged segment"
            return None
        partial = self._sends.setdefault((queue, sequence), _PartialSend(first_frame, first_time_ns))
        partial.payload += ulpdu[18:]
        partial.segments += 1
        if not last:
            return None
        del self._sends[(queue, sequence)]
        return Send(
            partial.first_frame,
            partial.first_time_ns,
            frame,
            time_ns,
            opcode,
            invalidate if opcode in INVALIDATING else 0,
            partial.segments,
            bytes(partial.payload),
        )
