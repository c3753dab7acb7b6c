#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Every scenario over either TCP, the device's own and ns-3's, or either IP, IPv4 and IPv6: both end alike.

Each scenario runs at the size that witness.py has for it. "tcp": with rnic.tcp = offload and = ns3 at all hosts, and,
where it has no RNICs of its own, with one at the servers and the other at the clients; not scenarios of NFS over TCP, which
is that of the hosts. "ip": with topology.ip = ipv4
and = ipv6. Exit status and what is verified of each run must be the same as over the other: whatever carries the
messages, no octet is lost or changed, and nothing is left over. What a guess of an adversary hits is not compared,
but that one did.

Exit status: 0 they end alike; 1 some do not, and are listed; 2 unusable input.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import witness

KINDS = {
    "offload": [("rnic.tcp", "offload")],
    "ns3": [("rnic.tcp", "ns3")],
    "mixed": [("rnic.tcp", "ns3"), ("rnic either.hosts", "servers"), ("rnic either.tcp", "offload")],
    "ipv4": [("topology.ip", "ipv4")],
    "ipv6": [("topology.ip", "ipv6")],
}

# Of scenarios that are compared over both IPs: no link of IPv6 is narrower than 1280 octets (RFC 8200 section 5).
OVER_EITHER_IP = {
    "mtu-black-hole": [
        "faults.black-hole=at 5ms on client-0: mtu 1280 for 1s silently",
        "faults.narrow=at 5ms on client-1: mtu 1280 for 1s",
    ]
}


def has_hit(summary: dict) -> bool:
    """Whether octets of an adversary came into memory: what lay there, a file's octets or nothing, is chance.

    Of on-path, which transfers are altered is drawn for each. Of guessed-stags, whose STag of all memory is guessed: over IPv4 one
    of the Writes placed meets a file, over IPv6 none does, as frames of another length come at other times.
    """
    roles = summary.get("adversaries", {}).get("roles", [])
    deeds = {deed for role in roles for deed, times in role.get("broken", {}).items() if times > 0}
    return any(deed.split()[0] in ("placed", "altered", "injected") for deed in deeds)


def run(simulator: Path, name: str, kind: str) -> str:
    """How the run ended: exit status, mismatches and what was left over of all its runs."""
    scenario = next(witness.SCENARIOS.glob(f"**/{name}.ini"))
    with tempfile.TemporaryDirectory() as out:
        command = [simulator, "run", scenario, "--out", Path(out) / name, "--jobs", "1"]
        if witness.has_sweep(scenario):
            command += ["--runs", "1"]
        settings = witness.REDUCED.get(name, []) + ["=".join(pair) for pair in KINDS[kind]]
        if kind in ("ipv4", "ipv6"):
            settings += OVER_EITHER_IP.get(name, [])
        for setting in settings:
            command += ["--set", setting]
        try:
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        except OSError as error:
            raise witness.Unusable(f"{simulator}: {error.strerror}") from error
        if done.returncode not in (0, 1, 3):
            raise witness.Unusable(f"{name} ({kind}): exit status {done.returncode}: {done.stderr.strip()[-200:]}")
        ends = []
        hit = False
        for path in sorted(Path(out).rglob("summary.json")):
            summary = json.loads(path.read_text(encoding="utf-8"))
            left_over = sorted(k for k, v in summary["leftovers"].items() if v)
            if has_hit(summary):
                hit = True
                ends.append(f"hit/{left_over}")
                continue
            checked = [part.get("mismatches", 0) for part in summary["verification"].values() if isinstance(part, dict)]
            ends.append(f"{summary['exit_status']}/{checked}/{left_over}")
        return " ".join(["hit" if hit else str(done.returncode), *ends])


def is_over_tcp_alone(name: str) -> bool:
    text = next(witness.SCENARIOS.glob(f"**/{name}.ini")).read_text(encoding="utf-8")
    return re.search(r"^transport = tcp *(#.*)?$", text, re.MULTILINE) is not None


def kinds_of(what: str, name: str) -> list[str]:
    """The kinds to run it over, the one that others must be like first."""
    if what == "ip":
        return ["ipv4", "ipv6"]
    text = next(witness.SCENARIOS.glob(f"**/{name}.ini")).read_text(encoding="utf-8")
    return ["ns3", "offload"] + ([] if "[rnic " in text else ["mixed"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tcp", "ip"), help="what to exchange")
    parser.add_argument("simulator", type=Path, help="nfsrdma-sim")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at a time (default: 2)")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every N-th scenario from the I-th")
    arguments = parser.parse_args()
    try:
        names = [name for name in witness.chosen(None, arguments.part)
                 if not name.startswith("replay-") and not (arguments.what == "tcp" and is_over_tcp_alone(name))]
        cases = [(name, kind) for name in names for kind in kinds_of(arguments.what, name)]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            ended = dict(zip(cases, pool.map(lambda case: run(arguments.simulator, *case), cases)))
    except witness.Unusable as reason:
        print(reason, file=sys.stderr)
        return 2
    like = kinds_of(arguments.what, names[0])[0]
    wrong = [(name, kind) for name, kind in cases if ended[name, kind] != ended[name, like]]
    for name, kind in wrong:
        print(f"{name}: {kind} ends with {ended[name, kind]}, {like} with {ended[name, like]}")
    print(f"{len(cases)} runs of {len(names)} scenarios: {f'{len(wrong)} end otherwise' if wrong else 'all end alike'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
