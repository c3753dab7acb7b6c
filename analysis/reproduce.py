#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Run what an archive of "artifact" holds, and compare digests of all that it writes.

An archive from elsewhere is safe to give: nothing is written outside a temporary directory, its size is bounded, and
its scenario can read no file but its own. Exit status: 0 everything is the same; 1 something differs; 2 unusable
archive; 3 the run did not come to its end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import entry
from nfsrdma_method import packing
from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path, metavar="ARCHIVE")
    parser.add_argument("--jobs", type=int, metavar="N", help="runs at a time")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        artifact, outcome = packing.reproduce(options.archive, options.simulator, options.jobs)
        commit, version = packing.commit(), packing.version(options.simulator)
    except (MethodError, RunError) as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return 3 if isinstance(error, RunError) else 2
    except OSError as error:
        print(f"reproduce: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    differences = packing.compare(artifact, outcome)
    print(f"command         nfsrdma-sim run {artifact.scenario} {' '.join(artifact.command)}".rstrip())
    if (commit, version) != (artifact.commit, artifact.version):
        print(f"packed with     {artifact.commit or 'unknown'}; {artifact.version}")
        print(f"run with        {commit or 'unknown'}; {version}")
    print(f"digest          {outcome.digest}")
    print(f"compared        {len(artifact.results)} files: {len(differences)} differences")
    for line in differences:
        print(f"    {line}")
    return 1 if differences else 0


if __name__ == "__main__":
    entry.run(main)
