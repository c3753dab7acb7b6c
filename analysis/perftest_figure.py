#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw the tables that send-lat, write-lat, read-lat, send-bw, write-bw and read-bw wrote with --csv.

Takes every *.csv of the directory, draws perftest.png and perftest.pdf into it and prints their paths. The same
tables give the same files. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nfsrdma_figures import perftest, style
from nfsrdma_figures.results import ResultsError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    options = parser.parse_args(arguments)
    try:
        runs = perftest.read_runs(options.results)
        paths = style.save(perftest.draw_perftest(runs), options.results, "perftest")
    except ResultsError as error:
        print(f"perftest_figure: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"perftest_figure: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
