# SPDX-License-Identifier: GPL-2.0-only
"""Costs fitted on experiments: least squares of the logarithms of model over published.

A parameter is sought on a logarithmic scale between its bounds. Its interval is that of 95 %, of the Jacobian at the end: a
published number counts as lying within its bound in 95 of 100 cases, and where more numbers than parameters are fitted the
scatter that is left counts when it is larger. A parameter is undetermined when no number changes with it, or when its interval is
as wide as its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy
from scipy.optimize import least_squares

from nfsrdma_method.resolved import MethodError, RunError

from . import bounds
from .experiment import Experiment, Parameter, System

#: Step of a derivative, of a logarithm: the costs are whole nanoseconds, and runs have their grain.
STEP = 0.1
#: A change of a number for a change of a parameter by a factor of e that counts as none.
NO_EFFECT = 0.005
#: Times the standard deviation to 95 % on each side.
NORMAL = 1.96


@dataclass(frozen=True)
class Finding:
    """What the rows say of one parameter; low and high are its interval, rows are by how much they say of it."""

    parameter: Parameter
    value: float
    low: float
    high: float
    rows: tuple[str, ...]

    @property
    def determined(self) -> bool:
        return bool(self.rows) and (self.low > self.parameter.low or self.high < self.parameter.high)


@dataclass(frozen=True)
class Fit:
    system: System
    experiments: list[Experiment]
    findings: list[Finding]
    model: dict[str, list[float]]  #: The numbers of each experiment with the values found.
    values: dict[str, str]


def group(experiments: Sequence[Experiment]) -> dict[str, list[Experiment]]:
    """Those of role fit, by their system."""
    found: dict[str, list[Experiment]] = {}
    for one in experiments:
        if one.role == "fit":
            found.setdefault(one.system.name, []).append(one)
    return found


def merge(experiments: Sequence[Experiment]) -> list[Parameter]:
    """Parameters of all; MethodError where two experiments give one different bounds."""
    found: dict[str, Parameter] = {}
    for one in experiments:
        for parameter in one.fits:
            other = found.setdefault(parameter.key, parameter)
            if other != parameter:
                raise MethodError(f"{one.path}: fits: {parameter.key}: has other bounds than in an experiment before it")
    return list(found.values())


def carry_out(experiments: Sequence[Experiment], evaluate: Callable[[Experiment, dict[str, str]], list[float]]) -> Fit:
    """The values that bring the model nearest to what is published, in the middle of their bounds at first."""
    parameters = merge(experiments)
    lower = numpy.log([parameter.low for parameter in parameters])
    upper = numpy.log([parameter.high for parameter in parameters])
    weights = numpy.array([1 / bounds.tolerance(one.bound) for one in experiments for _ in one.published])
    owners = [one.label for one in experiments for _ in one.published]

    def settings(place: numpy.ndarray) -> dict[str, str]:
        return {parameter.key: parameter.tell(math.exp(value)) for parameter, value in zip(parameters, place)}

    def residuals(place: numpy.ndarray) -> numpy.ndarray:
        found = []
        for one in experiments:
            for model, published in zip(evaluate(one, settings(place)), one.published):
                if model <= 0 or published <= 0:
                    raise RunError(f"{one.path}: fits: model {model:g} against {published:g}: both have to be above 0")
                found.append(math.log(model / published))
        return numpy.array(found)

    def jacobian(place: numpy.ndarray) -> numpy.ndarray:
        columns = []
        for index in range(len(place)):
            ends = []
            for step in (-STEP / 2, STEP / 2):
                moved = place.copy()
                moved[index] = min(max(moved[index] + step, lower[index]), upper[index])
                ends.append((moved[index], residuals(moved)))
            (left, before), (right, after) = ends
            columns.append((after - before) / (right - left))
        return numpy.array(columns).T

    done = least_squares(
        lambda place: weights * residuals(place), (lower + upper) / 2, lambda place: weights[:, None] * jacobian(place),
        bounds=(lower, upper), method="dogbox", xtol=1e-4, ftol=1e-6, gtol=1e-8, max_nfev=25,
    )  # fmt: skip
    slopes = jacobian(done.x)
    findings = _judge(parameters, done.x, slopes, weights, weights * residuals(done.x), owners)
    model = {one.name: evaluate(one, settings(done.x)) for one in experiments}
    return Fit(experiments[0].system, list(experiments), findings, model, settings(done.x))


def _judge(parameters, place, slopes, weights, left, owners) -> list[Finding]:
    """Intervals of those that numbers change with; the others are left out of the covariance, which they would spoil."""
    felt = numpy.abs(slopes).max(axis=0) >= NO_EFFECT
    scaled = weights[:, None] * slopes[:, felt]
    freedom = len(left) - int(felt.sum())
    variance = (1 / NORMAL) ** 2
    if freedom > 0:
        variance = max(variance, float(left @ left) / freedom)
    spread = numpy.full(len(parameters), numpy.inf)
    if felt.any():
        values, vectors = numpy.linalg.eigh(scaled.T @ scaled)
        safe = numpy.maximum(values, 1e-9)
        spread[felt] = numpy.sqrt(variance * ((vectors**2) / safe).sum(axis=1))
    findings = []
    for index, parameter in enumerate(parameters):
        shares: dict[str, float] = {}
        for owner, slope, weight in zip(owners, slopes[:, index], weights):
            shares[owner] = shares.get(owner, 0) + (slope * weight) ** 2
        whole = sum(shares.values())
        ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
        rows = [row for row, share in ordered if felt[index] and share > 0.1 * whole]
        value = math.exp(place[index])
        width = min(NORMAL * spread[index], 50.0)
        low, high = max(value * math.exp(-width), parameter.low), min(value * math.exp(width), parameter.high)
        findings.append(Finding(parameter, value, low, high, tuple(rows)))
    return findings


def write_profile(fit: Fit) -> str:
    """The system's file with the values found: above each the rows that it was fitted on, and its interval."""
    found = {finding.parameter.key: finding for finding in fit.findings}
    lines = fit.system.path.read_text(encoding="utf-8").splitlines()
    entries = [(f"{section.name}.{key}", entry) for section in fit.system.sections for key, entry in section.entries.items()]
    for key, entry in sorted(entries, key=lambda item: -item[1].place.line):
        if key not in found:
            continue
        finding, place = found[key], entry.place.line - 1
        tell = finding.parameter.tell
        note = f"# {', '.join(finding.rows)}: {tell(finding.low)} to {tell(finding.high)} (95 %)"
        value = tell(finding.value)
        if not finding.determined:
            note, value = "# undetermined", entry.value
        above = place - 1 if place > 0 and lines[place - 1].startswith("#") else place
        lines[above : place + 1] = [note, f"{key.rpartition('.')[2]} = {value}"]
    return "\n".join(lines) + "\n"


def write_table(fit: Fit) -> str:
    lines = [f"{fit.system.name}", f"  {'parameter':28} {'value':>16}  {'interval of 95 %':>32}  rows"]
    for finding in fit.findings:
        tell = finding.parameter.tell
        interval = f"{tell(finding.low)} to {tell(finding.high)}" if finding.determined else "undetermined"
        value = tell(finding.value) if finding.determined else "-"
        lines.append(f"  {finding.parameter.key:28} {value:>16}  {interval:>32}  {', '.join(finding.rows) or '-'}")
    for one in fit.experiments:
        for model, published in zip(fit.model[one.name], one.published):
            lines.append(f"  {one.label:28} model {model:.6g}, published {published:.6g}, ratio {model / published:.3f}")
    return "\n".join(lines) + "\n"
