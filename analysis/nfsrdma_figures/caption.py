# SPDX-License-Identifier: GPL-2.0-only
"""The caption file of a figure: what it shows, of how many samples, and how to make it again."""

from __future__ import annotations

import json
from pathlib import Path

from .results import Manifest, ResultsError, read_header, read_object, read_table

#: Runs that a caption names.
_MOST_NAMED = 10


def write_caption(manifest: Manifest, shows: str, samples: str, notes: list[str], command: str) -> str:
    """shows says what is drawn, with its interval; samples n of it; command draws it again from the results."""
    seeds = manifest.seeds
    lines = [
        f"{manifest.name}: {shows}",
        f"n: {samples}",
        f"Seeds: {tell_numbers(seeds)}",
        f"Window: {tell_window(manifest)}",
        *([f"Not complete: {manifest.partial}"] if manifest.partial else []),
        *([f"Steady state: {steady}"] if (steady := tell_steady(manifest)) else []),
        *notes,
        f"Data: {manifest.command}",
        f"Figure: {command}",
        f"Digest of the results: {manifest.digest}",
    ]
    return "\n".join(lines) + "\n"


def tell_numbers(numbers: list[int]) -> str:
    """1 to 5 of consecutive numbers; else all of them."""
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"{ordered[0]} to {ordered[-1]}"
    return ", ".join(map(str, ordered))


def tell_window(manifest: Manifest) -> str:
    """What was measured of a run, from its summary; of a sweep, of its first run."""
    path = manifest.directory / "summary.json"
    if manifest.is_sweep:
        path = next(iter(sorted((manifest.directory / "points").glob("*/summary.json"))), path)
    if not path.exists():
        return "not told by the results"
    window = read_window(path)
    text = f"{window[0]:.9g} s to {window[1]:.9g} s of simulated time"
    return text + (f" in {path.parent.name}; each run has its own, in its summary.json" if manifest.is_sweep else "")


def tell_steady(manifest: Manifest) -> str:
    """In how many runs there was no steady state; empty when the results do not say."""
    if manifest.is_sweep:
        path = manifest.directory / "sweep.csv"
        if "steady" not in read_header(path):
            return ""
        rows = read_table(path, ["point", "seed", "steady"], ("point", "steady"), {"steady": "[01]?"}, may_be_empty=True)
        verdicts = [(f"{row.point}-s{row.seed}", row.steady) for row in rows.itertuples()]
    else:
        path = manifest.directory / "summary.json"
        window = read_object(path).get("window") if path.exists() else None
        state = window.get("steady_state") if isinstance(window, dict) else None
        if not isinstance(state, dict):
            return ""
        verdicts = [(manifest.name, {True: "1", False: "0"}.get(state.get("steady"), ""))]
    looked = [(name, verdict) for name, verdict in verdicts if verdict]
    if not looked:
        return "not looked for"
    without = [name for name, verdict in looked if verdict == "0"]
    if not without:
        return f"found in all {len(looked)} runs that looked for it" if manifest.is_sweep else "found"
    if not manifest.is_sweep:
        return "none"
    more = f" and {len(without) - _MOST_NAMED} more" if len(without) > _MOST_NAMED else ""
    return f"none in {len(without)} of {len(looked)} runs ({', '.join(without[:_MOST_NAMED])}{more})"


def read_window(path: Path) -> tuple[float, float]:
    """Begin and end of the time measured, in seconds."""
    window = read_object(path).get("window")
    ends = [window.get(name) if isinstance(window, dict) else None for name in ("begins_s", "ends_s")]
    if not all(isinstance(end, (int, float)) for end in ends):
        raise ResultsError(f"{path}: window: got {json.dumps(window)[:40]}, expected begins_s and ends_s")
    return ends[0], ends[1]
