# SPDX-License-Identifier: GPL-2.0-only
"""Figures of a sweep in which policies stand side by side: rows of metrics, a curve for each policy."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import pandas
from matplotlib.ticker import FixedLocator, FuncFormatter, LogFormatter, NullLocator

from . import style
from .sweep import KeyAxis, key_axis, mean_and_half_width

LINES = ("-", "--", "-.", ":", (0, (7, 2)), (0, (3, 1, 1, 1, 1, 1)))


@dataclass(frozen=True)
class Metric:
    """A column of sweep.csv, what it is called and what it is divided by.

    "WORKLOAD:ITEM:COLUMN" is a column of workloads.csv: of the row of all clients, for that workload and item.
    """

    column: str
    label: str
    divisor: float = 1.0
    logarithmic: bool = False
    from_zero: bool = True


@dataclass(frozen=True)
class Curves:
    """What lies along the axis, what makes the curves, and what makes the columns of panels, if anything.

    names gives curves and panels other names than the values of their keys; ticks of a horizontal that is a number
    are divided by horizontal_divisor.
    """

    title: str
    horizontal: str
    horizontal_label: str
    curves: str
    metrics: tuple[Metric, ...]
    columns: str = ""
    logarithmic: bool = False
    names: dict[str, str] = field(default_factory=dict)
    horizontal_divisor: float = 1.0

    @property
    def keys(self) -> list[str]:
        return [key for key in (self.horizontal, self.curves, self.columns) if key]

    def name(self, value: str) -> str:
        return self.names.get(value, value)


RATE = Metric("rpcs_per_second", "RPCs (thousand/s)", 1e3)
RATE_LOG = Metric("rpcs_per_second", "RPCs (thousand/s)", 1e3, logarithmic=True)
MEAN = Metric("latency_mean_us", "Mean latency (µs)")
MEAN_LOG = Metric("latency_mean_us", "Mean latency (µs)", logarithmic=True)
P99 = Metric("latency_p99_us", "p99 latency (µs)")
REGISTRATIONS = Metric("registrations_per_rpc", "Registrations per RPC")
GOODPUT = Metric("goodput_bps", "Goodput (Gbit/s)", 1e9)

FIGURES = {
    "credit-policies": Curves(
        "policies for credits, with two busy clients and others",
        "cluster.clients",
        "Clients, two of them busy",
        "rpcrdma.server_credit_grant",
        (
            Metric("busy:read:per_second", "Busy reads (million/s)", 1e6),
            Metric("quiet:read:latency_p90_us", "Others' p90 (µs)"),
            Metric("server_receive_octets", "Receive buffers (MiB)", 1048576),
        ),
        logarithmic=True,
        names={"fixed": "fixed (Linux)", "fair-share": "fair share of 256"},
    ),
    "inline-policies": Curves(
        "policies for inline thresholds, READs of 4 KiB",
        "cluster.clients",
        "Clients",
        "rpcrdma.profile",
        (
            Metric("latency_mean_us", "Mean latency (µs)", from_zero=False),
            REGISTRATIONS,
            Metric("server_receive_octets", "Server's receives (MiB)", 1048576, logarithmic=True),
        ),
        logarithmic=True,
        names={
            "linux-6.1": "fixed 4 KiB (Linux)",
            "large-threshold": "fixed 64 KiB",
            "threshold-memory-share": "share of 16 MiB",
            "threshold-observed": "as observed",
        },
    ),
    "registration-policies": Curves(
        "how memory is made known",
        "workload.io_sizes",
        "Octets of a READ or WRITE",
        "rpcrdma.profile",
        (MEAN_LOG, REGISTRATIONS, Metric("client_cpu_busy", "Client's cores busy (%)", 0.01)),
        logarithmic=True,
        names={
            "linux-6.1": "FRWR, server invalidates (Linux)",
            "client-invalidates": "FRWR, client invalidates",
            "short-page-lists": "FRWR of 16 pages",
            "large-threshold": "inline up to 64 KiB",
        },
    ),
    "registration-strategies": Curves(
        "registration strategies",
        "workload.io_sizes",
        "Octets of a READ or WRITE",
        "rpcrdma.client_registration_strategy",
        (MEAN_LOG, REGISTRATIONS, Metric("client_cpu_busy", "Client's cores busy (%)", 0.01)),
        logarithmic=True,
        names={"frwr": "FRWR (Linux)", "memory-window": "windows", "regular": "verbs for each chunk",
               "preregistered": "copied to buffers", "cache": "cache of regions", "all-physical": "one STag for all"},
    ),
    "rdma-against-tcp": Curves(
        "RDMA against TCP, READs and WRITEs",
        "workload.io_sizes",
        "Octets of a READ or WRITE",
        "cluster.transport",
        (
            RATE_LOG,
            MEAN_LOG,
            Metric("client_core_us_per_rpc", "Client's cores (µs/RPC)", logarithmic=True),
            Metric("server_core_us_per_rpc", "Server's cores (µs/RPC)", logarithmic=True),
        ),
        logarithmic=True,
        names={"rdma": "RDMA", "tcp": "TCP"},
    ),
    "cancelled-share": Curves(
        "calls that are given up",
        "adversary storm.every",
        "Time from one to the next (ms)",
        "rpcrdma.profile",
        (
            Metric("connections_lost", "Connections lost"),
            RATE,
            Metric("latency_p99_us", "p99 latency (µs)", logarithmic=True),
        ),
        logarithmic=True,
        names={
            "linux-6.1": "Reply chunk (Linux)",
            "read-chunk-replies": "Read chunk of the server",
            "message-continuation": "message continuation",
        },
        horizontal_divisor=1e-3,
    ),
    "connection-churn": Curves(
        "connections made and reset, two honest clients",
        "adversary churn.hosts",
        "Adversaries",
        "rnic.connection_rate",
        (RATE, MEAN_LOG),
        logarithmic=True,
        names={"0": "no limit (Linux)", "100": "100 connections/s for each peer"},
    ),
    "drip-fed-startup": Curves(
        "startups that never end, two honest clients",
        "adversary drip.hosts",
        "Adversaries",
        "rnic.startups_per_peer",
        (Metric("simulated_s", "All done after (ms)", 1e-3, logarithmic=True),),
        logarithmic=True,
        names={"0": "no limit (Linux)", "2": "2 startups for each peer"},
    ),
    "loss": Curves(
        "lost segments",
        "middlebox.drop",
        "Share of segments lost",
        "workload.readwrite",
        (GOODPUT, Metric("latency_p99_us", "p99 latency (ms)", 1e3, logarithmic=True)),
        logarithmic=True,
        names={"randread": "READ of 256 KiB", "randwrite": "WRITE of 256 KiB"},
    ),
    "reply-mechanism": Curves(
        "listings of which a share is large",
        "workload.large_directory_fraction",
        "Share of replies that turn out large",
        "rpcrdma.profile",
        (MEAN, RATE, REGISTRATIONS, Metric("server_exposed_peak_octets", "Exposed (KiB, peak)", 1024)),
        names={
            "linux-6.1": "Reply chunk (Linux)",
            "read-chunk-replies": "Read chunk",
            "pull-invalidates": "Read chunk, invalidating",
            "message-continuation": "continuation",
            "large-threshold": "threshold 64 KiB",
        },
    ),
    "credits": Curves(
        "credits granted by the server",
        "rpcrdma.server_credits",
        "Credits granted to each client",
        "workload.io_sizes",
        (GOODPUT, RATE, Metric("server_receive_octets", "Receive buffers (KiB)", 1024, True)),
        logarithmic=True,
        names={"4096:1": "READ and WRITE of 4 KiB", "262144:1": "of 256 KiB"},
    ),
    "credit-sensitivity": Curves(
        "which I/O needs more than 64 credits",
        "rpcrdma.server_credits",
        "Credits granted to each of eight connections",
        "workload.io_sizes",
        (GOODPUT, RATE_LOG, MEAN_LOG),
        logarithmic=True,
        names={"1048576:1": "64 READs of 1 MiB outstanding", "4096:1": "1024 of 4 KiB"},
    ),
    "pull-up": Curves(
        "WRITE data sent inline",
        "workload.io_sizes",
        "Octets of a WRITE",
        "rpcrdma.client_buffer_size",
        (
            Metric("latency_mean_us", "Mean latency (µs)", from_zero=False),
            Metric("client_cpu_busy", "Client's core busy (%)", 0.01, from_zero=False),
        ),
        logarithmic=True,
        names={"256": "mapped", "1048576": "copied (pull-up)"},
    ),
    "remote-invalidation": Curves(
        "Send with Invalidate",
        "workload.io_sizes",
        "Octets of a READ or WRITE",
        "rpcrdma.server_invalidation",
        (MEAN_LOG, RATE),
        columns="workload.queue_depth",
        logarithmic=True,
        names={"never": "client invalidates", "linux": "server invalidates", "1": "one outstanding", "16": "16 outstanding"},
    ),
}


def draw_curves(table: pandas.DataFrame, curves: Curves, scenario: str):
    """One row of panels for each metric; table has the columns of curves as text, those of the metrics as numbers."""
    table = table.assign(**{curves.horizontal: [_place(value) for value in table[curves.horizontal]]})
    axis = key_axis(curves.horizontal, list(table[curves.horizontal]))
    columns = _in_order(table[curves.columns]) if curves.columns else [""]
    width = style.WIDTH_INCHES if len(columns) > 1 else 5.2
    rows = len(curves.metrics)
    legend_rows = 1 if table[curves.curves].nunique() <= 2 else 2
    height = 1.6 * rows + 0.6 + 0.22 * legend_rows
    figure, grid = style.new_figure(
        rows, len(columns), figsize=(width, height), sharex=True, squeeze=False
    )
    for index, column in enumerate(columns):
        part = table[table[curves.columns] == column] if curves.columns else table
        for metric, axes in zip(curves.metrics, grid[:, index]):
            _draw_metric(axes, part, curves, axis, metric)
        if curves.columns:
            grid[0][index].set_title(curves.name(column), loc="left")
        grid[-1][index].set_xlabel(curves.horizontal_label)
    for metric, axes in zip(curves.metrics, grid[:, 0]):
        axes.set_ylabel(metric.label)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=-(-len(labels) // legend_rows), handlelength=2.6, columnspacing=1.6)
    seeds = table["seed"].nunique()
    spread = f"mean of {seeds} seeds, bars are 95 % intervals" if seeds > 1 else "one seed"
    figure.suptitle(f"{scenario}: {curves.title}\n{spread}", x=0.01, ha="left", fontsize=8)
    figure.align_ylabels(grid[:, 0])
    figure.tight_layout(pad=0.4, w_pad=1.4, rect=(0, (0.1 + 0.2 * legend_rows) / height, 1, 0.985))
    return figure


def _place(value: str) -> str:
    """The number of a range of hosts, the size in a list of one weighted size, SIZE:WEIGHT; else the value as it is."""
    if hosts := re.fullmatch(r"(?:client|server)-(\d+)(?:\.\.(\d+))?", value):
        return str(int(hosts[2] or hosts[1]) - int(hosts[1]) + 1)
    size, colon, rest = value.partition(":")
    return size if colon and "," not in rest else value


def _label(axis: KeyAxis, value: str, divisor: float) -> str:
    return axis.labels[value] if divisor == 1.0 else f"{axis.positions[value] / divisor:g}"


def _in_order(values) -> list[str]:
    return list(dict.fromkeys(values))


def _draw_metric(axes, part: pandas.DataFrame, curves: Curves, axis: KeyAxis, metric: Metric) -> None:
    highest = 0.0
    names = _in_order(part[curves.curves])
    for name, (colour, marker), line in zip(names, style.SERIES, LINES):
        groups = {value: group for value, group in part[part[curves.curves] == name].groupby(curves.horizontal)}
        values = sorted(groups, key=axis.positions.get)
        statistics = [mean_and_half_width(groups[value][metric.column] / metric.divisor) for value in values]
        highest = max([highest, *(mean + half for mean, half in statistics if not math.isnan(mean))])
        axes.errorbar(
            [axis.positions[value] for value in values],
            [mean for mean, _ in statistics],
            yerr=[half for _, half in statistics] if any(half for _, half in statistics) else None,
            color=colour, marker=marker, linestyle=line, capsize=2.5, capthick=0.8, elinewidth=0.8,
            label=curves.name(name),
        )
    if not highest and part[metric.column].isna().all():
        axes.annotate("too few RPCs for this percentile", (0.5, 0.5), xycoords="axes fraction", ha="center", va="center")
    if curves.logarithmic:
        axes.set_xscale("log", base=2)
    ticks = {position: _label(axis, value, curves.horizontal_divisor) for value, position in axis.positions.items()}
    axes.xaxis.set_major_locator(FixedLocator(sorted(ticks)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: ticks[min(ticks, key=lambda tick: abs(tick - value))]))
    if metric.logarithmic and highest > 0:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter(LogFormatter())
        axes.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(1.5, 0.7)))
    elif metric.from_zero:
        axes.set_ylim(0, highest * 1.1 if highest > 0 else 1)
    axes.grid(axis="y")
