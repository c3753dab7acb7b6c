# SPDX-License-Identifier: GPL-2.0-only
"""Frames of a pcapng file (draft-ietf-opsawg-pcapng): blocks in sections, each with its byte order and interfaces.

Frames come from Enhanced, Simple and (obsolete) Packet Blocks; other blocks are passed over.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Iterator

from .frame import LINK_TYPE_MASK, MAX_FRAME_OCTETS, Damage, Frame, check_lengths
from .octets import OctetSource

SECTION_HEADER = b"\x0a\x0d\x0d\x0a"
_BYTE_ORDER = 0x1A2B3C4D
_INTERFACE, _PACKET, _SIMPLE_PACKET, _ENHANCED_PACKET = 1, 2, 3, 6
_OPTION_END, _OPTION_RESOLUTION, _OPTION_FCS, _OPTION_OFFSET = 0, 9, 13, 14
_MAX_INTERFACES = 65536
_MAX_BLOCK = MAX_FRAME_OCTETS + (1 << 20)
_MAX_SECONDS = 0xFFFFFFFF


@dataclass(slots=True)
class _Interface:
    link_type: int
    snap_length: int
    ticks: int = 1_000_000
    offset: int = 0
    fcs_octets: int = 0

    def time_ns(self, time: int) -> int:
        seconds, part = divmod(time, self.ticks)
        seconds += self.offset
        if not 0 <= seconds <= _MAX_SECONDS:
            return 0
        return seconds * 1_000_000_000 + part * 1_000_000_000 // self.ticks


class PcapngReader:
    """Reads on behind the first four octets of a file."""

    def __init__(self, source: OctetSource) -> None:
        self._source = source
        self._order = "<"
        self._interfaces: list[_Interface] = []
        self._number = 0

    def frames(self) -> Iterator[Frame]:
        self._begin_section()
        while True:
            start = self._source.take(4)
            if not start:
                return
            self._number += 1
            if len(start) < 4:
                raise Damage.cut(self._number)
            if start == SECTION_HEADER:
                self._begin_section()
                self._number -= 1
                continue
            (kind,) = struct.unpack(self._order + "I", start)
            (length,) = struct.unpack(self._order + "I", self._whole(4))
            if length < 12 or length % 4:
                raise Damage(self._number, f"a block would have {length} octets")
            if kind not in (_INTERFACE, _PACKET, _SIMPLE_PACKET, _ENHANCED_PACKET):
                self._skip(length - 8)
                self._number -= 1
                continue
            if length > _MAX_BLOCK:
                raise Damage(self._number, f"a block would have {length} octets")
            body = self._whole(length - 8)[:-4]
            if kind == _INTERFACE:
                self._add_interface(body)
                self._number -= 1
            else:
                yield self._frame(kind, body)

    def _whole(self, count: int) -> bytes:
        octets = self._source.take(count)
        if len(octets) < count:
            raise Damage.cut(self._number)
        return octets

    def _skip(self, count: int) -> None:
        while count > 0:
            part = min(count, MAX_FRAME_OCTETS)
            self._whole(part)
            count -= part

    def _begin_section(self) -> None:
        head = self._source.take(8)
        if len(head) < 8:
            raise Damage.cut(self._number)
        for order in "<>":
            if struct.unpack_from(order + "I", head, 4)[0] == _BYTE_ORDER:
                self._order = order
                break
        else:
            raise Damage(self._number, "a section of a pcapng file has no byte order")
        (length,) = struct.unpack_from(self._order + "I", head)
        if length < 24 or length % 4:
            raise Damage(self._number, f"a section header would have {length} octets")
        self._interfaces = []
        self._skip(length - 12)

    def _add_interface(self, body: bytes) -> None:
        if len(body) < 8:
            raise Damage(self._number, "an interface description is cut short")
        if len(self._interfaces) == _MAX_INTERFACES:
            raise Damage(self._number, f"a section has more than {_MAX_INTERFACES} interfaces")
        link_type, snap_length = struct.unpack_from(self._order + "HxxI", body)
        interface = _Interface(link_type & LINK_TYPE_MASK, snap_length)
        position = 8
        while position + 4 <= len(body):
            code, length = struct.unpack_from(self._order + "HH", body, position)
            value = body[position + 4 : position + 4 + length]
            position += 4 + (length + 3) // 4 * 4
            if code == _OPTION_END or position > len(body):
                break
            if code == _OPTION_RESOLUTION and value:
                exponent = value[0] & 0x7F
                if exponent > (63 if value[0] & 0x80 else 19):
                    raise Damage(self._number, "an interface has no such resolution of time")
                interface.ticks = (2 if value[0] & 0x80 else 10) ** exponent
            elif code == _OPTION_FCS and value:
                interface.fcs_octets = value[0]
            elif code == _OPTION_OFFSET and len(value) >= 8:
                (interface.offset,) = struct.unpack_from(self._order + "q", value)
        self._interfaces.append(interface)

    def _frame(self, kind: int, body: bytes) -> Frame:
        fixed = 4 if kind == _SIMPLE_PACKET else 20
        if len(body) < fixed:
            raise Damage(self._number, "its block is cut short")
        index, time = 0, 0
        if kind == _SIMPLE_PACKET:
            (on_wire,) = struct.unpack_from(self._order + "I", body)
        else:
            form = "HxxIIII" if kind == _PACKET else "IIIII"
            index, high, low, captured, on_wire = struct.unpack_from(self._order + form, body)
            time = high << 32 | low
        if index >= len(self._interfaces):
            raise Damage(self._number, "it is of an interface that is not described")
        interface = self._interfaces[index]
        if kind == _SIMPLE_PACKET:
            captured = min(on_wire, len(body) - fixed, interface.snap_length or on_wire)
        check_lengths(self._number, captured, on_wire)
        if captured > len(body) - fixed:
            raise Damage(self._number, "it is longer than its block")
        octets = body[fixed : fixed + captured]
        time_ns = 0 if kind == _SIMPLE_PACKET else interface.time_ns(time)
        return Frame(self._number, time_ns, interface.link_type, octets, on_wire).without_fcs(interface.fcs_octets)
