# SPDX-License-Identifier: GPL-2.0-only
"""Where the simulator and its scenarios are, and what a user types to run them."""

from __future__ import annotations

import os
from pathlib import Path

#: The source tree; installed, share/nfsrdma below the prefix.
ROOT = Path(__file__).resolve().parents[2]
_IS_SOURCE = (ROOT / "start").exists()
#: The preset of CMakePresets.json that is used in a source tree.
_PRESET = os.environ.get("NFSRDMA_PRESET") or "release"
SIMULATOR = ROOT / "build" / _PRESET / "bin/nfsrdma-sim" if _IS_SOURCE else ROOT.parents[1] / "bin/nfsrdma-sim"
#: What comes before the name of a command.
COMMAND = "./start" if _IS_SOURCE else "nfsrdma"
