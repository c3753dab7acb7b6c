#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Fit costs of the model on published measurements.

The experiments of role fit (scenarios/validation) name parameters, with where each may lie, and the system whose costs these
are. Least squares bring the model nearest to what is published, system by system. Prints each value, its interval and the rows
that it hangs on, or that it is undetermined; writes SYSTEM.ini, the system's file with these values. Exit status: 0 done;
2 unusable input, nothing is written; 3 a run did not come to its end.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import entry
from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError
from nfsrdma_validation import enact, fit
from nfsrdma_validation.experiment import read_experiment
from nfsrdma_validation.ini import nearest
from nfsrdma_validation.rows import FOLDER, TABLE, read_rows
from validate import count


def run(options: argparse.Namespace) -> tuple[str, list[Path]]:
    rows = read_rows(options.table)
    groups = fit.group([read_experiment(path, rows) for path in enact.find_experiments(options.experiments)])
    if not groups:
        raise MethodError(f"{options.experiments}: no experiment of role fit")
    if options.system:
        if options.system not in groups:
            expected = f"a system that is fitted: {nearest(options.system, groups)}"
            raise MethodError(f"--system: got '{options.system}', expected {expected}")
        groups = {options.system: groups[options.system]}
    if options.profile and len(groups) > 1:
        raise MethodError(f"--profile: is for one system; --system chooses among {', '.join(groups)}")
    enactor = enact.Enactor(options.out / "runs", options.simulator)
    for experiments in groups.values():
        fit.merge(experiments)
        enactor.check(experiments)
    with ThreadPoolExecutor(options.jobs) as pool:
        fits = list(pool.map(lambda experiments: fit.carry_out(experiments, enactor.evaluate), groups.values()))
    text, paths = "", []
    for found in fits:
        path = options.profile or options.out / f"{found.system.name}.ini"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fit.write_profile(found), encoding="utf-8")
        text += fit.write_table(found) + "\n"
        paths.append(path)
    return text, paths


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, default=TABLE, metavar="CSV", help="published rows (default: those of the project)")
    parser.add_argument("--experiments", type=Path, default=FOLDER, metavar="DIR", help="default: scenarios/validation")
    parser.add_argument("--system", default="", metavar="NAME", help="only this one (default: all)")
    parser.add_argument("--profile", type=Path, metavar="OUT.ini", help="default: SYSTEM.ini in the directory of --out")
    parser.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="systems at a time")
    parser.add_argument("--out", type=Path, default=Path("results/calibrate"), metavar="DIR", help="default: results/calibrate")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    options.simulator = options.simulator.resolve()
    fresh = not options.out.exists()
    try:
        text, paths = run(options)
    except (MethodError, RunError) as error:
        print(f"calibrate: {error}", file=sys.stderr)
        if fresh:
            shutil.rmtree(options.out, ignore_errors=True)
        return 3 if isinstance(error, RunError) else 2
    except OSError as error:
        print(f"calibrate: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(text, end="")
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    entry.run(main)
