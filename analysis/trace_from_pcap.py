#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Turn an NFS/RDMA capture into a trace that nfsrdma-sim replays.

Writes BASENAME.trace.csv (a row per operation, of NFSv4 per COMPOUND) and BASENAME.tree.csv (the export before the first one), and
a summary on stderr. The operations are checked against tshark's own dissection of the capture. A trace is of one version of NFS:
of a capture with several it has the one with the most operations, or that of --nfs-version. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import entry
from nfsrdma_capture.comparison import SUPPORTED_PROGRAMS
from nfsrdma_capture.compound_trace import build_compound_trace, write_compound_trace
from nfsrdma_capture.dissection import Dissected, MessageKey, dissect_messages
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.operation import CaptureContents, count_by_title, count_versions, of_versions, read_operations
from nfsrdma_capture.trace import Trace, build_trace, write_trace


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture", type=Path, help="pcap or pcapng file with the connection from its start")
    parser.add_argument("--out", type=Path, metavar="BASENAME", help="default: the capture's name in this directory")
    parser.add_argument("--nfs-version", metavar="VERSION", help="of a capture with several: 2, 3, 4.0, 4.1 or 4.2")
    return parser.parse_args(arguments)


def default_basename(capture: Path) -> Path:
    name = capture.name.removesuffix(".gz")
    return Path(name.removesuffix(".pcapng").removesuffix(".pcap"))


def refuse_unsupported(contents: CaptureContents) -> None:
    counts = count_by_title(contents.operations)
    listed = ", ".join(f"{count} {title}" for title, count in sorted(counts.items()))
    if any(title.startswith(("NFS2 ", "NFS3 ", "NFS4 ")) for title in counts):
        return
    raise CaptureError(f"{contents.path}: no operation of NFSv2, v3 or v4: no trace written ({listed})")


def choose_version(contents: CaptureContents, wanted: str | None) -> tuple[CaptureContents, list[str]]:
    """The operations of one version of NFS, and a line when there are others."""
    counts = count_versions(contents)
    listed = " and ".join(f"NFSv{version}" for version in sorted(counts)) or "no NFS"
    if wanted is not None and wanted not in counts:
        raise CaptureError(f"{contents.path}: holds {listed}, not NFSv{wanted}")
    if not counts:
        return contents, []
    chosen = wanted or counts.most_common(1)[0][0]
    kept, others = of_versions(contents, {chosen})
    left_out = Counter(operation.version for operation in others if operation.version)
    if not left_out:
        return kept, []
    parts = ", ".join(f"{count} operations of NFSv{version}" for version, count in sorted(left_out.items()))
    return kept, [f"the capture holds {listed}: the trace is of NFSv{chosen}; left out, see --nfs-version: {parts}"]


def ask_tshark(contents: CaptureContents) -> tuple[dict[MessageKey, Dissected], str | None]:
    """What tshark makes of the capture; or nothing, and why."""
    try:
        return dissect_messages(contents.path, contents.connections.octets), None
    except CaptureError as error:
        return {}, str(error)


def compare_with_dissection(
    contents: CaptureContents, dissected: dict[MessageKey, Dissected]
) -> tuple[int, list[str]]:
    """Number of RPC messages on which tshark agrees, and a line for each on which it does not."""
    agreed = 0
    differences: list[str] = []
    for operation in contents.operations:
        header = operation.exchange.call_header
        if header is None:
            continue
        connection = operation.exchange.connection
        endpoints = frozenset((connection.initiator, connection.responder))
        for direction, message in enumerate((operation.exchange.call, operation.exchange.reply)):
            seen = dissected.get((endpoints, header.xid, direction))
            if message is None or seen is None:
                continue
            same = (seen.program, seen.procedure) == (header.program, header.procedure)
            status = operation.results.get("status")
            if direction == 1 and None not in (seen.status, status):
                same = same and seen.status == status
            agreed += same
            if not same:
                differences.append(
                    f"frame {seen.frame}: tshark has another {('call', 'reply')[direction]} "
                    f"for 0x{header.xid:08x} than {operation.title} {operation.status}"
                )
    known = {operation.exchange.call.xid for operation in contents.operations}
    for (_, xid, _), seen in dissected.items():
        if xid not in known:
            differences.append(f"frame {seen.frame}: tshark has an RPC 0x{xid:08x} that is not among the operations")
    return agreed, differences


def summarize(contents: CaptureContents, trace: Trace, versions: list[str]) -> None:
    def say(text: str) -> None:
        print(text, file=sys.stderr)

    operations = contents.operations
    say(f"{contents.path.name}: {len(operations)} operations, {len(trace.tree_rows)} objects in the initial export")
    for title, count in sorted(count_by_title(operations).items()):
        say(f"  {count:6d}  {title}")
    replayed = (*SUPPORTED_PROGRAMS, "NFSCB1")
    unsupported = [operation for operation in operations if operation.program not in replayed]
    if unsupported:
        listed = ", ".join(f"{count} {title}" for title, count in sorted(count_by_title(unsupported).items()))
        say(f"neither NFS nor NFSACL, counted as unsupported by a replay: {listed}")
    for operation in operations:
        frame = operation.exchange.call.frame
        if operation.note and operation.program in (*SUPPORTED_PROGRAMS, "UNKNOWN"):
            say(f"frame {frame}: {operation.title}: {operation.note}")
        if operation.exchange.reply is None:
            say(f"frame {frame}: {operation.title}: no reply in the capture")
        if operation.exchange.resent_frames:
            frames = ", ".join(map(str, operation.exchange.resent_frames))
            say(f"frame {frame}: {operation.title}: sent again in frame {frames}; one row")
    for remark in versions + contents.remarks + trace.remarks:
        say(remark)


def summarize_dissection(agreed: int, differences: list[str], refusal: str | None) -> None:
    def say(text: str) -> None:
        print(text, file=sys.stderr)

    if refusal is not None:
        say(f"not compared with tshark: {refusal}")
        return
    say(f"tshark agrees on program, procedure and status of {agreed} RPC messages, differs on {len(differences)}")
    for difference in differences:
        say(difference)


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        everything = read_operations(options.capture)
        refuse_unsupported(everything)
        contents, versions = choose_version(everything, options.nfs_version)
        is_compound = any(operation.program == "NFS4" for operation in contents.operations)
        trace = (build_compound_trace if is_compound else build_trace)(contents)
        paths = (write_compound_trace if is_compound else write_trace)(trace, options.out or default_basename(options.capture))
    except CaptureError as error:
        print(f"trace_from_pcap: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"trace_from_pcap: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    summarize(contents, trace, versions)
    dissected, refusal = ask_tshark(everything)
    summarize_dissection(*compare_with_dissection(everything, dissected), refusal)
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    entry.run(main)
