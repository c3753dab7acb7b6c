# SPDX-License-Identifier: GPL-2.0-only
"""Whether a capture is what Wireshark expects: nothing malformed, good CRCs, every layer down to NFS.

A frame is at fault if both dissections find it so. One limit of tshark's is exempted by rule: a READ reply whose
Write chunk returned a length that is no multiple of 4 is always malformed, in captures of Linux too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from . import rpc
from .dissection import Dissection, dissect, run_tshark
from .operation import CaptureContents, read_operations

_FRAME_LINE = re.compile(r"^Frame (\d+):")
_CRC_LINE = re.compile(r"CRC check: .*\((Good|Bad) CRC32")


@dataclass(frozen=True)
class Verdict:
    """faults has a line for each; exempted are the frames excused, good_crcs the FPDUs with a right CRC.

    repeated are TCP retransmissions of octets that were there already: nothing of them is dissected again.
    """

    faults: tuple[str, ...]
    exempted: tuple[int, ...]
    good_crcs: int
    operations: int
    repeated: tuple[int, ...]


def unpadded_read_frames(contents: CaptureContents) -> set[int]:
    """Frames of READ replies whose Write chunk returned a length that is no multiple of 4."""
    return {
        operation.exchange.reply.frame
        for operation in contents.operations
        if operation.exchange.reply is not None and (operation.name == "READ" or operation.program == "NFS4")
        if any(len(data) % 4 for data in operation.exchange.reply.reduced)
    }


def judge(path: Path) -> Verdict:
    """All faults of a capture that holds its connections from their start."""
    contents = read_operations(path)
    dissection = dissect(path, contents.connections.octets)
    excused = unpadded_read_frames(contents)
    malformed = _in_both(dissection, lambda frame: frame.malformed)
    bad_crcs, good = _crc_checks(path)
    faults = [f"frame {number}: malformed" for number in sorted(malformed - excused)]
    faults += [f"frame {number}: bad MPA CRC" for number in sorted(bad_crcs)]
    unmatched = _in_both(dissection, lambda frame: "iwarp_mpa" in frame.protocols and frame.replies > frame.matches)
    faults += [f"frame {number}: RPC reply without its call" for number in sorted(unmatched)]
    undissected, repeated = _undissected_segments(dissection)
    faults += undissected
    faults += _undissected_messages(contents, dissection)
    faults += contents.remarks
    return Verdict(tuple(faults), tuple(sorted(malformed & excused)), good, len(contents.operations), repeated)


def _in_both(dissection: Dissection, is_fault) -> set[int]:
    one, two = dissection.one_pass, dissection.two_pass
    return {number for number, frame in one.items() if is_fault(frame) and number in two and is_fault(two[number])}


def _crc_checks(path: Path) -> tuple[set[int], int]:
    """Frames with a bad CRC, and the number of good ones; CRCs do not depend on the number of passes."""
    bad: set[int] = set()
    good = 0
    number = 0
    for line in run_tshark(path, "-Y", "iwarp_mpa.crc_check", "-O", "iwarp_mpa").splitlines():
        frame = _FRAME_LINE.match(line)
        if frame:
            number = int(frame[1])
            continue
        check = _CRC_LINE.search(line)
        if check and check[1] == "Bad":
            bad.add(number)
        elif check:
            good += 1
    return bad, good


def _undissected_segments(dissection: Dissection) -> tuple[list[str], tuple[int, ...]]:
    streams = {frame.stream for frame in dissection.two_pass.values() if frame.starts_iwarp}

    def is_plain(frame) -> bool:
        plain = frame.tcp_octets > 0 and "iwarp_mpa" not in frame.protocols
        return frame.stream in streams and plain and not frame.is_part

    plain = _in_both(dissection, is_plain)
    repeated = {number for number in plain if dissection.two_pass[number].is_repeat}
    return [f"frame {number}: TCP payload without MPA" for number in sorted(plain - repeated)], tuple(sorted(repeated))


def _undissected_messages(contents: CaptureContents, dissection: Dissection) -> list[str]:
    """RPC messages that neither dissection brings down to the program's own layer.

    A message without a body (NULL, or a reply refused by the RPC layer) ends at the RPC layer.
    """
    rpcs = dissection.messages()
    # tshark dissects callbacks, but lists no protocol of their own for the frame.
    bodies = {
        rpc.PROGRAM_NFS: dissection.messages("nfs"),
        rpc.PROGRAM_NFSACL: dissection.messages("nfsacl"),
        rpc.PROGRAM_CALLBACK: rpcs,
    }
    faults = []
    for operation in contents.operations:
        exchange = operation.exchange
        header = exchange.call_header
        if header is None or header.program not in bodies:
            faults.append(f"frame {exchange.call.frame}: {operation.title}: not an NFS call")
            continue
        endpoints = frozenset((exchange.connection.initiator, exchange.connection.responder))
        refused = exchange.reply_header is not None and exchange.reply_header.outcome != "SUCCESS"
        for direction, message in ((rpc.CALL, exchange.call), (rpc.REPLY, exchange.reply)):
            has_body = header.procedure != 0 and not (refused and direction == rpc.REPLY)
            seen = bodies[header.program] if has_body else rpcs
            if message is None:
                faults.append(f"frame {exchange.call.frame}: {operation.title}: no reply")
            elif (endpoints, message.xid, direction) not in seen:
                kind = ("call", "reply")[direction]
                faults.append(f"frame {message.frame}: {operation.title} {kind} not dissected to its layer")
    return faults
