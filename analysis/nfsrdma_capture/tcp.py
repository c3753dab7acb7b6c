# SPDX-License-Identifier: GPL-2.0-only
"""TCP segments out of frames, and in-order octet streams out of segments."""

from __future__ import annotations

import ipaddress
import struct
from dataclasses import dataclass, field

from .pcap import Frame

_ETHERTYPE_IPV4 = 0x0800
_ETHERTYPE_IPV6 = 0x86DD
_ETHERTYPES_VLAN = (0x8100, 0x88A8)
_PROTOCOL_TCP = 6

_DLT_ETHERNET = 1
_DLT_PPP = 9
_DLTS_RAW_IP = (12, 14, 101, 228, 229)
_DLT_LINUX_SLL = 113

FIN, SYN, RST, PUSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10


@dataclass(frozen=True)
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


def _network_layer(frame: Frame) -> tuple[int, int] | None:
    """Offset and ethertype of the network layer, or None if it is none this module knows."""
    octets = frame.octets
    if frame.link_type == _DLT_ETHERNET:
        offset = 14
    elif frame.link_type == _DLT_LINUX_SLL:
        offset = 16
    elif frame.link_type == _DLT_PPP:
        if len(octets) < 2:
            return None
        protocol = struct.unpack_from(">H", octets, 0)[0]
        return {0x0021: (2, _ETHERTYPE_IPV4), 0x0057: (2, _ETHERTYPE_IPV6)}.get(protocol)
    elif frame.link_type in _DLTS_RAW_IP and octets:
        return (0, _ETHERTYPE_IPV6 if octets[0] >> 4 == 6 else _ETHERTYPE_IPV4)
    else:
        return None
    if len(octets) < offset:
        return None
    ethertype = struct.unpack_from(">H", octets, offset - 2)[0]
    while ethertype in _ETHERTYPES_VLAN and len(octets) >= offset + 4:
        ethertype = struct.unpack_from(">H", octets, offset + 2)[0]
        offset += 4
    return (offset, ethertype)


def parse_segment(frame: Frame) -> Segment | None:
    """The TCP segment of a frame, or None for anything else (fragments included)."""
    network = _network_layer(frame)
    if network is None:
        return None
    offset, ethertype = network
    octets = frame.octets
    if ethertype == _ETHERTYPE_IPV4 and len(octets) >= offset + 20:
        header_octets = (octets[offset] & 0x0F) * 4
        total_octets, fragment = struct.unpack_from(">HxxH", octets, offset + 2)
        if octets[offset + 9] != _PROTOCOL_TCP or fragment & 0x3FFF:
            return None
        source = str(ipaddress.IPv4Address(octets[offset + 12 : offset + 16]))
        destination = str(ipaddress.IPv4Address(octets[offset + 16 : offset + 20]))
        # Offloaded segments longer than the field can say carry 0.
        end = offset + total_octets if total_octets else frame.wire_octets
        offset += header_octets
    elif ethertype == _ETHERTYPE_IPV6 and len(octets) >= offset + 40:
        payload_octets = struct.unpack_from(">H", octets, offset + 4)[0]
        if octets[offset + 6] != _PROTOCOL_TCP:
            return None
        source = str(ipaddress.IPv6Address(octets[offset + 8 : offset + 24]))
        destination = str(ipaddress.IPv6Address(octets[offset + 24 : offset + 40]))
        end = offset + 40 + payload_octets if payload_octets else frame.wire_octets
        offset += 40
    else:
        return None
    if len(octets) < offset + 20:
        return None
    source_port, destination_port, sequence = struct.unpack_from(">HHI", octets, offset)
    flags = octets[offset + 13]
    offset += (octets[offset + 12] >> 4) * 4
    payload = octets[offset:end]
    return Segment(
        frame.number,
        frame.time_ns,
        (source, source_port),
        (destination, destination_port),
        sequence,
        flags,
        payload,
        max(0, end - offset - len(payload)),
    )


@dataclass
class Stream:
    """One direction of a connection, put in order.

    accept() returns the octets that became in-order with a segment; octets are never returned twice.
    pending is the number of octets held behind a gap.
    """

    next_sequence: int | None = None
    _held: dict[int, bytes] = field(default_factory=dict)

    @property
    def pending(self) -> int:
        return sum(len(octets) for octets in self._held.values())

    def accept(self, segment: Segment) -> bytes:
        sequence = segment.sequence
        if segment.flags & SYN:
            self.next_sequence = (sequence + 1) & 0xFFFFFFFF
            return b""
        if not segment.payload:
            return b""
        if self.next_sequence is None:
            self.next_sequence = sequence
        distance = _signed_distance(sequence, self.next_sequence)
        if distance > 0:
            known = self._held.get(sequence, b"")
            if len(segment.payload) > len(known):
                self._held[sequence] = segment.payload
            return b""
        if -distance >= len(segment.payload):
            return b""
        ready = bytearray(segment.payload[-distance:])
        self.next_sequence = (self.next_sequence + len(ready)) & 0xFFFFFFFF
        if self._held:
            self._release(ready)
        return bytes(ready)

    def _release(self, ready: bytearray) -> None:
        progress = True
        while progress:
            progress = False
            for sequence in sorted(self._held, key=lambda s: _signed_distance(s, self.next_sequence)):
                distance = _signed_distance(sequence, self.next_sequence)
                if distance > 0:
                    break
                octets = self._held.pop(sequence)[-distance:]
                if octets:
                    ready += octets
                    self.next_sequence = (self.next_sequence + len(octets)) & 0xFFFFFFFF
                    progress = True


def _signed_distance(sequence: int, origin: int) -> int:
    return ((sequence - origin + 0x80000000) & 0xFFFFFFFF) - 0x80000000
