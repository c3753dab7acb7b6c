# SPDX-License-Identifier: GPL-2.0-only
"""What prompt, slow and dead requesters cost, by the way in which replies come."""

from __future__ import annotations

from dataclasses import dataclass

import pandas

from . import style
from .sweep import mean_and_half_width

REQUESTER, MECHANISM = "faults.requester", "rpcrdma.profile"

#: Mechanisms by profile.
NAMES = {
    "linux-6.1": "Reply chunk (Linux)",
    "client-invalidates": "Reply chunk, client invalidates",
    "draft-read-chunks": "Read chunk, notice invalidates",
    "read-chunk-replies": "Read chunk",
    "pull-invalidates": "Read chunk, last Read invalidates",
    "notices-on-credits": "Read chunk, notices take credits",
    "large-threshold": "Send only (64 KiB)",
    "message-continuation": "message continuation",
}


@dataclass(frozen=True)
class Panel:
    """A measure: its mean is a marker; upper, if given, is the end of a line from there."""

    column: str
    label: str
    divisor: float = 1.0
    logarithmic: bool = False
    upper: str = ""


PANELS = (
    Panel("troubled:readdirplus:latency_mean_us", "RPC of that client (µs)", logarithmic=True),
    Panel("others:readdirplus:latency_mean_us", "RPC of the others (µs)"),
    Panel("server_memory_mean_octets", "Server memory (MiB)", 1048576, True, "server_memory_peak_octets"),
    Panel("exposed_number", "Exposed replies (mean)"),
    Panel("exposed_stay_us", "Time exposed (µs)", 1.0, True, "exposed_longest_stay_us"),
    Panel("stack_credit_us", "Wait for credits (µs/RPC)"),
)

COLUMNS = tuple(dict.fromkeys(name for panel in PANELS for name in (panel.column, panel.upper) if name))


def kind_of(fault: str) -> str:
    """What a requester with that fault is."""
    if fault == "none":
        return "prompt"
    return "slow" if "slow-receiver" in fault else "dead" if "crash" in fault else fault


def draw_requesters(table: pandas.DataFrame, title: str):
    """Six panels over the same rows of mechanisms; table has the columns above, empty where nothing was measured."""
    mechanisms = list(dict.fromkeys(table[MECHANISM]))
    requesters = list(dict.fromkeys(table[REQUESTER]))
    figure, grid = style.new_figure(2, 3, figsize=(style.WIDTH_INCHES + 1.0, 0.36 * len(mechanisms) + 2.4), sharey=True)
    for panel, axes in zip(PANELS, grid.flat):
        for index, (requester, (colour, marker)) in enumerate(zip(requesters, style.SERIES)):
            shift = (index - (len(requesters) - 1) / 2) * 0.24
            for row, mechanism in enumerate(mechanisms):
                part = table[(table[MECHANISM] == mechanism) & (table[REQUESTER] == requester)]
                _draw_point(axes, part, panel, row + shift, colour, marker)
            axes.plot([], [], marker, color=colour, label=kind_of(requester))
        if panel.logarithmic:
            axes.set_xscale("log")
            style.label_powers(axes.xaxis)
        else:
            axes.set_xlim(0, axes.get_xlim()[1])
        axes.set_xlabel(panel.label)
        axes.set_yticks(range(len(mechanisms)), [NAMES.get(name, name) for name in mechanisms])
        axes.set_ylim(len(mechanisms) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x")
        for row in range(1, len(mechanisms)):
            axes.axhline(row - 0.5, color="#d8d8d8", linewidth=0.5)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), title="requester", title_fontsize=8)
    figure.suptitle(f"{title}: what slow and dead requesters cost, by the way in which replies come\nmarkers are means, lines end at the peak", x=0.01, ha="left", fontsize=8)
    figure.tight_layout(pad=0.4, w_pad=1.0, h_pad=1.0, rect=(0, 0.09, 1, 0.98))
    return figure


def _draw_point(axes, part: pandas.DataFrame, panel: Panel, place: float, colour: str, marker: str) -> None:
    values = part[panel.column].dropna() / panel.divisor
    if values.empty:
        return
    mean, half = mean_and_half_width(values)
    axes.errorbar(mean, place, xerr=half or None, color=colour, marker=marker, capsize=1.5, elinewidth=0.8)
    if panel.upper:
        axes.plot([mean, part[panel.upper].max() / panel.divisor], [place, place], color=colour, linewidth=1.0)
        axes.plot([part[panel.upper].max() / panel.divisor], [place], "|", color=colour, markersize=5)
