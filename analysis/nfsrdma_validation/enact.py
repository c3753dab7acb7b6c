# SPDX-License-Identifier: GPL-2.0-only
"""Runs of experiments, each in a directory of its own; what is there from an earlier time is taken."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shutil
import statistics
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError, call, last_line

from .experiment import PROFILES, Experiment, Run
from .expression import ExpressionError
from .ini import Place, Section, read, refuse

#: Sections whose keys a system gives as a profile, so that a scenario need not use all of them.
AS_PROFILE = ("rnic", "host", "rpcrdma", "storage")
#: A whole run that left its results; 1 says that a verification failed.
STATUSES = (0,)


@dataclass
class Text:
    """What a run reads, line by line, and where each line is from."""

    lines: list[str]
    places: list[Place | None]

    def add(self, line: str, place: Place | None = None) -> None:
        self.lines.append(line)
        self.places.append(place)

    @property
    def octets(self) -> str:
        return "\n".join(self.lines) + "\n"


class Enactor:
    """Runs experiments with the simulator, and programs beside it, under directory."""

    def __init__(self, directory: Path, simulator: Path = SIMULATOR) -> None:
        self._directory = directory
        self._simulator = simulator
        self._keys: dict[Path, str] = {}
        #: Two experiments may have the same run.
        self._guard = threading.Lock()
        self._locks: dict[Path, threading.Lock] = {}

    def prepare(self, experiments: Sequence[Experiment], jobs: int, values: Mapping[str, str] | None = None) -> None:
        """Makes all runs, so many at a time."""
        work = [(experiment, run) for experiment in experiments for run in experiment.runs]
        with ThreadPoolExecutor(jobs) as pool:
            for _ in pool.map(lambda item: self.run(item[0], item[1], values), work):
                pass

    def check(self, experiments: Sequence[Experiment]) -> None:
        """MethodError where the simulator refuses a scenario; nothing is run."""
        with tempfile.TemporaryDirectory() as scratch:
            for experiment in experiments:
                for run in (run for run in experiment.runs if not run.program):
                    files = self._files(experiment, run, {})
                    _write(Path(scratch), files)
                    done = call([self._simulator, "run", "scenario.ini", "--print-config"], Path(scratch))
                    if done.returncode != 0:
                        raise MethodError(_trace(last_line(done), files))

    def evaluate(self, experiment: Experiment, values: Mapping[str, str] | None = None) -> list[float]:
        """The numbers of the metric; values stand for keys of the system."""
        directories = {run.name: self.run(experiment, run, values) for run in experiment.runs}
        kinds = {run.name: run for run in experiment.runs}

        def look_up(name: str) -> float:
            run, _, path = name.partition(".")
            return _look_up(directories[run], kinds[run], path)

        try:
            return experiment.metric.evaluate(look_up)
        except ExpressionError as error:
            entry = read(experiment.path)[0].entries["metric"]
            raise refuse(entry.place, "metric", error.got, error.expected) from error

    def run(self, experiment: Experiment, run: Run, values: Mapping[str, str] | None = None) -> Path:
        files = self._files(experiment, run, values or {})
        program = self._simulator.parent / run.program if run.program else self._simulator
        parts = [self._key_of(program), *run.options, *(f"{name}\n{text.octets}" for name, text in files.items())]
        directory = self._directory / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
        with self._guard:
            lock = self._locks.setdefault(directory, threading.Lock())
        with lock:
            return self._run_in(directory, files, experiment, run)

    def _run_in(self, directory: Path, files: Mapping[str, Text], experiment: Experiment, run: Run) -> Path:
        if (directory / "done").is_file():
            return directory
        program = self._simulator.parent / run.program if run.program else self._simulator
        shutil.rmtree(directory, ignore_errors=True)
        _write(directory, files)
        if run.program:
            command = [program, *run.options, "--profile", "profile.ini", "--csv", "table.csv"]
            if run.program.endswith("-lat"):
                command += ["--stages", "stages.csv"]
        else:
            command = [program, "run", "scenario.ini", "--out", "results"]
        done = call(command, directory)
        if done.returncode == 2:
            raise MethodError(f"{_trace(last_line(done), files)} (run {run.name} of {experiment.path})")
        if done.returncode not in STATUSES:
            raise RunError(f"{experiment.path}: run {run.name}: exit status {done.returncode}: {last_line(done)}")
        for heavy in ("results/rpc.csv", "results/timeline.csv"):
            (directory / heavy).unlink(missing_ok=True)
        (directory / "done").write_text("")
        return directory

    def _key_of(self, program: Path) -> str:
        if program not in self._keys:
            try:
                self._keys[program] = hashlib.sha256(program.read_bytes()).hexdigest()
            except OSError as error:
                raise MethodError(f"{program}: {error.strerror}; ./start build makes it") from error
        return self._keys[program]

    def _files(self, experiment: Experiment, run: Run, values: Mapping[str, str]) -> dict[str, Text]:
        system = [_with_values(section, values) for section in experiment.system.sections]
        if run.program:
            text = _profile("rnic", system, experiment.scenario, run)
            host = _profile("host", system, experiment.scenario, run)
            return {"profile.ini": Text(text.lines + host.lines, text.places + host.places)}
        files: dict[str, Text] = {}
        text = Text([], [])
        merged = {section.name: dict(section.entries) for section in experiment.scenario}
        for key, entry in run.settings.items():
            name, _, leaf = key.rpartition(".")
            merged.setdefault(name, {})[leaf] = entry
        for section in system:
            name = section.name
            if name in AS_PROFILE:
                if "profile" not in merged.get(name, {}):
                    files[f"profiles/{name}/{experiment.system.name}.ini"] = _profile(name, system, [], None)
                    entry = next(iter(section.entries.values()))
                    merged.setdefault(name, {})["profile"] = type(entry)(experiment.system.name, entry.place)
            else:
                merged[name] = {**section.entries, **merged.get(name, {})}
        for name, entries in merged.items():
            text.add(f"[{name}]")
            for key, entry in entries.items():
                if entry.value:
                    text.add(f"{key} = {entry.value}", entry.place)
        files["scenario.ini"] = text
        return files


def _with_values(section: Section, values: Mapping[str, str]) -> Section:
    """The section with other values; # in those that no key names."""
    entries = dict(section.entries)
    for key, value in values.items():
        name, _, leaf = key.rpartition(".")
        if name == section.name and leaf in entries:
            entries[leaf] = type(entries[leaf])(value, entries[leaf].place)
    return Section(section.name, section.place, entries)


def _profile(kind: str, system: list[Section], scenario: list[Section], run: Run | None) -> Text:
    """All keys of a section in one file: of the profile it names, of the system, of the scenario and of the run."""
    entries = {}
    for sections in (system, scenario):
        for section in sections:
            if section.name == kind:
                entries |= section.entries
    if run is not None:
        entries |= {key.removeprefix(f"{kind}."): entry for key, entry in run.settings.items() if key.startswith(f"{kind}.")}
    base = entries.pop("profile", None) if kind in AS_PROFILE else None
    if base is not None:
        path = PROFILES / kind / f"{base.value}.ini"
        if not path.is_file():
            raise refuse(base.place, f"{kind}.profile", base.value, f"the name of a file in {PROFILES / kind}")
        entries = {**read(path)[0].entries, **entries}
    text = Text([], [])
    text.add(f"[{kind}]")
    for key, entry in entries.items():
        text.add(f"{key} = {entry.value}", entry.place)
    return text


def _write(directory: Path, files: Mapping[str, Text]) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text.octets, encoding="utf-8")


def _trace(message: str, files: Mapping[str, Text]) -> str:
    """The simulator's line about one of files, with the place that its line is from."""
    match = re.match(r"(?:[\w-]+: )?(\S+\.ini):(\d+): (.*)", message)
    if match:
        for name, text in files.items():
            line = int(match[2]) - 1
            if name.endswith(Path(match[1]).name) and line < len(text.places) and text.places[line]:
                return f"{text.places[line]}: {match[3]}"
    return message


def _look_up(directory: Path, run: Run, path: str) -> float:
    if run.program:
        return _look_up_stage(directory, path) if path.startswith("stages.") else _look_up_column(directory, path)
    first, _, rest = path.partition(".")
    if first == "counters":
        return _count(directory / "results" / "counters.csv", rest)
    if first == "peak":
        return _read_peak(directory / "results" / "utilisation.csv", rest)
    if first == "mean":
        return _read_mean(directory / "results" / "utilisation.csv", rest)
    if first == "lock":
        return _read_lock(directory / "results" / "lockstat.csv", rest)
    with open(directory / "results" / "summary.json", encoding="utf-8") as file:
        found = json.load(file)
    for name in path.split("."):
        choices = _choices(found)
        if name not in choices:
            shown = ", ".join(sorted(choices)[:40]) or "nothing"
            raise ExpressionError(f"{run.name}.{path}", f"after a dot one of {shown}")
        found = choices[name]
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        raise ExpressionError(f"{run.name}.{path}", "the path of a number of summary.json" + (
            f", which go on with {', '.join(sorted(_choices(found))[:40])}" if _choices(found) else "; it has none here"))
    return float(found)


def _choices(found) -> dict:
    """What may follow in a path: names; of a list what its entries are named by."""
    if isinstance(found, dict):
        return found
    if isinstance(found, list):
        return {str(next(iter(entry.values()))).replace("-", "_"): entry for entry in found if isinstance(entry, dict) and entry}
    return {}


def _read_table(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _look_up_column(directory: Path, name: str) -> float:
    row = _read_table(directory / "table.csv")[-1]
    numbers = {key: value for key, value in row.items() if re.fullmatch(r"[\d.]+", value)}
    if name not in numbers:
        raise ExpressionError(name, f"a column: {', '.join(numbers)}, or stages.STAGE.p50 of a latency program")
    return float(numbers[name])


def _look_up_stage(directory: Path, path: str) -> float:
    """stages.STAGE.p50, .p999 or .mean of the work requests of the client, in ns."""
    match = re.fullmatch(r"stages\.(\w+)\.(p50|p999|mean)", path)
    table = _read_table(directory / "stages.csv") if (directory / "stages.csv").is_file() else []
    rows = [row for row in table if row["side"] == "client" and row["kind"] != "RECV"]
    if match is None or not rows or match[1] not in rows[0]:
        known = list(rows[0])[6:] if rows else []
        raise ExpressionError(path, f"stages.STAGE.p50, p999 or mean, of a latency program; stages are {', '.join(known)}")
    values = sorted(float(row[match[1]]) for row in rows)
    if match[2] == "mean":
        return statistics.fmean(values)
    return values[min(len(values) - 1, int(len(values) * (0.5 if match[2] == "p50" else 0.999)))]


def _count(path: Path, name: str) -> float:
    """counters.HOST.NAME, or counters.NAME of all hosts; with _ for a dash in a host's name."""
    rows = _read_table(path) if path.is_file() else []
    host, _, leaf = name.rpartition(".")
    chosen = [row for row in rows if row["counter"] == leaf and (not host or row["host"].replace("-", "_") == host)]
    if not chosen:
        raise ExpressionError(f"counters.{name}", "counters.HOST.NAME or counters.NAME, as counters.csv has them")
    return sum(float(row["value"]) for row in chosen)


def _read_peak(path: Path, name: str) -> float:
    """peak.HOST.RESOURCE: the most that was in use at once, as utilisation.csv has it; with _ for dashes and spaces."""
    for row in _read_table(path):
        if f"{row['host']}.{row['resource']}".replace("-", "_").replace(" ", "_") == name and row["peak_number"]:
            return float(row["peak_number"])
    raise ExpressionError(f"peak.{name}", "peak.HOST.RESOURCE, of a row of utilisation.csv that has one")


def _read_mean(path: Path, name: str) -> float:
    """mean.HOST.RESOURCE: how many were in use, as utilisation.csv has it; with _ for dashes and spaces."""
    for row in _read_table(path):
        if f"{row['host']}.{row['resource']}".replace("-", "_").replace(" ", "_") == name:
            return float(row["mean_number"])
    raise ExpressionError(f"mean.{name}", "mean.HOST.RESOURCE, of a row of utilisation.csv")


def _read_lock(path: Path, name: str) -> float:
    """lock.HOST.CLASS.COLUMN, as lockstat.csv has it, times in seconds; with _ for dashes in a host's name."""
    host, _, rest = name.partition(".")
    lock, _, leaf = rest.partition(".")
    table = _read_table(path) if path.is_file() else []
    for row in table:
        if row["host"].replace("-", "_") == host and row["class"] == lock:
            if f"{leaf}_ns" in row:
                return float(row[f"{leaf}_ns"]) / 1e9
            if leaf in ("acquisitions", "contentions"):
                return float(row[leaf])
    known = sorted({row["class"] for row in table})
    expected = "lock.HOST.CLASS.COLUMN, a column of lockstat.csv: acquisitions, contentions, waittime_total, waittime_max, holdtime_total"
    raise ExpressionError(f"lock.{name}", f"{expected}; classes are {', '.join(known) or 'none, as no lock is held for any time'}")


def find_experiments(folder: Path) -> list[Path]:
    """The files of a folder that are experiments, by name."""
    return sorted(path for path in folder.glob("*.ini"))


def remove_unused(out: Path, fresh: bool) -> None:
    """After a refusal: a directory of results that was not there before goes; runs of an earlier time stay."""
    if fresh:
        shutil.rmtree(out, ignore_errors=True)
