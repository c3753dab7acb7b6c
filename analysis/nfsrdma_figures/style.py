# SPDX-License-Identifier: GPL-2.0-only
"""Look of all figures: column width, 8 pt, Okabe-Ito colours with markers and hatches, repeatable files."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogFormatter

from .results import ResultsError

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE = (
    "#000000",
    "#E69F00",
    "#56B4E9",
    "#009E73",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#CC79A7",
)
GREY = "#808080"
SERIES = ((BLUE, "o"), (VERMILION, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"), (SKY, "P"), (BLACK, "X"))
WIDTH_INCHES = 6.3
# A PNG of twice that height cannot be made.
MOST_INCHES = 160

_PARAMETERS = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8.5,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.fontsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#d8d8d8",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "lines.markersize": 4,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    # Names of files, faults and the like stand in figures: a $ in them is a $.
    "text.parse_math": False,
    "savefig.dpi": 200,
    "figure.dpi": 100,
}


def apply() -> None:
    matplotlib.rcdefaults()
    plt.rcParams.update(_PARAMETERS)


def new_figure(*arguments, **keywords):
    """ResultsError when it would be too large for a page of any kind."""
    apply()
    width, height = keywords.get("figsize", (WIDTH_INCHES, WIDTH_INCHES))
    if max(width, height) > MOST_INCHES:
        raise ResultsError(f"a figure of all that would be {height:.0f} inches high, {MOST_INCHES} is the most")
    return plt.subplots(*arguments, **keywords)


def label_powers(axis) -> None:
    """Powers of ten at the large ticks of a logarithmic axis, plain numbers at small ones where large ones are few."""
    axis.set_major_formatter(FuncFormatter(_power_of_ten))
    axis.set_minor_formatter(LogFormatter())


def _power_of_ten(value: float, _position=None) -> str:
    exponent = f"{value:.0e}".partition("e")[2] if value > 0 else "0"
    return "10" + str(int(exponent)).translate(str.maketrans("-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"))


def legend_below(figure: Figure, handles, labels, title: str = "") -> None:
    """A legend under the panels of a figure with constrained layout, which makes room for it."""
    columns = max(1, min(len(labels), int(figure.get_size_inches()[0] / (0.075 * max(map(len, labels)) + 0.6))))
    rows = -(-len(labels) // columns) + bool(title)
    share = (0.17 * rows + 0.12) / figure.get_size_inches()[1]
    figure.legend(
        handles, labels, loc="lower center", ncols=columns, handlelength=2.6, columnspacing=1.4, title=title or None,
        title_fontsize=8,
    )
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))


def save(figure: Figure, directory: Path, name: str) -> list[Path]:
    """Writes NAME.png and NAME.pdf; the same figure gives the same octets at any time."""
    paths = [directory / f"{name}.png", directory / f"{name}.pdf"]
    figure.savefig(paths[0], metadata={"Software": None})
    figure.savefig(paths[1], metadata={"CreationDate": None, "Creator": None, "Producer": None})
    plt.close(figure)
    return paths
