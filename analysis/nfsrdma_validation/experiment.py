# SPDX-License-Identifier: GPL-2.0-only
"""An experiment: a scenario or programs, the number that they give, and the published one that it is held against.

    [validation]
    row = N66                               # of published.csv; none for a measurement of one's own
    role = predict                          # or fit
    metric = mkdir.latency_us.mean          # of a run: RUN.PATH, a place in summary.json or a column of a program's table, or
                                            # counters.HOST.NAME, peak.HOST.RESOURCE, mean.HOST.RESOURCE and
                                            # lock.HOST.CLASS.COLUMN (times in s) of the tables of a run
    published = N66                         # numbers, or an expression of rows; what the row says, by default
    bound = absolute                        # ratio, absolute, count, shape (with property = rising, flat within 10%, ...)
    system = linux-epyc-rome                 # systems/NAME.ini: costs, which lie under those here
    fits = host.server_call_cost 1us 50us   # role fit: parameters, each with where it may lie
    miss = what mechanism is missing        # of one that is known to be out of its bound
    says_little = why                       # of one that a model would meet without the mechanism, too

    [run mkdir]                             # without such a section there is one run, named run
    workload.operation_mix = mkdir:1        # its difference from the scenario; an empty value takes a key away
    program = read-bw                       # or a program like perftest's
    options = -s 8 -q 32

All other sections are the scenario; of programs there are [rnic] and [host].
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nfsrdma_method.resolved import ROOT, MethodError

from . import bounds
from .expression import Expression, ExpressionError
from .ini import Entry, Place, Section, nearest, read, refuse
from .rows import Row

ROLES = ("fit", "predict")
KEYS = ("row", "what", "role", "metric", "published", "unit", "bound", "property", "system", "fits", "miss", "says_little")
PROGRAMS = ("send-lat", "write-lat", "read-lat", "send-bw", "write-bw", "read-bw")
#: Options of programs that say where to write, or what this says itself.
TAKEN = ("--csv", "--stages", "--profile", "--pcap", "-h", "--help", "-a", "--all")
PROFILES = ROOT / "scenarios" / "profiles"

_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "bps": 1.0, "kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12,
          "B": 1.0, "KiB": 1024.0, "MiB": 2.0**20, "GiB": 2.0**30, "": 1.0}  # fmt: skip
#: In what a value is given to the simulator, by its unit.
_SMALLEST = {"ns": "ns", "us": "ns", "ms": "ns", "s": "ns", "bps": "Mbps", "kbps": "Mbps", "Mbps": "Mbps", "Gbps": "Mbps",
             "Tbps": "Mbps", "B": "B", "KiB": "B", "MiB": "B", "GiB": "B", "": ""}  # fmt: skip


@dataclass(frozen=True)
class Parameter:
    """A key that is fitted, between low and high, in unit."""

    key: str
    low: float
    high: float
    unit: str

    def tell(self, value: float) -> str:
        """As the simulator reads it; whole numbers of the smallest unit."""
        return f"{max(round(value), 0)}{self.unit}"


@dataclass(frozen=True)
class Run:
    name: str
    place: Place
    program: str  #: Empty: the simulator.
    options: tuple[str, ...]
    settings: dict[str, Entry]


@dataclass
class System:
    """Costs of a machine: the sections of systems/NAME.ini."""

    name: str
    path: Path | None = None
    sections: list[Section] = field(default_factory=list)

    def value(self, key: str) -> Entry | None:
        section, _, name = key.rpartition(".")
        return next((one.entries.get(name) for one in self.sections if one.name == section), None)


@dataclass
class Experiment:
    path: Path
    place: Place
    row: Row | None
    what: str
    role: str
    metric: Expression
    published: list[float]
    unit: str
    bound: str
    clauses: list[bounds.Clause]
    property: str
    system: System
    fits: list[Parameter]
    miss: str
    says_little: str
    runs: list[Run]
    scenario: list[Section]
    rows: dict[str, Row]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def label(self) -> str:
        return self.row.id if self.row else self.name

    def look_up_row(self, name: str) -> float | list[float]:
        return self.rows[name].numbers

    def digest(self) -> str:
        """Of all that the experiment says, its system's costs and its published numbers; comments apart."""
        parts = [repr(self.published)]
        for sections in (read(self.path), self.system.sections):
            parts += [f"[{section.name}] {key} = {entry.value}" for section in sections for key, entry in section.entries.items()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def read_system(name: str, folder: Path, at: Place | None = None) -> System:
    path = folder / "systems" / f"{name}.ini"
    if not path.is_file():
        known = sorted(file.stem for file in (folder / "systems").glob("*.ini"))
        expected = nearest(name, known) if known else f"the name of a file in {folder / 'systems'}"
        raise refuse(at, "system", name, expected) if at else MethodError(f"{path}: no such file")
    return System(name, path, read(path))


def read_experiment(path: Path, rows: dict[str, Row]) -> Experiment:
    """MethodError with file, line, key and what was expected."""
    sections = read(path)
    if not sections or sections[0].name != "validation":
        place = sections[0].place if sections else Place(path, 1)
        raise refuse(place, f"[{sections[0].name}]" if sections else "", "", "section [validation] first")
    head = sections[0]
    for key, entry in head.entries.items():
        if key not in KEYS:
            raise refuse(entry.place, key, entry.value, f"a key of [validation]: {nearest(key, KEYS)}")

    def text(key: str, otherwise: str | None = None) -> str:
        if key in head.entries:
            return head.entries[key].value
        if otherwise is None:
            raise MethodError(f"{head.place}: {key}: is missing from [validation]")
        return otherwise

    def place(key: str) -> Place:
        return head.entries[key].place if key in head.entries else head.place

    def choose(key: str, choices: Sequence[str]) -> str:
        if text(key) not in choices:
            raise refuse(place(key), key, text(key), nearest(text(key), choices))
        return text(key)

    row = None
    if "row" in head.entries:
        if text("row") not in rows:
            closest = nearest(text("row"), rows).rpartition("; ")[2]
            raise refuse(place("row"), "row", text("row"), f"the id of a published row; {closest}")
        row = rows[text("row")]
    role, bound = choose("role", ROLES), choose("bound", bounds.KINDS)
    runs = [_read_run(section) for section in sections[1:] if section.name.startswith("run ")]
    runs = runs or [Run("run", head.place, "", (), {})]
    metric = _read_metric(place("metric"), text("metric"), runs)
    published = _read_published(place("published"), text("published", row.id if row else ""), rows)
    system = read_system(text("system"), _folder(path), place("system")) if "system" in head.entries else System("")
    clauses = []
    if (bound == "shape") != ("property" in head.entries):
        raise refuse(place("property"), "property", text("property", ""), f"{bounds.PROPERTY}; with bound = shape alone")
    if bound == "shape":
        try:
            clauses = bounds.read_property(text("property"), len(metric))
            for clause in clauses:
                if clause.limit is not None:
                    clause.limit.evaluate(_rows_of(rows))
        except ValueError as error:
            raise refuse(place("property"), "property", str(error), f"{bounds.PROPERTY}; {len(metric)} numbers") from error
        except ExpressionError as error:
            raise refuse(place("property"), "property", error.got, error.expected) from error
    elif published and len(published) != len(metric):
        raise refuse(place("metric"), "metric", text("metric"), f"as many numbers as are published, {len(published)}")
    fits = _read_fits(place("fits"), text("fits", ""), system)
    if (role == "fit") != bool(fits):
        raise refuse(place("fits"), "fits", text("fits", ""), "KEY LOW HIGH, ... with role = fit, and with no other")
    if fits and (bound == "shape" or not published):
        expected = "ratio, absolute or count, and published numbers, where parameters are fitted"
        raise refuse(place("bound"), "bound", bound, expected)
    scenario = [section for section in sections[1:] if not section.name.startswith("run ")]
    for section in scenario:
        if section.name == "sweep":
            raise refuse(section.place, "[sweep]", "", "a section [run NAME] for each run")
    for run in runs:
        if run.program and any(section.name not in ("rnic", "host") for section in scenario):
            other = next(section for section in scenario if section.name not in ("rnic", "host"))
            raise refuse(other.place, f"[{other.name}]", "", f"[rnic] and [host] alone beside program = {run.program}")
    return Experiment(path, head.place, row, text("what", row.what if row else path.stem), role, metric, published,
                      text("unit", row.unit if row else ""), bound, clauses, text("property", ""), system, fits, text("miss", ""),
                      text("says_little", ""), runs, scenario, rows)  # fmt: skip


def _folder(path: Path) -> Path:
    """Where an experiment's systems are: beside it, or of this project."""
    return path.parent if (path.parent / "systems").is_dir() else ROOT / "scenarios" / "validation"


def _rows_of(rows: dict[str, Row]):
    def look_up(name: str) -> list[float]:
        if name not in rows:
            raise ExpressionError(name, "the id of a published row")
        return rows[name].numbers

    return look_up


def _read_run(section: Section) -> Run:
    name = section.name.removeprefix("run ").strip()
    if not re.fullmatch(r"[a-z]\w*", name):
        raise refuse(section.place, "[run]", name, "a name of lower-case letters, digits and underscores")
    settings = dict(section.entries)
    program = settings.pop("program", None)
    options = settings.pop("options", None)
    if program and program.value not in PROGRAMS:
        raise refuse(program.place, "program", program.value, nearest(program.value, PROGRAMS))
    if options and not program:
        raise refuse(options.place, "options", options.value, "no options, but with a program")
    words = tuple(options.value.split()) if options else ()
    for word in words:
        if word.partition("=")[0] in TAKEN:
            raise refuse(options.place, "options", word, "options that neither name files nor several sizes")
    for key, entry in settings.items():
        if "." not in key or (program and not key.startswith(("rnic.", "host."))):
            expected = "rnic.KEY or host.KEY beside a program" if program else "SECTION.KEY, program or options"
            raise refuse(entry.place, key, entry.value, expected)
    return Run(name, section.place, program.value if program else "", words, settings)


def _read_metric(place: Place, text: str, runs: list[Run]) -> Expression:
    try:
        metric = Expression(text)
    except ExpressionError as error:
        raise refuse(place, "metric", error.got, error.expected) from error
    names = [run.name for run in runs]
    for name in metric.names:
        run, dot, _ = name.partition(".")
        if run not in names or not dot:
            raise refuse(place, "metric", name, f"RUN.PATH, where RUN is {nearest(run, names)}")
    if not metric.names:
        raise refuse(place, "metric", text, "RUN.PATH at least once")
    return metric


def _read_published(place: Place, text: str, rows: dict[str, Row]) -> list[float]:
    if not text:
        return []
    try:
        return Expression(text).evaluate(_rows_of(rows))
    except ExpressionError as error:
        raise refuse(place, "published", error.got, error.expected) from error


def _read_fits(place: Place, text: str, system: System) -> list[Parameter]:
    found = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        words = part.split()
        numbers = [re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z]*)", word) for word in words[1:]]
        if len(words) != 3 or not all(numbers) or any(match[2] not in _UNITS for match in numbers):
            raise refuse(place, "fits", part, "KEY LOW HIGH, such as host.wake_up 500ns 5us")
        unit = _SMALLEST[numbers[1][2]]
        low, high = (float(match[1]) * _UNITS[match[2]] / _UNITS[unit] for match in numbers)
        if not 0 < low < high or _SMALLEST[numbers[0][2]] != unit:
            raise refuse(place, "fits", part, "a range that begins above 0 and ends above where it begins, in like units")
        if system.value(words[0]) is None:
            where = system.path or "system = NAME, whose file"
            raise refuse(place, "fits", words[0], f"a key that {where} has")
        found.append(Parameter(words[0], low, high, unit))
    return found
