# SPDX-License-Identifier: GPL-2.0-only
"""Damaged copies of captures: cut, flipped, spliced, with frames lost, repeated, in another order, of other lengths."""

from __future__ import annotations

import gzip
import random
import struct
from dataclasses import dataclass, replace
from pathlib import Path

_HEADER, _RECORD = 24, 16
_WORDS = (0, 1, 2, 3, 4, 5, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 20, 1 << 24)


@dataclass(frozen=True)
class Capture:
    """A little-endian pcap file in its parts: the header of the file, then (header, octets) of each frame."""

    header: bytes
    records: tuple[tuple[bytes, bytes], ...]

    def octets(self) -> bytes:
        return self.header + b"".join(head + frame for head, frame in self.records)

    def first(self, count: int) -> Capture:
        return replace(self, records=self.records[:count])

    def with_frames(self, frames) -> Capture:
        """The same with other octets, their lengths told."""
        records = []
        for (head, _), frame in zip(self.records, frames):
            records.append((head[:8] + struct.pack("<II", len(frame), len(frame)), frame))
        return replace(self, records=tuple(records))


def parse(octets: bytes) -> Capture:
    records = []
    position = _HEADER
    while position + _RECORD <= len(octets):
        head = octets[position : position + _RECORD]
        (captured,) = struct.unpack_from("<I", head, 8)
        position += _RECORD
        records.append((head, octets[position : position + captured]))
        position += captured
    return Capture(octets[:_HEADER], tuple(records))


def load(path: Path) -> Capture:
    octets = path.read_bytes()
    return parse(gzip.decompress(octets) if octets[:2] == b"\x1f\x8b" else octets)


def _cut(octets: bytes, random_: random.Random, _others) -> bytes:
    return octets[: random_.randrange(len(octets) + 1)]


def _flip(octets: bytes, random_: random.Random, _others) -> bytes:
    damaged = bytearray(octets)
    for _ in range(random_.choice((1, 1, 2, 8, 64))):
        damaged[random_.randrange(len(damaged))] ^= 1 << random_.randrange(8)
    return bytes(damaged)


def _frame_words(octets: bytes, random_: random.Random, _others) -> bytes:
    """Words within frames, the headers of records left as they are."""
    capture = parse(octets)
    frames = [bytearray(frame) for _, frame in capture.records]
    for _ in range(random_.choice((1, 1, 2, 4))):
        frame = random_.choice(frames)
        if len(frame) > 64:
            position = random_.randrange(12, len(frame) - 3) & ~1
            struct.pack_into(">I", frame, position, random_.choice(_WORDS))
    return capture.with_frames(bytes(frame) for frame in frames).octets()


def _lengths(octets: bytes, random_: random.Random, _others) -> bytes:
    """Lengths of records, of IP packets, TCP headers and FPDUs."""
    capture = parse(octets)
    index = random_.randrange(len(capture.records))
    head, frame = capture.records[index]
    head, frame = bytearray(head), bytearray(frame)
    place = random_.randrange(4)
    if place == 0:
        struct.pack_into("<I", head, random_.choice((8, 12)), random_.choice((*_WORDS, len(frame) - 1, len(frame) + 1)))
    elif len(frame) > 68:
        form, position = ((">H", 16), (">B", 46), (">H", 66))[place - 1]
        struct.pack_into(form, frame, position, random_.choice(_WORDS) & (0xFF if form == ">B" else 0xFFFF))
    records = list(capture.records)
    records[index] = bytes(head), bytes(frame)
    return replace(capture, records=tuple(records)).octets()


def _lose(octets: bytes, random_: random.Random, _others) -> bytes:
    capture = parse(octets)
    lost = {random_.randrange(len(capture.records)) for _ in range(random_.choice((1, 1, 2, 10)))}
    kept = tuple(record for index, record in enumerate(capture.records) if index not in lost)
    return replace(capture, records=kept).octets()


def _repeat(octets: bytes, random_: random.Random, _others) -> bytes:
    records = list(parse(octets).records)
    for _ in range(random_.choice((1, 1, 5))):
        records.insert(random_.randrange(len(records) + 1), random_.choice(records))
    return replace(parse(octets), records=tuple(records)).octets()


def _reorder(octets: bytes, random_: random.Random, _others) -> bytes:
    records = list(parse(octets).records)
    start = random_.randrange(len(records))
    part = records[start : start + random_.choice((2, 5, 50))]
    random_.shuffle(part)
    records[start : start + len(part)] = part
    return replace(parse(octets), records=tuple(records)).octets()


def _splice(octets: bytes, random_: random.Random, others: list[bytes]) -> bytes:
    """Two captures in one file: one after the other, or frame by frame in the order of times or at random."""
    one, two = parse(octets), parse(random_.choice(others))
    how = random_.randrange(3)
    if how == 0:
        at = random_.randrange(len(one.records) + 1)
        records = one.records[:at] + two.records
    elif how == 1:
        records = tuple(sorted(one.records + two.records, key=lambda record: struct.unpack("<II", record[0][:8])))
    else:
        records = list(one.records)
        for record in two.records:
            records.insert(random_.randrange(len(records) + 1), record)
    return replace(one, records=tuple(records)).octets()


MUTATIONS = (_cut, _flip, _frame_words, _frame_words, _frame_words, _lengths, _lose, _repeat, _reorder, _splice)


def mutate(octets: bytes, seed: int, others: list[bytes]) -> bytes:
    """A damaged copy, the same for the same seed."""
    random_ = random.Random(seed)
    for _ in range(random_.choice((1, 1, 1, 2))):
        if len(octets) > _HEADER + _RECORD and parse(octets).records:
            octets = random_.choice(MUTATIONS)(octets, random_, others)
    return octets
