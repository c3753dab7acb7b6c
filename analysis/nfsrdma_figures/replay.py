# SPDX-License-Identifier: GPL-2.0-only
"""Figures of one run: latency per operation and transfer forms used."""

from __future__ import annotations

import numpy
import pandas
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from . import percentile, style

_MOST_POINTS = 400
_FEW_POINTS = 30
_ROW_INCHES = 0.23
_FORM_STYLES = {
    "inline": (style.SKY, ""),
    "Read chunk": (style.ORANGE, "////"),
    "Write chunk": (style.GREEN, "\\\\\\\\"),
    "Reply chunk": (style.PURPLE, "xxxx"),
    "Position-Zero Read chunk": (style.YELLOW, "...."),
    "Read chunk + Reply chunk": (style.VERMILION, "----"),
    "Position-Zero Read chunk + Reply chunk": (style.BLUE, "++++"),
}
# Marks of percentiles that a sample may carry.
_HIGH = {0.9: ("D", style.VERMILION), 0.99: ("^", style.PURPLE)}
_OTHER_STYLES = ((style.GREY, "oo"), ("#c8c8c8", "||||"), ("#505050", "**"))


def _operations(rpcs: pandas.DataFrame) -> list[tuple[str, pandas.DataFrame]]:
    """Groups by operation in order of program and procedure; a name that several programs use carries the number."""
    programs = rpcs.groupby("operation")["program"].nunique()
    groups = []
    for (program, _procedure, operation), group in rpcs.groupby(["program", "procedure", "operation"], sort=True):
        groups.append((operation if programs[operation] == 1 else f"{operation} ({program})", group))
    return groups


def _figure_with_rows(rows: int, extra_inches: float):
    height = _ROW_INCHES * rows + extra_inches
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, height))
    axes.set_ylim(rows - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    return figure, axes


def _microseconds(value: float, _position=None) -> str:
    if value >= 10:
        return f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:g}"


def draw_latency(rpcs: pandas.DataFrame, title: str):
    """Every RPC as a point, quartiles as a box, median and the high percentiles that the sample carries marked."""
    groups = _operations(rpcs)
    figure, axes = _figure_with_rows(len(groups), 1.05)
    random = numpy.random.default_rng(1)
    point_label = "one RPC"
    lowest, highest = numpy.inf, 0.0
    for row, (_operation, group) in enumerate(groups):
        latency = numpy.sort((group["complete_ns"] - group["submit_ns"]).to_numpy() / 1000.0)
        latency = latency[latency > 0]
        if latency.size == 0:
            continue
        lowest, highest = min(lowest, latency[0]), max(highest, latency[-1])
        first, median, third = numpy.percentile(latency, (25, 50, 75))
        shown = latency
        if latency.size > _MOST_POINTS:
            point_label = f"one RPC ({_MOST_POINTS} at most)"
            shown = latency[numpy.linspace(0, latency.size - 1, _MOST_POINTS).astype(int)]
        jitter = random.uniform(-0.24, 0.24, shown.size) if shown.size > 1 else numpy.zeros(1)
        crowded = shown.size > _FEW_POINTS
        axes.plot(
            shown,
            row + jitter,
            ".",
            color=style.SKY,
            markersize=2.6 if crowded else 4.5,
            markeredgewidth=0,
            alpha=0.75 if crowded else 1.0,
            zorder=2 if crowded else 5,
        )
        if latency.size >= 4:
            axes.barh(row, third - first, 0.56, left=first, fill=False, edgecolor=style.BLUE, linewidth=0.8, zorder=3)
        axes.plot([median, median], [row - 0.36, row + 0.36], color=style.BLACK, linewidth=1.5, zorder=4)
        for share, (marker, colour) in _HIGH.items():
            if percentile.carries(share, latency.size):
                high = numpy.percentile(latency, 100 * share)
                axes.plot(high, row, marker, color=colour, markersize=3.6, markeredgewidth=0, zorder=6)
    axes.set_xscale("log")
    _log_limits(axes, lowest, highest)
    axes.grid(axis="x")
    axes.set_yticks(range(len(groups)), [f"{operation}  n={len(group)}" for operation, group in groups])
    axes.set_xlabel("Latency, arrival to completion (µs)")
    axes.set_title(title, loc="left", pad=20)
    handles = [
        Line2D([], [], linestyle="", marker=".", color=style.SKY, markersize=5, markeredgewidth=0, label=point_label),
        Patch(fill=False, edgecolor=style.BLUE, linewidth=0.8, label="quartiles"),
        Line2D([], [], linestyle="", marker="|", color=style.BLACK, markersize=7, markeredgewidth=1.5, label="median"),
    ]
    most = max((len(group) for _, group in groups), default=0)
    handles += [
        Line2D([], [], linestyle="", marker=marker, color=colour, markersize=3.6,
               label=f"p{100 * share:g} (n ≥ {percentile.least_count(share)})")
        for share, (marker, colour) in _HIGH.items()
        if percentile.carries(share, most)
    ]  # fmt: skip
    axes.legend(
        handles=handles, loc="lower right", bbox_to_anchor=(1.0, 0.995), ncol=len(handles), columnspacing=1.4, handletextpad=0.4,
        borderaxespad=0.1,
    )
    figure.tight_layout(pad=0.4)
    return figure


def _log_limits(axes, lowest: float, highest: float) -> None:
    if not highest:
        return
    low, high = lowest / 1.15, highest * 1.15
    if high / low < 4:
        middle = (low * high) ** 0.5
        low, high = middle / 2, middle * 2
    axes.set_xlim(low, high)
    span = high / low
    subs = (1.0,) if span > 300 else (1.0, 2.0, 5.0) if span > 12 else (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0)
    axes.xaxis.set_major_locator(LogLocator(base=10, subs=subs))
    axes.xaxis.set_major_formatter(FuncFormatter(_microseconds))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _form_labels(rpcs: pandas.DataFrame) -> pandas.Series:
    labels = []
    no_message = rpcs["call_type"].isin(("1", "RDMA_NOMSG"))
    columns = (no_message, rpcs["read_segments"] > 0, rpcs["write_chunks"] > 0, rpcs["reply_segments"] > 0)
    for long_call, reads, writes, reply in zip(*columns):
        parts = []
        if long_call:
            parts.append("Position-Zero Read chunk")
        elif reads:
            parts.append("Read chunk")
        if writes:
            parts.append("Write chunk")
        if reply:
            parts.append("Reply chunk")
        labels.append(" + ".join(parts) or "inline")
    return pandas.Series(labels, index=rpcs.index)


def draw_forms(rpcs: pandas.DataFrame, title: str):
    """Share of the transfer forms in each operation."""
    groups = _operations(rpcs)
    labels = _form_labels(rpcs)
    used = [form for form in _FORM_STYLES if (labels == form).any()]
    used += sorted(set(labels) - set(_FORM_STYLES))
    styles = dict(_FORM_STYLES)
    for index, form in enumerate(form for form in used if form not in styles):
        styles[form] = _OTHER_STYLES[index % len(_OTHER_STYLES)]
    columns = 4 if max(map(len, used)) < 20 else 2
    legend_rows = -(-len(used) // columns)
    figure, axes = _figure_with_rows(len(groups), 0.85 + 0.17 * legend_rows)
    for row, (_operation, group) in enumerate(groups):
        counts = labels.loc[group.index].value_counts()
        left = 0.0
        for form in used:
            share = 100.0 * counts.get(form, 0) / len(group)
            if share == 0:
                continue
            colour, hatch = styles[form]
            axes.barh(row, share, 0.66, left=left, color=colour, hatch=hatch, edgecolor="black", linewidth=0.4)
            left += share
        axes.annotate(f"{len(group)}", (100, row), (4, 0), textcoords="offset points", va="center")
    axes.annotate("RPCs", (100, -0.6), (4, 3), textcoords="offset points", va="bottom", fontsize=8)
    axes.set_xlim(0, 100)
    axes.set_yticks(range(len(groups)), [operation for operation, _ in groups])
    axes.set_xlabel("Share of the operation's RPCs by chunks the call offers (%)")
    axes.grid(axis="x")
    axes.set_title(title, loc="left", pad=8 + 13 * legend_rows)
    handles = [
        Patch(facecolor=colour, hatch=hatch, edgecolor="black", linewidth=0.4, label=form)
        for form, (colour, hatch) in ((form, styles[form]) for form in used)
    ]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=columns, columnspacing=1.4,
        handletextpad=0.5, borderaxespad=0.2,
    )
    figure.tight_layout(pad=0.4)
    return figure
