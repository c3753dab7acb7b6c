# SPDX-License-Identifier: GPL-2.0-only
"""Runs the simulator as a process, and says how far a sweep has come."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from nfsrdma_method.place import SIMULATOR
from nfsrdma_method.resolved import MethodError, find_scenario

from .errors import NfsRdmaError, NotVerified, ScenarioError, Stalled
from .results import Run, Sweep, load

#: What the exit status of the simulator means, other than 0.
STATUS = {1: NotVerified, 2: ScenarioError, 3: Stalled}
#: Seconds between two looks at a sweep.
INTERVAL = 0.5
UNFINISHED = "unfinished.json"

Progress = Callable[[int, int], None]


def show_progress(done: int, total: int) -> None:
    """One line on the standard error, which the next one replaces."""
    print(f"\r{done} of {total} runs", end="\n" if done == total else "", file=sys.stderr, flush=True)


def run(
    scenario: str | Path,
    settings: Mapping[str, object] | None = None,
    *,
    seeds: int = 1,
    seed: int | None = None,
    captures: str | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = show_progress,
) -> Run | Sweep:
    """Runs a scenario with keys set above what its file says.

    settings: values by section.key, as text with units ("4KiB") or as numbers and truth values. seeds: runs with as many
    seeds, counted up from seed (cluster.seed). captures: hosts to capture at, as "client-0,server-0" or "all". out:
    directory of the results (default: results/SCENARIO). jobs: runs at a time (default: all cores). progress is called
    with the runs that are done and all of them, when there are several; None: no progress.

    Returns a Run, or a Sweep when the scenario is one or there are several seeds. Raises ScenarioError, NotVerified or
    Stalled with the simulator's own line.
    """
    try:
        file = find_scenario(str(scenario))
    except MethodError as error:
        raise ScenarioError(str(error)) from None
    directory = Path(out) if out is not None else Path("results") / file.stem
    command = [str(SIMULATOR), "run", str(file), "--out", str(directory)]
    for key, value in (settings or {}).items():
        command += ["--set", f"{key}={as_text(value)}"]
    for option, value in (("--seed", seed), ("--pcap", captures), ("--jobs", jobs)):
        if value is not None:
            command += [option, str(value)]
    if seeds != 1:
        command += ["--runs", str(seeds)]
    _carry_out(command, directory, progress)
    return load(directory)


def sweep(
    scenario: str | Path,
    keys: Mapping[str, Iterable[object]],
    settings: Mapping[str, object] | None = None,
    *,
    seeds: int = 1,
    **options: object,
) -> Sweep:
    """Runs a scenario at every combination of the values of some keys; options are those of run()."""
    lists = {}
    for key, values in keys.items():
        texts = [as_text(value) for value in values]
        if not texts:
            raise ScenarioError(f"{key}: no values to sweep over")
        # A list with semicolons may have commas in its values.
        separator = "; " if any("," in text for text in texts) else ", "
        lists[f"sweep.{key}"] = separator.join(texts)
    return run(scenario, {**(settings or {}), **lists}, seeds=seeds, **options)


def as_text(value: object) -> str:
    """A value as scenario files have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _carry_out(command: list[str], directory: Path, progress: Progress | None) -> None:
    if not SIMULATOR.exists():
        raise NfsRdmaError(f"{SIMULATOR}: no simulator is there")
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors) as process:
            total = 0
            try:
                while True:
                    try:
                        status = process.wait(INTERVAL)
                        break
                    except subprocess.TimeoutExpired:
                        total = total or _count_runs(directory)
                        if progress is not None and total > 1:
                            progress(min(_count_done(directory), total - 1), total)
            except BaseException:
                process.terminate()
                raise
        errors.seek(0)
        lines = errors.read().strip().splitlines()
    if progress is not None and total > 1:
        progress(total, total)
    if status != 0:
        line = lines[-1].removeprefix("nfsrdma-sim: ") if lines else f"{command[0]}: exit status {status}"
        raise STATUS.get(status, NfsRdmaError)(line)


def _count_runs(directory: Path) -> int:
    """Of a sweep that is under way; 0 while it is not known, and for one run."""
    try:
        return len(json.loads((directory / UNFINISHED).read_text(encoding="utf-8"))["runs"])
    except (OSError, ValueError, KeyError):
        return 0


def _count_done(directory: Path) -> int:
    return sum(1 for _ in (directory / "points").glob("*/manifest.json"))
