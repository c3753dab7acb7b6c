#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw the tables that send-lat, write-lat, read-lat, send-bw, write-bw and read-bw wrote with --csv.

Takes every *.csv of the directory, draws perftest.png and perftest.pdf into it and prints their paths; of tables that
send-lat, write-lat and read-lat wrote with --stages, named PROFILE-PROGRAM.stages, work-stages.png and work-stages.pdf
too: where the time of a work request goes in the RNIC. The same tables give the same files. Exit status: 0 done,
2 unusable input.
"""

from __future__ import annotations

from pathlib import Path

import entry
from nfsrdma_figures import perftest, program, style, work_stages


def draw(directory: Path) -> list[Path]:
    drawn = style.save(perftest.draw_perftest(perftest.read_runs(directory)), directory, "perftest")
    stages = work_stages.read_stages(directory)
    if not stages.empty:
        drawn += style.save(work_stages.draw(stages), directory, "work-stages")
    return drawn


def main(arguments: list[str] | None = None) -> int:
    return program.run("perftest_figure", __doc__, draw, arguments)


if __name__ == "__main__":
    entry.run(main)
