#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the jobs of a sweep for a batch system, and submit them.

The shards of the sweep become a job array of Slurm, or jobs of GNU parallel; a job that depends on them merges their
results, which are those of the sweep run in one piece. The same command again submits only the shards that have not
finished. Exit status: 0 written or submitted, with GNU parallel that of the merge; 2 unusable input.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import entry
from nfsrdma_method import submission
from nfsrdma_method.place import SIMULATOR
from nfsrdma_method.resolved import MethodError

OPTIONS = ("--set", "--seed", "--runs")


class _Pair(argparse.Action):
    """Keeps options in the order in which they were given."""

    def __call__(self, parser, namespace, value, option=None):
        namespace.options = [*namespace.options, option, value]


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    options = parse(words)
    name = Path(options.scenario).stem
    out = options.out or Path("results") / name
    try:
        if not out.name:
            raise MethodError(f"--out: got {str(out)!r}, expected a directory with a name")
        request = submission.Request(
            scenario=options.scenario,
            options=options.options,
            jobs=options.folder or out.with_name(f"{out.name}-jobs"),
            out=out,
            shards=options.shards,
            cpus=options.cpus,
            time=options.time,
            memory=options.mem,
            retries=options.retries,
            simulator=options.simulator.resolve(),
        )
        return submit(request, make_batch(options), options.run, options.fresh, words)
    except MethodError as error:
        print(f"submit: {error}", file=sys.stderr)
    except OSError as error:
        print(f"submit: {error.filename}: {error.strerror}", file=sys.stderr)
    return 2


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="submit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("scenario", metavar="SCENARIO")
    system = parser.add_mutually_exclusive_group(required=True)
    system.add_argument("--slurm", action="store_true", help="a job array and a job that depends on it")
    system.add_argument("--parallel", action="store_true", help="GNU parallel, on this machine or on those of --hosts")
    parser.add_argument("--shards", type=int, metavar="N", help="parts of the sweep (default: a run each, up to 16)")
    parser.add_argument("--cpus", type=int, default=1, metavar="N", help="cores of a shard (default: 1)")
    parser.add_argument("--time", default="", metavar="T", help="limit of a shard: minutes, HH:MM:SS or DAYS-HH:MM:SS")
    parser.add_argument("--mem", default="", metavar="M", help="memory of a shard: 900M, 4G")
    parser.add_argument("--retries", type=int, default=0, metavar="N", help="submit what has not finished again, up to N times")
    parser.add_argument("--run", action="store_true", help="submit the jobs, and do not only write them")
    parser.add_argument("--fresh", action="store_true", help="discard the shards that are there")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the merged results (default: results/SCENARIO)")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="scripts, shards and logs (default: DIR of --out with -jobs)")
    parser.add_argument("--sbatch", action="append", default=[], metavar="OPTION", help="Slurm: an option of sbatch, --sbatch=--partition=long")
    parser.add_argument("--at-once", type=int, metavar="N", help="GNU parallel: shards at a time on each machine")
    parser.add_argument("--hosts", type=Path, metavar="FILE", help="GNU parallel: machines, as its --sshloginfile takes them")
    for option in OPTIONS:
        parser.add_argument(option, action=_Pair, dest="options", default=[], metavar="VALUE", help="as of nfsrdma-sim")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    return parser.parse_args(words)


def make_batch(options: argparse.Namespace) -> submission.Batch:
    if options.slurm:
        if options.at_once is not None or options.hosts is not None:
            raise MethodError("--at-once and --hosts are for --parallel")
        return submission.Slurm(options.sbatch, os.environ.get("SLURM_JOB_ID", ""))
    if options.sbatch:
        raise MethodError("--sbatch is for --slurm")
    return submission.Parallel(options.at_once, options.hosts)


def submit(request: submission.Request, batch: submission.Batch, runs: bool, fresh: bool, words: list[str]) -> int:
    if runs:
        batch.require()
    batch.refuse_running(request.jobs)
    state = submission.look(request, fresh)
    if fresh:
        submission.discard(request.jobs)
    scripts = submission.write(request, state, batch, say_again(request, words))
    report(state)
    if runs:
        sys.stdout.flush()
        return subprocess.run([scripts[-1].resolve()], check=False).returncode
    print("written")
    for script in scripts:
        print(f"    {script}")
    print(f"submit with {scripts[-1]}, or with --run")
    return 0


def say_again(request: submission.Request, words: list[str]) -> list[str]:
    """The command that submits what is left, with one retry less."""
    kept = [word for word in words if word not in ("--fresh", "--run")]
    program = ["/usr/bin/python3", str(Path(__file__).resolve())]
    return [*program, *kept, "--retries", str(request.retries - 1), "--run"]


def report(state: submission.State) -> None:
    finished = len(state.shards) - len(state.unfinished)
    done = sum(shard.done for shard in state.shards)
    print(f"{state.scenario}: {state.runs} runs in {len(state.shards)} shards; done: {done} runs, {finished} shards")
    for shard in state.shards:
        for failure in shard.failed:
            print(f"shard {shard.index}: run {failure}")


if __name__ == "__main__":
    entry.run(main)
