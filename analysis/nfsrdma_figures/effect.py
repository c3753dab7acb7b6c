# SPDX-License-Identifier: GPL-2.0-only
"""Whether what a sweep varies changes a metric, and by how much.

Runs of one seed draw the same random numbers at every point, so that each seed is a block: p is that of the F test of a
repeated-measures analysis of variance, corrected by Holm for the number of statements that a figure makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy
import pandas
from scipy import stats

from .paired import LEVEL, holm

#: Percent between the lowest and the highest mean below which an effect is called small.
SMALL = 5.0


@dataclass(frozen=True)
class Effect:
    """A metric along one curve: its lowest and highest mean, and where they are."""

    what: str
    metric: str
    curve: str
    seeds: int
    lowest: tuple[str, float]
    highest: tuple[str, float]
    p: float

    @property
    def percent(self) -> float:
        """How far the highest mean lies above the lowest, in percent of that; infinite above 0."""
        low, high = self.lowest[1], self.highest[1]
        if low == high:
            return 0.0
        return 100 * (high - low) / low if low > 0 else float("inf")

    @property
    def verdict(self) -> str:
        if self.p >= LEVEL:
            return "no effect shown"
        return "an effect is shown" if self.percent >= SMALL else "an effect is shown, and it is small"

    def tell(self) -> str:
        """A line for captions and the console."""
        curve = f" ({self.curve})" if self.curve else ""
        if self.lowest[1] == self.highest[1]:
            return f"{self.metric} against {self.what}{curve}: {self.lowest[1]:.6g} at every value."
        span = f"{self.lowest[1]:.6g} at {self.lowest[0]} to {self.highest[1]:.6g} at {self.highest[0]}"
        return f"{self.metric} against {self.what}{curve}: {span}, {self._size()}; {self.verdict} (p = {self.p:.2g})."

    def _size(self) -> str:
        if self.percent < 100:
            return f"{self.percent:.2g} %"
        low, high = self.lowest[1], self.highest[1]
        return f"{high / low:.3g} times" if low > 0 else "from nothing"


def find_effects(
    table: pandas.DataFrame, what: str, along: pandas.Series, curves: pandas.Series, metrics: Sequence[str]
) -> list[Effect]:
    """Of each metric along each curve, of the seeds that have a run at all its points.

    along and curves have for each row of the table the text of its point and of its curve. Curves of one point, of less
    than two such seeds, or with a percentile that some run does not carry, are left out.
    """
    found = []
    for metric in metrics:
        for curve in dict.fromkeys(curves):
            rows = table[curves == curve]
            points = along.loc[rows.index]
            cells = rows.groupby([rows["seed"], points], sort=False)[metric]
            runs = cells.mean().unstack()[list(dict.fromkeys(points))]
            runs = runs[cells.size().unstack().notna().all(axis=1)]
            if runs.shape[1] < 2 or runs.shape[0] < 2 or runs.isna().to_numpy().any():
                continue
            means = runs.mean()
            low, high = means.idxmin(), means.idxmax()
            found.append(
                Effect(what, metric, curve, len(runs), (low, means[low]), (high, means[high]), p_of(runs.to_numpy(dtype=float)))
            )
    return [replace(effect, p=p) for effect, p in zip(found, holm([effect.p for effect in found]))]


def p_of(runs: numpy.ndarray) -> float:
    """p of the F test of equal means of the columns, the rows being blocks."""
    blocks, points = runs.shape
    overall = runs.mean()
    between = blocks * ((runs.mean(axis=0) - overall) ** 2).sum()
    rest = ((runs - runs.mean(axis=0) - runs.mean(axis=1, keepdims=True) + overall) ** 2).sum()
    if between <= 1e-24 * runs.size * overall**2:
        return 1.0
    if rest <= 1e-24 * runs.size * overall**2:
        return 0.0
    ratio = (between / (points - 1)) / (rest / ((points - 1) * (blocks - 1)))
    return float(stats.f.sf(ratio, points - 1, (points - 1) * (blocks - 1)))
