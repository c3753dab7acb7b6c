# SPDX-License-Identifier: GPL-2.0-only
"""Operations and traces of captures of Linux."""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict

import pytest
from altered_capture import without_frames
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.trace import build_trace


def read_csv(path):
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def mountstats(path):
    """operation -> (RPCs, octets of calls, octets of replies, errors) as the Linux client counted."""
    found = re.findall(r"^\s+([A-Z]+): ([0-9 ]+)$", path.read_text(), re.MULTILINE)
    counts = {name: [int(word) for word in words.split()] for name, words in found}
    return {name: (words[0], words[3], words[4], words[8]) for name, words in counts.items()}


@pytest.fixture(scope="module")
def trace(golden):
    return build_trace(read_operations(golden))


def test_operations_agree_with_the_counts_of_the_linux_client(data, trace):
    expected = mountstats(data / "linux-6.1-nfs-v3-mtu1500.mountstats")
    counted = defaultdict(lambda: [0, 0, 0, 0])
    for row in trace.rows:
        if row["program"] == "NFS3":
            count = counted[row["operation"]]
            count[0] += 1
            count[1] += row["call_octets"]
            count[2] += row["reply_octets"]
            count[3] += row["status"] != "NFS3_OK"
    assert len(expected) == 22
    for name, numbers in expected.items():
        assert tuple(counted[name]) == numbers, name


def test_rows_of_nfsacl(trace):
    others = Counter((row["program"], row["operation"]) for row in trace.rows if row["program"] != "NFS3")
    assert others == {("NFSACL3", "NULL"): 1, ("NFSACL3", "GETACL"): 10, ("NFSACL3", "SETACL"): 2}
    few, many = (row for row in trace.rows if row["operation"] == "SETACL")
    assert (few["mask"], few["uid"], few["gid"], few["default_acl"]) == ("0x1", 0, 0, "")
    assert few["acl"] == "user::rw-,user:3001:rw-,user:3005:rwx,group::r--,group:3002:r--,mask::rwx,other::rw-"
    assert many["acl"].count(",") == 335
    directory = next(row for row in trace.rows if row["operation"] == "GETACL")
    assert (directory["mask"], directory["result_acl"]) == ("0xf", "user::rwx,group::rwx,other::rwx")
    lists = [(row["name"], row["acl"].count(",")) for row in trace.tree_rows if row["acl"]]
    assert lists == [("few", 5), ("many", 253)]
    assert not any(row["default_acl"] for row in trace.tree_rows)


def test_committed_trace_is_what_the_program_makes(golden, root, tmp_path, run_program):
    done = run_program("trace_from_pcap.py", golden, "--out", tmp_path / "made")
    assert done.returncode == 0
    assert "tshark agrees on program, procedure and status of 1272 RPC messages, differs on 0" in done.stderr
    assert "unsupported" not in done.stderr
    for kind in ("trace", "tree"):
        committed = (root / f"scenarios/traces/linux-6.1-nfs-v3.{kind}.csv").read_text()
        made = (tmp_path / f"made.{kind}.csv").read_text()
        assert made.replace(golden.name, "nfs-v3-mtu1500.pcap") == committed


def test_metadata(trace):
    assert trace.metadata[0] == "nfsrdma-trace 1"
    assert "handle_octets root=8 other=16" in trace.metadata
    assert trace.metadata[-1] == "client=0 address=10.77.0.2 machine=client uid=0 gid=0 gids="


def test_arguments_and_results(trace):
    by_operation = defaultdict(list)
    for row in trace.rows:
        by_operation[row["operation"]].append(row)
    write = by_operation["WRITE"][-1]
    assert (write["offset"], write["count"], write["stable"], write["call_octets"]) == (0, 65537, "FILE_SYNC", 65648)
    read = by_operation["READ"][-1]
    assert (read["count"], read["result_count"], read["result_eof"], read["reply_octets"]) == (69632, 65537, 1, 65668)
    assert by_operation["MKNOD"][0]["spec"] == "FIFO"
    chmod, truncate = by_operation["SETATTR"]
    assert (chmod["mode"], truncate["size"], truncate["mtime"]) == ("0640", 50, "server")
    rename = by_operation["RENAME"][0]
    assert (rename["object"], rename["name"], rename["name2"]) == ("root", "wd100", "renamed")
    first, second, third = by_operation["READDIRPLUS"]
    assert [first["cookie"], second["cookie"], third["cookie"]] == ["start", "start", "next"]
    assert second["result_entries"] + third["result_entries"] == 502
    assert by_operation["SYMLINK"][0]["target"] == "some/where"


def test_initial_export(trace):
    rows = {(row["parent"], row["name"]): row for row in trace.tree_rows}
    assert len(rows) == len(trace.tree_rows) == 520
    assert trace.tree_rows[0]["object"] == "root" and trace.tree_rows[0]["nlink"] == 5
    assert rows[("root", "shortlink")]["target"] == "dir/f1"
    assert len(rows[("root", "longlink")]["target"]) == rows[("root", "longlink")]["size"] == 3850
    assert rows[("root", "r65537")]["size"] == 65537
    directory = rows[("root", "dir")]["object"]
    assert [name for parent, name in rows if parent == directory] == ["f2", "f1", "f4", "f5", "f3"]
    made = {row["name"] for row in trace.rows if row["operation"] in ("CREATE", "MKDIR", "SYMLINK", "MKNOD")}
    assert made and not made & {name for _, name in rows}


def test_times_begin_with_the_first_operation_and_do_not_go_back(trace):
    times = [float(row["time"]) for row in trace.rows]
    assert times[0] == 0
    assert times == sorted(times)
    assert all(float(row["reply_time"]) > float(row["time"]) for row in trace.rows)


@pytest.mark.parametrize(
    "name, operations, bulk",
    [
        ("1m-read", 14, ("READ", 4, 262144)),
        ("crc-client-only", 11, ("READ", 1, 5001)),
        ("p2p", 11, ("READ", 1, 5001)),
        ("loss3", 18, ("WRITE", 3, 65536)),
    ],
)
def test_other_captures(data, name, operations, bulk):
    made = build_trace(read_operations(data / f"linux-6.1-nfs-v3-{name}.pcap.gz"))
    assert len(made.rows) == operations
    assert all(row["status"] == "NFS3_OK" and row["call_octets"] and row["reply_octets"] for row in made.rows)
    counts = [row["result_count"] for row in made.rows if row["operation"] == bulk[0]]
    assert len(counts) == bulk[1]
    assert counts[0] == bulk[2]


def test_size_before_a_write_comes_from_the_write_if_nothing_showed_it_earlier(data):
    contents = read_operations(data / "linux-6.1-nfs-v3-loss3.pcap.gz")
    for operation in contents.operations:
        operation.results.pop("handle_attributes", None)
        if operation.name in ("ACCESS", "GETATTR"):
            operation.results.pop("attributes", None)
        if operation.name == "WRITE":
            operation.results["pre_size"] = 1234
    sizes = {row["name"]: row["size"] for row in build_trace(contents).tree_rows}
    assert sizes["rc"] == 1234


def test_call_sent_again_is_one_row(data, tmp_path, run_program):
    done = run_program("trace_from_pcap.py", data / "linux-6.1-nfs-v3-acl-syserr.pcap.gz", "--out", tmp_path / "t")
    assert done.returncode == 0
    assert "sent again in frame 68, 82; one row" in done.stderr
    rows = [row for row in read_csv(tmp_path / "t.trace.csv") if row["operation"] == "GETACL"]
    # SYSTEM_ERR of the RPC layer is no status, and the simulator refuses it as one.
    assert [row["status"] for row in rows] == [""]


def test_unknown_calls_are_counted_not_dropped(data, tmp_path, run_program):
    done = run_program("trace_from_pcap.py", data / "linux-6.1-nfs-v3-rpcrdma-probes.pcap.gz", "--out", tmp_path / "t")
    assert done.returncode == 0
    assert "unsupported by a replay: 2 UNKNOWN RDMA_NOMSG" in done.stderr
    assert "call has no RPC header" in done.stderr
    assert "Send without RPC-over-RDMA header (rdma_vers is 2, not 1)" in done.stderr


def test_capture_with_a_gap_says_so(golden, tmp_path):
    cut = without_frames(golden, tmp_path / "gap.pcap", {143})
    contents = read_operations(cut)
    assert any("behind a gap" in remark for remark in contents.remarks)
    assert 0 < len(contents.operations) < 636


def test_capture_begun_after_the_connection_is_refused(golden, tmp_path):
    late = without_frames(golden, tmp_path / "late.pcap", set(range(1, 60)))
    with pytest.raises(CaptureError, match="no iWARP connection with its MPA startup"):
        read_operations(late)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda directory, data: data / "linux-6.1-verbs-rping.pcap.gz", "no RPC-over-RDMA call"),
        (lambda directory, data: directory / "absent.pcap", "No such file"),
        (lambda directory, data: data / "linux-6.1-nfs-v3-mtu1500.mountstats", "not a capture: a pcap or pcapng file"),
    ],
)
def test_unusable_input_is_one_line_and_writes_nothing(data, tmp_path, run_program, make, message):
    done = run_program("trace_from_pcap.py", make(tmp_path, data), "--out", tmp_path / "t")
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_same_capture_gives_the_same_files(data, tmp_path, run_program):
    for name in ("a", "b"):
        run_program("trace_from_pcap.py", data / "linux-6.1-nfs-v3-loss3.pcap.gz", "--out", tmp_path / name)
    for kind in ("trace.csv", "tree.csv"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
