# SPDX-License-Identifier: GPL-2.0-only
"""Where the time of a work request goes in the RNIC: mean of each stage, by profile and verb."""

from __future__ import annotations

from pathlib import Path

import pandas

from . import style
from .results import ResultsError, read_header, read_table

SUFFIX = ".stages"
_TEXTS = ("side", "kind", "status")
_OTHERS = (*_TEXTS, "queue_pair", "id", "posted_ns", "total")
_KINDS = {"send-lat": ("SEND", "Send"), "write-lat": ("RDMA_WRITE", "RDMA Write"), "read-lat": ("RDMA_READ", "RDMA Read")}
_HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "----", "++++", "oo", "||||", "**")


def read_stages(directory: Path) -> pandas.DataFrame:
    """A row for each PROFILE-PROGRAM.stages of a directory: mean nanoseconds of the client's work requests by stage.

    ResultsError when the stages of a work request do not add up to its total.
    """
    rows = []
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        program = next((name for name in _KINDS if path.stem.endswith(f"-{name}")), None)
        if program is None:
            raise ResultsError(f"{path}: no table of send-lat, write-lat or read-lat")
        kind, verb = _KINDS[program]
        stages = [name for name in read_header(path) if name not in _OTHERS]
        table = read_table(path, [*_TEXTS, *stages, "total"], _TEXTS)
        table = table[(table["side"] == "client") & (table["kind"] == kind)]
        if table.empty:
            raise ResultsError(f"{path}: no {kind} of the client")
        if (abs(table[stages].sum(axis=1) - table["total"]) > 0.5).any():
            raise ResultsError(f"{path}: stages of a work request do not add up to its total")
        profile = path.stem.removesuffix(f"-{program}")
        rows.append({"profile": profile, "verb": verb, "n": len(table), **table[stages].mean().to_dict()})
    return pandas.DataFrame(rows)


def draw(table: pandas.DataFrame):
    """A bar for each profile and verb, as long as the mean from post to poll, in pieces for the stages."""
    stages = [name for name in table.columns if name not in ("profile", "verb", "n") and (table[name] > 0).any()]
    rows = table.sort_values(["verb", "profile"], kind="stable")
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, 0.22 * len(rows) + 1.6), layout="constrained")
    left = [0.0] * len(rows)
    for index, name in enumerate(stages):
        widths = list(rows[name].fillna(0) / 1e3)
        axes.barh(
            range(len(rows)), widths, 0.7, left=left, color=style.SERIES[index % len(style.SERIES)][0],
            hatch=_HATCHES[index % len(_HATCHES)], edgecolor="white", linewidth=0.3, label=name,
        )  # fmt: skip
        left = [start + width for start, width in zip(left, widths)]
    axes.set_yticks(range(len(rows)), [f"{row.verb}, {row.profile}" for row in rows.itertuples()])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, max(left) * 1.02)
    axes.set_xlabel("Mean time of a work request, post to poll (µs)")
    axes.grid(axis="x")
    style.legend_below(figure, *axes.get_legend_handles_labels())
    figure.suptitle("Where the time of a work request goes in the RNIC", x=0.01, ha="left", fontsize=8.5)
    return figure
