#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw the figures of a results directory, as PNG and PDF into it.

Which figures is said by manifest.json: "replay" draws latency and forms from rpc.csv; "sweep" and
every other name ("reassembly-memory", "credits", ...) draw a figure of that name from sweep.csv. NAME.txt is the caption
of NAME.png: samples, seeds, window, command and digest. Prints the paths, and what the swept key is shown to do to each
metric. The same results give the same files. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

from functools import partial

import entry
from nfsrdma_figures import program
from nfsrdma_figures.asked import draw


def main(arguments: list[str] | None = None) -> int:
    return program.run("figures", __doc__, partial(draw, tell=print), arguments)


if __name__ == "__main__":
    entry.run(main)
