# SPDX-License-Identifier: GPL-2.0-only
"""RPC-over-RDMA version 1 transport header (RFC 8166 section 4)."""

from __future__ import annotations

import struct
from dataclasses import dataclass

RDMA_MSG, RDMA_NOMSG, RDMA_MSGP, RDMA_DONE, RDMA_ERROR = range(5)
MESSAGE_NAMES = ("RDMA_MSG", "RDMA_NOMSG", "RDMA_MSGP", "RDMA_DONE", "RDMA_ERROR")


@dataclass(frozen=True, slots=True)
class PlainSegment:
    handle: int
    octets: int
    offset: int


@dataclass(frozen=True, slots=True)
class ReadSegment:
    position: int
    handle: int
    octets: int
    offset: int


@dataclass(frozen=True, slots=True)
class Header:
    """Decoded header; octets is its own length, so the inline RPC message begins there."""

    xid: int
    version: int
    credits: int
    message_type: int
    reads: tuple[ReadSegment, ...]
    writes: tuple[tuple[PlainSegment, ...], ...]
    reply: tuple[PlainSegment, ...] | None
    octets: int

    @property
    def message_name(self) -> str:
        return MESSAGE_NAMES[self.message_type]

    @property
    def read_positions(self) -> tuple[int, ...]:
        return tuple(sorted({segment.position for segment in self.reads}))

    @property
    def read_chunks(self) -> tuple[tuple[ReadSegment, ...], ...]:
        return tuple(
            tuple(segment for segment in self.reads if segment.position == position)
            for position in self.read_positions
        )


class _Words:
    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self.position = 0

    def word(self) -> int:
        if self.position + 4 > len(self._octets):
            raise ValueError("transport header is cut short")
        (value,) = struct.unpack_from(">I", self._octets, self.position)
        self.position += 4
        return value

    def hyper(self) -> int:
        return self.word() << 32 | self.word()

    def plain_segments(self) -> tuple[PlainSegment, ...]:
        count = self.word()
        if count * 16 > len(self._octets) - self.position:
            raise ValueError("chunk has more segments than the message has room for")
        return tuple(PlainSegment(self.word(), self.word(), self.hyper()) for _ in range(count))


def decode_header(octets: bytes) -> Header:
    """Header at the head of a Send; ValueError if it is not one of version 1."""
    words = _Words(octets)
    xid, version, credits, message_type = (words.word() for _ in range(4))
    if version != 1:
        raise ValueError(f"rdma_vers is {version}, not 1")
    if message_type >= len(MESSAGE_NAMES):
        raise ValueError(f"rdma_proc is {message_type}")
    reads: list[ReadSegment] = []
    writes: list[tuple[PlainSegment, ...]] = []
    reply: tuple[PlainSegment, ...] | None = None
    if message_type in (RDMA_MSG, RDMA_NOMSG, RDMA_MSGP):
        if message_type == RDMA_MSGP:
            words.word()
            words.word()
        while words.word():
            reads.append(ReadSegment(words.word(), words.word(), words.word(), words.hyper()))
        while words.word():
            writes.append(words.plain_segments())
        if words.word():
            reply = words.plain_segments()
    return Header(xid, version, credits, message_type, tuple(reads), tuple(writes), reply, words.position)
