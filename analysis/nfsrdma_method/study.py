# SPDX-License-Identifier: GPL-2.0-only
"""A study of sensitivity: a scenario run with its costs elsewhere in their ranges, and what that does to a number."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy
from nfsrdma_figures.paired import measure
from nfsrdma_figures.results import POINTS, Manifest, ResultsError, read_table

from . import screening
from .costs import Cost
from .resolved import MethodError, Resolved, RunError, call, last_line

#: Of the largest mean absolute effect: what has less is not among the few that matter.
MATTERS = 0.1


@dataclass(frozen=True)
class Output:
    """Of one place of the costs: the number, and its 95 % interval over the seeds."""

    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Of a difference, what it says."""
        if self.low > 0:
            return "B is higher"
        return "B is lower" if self.high < 0 else "no difference shown"


@dataclass(frozen=True)
class Plan:
    """sides are the options of the scenario alone, or of A and of B, of which the output is the difference in % of A."""

    scenario: str
    sides: tuple[tuple[str, ...], ...]
    metric: str
    seeds: int
    simulator: Path
    out: Path
    jobs: int
    inputs: str

    @property
    def is_difference(self) -> bool:
        return len(self.sides) == 2


class Runner:
    """Runs places of a study, each once; what is there from an earlier study of the same is taken."""

    def __init__(self, plan: Plan, costs: Sequence[Cost], tell: Callable[[str], None]) -> None:
        self.plan = plan
        self.costs = costs
        self._tell = tell
        self._known: dict[tuple[str, ...], Output] = {}

    def evaluate(self, places: numpy.ndarray) -> numpy.ndarray:
        """The outputs' values at places, whose last axis are shares of the ranges."""
        rows = [self.settings(place) for place in places.reshape(-1, places.shape[-1])]
        missing = [row for row in dict.fromkeys(rows) if row not in self._known]
        with ThreadPoolExecutor(self.plan.jobs) as pool:
            for count, (row, output) in enumerate(zip(missing, pool.map(self._run, missing)), 1):
                self._known[row] = output
                if count % 10 == 0 or count == len(missing):
                    self._tell(f"{count} of {len(missing)}")
        return numpy.array([self._known[row].value for row in rows]).reshape(places.shape[:-1])

    def settings(self, place: Sequence[float]) -> tuple[str, ...]:
        return tuple(f"{cost.key}={cost.at(share)}" for cost, share in zip(self.costs, place))

    def nominal(self) -> Output:
        """With every cost as the scenario has it."""
        row = tuple(f"{cost.key}={cost.value}{cost.unit}" for cost in self.costs)
        self._known.setdefault(row, self._run(row))
        return self._known[row]

    def known(self) -> dict[tuple[str, ...], Output]:
        return self._known

    def _run(self, settings: tuple[str, ...]) -> Output:
        columns = [self._run_side(options, settings) for options in self.plan.sides]
        if not self.plan.is_difference:
            return Output(*_interval(columns[0]))
        a, b = columns
        if a.mean() == 0:
            raise RunError(f"{self.plan.metric} of A is 0: there are no percents of it")
        return Output(*_interval(100 * (b - a) / a.mean()))

    def _run_side(self, options: tuple[str, ...], settings: tuple[str, ...]) -> numpy.ndarray:
        plan = self.plan
        words = [*options, *(word for setting in settings for word in ("--set", setting)), "--runs", str(plan.seeds)]
        name = hashlib.sha256(json.dumps([plan.inputs, plan.scenario, words]).encode()).hexdigest()[:16]
        directory = plan.out / "runs" / name
        if not _is_done(directory):
            done = call([plan.simulator, "run", plan.scenario, *words, "--jobs", 1, "--out", directory])
            if done.returncode == 2:
                raise MethodError(last_line(done))
            if done.returncode not in (0, 1):
                raise RunError(f"{' '.join(settings)}: exit status {done.returncode}: {last_line(done)}")
        table = read_table(directory / "sweep.csv", ["point", "seed", plan.metric], ("point",), POINTS)
        values = table.sort_values("seed")[plan.metric].to_numpy(dtype=float)
        if len(values) != plan.seeds or numpy.isnan(values).any():
            raise RunError(f"{directory}/sweep.csv: {plan.metric}: {plan.seeds} runs that ended and carry it were expected")
        return values


def _interval(values: numpy.ndarray) -> tuple[float, float, float]:
    if len(values) < 2:
        return float(values.mean()), float(values.mean()), float(values.mean())
    return measure(values, "t")[:3]


def _is_done(directory: Path) -> bool:
    try:
        return bool(Manifest(directory).digest) and (directory / "sweep.csv").is_file()
    except ResultsError:
        return False


def require_one_point(resolved: Resolved) -> None:
    for key, values in resolved.swept.items():
        if len(values) > 1:
            raise MethodError(f"{key}: is swept over {len(values)} values; --set {key}=VALUE chooses one")


@dataclass(frozen=True)
class Finding:
    """What screening, and indices for those that matter, say of one cost."""

    cost: Cost
    effect: screening.Effect
    first: screening.Index | None = None
    total: screening.Index | None = None
    flips: int = 0


@dataclass(frozen=True)
class Study:
    """findings are in order of their effect; places has what came out for which costs."""

    plan: Plan
    nominal: Output
    findings: list[Finding]
    places: dict[tuple[str, ...], Output]

    def flips(self) -> list[tuple[tuple[str, ...], Output]]:
        """Places at which a difference says the opposite of what it says with nominal costs."""
        opposite = {"B is higher": "B is lower", "B is lower": "B is higher"}.get(self.nominal.verdict)
        return [(row, output) for row, output in self.places.items() if opposite and output.verdict == opposite]

    def lost(self) -> list[tuple[tuple[str, ...], Output]]:
        """Places at which no difference is shown, where one is with nominal costs."""
        if self.nominal.verdict == "no difference shown":
            return []
        return [(row, output) for row, output in self.places.items() if output.verdict == "no difference shown"]


def carry_out(plan: Plan, costs: list[Cost], trajectories: int, most: int, base: int, tell: Callable[[str], None]) -> Study:
    """Screening of all costs, then indices of the few that matter with the others at their nominal values."""
    runner = Runner(plan, costs, tell)
    nominal = runner.nominal()
    paths = screening.make_trajectories(len(costs), trajectories, 1)
    tell(f"screening {len(costs)} costs: {trajectories * (len(costs) + 1)} places, {plan.seeds * len(plan.sides)} runs each")
    outputs = runner.evaluate(paths)
    effects = screening.measure_effects(paths, outputs)
    flips = _count_flips(runner, paths)
    findings = [Finding(cost, effect, flips=flip) for cost, effect, flip in zip(costs, effects, flips)]
    findings.sort(key=lambda finding: (-finding.effect.absolute, finding.cost.key))
    largest = findings[0].effect.absolute
    few = [finding for finding in findings[:most] if largest > 0 and finding.effect.absolute >= MATTERS * largest]
    places = dict(runner.known())
    if few and base:
        chosen = Runner(plan, [finding.cost for finding in few], tell)
        sample = screening.make_sample(len(few), base, 1)
        tell(f"indices of {', '.join(finding.cost.key for finding in few)}: {sample.shape[0] * base} places")
        first, total = screening.measure_indices(chosen.evaluate(sample), 1)
        findings[: len(few)] = [
            Finding(finding.cost, finding.effect, one, all_of_it, finding.flips) for finding, one, all_of_it in zip(few, first, total)
        ]
        places.update(chosen.known())
    return Study(plan, nominal, findings, places)


def _count_flips(runner: Runner, paths: numpy.ndarray) -> list[int]:
    """For each cost, the steps of it alone across which a difference changed its sign, with both intervals clear of 0."""
    counts = [0] * len(runner.costs)
    for path in paths:
        verdicts = [runner.known()[runner.settings(place)].verdict for place in path]
        moved = numpy.abs(numpy.diff(path, axis=0)).argmax(axis=1)
        for factor, before, after in zip(moved, verdicts, verdicts[1:]):
            counts[factor] += {before, after} == {"B is higher", "B is lower"}
    return counts
