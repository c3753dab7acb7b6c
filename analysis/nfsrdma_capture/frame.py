# SPDX-License-Identifier: GPL-2.0-only
"""One captured frame, and what is wrong with a file that should hold more of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

# The largest snap length of libpcap and Wireshark, four times over.
MAX_FRAME_OCTETS = 1 << 20
# What stands above the link type is the length of the frame check sequence.
LINK_TYPE_MASK = 0xFFFF


@dataclass(frozen=True, slots=True)
class Frame:
    """Number from 1 as Wireshark counts, time in ns since the epoch, DLT number, octets without a check sequence."""

    number: int
    time_ns: int
    link_type: int
    octets: bytes
    wire_octets: int

    def without_fcs(self, count: int) -> Frame:
        """Without a frame check sequence of count octets."""
        if not count:
            return self
        on_wire = max(0, self.wire_octets - count)
        return replace(self, octets=self.octets[:on_wire], wire_octets=on_wire)


class Damage(Exception):
    """The file cannot be read on; is_cut when that is only because it ends within a frame."""

    def __init__(self, frame: int, reason: str, is_cut: bool = False) -> None:
        super().__init__(reason)
        self.frame = frame
        self.reason = reason
        self.is_cut = is_cut

    @classmethod
    def cut(cls, frame: int) -> Damage:
        return cls(frame, "cut short", True)

    def describe(self) -> str:
        if self.is_cut and not self.frame:
            return "the capture is cut short within its file header"
        if self.is_cut:
            return f"the capture is cut short within frame {self.frame}"
        return f"the capture is damaged at frame {self.frame}: {self.reason}"


def check_lengths(number: int, captured: int, on_wire: int) -> None:
    """Damage when no frame can have such lengths."""
    if captured > MAX_FRAME_OCTETS:
        raise Damage(number, f"it would have {captured} octets")
    if captured == 0 and on_wire == 0:
        raise Damage(number, "it has no octets")
