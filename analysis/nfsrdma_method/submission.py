# SPDX-License-Identifier: GPL-2.0-only
"""A sweep as jobs of a batch system: scripts that run its shards and merge them, and which shards are left to do.

The folder of the jobs, DIR, has shards.sh, which runs the shard whose index it is given; merge.sh; submit.sh, which hands
both to the batch system; the directories of the shards, DIR/shard-I-of-N; and what the jobs print, in DIR/log. All that
is known of a shard is asked of the simulator, which goes on with a shard that was interrupted.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .place import COMMAND, ROOT, SIMULATOR
from .resolved import MethodError, call, last_line

#: As the simulator allows.
MOST_SHARDS = 100_000
#: The forms in which sbatch takes a time limit, with the unit of each number in seconds.
_TIMES = (
    (r"(\d+)", (60,)),
    (r"(\d+):(\d+)", (60, 1)),
    (r"(\d+):(\d+):(\d+)", (3600, 60, 1)),
    (r"(\d+)-(\d+)", (86400, 3600)),
    (r"(\d+)-(\d+):(\d+)", (86400, 3600, 60)),
    (r"(\d+)-(\d+):(\d+):(\d+)", (86400, 3600, 60, 1)),
)
_SHARD = re.compile(r"shard-(\d+)-of-(\d+)")
#: In the folder of the jobs: the identifiers that sbatch gave, one in a line.
IDENTIFIERS = "slurm-jobs"


@dataclass(frozen=True)
class Request:
    """What to submit.

    scenario and options are words of the simulator's command line. jobs is the folder of the jobs, out the directory of
    the merged results. shards: None for those that are there, or as many as the sweep has runs, up to 16. cpus: runs of a
    shard at a time. time and memory are as sbatch takes them, "" for the batch system's own limits.
    """

    scenario: str
    options: Sequence[str]
    jobs: Path
    out: Path
    shards: int | None = None
    cpus: int = 1
    time: str = ""
    memory: str = ""
    retries: int = 0
    simulator: Path = SIMULATOR

    def __post_init__(self):
        if self.shards is not None and not 2 <= self.shards <= MOST_SHARDS:
            raise MethodError(f"--shards: got {self.shards}, expected a number from 2 to {MOST_SHARDS}")
        if not 1 <= self.cpus <= 1024:
            raise MethodError(f"--cpus: got {self.cpus}, expected a number from 1 to 1024")
        if not 0 <= self.retries <= 100:
            raise MethodError(f"--retries: got {self.retries}, expected a number from 0 to 100")
        if self.time:
            seconds_of(self.time)
        if self.memory and not re.fullmatch(r"[1-9]\d*[KMGT]?", self.memory):
            raise MethodError(f"--mem: got {self.memory!r}, expected a size as 900M or 4G")


@dataclass
class Shard:
    """How far one shard has come; failed has "run: reason" of the runs that ended without results."""

    index: int
    runs: int = 0
    done: int = 0
    failed: list[str] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        return self.done == self.runs


@dataclass
class State:
    """The sweep and its shards, all of them."""

    scenario: str
    runs: int
    shards: list[Shard]

    @property
    def unfinished(self) -> list[int]:
        return [shard.index for shard in self.shards if not shard.is_finished]


def seconds_of(text: str) -> int:
    """A time limit in seconds."""
    for form, units in _TIMES:
        if match := re.fullmatch(form, text):
            seconds = sum(int(number) * unit for number, unit in zip(match.groups(), units))
            if seconds > 0:
                return seconds
    raise MethodError(f"--time: got {text!r}, expected minutes, HH:MM:SS or DAYS-HH:MM:SS, more than 0")


def look(request: Request, fresh: bool = False) -> State:
    """Asks the simulator how far the shards are; fresh: those that are there do not count.

    MethodError when they are of another sweep, build or number.
    """
    found = [] if fresh else _find_shards(request.jobs)
    counts = sorted({count for _, count in found})
    if len(counts) > 1 or (counts and request.shards not in (None, counts[0])):
        there = " and of ".join(map(str, counts))
        raise MethodError(f"{request.jobs}: has shards of {there}; --shards {counts[0]} goes on with those, --fresh discards all")
    count = counts[0] if counts else request.shards
    # Of a sweep whose runs are not counted yet any number of shards tells them.
    first = _ask(request, 1, count or 2, fresh)
    total = first["sweep_runs"]
    if total < 2:
        raise MethodError(f"{request.scenario}: a sweep of one run has no shards: {COMMAND} run does it")
    count = count or min(total, 16)
    if count > total:
        raise MethodError(f"--shards: got {count}, expected at most {total}, the runs of {first['scenario']}")
    shards = []
    for index in range(1, count + 1):
        if (index, count) in found:
            told = _ask(request, index, count)
            failed = [f"{run['run']}: {run['reason']}" for run in told["failed"]]
            shards.append(Shard(index, told["runs"], told["done"], failed))
        else:
            shards.append(Shard(index, len(range(index - 1, total, count))))
    return State(first["scenario"], total, shards)


def discard(jobs: Path) -> None:
    """Removes the shards that are there."""
    for index, count in _find_shards(jobs):
        shutil.rmtree(jobs / _name(index, count))


def _find_shards(jobs: Path) -> list[tuple[int, int]]:
    names = (_SHARD.fullmatch(path.name) for path in jobs.glob("shard-*-of-*") if path.is_dir())
    return sorted((int(match[1]), int(match[2])) for match in names if match)


def _name(index: int | str, count: int) -> str:
    return f"shard-{index}-of-{count}"


def _ask(request: Request, index: int, count: int, fresh: bool = False) -> dict:
    words = [request.simulator, "run", request.scenario, *request.options, "--status", *["--fresh"] * fresh]
    done = call([*words, "--shard", f"{index}/{count}", "--out", request.jobs / _name(index, count)])
    if done.returncode != 0:
        raise MethodError(last_line(done))
    return json.loads(done.stdout)


class Batch:
    """A batch system; its directives stand at the head of both scripts."""

    program = ""

    def directives(self, request: Request, state: State, log: str) -> list[str]:
        raise NotImplementedError

    def submission(self, request: Request, state: State) -> list[str]:
        """The lines of submit.sh."""
        raise NotImplementedError

    def refuse_running(self, jobs: Path) -> None:
        """MethodError while jobs that were submitted before have not ended."""

    def require(self) -> None:
        """MethodError when the batch system is not there."""
        if shutil.which(self.program) is None:
            raise MethodError(f"{self.program}: not found; without --run the scripts are written and not submitted")


class Slurm(Batch):
    """A job array, and a job that merges when the array has ended, in whatever way."""

    program = "sbatch"

    def __init__(self, options: Sequence[str] = (), own: str = ""):
        """options are those of sbatch, for both jobs; own is the job that asks, which may be in the queue."""
        self._options = options
        self._own = own

    def directives(self, request: Request, state: State, log: str) -> list[str]:
        words = [f"--job-name={state.scenario}", f"--output={request.jobs.resolve()}/log/{log}", "--open-mode=append"]
        if log.startswith("shard"):
            words += ["--requeue", f"--cpus-per-task={request.cpus}"]
            words += [f"--time={request.time}"] * bool(request.time) + [f"--mem={request.memory}"] * bool(request.memory)
        return [f"#SBATCH {shlex.quote(word)}" for word in [*words, *self._options]]

    def submission(self, request: Request, state: State) -> list[str]:
        merge, shards, identifiers = (_quote(request.jobs.resolve() / name) for name in ("merge.sh", "shards.sh", IDENTIFIERS))
        if not state.unfinished:
            return [
                f"merge=$(sbatch --parsable {merge})",
                f'echo "${{merge%%;*}}" > {identifiers}',
                'echo "submitted the merge as job ${merge%%;*}"',
            ]
        return [
            f"array=$(sbatch --parsable --array={ranges(state.unfinished)} {shards})",
            f'echo "${{array%%;*}}" > {identifiers}',
            f'merge=$(sbatch --parsable --dependency=afterany:"${{array%%;*}}" {merge})',
            f'echo "${{merge%%;*}}" >> {identifiers}',
            'echo "submitted the shards as job array ${array%%;*}, and the merge as job ${merge%%;*}"',
        ]

    def refuse_running(self, jobs: Path) -> None:
        try:
            identifiers = (jobs / IDENTIFIERS).read_text(encoding="ascii").split()
        except OSError:
            return
        for identifier in identifiers:
            if identifier != self._own and _is_queued(identifier):
                raise MethodError(f"job {identifier} has not ended; wait for it, or scancel {identifier}")


class Parallel(Batch):
    """GNU parallel, on this machine or on those of a file of its --sshloginfile."""

    program = "parallel"

    def __init__(self, at_once: int | None = None, hosts: Path | None = None):
        """at_once: shards at a time on each machine; None: as many as it has cores for."""
        if at_once is not None and at_once < 1:
            raise MethodError(f"--at-once: got {at_once}, expected a number of at least 1")
        if hosts is not None and not hosts.is_file():
            raise MethodError(f"--hosts: {hosts}: no such file")
        self._at_once = at_once
        self._hosts = hosts

    def directives(self, request: Request, state: State, log: str) -> list[str]:
        return []

    def submission(self, request: Request, state: State) -> list[str]:
        merge = f"exec {_quote(request.jobs.resolve() / 'merge.sh')}"
        if not state.unfinished:
            return [merge]
        # A share of the cores, which parallel counts on each machine.
        words = ["parallel", "--jobs", str(self._at_once) if self._at_once else f"{max(1, 100 // request.cpus)}%"]
        words += ["--joblog", str(request.jobs / "log" / "parallel.txt")]
        words += ["--timeout", str(seconds_of(request.time))] if request.time else []
        words += ["--memfree", request.memory] if request.memory else []
        words += ["--sshloginfile", str(self._hosts.resolve()), "--workdir", str(Path.cwd())] if self._hosts else []
        shards = request.jobs.resolve() / "shards.sh"
        log = request.jobs.resolve() / "log"
        command = f"{_quote(shards)} {{}} >> {_quote(log)}/shard-{{}}.txt 2>&1"
        indices = " ".join(map(str, state.unfinished))
        # A shard that fails does not keep the others from being merged: merge.sh says what is missing.
        return [f"{shlex.join(words)} {shlex.quote(command)} ::: {indices} || true", merge]


def _is_queued(identifier: str) -> bool:
    done = subprocess.run(["squeue", "--noheader", "--states=PENDING,RUNNING,SUSPENDED", "--jobs", identifier], capture_output=True, text=True, check=False)
    return done.returncode == 0 and bool(done.stdout.strip())


def ranges(numbers: Sequence[int]) -> str:
    """1,2,3,7 as 1-3,7."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def write(request: Request, state: State, batch: Batch, again: Sequence[str]) -> list[Path]:
    """Writes the scripts; returns their paths.

    again: the words of the command that submits what is left, with which merge.sh begins while there are retries and something is left.
    """
    count = len(state.shards)
    (request.jobs / "log").mkdir(parents=True, exist_ok=True)
    shard = [
        'index=${1:-${SLURM_ARRAY_TASK_ID:?"usage: shards.sh INDEX"}}',
        "exec "
        + shlex.join([str(request.simulator), "run", request.scenario, *request.options, "--jobs", str(request.cpus), "--progress", "60s"])
        + f' --shard "$index/{count}" --out {_quote(request.jobs)}/{_name(chr(34) + "$index" + chr(34), count)}',
    ]
    if request.retries > 0 and state.unfinished:
        merge = [f"exec {shlex.join(again)}"]
    else:
        # Those that are there: the simulator names the others.
        folders = f"{_quote(request.jobs)}/{_name('*', count)}"
        merge = [
            "status=0",
            f"{shlex.quote(str(request.simulator))} merge {folders} --out {_quote(request.out)} || status=$?",
            # Runs that failed or got stuck are in the tables, too.
            '((status == 0 || status == 1 || status == 3)) || exit "$status"',
            f"/usr/bin/python3 {_quote(ROOT / 'analysis' / 'figures.py')} {_quote(request.out)} || status=$?",
            'exit "$status"',
        ]
    return [
        _write_script(request.jobs / "shards.sh", batch.directives(request, state, "shard-%a.txt"), shard),
        _write_script(request.jobs / "merge.sh", batch.directives(request, state, "merge.txt"), merge),
        _write_script(request.jobs / "submit.sh", [], batch.submission(request, state)),
    ]


def _quote(path: Path) -> str:
    return shlex.quote(str(path))


def _write_script(path: Path, directives: Sequence[str], lines: Sequence[str]) -> Path:
    """In the place of an earlier one, which may be running: a shell reads its script as it goes."""
    text = "\n".join(["#!/bin/bash", *directives, "set -euo pipefail", f"cd {_quote(Path.cwd())}", *lines, ""])
    written = path.with_suffix(".new")
    written.write_text(text, encoding="utf-8")
    written.chmod(0o755)
    written.replace(path)
    return path
