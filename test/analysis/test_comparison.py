# SPDX-License-Identifier: GPL-2.0-only
"""compare_capture.py on equal, altered and different captures."""

from __future__ import annotations

import gzip

import pytest
from altered_capture import alter_frames, word_of_header
from nfsrdma_capture.comparison import ASPECTS, compare
from nfsrdma_capture.operation import read_operations

READ_XID, READ_CALL_FRAME = 0x811D87F8, 127
WRITE_CHUNK_LENGTH_WORD = 8


def disagreements(done):
    """Lines about a pair, for these begin with the aspect."""
    aspects = tuple(f"{aspect}:" for aspect in ASPECTS)
    return [line for line in done.stdout.splitlines() if line.startswith(aspects)]


def test_capture_agrees_with_itself(golden, run_program):
    done = run_program("compare_capture.py", golden, golden)
    assert done.returncode == 0, done.stdout
    assert disagreements(done) == []
    (last,) = [line.split() for line in done.stdout.splitlines() if line.startswith("all  ")]
    assert last == ["all"] + ["636"] * (1 + len(ASPECTS))


def test_every_pair_is_found_by_its_arguments(golden):
    comparison = compare(read_operations(golden), read_operations(golden))
    assert all(pair.identified and pair.real.exchange.call.xid == pair.simulated.exchange.call.xid
               for pair in comparison.pairs)  # fmt: skip


def test_compressed_and_plain_capture_agree(golden, tmp_path, run_program):
    plain = tmp_path / "plain.pcap"
    plain.write_bytes(gzip.decompress(golden.read_bytes()))
    assert run_program("compare_capture.py", golden, plain).returncode == 0


def test_other_chunk_length_is_named_and_fails_unless_only_reported(golden, tmp_path, run_program):
    change = {READ_CALL_FRAME: word_of_header(READ_XID, WRITE_CHUNK_LENGTH_WORD, 8192)}
    altered = alter_frames(golden, tmp_path / "altered.pcap", change)
    done = run_program("compare_capture.py", golden, altered)
    assert done.returncode == 1
    (line,) = disagreements(done)
    assert "lengths: NFS3 READ offset 0 count 4096 real 0x811d87f8 frames 127-129" in line
    assert line.endswith("call Write chunk lengths (4096) != (8192)")
    assert run_program("compare_capture.py", golden, altered, "--lengths=report").returncode == 0


def test_other_form_is_named_and_always_fails(golden, tmp_path, run_program):
    # A reply that says RDMA_NOMSG where Linux said RDMA_MSG.
    altered = alter_frames(golden, tmp_path / "altered.pcap", {37: word_of_header(0x631D87F8, 3, 1)})
    done = run_program("compare_capture.py", golden, altered, "--lengths=report")
    assert done.returncode == 1
    assert any("reply message type RDMA_MSG != RDMA_NOMSG" in line for line in disagreements(done))


def test_other_credits_are_named_and_always_fail(golden, tmp_path, run_program):
    altered = alter_frames(golden, tmp_path / "altered.pcap", {37: word_of_header(0x631D87F8, 2, 63)})
    done = run_program("compare_capture.py", golden, altered, "--lengths=report")
    assert done.returncode == 1
    (line,) = disagreements(done)
    assert line.startswith("credits: NFS3 GETATTR") and line.endswith("reply rdma_credit 64 != 63")


def test_other_private_data_are_named_and_always_fail(golden, tmp_path, run_program):
    def without_remote_invalidation(frame: bytearray) -> None:
        start = frame.index(bytes.fromhex("f6ab0e1801010303"))
        frame[start + 5] = 0

    requests = [
        message.first_frame
        for message in read_operations(golden).connections.iwarp
    ]
    for frame in range(requests[0], requests[0] + 8):
        try:
            altered = alter_frames(golden, tmp_path / "altered.pcap", {frame: without_remote_invalidation})
            break
        except ValueError:
            continue
    done = run_program("compare_capture.py", golden, altered, "--lengths=report")
    assert done.returncode == 1
    assert "private data: connection 0 MPA Request f6ab0e1801010303 != f6ab0e1801000303" in done.stdout


def test_other_status_is_named_and_fails(golden, tmp_path, run_program):
    def set_status(frame: bytearray) -> None:
        # The status follows 18 + 28 + 24 octets of DDP, RPC-over-RDMA and RPC headers.
        start = frame.index(bytes.fromhex("631d87f800000001")) + 28 + 24
        frame[start : start + 4] = (70).to_bytes(4, "big")

    altered = alter_frames(golden, tmp_path / "altered.pcap", {37: set_status})
    done = run_program("compare_capture.py", golden, altered)
    assert done.returncode == 1
    assert any(line.startswith("status: NFS3 GETATTR") for line in disagreements(done))


def test_missing_and_extra_operations_fail_and_are_named(data, run_program):
    small, large = (data / f"linux-6.1-nfs-v3-{name}.pcap.gz" for name in ("p2p", "1m-read"))
    done = run_program("compare_capture.py", large, small)
    assert done.returncode == 1
    assert done.stdout.count("only in real: NFS3 READ") == 3
    done = run_program("compare_capture.py", small, large)
    assert done.returncode == 1
    assert done.stdout.count("only in simulated: NFS3 READ") == 3
    assert "paired by order of occurrence only, arguments differ: 2" in done.stdout


def test_operations_of_other_programs_are_counted_when_absent(golden):
    real, simulated = read_operations(golden), read_operations(golden)
    for operation in real.operations:
        if operation.program == "NFSACL3":
            operation.program = "PROGRAM9v1"
    simulated.operations = [operation for operation in simulated.operations if operation.program == "NFS3"]
    comparison = compare(real, simulated)
    assert len(comparison.unsupported) == 13 and not comparison.missing
    assert comparison.agrees(("status", "form", "segments", "lengths", "inline"))


@pytest.mark.parametrize("absent_from", ["real", "simulated"])
def test_one_operation_too_few_or_too_many_is_no_agreement(golden, absent_from):
    contents = {name: read_operations(golden) for name in ("real", "simulated")}
    removed = contents[absent_from].operations.pop(300)
    comparison = compare(contents["real"], contents["simulated"])
    left = comparison.extra if absent_from == "real" else comparison.missing
    assert [operation.exchange.call.xid for operation in left] == [removed.exchange.call.xid]
    assert not comparison.agrees(())


def test_interleaving_and_handles_do_not_matter(golden):
    real, simulated = read_operations(golden), read_operations(golden)
    reads = [operation for operation in simulated.operations if operation.name == "ACCESS"]
    others = [operation for operation in simulated.operations if operation.name != "ACCESS"]
    simulated.operations = others[:40] + reads + others[40:]
    comparison = compare(real, simulated)
    assert len(comparison.pairs) == 636 and comparison.agrees(("form", "segments", "lengths", "inline"))


def test_client_can_be_chosen_and_wraps(golden):
    contents = read_operations(golden)
    assert len(compare(contents, contents, client=0).pairs) == 636
    assert len(compare(contents, contents, client=5).pairs) == 636


@pytest.mark.parametrize("name", ["absent.pcap", "linux-6.1-nfs-v3-mtu1500.mountstats"])
def test_unusable_input_is_one_line(data, golden, run_program, name):
    done = run_program("compare_capture.py", golden, data / name)
    assert done.returncode == 2
    assert name in done.stderr and done.stderr.count("\n") == 1
