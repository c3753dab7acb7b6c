#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Goodput of READs over the device's own TCP and over ns-3's, under the same loss.

A client reads over 25 Gbit/s through a middlebox that loses segments at a rate, with each congestion control, with
several seeds. Where both TCPs do what the RFCs say, the means are within TOLERANCE of each other. Two things of ns-3
3.37 are not, and there the device's own must only not be the slower:

* A repetition that is lost again is found by the retransmission timer alone, a hundred round trips later: ns-3 has
  neither RACK nor tail loss probes (RFC 8985). At a loss of one in a hundred that decides the goodput. For the same
  cause on both sides, losses that never strike a repetition are compared too: one FPDU of so many is dropped.
* TcpCubic has no Reno-friendly region (RFC 9438 section 4.3). The cubic function is of seconds; at round trips of
  microseconds a window that was reduced hardly grows again, which shows from one loss in a thousand on.

TcpDctcp of ns-3 lets a loss reduce the window as marks do, not by half (RFC 8257 section 3.5): that is the faster where
windows limit.

Exit status: 0 as said; 1 not, with a line for each; 2 unusable input.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean

TOLERANCE = 0.10
SEEDS = (1, 2)
SCENARIO = """[cluster]
clients = 1
[link]
rate = 25Gbps
[workload]
kind = fio
readwrite = randread
bs = 256KiB
size = 4MiB
direct = true
iodepth = 4
requests = 100
"""
CONTROLS = ("TcpNewReno", "TcpCubic", "TcpDctcp")
RANDOM = ("0.0001", "0.001", "0.01")
PERIODS = ("500", "100")


def is_equal(control: str, loss: str) -> bool:
    """Whether both TCPs do what the RFCs say."""
    if control == "TcpCubic":
        return loss == "0.0001"
    return loss != "0.01"


def settings(loss: str) -> list[str]:
    if loss in RANDOM:
        return ["middlebox.at=clients", f"middlebox.drop={loss}"]
    return [f"faults.loss=every {loss}th fpdu to client-0: drop"]


def measure(simulator: Path, directory: Path, case: tuple) -> float:
    tcp, control, loss, seed = case
    out = directory / "-".join(map(str, case))
    command = [simulator, "run", directory / "reads.ini", "--out", out]
    for setting in [f"rnic.tcp={tcp}", f"tcp.congestion_control={control}", f"cluster.seed={seed}", *settings(loss)]:
        command += ["--set", setting]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}: {done.stderr.strip()[-200:]}")
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))["goodput_bps"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", type=Path, help="nfsrdma-sim")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (default: 2)")
    arguments = parser.parse_args()
    if not arguments.simulator.exists():
        print(f"{arguments.simulator}: no such program", file=sys.stderr)
        return 2
    pairs = [(control, loss) for control in CONTROLS for loss in RANDOM + PERIODS]
    cases = [(tcp, *pair, seed) for pair in pairs for tcp in ("ns3", "offload") for seed in SEEDS]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        directory = Path(scratch)
        (directory / "reads.ini").write_text(SCENARIO, encoding="utf-8")
        goodput = dict(zip(cases, pool.map(lambda case: measure(arguments.simulator, directory, case), cases)))
    wrong = 0
    for control, loss in pairs:
        ns3, own = (mean(goodput[tcp, control, loss, seed] for seed in SEEDS) for tcp in ("ns3", "offload"))
        ratio = own / ns3
        right = ratio >= 1 - TOLERANCE and (ratio <= 1 + TOLERANCE or not is_equal(control, loss))
        wrong += not right
        print(f"{control:10} {loss:>6}  ns3 {ns3 / 1e9:6.2f}  offload {own / 1e9:6.2f} Gbit/s  {ratio:5.2f}"
              f"{'' if right else '  WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
