# SPDX-License-Identifier: GPL-2.0-only
"""The figure of regret.csv: what policies cost beyond the oracle, for the forms of messages and for credits."""

from __future__ import annotations

import math
from pathlib import Path

import numpy
import pandas
from nfsrdma_method.place import COMMAND

from . import style
from .results import Manifest, ResultsError

PANELS = (
    ("regret_ns", "Forms: regret (ns an RPC)"),
    ("wait_regret_us", "Credits: regret (µs an RPC)"),
)
#: A regret that is no more than rounding.
NOTHING = 1e-6


def draw(table: pandas.DataFrame, keys: list[str], name: str, columns: tuple[str, ...] = ()):
    """Regret against the key of most values that are numbers, a curve for each value of the others; of one run a point.

    columns: of the panels to draw; none: all.
    """
    panels = [panel for panel in PANELS if not columns or panel[0] in columns]
    figure, axes = style.new_figure(
        1, len(panels), figsize=(style.WIDTH_INCHES, 2.9), layout="constrained", squeeze=False
    )
    across = _horizontal(table, keys)
    others = [key for key in keys if key != across]
    groups = table.groupby(others[0] if len(others) == 1 else others, sort=False) if others else [((name,), table)]
    handles: dict[str, object] = {}
    for number, (values, rows) in enumerate(groups):
        label = ", ".join(map(str, values if isinstance(values, tuple) else (values,)))
        colour, marker = style.SERIES[number % len(style.SERIES)]
        for axis, (column, title) in zip(axes[0], panels):
            axis.set_ylabel(title)
            positions = rows[across].astype(float) if across else pandas.Series(0.0, rows.index)
            means = rows[column].astype(float).groupby(positions).mean()
            (handles[label],) = axis.plot(means.index, means.values, color=colour, marker=marker)
            axis.set_xlabel(across or "")
            if across and len(means) > 1:
                axis.set_xscale("log", base=2)
                axis.set_xticks(means.index, [f"{value:g}" for value in means.index])
            axis.axhline(0, color=style.GREY, linewidth=0.8)
    for axis in axes[0]:
        if all(abs(value) < NOTHING for line in axis.lines for value in line.get_ydata()):
            axis.set_ylim(-1, 1)
    style.legend_below(figure, list(handles.values()), list(handles), " and ".join(others))
    return figure


def _horizontal(table: pandas.DataFrame, keys: list[str]) -> str:
    def count(key: str) -> int:
        numbers = pandas.to_numeric(table[key], errors="coerce")
        return 0 if numbers.isna().any() else numbers.nunique()

    best = max(keys, key=count, default="")
    return best if best and count(best) > 1 else ""


def read(directory: Path) -> tuple[pandas.DataFrame, list[str]]:
    """regret.csv that oracle has written there, and the keys of its sweep."""
    path = directory / "regret.csv"
    if not path.is_file():
        raise ResultsError(f"{path}: no such file; {COMMAND} oracle {directory} writes it")
    table = pandas.read_csv(path, dtype=str, keep_default_na=False)
    manifest = Manifest(directory)
    keys = manifest.swept_keys if manifest.is_sweep else []
    for column in ("regret_ns", "wait_regret_us", *keys):
        if column not in table:
            raise ResultsError(f"{path}: column {column} is missing")
    for column in ("regret_ns", "wait_regret_us"):
        table[column] = pandas.to_numeric(table[column], errors="coerce")
        if not numpy.isfinite(table[column].dropna()).all() or math.isinf(table[column].sum()):
            raise ResultsError(f"{path}: column {column} is no number")
    return table, keys
