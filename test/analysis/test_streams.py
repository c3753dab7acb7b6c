# SPDX-License-Identifier: GPL-2.0-only
"""TCP reassembly, MPA framing and DDP messages."""

from __future__ import annotations

import struct

import pytest
from nfsrdma_capture import iwarp, tcp

RFC5044_FIGURE_5 = bytes.fromhex("00000000002a4143000000000000000000000001" + "00" * 28 + "52239983")
RFC5044_FIGURE_6_BEFORE_MARKER = bytes.fromhex("002a414300000000000000000000000200000000")
RFC5044_FIGURE_6_AFTER_MARKER = bytes(24) + bytes.fromhex("84925898")
RDMA_WRITE = bytes.fromhex("0013c14000abcd01000000000001000068656c6c6f0000003c7dc59c")
READ_REQUEST = bytes.fromhex(
    "002e414100000000000000010000000100000000000000770000000000009000000010000"
    "0abcd0200000000000200001fbfe969"
)


def segment(sequence: int, payload: bytes, flags: int = tcp.ACK) -> tcp.Segment:
    return tcp.Segment(1, 0, ("10.0.0.1", 1), ("10.0.0.2", 2), sequence & 0xFFFFFFFF, flags, payload, 0)


def untagged(payload: bytes, message: int, offset: int, last: bool, opcode: int = iwarp.SEND) -> bytes:
    ulpdu = struct.pack(">BBIIII", 0x41 if last else 0x01, 0x40 | opcode, 0, 0, message, offset) + payload
    padded = struct.pack(">H", len(ulpdu)) + ulpdu
    return padded + bytes(-len(padded) % 4) + bytes(4)


@pytest.mark.parametrize("first_sequence", [1, 0xFFFFFFF0])
def test_stream_is_put_in_order_across_loss_overlap_and_wrap(first_sequence):
    text = bytes(range(64))
    stream = tcp.Stream()
    stream.accept(segment(first_sequence - 1, b"", tcp.SYN))
    arrivals = [(0, 10), (20, 30), (30, 40), (20, 30), (5, 25), (38, 64), (0, 64)]
    received = b"".join(stream.accept(segment(first_sequence + a, text[a:b])) for a, b in arrivals)
    assert received == text
    assert stream.pending == 0


def test_stream_holds_octets_behind_a_gap():
    stream = tcp.Stream()
    stream.accept(segment(0, b"", tcp.SYN))
    assert stream.accept(segment(11, b"later")) == b""
    assert stream.pending == 5


def test_startup_frame_is_recognised_only_when_whole():
    request = bytes.fromhex("4d504120494420526571204672616d655002000c00000080f6ab0e1801010303")
    for length in range(len(request)):
        assert iwarp.parse_startup(request[:length]) is None
    startup = iwarp.parse_startup(request)
    assert (startup.is_reply, startup.crc, startup.markers, startup.revision) == (False, True, False, 2)
    assert startup.private_data == request[20:]
    with pytest.raises(ValueError):
        iwarp.parse_startup(b"GET / HTTP/1.1\r\n\r\n..")


def test_markers_are_removed_as_in_rfc_5044():
    gap = 0x1EC - len(RFC5044_FIGURE_5)
    filler = untagged(bytes(gap - 2 - 18 - 4), 9, 0, True)
    assert len(filler) == gap
    stream = RFC5044_FIGURE_5 + filler
    stream += RFC5044_FIGURE_6_BEFORE_MARKER + bytes.fromhex("00000014") + RFC5044_FIGURE_6_AFTER_MARKER
    for step in (1, 7, len(stream)):
        reader = iwarp.MessageReader(markers=True)
        messages = []
        for start in range(0, len(stream), step):
            messages += reader.feed(stream[start : start + step], start, start)
        assert reader.damage is None
        assert reader.unread_octets == 0
        assert [len(message.payload) for message in messages] == [24, gap - 24, 24]


def test_tagged_and_read_request_vectors():
    reader = iwarp.MessageReader(markers=False)
    write, request = reader.feed(RDMA_WRITE + READ_REQUEST, 5, 50)
    assert (write.opcode, write.stag, write.offset, write.payload) == (iwarp.WRITE, 0xABCD01, 0x10000, b"hello")
    assert (request.sink_stag, request.octets, request.source_offset) == (0x77, 0x1000, 0x20000)


def test_send_of_several_segments_knows_first_and_last_frame():
    reader = iwarp.MessageReader(markers=False)
    assert reader.feed(untagged(b"one ", 1, 0, False), 3, 30) == []
    (send,) = reader.feed(untagged(b"two", 1, 4, True), 8, 80)
    assert (send.payload, send.segments, send.first_frame, send.frame) == (b"one two", 2, 3, 8)


def test_foreign_octets_stop_a_direction_with_a_reason():
    reader = iwarp.MessageReader(markers=False)
    assert reader.feed(bytes(64), 4, 40) == []
    assert "frame 4" in reader.damage
    assert reader.feed(RDMA_WRITE, 5, 50) == []
