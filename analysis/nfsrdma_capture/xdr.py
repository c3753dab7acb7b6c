# SPDX-License-Identifier: GPL-2.0-only
"""XDR reader (RFC 4506) over an RPC message, with items that left it by a chunk."""

from __future__ import annotations

import struct


class XdrError(ValueError):
    """The message ends before the item does, or holds a value the type has not."""


class XdrReader:
    """Reads big-endian items in turn.

    reduced are the contents of Write chunks in order: reducible_opaque() takes its data from there.
    """

    def __init__(self, octets: bytes, position: int = 0, reduced: tuple[bytes, ...] = ()) -> None:
        self._octets = octets
        self.position = position
        self._reduced = list(reduced)

    @property
    def remaining(self) -> int:
        return len(self._octets) - self.position

    def fixed(self, count: int) -> bytes:
        padded = (count + 3) // 4 * 4
        if self.remaining < padded:
            raise XdrError("message is cut short")
        octets = self._octets[self.position : self.position + count]
        self.position += padded
        return octets

    def uint(self) -> int:
        return struct.unpack(">I", self.fixed(4))[0]

    def hyper(self) -> int:
        return struct.unpack(">Q", self.fixed(8))[0]

    def boolean(self) -> bool:
        value = self.uint()
        if value > 1:
            raise XdrError(f"boolean is {value}")
        return bool(value)

    def opaque(self, limit: int = 0x7FFFFFFF) -> bytes:
        count = self.uint()
        if count > limit:
            raise XdrError(f"opaque of {count} octets where at most {limit} are allowed")
        return self.fixed(count)

    def reducible_opaque(self) -> bytes:
        if not self._reduced:
            return self.opaque()
        count = self.uint()
        return self._reduced.pop(0)[:count]

    def string(self, limit: int = 0x7FFFFFFF) -> str:
        return self.opaque(limit).decode("utf-8", "surrogateescape")
