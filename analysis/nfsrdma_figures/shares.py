# SPDX-License-Identifier: GPL-2.0-only
"""How evenly clients are served: Jain's index and the max-min share, and a figure of both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from . import style


def jain_index(rates: Sequence[float]) -> float:
    """(sum x)^2 / (n sum x^2), 1/n to 1 (Jain, Chiu, Hawe 1984); 1 when nobody gets anything."""
    values = numpy.asarray(rates, dtype=float)
    squares = float((values**2).sum())
    return float(values.sum()) ** 2 / (len(values) * squares) if squares else 1.0


def max_min_share(rates: Sequence[float]) -> float:
    """What the client with least gets, of an equal share: n min x / sum x, 0 to 1."""
    values = numpy.asarray(rates, dtype=float)
    total = float(values.sum())
    return len(values) * float(values.min()) / total if total else 1.0


def draw(rates: dict[str, dict[str, float]], title: str):
    """rates has for each population the RPCs a second of each of its clients; bars, with the equal share as a line."""
    populations = list(rates)
    figure, axes = style.new_figure(
        1, len(populations), figsize=(max(3.6, style.WIDTH_INCHES * min(1.5, 0.4 * len(populations) + 0.35)), 2.6),
        squeeze=False, layout="constrained", sharey=len(populations) > 1,
    )
    for axis, name in zip(axes[0], populations):
        clients = rates[name]
        values = list(clients.values())
        ordered = sorted(values)
        axis.bar(range(len(ordered)), ordered, color=style.SKY, edgecolor=style.BLACK, linewidth=0.4)
        axis.axhline(sum(values) / len(values), color=style.VERMILION, linewidth=1.0, linestyle="--")
        axis.set_xticks([0, len(ordered) - 1] if len(ordered) > 1 else [0], ["least", "most"] if len(ordered) > 1 else ["only one"])
        indices = f"Jain {jain_index(values):.4f}\nmax-min {max_min_share(values):.4f}" if len(values) > 1 else "\n"
        axis.set_title(f"{name}\n{indices}", loc="left", fontsize=7)
        axis.set_xlabel(f"{len(ordered)} clients, by rate" if len(ordered) > 1 else "one client")
        axis.grid(axis="y")
    axes[0][0].set_ylabel("RPCs completed (1/s)")
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure
