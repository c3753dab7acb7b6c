# SPDX-License-Identifier: GPL-2.0-only
"""TCP segments out of frames, and in-order octet streams out of segments."""

from __future__ import annotations

import functools
import ipaddress
import struct
from dataclasses import dataclass, field

from .frame import Frame
from .link import IPV4, Miss, network_layer

_PROTOCOL_TCP = 6
_IPV6_FRAGMENT, _IPV6_AUTHENTICATION = 44, 51
_IPV6_EXTENSIONS = (0, 43, _IPV6_AUTHENTICATION, 60)

FIN, SYN, RST, PUSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10


@dataclass(frozen=True, slots=True)
class Segment:
    """A TCP segment; lost_octets counts payload octets the capture's snap length cut off."""

    frame: int
    time_ns: int
    source: tuple[str, int]
    destination: tuple[str, int]
    sequence: int
    flags: int
    payload: bytes
    lost_octets: int


@functools.lru_cache(maxsize=4096)
def _address(octets: bytes) -> str:
    return str(ipaddress.ip_address(octets))


def _ipv4(octets: bytes, offset: int) -> tuple[int, int, bytes, bytes]:
    """Offset of the TCP header, end of the packet (0: not said), addresses."""
    if len(octets) < offset + 20:
        raise Miss(Miss.CUT)
    header_octets = (octets[offset] & 0x0F) * 4
    total_octets, fragment = struct.unpack_from(">HxxH", octets, offset + 2)
    if octets[offset] >> 4 != 4 or header_octets < 20 or 0 < total_octets < header_octets:
        raise Miss(Miss.MALFORMED)
    if octets[offset + 9] != _PROTOCOL_TCP:
        raise Miss(Miss.NOT_TCP)
    if fragment & 0x3FFF:
        raise Miss(Miss.FRAGMENT)
    end = offset + total_octets if total_octets else 0
    return offset + header_octets, end, octets[offset + 12 : offset + 16], octets[offset + 16 : offset + 20]


def _ipv6(octets: bytes, offset: int) -> tuple[int, int, bytes, bytes]:
    if len(octets) < offset + 40:
        raise Miss(Miss.CUT)
    (payload_octets,) = struct.unpack_from(">H", octets, offset + 4)
    if octets[offset] >> 4 != 6:
        raise Miss(Miss.MALFORMED)
    addresses = octets[offset + 8 : offset + 24], octets[offset + 24 : offset + 40]
    end = offset + 40 + payload_octets if payload_octets else 0
    following = octets[offset + 6]
    offset += 40
    while following in _IPV6_EXTENSIONS:
        if len(octets) < offset + 2:
            raise Miss(Miss.CUT)
        # RFC 4302 counts words of four octets, less two, where RFC 8200 counts eight, less one.
        units = octets[offset + 1]
        size = units * 4 + 8 if following == _IPV6_AUTHENTICATION else units * 8 + 8
        following = octets[offset]
        offset += size
    if following != _PROTOCOL_TCP:
        raise Miss(Miss.FRAGMENT if following == _IPV6_FRAGMENT else Miss.NOT_TCP)
    return offset, end, *addresses


def _read_segment(frame: Frame) -> Segment:
    octets = frame.octets
    offset, kind = network_layer(frame)
    offset, end, source, destination = (_ipv4 if kind == IPV4 else _ipv6)(octets, offset)
    if not end:  # Offloaded segments longer than the field can say carry 0.
        end = max(frame.wire_octets, len(octets))
    if len(octets) < offset + 14:
        raise Miss(Miss.CUT)
    source_port, destination_port, sequence = struct.unpack_from(">HHI", octets, offset)
    flags = octets[offset + 13]
    header_octets = (octets[offset + 12] >> 4) * 4
    if header_octets < 20 or offset + header_octets > end:
        raise Miss(Miss.MALFORMED)
    offset += header_octets
    payload = octets[offset:end]
    return Segment(
        frame.number,
        frame.time_ns,
        (_address(source), source_port),
        (_address(destination), destination_port),
        sequence,
        flags,
        payload,
        max(0, end - offset - len(payload)),
    )


def read_segment(frame: Frame) -> Segment:
    """The TCP segment of a frame; Miss when there is none. IP fragments are not put together."""
    try:
        return _read_segment(frame)
    except Miss as miss:
        if miss.kind == Miss.CUT and len(frame.octets) >= frame.wire_octets:
            raise Miss(Miss.MALFORMED) from None
        raise


def parse_segment(frame: Frame) -> Segment | None:
    """The TCP segment of a frame, or None for anything else."""
    try:
        return read_segment(frame)
    except Miss:
        return None


@dataclass(slots=True)
class Stream:
    """One direction of a connection, put in order.

    accept() returns the octets that became in-order with a segment; octets are never returned twice.
    pending is the number of octets held behind a gap, gap_since the frame and the time of the first of them.
    """

    next_sequence: int | None = None
    pending: int = 0
    gap_since: tuple[int, int] | None = None
    _held: dict[int, bytes] = field(default_factory=dict)

    def accept(self, segment: Segment) -> bytes:
        sequence = segment.sequence
        if segment.flags & SYN:
            if self.next_sequence is None:
                self.next_sequence = (sequence + 1) & 0xFFFFFFFF
            return b""
        if not segment.payload:
            return b""
        if self.next_sequence is None:
            self.next_sequence = sequence
        distance = _signed_distance(sequence, self.next_sequence)
        if distance > 0:
            self._hold(segment)
            return b""
        if -distance >= len(segment.payload):
            return b""
        ready = bytearray(segment.payload[-distance:])
        self.next_sequence = (self.next_sequence + len(ready)) & 0xFFFFFFFF
        if self._held:
            self._release(ready)
        return bytes(ready)

    def _hold(self, segment: Segment) -> None:
        known = self._held.get(segment.sequence, b"")
        if len(segment.payload) > len(known):
            if not self._held:
                self.gap_since = segment.frame, segment.time_ns
            self._held[segment.sequence] = segment.payload
            self.pending += len(segment.payload) - len(known)

    def _release(self, ready: bytearray) -> None:
        for sequence in sorted(self._held, key=lambda s: _signed_distance(s, self.next_sequence)):
            distance = _signed_distance(sequence, self.next_sequence)
            if distance > 0:
                break
            held = self._held.pop(sequence)
            self.pending -= len(held)
            octets = held[-distance:]
            ready += octets
            self.next_sequence = (self.next_sequence + len(octets)) & 0xFFFFFFFF
        if not self._held:
            self.gap_since = None


def _signed_distance(sequence: int, origin: int) -> int:
    return ((sequence - origin + 0x80000000) & 0xFFFFFFFF) - 0x80000000
