# SPDX-License-Identifier: GPL-2.0-only
"""NFSv4.1 captures of Linux: COMPOUNDs, their traces, their comparison."""

from __future__ import annotations

import csv
import re
from collections import Counter

import pytest
from nfsrdma_capture import nfs4
from nfsrdma_capture.comparison import ASPECTS, compare
from nfsrdma_capture.compound_trace import build_compound_trace
from nfsrdma_capture.operation import read_operations
from nfsrdma_capture.xdr import XdrError, XdrReader

CAPTURE = "linux-6.1-nfs-v4.1-mtu1500.pcap.gz"
# What Linux counts apart although it is the same operation.
_PROCEDURES = {
    "CREATE": ("CREATE", "SYMLINK"),
    "OPEN": ("OPEN", "OPEN_NOATTR"),
    "SETATTR": ("SETATTR", "SETACL"),
}
# Calls that umount made after the counters had been read, and those about the server's root, of a mount of its own.
_MORE = {"DELEGRETURN": 9, "LOOKUP": 2}


@pytest.fixture(scope="module")
def contents(data):
    return read_operations(data / CAPTURE)


@pytest.fixture(scope="module")
def trace(contents):
    return build_compound_trace(contents)


def test_every_compound_is_decoded(contents):
    assert len(contents.operations) == 672
    assert not [operation.title for operation in contents.operations if operation.note]
    minors = Counter(operation.arguments.get("minor") for operation in contents.operations)
    assert minors == {1: 671, None: 1}
    names = {one.name for operation in contents.operations for one in operation.arguments.get("compound", ())}
    assert "OPEN" in names and not any(name.startswith("OP") and name[2:].isdigit() for name in names)


def test_operations_agree_with_the_counts_of_the_linux_client(data, contents):
    path = data / "linux-6.1-nfs-v4.1-mtu1500.mountstats"
    found = re.findall(r"^\s+([A-Z_]+): ([0-9 ]+)$", path.read_text(), re.MULTILINE)
    expected = {name: int(words.split()[0]) for name, words in found}
    counted = Counter(operation.name for operation in contents.operations if operation.program == "NFS4")
    for name in ("CLOSE", "LINK", "LOCK", "LOCKU", "READ", "READDIR", "READLINK", "REMOVE", "RENAME", "WRITE", *_PROCEDURES):
        assert counted[name] == sum(expected[part] for part in _PROCEDURES.get(name, (name,))), name
    for name, more in _MORE.items():
        assert counted[name] == expected[name] + more


def test_cut_compounds_are_refused(contents):
    octets = next(o for o in contents.operations if o.name == "OPEN").exchange.call
    header = next(o for o in contents.operations if o.name == "OPEN").exchange.call_header
    for end in range(header.octets, len(octets.octets), 4):
        with pytest.raises(XdrError):
            nfs4.decode_arguments("COMPOUND", XdrReader(octets.octets[:end], header.octets))


def test_rows(trace):
    assert trace.metadata[0] == "nfsrdma-compounds 1"
    assert "handle_octets root=8 other=16" in trace.metadata
    assert len(trace.rows) == 672
    by_name = {}
    for row in trace.rows:
        by_name.setdefault(row["operation"], []).append(row)
    write = by_name["WRITE"][-1]
    assert (write["offset"], write["count"], write["operations"]) == (0, 65537, "SEQUENCE PUTFH WRITE")
    length, position = map(int, write["items"].split(":"))
    assert length == 65537 and position == len(write["compound"]) // 2
    read = by_name["READ"][-1]
    assert read["operations"] == "SEQUENCE PUTFH READ" and read["result_items"]
    rename = by_name["RENAME"][0]
    assert (rename["object"], rename["name"], rename["name2"]) == ("root", "wd100", "renamed")
    assert rename["object2"] not in ("", "root")
    assert [row["status"] for row in by_name["LOOKUP"]].count("NFS4ERR_NOENT") == 2
    opened = by_name["OPEN"][0]
    assert opened["object"] == "root" and opened["result_object"].startswith("o")
    (recall,) = by_name["CB_RECALL"]
    assert recall["program"] == "NFSCB1" and recall["compound"]
    assert recall["object"] in {row["result_object"] for row in by_name["OPEN"]}
    assert all(row["results"] for row in trace.rows if row["compound"])
    assert sorted(int(row["acl_octets"]) for row in trace.rows if row["acl_octets"]) == [16384, 266240, 266240]


def test_initial_export(trace):
    rows = {(row["parent"], row["name"]): row for row in trace.tree_rows}
    assert len(rows) == len(trace.tree_rows) == 521 and not trace.remarks
    assert trace.tree_rows[0]["object"] == "root" and trace.tree_rows[0]["type"] == "DIR"
    assert rows[("root", "shortlink")]["target"] == "dir/f1"
    assert len(rows[("root", "longlink")]["target"]) == rows[("root", "longlink")]["size"] == 3850
    assert rows[("root", "r65537")]["size"] == 65537
    directory = rows[("root", "dir")]["object"]
    assert [name for parent, name in rows if parent == directory] == ["f2", "f1", "f4", "f5", "f3"]
    assert rows[(rows[("root", "dir")]["parent"], "dir")]["acl"] == ""
    lists = {name: row["acl"] for (_, name), row in rows.items() if row["acl"]}
    assert lists["few"] == "user::rw-,user:3001:rw-,group::r--,group:3002:r--,mask::rw-,other::rw-"
    assert lists["many"].count("user:3") == 250
    made = {row["name"] for row in trace.rows if row["operation"] == "CREATE"}
    assert made and not made & {name for _, name in rows}


def test_program_writes_the_trace_and_agrees_with_tshark(data, tmp_path, run_program):
    done = run_program("trace_from_pcap.py", data / CAPTURE, "--out", tmp_path / "made")
    assert done.returncode == 0, done.stderr
    assert "tshark agrees on program, procedure and status of 1344 RPC messages, differs on 0" in done.stderr
    lines = (tmp_path / "made.trace.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(list(csv.DictReader(line for line in lines if not line.startswith("#")))) == 672


def test_a_capture_is_like_itself(contents):
    comparison = compare(contents, contents)
    assert len(comparison.pairs) == 672 and comparison.agrees(ASPECTS)
    assert all(pair.identified for pair in comparison.pairs)


@pytest.mark.parametrize("name, operations", [("nfsd-restart", 42), ("mount", 22)])
def test_other_captures(data, name, operations):
    made = build_compound_trace(read_operations(data / f"linux-6.1-nfs-v4.1-{name}.pcap.gz"))
    assert len(made.rows) == operations
