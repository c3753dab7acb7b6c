# SPDX-License-Identifier: GPL-2.0-only
"""How a client lost its connection and got it back: throughput, credits, windows, states and events against time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy
import pandas
from matplotlib.ticker import MaxNLocator

from . import style
from .results import ResultsError, read_table

NUMBERS = (
    "credits in_use pending rpcs received_octets sent_octets client_retransmissions server_retransmissions "
    "client_window server_window"
).split()
EVENT_COLUMNS = "time_ns host client kind connection what".split()
FAULT_COLUMNS = "time_ns name host event what until_ns".split()
# What lies closer together than this share of the time shown has one mark.
NEAR = 0.02
STATE_LOOKS = {
    "RTS": ("#ffffff", ""),
    "ESTABLISHED": ("#ffffff", ""),
    "TERMINATE": ("#000000", ""),
    "ERROR": ("#808080", ""),
    "CLOSING": ("#d0d0d0", "////"),
}
OTHER_LOOK = ("#d0d0d0", "////")
OVER = {"ERROR", "CLOSED"}


@dataclass(frozen=True)
class Mark:
    """Something that happened; times in seconds, the second of what lasts."""

    time: float
    text: str
    until: float | None = None


@dataclass(frozen=True)
class Timeline:
    client: str
    samples: pandas.DataFrame
    events: pandas.DataFrame
    faults: pandas.DataFrame


def read_timeline(directory: Path, client: str | None = None) -> Timeline:
    """Of one client: the one named, else the one whose connection was lost first, else the first."""
    path = directory / "timeline.csv"
    if not path.exists() and directory.is_dir():
        raise ResultsError(f"{path}: not there; the run writes it with [output] timeline = 100us")
    samples = read_table(path, ["time_ns", "client", *NUMBERS], ("client",))
    end = samples["time_ns"].max()
    events = read_table(
        directory / "events.csv", EVENT_COLUMNS, ("host", "client", "kind", "connection", "what"), may_be_empty=True
    )
    events = events[events["time_ns"] <= end]
    faults = pandas.DataFrame(columns=FAULT_COLUMNS)
    if (directory / "faults.csv").exists():
        faults = read_table(directory / "faults.csv", FAULT_COLUMNS, ("name", "host", "event", "what"), may_be_empty=True)
    if client is None:
        lost = events[(events["kind"] == "connection") & events["what"].str.startswith("lost")]
        client = lost["client"].iloc[0] if len(lost) else samples["client"].iloc[0]
    chosen = samples[samples["client"] == client]
    if len(chosen) < 2:
        raise ResultsError(f"{path}: less than two rows of {client}")
    if not (numpy.diff(chosen["time_ns"]) > 0).all():
        raise ResultsError(f"{path}: column time_ns: times of {client} do not increase")
    return Timeline(client, chosen, events[events["client"] == client], faults)


def list_marks(timeline: Timeline) -> list[Mark]:
    """Faults, ends and beginnings of connections, calls that waited too long, and RPCs that recover state."""
    span = (timeline.samples["time_ns"].max() - timeline.samples["time_ns"].min()) * NEAR
    found: list[tuple[int, str, list[str], int]] = []

    def add(time: int, kind: str, text: str, until: int) -> None:
        if found and found[-1][1] == kind and found[-1][3] == until == 0 and time - found[-1][0] <= span:
            found[-1][2].append(text)
        else:
            found.append((time, kind, [text], until))

    rows = [
        (row.time_ns, "fault", f"{row.name_}: {row.what}", row.until_ns if row.until_ns > row.time_ns else 0)
        for row in timeline.faults.rename(columns={"name": "name_"}).itertuples()
    ]
    rows += [
        (row.time_ns, row.kind, row.what, 0) for row in timeline.events.itertuples() if row.kind in ("connection", "timeout", "recovery")
    ]
    for row in sorted(rows, key=lambda row: row[0]):
        add(*row)
    marks = []
    for time, kind, texts, until in found:
        texts = [text.replace("lost:", "connection lost:") for text in texts]
        counted = [f"{texts.count(text)} x {text}" if texts.count(text) > 1 else text for text in dict.fromkeys(texts)]
        words = {"fault": "fault ", "connection": "", "timeout": "timed out: ", "recovery": "RPCs: "}[kind]
        marks.append(Mark(time / 1e9, words + ", ".join(counted), until / 1e9 if until else None))
    return marks


def list_states(timeline: Timeline, host: str, kind: str) -> list[tuple[float, float, str]]:
    """Begin, end and name of the states of a client's connections at a host, those that are over left out."""
    end = timeline.samples["time_ns"].max() / 1e9
    rows = timeline.events[(timeline.events["host"] == host) & (timeline.events["kind"] == kind)]
    states = []
    for _, part in rows.groupby("connection", sort=False):
        times = [*(part["time_ns"] / 1e9), end]
        states += [
            (begin, until, name)
            for begin, until, name in zip(times, times[1:], part["what"])
            if name not in OVER and name != "TIME_WAIT"
        ]
    return states


def rate_unit(most: float) -> tuple[str, float]:
    """The largest unit of rates in which a rate of bits a second is at least 1, and its bits a second."""
    units = (("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1.0))
    return next((unit for unit in units if most >= unit[1]), units[0])


def draw_timeline(timeline: Timeline, title: str):
    marks = list_marks(timeline)
    lines = [f"{number}  {_tell_time(mark)}  {mark.text}" for number, mark in enumerate(marks, 1)]
    wrapped = [part for line in lines for part in _wrap(line, 108)]
    below = 0.42 + 0.125 * len(wrapped)
    heights = (1.0, 1.0, 1.0, 0.62, 0.72)
    figure, panels = style.new_figure(
        len(heights), 1, sharex=True, figsize=(style.WIDTH_INCHES, 5.6 + below), gridspec_kw={"height_ratios": heights}
    )
    rates, credits, windows, losses, states = panels
    times = timeline.samples["time_ns"].to_numpy() / 1e6
    steps = numpy.diff(times)
    octets = {name: numpy.diff(timeline.samples[name].to_numpy()) for name in ("sent_octets", "received_octets")}
    unit, bits = rate_unit(max(float((moved * 8e3 / steps).max()) for moved in octets.values()))
    for column, name, colour, dash in (
        ("sent_octets", "sent", style.BLUE, "-"),
        ("received_octets", "received", style.VERMILION, (0, (3, 1.2))),
    ):
        rate = octets[column] * 8e3 / steps / bits
        rates.step(times[1:], rate, where="pre", color=colour, linestyle=dash, linewidth=0.9, label=f"{name} by the client")
    rates.set_ylabel(f"Throughput\n({unit})")
    for column, name, colour, dash, width in (
        ("credits", "credits granted", style.GREY, "-", 1.6),
        ("in_use", "in use", style.BLACK, "-", 0.9),
        ("pending", "RPCs outstanding", style.VERMILION, (0, (1.5, 1.2)), 1.1),
    ):
        credits.step(times, timeline.samples[column], where="post", color=colour, linestyle=dash, linewidth=width, label=name)
    credits.set_ylabel("Credits, RPCs")
    for side, colour, dash in (("client", style.BLUE, "-"), ("server", style.VERMILION, (0, (3, 1.2)))):
        window = timeline.samples[f"{side}_window"].to_numpy() / 1024
        windows.step(times, numpy.where(window > 0, window, numpy.nan), where="post", color=colour, linestyle=dash, linewidth=0.9, label=side)
        losses.step(times, timeline.samples[f"{side}_retransmissions"], where="post", color=colour, linestyle=dash, linewidth=0.9, label=f"of the {side}")
    windows.set_yscale("log")
    style.label_powers(windows.yaxis)
    windows.set_ylabel("Congestion\nwindow (KiB)")
    losses.set_ylabel("Segments\nrepeated")
    _draw_states(states, timeline, times[-1])
    for panel in panels:
        panel.set_xlim(times[0], times[-1])
        if panel is not states:
            panel.grid(axis="y")
            panel.legend(loc="lower left", bbox_to_anchor=(0, 0.98), ncols=3, borderaxespad=0, handlelength=2.2)
            if panel is not windows:
                panel.yaxis.set_major_locator(MaxNLocator(4, integer=panel is not rates))
                panel.set_ylim(0, panel.get_ylim()[1] if panel is rates else max(panel.get_ylim()[1], 1))
        for mark in marks:
            panel.axvline(mark.time * 1e3, color=style.BLACK, linewidth=0.5, linestyle=(0, (1, 2)), zorder=0.5)
            if mark.until is not None:
                panel.axvspan(mark.time * 1e3, min(mark.until * 1e3, times[-1]), color=style.GREY, alpha=0.25, linewidth=0, zorder=0.4)
    for numbers, time in _label_marks(marks, times[0] / 1e3, times[-1] / 1e3):
        rates.annotate(
            numbers, (time * 1e3, 1), xycoords=("data", "axes fraction"), xytext=(0, 13), textcoords="offset points",
            ha="center", va="bottom", fontsize=7,
        )
    states.set_xlabel("Time (ms)")
    for panel in panels:
        panel.yaxis.set_label_coords(-0.075, 0.5)
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    height = figure.get_size_inches()[1]
    figure.tight_layout(pad=0.4, h_pad=0.5, rect=(0, (below - 0.3) / height, 1, 1 - 0.2 / height))
    for index, text in enumerate(wrapped):
        figure.text(0.015, (0.125 * (len(wrapped) - index) - 0.06) / height, text, fontsize=7, va="center")
    return figure


def _tell_time(mark: Mark) -> str:
    begin = f"{mark.time * 1e3:.3f}"
    return f"{begin} ms" if mark.until is None else f"{begin} to {mark.until * 1e3:.3f} ms"


def _label_marks(marks: list[Mark], begin: float, end: float) -> list[tuple[str, float]]:
    """Numbers of marks and where they stand; marks too close for two numbers share a label, as "2-4"."""
    groups: list[list[int]] = []
    for index, mark in enumerate(marks):
        if groups and mark.time - marks[groups[-1][0]].time < NEAR * (end - begin):
            groups[-1].append(index)
        else:
            groups.append([index])
    return [
        (str(group[0] + 1) if len(group) == 1 else f"{group[0] + 1}-{group[-1] + 1}", marks[group[0]].time) for group in groups
    ]


def _draw_states(axes, timeline: Timeline, end: float) -> None:
    server = next((host for host in timeline.events["host"] if host != timeline.client), "server-0")
    rows = [("QP, client", timeline.client, "qp"), ("TCP, client", timeline.client, "tcp"), ("QP, server", server, "qp"), ("TCP, server", server, "tcp")]
    begin = timeline.samples["time_ns"].min() / 1e6
    for place, (_, host, kind) in enumerate(rows):
        for start, stop, name in list_states(timeline, host, kind):
            start, stop = max(start * 1e3, begin), stop * 1e3
            colour, hatch = STATE_LOOKS.get(name, OTHER_LOOK)
            axes.barh(place, stop - start, 0.72, left=start, color=colour, hatch=hatch, edgecolor=style.BLACK, linewidth=0.5)
            if stop - start > 0.012 * len(name) * (end - begin):
                axes.text(
                    (start + stop) / 2, place, name, ha="center", va="center", fontsize=6.5,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
                )
    axes.set_yticks(range(len(rows)), [label for label, _, _ in rows], fontsize=7)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _wrap(line: str, width: int) -> list[str]:
    lines = [""]
    for word in line.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("      ")
        lines[-1] += word + " "
    return lines
