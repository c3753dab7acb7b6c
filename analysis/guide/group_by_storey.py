#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Doxygen's filter: what a header declares belongs to the group of its storey, the folder below model/ or helper/."""

from __future__ import annotations

import sys
from pathlib import Path


def group(path: Path, text: str) -> str:
    """The text with the namespace's contents in a group; lines keep their numbers."""
    parts = path.resolve().relative_to(Path(__file__).resolve().parents[2]).parts
    storey = parts[1] if parts[0] == "model" else "helper"
    # A namespace before it only announces classes.
    before, opening, declared = text.rpartition("\nnamespace ns3::nfsrdma\n{\n")
    inside, closing, after = declared.rpartition("\n} // namespace ns3::nfsrdma\n")
    if not opening or not closing:
        return text
    group_begins = f"{opening.rstrip()} /** \\addtogroup {storey} */ /** @{{ */\n"
    return before + group_begins + inside + "\n/** @} */ } // namespace ns3::nfsrdma\n" + after


if __name__ == "__main__":
    file = Path(sys.argv[1])
    sys.stdout.write(group(file, file.read_text(encoding="utf-8")))
