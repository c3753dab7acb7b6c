# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a validation: model against published, each number a mark, those that miss their bound named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from matplotlib.ticker import NullFormatter

from . import style


@dataclass(frozen=True)
class Mark:
    """One published number and the model's; both above 0."""

    row: str
    unit: str
    model: float
    published: float
    role: str
    verdict: str


def draw(marks: list[Mark], factor: float, title: str):
    """A logarithmic plot with the diagonal and a band of factor about it: fitted hollow, predicted solid, misses crossed."""
    figure, axis = style.new_figure(figsize=(style.WIDTH_INCHES, 4.6), layout="constrained")
    numbers = [number for mark in marks for number in (mark.model, mark.published)] or [1.0, 10.0]
    span = numpy.array([min(numbers) / 3, max(numbers) * 3])
    axis.fill_between(span, span / factor, span * factor, color="#e6e6e6", linewidth=0, label=f"within a factor of {factor:g}")
    axis.plot(span, span, color=style.BLACK, linewidth=0.7, label="model = published")
    for role, fill, name in (("fit", "none", "fitted"), ("predict", style.BLUE, "predicted")):
        chosen = [mark for mark in marks if mark.role == role]
        if chosen:
            axis.plot([mark.published for mark in chosen], [mark.model for mark in chosen], "o", linestyle="", markersize=4.5,
                      markerfacecolor=fill, markeredgecolor=style.BLUE, label=name)  # fmt: skip
    misses = [mark for mark in marks if mark.verdict == "miss"]
    if misses:
        axis.plot([mark.published for mark in misses], [mark.model for mark in misses], "x", linestyle="", markersize=8,
                  color=style.VERMILION, label="misses its bound")  # fmt: skip
        named = {}
        for mark in misses:
            named.setdefault(mark.row, mark)
        for place, mark in enumerate(sorted(named.values(), key=lambda mark: mark.published)):
            axis.annotate(mark.row, (mark.published, mark.model), textcoords="offset points", fontsize=6,
                          xytext=(4 + 3 * (place % 2), (-11, 8, -20, 17)[place % 4]))  # fmt: skip
    axis.set_xscale("log")
    axis.set_yscale("log")
    for one in (axis.xaxis, axis.yaxis):
        style.label_powers(one)
        one.set_minor_formatter(NullFormatter())
    axis.set_xlim(*span)
    axis.set_ylim(*span)
    axis.set_xlabel("Published, in the unit of its row")
    axis.set_ylabel("Model, in the same unit")
    axis.grid()
    axis.legend(loc="upper left")
    axis.set_title(title, loc="left")
    return figure
