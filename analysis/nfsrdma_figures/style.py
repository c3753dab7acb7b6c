# SPDX-License-Identifier: GPL-2.0-only
"""Look of all figures: column width, 8 pt, Okabe-Ito colours with markers and hatches, repeatable files."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

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
    "savefig.dpi": 200,
    "figure.dpi": 100,
}


def apply() -> None:
    matplotlib.rcdefaults()
    plt.rcParams.update(_PARAMETERS)


def new_figure(*arguments, **keywords):
    apply()
    return plt.subplots(*arguments, **keywords)


def save(figure: Figure, directory: Path, name: str) -> list[Path]:
    """Writes NAME.png and NAME.pdf; the same figure gives the same octets at any time."""
    paths = [directory / f"{name}.png", directory / f"{name}.pdf"]
    figure.savefig(paths[0], metadata={"Software": None})
    figure.savefig(paths[1], metadata={"CreationDate": None, "Creator": None, "Producer": None})
    plt.close(figure)
    return paths
