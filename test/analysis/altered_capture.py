# SPDX-License-Identifier: GPL-2.0-only
"""Copies of captures with octets changed."""

from __future__ import annotations

import struct
from pathlib import Path

from nfsrdma_capture.octets import OctetSource


def read_octets(path: Path) -> bytes:
    """A whole capture file."""
    with OctetSource(path) as source:
        return source.take(1 << 30)


def alter_frames(source: Path, target: Path, changes: dict) -> Path:
    """Copies a little-endian pcap; changes maps a frame number to a function on its octets, a bytearray."""
    octets = bytearray(read_octets(source))
    position = 24
    number = 0
    while position + 16 <= len(octets):
        (captured,) = struct.unpack_from("<I", octets, position + 8)
        position += 16
        number += 1
        if number in changes:
            frame = octets[position : position + captured]
            changes[number](frame)
            assert len(frame) == captured
            octets[position : position + captured] = frame
        position += captured
    target.write_bytes(octets)
    return target


def without_frames(source: Path, target: Path, dropped: set[int]) -> Path:
    """Copies a little-endian pcap but for some frames."""
    octets = read_octets(source)
    kept = bytearray(octets[:24])
    position = 24
    number = 0
    while position + 16 <= len(octets):
        (captured,) = struct.unpack_from("<I", octets, position + 8)
        number += 1
        if number not in dropped:
            kept += octets[position : position + 16 + captured]
        position += 16 + captured
    target.write_bytes(kept)
    return target


def insert_fragmentation_needed(source: Path, target: Path, about: int) -> Path:
    """Copies a little-endian pcap with an ICMP error right after the TCP frame that it quotes."""
    octets = read_octets(source)
    records = [octets[:24]]
    position = 24
    while position + 16 <= len(octets):
        (captured,) = struct.unpack_from("<I", octets, position + 8)
        records.append(octets[position : position + 16 + captured])
        position += 16 + captured
    stamp, frame = records[about][:8], records[about][16:]
    packet = frame[14:]
    error = struct.pack(">BBHHH", 3, 4, 0, 0, 576) + packet[:28]
    header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(error), 0, 0, 64, 1, 0) + packet[16:20] + packet[12:16]
    answer = frame[6:12] + frame[:6] + frame[12:14] + header + error
    records.insert(about + 1, stamp + struct.pack("<II", len(answer), len(answer)) + answer)
    target.write_bytes(b"".join(records))
    return target


def repeat_frame(source: Path, target: Path, number: int, after: int) -> Path:
    """Copies a little-endian pcap with one frame once more, right after another."""
    octets = read_octets(source)
    records = [octets[:24]]
    position = 24
    while position + 16 <= len(octets):
        (captured,) = struct.unpack_from("<I", octets, position + 8)
        records.append(octets[position : position + 16 + captured])
        position += 16 + captured
    records.insert(after + 1, records[after][:8] + records[number][8:])
    target.write_bytes(b"".join(records))
    return target


def word_of_header(xid: int, word: int, value: int):
    """A change of a 32-bit word of the RPC-over-RDMA header that begins with an XID."""

    def change(frame: bytearray) -> None:
        start = frame.index(struct.pack(">II", xid, 1))
        struct.pack_into(">I", frame, start + 4 * word, value)

    return change


def octet_from_end(distance: int):
    """A change of one octet, counted from the end of the frame."""

    def change(frame: bytearray) -> None:
        frame[-distance] ^= 0xFF

    return change
