# SPDX-License-Identifier: GPL-2.0-only
"""The IP packet of a frame, behind its link header, VLAN tags, MPLS labels and PPPoE."""

from __future__ import annotations

import struct
from collections import Counter

from .frame import Frame

IPV4, IPV6 = 0x0800, 0x86DD
_VLAN = (0x8100, 0x88A8, 0x9100)
_MPLS = (0x8847, 0x8848)
_PPPOE = 0x8864
_FIRST_TYPE = 0x0600
_PPP = {0x0021: IPV4, 0x0057: IPV6}
_PPP_ADDRESS_AND_CONTROL = 0xFF03

ETHERNET, PPP, LINUX_SLL, LINUX_SLL2 = 1, 9, 113, 276
LOOPBACK = (0, 108)
RAW_IP = (12, 14, 101, 228, 229)
_TYPE_AT = {ETHERNET: (12, 14), LINUX_SLL: (14, 16), LINUX_SLL2: (0, 20)}
KNOWN = (ETHERNET, PPP, LINUX_SLL, LINUX_SLL2, *LOOPBACK, *RAW_IP)
KNOWN_TEXT = "known are Ethernet (1), Linux cooked (113, 276), raw IP (101), PPP (9) and loopback (0)"


class Miss(Exception):
    """Why no TCP segment was read out of a frame."""

    NOT_IP, NOT_TCP, LINK_TYPE, FRAGMENT, CUT, MALFORMED = range(6)

    def __init__(self, kind: int, number: int = 0) -> None:
        super().__init__(kind, number)
        self.kind = kind
        self.number = number


class Misses:
    """How many frames of a capture were not read, and why."""

    _LOST = {
        Miss.CUT: "the snap length cut a header off",
        Miss.MALFORMED: "a header of IP or TCP contradicts itself or the frame",
        Miss.FRAGMENT: "fragments of IP packets",
    }

    def __init__(self) -> None:
        self._counts: Counter = Counter()

    def add(self, miss: Miss) -> None:
        self._counts[miss.kind, miss.number] += 1

    def count(self, kind: int) -> int:
        return sum(count for (known, _), count in self._counts.items() if known == kind)

    def lost(self) -> list[str]:
        """A line for each reason for which a TCP segment may be missing."""
        lines = [_line(self.count(kind), text) for kind, text in self._LOST.items() if self.count(kind)]
        lines += [
            _line(count, f"link type {number}")
            for (kind, number), count in sorted(self._counts.items())
            if kind == Miss.LINK_TYPE
        ]
        return lines

    def others(self) -> list[str]:
        """A line for each of the other reasons: frames without TCP."""
        lines = []
        if self.count(Miss.NOT_TCP):
            lines.append(_line(self.count(Miss.NOT_TCP), "other protocols than TCP over IP"))
        for (kind, number), count in sorted(self._counts.items()):
            if kind == Miss.NOT_IP:
                lines.append(_line(count, "neither IPv4 nor IPv6" + (f", EtherType 0x{number:04x}" if number else "")))
        return lines


def _line(count: int, text: str) -> str:
    return f"{count} {'frame is' if count == 1 else 'frames are'} not read: {text}"


def _half(octets: bytes, position: int) -> int:
    if len(octets) < position + 2:
        raise Miss(Miss.CUT)
    return octets[position] << 8 | octets[position + 1]


def _by_version(octets: bytes, offset: int, number: int = 0) -> tuple[int, int]:
    if len(octets) <= offset:
        raise Miss(Miss.CUT)
    version = octets[offset] >> 4
    if version not in (4, 6):
        raise Miss(Miss.NOT_IP, number)
    return offset, IPV6 if version == 6 else IPV4


def _behind_ppp(octets: bytes, offset: int) -> tuple[int, int]:
    protocol = _half(octets, offset)
    if protocol == _PPP_ADDRESS_AND_CONTROL:
        offset += 2
        protocol = _half(octets, offset)
    if protocol not in _PPP:
        raise Miss(Miss.NOT_IP)
    return offset + 2, _PPP[protocol]


def _behind_labels(octets: bytes, offset: int, number: int) -> tuple[int, int]:
    while True:
        if len(octets) < offset + 4:
            raise Miss(Miss.CUT)
        (label,) = struct.unpack_from(">I", octets, offset)
        offset += 4
        if label & 0x100:
            return _by_version(octets, offset, number)


def network_layer(frame: Frame) -> tuple[int, int]:
    """Offset of the IP header, and IPV4 or IPV6; Miss when there is none."""
    octets = frame.octets
    link_type = frame.link_type
    if link_type in RAW_IP:
        return _by_version(octets, 0)
    if link_type in LOOPBACK:
        return _by_version(octets, 4)
    if link_type == PPP:
        return _behind_ppp(octets, 0)
    if link_type not in _TYPE_AT:
        raise Miss(Miss.LINK_TYPE, link_type)
    position, offset = _TYPE_AT[link_type]
    number = _half(octets, position)
    while number in _VLAN:
        number = _half(octets, offset + 2)
        offset += 4
    if number in (IPV4, IPV6):
        return offset, number
    if number in _MPLS:
        return _behind_labels(octets, offset, number)
    if number == _PPPOE:
        return _behind_ppp(octets, offset + 6)
    raise Miss(Miss.NOT_IP, number if number >= _FIRST_TYPE else 0)
