# SPDX-License-Identifier: GPL-2.0-only
"""Distributions of latency, as far into the tail as the sample carries: F(t), and 1 - F(t) on logarithmic axes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from scipy import stats

from . import histogram, style
from .curves import LINES
from .histogram import Histogram
from .percentile import LEAST_BEYOND, least_count
from .results import ResultsError
from .sweep import thousands

#: The latencies of a run: each of them in us, or a histogram.
Sample = numpy.ndarray | Histogram

#: Shares at which curves have points.
_POINTS = 200


def shares_of(count: int) -> numpy.ndarray:
    """Shares from low to high, close together in the tail; the last has LEAST_BEYOND of count samples beyond it."""
    if count < least_count(0.5):
        return numpy.array([])
    last = 1 - LEAST_BEYOND / count
    beyond = numpy.geomspace(0.5, 1 - last, _POINTS // 2)
    return numpy.concatenate([numpy.linspace(1 - last, 0.5, _POINTS // 2, endpoint=False), 1 - beyond])


def pool(samples: list[Sample]) -> Sample:
    """Those of all runs as one sample; of all histograms as soon as one is."""
    if all(isinstance(run, numpy.ndarray) for run in samples):
        return numpy.concatenate(samples)
    return histogram.add(run if isinstance(run, Histogram) else Histogram.of(run) for run in samples)


def quantiles_of(sample: Sample, shares: numpy.ndarray) -> numpy.ndarray:
    """Nearest ranks, in us."""
    if isinstance(sample, Histogram):
        return sample.quantiles(shares)
    return numpy.quantile(sample, shares, method="inverted_cdf")


def quantiles(samples: list[Sample], shares: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Mean over the runs of each quantile (nearest rank), and half its 95 % interval; 0 with one run."""
    found = numpy.array([quantiles_of(run, shares) for run in samples])
    mean = found.mean(axis=0)
    if len(samples) < 2:
        return mean, numpy.zeros_like(mean)
    spread = found.std(axis=0, ddof=1) / len(samples) ** 0.5
    return mean, stats.t.ppf(0.975, len(samples) - 1) * spread


def draw(curves: dict[str, list[Sample]], title: str, tail: bool):
    """curves has for each name the latencies of each run; tail draws 1 - F, else F."""
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES * 0.75, 3.0), layout="constrained")
    drawn = 0
    for index, (name, runs) in enumerate(curves.items()):
        shares = shares_of(min(map(len, runs)))
        if not len(shares):
            continue
        drawn += 1
        times, half = quantiles(runs, shares)
        heights = 1 - shares if tail else shares
        colour, _ = style.SERIES[index % len(style.SERIES)]
        count = sum(map(len, runs))
        axes.plot(times, heights, color=colour, linestyle=LINES[index % len(LINES)], label=f"{name}  n={count}")
        if half.any():
            low = numpy.maximum(times - half, times.min() / 10)
            axes.fill_betweenx(heights, low, times + half, color=colour, alpha=0.2, linewidth=0)
    if not drawn:
        raise ResultsError(f"less than {least_count(0.5)} RPCs in every curve: too few for a distribution")
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(base=10, subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("Latency, arrival to completion (µs)")
    if tail:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_ylabel("Share of RPCs that took longer, 1 - p")
    else:
        axes.set_ylim(0, 1)
        axes.set_ylabel("Share of RPCs, p")
    axes.grid(axis="both")
    axes.legend(loc="best")
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure


def notes(curves: dict[str, list[Sample]]) -> list[str]:
    """What the caption says of each curve: its samples, and how far it reaches."""
    lines = []
    for name, runs in curves.items():
        least = min(map(len, runs))
        sizes = _listed(map(len, runs))
        if least < least_count(0.5):
            lines.append(f"Not drawn: {name}, n = {sizes}, of which a median needs {least_count(0.5)}.")
        else:
            lines.append(f"{name}: n = {sizes}; drawn to p = {1 - LEAST_BEYOND / least:.6g}, beyond which {LEAST_BEYOND} RPCs lie.")
    if any(isinstance(run, Histogram) for runs in curves.values() for run in runs):
        lines.append("From histograms, whose quantiles are at most 1/64 too large.")
    return lines


def _listed(sizes: Iterable[int]) -> str:
    return " + ".join(map(str, sizes))
