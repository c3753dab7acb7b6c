# SPDX-License-Identifier: GPL-2.0-only
"""Rate and latency of a run against time, with its phases shaded and its events marked."""

from __future__ import annotations

from pathlib import Path

import numpy
import pandas
from matplotlib.ticker import FuncFormatter, LogFormatter

from . import style
from .caption import read_window
from .percentile import carries
from .results import ResultsError, read_header, read_object, read_table
from .sweep import thousands
from .timeline import EVENT_COLUMNS, FAULT_COLUMNS, Timeline, list_marks

BINS = 80
_SHADES = ("#ececec", "#ffffff", "#d8d8d8", "#f6f6f6")


def read_phases(directory: Path, rpcs: pandas.DataFrame) -> list[tuple[str, float, float]]:
    """Name, begin and end (s) of each phase: of phases.csv or summary.json, else the window of that and what lies around it."""
    last = rpcs["complete_ns"].max() / 1e9
    path = directory / "phases.csv"
    if path.exists() and {"phase", "begin_ns", "end_ns"} <= set(read_header(path)):
        table = read_table(path, ["phase", "begin_ns", "end_ns"], ("phase",))
        return [(row.phase, row.begin_ns / 1e9, row.end_ns / 1e9) for row in table.itertuples()]
    path = directory / "summary.json"
    window = read_object(path).get("window")
    if found := window.get("phases") if isinstance(window, dict) else None:
        try:
            begins = [float(phase["begins_s"]) for phase in found] + [last]
            spans = [(str(phase["phase"]), begins[index], begins[index + 1]) for index, phase in enumerate(found)]
        except (TypeError, KeyError, ValueError):
            raise ResultsError(f"{path}: window.phases: not as a run writes them") from None
        return [span for span in spans if span[2] > span[1] and span[0] != "done"]
    begin, end = read_window(directory / "summary.json")
    phases = [("set-up", 0.0, begin), ("measurement", begin, end), ("drain", end, last)]
    return [phase for phase in phases if phase[2] > phase[1]]


def read_marks(directory: Path, end_ns: int):
    """Faults and lost connections, timeouts and recoveries of all clients, where the run wrote them."""
    columns = {"events.csv": (EVENT_COLUMNS, ("host", "client", "kind", "connection", "what")),
               "faults.csv": (FAULT_COLUMNS, ("name", "host", "event", "what"))}  # fmt: skip
    tables = {}
    for name, (wanted, texts) in columns.items():
        tables[name] = pandas.DataFrame(columns=wanted)
        if (directory / name).exists():
            found = read_table(directory / name, wanted, texts, may_be_empty=True)
            tables[name] = found[found["time_ns"] <= end_ns]
    span = pandas.DataFrame({"time_ns": [0, end_ns]})
    return list_marks(Timeline("all", span, tables["events.csv"], tables["faults.csv"]))


def bin_rpcs(rpcs: pandas.DataFrame, bins: int = BINS) -> tuple[numpy.ndarray, numpy.ndarray, dict[str, numpy.ndarray]]:
    """Edges of bins (s), RPCs completed a second in each, and median and p99 (us) of those that arrived in each.

    A percentile is NaN in bins that do not carry it.
    """
    end = rpcs["complete_ns"].max()
    if end <= 0:
        raise ResultsError("rpc.csv: no RPC completed after the time 0")
    edges = numpy.linspace(0, end, bins + 1)
    completed, _ = numpy.histogram(rpcs["complete_ns"], edges)
    bin_of = numpy.clip(numpy.searchsorted(edges, rpcs["arrival_ns"], side="right") - 1, 0, bins - 1)
    latencies = rpcs["latency_us"].groupby(bin_of)
    lines = {}
    for name, share in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99)):
        values = numpy.full(bins, numpy.nan)
        for index, group in latencies:
            if carries(share, len(group)):
                values[index] = group.quantile(share, interpolation="nearest")
        lines[name] = values
    return edges / 1e9, completed / (edges[1] / 1e9), lines


def draw(rpcs: pandas.DataFrame, phases: list[tuple[str, float, float]], marks: list, title: str):
    """Above the rate, below the latencies; events are numbered, and listed in the caption."""
    edges, rates, lines = bin_rpcs(rpcs)
    figure, (above, below) = style.new_figure(2, 1, figsize=(style.WIDTH_INCHES, 3.6), sharex=True, layout="constrained")
    scale, unit = (1e3, "ms") if edges[-1] < 1 else (1.0, "s")
    above.stairs(rates, edges * scale, color=style.BLUE, linewidth=1.0)
    above.set_ylim(0, max(rates.max() * 1.15, 1))
    above.yaxis.set_major_formatter(FuncFormatter(thousands))
    above.set_ylabel("RPCs completed (1/s)")
    middles = (edges[1:] + edges[:-1]) / 2 * scale
    for (name, values), (colour, marker) in zip(lines.items(), style.SERIES):
        if not numpy.isnan(values).all():
            below.plot(middles, values, color=colour, marker=marker, markersize=2.5, linewidth=0.8, label=name)
    if below.lines:
        below.set_yscale("log")
        for place in (below.yaxis.set_major_formatter, below.yaxis.set_minor_formatter):
            place(LogFormatter(minor_thresholds=(1.5, 0.7)))
        below.legend(loc="upper right", ncols=3)
    below.set_ylabel("Latency by arrival (µs)")
    below.set_xlabel(f"Time ({unit})")
    below.set_xlim(0, edges[-1] * scale)
    for panel in (above, below):
        panel.grid(axis="y")
        for index, (_, begin, end) in enumerate(phases):
            panel.axvspan(begin * scale, end * scale, color=_SHADES[index % len(_SHADES)], zorder=0, linewidth=0)
        for mark in marks:
            panel.axvline(mark.time * scale, color=style.BLACK, linewidth=0.6, linestyle=(0, (1, 2)))
    at = {"xycoords": ("data", "axes fraction"), "ha": "center"}
    for name, begin, end in phases:
        if end - begin > 0.01 * len(name) * edges[-1]:
            above.annotate(name, ((begin + end) / 2 * scale, 0.97), va="top", fontsize=7, **at)
    for number, mark in enumerate(marks, 1):
        above.annotate(str(number), (mark.time * scale, 1), va="bottom", fontsize=6.5, **at)
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure


def notes(phases: list[tuple[str, float, float]], marks: list) -> list[str]:
    lines = ["Phases: " + "; ".join(f"{name} {begin:.9g} s to {end:.9g} s" for name, begin, end in phases) + "."]
    lines += [f"{number}: {mark.time:.9g} s: {mark.text}" for number, mark in enumerate(marks, 1)]
    return lines
