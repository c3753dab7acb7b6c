#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The kept results of scenarios/validation against a real run of all experiments: validation.py SIMULATOR [--jobs N].

Exit status: 0 equal; 1 a number is another, and a line says which. When that is meant, ./start validate makes what has to be
kept: RESULTS.md, results.csv, points.csv and validation.png of results/validation.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "scenarios" / "validation"


def read(path: Path) -> dict[str, dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return {line["experiment"]: line for line in csv.DictReader(file)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", type=Path)
    parser.add_argument("--jobs", default="1")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "validation"
        command = [sys.executable, ROOT / "analysis" / "validate.py", "--simulator", options.simulator, "--jobs", options.jobs, "--out", out]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            print(done.stderr or done.stdout)
            return 1
        found, kept = read(out / "results.csv"), read(KEPT / "results.csv")
        same = (out / "RESULTS.md").read_bytes() == (KEPT / "RESULTS.md").read_bytes()
    wrong = [f"{name}: kept {kept.get(name)}, found {line}" for name, line in found.items() if kept.get(name) != line]
    wrong += [f"{name}: kept, and not found" for name in kept if name not in found]
    if not same and not wrong:
        wrong.append("RESULTS.md: is another, though the numbers are the same")
    for line in wrong:
        print(line)
    print(f"{len(found)} experiments: {f'{len(wrong)} differ' if wrong else 'equal'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
