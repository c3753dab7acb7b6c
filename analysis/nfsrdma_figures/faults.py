# SPDX-License-Identifier: GPL-2.0-only
"""What faults cost: the time by which each makes the same work longer."""

from __future__ import annotations

import pandas

from . import style

FAULT, VERSION = "faults.fault", "nfs.version"
NONE = "none"
HATCHES = ("", "/////", ".....")
SHADES = (style.BLUE, style.ORANGE, style.GREEN)


def added_time(table: pandas.DataFrame) -> pandas.Series:
    """Seconds by fault and version, the mean over seeds less that of a run without a fault."""
    durations = table.groupby([VERSION, FAULT], sort=False)["duration_s"].mean()
    without = durations.xs(NONE, level=FAULT)
    return durations.subtract(without, level=VERSION, axis=0).drop(NONE, level=FAULT)


def draw_faults(table: pandas.DataFrame, title: str):
    """A bar for each fault and version, from nothing to the added time in ms, on a logarithmic scale."""
    added = added_time(table) * 1e3
    versions = list(dict.fromkeys(table[VERSION]))
    faults = [fault for fault in dict.fromkeys(table[FAULT]) if fault != NONE]
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, 0.42 * len(faults) + 0.95))
    height = 0.8 / len(versions)
    least = 10.0 ** -3
    for index, version in enumerate(versions):
        for place, fault in enumerate(faults):
            at = place + (index - (len(versions) - 1) / 2) * height
            value = added[version, fault]
            axes.barh(
                at, max(value, least) , height * 0.9, color=SHADES[index % 3], hatch=HATCHES[index % 3],
                edgecolor="white", linewidth=0, label=f"NFSv{version}" if place == 0 else None,
            )
            axes.annotate(
                _milliseconds(value), (max(value, least), at), xytext=(3, 0), textcoords="offset points", va="center",
                fontsize=7,
            )
    axes.set_xscale("log")
    style.label_powers(axes.xaxis)
    axes.set_xlim(least, max(added.max(), least) * 8)
    axes.set_yticks(range(len(faults)), faults)
    axes.set_ylim(len(faults) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("Time added to the work (ms)")
    axes.grid(axis="x")
    axes.legend(loc="upper right", handlelength=1.6)
    figure.suptitle(f"{title}: what one fault costs a client that writes", x=0.01, ha="left", fontsize=8)
    figure.tight_layout(pad=0.4, rect=(0, 0, 1, 0.985))
    return figure


def _milliseconds(value: float) -> str:
    if value <= 0:
        return "0"
    return f"{value:,.0f}".replace(",", "\u2009") if value >= 100 else f"{value:.3g}"
