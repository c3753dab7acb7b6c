# SPDX-License-Identifier: GPL-2.0-only
"""What bounds the rate of small RPCs: the cores of a server, or the engine of its RNIC."""

from __future__ import annotations

import numpy
import pandas
from matplotlib.ticker import FuncFormatter

from . import style

CORES, PROFILE = "host.server_cores", "rnic.profile"


def draw_host(table: pandas.DataFrame, call_cost: float, engine_costs: dict[str, float], title: str):
    """Left: RPCs a second against cores, and both limits. Right: how busy the cores are.

    call_cost is that of an RPC on a core, engine_costs those of a message in each profile's engine, in seconds.
    """
    figure, (left, right) = style.new_figure(
        1, 2, figsize=(style.WIDTH_INCHES, 3.1), gridspec_kw={"width_ratios": (1.55, 1)}
    )
    cores = numpy.array(sorted(table[CORES].astype(int).unique()))
    left.plot(cores, cores / call_cost / 1e6, "--", color=style.GREY, linewidth=0.9)
    left.annotate(
        f"cores / {call_cost * 1e6:g} µs", (cores[-1], cores[-1] / call_cost / 1e6), xytext=(-12, 3),
        textcoords="offset points", ha="right", color=style.GREY,
    )
    profiles = list(dict.fromkeys(table[PROFILE]))
    for profile, (colour, marker) in zip(profiles, style.SERIES):
        part = table[table[PROFILE] == profile]
        measured = part.groupby(part[CORES].astype(int))
        look = {"color": colour, "marker": marker, "label": profile, "linewidth": 0.9}
        rates, busy = measured["rpcs_per_second"].mean() / 1e6, measured["server_cpu_busy"].mean() * 100
        left.plot(rates.index, rates, **look)
        right.plot(busy.index, busy, **look)
        limit = 1 / engine_costs[profile] / 1e6
        if limit < 1.2 * cores[-1] / call_cost / 1e6:
            left.axhline(limit, linestyle=":", color=colour, linewidth=1.1)
            # Where the measured points are not.
            reached_late = limit > cores[len(cores) // 2] / call_cost / 1e6
            left.annotate(
                f"engine, {engine_costs[profile] * 1e9:g} ns a message",
                (cores[0] if reached_late else cores[-1], limit), xytext=(0, 3), textcoords="offset points",
                ha="left" if reached_late else "right", color=colour,
            )
    left.set_yscale("log")
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    left.set_ylabel("RPCs (million/s)")
    left.legend(loc="lower right")
    right.set_ylabel("Server's cores busy (%)")
    right.set_ylim(0, 105)
    for axes in (left, right):
        axes.set_xscale("log", base=2)
        axes.set_xticks(cores, [str(count) for count in cores])
        axes.minorticks_off()
        axes.set_xlabel("Cores of the server")
        axes.grid(axis="y")
    figure.suptitle(f"{title}: small RPCs to one server; points: measured", x=0.01, ha="left", fontsize=8)
    figure.tight_layout(pad=0.4, w_pad=1.5, rect=(0, 0, 1, 0.985))
    return figure
