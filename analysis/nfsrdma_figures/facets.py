# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep over any number of keys: rows and columns of panels, in each a curve for each value of others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy
import pandas
from matplotlib.ticker import FuncFormatter, MaxNLocator

from . import style
from .curves import LINES
from .effect import Effect, find_effects
from .percentile import LEAST_BEYOND
from .request import Request, axis_of, combine, in_order, place
from .results import ResultsError
from .sweep import axis_label, lay_out, mean_and_half_width, thousands

METRICS = ("rpcs_per_second", "latency_mean_us", "latency_p99_us")
_LABELS = {
    "rpcs_per_second": "RPC rate (RPC/s)",
    "latency_mean_us": "Mean latency (µs)",
    "latency_p50_us": "Median latency (µs)",
    "latency_p99_us": "p99 latency (µs)",
    "goodput_bps": "Goodput (bit/s)",
    "registrations_per_rpc": "Registrations per RPC",
    "server_cpu_busy": "Servers' cores busy",
    "client_cpu_busy": "Clients' cores busy",
    "server_core_us_per_rpc": "Servers' core time for an RPC (µs)",
    "client_core_us_per_rpc": "Clients' core time for an RPC (µs)",
}
_UNITS = {"us": "µs", "bps": "bit/s", "octets": "octets", "s": "s", "ns": "ns"}


@dataclass(frozen=True)
class Drawing:
    """A figure with the end of its name, and what its caption says beside the usual."""

    name: str
    figure: object
    shows: str
    notes: tuple[str, ...] = ()


def label_of(metric: str) -> str:
    """What a column of sweep.csv is called at an axis."""
    if metric in _LABELS:
        return _LABELS[metric]
    words = metric.rpartition(":")[2].split("_")
    text = metric.replace(":", " ").replace("_", " ")
    if len(words) > 1 and words[-1] in _UNITS:
        return f"{text.rpartition(' ')[0]} ({_UNITS[words[-1]]})"
    return text


def metrics_of(request: Request) -> tuple[str, ...]:
    return tuple(dict.fromkeys(request.options.get("metric", METRICS)))


@dataclass(frozen=True)
class _Grid:
    """The panels of a figure, with the rows of the table that each shows."""

    table: pandas.DataFrame
    placed: dict[str, tuple[str, ...]]
    units: dict[str, str]

    @cached_property
    def names(self) -> dict[str, pandas.Series]:
        return {role: combine(self.table, keys, self.units) for role, keys in self.placed.items()}

    def texts(self, role: str) -> list[str]:
        return in_order(self.table, self.placed[role], self.units)

    def part(self, **values: str) -> pandas.DataFrame:
        """The rows with given texts of roles."""
        table = self.table
        kept = pandas.Series(True, index=table.index)
        for role, text in values.items():
            kept &= self.names[role] == text
        return table[kept]

    def groups(self, **values: str) -> list[tuple[str, pandas.DataFrame]]:
        """Of a curve or panel: each text of x in order, with its rows."""
        part = self.part(**values)
        texts = self.names["x"].loc[part.index]
        return [(text, part[texts == text]) for text in self.texts("x") if (texts == text).any()]


def _new_panels(rows: int, columns: int, panel: tuple[float, float], **keywords):
    width = min(max(5.2, panel[0] * columns + 0.6), 2 * style.WIDTH_INCHES)
    return style.new_figure(
        rows, columns, figsize=(width, panel[1] * rows + 0.9), squeeze=False, layout="constrained", **keywords
    )


def _label_columns(axes, text: str) -> None:
    for axis in axes[-1]:
        axis.set_xlabel(text)


def _leave_out_empty(axes, titles: list[str]) -> None:
    """Combinations that a sweep has no points of have no panel; what stands at the edge goes to those that are nearest to it.

    titles are those of the columns.
    """
    empty = {axis for axis in axes.flat if not any(len(line.get_xdata()) for line in axis.lines)}
    for axis in empty:
        axis.set_axis_off()
        axis.set_title("", loc="left")
    for column, title in zip(axes.T, titles):
        shown = [axis for axis in column if axis not in empty]
        if shown and column[0] in empty:
            shown[0].set_title(_panel_title(title, shown[0].get_title(loc="left")), loc="left")
        if shown and column[-1] in empty:
            shown[-1].tick_params(labelbottom=True)
            shown[-1].set_xlabel(column[-1].get_xlabel())
    for row in axes:
        shown = [axis for axis in row if axis not in empty]
        if shown and row[0] in empty:
            shown[0].tick_params(labelleft=True)
            shown[0].set_ylabel(row[0].get_ylabel())


def _panel_title(panel: str, row: str) -> str:
    return "\n".join(text for text in (panel, row) if text)


def _titles(grid: _Grid, role: str) -> dict[str, str]:
    keys = grid.placed[role]
    return {text: f"{keys[0]} = {text}" if len(keys) == 1 else text for text in grid.texts(role)}


def _title(title: str, table: pandas.DataFrame) -> str:
    seeds = table["seed"].nunique()
    return f"{title}: mean of {seeds} seeds, 95 % intervals" if seeds > 1 else f"{title}: one seed"


def _finish(figure, grid: _Grid, axes, title: str) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if len(labels) > 1:
        style.legend_below(figure, handles, labels, ", ".join(grid.placed["series"]))
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)


def _looks(texts: Sequence[str]) -> dict[str, dict]:
    """Colour, marker and dash of each curve; they repeat when there are more curves than looks."""
    looks = {}
    for index, text in enumerate(texts):
        colour, marker = style.SERIES[index % len(style.SERIES)]
        looks[text] = {"color": colour, "marker": marker, "linestyle": LINES[index % len(LINES)]}
    return looks


def _weak_notes(table: pandas.DataFrame, metrics: Sequence[str]) -> tuple[str, ...]:
    notes = []
    for metric in metrics:
        weak = int(table[metric].isna().sum())
        if weak:
            notes.append(
                f"Left out: {metric} of {weak} of {len(table)} runs, in which less than {LEAST_BEYOND} RPCs lie beyond it."
            )
    return tuple(notes)


def effects_of(
    table: pandas.DataFrame, keys: list[str], request: Request, units: dict[str, str], metrics: Sequence[str]
) -> list[Effect]:
    """What the key along x does to the metrics, for each value of the others."""
    placed = place(table, keys, request)
    if not placed["x"]:
        return []
    apart = [key for role in ("series", "panel", "row") for key in placed[role]]
    along, curves = combine(table, placed["x"], units), _name_curves(table, apart, units)
    return find_effects(table, ", ".join(placed["x"]), along, curves, metrics)


def _name_curves(table: pandas.DataFrame, keys: list[str], units: dict[str, str]) -> pandas.Series:
    texts = [key.rpartition(".")[2] + " " + combine(table, [key], units) for key in keys]
    if not texts:
        return pandas.Series("", index=table.index)
    return texts[0].str.cat(texts[1:], sep=", ") if len(texts) > 1 else texts[0]


def _require_numbers(table: pandas.DataFrame, metrics: Sequence[str]) -> None:
    if all(table[metric].isna().all() for metric in metrics):
        raise ResultsError(
            f"sweep.csv: {', '.join(metrics)}: no run has {LEAST_BEYOND} RPCs beyond it; runs have to be longer"
        )


def draw_lines(table: pandas.DataFrame, keys: list[str], request: Request, units: dict[str, str], title: str) -> list[Drawing]:
    """Metrics against x. Panels are rows of metrics; with row=KEY each metric is a figure of its own."""
    metrics = metrics_of(request)
    _require_numbers(table, metrics)
    grid = _Grid(table, place(table, keys, request), units)
    if not grid.placed["x"]:
        raise ResultsError("no key has several values: there is nothing to draw against; drop KEY=VALUE or sweep a key")
    if grid.placed["row"]:
        groups = [(metric, [(metric, row) for row in grid.texts("row")]) for metric in metrics]
    else:
        groups = [("", [(metric, "") for metric in metrics])]
    shown = "mean over the seeds, bars are 95 % intervals (Student's t)"
    drawings = []
    for suffix, rows in groups:
        panels = grid.texts("panel")
        figure, axes = _new_panels(len(rows), len(panels), (2.6, 1.6), sharex=True, sharey="row")
        for index, (metric, row) in enumerate(rows):
            for column, panel in enumerate(panels):
                _draw_curves(axes[index][column], grid, metric, panel, row)
                heading = _panel_title(_titles(grid, "panel")[panel] if index == 0 else "", _titles(grid, "row")[row] if row else "")
                axes[index][column].set_title(heading, loc="left")
            axes[index][0].set_ylabel(label_of(metric))
            top = max(axis.get_ylim()[1] for axis in axes[index])
            axes[index][0].set_ylim(0, top)
        _label_columns(axes, axis_label(axis_of(table, grid.placed["x"], units)))
        _leave_out_empty(axes, [_titles(grid, "panel")[panel] for panel in panels])
        _finish(figure, grid, axes[0][0], _title(title, table))
        drawn = tuple(dict.fromkeys(metric for metric, _ in rows))
        notes = (*_weak_notes(table, metrics), *(effect.tell() for effect in effects_of(table, keys, request, units, drawn)))
        drawings.append(Drawing(suffix, figure, f"{', '.join(drawn)} against {', '.join(grid.placed['x'])}; {shown}.", notes))
    return drawings


def _draw_curves(axes, grid: _Grid, metric: str, panel: str, row: str) -> None:
    horizontal = axis_of(grid.table, grid.placed["x"], grid.units)
    texts = dict(zip(grid.names["x"], _positions(grid, horizontal)))
    series = grid.texts("series")
    for text, look in _looks(series).items():
        groups = grid.groups(series=text, panel=panel, row=row)
        statistics = [mean_and_half_width(group[metric]) for _, group in groups]
        axes.errorbar(
            [texts[x] for x, _ in groups],
            [mean for mean, _ in statistics],
            yerr=[half for _, half in statistics] if any(half for _, half in statistics) else None,
            label=text, capsize=2.5, capthick=0.8, elinewidth=0.8, **look,
        )
    lay_out(axes.xaxis, horizontal)
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.grid(axis="y")


def _positions(grid: _Grid, axis) -> list[float]:
    keys = grid.placed["x"]
    values = grid.table[keys[0]] if len(keys) == 1 else combine(grid.table, keys, grid.units)
    return [axis.positions[value] for value in values]


@dataclass(frozen=True)
class Knee:
    """The load of highest power (throughput over latency); None where it is the least or the highest load tried."""

    index: int
    inside: bool


def find_knee(throughput: Sequence[float], latency: Sequence[float]) -> Knee:
    """Kleinrock's knee: where throughput divided by latency is greatest, of points in order of load."""
    power = numpy.asarray(throughput, dtype=float) / numpy.asarray(latency, dtype=float)
    index = int(numpy.nanargmax(power))
    return Knee(index, 0 < index < len(power) - 1)


def draw_latency_throughput(
    table: pandas.DataFrame, keys: list[str], request: Request, units: dict[str, str], title: str
) -> list[Drawing]:
    """Latency against throughput, the load x along each curve, the knee of each marked."""
    metrics = request.options.get("metric", ("latency_p99_us" if table["latency_p99_us"].notna().any() else "latency_mean_us",))
    throughput = request.option("throughput", "rpcs_per_second")
    _require_numbers(table, metrics)
    grid = _Grid(table, place(table, keys, request, ("x", "series", "panel")), units)
    if not grid.placed["x"]:
        raise ResultsError("no key has several values: the load has to be swept, as x=KEY")
    load = ", ".join(grid.placed["x"])
    notes = list(_weak_notes(table, metrics))
    panels = grid.texts("panel")
    figure, axes = _new_panels(len(metrics), len(panels), (3.0, 2.4), sharex=True, sharey="row")
    for index, metric in enumerate(metrics):
        for column, panel in enumerate(panels):
            axis = axes[index][column]
            for text, look in _looks(grid.texts("series")).items():
                groups = grid.groups(series=text, panel=panel)
                notes += _draw_load(axis, groups, throughput, metric, text, look, load, panel)
            axis.set_title(_titles(grid, "panel")[panel] if index == 0 and panel else "", loc="left")
            axis.xaxis.set_major_locator(MaxNLocator(5))
            axis.xaxis.set_major_formatter(FuncFormatter(thousands))
            axis.yaxis.set_major_formatter(FuncFormatter(thousands))
            axis.set_xlim(left=0)
            axis.grid(axis="both")
        axes[index][0].set_ylabel(label_of(metric))
        axes[index][0].set_ylim(0, max(axis.get_ylim()[1] for axis in axes[index]))
    _label_columns(axes, label_of(throughput))
    _finish(figure, grid, axes[0][0], _title(title, table) + "; star: knee")
    shows = (
        f"{', '.join(metrics)} against {throughput}, points by {load}; means over the seeds, bars are 95 % intervals "
        "(Student's t). Star: the knee, the load at which throughput divided by latency is greatest (Kleinrock 1979)."
    )
    return [Drawing("", figure, shows, tuple(notes))]


def _draw_load(axes, groups, throughput: str, metric: str, text: str, look: dict, load: str, panel: str) -> list[str]:
    """One curve; returns what the caption says of its knee."""
    known = [(x, group) for x, group in groups if group[metric].notna().all()]
    if not known:
        return []
    rates = [mean_and_half_width(group[throughput]) for _, group in known]
    latencies = [mean_and_half_width(group[metric]) for _, group in known]
    axes.errorbar(
        [mean for mean, _ in rates],
        [mean for mean, _ in latencies],
        xerr=[half for _, half in rates] if any(half for _, half in rates) else None,
        yerr=[half for _, half in latencies] if any(half for _, half in latencies) else None,
        label=text, capsize=2, capthick=0.8, elinewidth=0.8, **look,
    )
    name = ", ".join(part for part in (text, panel) if part)
    name = f"{metric}{f' of {name}' if name else ''}"
    if len(known) < 3 or min(mean for mean, _ in latencies) <= 0:
        return [f"Knee of {name}: not told by less than three loads."]
    knee = find_knee([mean for mean, _ in rates], [mean for mean, _ in latencies])
    at = known[knee.index][0]
    if not knee.inside:
        side = "at or below the least load tried" if knee.index == 0 else "not reached, the highest load tried is best"
        return [f"Knee of {name}: {side} ({load} = {at})."]
    rate, latency = rates[knee.index][0], latencies[knee.index][0]
    axes.plot(rate, latency, "*", color=look["color"], markersize=11, markeredgecolor=style.BLACK, markeredgewidth=0.6, zorder=6)
    return [f"Knee of {name}: {load} = {at}, {rate:.6g} at {latency:.6g}."]


def draw_heat(table: pandas.DataFrame, keys: list[str], request: Request, units: dict[str, str], title: str) -> list[Drawing]:
    """Metrics as shades over two keys, x and series (upwards); the number in each field is the mean over the seeds."""
    metrics = metrics_of(request)
    _require_numbers(table, metrics)
    grid = _Grid(table, place(table, keys, request, ("x", "series", "panel")), units)
    if not grid.placed["x"] or not grid.placed["series"]:
        raise ResultsError("a heat map needs two keys with several values, x=KEY and series=KEY")
    across, upwards, panels = grid.texts("x"), grid.texts("series"), grid.texts("panel")
    figure, axes = _new_panels(
        len(metrics), len(panels), (max(2.4, 0.55 * len(across) + 0.9), max(1.5, 0.3 * len(upwards) + 0.7))
    )
    for index, metric in enumerate(metrics):
        fields = [
            [[_mean(grid.part(x=x, series=y, panel=panel)[metric]) for x in across] for y in upwards] for panel in panels
        ]
        finite = [value for panel in fields for line in panel for value in line if math.isfinite(value)]
        limits = {"vmin": min(finite, default=0), "vmax": max(finite, default=1)}
        for column, (panel, values) in enumerate(zip(panels, fields)):
            axis = axes[index][column]
            image = axis.imshow(numpy.array(values), origin="lower", aspect="auto", cmap="Greys", **limits)
            _write_fields(axis, values, limits)
            axis.set_xticks(range(len(across)), across, rotation=30 if max(map(len, across)) > 8 else 0)
            axis.set_yticks(range(len(upwards)), upwards)
            axis.set_title(_titles(grid, "panel")[panel] if index == 0 and panel else "", loc="left")
        figure.colorbar(image, ax=list(axes[index]), label=label_of(metric))
        axes[index][0].set_ylabel(", ".join(grid.placed["series"]))
    _label_columns(axes, ", ".join(grid.placed["x"]))
    seeds = table["seed"].nunique()
    figure.suptitle(f"{title}: mean of {seeds} seeds" if seeds > 1 else f"{title}: one seed", x=0.01, ha="left", fontsize=8.5)
    widest = max(
        (mean_and_half_width(group[metric])[1] / max(abs(group[metric].mean()), 1e-300)
         for metric in metrics for _, group in table.groupby("point") if group[metric].notna().all()), default=0.0
    )  # fmt: skip
    shows = f"{', '.join(metrics)} over {', '.join(grid.placed['x'])} and {', '.join(grid.placed['series'])}: means over the seeds"
    interval = f"; half the 95 % interval (Student's t) is at most {100 * widest:.2g} % of the mean" if seeds > 1 else ""
    return [Drawing("", figure, f"{shows}{interval}.", _weak_notes(table, metrics))]


def _mean(values: pandas.Series) -> float:
    return mean_and_half_width(values)[0] if len(values) else math.nan


def _write_fields(axes, values: list[list[float]], limits: dict[str, float]) -> None:
    middle = (limits["vmin"] + limits["vmax"]) / 2
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            text = f"{value:.3g}" if math.isfinite(value) else "no runs"
            axes.text(x, y, text, ha="center", va="center", fontsize=7, color="white" if value > middle else "black")


#: Kinds of figures of a sweep.
KINDS: dict[str, Callable[..., list[Drawing]]] = {
    "lines": draw_lines,
    "latency-throughput": draw_latency_throughput,
    "heat": draw_heat,
}
