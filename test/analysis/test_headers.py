# SPDX-License-Identifier: GPL-2.0-only
"""RPC-over-RDMA headers, RPC headers, NFSv3 arguments and results."""

from __future__ import annotations

import struct

import pytest
from nfsrdma_capture import nfs3, rpc, rpcrdma
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.xdr import XdrError, XdrReader

READ_CALL = bytes.fromhex(
    "11223344000000010000002000000000"
    "00000000"
    "000000010000000100abcd01000010000000000000010000"
    "00000000"
    "00000000"
)


def test_header_of_a_read_call_with_a_write_chunk():
    header = rpcrdma.decode_header(READ_CALL + b"the RPC call")
    assert (header.xid, header.credits, header.message_name, header.octets) == (0x11223344, 32, "RDMA_MSG", 52)
    assert header.writes == ((rpcrdma.PlainSegment(0xABCD01, 0x1000, 0x10000),),)
    assert header.reads == () and header.reply is None


@pytest.mark.parametrize("length", range(len(READ_CALL)))
def test_header_cut_short_is_refused(length):
    with pytest.raises(ValueError):
        rpcrdma.decode_header(READ_CALL[:length])


def test_header_with_every_list():
    read = struct.pack(">IIIIQ", 1, 120, 7, 4096, 64)
    chunk = struct.pack(">II", 1, 2) + struct.pack(">IIQIIQ", 8, 10, 0, 9, 20, 0)
    octets = struct.pack(">IIII", 1, 1, 1, 1) + read + read + bytes(4) + chunk + bytes(4) + chunk
    header = rpcrdma.decode_header(octets)
    assert header.message_name == "RDMA_NOMSG"
    assert [len(part) for part in header.read_chunks] == [2]
    assert [segment.octets for segment in header.reply] == [10, 20]
    assert header.octets == len(octets)


def test_segment_count_beyond_the_message_is_refused():
    with pytest.raises(ValueError, match="more segments"):
        rpcrdma.decode_header(struct.pack(">IIIIIII", 1, 1, 1, 0, 0, 1, 0x10000000))


def test_rpc_reply_outcomes():
    accepted = struct.pack(">IIIIII", 5, 1, 0, 0, 0, 5)
    assert rpc.decode_reply(accepted).outcome == "SYSTEM_ERR"
    denied = struct.pack(">IIIII", 5, 1, 1, 1, 2)
    assert rpc.decode_reply(denied).outcome == "AUTH_ERROR"


def test_every_argument_and_result_cut_short_is_refused(golden):
    """Each kind of operation in the golden capture once, cut at every word."""
    seen = set()
    for operation in read_operations(golden).operations:
        if operation.program != "NFS3" or operation.name in seen or operation.name == "NULL":
            continue
        seen.add(operation.name)
        call, header = operation.exchange.call, operation.exchange.call_header
        for end in range(header.octets, min(len(call.octets), header.octets + 400), 4):
            with pytest.raises(XdrError):
                nfs3.decode_arguments(operation.name, XdrReader(call.octets[:end], header.octets))
        reply, header = operation.exchange.reply, operation.exchange.reply_header
        for end in range(header.octets, min(len(reply.octets), header.octets + 400), 4):
            with pytest.raises(XdrError):
                nfs3.decode_results(operation.name, XdrReader(reply.octets[:end], header.octets, reply.reduced))
    assert len(seen) == 19


def test_status_without_a_name_is_shown_as_number():
    assert nfs3.status_name(70) == "NFS3ERR_STALE"
    assert nfs3.status_name(4242) == "4242"
