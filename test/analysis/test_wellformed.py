# SPDX-License-Identifier: GPL-2.0-only
"""Judging captures with tshark: what is excused, what is not."""

from __future__ import annotations

import pytest
from altered_capture import alter_frames, insert_fragmentation_needed, octet_from_end, repeat_frame
from nfsrdma_capture.connection import read_connections
from nfsrdma_capture.dissection import dissect
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.wellformed import judge, unpadded_read_frames


def test_exemption_is_just_the_odd_reads_of_linux(golden):
    contents = read_operations(golden)
    odd = {
        operation.exchange.reply.frame
        for operation in contents.operations
        if operation.name == "READ" and operation.results["count"] in (5001, 65537)
    }
    assert unpadded_read_frames(contents) == odd == {713, 942}
    dissection = dissect(golden)
    malformed = [
        {number for number, frame in frames.items() if frame.malformed}
        for frames in (dissection.one_pass, dissection.two_pass)
    ]
    assert malformed[0] & malformed[1] == odd
    assert len(malformed[0]) == 8 and len(malformed[1]) == 5


def test_capture_of_linux_has_no_fault(golden):
    verdict = judge(golden)
    assert verdict.faults == ()
    assert verdict.exempted == (713, 942)
    assert verdict.operations == 636


def test_tcp_header_quoted_by_icmp_is_no_segment(golden, tmp_path):
    verdict = judge(insert_fragmentation_needed(golden, tmp_path / "icmp.pcap", 100))
    assert verdict.faults == ()
    assert verdict.operations == 636


def test_every_crc_is_checked(data):
    capture = data / "linux-6.1-nfs-v3-crc-client-only.pcap.gz"
    verdict = judge(capture)
    assert verdict.faults == ()
    assert verdict.good_crcs == sum(connection.fpdus for connection in read_connections(capture).iwarp) > 20


def test_bad_crc_is_a_fault(data, tmp_path):
    source = data / "linux-6.1-nfs-v3-crc-client-only.pcap.gz"
    altered = alter_frames(source, tmp_path / "altered.pcap", {33: octet_from_end(1)})
    assert judge(altered).faults == ("frame 33: bad MPA CRC",)


def test_malformed_frame_is_a_fault(golden, tmp_path):
    def break_boolean(frame: bytearray) -> None:
        # A LOOKUP reply whose file handle claims more octets than there are.
        start = frame.index(bytes.fromhex("00000010"), 54 + 20 + 28 + 24)
        frame[start : start + 4] = (60000).to_bytes(4, "big")

    reply_frame = next(o.exchange.reply.frame for o in read_operations(golden).operations if o.name == "LOOKUP")
    altered = alter_frames(golden, tmp_path / "altered.pcap", {reply_frame: break_boolean})
    assert f"frame {reply_frame}: malformed" in judge(altered).faults


def test_reply_without_its_call_is_a_fault(golden, tmp_path):
    def other_xid(frame: bytearray) -> None:
        xid = bytes.fromhex("631d87f8")
        first = frame.index(xid)
        second = frame.index(xid, first + 4)
        for start in (first, second):
            frame[start : start + 4] = bytes.fromhex("0badcafe")

    faults = judge(alter_frames(golden, tmp_path / "altered.pcap", {37: other_xid})).faults
    assert "frame 37: RPC reply without its call" in faults
    assert any("belongs to no call" in fault for fault in faults)
    assert any("NFS3 GETATTR: no reply" in fault for fault in faults)


def test_retransmission_of_octets_already_there_is_no_fault(golden, tmp_path):
    capture = repeat_frame(golden, tmp_path / "repeated.pcap", 33, after=40)
    verdict = judge(capture)
    assert verdict.faults == ()
    assert verdict.repeated == (41,)


def test_payload_that_is_no_fpdu_is_a_fault(data, tmp_path):
    def wreck_length(frame: bytearray) -> None:
        frame[66:68] = bytes.fromhex("ffff")

    source = data / "linux-6.1-nfs-v3-p2p.pcap.gz"
    last_send = max(o.exchange.reply.frame for o in read_operations(source).operations)
    faults = judge(alter_frames(source, tmp_path / "altered.pcap", {last_send: wreck_length})).faults
    assert any(fault.startswith(f"frame {last_send}: ") or "no reply" in fault for fault in faults)


@pytest.mark.parametrize("name, status", [("linux-6.1-nfs-v3-p2p.pcap.gz", 0), ("absent.pcap", 2)])
def test_program_reports_by_exit_status(data, run_program, name, status):
    done = run_program("check_capture.py", data / name)
    assert done.returncode == status
    if status == 0:
        assert done.stdout.endswith("11 RPCs, 0 good MPA CRCs, 0 faults\n")
