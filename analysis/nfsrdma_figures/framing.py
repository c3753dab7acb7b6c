# SPDX-License-Identifier: GPL-2.0-only
"""What framing costs: goodput with and without markers and CRCs, measured and by exact arithmetic.

A READ of many octets is one RDMA Write, cut into FPDUs that each fill a TCP segment:

    preamble 8 | Ethernet 14 | IPv4 20 | TCP 20 | timestamps 12 | FPDU and its markers | FCS 4 | gap 12
    FPDU: length 2 | DDP and RDMAP header 14 | payload | pad 0..3 | CRC 4
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy
import pandas

from . import style

ETHERNET = 8 + 14 + 4 + 12
IP_AND_TCP = 40
TIMESTAMPS = 12
TAGGED_HEADER = 14
FPDU_LENGTH, FPDU_CRC = 2, 4
MARKER, MARKER_SPACING = 4, 512
#: Of IPv4 (RFC 791); the room for an FPDU is never less than RFC 5044 asks for.
LEAST_MTU = 68


@dataclass(frozen=True)
class Framing:
    mtu: int
    markers: bool
    timestamps: bool = True

    @property
    def emss(self) -> int:
        return self.mtu - IP_AND_TCP - (TIMESTAMPS if self.timestamps else 0)

    @property
    def mulpdu(self) -> int:
        """RFC 5044 section 5.1."""
        markers = MARKER * -(-self.emss // MARKER_SPACING) if self.markers else 0
        return max(128, min(64768, self.emss - (FPDU_LENGTH + FPDU_CRC + markers + self.emss % 4)))

    def wire_octets(self, message: int) -> Fraction:
        """Octet times of an RDMA Write of message octets, markers at their mean density."""
        room = self.mulpdu - TAGGED_HEADER
        frames = -(-message // room)
        whole, rest = divmod(message, room)
        fpdus = whole * _fpdu_size(room) + (_fpdu_size(rest) if rest else 0)
        stream = Fraction(fpdus * MARKER_SPACING, MARKER_SPACING - MARKER) if self.markers else Fraction(fpdus)
        return stream + frames * (ETHERNET + self.mtu - self.emss)

    def goodput(self, rate: float, message: int) -> float:
        """Payload bits per second on a link that carries nothing else."""
        return rate * float(message / self.wire_octets(message))


def _fpdu_size(payload: int) -> int:
    length = FPDU_LENGTH + TAGGED_HEADER + payload
    return length + -length % 4 + FPDU_CRC


VARIANTS = (
    ("false", "false", "no markers, no CRC", style.BLUE, "o", "full"),
    ("false", "true", "no markers, CRC", style.BLUE, "o", "none"),
    ("true", "false", "markers, no CRC", style.VERMILION, "s", "full"),
    ("true", "true", "markers, CRC", style.VERMILION, "s", "none"),
)


def worst_deviation(table: pandas.DataFrame, rate: float, message: int, timestamps: bool) -> float:
    """Largest share by which a measured goodput misses the arithmetic; below it is negative."""
    shares = []
    for _, row in table.iterrows():
        framing = Framing(int(row["link.mtu"]), row["rnic.mpa_markers"] == "true", timestamps)
        shares.append(row["goodput_bps"] / framing.goodput(rate, message) - 1)
    return max(shares, key=abs)


def draw_framing(table: pandas.DataFrame, rate: float, message: int, timestamps: bool, title: str):
    """Left: goodput against the MTU. Right: what markers cost of it."""
    figure, (left, right) = style.new_figure(
        1, 2, figsize=(style.WIDTH_INCHES, 3.1), gridspec_kw={"width_ratios": (1.7, 1)}
    )
    mtus = sorted({int(mtu) for mtu in table["link.mtu"]})
    span = numpy.unique(numpy.geomspace(max(256, min(mtus) // 2), max(mtus) * 1.12, 600).astype(int))
    _draw_goodput(left, table, span, mtus, rate, message, timestamps)
    _draw_cost(right, table, span, mtus, rate, message, timestamps)
    deviation = worst_deviation(table, rate, message, timestamps)
    seeds = table["seed"].nunique()
    figure.suptitle(
        f"{title}: READs of {message / (1 << 20):g} MiB on {rate / 1e9:g} Gbit/s, {_count(seeds, 'seed')}\n"
        f"Lines: exact arithmetic; points: measured, at most {abs(deviation) * 100:.2f} % {'below' if deviation < 0 else 'above'}",
        x=0.01, ha="left", fontsize=8,
    )
    figure.tight_layout(pad=0.4, w_pad=1.5, rect=(0, 0, 1, 0.985))
    return figure


def _draw_goodput(axes, table, span, mtus, rate, message, timestamps) -> None:
    for markers, colour, line in ((False, style.BLUE, "-"), (True, style.VERMILION, "--")):
        curve = [Framing(int(mtu), markers, timestamps).goodput(rate, message) / 1e9 for mtu in span]
        axes.plot(span, curve, line, color=colour, linewidth=0.9)
    for markers, crc, label, colour, marker, fill in VARIANTS:
        part = _select(table, markers, crc)
        # CRCs lie on top of none: the open marker is larger.
        axes.plot(
            part.index, part / 1e9, linestyle="", color=colour, marker=marker, fillstyle=fill, label=label,
            markersize=4 if fill == "full" else 7.5,
        )
    axes.set_ylabel("Goodput (Gbit/s)")
    _style_mtu_axis(axes, mtus)
    axes.legend(loc="lower right", handletextpad=0.2)


def _draw_cost(axes, table, span, mtus, rate, message, timestamps) -> None:
    def cost(mtu: int) -> float:
        without, marked = (Framing(mtu, markers, timestamps).goodput(rate, message) for markers in (False, True))
        return (1 - marked / without) * 100

    axes.plot(span, [cost(int(mtu)) for mtu in span], "-", color=style.VERMILION, linewidth=0.9)
    for crc, fill, size in (("false", "full", 4), ("true", "none", 7.5)):
        measured = (1 - _select(table, "true", crc) / _select(table, "false", crc)) * 100
        axes.plot(
            measured.index, measured, linestyle="", color=style.VERMILION, marker="s", fillstyle=fill, markersize=size
        )
    crc_cost = (1 - _select(table, "false", "true") / _select(table, "false", "false")) * 100
    axes.plot(crc_cost.index, crc_cost, linestyle="", color=style.BLUE, marker="o", fillstyle="none", markersize=7.5)
    axes.axhline(0, color=style.BLUE, linewidth=0.9)
    axes.annotate("markers", (mtus[-1], cost(mtus[-1])), xytext=(-4, 7), textcoords="offset points", ha="right",
                  color=style.VERMILION)
    axes.annotate("CRC", (mtus[-1], 0), xytext=(-4, 7), textcoords="offset points", ha="right", color=style.BLUE)
    axes.set_ylabel("Goodput lost (%)")
    axes.set_ylim(-0.1, None)
    _style_mtu_axis(axes, mtus)


def _select(table: pandas.DataFrame, markers: str, crc: str) -> pandas.Series:
    """Mean goodput by MTU."""
    part = table[(table["rnic.mpa_markers"] == markers) & (table["rnic.mpa_crc"] == crc)]
    return part.groupby(part["link.mtu"].astype(int))["goodput_bps"].mean()


def _style_mtu_axis(axes, mtus) -> None:
    axes.set_xlabel("MTU (octets)")
    axes.set_xticks(mtus)
    axes.set_xlim(0, max(mtus) * 1.12)
    axes.grid(axis="y")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
