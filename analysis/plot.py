#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw a kind of figure from results on disk: KIND.png, KIND.pdf and KIND.txt, the caption, into their directory.

Of any results:
  auto                the figures that the scenario asks for, as "run" draws them
Of a sweep:
  lines               metrics against x=KEY; series=KEY, panel=KEY and row=KEY tell the other keys apart
  latency-throughput  metric=M against throughput=COLUMN, points by the load x=KEY, the knee marked
  heat                metrics over two keys, x=KEY and series=KEY
  fairness            Jain's index and the max-min share of the clients of each workload
Of a run:
  cdf, tail           latencies, as F or 1 - F; series=operation, form, client, workload or all; operation=NAME alone.
                      Of a sweep too, over its seeds: series=KEY, KEY=VALUE; pooled=yes takes all runs as one sample. By
                      operation, workload or all from histograms.csv where there is no rpc.csv
  fairness            rates of the clients of each workload
  stack               where the time of RPCs went, by operation and form
  utilisation         how busy links, engines, buses, cores, threads and locks were
  time                rate and latency against time, phases shaded, events marked

Keys that are named nowhere are placed by themselves; KEY=VALUE keeps the runs with that value alone. metric=M names a
column of sweep.csv, or WORKLOAD:ITEM:COLUMN of workloads.csv, and may be repeated. with=DIR adds other results to
cdf and tail, by the name of their directory. Percentiles are drawn where ten samples lie beyond them.
Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import entry
from nfsrdma_figures import program
from nfsrdma_figures.plotting import plot


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    parser.add_argument("kind", metavar="KIND")
    parser.add_argument("words", nargs="*", metavar="WORD")
    options = parser.parse_args(arguments)
    return program.report("plot", lambda: plot(options.results, options.kind, options.words))


if __name__ == "__main__":
    entry.run(main)
