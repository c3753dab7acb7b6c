# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep: rate, latency and registrations against one or two swept keys, over seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy
import pandas
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator
from scipy import stats

from . import style
from .results import ResultsError, shown
from .units import BINARY_UNITS, SCALES, VALUE


@dataclass(frozen=True)
class _Metric:
    label: str
    series: tuple[tuple[str, str], ...]


_METRICS = (
    _Metric("RPC rate (RPC/s)", (("rpcs_per_second", ""),)),
    _Metric("Latency (µs)", (("latency_p99_us", "p99"), ("latency_p50_us", "p50"))),
    _Metric("Registrations per RPC", (("registrations_per_rpc", ""),)),
)


#: The columns of sweep.csv that are drawn.
COLUMNS = tuple(column for metric in _METRICS for column, _ in metric.series)


@dataclass(frozen=True)
class KeyAxis:
    """Values of a swept key: positions on the axis and their labels; unit is empty for plain numbers."""

    key: str
    positions: dict[str, float]
    labels: dict[str, str]
    unit: str
    logarithmic: bool
    numeric: bool = True


def mean_and_half_width(values) -> tuple[float, float]:
    """Mean and half the 95 % confidence interval of it; half width 0 with a single value; NaN where one is NaN."""
    values = numpy.asarray(values, dtype=float)
    if values.size < 2 or numpy.isnan(values).any():
        return float(values.mean()), 0.0
    deviation = values.std(ddof=1) / math.sqrt(values.size)
    return float(values.mean()), float(stats.t.ppf(0.975, values.size - 1) * deviation)


def key_axis(key: str, values: list[str], base: str = "") -> KeyAxis:
    """How the values of a key lie on an axis: by number where all are, in the order given where not.

    base is the unit of values that carry none.
    """
    distinct = list(dict.fromkeys(values))
    parsed = [VALUE.fullmatch(value.strip()) for value in distinct]
    if not all(parsed):
        positions = {value: float(index) for index, value in enumerate(distinct)}
        return KeyAxis(key, positions, {value: value for value in distinct}, "", False, False)
    numbers = {value: float(match[1]) for value, match in zip(distinct, parsed)}
    units = {value: match[2] or base for value, match in zip(distinct, parsed)}
    scale = next((s for s in (BINARY_UNITS, *SCALES) if set(units.values()) <= set(s)), None)
    if scale is None:
        if len(set(units.values())) > 1:
            raise ResultsError(f"sweep.csv: column {key}: values have different units: {shown(', '.join(distinct))}")
        unit, divisor = units[distinct[0]], 1.0
    else:
        numbers = {value: number * scale[units[value]] for value, number in numbers.items()}
        unit, divisor = _shown_unit(scale, sorted(numbers.values()))
    ordered = sorted(numbers.values())
    if not all(map(math.isfinite, ordered)):
        raise ResultsError(f"sweep.csv: column {key}: got {shown(', '.join(distinct))}, expected finite numbers")
    logarithmic = len(ordered) > 2 and ordered[0] > 0 and ordered[-1] / ordered[0] >= 8
    labels = {value: _number_label(number / divisor) for value, number in numbers.items()}
    return KeyAxis(key, numbers, labels, unit, logarithmic)


def _shown_unit(scale: dict[str, float], ordered: list[float]) -> tuple[str, float]:
    """The largest unit of a scale in which the smallest value is at least 1, for octets: all are whole."""
    smallest = next((number for number in ordered if number > 0), 1.0)
    if scale is BINARY_UNITS:
        fitting = [unit for unit in scale if all(number % scale[unit] == 0 for number in ordered)]
    else:
        fitting = [unit for unit in scale if smallest / scale[unit] >= 1 - 1e-9]
    unit = max(fitting or list(scale)[:1], key=scale.get)
    return {"B": "octets", "us": "µs"}.get(unit, unit), scale[unit]


def _number_label(number: float) -> str:
    return f"{number:.6g}" if number < 1e6 else f"{number:.3g}"


def draw_sweep(table: pandas.DataFrame, keys: list[str], title: str, units: dict[str, str]):
    """Rows of panels: one per metric; columns: one per value of the key with fewer values, if there are two.

    units gives the unit of a key's values where they carry none.
    """
    horizontal, panels = choose_axes(table, keys, units)
    columns = sorted(panels.positions, key=panels.positions.get) if panels else [None]
    width = style.WIDTH_INCHES if len(columns) > 1 else 3.6
    figure, grid = style.new_figure(
        len(_METRICS), len(columns), figsize=(width, 1.75 * len(_METRICS) + 0.55), sharex=True, sharey="row",
        squeeze=False,
    )
    for column, value in enumerate(columns):
        part = table if value is None else table[table[panels.key] == value]
        for row, metric in enumerate(_METRICS):
            _draw_metric(grid[row][column], part, horizontal, metric, with_legend=column == 0)
        if value is not None:
            grid[0][column].set_title(f"{panels.key} = {panels.labels[value]} {panels.unit}".rstrip(), loc="left")
    if len(columns) == 1:
        grid[-1][0].set_xlabel(axis_label(horizontal))
    else:
        figure.supxlabel(axis_label(horizontal), fontsize=8.5)
    for row, metric in enumerate(_METRICS):
        grid[row][0].set_ylabel(metric.label)
        highest = max(_highest(table, keys, series) for series, _ in metric.series)
        headroom = 1.3 if len(metric.series) > 1 else 1.08
        grid[row][0].set_ylim(0, highest * headroom if highest > 0 else 1)
    figure.align_ylabels(grid[:, 0])
    seeds = table["seed"].nunique()
    caption = f"{title}: mean of {seeds} seeds, bars are 95 % intervals" if seeds > 1 else f"{title}: one seed"
    figure.suptitle(caption, x=0.01, ha="left", fontsize=8.5)
    figure.tight_layout(pad=0.4, rect=(0, 0, 1, 0.985))
    return figure


def choose_axes(table: pandas.DataFrame, keys: list[str], units: dict[str, str]) -> tuple[KeyAxis, KeyAxis | None]:
    """Which of one or two keys lies along x, and which tells the panels apart."""
    axes_by_key = {key: key_axis(key, list(table[key]), units.get(key, "")) for key in keys}
    if len(keys) == 1:
        return axes_by_key[keys[0]], None
    first, second = (axes_by_key[key] for key in keys)
    return (first, second) if len(first.positions) >= len(second.positions) else (second, first)


def lay_out(axis, key: KeyAxis) -> None:
    """Gives an axis of a panel a tick for each value of a key, and the scale that fits them."""
    horizontal = axis.axis_name == "x"
    if not key.numeric:
        axis.axes.margins(**{axis.axis_name: 0.2})
    if key.logarithmic:
        (axis.axes.set_xscale if horizontal else axis.axes.set_yscale)("log", base=2)
    ticks = sorted(set(key.positions.values()))
    names = {position: key.labels[value] for value, position in key.positions.items()}
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: names[_nearest(value, ticks)]))


def axis_label(axis: KeyAxis) -> str:
    return f"{axis.key} ({axis.unit})" if axis.unit else axis.key


def _draw_metric(axes, part: pandas.DataFrame, horizontal: KeyAxis, metric: _Metric, with_legend: bool) -> None:
    groups = {value: group for value, group in part.groupby(horizontal.key, sort=False)}
    values = sorted(groups, key=horizontal.positions.get)
    for (column, label), (colour, marker) in zip(metric.series, reversed(style.SERIES[: len(metric.series)])):
        statistics = [mean_and_half_width(groups[value][column]) for value in values]
        if all(math.isnan(mean) for mean, _ in statistics):
            axes.plot([], [], color=colour, marker=marker, label=f"{label}: too few RPCs")
            continue
        axes.errorbar(
            [horizontal.positions[value] for value in values],
            [mean for mean, _ in statistics],
            yerr=[half for _, half in statistics] if any(half for _, half in statistics) else None,
            color=colour,
            marker=marker,
            linestyle="-" if horizontal.numeric else "",
            capsize=2.5,
            capthick=0.8,
            elinewidth=0.8,
            label=label,
        )
    lay_out(axes.xaxis, horizontal)
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.grid(axis="y")
    if with_legend and len(metric.series) > 1:
        axes.legend(loc="upper right", handlelength=2.2, borderaxespad=0, ncol=2, columnspacing=1.2)


def _nearest(value: float, ticks: list[float]) -> float:
    return min(ticks, key=lambda tick: abs(tick - value))


def thousands(value: float, _position=None) -> str:
    return f"{value:,.0f}".replace(",", "\u2009") if abs(value) >= 1000 else f"{value:g}"


def _highest(table: pandas.DataFrame, keys: list[str], column: str) -> float:
    by = keys if len(keys) > 1 else keys[0]
    statistics = [mean_and_half_width(group[column]) for _, group in table.groupby(by, sort=False)]
    return max((mean + half for mean, half in statistics if not math.isnan(mean)), default=0.0)
