#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The systems of scenarios/validation against a real calibration of all of them: calibration.py SIMULATOR [--jobs N].

Exit status: 0 equal; 1 a system is another, and lines say where. When that is meant, ./start calibrate makes what has to be
kept: the files of results/calibrate, in scenarios/validation/systems.
"""

from __future__ import annotations

import argparse
import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "scenarios" / "validation" / "systems"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("simulator", type=Path)
    parser.add_argument("--jobs", default="1")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "calibrate"
        command = [sys.executable, ROOT / "analysis" / "calibrate.py", "--simulator", options.simulator, "--jobs", options.jobs, "--out", out]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stderr or done.stdout)
            return 1
        found = {path.name: path.read_text(encoding="utf-8") for path in sorted(out.glob("*.ini"))}
    different = 0
    for name, text in found.items():
        kept = (KEPT / name).read_text(encoding="utf-8")
        different += text != kept
        lines = difflib.unified_diff(kept.splitlines(), text.splitlines(), f"kept {name}", f"found {name}", n=0, lineterm="")
        print("\n".join(lines), end="\n" if text != kept else "")
    print(f"{len(found)} systems: {f'{different} differ' if different else 'equal'}")
    return 1 if different or not found else 0


if __name__ == "__main__":
    sys.exit(main())
