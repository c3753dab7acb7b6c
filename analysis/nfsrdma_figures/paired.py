# SPDX-License-Identifier: GPL-2.0-only
"""Two sweeps compared run by run: the runs of one seed differ in nothing but what is compared.

Both sides draw the same random numbers, since a seed numbers every stream. What is left of a difference after pairing
is what the change does, and chance. For each point and metric: mean of the differences, B less A; their 95 % interval
by Student's t; p of the paired test, corrected by Holm for the number of comparisons; and the effect size d_z, the mean
in standard deviations of the differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
import pandas
from scipy import stats

from . import style
from .caption import tell_numbers, tell_window
from .percentile import LEAST_BEYOND
from .results import POINTS, Manifest, ResultsError, read_table

#: Highest corrected p that is called a difference.
LEVEL = 0.05
TESTS = {"t": "paired t test", "wilcoxon": "Wilcoxon signed-rank test"}
#: With fewer pairs no result of the signed-rank test can be below LEVEL.
LEAST_FOR_RANKS = 6
METRICS = ("rpcs_per_second", "latency_mean_us", "latency_p99_us")


@dataclass(frozen=True)
class Side:
    """One of the two sweeps."""

    name: str
    directory: Path
    keys: tuple[str, ...]
    digest: str
    settings: dict[str, str]
    seeds: tuple[int, ...]
    command: str
    window: str


@dataclass(frozen=True)
class Difference:
    """A metric at one point of both sweeps, B less A."""

    point: str
    metric: str
    pairs: int
    left_out: int
    mean_a: float
    mean_b: float
    difference: float
    low: float
    high: float
    p: float
    effect: float
    corrected_p: float = 1.0

    @property
    def verdict(self) -> str:
        if self.difference == 0 and self.effect == 0:
            return "equal in every pair"
        if self.corrected_p >= LEVEL:
            return "no difference shown"
        return "B is higher" if self.difference > 0 else "B is lower"

    @property
    def percent(self) -> float:
        """The difference in percent of A; NaN where A is 0."""
        return 100 * self.difference / self.mean_a if self.mean_a else float("nan")


def read_side(directory: Path) -> Side:
    manifest = Manifest(directory)
    return Side(manifest.name, directory, tuple(manifest.swept_keys), manifest.digest, manifest.settings(),
                tuple(manifest.seeds), manifest.command, tell_window(manifest))  # fmt: skip


def compare(a: Side, b: Side, metrics: tuple[str, ...], test: str = "t") -> list[Difference]:
    """The differences of each point and metric; ResultsError where the sweeps cannot be paired."""
    if a.keys != b.keys:
        raise ResultsError(f"{b.directory}: swept over {_listed(b.keys)}, but {a.directory} over {_listed(a.keys)}")
    tables = [_read(side, metrics) for side in (a, b)]
    _name_points(tables, [key for key in a.keys if any(table[key].nunique() > 1 for table in tables)])
    for side, table in zip((a, b), tables):
        if table.duplicated(["name", "seed"]).any():
            raise ResultsError(f"{side.directory / 'sweep.csv'}: two runs of one point and seed")
    names = [list(dict.fromkeys(table["name"])) for table in tables]
    if names[0] != names[1]:
        other = next((name for name in names[0] + names[1] if (name in names[0]) != (name in names[1])), names[1][0])
        raise ResultsError(f"{b.directory}: the sweeps have not the same points: {other}")
    found = [_compare_point(name, metric, tables, test) for name in names[0] for metric in metrics]
    known = [difference for difference in found if difference is not None]
    if not known:
        raise ResultsError(f"{', '.join(metrics)}: no run has {LEAST_BEYOND} RPCs beyond it; runs have to be longer")
    return correct(known)


def list_changes(a: Side, b: Side) -> list[str]:
    """What the two sides were set to differently, a line each."""
    keys = dict.fromkeys([*a.settings, *b.settings])
    return [
        f"{key}: A {a.settings.get(key, 'not set') or 'empty'}, B {b.settings.get(key, 'not set') or 'empty'}"
        for key in keys
        if a.settings.get(key) != b.settings.get(key)
    ]


def correct(found: list[Difference]) -> list[Difference]:
    """Corrects p over all comparisons."""
    corrected = holm([difference.p for difference in found])
    return [replace(difference, corrected_p=p) for difference, p in zip(found, corrected)]


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down correction of p values, in their order."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[i]))
        corrected[i] = highest
    return corrected


def _read(side: Side, metrics: tuple[str, ...]) -> pandas.DataFrame:
    path = side.directory / "sweep.csv"
    return read_table(path, ["point", "seed", *side.keys, *metrics], ("point", *side.keys), POINTS)


def _name_points(tables: list[pandas.DataFrame], keys: list[str]) -> None:
    """A name for each point, of what is swept: a key with one value on either side may be what is compared."""
    for table in tables:
        table["name"] = [", ".join(f"{key}={row[key]}" for key in keys) or "all" for _, row in table.iterrows()]


def _compare_point(name: str, metric: str, tables: list[pandas.DataFrame], test: str) -> Difference | None:
    """None of a percentile that the runs do not carry."""
    columns = [table[table["name"] == name].set_index("seed")[metric] for table in tables]
    both = columns[0].index.intersection(columns[1].index)
    left_out = len(columns[0].index.union(columns[1].index)) - len(both)
    a, b = (column.loc[both].to_numpy(dtype=float) for column in columns)
    if numpy.isnan(a).any() or numpy.isnan(b).any():
        return None
    least = LEAST_FOR_RANKS if test == "wilcoxon" else 2
    if len(both) < least:
        raise ResultsError(f"{name}: {len(both)} seeds that ended on both sides, expected at least {least}")
    return Difference(name, metric, len(both), left_out, a.mean(), b.mean(), *measure(b - a, test))


def measure(differences: numpy.ndarray, test: str) -> tuple[float, float, float, float, float]:
    """Mean, ends of its 95 % interval, p and effect size of paired differences."""
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1))
    if spread <= 1e-12 * abs(mean) or spread == 0:
        return mean, mean, mean, (1.0 if mean == 0 else 0.0), (0.0 if mean == 0 else float(numpy.copysign(numpy.inf, mean)))
    half = stats.t.ppf(0.975, len(differences) - 1) * spread / len(differences) ** 0.5
    if test == "wilcoxon":
        p = stats.wilcoxon(differences).pvalue
    else:
        p = stats.ttest_1samp(differences, 0.0).pvalue
    return mean, mean - half, mean + half, float(p), mean / spread


COLUMNS = (
    "point metric pairs left_out mean_a mean_b difference ci95_low ci95_high percent p corrected_p effect_dz verdict"
).split()


def rows(found: list[Difference]) -> list[list]:
    """What compare.csv has below COLUMNS."""
    return [
        [d.point, d.metric, d.pairs, d.left_out, d.mean_a, d.mean_b, d.difference, d.low, d.high, d.percent, d.p,
         d.corrected_p, d.effect, d.verdict]
        for d in found
    ]  # fmt: skip


def write_table(found: list[Difference]) -> str:
    """The comparison for people."""
    header = ["point", "metric", "pairs", "A", "B", "B - A", "95% interval", "percent", "p (Holm)", "d_z", ""]
    lines = [header]
    for d in found:
        lines.append(
            [d.point, d.metric, str(d.pairs), f"{d.mean_a:.6g}", f"{d.mean_b:.6g}", f"{d.difference:+.4g}",
             f"{d.low:+.4g} to {d.high:+.4g}", f"{d.percent:+.2f}", f"{d.corrected_p:.2g}", f"{d.effect:+.2f}",
             d.verdict]
        )  # fmt: skip
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    left = (0, 1, len(header) - 1)

    def lay_out(line: list[str]) -> str:
        cells = (cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths)))
        return "  ".join(cells).rstrip()

    rule = "-" * len(lay_out(["x" * width for width in widths]))
    return "\n".join([lay_out(lines[0]), rule, *map(lay_out, lines[1:])]) + "\n"


def write_caption(a: Side, b: Side, found: list[Difference], metrics: tuple[str, ...], test: str) -> str:
    """What a reader must know to judge the figure, and to make it again."""
    pairs = sorted({d.pairs for d in found})
    left_out = sum(d.left_out for d in found)
    changes = list_changes(a, b) or ["nothing"]
    lines = [
        f"Difference B less A, in percent of the mean of A, with its 95 % interval (Student's t) over "
        f"{' to '.join(map(str, (pairs[0], pairs[-1]) if len(pairs) > 1 else pairs))} pairs of runs with the same seed.",
        *(f"{letter}: {side.command}; seeds {tell_numbers(list(side.seeds))}; window {side.window}; digest {side.digest}"
          for letter, side in (("A", a), ("B", b))),
        "Set differently:",
        *(f"  {change}" for change in changes),
        f"p: {TESTS[test]} of the paired differences, corrected by Holm for {len(found)} comparisons; a difference is "
        f"called one below {LEVEL}.",
    ]
    points = {d.point for d in found}
    for metric in metrics:
        missing = len(points) - sum(d.metric == metric for d in found)
        if missing:
            lines.append(f"Not compared: {metric} at {missing} points, in whose runs less than {LEAST_BEYOND} RPCs lie beyond it.")
    if left_out:
        lines.append(f"Left out, since they ended on one side only: {left_out} runs.")
    return "\n".join(lines) + "\n"


def draw(found: list[Difference], title: str):
    """One panel for each metric: points from top to bottom, the difference in percent with its interval."""
    metrics = list(dict.fromkeys(d.metric for d in found))
    points = list(dict.fromkeys(d.point for d in found))
    drawn = [d for d in found if d.mean_a]
    if not drawn:
        raise ResultsError("every mean of A is 0: there are no percents to draw")
    height = 0.9 + 0.28 * len(points)
    figure, axes = style.new_figure(
        1, len(metrics), figsize=(style.WIDTH_INCHES, height), sharey=True, squeeze=False, layout="constrained"
    )
    for metric, axis in zip(metrics, axes[0]):
        axis.axvline(0, color=style.GREY, linewidth=0.8)
        for d in (d for d in drawn if d.metric == metric):
            scale = 100 / d.mean_a
            shown = d.corrected_p < LEVEL
            axis.errorbar(
                d.percent,
                len(points) - 1 - points.index(d.point),
                xerr=[[(d.difference - d.low) * scale], [(d.high - d.difference) * scale]],
                fmt="o" if shown else "s",
                color=style.BLUE if shown else style.GREY,
                markerfacecolor=style.BLUE if shown else "white",
                capsize=2,
            )
        axis.set_xlabel(f"{metric}\nB less A (% of A)")
        axis.set_ylim(-0.6, len(points) - 0.4)
        axis.grid(axis="x")
    axes[0][0].set_yticks(range(len(points)), reversed(points) if len(points) > 1 else [""])
    figure.suptitle(title, fontsize=8.5)
    return figure


def _listed(keys: tuple[str, ...]) -> str:
    return " and ".join(keys) if keys else "nothing"
