#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Run a scenario and pack what another needs to get the same results: one archive for a paper.

It holds the scenario and every file that it reads, the options, the commit and version, the exit status, and SHA-256 of
each file of the results. The run sees nothing but what is packed. Exit status: 0 packed; 2 unusable input; 3 the run
did not come to its end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import entry
from nfsrdma_method import packing
from nfsrdma_method.archive import OPTIONS
from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError


class _Pair(argparse.Action):
    """Keeps options in the order in which they were given."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.options = [*namespace.options, [option, value]]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", metavar="SCENARIO")
    for option in OPTIONS:
        parser.add_argument(option, action=_Pair, dest="options", default=[], metavar="VALUE", help="as of nfsrdma-sim")
    parser.add_argument("--jobs", type=int, metavar="N", help="runs at a time")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: results/SCENARIO.artifact.tar.gz")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    out = options.out or Path("results") / f"{Path(options.scenario).stem}.artifact.tar.gz"
    try:
        artifact = packing.pack(options.scenario, options.options, out, options.simulator, options.jobs)
    except (MethodError, RunError) as error:
        print(f"artifact: {error}", file=sys.stderr)
        return 3 if isinstance(error, RunError) else 2
    except OSError as error:
        print(f"artifact: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"scenario        {artifact.scenario}, and {len(artifact.files) - 1} files that it reads")
    print(f"command         nfsrdma-sim run {artifact.scenario} {' '.join(artifact.command)}".rstrip())
    print(f"commit          {artifact.commit or 'unknown'}; {artifact.version}")
    print(f"results         {len(artifact.results)} files, exit status {artifact.status}, digest {artifact.digest}")
    print(f"written\n    {out}")
    return 0


if __name__ == "__main__":
    entry.run(main)
