#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that Wireshark can make sense of an NFS/RDMA capture.

Asks tshark for malformed frames, bad MPA CRCs, RPC replies without their call, and RPCs that are not dissected
down to NFS; prints a line for each fault. Exit status: 0 none, 1 some, 2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import entry
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.wellformed import judge


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("capture", type=Path)
    options = parser.parse_args(arguments)
    try:
        verdict = judge(options.capture)
    except CaptureError as error:
        print(f"check_capture: {error}", file=sys.stderr)
        return 2
    for fault in verdict.faults:
        print(fault)
    if verdict.exempted:
        print(f"malformed by a limit of tshark (READ reply, odd Write chunk): frames {list(verdict.exempted)}")
    if verdict.repeated:
        print(f"retransmitted though already there: frames {list(verdict.repeated)}")
    print(f"{verdict.operations} RPCs, {verdict.good_crcs} good MPA CRCs, {len(verdict.faults)} faults")
    return 1 if verdict.faults else 0


if __name__ == "__main__":
    entry.run(main)
