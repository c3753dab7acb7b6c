# SPDX-License-Identifier: GPL-2.0-only
"""Receive-buffer memory against loss and connections, beside the formulas of RFC 5044 appendix B.2."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
import pandas
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from . import style
from .sweep import mean_and_half_width

# FPDUs found by: label, middlebox.mode, rnic.mpa_markers, look.
VARIANTS = (
    ("unaligned, no markers", "recut", "false", style.VERMILION, "s"),
    ("unaligned, markers", "recut", "true", style.BLUE, "o"),
    ("aligned, no markers", "none", "false", style.GREEN, "^"),
    ("aligned, markers", "none", "true", style.ORANGE, "v"),
)


@dataclass(frozen=True)
class Path:
    """What the formulas need: rate in bit/s, idle round trip in s, EMSS in octets."""

    rate: float
    delay: float
    emss: int

    # Appendix B.2 with K = K1 = K2 = 1.
    def buffer_size_tcp(self, connections):
        """Any connection may have the whole link."""
        return self.rate / 8 * self.delay * connections

    def buffer_size_naf(self, connections):
        return self.emss * connections + self.emss

    def buffer_size_af(self, connections):
        return self.emss + 0 * connections


FORMULAS = (
    ("TCP", Path.buffer_size_tcp, "-"),
    ("NAF", Path.buffer_size_naf, "--"),
    ("AF", Path.buffer_size_af, ":"),
)


def draw_reassembly(table: pandas.DataFrame, path: Path, title: str):
    """Rows: peak and mean over time. Left column against loss, right column against connections."""
    table = table.assign(
        clients=table["cluster.clients"].astype(int), drop=table["middlebox.drop"].astype(float)
    )
    counts, losses = sorted(table["clients"].unique()), sorted(table["drop"].unique())
    count, loss = counts[-1], _middle(losses)
    figure, grid = style.new_figure(2, 2, figsize=(style.WIDTH_INCHES, 4.9), sharex="col", sharey="row")
    for row, (column, name) in enumerate((("reassembly_peak_octets", "Peak"), ("reassembly_mean_octets", "Mean"))):
        by_loss, by_count = grid[row]
        _draw_series(by_loss, table[table["clients"] == count], "drop", column)
        _draw_series(by_count, table[table["drop"] == loss], "clients", column)
        if row == 0:
            _draw_formulas(by_loss, numpy.array(losses), numpy.full(len(losses), count), path, named=True)
            _draw_formulas(by_count, numpy.array(counts), numpy.array(counts), path, named=False)
        by_loss.set_ylabel(f"{name} memory (octets)")
        linear_to = 10 if row else 1000
        for axes in (by_loss, by_count):
            axes.set_yscale("symlog", linthresh=linear_to, linscale=0.4)
            axes.set_ylim(0, None)
            axes.yaxis.set_major_locator(FixedLocator([0, *(linear_to * 10**decade for decade in range(7))]))
            axes.yaxis.set_major_formatter(FuncFormatter(_octets))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.grid(axis="y")
    _label_axis(grid[1][0], losses, "Loss of segments", _percent)
    _label_axis(grid[1][1], counts, "Connections", lambda value, _=None: f"{value:g}")
    grid[0][0].set_title(f"{count} connections", loc="left")
    grid[0][1].set_title(f"loss {_percent(loss)}", loc="left")
    handles, labels = grid[0][1].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=4, handlelength=2.2, columnspacing=1.4)
    seeds = table["seed"].nunique()
    spread = f"mean of {seeds} seeds, bars are 95 % intervals" if seeds > 1 else "one seed"
    figure.suptitle(
        f"{title}: octets in reassembly at the receiver, {spread}\n"
        f"Grey: RFC 5044 B.2 with K = K1 = K2 = 1, {path.rate / 1e9:g} Gbit/s, idle round trip "
        f"{path.delay * 1e6:.1f} µs, EMSS {path.emss}",
        x=0.01, ha="left", fontsize=8,
    )
    figure.align_ylabels(grid[:, 0])
    figure.tight_layout(pad=0.4, rect=(0, 0.075, 1, 0.985))
    return figure


def _middle(losses: list[float]) -> float:
    return min(losses, key=lambda loss: (abs(numpy.log10(max(loss, 1e-9)) + 2), loss))


def _draw_series(axes, part: pandas.DataFrame, horizontal: str, column: str) -> None:
    for label, mode, markers, colour, marker in VARIANTS:
        chosen = part[(part["middlebox.mode"] == mode) & (part["rnic.mpa_markers"] == markers)]
        if chosen.empty:
            continue
        groups = [(value, mean_and_half_width(group[column])) for value, group in chosen.groupby(horizontal)]
        axes.errorbar(
            [value for value, _ in groups],
            [mean for _, (mean, _) in groups],
            yerr=[half for _, (_, half) in groups] if any(half for _, (_, half) in groups) else None,
            color=colour, marker=marker, capsize=2.5, capthick=0.8, elinewidth=0.8, label=label,
        )


def _draw_formulas(axes, positions, counts, path: Path, named: bool) -> None:
    for name, formula, line in FORMULAS:
        sizes = formula(path, counts)
        axes.plot(positions, sizes, line, color=style.GREY, linewidth=0.9, zorder=1)
        if named:
            axes.annotate(
                f"BufferSize{name}", (positions[0], sizes[0]), xytext=(0, 4 if name != "TCP" else -9),
                textcoords="offset points", ha="left", color=style.GREY, fontsize=7,
            )


def _label_axis(axes, values, label: str, formatter) -> None:
    axes.set_xscale("log", base=2 if label == "Connections" else 10)
    axes.set_xlabel(label)
    axes.xaxis.set_major_locator(FixedLocator(list(values)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(formatter))


def _percent(value: float, _position=None) -> str:
    return f"{value * 100:g} %"


def _octets(value: float, _position=None) -> str:
    if value >= 1e6:
        return f"{value / 1e6:g} M"
    return f"{value / 1e3:g} k" if value >= 1e3 else f"{value:g}"
