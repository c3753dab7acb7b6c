#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Measure what a run costs as the cluster grows: events and processor time for each RPC, and peak memory.

Runs scenarios/clusters/fat-tree.ini with more and more clients, and a server in the last pod for every 16 of them, so that
six links are between a client and its server in every size; writes scale.csv, scale.png and scale.pdf to DIR and prints
their paths. All sizes make about the same number of RPCs. The times are those of this machine, medians of --runs runs that take turns,
and include the start of the program and the setup of the files. Exit status: 0 done; 1 a run failed; 2 unusable input.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import entry
import pandas as pd
from nfsrdma_figures import scale, style
from nfsrdma_method.place import ROOT, SIMULATOR

SCENARIO = ROOT / "scenarios" / "clusters" / "fat-tree.ini"
CLIENTS_PER_SERVER = 16
#: A pod of the scenario's network has room for 81 servers.
MOST_CLIENTS = 81 * CLIENTS_PER_SERVER


#: A small process that runs a command and prints its processor time and peak memory. A process begins with the peak memory
#: of the one that it was forked from, and this program's is larger than a simulation's.
_LAUNCHER = """
import os, sys
child = os.fork()
if child == 0:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class ScaleError(Exception):
    """A run that failed; the text is one line."""


@dataclass(frozen=True)
class Cost:
    """What one run took."""

    rpcs: int
    events: int
    cpu_s: float
    peak_memory_mb: float


def read_sizes(text: str) -> list[int]:
    try:
        sizes = [int(word) for word in text.split(",")]
    except ValueError:
        sizes = []
    if not sizes or sorted(set(sizes)) != sizes or sizes[0] < 1 or sizes[-1] > MOST_CLIENTS:
        raise argparse.ArgumentTypeError(f"got '{text}', expected rising numbers from 1 to {MOST_CLIENTS}, separated by commas")
    return sizes


def read_count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got '{text}', expected a number of at least 1")
    return int(text)


def servers_of(clients: int) -> int:
    return -(-clients // CLIENTS_PER_SERVER)


def measure(simulator: Path, clients: int, rpcs: int, scratch: Path) -> Cost:
    out = scratch / str(clients)
    keys = {
        "cluster.clients": clients,
        "cluster.servers": servers_of(clients),
        "topology.servers_at": "apart",
        "workload.operations": -(-rpcs // clients),
    }
    words = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    command = [sys.executable, "-ISc", _LAUNCHER, simulator, "run", SCENARIO, *words, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or [""])[-1]
        raise ScaleError(f"{clients} clients: exit status {done.returncode}: {said}")
    cpu_s, peak_kib = done.stdout.split()
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return Cost(summary["rpcs"], summary["events"], float(cpu_s), int(peak_kib) * 1024 / 1e6)


def tabulate(sizes: list[int], costs: dict[int, list[Cost]]) -> pd.DataFrame:
    """A row for each number of clients. Memory for each further client is that since the row above."""
    rows = []
    for clients in sizes:
        runs = costs[clients]
        cpu = statistics.median(run.cpu_s for run in runs)
        memory = statistics.median(run.peak_memory_mb for run in runs)
        further = ""
        if rows:
            further = f"{(memory - rows[-1]['peak_memory_mb']) / (clients - rows[-1]['clients']):.2f}"
        rows.append({
            "clients": clients,
            "servers": servers_of(clients),
            "rpcs": runs[0].rpcs,
            "events_per_rpc": round(runs[0].events / runs[0].rpcs, 1),
            "cpu_s": round(cpu, 2),
            "cpu_per_rpc_us": round(cpu / runs[0].rpcs * 1e6),
            "peak_memory_mb": round(memory),
            "memory_per_further_client_mb": further,
        })  # fmt: skip
    return pd.DataFrame(rows)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=read_sizes, default=[2, 4, 16, 64, 256, 1024], metavar="N,...",
                        help="numbers of clients (default: 2,4,16,64,256,1024)")  # fmt: skip
    parser.add_argument("--rpcs", type=read_count, default=40960, metavar="N", help="RPCs of a run (default: 40960)")
    parser.add_argument("--runs", type=read_count, default=3, metavar="N", help="runs of each (default: 3)")
    parser.add_argument("--out", type=Path, default=Path("results/scale"), metavar="DIR", help="default: results/scale")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    costs: dict[int, list[Cost]] = {clients: [] for clients in options.clients}
    try:
        if not options.simulator.is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(options.simulator))
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as scratch:
            for turn in range(options.runs):
                for clients in options.clients:
                    place = Path(scratch) / str(turn)
                    costs[clients].append(measure(options.simulator, clients, options.rpcs, place))
        table = tabulate(options.clients, costs)
        table.to_csv(options.out / "scale.csv", index=False)
        paths = [options.out / "scale.csv", *style.save(scale.draw(table), options.out, "scale")]
    except ScaleError as error:
        print(f"scale: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"scale: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    entry.run(main)
