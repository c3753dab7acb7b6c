# SPDX-License-Identifier: GPL-2.0-only
"""Latency and bandwidth against message size, profiles overlaid: what the programs like perftest's have measured."""

from __future__ import annotations

from pathlib import Path

import pandas
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, LogLocator, NullLocator

from . import style
from .results import ResultsError, read_table

VERBS = (("send", "Send"), ("write", "RDMA Write"), ("read", "RDMA Read"))
COLUMNS = "link_bps mtu queue_pairs bytes iterations".split()
TEXTS = ("program", "profile")
LATENCY, BANDWIDTH = "t_typical_us", "average_bps"
TICKS = ((2, "2"), (64, "64"), (2048, "2 Ki"), (65536, "64 Ki"), (2097152, "2 Mi"))


def read_runs(directory: Path) -> pandas.DataFrame:
    """All tables of a directory, one row a program, profile and size; columns of the other kind are empty."""
    if not directory.is_dir():
        raise ResultsError(f"{directory}: no such results directory")
    tables = []
    for path in sorted(directory.glob("*.csv")):
        value = LATENCY if path.stem.endswith("-lat") else BANDWIDTH
        tables.append(read_table(path, [*TEXTS, *COLUMNS, value], TEXTS))
    if not tables:
        raise ResultsError(f"{directory}: no tables of test programs (*-lat.csv, *-bw.csv)")
    return pandas.concat(tables, ignore_index=True)


# Of the legend; as many names of profiles fit on the width of a page.
LEGEND_COLUMNS = 4


def order_profiles(runs: pandas.DataFrame) -> list[str]:
    """Fastest first, by the least latency of any program."""
    best = runs.groupby("profile")[LATENCY].min() if LATENCY in runs else runs.groupby("profile")["bytes"].min()
    return list(best.fillna(float("inf")).sort_values(kind="stable").index)


def draw_perftest(runs: pandas.DataFrame):
    """Above: half round trips (Reads: round trips). Below: goodput, and what the link carries."""
    figure, axes = style.new_figure(2, 3, figsize=(style.WIDTH_INCHES, 4.6), sharex=True, sharey="row")
    profiles = order_profiles(runs)
    for column, (verb, name) in enumerate(VERBS):
        above, below = axes[0][column], axes[1][column]
        above.set_title(name)
        for number, profile in enumerate(profiles):
            colour, marker = style.SERIES[number % len(style.SERIES)]
            # Where two agree, the open marker is seen round the full one.
            fill, size = ("none", 5.0) if number % 2 == 0 else ("full", 2.6)
            look = {"color": colour, "marker": marker, "fillstyle": fill, "markersize": size,
                    "markeredgewidth": 0.8, "linewidth": 0.9, "label": profile}
            _plot(above, runs, f"{verb}-lat", profile, LATENCY, 1, look)
            _plot(below, runs, f"{verb}-bw", profile, BANDWIDTH, 1e9, look)
        _draw_links(above, below, runs, last=column == len(VERBS) - 1)
        for panel in (above, below):
            _style_axes(panel)
        below.set_xlabel("Message (octets)")
    axes[0][0].set_ylabel("Latency (µs)")
    axes[1][0].set_ylabel("Goodput (Gbit/s)")
    handles, labels = axes[0][0].get_legend_handles_labels()
    rows = -(-len(profiles) // LEGEND_COLUMNS)
    figure.tight_layout(pad=0.4, w_pad=0.8, h_pad=0.8, rect=(0, 0, 0.965, 0.94 - 0.04 * rows))
    figure.legend(handles, labels, loc="upper left", bbox_to_anchor=(0.005, 0.955), ncol=LEGEND_COLUMNS,
                  columnspacing=1.4, handletextpad=0.4, borderaxespad=0)
    mtus = ", ".join(str(mtu) for mtu in sorted(runs["mtu"].unique()))
    figure.suptitle(
        f"Verbs of two hosts on one cable, MTU {mtus}: typical latency and average goodput; grey is the cable alone",
        x=0.005, y=0.995, ha="left", va="top", fontsize=8,
    )
    return figure


def _plot(axes, runs, program, profile, column, unit, look) -> None:
    part = runs[(runs["program"] == program) & (runs["profile"] == profile)].sort_values("bytes")
    if column in part and not part.empty:
        axes.plot(part["bytes"], part[column] / unit, **look)


def _draw_links(above, below, runs, last: bool) -> None:
    """The time of the octets alone on each link, and its rate."""
    sizes = runs["bytes"].min(), runs["bytes"].max()
    floor = runs[LATENCY].min() if LATENCY in runs else 0
    for number, rate in enumerate(sorted(runs["link_bps"].unique(), reverse=True)):
        line = {"color": style.GREY, "linewidth": 0.8, "linestyle": ("--", ":", "-.")[number % 3], "zorder": 1}
        span = [size for size in sorted(runs["bytes"].unique()) if size * 8 / rate * 1e6 >= floor * 0.6]
        if span:
            above.plot(span, [size * 8 / rate * 1e6 for size in span], **line)
        below.plot(sizes, [rate / 1e9] * 2, **line)
        if last:
            below.annotate(f"{rate / 1e9:g}", (1, rate / 1e9), xycoords=("axes fraction", "data"), xytext=(3, 0),
                           textcoords="offset points", va="center", color=style.GREY, annotation_clip=False)


def _style_axes(axes) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(FixedLocator([octets for octets, _ in TICKS]))
    axes.xaxis.set_major_formatter(FixedFormatter([name for _, name in TICKS]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(True)
