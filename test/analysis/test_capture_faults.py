# SPDX-License-Identifier: GPL-2.0-only
"""Captures that are damaged, cut, of another format, or odd: every reader reads them or says in one line why not.

NFSRDMA_CAPTURE_MUTATIONS is the number of damaged captures that are tried (default: 150), NFSRDMA_CAPTURE_SEED the
first seed. With NFSRDMA_NO_MEMORY_LIMIT memory is not limited, as a simulator with sanitizers needs it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import resource
import struct
import subprocess
import sys
from pathlib import Path

import capture_mutations
import pytest
from capture_mutations import Capture
from nfsrdma_capture.budget import Budget
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.operation import read_operations

MUTATIONS = int(os.environ.get("NFSRDMA_CAPTURE_MUTATIONS", "150"))
FIRST_SEED = int(os.environ.get("NFSRDMA_CAPTURE_SEED", "0"))
MEMORY = 1536 << 20
P2P_OPERATIONS = 11


@pytest.fixture(scope="module")
def faults(data) -> Path:
    return data / "faults" / "captures"


@pytest.fixture(scope="module")
def p2p(data) -> Capture:
    """The shortest capture of Linux: 11 RPCs of NFSv3."""
    return capture_mutations.load(data / "linux-6.1-nfs-v3-p2p.pcap.gz")


@pytest.fixture(scope="module")
def check(simulator):
    """Runs nfsrdma-sim check-capture, with little memory."""

    def run(path: Path) -> subprocess.CompletedProcess:
        return subprocess.run(
            [simulator, "check-capture", path],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=_with_little_memory,
        )

    return run


def _with_little_memory() -> None:
    if "NFSRDMA_NO_MEMORY_LIMIT" in os.environ:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.fixture(scope="module")
def replay(root, simulator, run_program):
    """What ./start replay does with a capture: trace, run, comparison. Returns (run, comparisons)."""

    def run(capture: Path, directory: Path, *options: str):
        made = run_program("trace_from_pcap.py", capture, "--out", directory / "trace", *options)
        assert made.returncode == 0, made.stderr
        clients = (directory / "trace.trace.csv").read_text(errors="replace").count("\n# client=")
        settings = {
            "cluster.clients": clients,
            "workload.kind": "replay",
            "workload.trace": directory / "trace",
        }
        arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        nodes = ",".join(f"client-{index}" for index in range(clients))
        finished = subprocess.run(
            [simulator, "run", "linux-replay", "--out", directory, "--pcap", nodes, *arguments],
            capture_output=True,
            text=True,
            check=False,
        )
        comparisons = [
            run_program("compare_capture.py", capture, directory / f"client-{index}.pcap", "--client", index)
            for index in range(clients if finished.returncode < 2 else 0)
        ]
        return made, finished, comparisons

    return run


def one_line(done) -> str:
    """The only line on stderr of a program that refused its input."""
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert done.stdout == ""
    return line


# The files of test/data/faults/captures.


def test_damaged_gzip_is_refused_in_one_line(faults, tmp_path, run_program, check):
    path = faults / "gzip-corrupt-deflate.pcap.gz"
    for done in (run_program("trace_from_pcap.py", path, "--out", tmp_path / "t"), check(path)):
        line = one_line(done)
        assert "damaged gzip file" in line and line.count(path.name) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name, remark",
    [
        ("tcp-header-cut-by-snaplen38.pcap", "1 frame is not read: the snap length cut a header off"),
        (
            "golden-p2p-plus-public-malformed-tcp.pcap",
            "2 frames are not read: a header of IP or TCP contradicts itself or the frame",
        ),
    ],
)
def test_odd_frame_of_another_connection_is_counted(faults, tmp_path, run_program, check, name, remark):
    done = run_program("trace_from_pcap.py", faults / name, "--out", tmp_path / "t")
    assert done.returncode == 0, done.stderr
    assert remark in done.stderr.splitlines()
    assert "tshark agrees on program, procedure and status of 22 RPC messages, differs on 0" in done.stderr
    checked = check(faults / name)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert f"note: {remark}" in checked.stdout.splitlines()


@pytest.mark.parametrize("name", ["fcs-flag-ethernet.pcap", "two-link-types.pcapng"])
def test_bits_above_the_link_type_and_several_link_types_are_read(faults, tmp_path, run_program, check, name):
    assert len(read_operations(faults / name).operations) == P2P_OPERATIONS
    assert run_program("trace_from_pcap.py", faults / name, "--out", tmp_path / "t").returncode == 0
    checked = check(faults / name)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "RPC-over-RDMA: 22 messages; 22 transport headers" in checked.stdout


def test_prefix_agrees_on_what_it_has(faults, tmp_path, replay):
    _, finished, (compared,) = replay(faults / "nfs-v4.1-mtu1500-first200.pcap", tmp_path)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert compared.returncode == 0, compared.stdout
    lines = compared.stdout.splitlines()
    assert [line for line in lines if line.startswith("all ")][0].split() == ["all"] + ["59"] * 8
    (lacking,) = [line for line in lines if line.startswith("the capture lacks this")]
    assert "NFS4 WRITE offset 0 count 4096 0x2b9d5122 frames 198-none" in lacking
    assert lines[-1].startswith("the capture lacks something, listed above; all that it has agrees on status")


def test_gap_is_no_corruption(faults, tmp_path, replay):
    made, finished, (compared,) = replay(faults / "one-lost-frame-v3-mismatch.pcap", tmp_path)
    assert "10608 octets of the responder lie behind a gap in the capture" in made.stderr
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "; 0 mismatches" in finished.stdout
    assert compared.returncode == 0, compared.stdout
    assert "the capture lacks the reply: NFS3 WRITE offset 0 count 4096 0x941d87f8" in compared.stdout
    assert compared.stdout.splitlines()[-1].startswith("the capture lacks something, listed above; all that it has")


# Formats of files and links.


def _ethernet(capture: Capture, change) -> Capture:
    """A capture with change(addresses, IP packet) in the place of each Ethernet frame."""
    return capture.with_frames(change(frame[:12], frame[14:]) for _, frame in capture.records)


def _link(capture: Capture, link_type: int, change) -> bytes:
    changed = _ethernet(capture, change)
    return changed.octets()[:20] + struct.pack("<I", link_type) + changed.octets()[24:]


def _ipv6(packet: bytes, extension: bytes = b"", first: int = 6) -> bytes:
    def address(octets: bytes) -> bytes:
        return bytes.fromhex("fd00") + bytes(10) + octets

    body = packet[20 : struct.unpack_from(">H", packet, 2)[0]]
    length = len(extension) + len(body)
    return struct.pack(">IHBB", 6 << 28, length, first, 64) + address(packet[12:16]) + address(packet[16:20]) + extension + body


def _block(order: str, kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def _pcapng(capture: Capture, order: str = "<", resolution: int = 6, sections: int = 1, packet: int = 6) -> bytes:
    """A pcapng file; blocks that are to be passed over among the others."""
    octets = b""
    per_section = -(-len(capture.records) // sections)
    for start in range(0, len(capture.records), per_section):
        octets += _block(order, 0x0A0D0D0A, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1))
        octets += _block(order, 5, bytes(20))
        option = struct.pack(order + "HHB3xHH", 9, 1, resolution, 0, 0)
        octets += _block(order, 1, struct.pack(order + "HHI", 1, 0, 0) + option)
        octets += _block(order, 0x0BAD, b"custom")
        for head, frame in capture.records[start : start + per_section]:
            seconds, microseconds = struct.unpack("<II", head[:8])
            ticks = seconds * 10**resolution + microseconds * 10**resolution // 10**6
            lengths = struct.pack(order + "II", len(frame), len(frame))
            if packet == 3:
                body = struct.pack(order + "I", len(frame)) + frame
            else:
                interface = struct.pack(order + "I" if packet == 6 else order + "HH", *((0,) if packet == 6 else (0, 7)))
                body = interface + struct.pack(order + "II", ticks >> 32, ticks & 0xFFFFFFFF) + lengths + frame
            octets += _block(order, packet, body)
    return octets


def _big_endian(capture: Capture) -> bytes:
    records = (struct.pack(">IIII", *struct.unpack("<IIII", head)) + frame for head, frame in capture.records)
    return struct.pack(">IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 1) + b"".join(records)


def _nanoseconds(capture: Capture) -> bytes:
    records = []
    for head, frame in capture.records:
        seconds, microseconds = struct.unpack("<II", head[:8])
        records.append(struct.pack("<II", seconds, microseconds * 1000) + head[8:] + frame)
    return struct.pack("<I", 0xA1B23C4D) + capture.header[4:] + b"".join(records)


def _with_fcs(capture: Capture) -> bytes:
    octets = capture.with_frames(frame + b"\xde\xad\xbe\xef" for _, frame in capture.records).octets()
    return octets[:20] + struct.pack("<I", 2 << 28 | 0x04000000 | 1) + octets[24:]


READABLE = {
    "vlan": lambda c: _link(c, 1, lambda a, p: a + bytes.fromhex("810000050800") + p),
    "vlan-9100": lambda c: _link(c, 1, lambda a, p: a + bytes.fromhex("9100000581000006 0800") + p),
    "qinq": lambda c: _link(c, 1, lambda a, p: a + bytes.fromhex("88a8000581000006 0800") + p),
    "mpls": lambda c: _link(c, 1, lambda a, p: a + bytes.fromhex("8847 00010040 00020140") + p),
    "pppoe": lambda c: _link(c, 1, lambda a, p: a + struct.pack(">HBBHHH", 0x8864, 0x11, 0, 1, len(p) + 2, 0x21) + p),
    "ppp": lambda c: _link(c, 9, lambda a, p: bytes.fromhex("ff030021") + p),
    "cooked": lambda c: _link(c, 113, lambda a, p: bytes(14) + b"\x08\x00" + p),
    "cooked-2": lambda c: _link(c, 276, lambda a, p: b"\x08\x00" + bytes(18) + p),
    "raw": lambda c: _link(c, 101, lambda a, p: p),
    "null": lambda c: _link(c, 0, lambda a, p: struct.pack("<I", 2) + p),
    "loop": lambda c: _link(c, 108, lambda a, p: struct.pack(">I", 2) + p),
    "ipv6": lambda c: _link(c, 1, lambda a, p: a + b"\x86\xdd" + _ipv6(p)),
    "ipv6-options": lambda c: _link(c, 1, lambda a, p: a + b"\x86\xdd" + _ipv6(p, bytes.fromhex("0600010400000000"), 0)),
    "big-endian": _big_endian,
    "nanoseconds": _nanoseconds,
    "fcs": _with_fcs,
    "pcapng": _pcapng,
    "pcapng-big-endian": lambda c: _pcapng(c, ">"),
    "pcapng-nanoseconds": lambda c: _pcapng(c, resolution=9),
    "pcapng-sections": lambda c: _pcapng(c, sections=3),
    "pcapng-packet-blocks": lambda c: _pcapng(c, packet=2),
    "pcapng-simple-blocks": lambda c: _pcapng(c, packet=3),
    "gzip-members": lambda c: b"".join(gzip.compress(c.octets()[at : at + 4000]) for at in range(0, len(c.octets()), 4000)),
    "gzip-and-more": lambda c: gzip.compress(c.octets()) + bytes(512),
}


@pytest.mark.parametrize("name", READABLE)
def test_every_format_and_link_is_read(p2p, tmp_path, check, name):
    path = tmp_path / "capture"
    path.write_bytes(READABLE[name](p2p))
    contents = read_operations(path)
    assert len(contents.operations) == P2P_OPERATIONS
    assert contents.remarks == [] and contents.gap_ns is None
    done = check(path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "RPC-over-RDMA: 22 messages; 22 transport headers and 22 RPC headers that follow come out the same" in done.stdout
    assert "not read" not in done.stdout


def _fragments(address: bytes, packet: bytes) -> bytes:
    return address + b"\x08\x00" + packet[:6] + b"\x20\x00" + packet[8:]


UNREADABLE = {
    "empty": (lambda c: b"", "is empty"),
    "header-cut": (lambda c: c.octets()[:20], "cut short within its file header"),
    "pcapng-header-cut": (lambda c: _pcapng(c)[:10], "cut short within its file header"),
    "no-frame": (lambda c: c.header, "the capture holds no frame"),
    "text": (lambda c: b"Frame 1: 74 octets on wire\n", "not a capture: a pcap or pcapng file, plain or gzip, is expected"),
    "trace": (lambda c: b"# nfsrdma-trace 1\n", "a trace of the simulator, not a capture"),
    "xz": (lambda c: bytes.fromhex("fd377a585a00") + bytes(20), "compressed by xz; uncompress it first: xz -d"),
    "bzip2": (lambda c: b"BZh91AY&SY" + bytes(20), "compressed by bzip2; uncompress it first: bzip2 -d"),
    "zstd": (lambda c: bytes.fromhex("28b52ffd") + bytes(20), "compressed by zstd; uncompress it first: zstd -d"),
    "gzip-twice": (lambda c: gzip.compress(gzip.compress(c.octets())), "compressed by gzip twice"),
    "gzip-cut": (lambda c: gzip.compress(c.octets())[:900], "damaged gzip file"),
    "gzip-of-zeros": (lambda c: gzip.compress(bytes(1 << 20)), "not a capture: "),
    "snoop": (lambda c: b"snoop\0\0\0" + bytes(20), "a snoop file (RFC 1761); convert it: editcap -F pcap IN OUT"),
    "zeros": (lambda c: c.header + bytes(1600), "the capture is damaged at frame 1: it has no octets"),
    "long-frame": (
        lambda c: c.header + struct.pack("<IIII", 1, 0, 1 << 30, 1 << 30) + bytes(100),
        "the capture is damaged at frame 1: it would have 1073741824 octets",
    ),
    "radiotap": (lambda c: _link(c, 127, lambda a, p: p), "link type 127 is not read; known are Ethernet (1)"),
    "pcapng-radiotap": (
        lambda c: _pcapng(c).replace(struct.pack("<HHI", 1, 0, 0), struct.pack("<HHI", 127, 0, 0)),
        "link type 127 is not read; known are Ethernet (1)",
    ),
    "pcapng-no-interface": (
        lambda c: _block("<", 0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + _block("<", 6, bytes(40)),
        "the capture is damaged at frame 1: it is of an interface that is not described",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_capture_is_called_what_it_is(p2p, tmp_path, run_program, check, name):
    make, message = UNREADABLE[name]
    path = tmp_path / "capture"
    path.write_bytes(make(p2p))
    for done in (run_program("trace_from_pcap.py", path, "--out", tmp_path / "t"), check(path)):
        line = one_line(done)
        assert message in line and line.count(str(path)) == 1
    assert one_line(run_program("compare_capture.py", path, path)).startswith("compare_capture: ")
    assert one_line(run_program("compare_recovery.py", path, path)).startswith("compare_recovery: ")
    assert [file.name for file in tmp_path.iterdir()] == ["capture"]


def test_directory_and_absent_file_are_refused(tmp_path, run_program, check):
    for path, message in ((tmp_path, "is a directory"), (tmp_path / "absent", "No such file or directory")):
        for done in (run_program("trace_from_pcap.py", path, "--out", tmp_path / "t"), check(path)):
            assert message in one_line(done)


NOT_NFS = {
    "fragments": (lambda c: _link(c, 1, _fragments), "frames are not read: fragments of IP packets"),
    "snap-length": (
        lambda c: c.octets()[:24]
        + b"".join(head[:8] + struct.pack("<II", 38, len(frame)) + frame[:38] for head, frame in c.records),
        "frames are not read: the snap length cut a header off",
    ),
    "macsec": (
        lambda c: _link(c, 1, lambda a, p: a + b"\x88\xe5" + p),
        "frames are not read: neither IPv4 nor IPv6, EtherType 0x88e5",
    ),
    "udp": (
        lambda c: _link(c, 1, lambda a, p: a + b"\x08\x00" + p[:9] + b"\x11" + p[10:]),
        "frames are not read: other protocols than TCP over IP",
    ),
}


@pytest.mark.parametrize("name", NOT_NFS)
def test_why_there_is_no_connection_is_said(p2p, tmp_path, run_program, check, name):
    make, message = NOT_NFS[name]
    path = tmp_path / "capture.pcap"
    path.write_bytes(make(p2p))
    line = one_line(run_program("trace_from_pcap.py", path, "--out", tmp_path / "t"))
    assert "no iWARP connection with its MPA startup" in line and message in line
    done = check(path)
    assert done.returncode == 1 and done.stderr == ""
    assert "error: there is no MPA connection that can be decoded" in done.stdout.splitlines()
    assert message in done.stdout


def test_cut_last_frame_is_said(p2p, tmp_path, run_program, check):
    path = tmp_path / "capture.pcap"
    path.write_bytes(p2p.octets()[:-7])
    message = f"the capture is cut short within frame {len(p2p.records)}"
    done = run_program("trace_from_pcap.py", path, "--out", tmp_path / "t")
    assert done.returncode == 0 and message in done.stderr
    assert message in one_line(check(path))


# Memory.


def _members(first: bytes, repeated: bytes, times: int) -> bytes:
    """A gzip file of first and then repeated so many times, made quickly."""
    return gzip.compress(first, mtime=0) + gzip.compress(repeated, mtime=0) * times


def _run_with_little_memory(root: Path, program: str, *arguments) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-B", root / "analysis" / program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_with_little_memory,
    )


@pytest.mark.parametrize("has_header", [False, True])
def test_gzip_bomb_takes_no_memory(root, p2p, tmp_path, check, has_header):
    """13 MB that are 13 GB of zeros."""
    path = tmp_path / "bomb.pcap.gz"
    path.write_bytes(_members(p2p.header if has_header else b"", bytes(64 << 20), 200))
    for done in (check(path), _run_with_little_memory(root, "trace_from_pcap.py", path, "--out", tmp_path / "t")):
        assert ("it has no octets" if has_header else "not a capture") in one_line(done)


def _on_port(frame: bytes, port: int) -> bytes:
    source, destination = struct.unpack_from(">HH", frame, 34)
    ports = struct.pack(">HH", port if source != 20049 else source, port if destination != 20049 else destination)
    return frame[:34] + ports + frame[38:]


def test_large_capture_takes_little_memory(root, p2p, tmp_path, check):
    """120 MB of other TCP connections, and then one of NFS: what is not MPA is not kept."""
    frames = (_on_port(frame.replace(b"MPA ID", b"HTTP/1"), 4000) for _, frame in p2p.records)
    other = p2p.with_frames(frames).octets()[24:]
    path = tmp_path / "large.pcap.gz"
    last = gzip.compress(p2p.octets()[24:])
    path.write_bytes(_members(p2p.header, other * 64, 120) + last)
    done = check(path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert "RPC-over-RDMA: 22 messages" in done.stdout


def test_more_than_the_budget_is_refused(data, tmp_path, p2p):
    with pytest.raises(CaptureError, match="takes more than 1 MiB of memory: cut it in parts with editcap -c, at frame"):
        read_operations(data / "linux-6.1-nfs-v3-mtu1500.pcap.gz", Budget(1 << 20))
    floods = [
        bytes(_on_port(frame, port)) for port in range(1024, 3000) for _, frame in p2p.records[:3] if frame[23] == 6
    ]
    heads = p2p.records[:1] * len(floods)
    path = tmp_path / "flood.pcap"
    path.write_bytes(Capture(p2p.header, heads).with_frames(floods).octets())
    with pytest.raises(CaptureError, match="takes more than 4 MiB of memory"):
        read_operations(path, Budget(4 << 20))


# Several mounts, versions, and gaps.


def _merge(*captures: Capture) -> bytes:
    records = [record for capture in captures for record in capture.records]
    records.sort(key=lambda record: struct.unpack("<II", record[0][:8]))
    return Capture(captures[0].header, tuple(records)).octets()


def _later(capture: Capture, seconds: int) -> Capture:
    records = []
    for head, frame in capture.records:
        (second,) = struct.unpack("<I", head[:4])
        records.append((struct.pack("<I", second + seconds) + head[4:], frame))
    return Capture(capture.header, tuple(records))


def _starting_at(capture: Capture, second: int) -> Capture:
    (first,) = struct.unpack("<I", capture.records[0][0][:4])
    return _later(capture, second - first)


def verdict(finished, comparisons) -> tuple[int, list[str]]:
    """The exit status of ./start replay, and the last line of each comparison."""
    assert finished.returncode in (0, 1), finished.stdout + finished.stderr
    lines = [compared.stdout.splitlines()[-1] for compared in comparisons]
    return max([finished.returncode] + [compared.returncode for compared in comparisons]), lines


def test_two_mounts_of_one_client_are_replayed(data, tmp_path, replay):
    """Two runs of the same work, each on an export made anew: what was between them is not in the file."""
    one = capture_mutations.load(data / "linux-6.1-nfs-v3-mtu1500.pcap.gz").first(700)
    two = _starting_at(capture_mutations.load(data / "linux-6.1-nfs-v3-crc-mtu1500.pcap.gz").first(700), 2_000_000_000)
    path = tmp_path / "merged.pcap"
    path.write_bytes(_merge(_starting_at(one, 1_900_000_000), two))
    made, finished, comparisons = replay(path, tmp_path)
    assert "contradicts what went before: the capture lacks what happened between" in made.stderr
    status, (line,) = verdict(finished, comparisons)
    assert status == 0, comparisons[0].stdout
    assert line.startswith("the capture lacks something, listed above; all that it has agrees")


def test_two_clients_are_replayed(p2p, tmp_path, replay):
    other = p2p.with_frames(
        frame[:26] + frame[26:34].replace(bytes((10, 77, 0, 2)), bytes((10, 77, 0, 3))) + frame[34:]
        for _, frame in p2p.records
    )
    path = tmp_path / "clients.pcap"
    path.write_bytes(_merge(p2p, other))
    _, finished, comparisons = replay(path, tmp_path)
    status, lines = verdict(finished, comparisons)
    assert status == 0 and len(lines) == 2
    assert all(line.startswith("all that is supported agrees") for line in lines)


def test_capture_of_two_versions_is_replayed_as_one_of_them(p2p, data, tmp_path, run_program, replay):
    four = capture_mutations.load(data / "linux-6.1-nfs-v4.1-mount.pcap.gz")
    path = tmp_path / "versions.pcap"
    path.write_bytes(_merge(_starting_at(p2p, 1_900_000_000), _starting_at(four, 1_900_000_100)))
    made, finished, comparisons = replay(path, tmp_path / "three", "--nfs-version", "3")
    assert "the capture holds NFSv3 and NFSv4.1: the trace is of NFSv3; left out, see --nfs-version: " in made.stderr
    status, (line,) = verdict(finished, comparisons)
    assert status == 0 and line.startswith("all that is supported agrees"), comparisons[0].stdout
    assert "of another version of NFS than the simulation: " in comparisons[0].stdout
    refused = run_program("trace_from_pcap.py", path, "--nfs-version", "2", "--out", tmp_path / "t")
    assert one_line(refused).endswith("holds NFSv3 and NFSv4.1, not NFSv2")


@pytest.mark.parametrize("name, frames", [("nfs-v3-p2p", 80), ("nfs-v4.1-mount", 90)])
@pytest.mark.parametrize("lost", [0.2, 0.4, 0.6, 0.8])
def test_capture_without_a_frame_never_differs(data, tmp_path, run_program, replay, name, frames, lost):
    capture = capture_mutations.load(data / f"linux-6.1-{name}.pcap.gz").first(frames)
    at = next(i for i in range(int(lost * len(capture.records)), len(capture.records)) if len(capture.records[i][1]) > 80)
    path = tmp_path / "lossy.pcap"
    path.write_bytes(Capture(capture.header, capture.records[:at] + capture.records[at + 1 :]).octets())
    _, finished, comparisons = replay(path, tmp_path)
    status, lines = verdict(finished, comparisons)
    assert status in (0, 2), finished.stdout + comparisons[0].stdout
    assert all(line.startswith(("the capture lacks ", "all that is supported agrees")) for line in lines)


def test_difference_before_a_gap_is_one(data, tmp_path, run_program):
    whole = data / "linux-6.1-nfs-v3-mtu1500.pcap.gz"
    capture = capture_mutations.load(whole)
    frames = [bytearray(frame) for _, frame in capture.records]
    calls = [operation.exchange.call for operation in read_operations(whole).operations]
    xid = struct.pack(">II", calls[5].xid, 1)
    frame = next(frame for frame in frames if xid in frame)
    struct.pack_into(">I", frame, frame.index(xid) + 8, 99)  # rdma_credit
    path = tmp_path / "prefix.pcap"
    path.write_bytes(capture.with_frames(map(bytes, frames)).first(400).octets())
    done = run_program("compare_capture.py", path, whole)
    assert done.returncode == 1
    assert "call rdma_credit 99 != 128" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("the captures disagree on")


# Whatever else.


@pytest.fixture(scope="module")
def originals(data) -> dict[str, bytes]:
    """Every capture of Linux, the long ones cut to their first frames."""
    paths = sorted(data.glob("linux-6.1-*.pcap.gz"))
    assert len(paths) >= 18
    return {path.name: capture_mutations.load(path).first(150).octets() for path in paths}


def _finish(main, *arguments: str) -> tuple[int, str]:
    """How a program of analysis/ ended, and what it said on stderr."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        status = main(list(arguments))
    return status, stderr.getvalue()


def test_no_damage_ends_a_reader(originals, tmp_path, monkeypatch):
    import compare_capture
    import compare_recovery
    import trace_from_pcap

    def refuse(*_):
        raise CaptureError("not asked")

    monkeypatch.setattr(trace_from_pcap, "dissect_messages", refuse)
    damaged, whole = str(tmp_path / "damaged.pcap"), str(tmp_path / "whole.pcap")
    names = sorted(originals)
    outcomes = set()
    for seed in range(FIRST_SEED, FIRST_SEED + MUTATIONS):
        original = originals[names[seed % len(names)]]
        Path(damaged).write_bytes(capture_mutations.mutate(original, seed, list(originals.values())))
        Path(whole).write_bytes(original)
        for main, arguments in (
            (trace_from_pcap.main, (damaged, "--out", str(tmp_path / "t"))),
            (compare_capture.main, (damaged, whole)),
            (compare_recovery.main, (damaged, whole)),
        ):
            status, said = _finish(main, *arguments)
            outcomes.add((main.__module__, status))
            assert status in (0, 1, 2), (seed, main.__module__)
            if status == 2 and said:
                assert len(said.splitlines()) == 1, (seed, said)
    assert {("trace_from_pcap", 0), ("trace_from_pcap", 2), ("compare_capture", 0), ("compare_capture", 2)} <= outcomes


def test_no_damage_ends_check_capture(originals, tmp_path, check):
    names = sorted(originals)
    for seed in range(FIRST_SEED, FIRST_SEED + max(25, MUTATIONS // 5)):
        original = originals[names[seed % len(names)]]
        path = tmp_path / "damaged.pcap"
        path.write_bytes(capture_mutations.mutate(original, seed, list(originals.values())))
        done = check(path)
        assert done.returncode in (0, 1, 2), (seed, done.returncode, done.stderr[-500:])
        assert len(done.stderr.splitlines()) == (done.returncode == 2), (seed, done.stderr)


def test_trace_of_a_damaged_capture_is_one_that_the_simulator_takes(originals, tmp_path, monkeypatch, root, simulator):
    import trace_from_pcap

    def refuse(*_):
        raise CaptureError("not asked")

    monkeypatch.setattr(trace_from_pcap, "dissect_messages", refuse)
    names = [name for name in sorted(originals) if "nfs" in name]
    taken = 0
    for seed in range(FIRST_SEED, FIRST_SEED + max(20, MUTATIONS // 10)):
        original = originals[names[seed % len(names)]]
        path = tmp_path / "damaged.pcap"
        path.write_bytes(capture_mutations.mutate(original, seed, [original]))
        basename = tmp_path / f"t{seed}"
        status, _ = _finish(trace_from_pcap.main, str(path), "--out", str(basename))
        if status != 0:
            continue
        settings = {"workload.kind": "replay", "workload.trace": basename, "cluster.clients": 1}
        arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        done = subprocess.run(
            [simulator, "run", "linux-replay", "--out", tmp_path / "out", *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode in (0, 1, 3), (seed, done.returncode, done.stderr[-1000:])
        taken += 1
    assert taken > 5
