#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Digests of every file that every scenario writes, compared with those on record.

Each scenario runs at a reduced size (REDUCED below), and a captured workload of each NFS version that was
captured is replayed. The record, test/data/results.sha256, has a line for each file, as sha256sum writes it:
digest, two spaces, scenario/file. It changes only in a commit that says which lines and why. It is of ns-3 3.37: what
another release of ns-3 does differently would show, too.

Exit status: 0 all files are equal; 1 some differ, are missing, or are new, and are listed; 2 unusable input; 77 the
simulator was built with another release of ns-3, for which there is no record.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "test" / "data" / "results.sha256"
SCENARIOS = ROOT / "scenarios"
CAPTURES = ("linux-6.1-nfs-v3-mtu1500", "linux-6.1-nfs-v4.1-mtu1500")
NS3_RELEASE = "3.37"
OTHER_RELEASE = 77
MOST_SHOWN = 40

# What a scenario leaves out here, as options of the simulator; a sweep runs with one seed.
REDUCED = {
    "bond-failover": ["workload.requests=300", "sweep.host.bond_miimon=1ms, 10ms"],
    "cancelled-rpcs": ["workload.requests=60"],
    "cancelled-share": ["workload.requests=60", "sweep.adversary storm.every=800us,"],
    "churn-attackers": ["workload.requests=40", "sweep.adversary churn.hosts=client-0,"],
    "connection-churn": ["workload.requests=100"],
    "connection-limit": ["workload.requests=100"],
    "connection-loss": ["workload.requests=100"],
    "crc-corruption": ["workload.operations=150"],
    "credit-policies": ["sweep.cluster.clients=4,", "workload busy.runtime=500us", "workload quiet.runtime=500us"],
    "credit-sensitivity": ["workload.duration=1ms", "sweep.rpcrdma.server_credits=8, 64"],
    "credits": ["workload.duration=500us", "sweep.rpcrdma.server_credits=2, 64"],
    "credits-exhausted": ["workload.requests=100"],
    "drip-feed-attackers": ["sweep.adversary drip.hosts=client-0,"],
    "fault-cost": ["workload.requests=60", "sweep.nfs.version=4.1,"],
    "fio-randrw": ["workload.runtime=1ms"],
    "framing-cost": ["workload.operations=20"],
    "greedy-client": ["workload.duration=300ms", "measure.warm_up=50ms", "measure.duration=200ms"],
    "guessed-stags": ["workload.requests=20"],
    "ai-training": ["measure.duration=1ms"],
    "header-size-estimation": ["workload.requests=10"],
    "home-directories": ["measure.duration=1ms"],
    "hpc-checkpoint": ["cluster.clients=4"],
    "host-bound": ["workload.duration=500us", "sweep.host.server_cores=2, 16"],
    "incast": ["workload.requests=4"],
    "inline-policies": ["workload.operations=100", "sweep.cluster.clients=2,"],
    "inline-threshold": ["workload.operations=100", "sweep.rpcrdma.inline_threshold=1KiB, 4KiB, 64KiB"],
    "lacp-timeout": ["workload.requests=300"],
    "ipsec-cost": ["workload.operations=20"],
    "tls-cost": ["workload.operations=60"],
    "large-cluster": ["cluster.clients=32", "workload.operations=10"],
    "link-flap": ["workload.operations=300"],
    "mail": ["measure.duration=1ms"],
    "oltp": ["measure.duration=1ms"],
    "pause": ["workload.requests=4"],
    "software-build": ["measure.duration=1ms"],
    "shared-tree": ["measure.duration=120ms", "sweep.cluster.clients=3,"],
    "vdi": ["measure.duration=1ms"],
    "linux-kernels": ["workload.requests=200", "sweep.workload.iodepth=32, 160"],
    "loss": ["workload.requests=10", "sweep.middlebox.drop=0.001, 0.03"],
    "mixed-population": ["workload oltp.runtime=1ms", "workload operations.operations=50", "workload lists.requests=30"],
    "mtu-black-hole": ["workload.operations=300"],
    "chunk-checks": ["workload.requests=50"],
    "on-path": ["workload.requests=100"],
    "partition-heal": ["workload.operations=300"],
    "private-data-mimicry": ["workload.operations=60"],
    "pull-up": ["workload.operations=60"],
    "reassembly-memory": ["workload.operations=8", "sweep.cluster.clients=4,", "sweep.middlebox.drop=0.001, 0.01"],
    "registration-exhaustion": ["workload.requests=150"],
    "registration-policies": ["workload.operations=40", "sweep.workload.io_sizes=4096:1, 262144:1"],
    "rdma-against-tcp": ["workload.operations=60", "sweep.workload.io_sizes=4096:1, 262144:1"],
    "registration-strategies": ["workload.operations=30", "sweep.workload.io_sizes=4096:1, 262144:1"],
    "remote-invalidation": ["workload.operations=40", "sweep.workload.io_sizes=16384:1,"],
    "reply-chunk-overrun": ["workload files.requests=80"],
    "slow-requesters": ["workload troubled.duration=2ms", "workload others.duration=2ms"],
    "krb5-cost": ["workload.operations=100"],
    "reply-mechanism": ["workload.operations=100", "sweep.workload.large_directory_fraction=0.1, 1"],
    "reply-size-estimation": ["workload.requests=30"],
    "rogue-responder": ["workload.requests=20"],
    "send-queue-exhaustion": ["workload.requests=150"],
    "server-crash": ["workload.requests=24"],
    "two-subnets": ["workload.requests=300"],
    "unread-replies": ["workload.requests=100"],
}


class Unusable(Exception):
    """One line that says what cannot be run."""


def run(command: list, allowed: set[int]) -> str:
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Unusable(f"{command[0]}: {error.strerror}") from error
    if done.returncode not in allowed:
        raise Unusable(f"{' '.join(map(str, command))}: exit status {done.returncode}: "
                       f"{(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def is_of_record(simulator: Path) -> bool:
    return f"(ns-3 {NS3_RELEASE})" in run([simulator, "--version"], {0})


def has_sweep(scenario: Path) -> bool:
    return any(line.strip() == "[sweep]" for line in scenario.read_text(encoding="utf-8").splitlines())


def run_scenario(simulator: Path, scenario: Path, out: Path) -> None:
    command = [simulator, "run", scenario, "--out", out, "--jobs", "1"]
    if has_sweep(scenario):
        command += ["--runs", "1"]
    for setting in REDUCED.get(scenario.stem, []):
        command += ["--set", setting]
    # A scenario about an attack may end in 1 or 3: that is among what it writes.
    run(command, {0, 1, 3})


def replay(simulator: Path, name: str, out: Path) -> None:
    capture = ROOT / "test" / "data" / f"{name}.pcap.gz"
    run([sys.executable, ROOT / "analysis" / "trace_from_pcap.py", capture, "--out", out / name], {0})
    trace = out / f"{name}.trace.csv"
    clients = sum(line.startswith("# client=") for line in trace.read_text(encoding="utf-8").splitlines())
    nodes = ",".join(f"client-{index}" for index in range(clients))
    run([simulator, "run", "linux-replay", "--out", out, "--pcap", nodes, "--set",
         f"cluster.clients={clients}", "--set", "workload.kind=replay", "--set", f"workload.trace={out / name}"], {0})


def digests(directory: Path, name: str, hidden: str) -> dict[str, str]:
    """Digest of each file by its name; where a file says in what directory it was written, that is left out."""
    found = {}
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        octets = path.read_bytes().replace(hidden.encode(), b"")
        found[f"{name}/{path.relative_to(directory)}"] = hashlib.sha256(octets).hexdigest()
    return found


def measure(simulator: Path, names: list[str], jobs: int) -> dict[str, str]:
    """Digests of all files of the scenarios and replays of these names."""

    def one(name: str) -> dict[str, str]:
        with tempfile.TemporaryDirectory() as scratch:
            out = Path(scratch) / name
            if name.startswith("replay-"):
                replay(simulator, name.removeprefix("replay-"), out)
            else:
                run_scenario(simulator, next(SCENARIOS.glob(f"**/{name}.ini")), out)
            return digests(out, name, scratch + "/")

    found: dict[str, str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(one, names):
            found.update(part)
    return found


def all_names() -> list[str]:
    scenarios = [path.stem for path in SCENARIOS.glob("**/*.ini") if not {"profiles", "validation"} & set(path.parts)]
    unknown = sorted(set(REDUCED) - set(scenarios))
    if unknown:
        raise Unusable(f"{Path(__file__).name}: no such scenario: {', '.join(unknown)}")
    return sorted(scenarios) + [f"replay-{name}" for name in CAPTURES]


def chosen(only: list[str] | None, part: str) -> list[str]:
    names = all_names()
    for name in only or []:
        if name not in names:
            raise Unusable(f"--only {name}: no such scenario; known are {', '.join(names)}")
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", part)
    if match is None or int(match[1]) > int(match[2]):
        raise Unusable(f"--part {part}: expected I/N, such as 1/2")
    return (only or names)[int(match[1]) - 1::int(match[2])]


def read_record() -> dict[str, str]:
    record = {}
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        record[name] = digest
    return record


def differences(record: dict[str, str], found: dict[str, str]) -> list[str]:
    lines = [f"missing: {name}" for name in sorted(record.keys() - found.keys())]
    lines += [f"new: {name}" for name in sorted(found.keys() - record.keys())]
    lines += [f"differs: {name}" for name in sorted(record.keys() & found.keys()) if record[name] != found[name]]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", type=Path, help="nfsrdma-sim of a release build")
    parser.add_argument("--only", action="append", metavar="SCENARIO", help="this scenario; may be given several times")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (default: 2)")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th scenario from the I-th")
    parser.add_argument("--update", action="store_true", help="write the digests to the record instead")
    arguments = parser.parse_args()
    try:
        if not is_of_record(arguments.simulator):
            print(f"{arguments.simulator}: not built with ns-3 {NS3_RELEASE}, which the record is of")
            return OTHER_RELEASE
        names = chosen(arguments.only, arguments.part)
        found = measure(arguments.simulator, names, arguments.jobs)
    except Unusable as reason:
        print(reason, file=sys.stderr)
        return 2
    record = read_record() if RECORD.exists() else {}
    of_these = {name: digest for name, digest in record.items() if name.split("/")[0] in names}
    if arguments.update:
        record = {name: digest for name, digest in record.items()
                  if name not in of_these and name.split("/")[0] in all_names()} | found
        RECORD.write_text("".join(f"{record[name]}  {name}\n" for name in sorted(record)), encoding="utf-8")
        print(f"{len(found)} files of {len(names)} scenarios recorded")
        return 0
    lines = differences(of_these, found)
    for line in lines[:MOST_SHOWN]:
        print(line)
    if len(lines) > MOST_SHOWN:
        print(f"and {len(lines) - MOST_SHOWN} more")
    print(f"{len(found)} files of {len(names)} scenarios: {'equal' if not lines else f'{len(lines)} differ'}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
