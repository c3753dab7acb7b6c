# SPDX-License-Identifier: GPL-2.0-only
"""Many flows through one link: the queue before it under different congestion controls."""

from __future__ import annotations

import pandas
from matplotlib.ticker import MaxNLocator

from . import style

CONTROL, DIRECTION = "tcp.congestion_control", "workload.readwrite"
DASHES = ("-", (0, (4, 1.2)), (0, (1.2, 1.2)), "-.")
HATCHES = ("", "////", "....", "xxxx")
DIRECTIONS = {"randread": "READ", "read": "READ", "randwrite": "WRITE", "write": "WRITE"}


def draw_incast(
    table: pandas.DataFrame, queues: dict[str, pandas.DataFrame], threshold: float, room: float, title: str
):
    """Left: the queue of the narrow link against time. Right: its mean, and the frames lost.

    queues has for each control a table time_s, queue_octets; threshold and room are octets.
    """
    figure, (left, right) = style.new_figure(
        1, 2, figsize=(style.WIDTH_INCHES, 3.0), gridspec_kw={"width_ratios": (1.45, 1)}
    )
    controls = list(queues)
    looks = {
        control: {"color": colour, "linestyle": dash}
        for control, (colour, _), dash in zip(controls, style.SERIES, DASHES)
    }
    for control, queue in queues.items():
        left.step(
            queue["time_s"] * 1e3, queue["queue_octets"] / 1024, where="post", linewidth=0.9, label=_name(control),
            **looks[control],
        )
    left.set_xlabel("Time (ms)")
    left.set_ylabel("Queue before the narrow link (KiB)")
    left.set_ylim(0, room / 1024 * 1.18)
    left.set_xlim(left=0)
    left.legend(loc="upper center", ncols=len(controls), borderaxespad=0, handlelength=2.2)
    directions = list(dict.fromkeys(table[DIRECTION]))
    width = 0.8 / len(controls)
    for index, control in enumerate(controls):
        part = table[table[CONTROL] == control].groupby(DIRECTION)
        mean, lost = part["queue_mean_octets"].mean() / 1024, part["frames_dropped"].mean()
        for place, direction in enumerate(directions):
            at = place + (index - (len(controls) - 1) / 2) * width
            right.bar(
                at, mean[direction], width * 0.9, color=looks[control]["color"], hatch=HATCHES[index],
                edgecolor="white", linewidth=0,
            )
            right.annotate(
                f"{lost[direction]:.0f}", (at, mean[direction]), xytext=(0, 2), textcoords="offset points", ha="center"
            )
    right.set_xticks(range(len(directions)), [DIRECTIONS.get(direction, direction) for direction in directions])
    right.set_ylabel("Mean queue (KiB); above: frames lost")
    right.set_ylim(0, room / 1024 * 1.18)
    for axes in (left, right):
        axes.axhline(threshold / 1024, color=style.BLACK, linewidth=0.7, linestyle=":")
        axes.axhline(room / 1024, color=style.GREY, linewidth=0.7)
        axes.yaxis.set_major_locator(MaxNLocator(6))
        axes.grid(axis="y")
    for text, level, colour in (("marks", threshold, style.BLACK), ("full", room, style.GREY)):
        left.annotate(
            text, (1, level / 1024), xycoords=("axes fraction", "data"), xytext=(3, 0), textcoords="offset points",
            va="center", color=colour, annotation_clip=False,
        )
    figure.suptitle(title, x=0.01, ha="left", fontsize=8)
    figure.tight_layout(pad=0.4, w_pad=1.5, rect=(0, 0, 1, 0.985))
    return figure


def _name(control: str) -> str:
    return {"TcpDctcp": "DCTCP", "TcpCubic": "CUBIC", "TcpLinuxReno": "Reno", "TcpBbr": "BBR"}.get(control, control.removeprefix("Tcp"))
