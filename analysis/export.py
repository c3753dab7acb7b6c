#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print results of a run in the format of another program.

  fio            as "fio --output-format=json+" prints them, a job for each workload of kind fio
  rdma           the counters of the RNICs as "rdma -j statistic show link" prints them
  openmetrics    counters, utilisation and latencies as OpenMetrics text

The clients' mountstats.txt is in the format of Linux's already. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

import entry
from nfsrdma.errors import ScenarioError
from nfsrdma.export import FORMATS
from nfsrdma.results import PartialResults, Run, load
from nfsrdma_figures.results import ResultsError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    parser.add_argument("format", choices=sorted(FORMATS), metavar="FORMAT", help=", ".join(sorted(FORMATS)))
    options = parser.parse_args(arguments)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PartialResults)
            results = load(options.results)
        if results.partial:
            print(f"export: {options.results}: {results.partial}", file=sys.stderr)
        if not isinstance(results, Run):
            raise ScenarioError(f"{options.results}: is a sweep; its runs are in points/")
        sys.stdout.write(FORMATS[options.format](results))
    except (ScenarioError, ResultsError) as error:
        print(f"export: {error}", file=sys.stderr)
        return 2
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        # A table lacks a column or a number.
        print(f"export: {options.results}: damaged ({' '.join(str(error).split())})", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    entry.run(main)
