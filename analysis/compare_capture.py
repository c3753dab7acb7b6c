#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare two NFS/RDMA captures RPC by RPC: how each crossed the wire.

Prints per operation how many pairs agree on status, transfer form (message types, numbers of Read and Write
chunks, Reply chunk), segment counts, chunk lengths, length of the Send and credits; then every disagreement, also
on the private data of the connections. Remote invalidation is reported and does not count. What REAL lacks (octets
that were not captured, replies, whole calls) and what may depend on it is listed apart, and does not count either.
Exit status: 0 all that REAL has agrees, 1 some of it does not, 2 unusable input, or nothing of REAL can be compared.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

import entry
from nfsrdma_capture.budget import Budget
from nfsrdma_capture.comparison import ASPECTS, Comparison, Disagreement, Pair, compare
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.operation import Operation, count_by_title, read_operations

ALWAYS_REQUIRED = ("status", "form", "segments", "credits")
LENGTHS = ("lengths", "inline")


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real", type=Path)
    parser.add_argument("simulated", type=Path)
    parser.add_argument(
        "--lengths",
        choices=("fail", "report"),
        default="fail",
        help="whether a disagreement on lengths makes the exit status 1 (default: fail)",
    )
    parser.add_argument(
        "--client",
        type=int,
        metavar="N",
        help="compare with client N of REAL, counted from 0 in order of first call (default: client i with i)",
    )
    return parser.parse_args(arguments)


def print_table(comparison: Comparison) -> None:
    print(f"{'operation':20s} {'pairs':>6s}" + "".join(f" {aspect:>12s}" for aspect in ASPECTS))
    for title in comparison.operations():
        pairs = [pair for pair in comparison.pairs if pair.real.title == title]
        print(f"{title:20s} {len(pairs):6d}" + _agreements(pairs))
    print(f"{'all':20s} {len(comparison.pairs):6d}" + _agreements(comparison.pairs))


def _agreements(pairs: list[Pair]) -> str:
    return "".join(f" {sum(pair.agrees_on(aspect) for pair in pairs):12d}" for aspect in ASPECTS)


def print_disagreements(comparison: Comparison) -> None:
    for pair in comparison.pairs:
        for disagreement in pair.disagreements:
            print(_disagreement(pair, disagreement))
    for kind, operations in (("only in real", comparison.missing), ("only in simulated", comparison.extra)):
        for operation in operations:
            print(_alone(kind, operation))


def print_lacking(comparison: Comparison) -> None:
    """What the real capture lacks, and what may depend on it."""
    unanswered = [pair.real for pair in comparison.pairs if pair.real.exchange.reply is None]
    for operation in comparison.lacking:
        what = operation.note or ("no reply" if operation.exchange.reply is None else "behind a gap")
        print(_alone(f"the capture lacks this ({what})", operation))
    for operation in unanswered:
        print(_alone("the capture lacks the reply", operation))
    for pair in comparison.pairs:
        for disagreement in pair.unjudged:
            print(f"not judged, the capture lacks what went before: {_disagreement(pair, disagreement)}")
    for operation in comparison.unforeseen:
        print(_alone("not judged, only in simulated", operation))


def _disagreement(pair: Pair, disagreement: Disagreement) -> str:
    return (
        f"{disagreement.aspect}: {describe(pair.real)} real 0x{pair.real.exchange.call.xid:08x} "
        f"frames {_frames(pair.real)}, simulated 0x{pair.simulated.exchange.call.xid:08x} "
        f"frames {_frames(pair.simulated)}: "
        f"{disagreement.item} {disagreement.real} != {disagreement.simulated}"
    )


def _alone(kind: str, operation: Operation) -> str:
    return f"{kind}: {describe(operation)} 0x{operation.exchange.call.xid:08x} frames {_frames(operation)}"


def describe(operation: Operation) -> str:
    arguments = operation.arguments
    details = [operation.title]
    details += [arguments[key] for key in ("name", "name2") if key in arguments]
    details += [f"{key} {arguments[key]}" for key in ("offset", "count") if key in arguments]
    return " ".join(details)


def _frames(operation: Operation) -> str:
    reply = operation.exchange.reply
    return f"{operation.exchange.call.frame}-{reply.frame if reply else 'none'}"


def print_remarks(comparison: Comparison) -> None:
    for line in comparison.private_data:
        print(f"private data: {line}")
    agreeing = "" if comparison.private_data else " agree on their private data"
    print(f"connections compared: {comparison.connections}{agreeing}")
    for title, count in sorted(count_by_title(comparison.unsupported).items()):
        print(f"unsupported, not in the simulation: {count} {title}")
    for version, count in sorted(Counter(operation.version or "?" for operation in comparison.others).items()):
        print(f"of another version of NFS than the simulation: {count} operations of NFSv{version}")
    by_order = sum(not pair.identified for pair in comparison.pairs)
    if by_order:
        print(f"paired by order of occurrence only, arguments differ: {by_order}")


def main(arguments: list[str] | None = None) -> int:
    options = parse_arguments(arguments)
    try:
        budget = Budget()
        real, simulated = (read_operations(path, budget) for path in (options.real, options.simulated))
        comparison = compare(real, simulated, options.client)
    except CaptureError as error:
        print(f"compare_capture: {error}", file=sys.stderr)
        return 2
    for contents in (real, simulated):
        for remark in contents.remarks:
            print(f"compare_capture: {contents.path.name}: {remark}", file=sys.stderr)
    print_table(comparison)
    print_disagreements(comparison)
    print_lacking(comparison)
    print_remarks(comparison)
    required = ALWAYS_REQUIRED + (LENGTHS if options.lengths == "fail" else ())
    verdict, status = judge(comparison, required)
    print(verdict, "on " + ", ".join(required))
    return status


def judge(comparison: Comparison, required: tuple[str, ...]) -> tuple[str, int]:
    """The verdict and the exit status."""
    if not comparison.pairs and not comparison.missing and not comparison.extra and comparison.has_gap:
        return "the capture lacks all that could be compared", 2
    if not comparison.agrees(required):
        return "the captures disagree", 1
    if comparison.has_gap:
        return "the capture lacks something, listed above; all that it has agrees", 0
    return "all that is supported agrees", 0


if __name__ == "__main__":
    entry.run(main)
