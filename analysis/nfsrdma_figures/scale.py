# SPDX-License-Identifier: GPL-2.0-only
"""The figure of measure_scale.py: what a run costs against the number of clients."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from . import style

_PANELS = (
    ("events_per_rpc", "Events per RPC"),
    ("cpu_per_rpc_us", "CPU time per RPC (us)"),
    ("peak_memory_mb", "Peak memory (MB)"),
)


def draw(table: pd.DataFrame) -> Figure:
    """One panel for each cost. table is that of measure_scale.py, a row for each number of clients."""
    style.apply()
    figure, panels = plt.subplots(1, len(_PANELS), figsize=(style.WIDTH_INCHES, 2.4), layout="constrained")
    for panel, (column, label), (colour, marker) in zip(panels, _PANELS, style.SERIES):
        panel.plot(table["clients"], table[column], color=colour, marker=marker)
        panel.set_xscale("log", base=2)
        panel.set_xticks(table["clients"], [f"{clients:,}" for clients in table["clients"]], rotation=45)
        panel.xaxis.set_minor_locator(NullLocator())
        panel.set_xlabel("Clients")
        panel.set_ylabel(label)
        panel.set_ylim(0, 1.1 * table[column].max())
        panel.grid(axis="y")
    return figure
