#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw the message-sequence chart of one RPC of a run.

The run has written messages.csv ([output] messages = all, READ, 0x1234, first 20, ...). Prints the chart as
text and writes sequence.txt, sequence.png and sequence.pdf into the results directory. Exit status: 0 done,
2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import entry
from nfsrdma_figures import sequence
from nfsrdma_figures.results import ResultsError


def draw(directory: Path, xid: str | None, operation: str | None, nth: int, name: str = "sequence") -> str:
    """Writes NAME.txt, NAME.png and NAME.pdf; returns the text."""
    chart = sequence.make_chart(sequence.choose(sequence.read_messages(directory), xid, operation, nth))
    sequence.write_chart(chart, directory, name)
    return sequence.draw_text(chart)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    parser.add_argument("--xid", help="of the RPC, as 0x1234")
    parser.add_argument("--operation", help="of the RPC, as READ")
    parser.add_argument("--nth", type=int, default=1, help="the nth of those, as they began (default: 1)")
    parser.add_argument("--name", default="sequence", help="of the files (default: sequence)")
    options = parser.parse_args(arguments)
    try:
        print(draw(options.results, options.xid, options.operation, options.nth, options.name), end="")
    except ResultsError as error:
        print(f"sequence: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"sequence: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    for ending in ("txt", "png", "pdf"):
        print(options.results / f"{options.name}.{ending}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    entry.run(main)
