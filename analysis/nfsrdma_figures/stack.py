# SPDX-License-Identifier: GPL-2.0-only
"""Where the time of RPCs went: mean of each segment of their latency, by operation and form."""

from __future__ import annotations

from pathlib import Path

import pandas

from . import style
from .results import ResultsError, read_header, read_table

_TEXTS = ("operation", "form")
#: Columns of latency-stack.csv that are no segment.
_OTHERS = (*_TEXTS, "point", "seed", "rpcs", "total_ns", "latency_ns")
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "++++", "oo", "||||", "**")
MOST_ROWS = 40


def read_stack(directory: Path) -> tuple[pandas.DataFrame, list[str]]:
    """latency-stack.csv and its segments, whose columns end in _ns: sums over the RPCs of a row.

    ResultsError when the segments of a row do not add up to its total, where the table has one.
    """
    path = directory / "latency-stack.csv"
    header = read_header(path)
    segments = [name for name in header if name.endswith("_ns") and name not in _OTHERS]
    if not segments:
        raise ResultsError(f"{path}: no column of a segment, SEGMENT_ns")
    total = [name for name in ("total_ns", "latency_ns") if name in header]
    table = read_table(path, [*_TEXTS, "rpcs", *total, *segments], _TEXTS)
    table = table[table["rpcs"] > 0]
    if table.empty:
        raise ResultsError(f"{path}: no RPCs")
    for name in total:
        for _, row in table.iterrows():
            if abs(row[segments].sum() - row[name]) > 0.5:
                raise ResultsError(
                    f"{path}: {row['operation']} {row['form']}: segments add up to {row[segments].sum():.0f} ns, "
                    f"not {row[name]:.0f}"
                )
    return table, segments


def draw(table: pandas.DataFrame, segments: list[str], title: str):
    """A bar for each operation and form, as long as the mean latency, in pieces for the segments."""
    rows = table.sort_values(["rpcs", "operation", "form"], ascending=[False, True, True]).head(MOST_ROWS)
    used = [name for name in segments if (rows[name] > 0).any()]
    height = 0.25 * len(rows) + 1.1 + 0.17 * -(-len(used) // 4)
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, height), layout="constrained")
    left = [0.0] * len(rows)
    for index, name in enumerate(used):
        widths = list(rows[name] / rows["rpcs"] / 1e3)
        colour = style.SERIES[index % len(style.SERIES)][0]
        axes.barh(
            range(len(rows)), widths, 0.7, left=left, color=colour, hatch=_HATCHES[index % len(_HATCHES)],
            edgecolor="white", linewidth=0.3, label=name.removesuffix("_ns").replace("_", " "),
        )  # fmt: skip
        left = [start + width for start, width in zip(left, widths)]
    labels = [f"{row.operation} ({row.form})  n={row.rpcs:.0f}" for row in rows.itertuples()]
    axes.set_yticks(range(len(rows)), labels)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, max(left) * 1.02 or 1)
    axes.set_xlabel("Mean time of an RPC (µs)")
    axes.grid(axis="x")
    style.legend_below(figure, *axes.get_legend_handles_labels())
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure
