# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a validation: model against published, each number a mark, those that miss their bound named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy
from matplotlib.ticker import NullFormatter

from . import style


_WIDTH, _HEIGHT = 16, 7  # of a name, points
_ROOM = 3  # about the middle of a mark, points


@dataclass(frozen=True)
class Mark:
    """One published number and the model's; both above 0."""

    row: str
    unit: str
    model: float
    published: float
    role: str
    verdict: str


def _name(axis, misses: list[Mark], marks: list[Mark]) -> None:
    """Names each row that misses beside its mark, where no other name and no mark is: outside of the diagonal, nearest first."""
    to_points = 72 / axis.figure.dpi
    taken = [axis.transData.transform((mark.published, mark.model)) * to_points for mark in marks]
    boxes = [(x - _ROOM, y - _ROOM, x + _ROOM, y + _ROOM) for x, y in taken]
    for mark in sorted({mark.row: mark for mark in reversed(misses)}.values(), key=lambda mark: (mark.published, mark.row)):
        x, y = axis.transData.transform((mark.published, mark.model)) * to_points
        side = 1 if mark.model > mark.published else -1
        offsets = [(across, side * along) for along in range(8, 120, 4) for across in (-6, 6, -24, 24, -42, 42)]
        for across, along in sorted(offsets, key=lambda offset: offset[0] ** 2 + offset[1] ** 2):
            box = (x + across - _WIDTH / 2, y + along - _HEIGHT / 2, x + across + _WIDTH / 2, y + along + _HEIGHT / 2)
            if not any(box[0] < right and left < box[2] and box[1] < top and low < box[3] for left, low, right, top in boxes):
                break
        boxes.append(box)
        axis.annotate(mark.row, (mark.published, mark.model), xytext=(across, along), textcoords="offset points", fontsize=6,
                      ha="center", va="center", arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": style.BLACK, "shrinkB": 4})  # fmt: skip


def draw(marks: list[Mark], factor: float, title: str):
    """A logarithmic plot with the diagonal and a band of factor about it: fitted hollow, predicted solid, misses crossed."""
    figure, axis = style.new_figure(figsize=(style.WIDTH_INCHES, 4.6), layout="constrained")
    numbers = [number for mark in marks for number in (mark.model, mark.published)] or [1.0, 10.0]
    span = numpy.array([min(numbers) / 8, max(numbers) * 3])
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
    axis.set_xscale("log")
    axis.set_yscale("log")
    for one in (axis.xaxis, axis.yaxis):
        style.label_powers(one)
        one.set_minor_formatter(NullFormatter())
    axis.set_xlim(*span)
    axis.set_ylim(*span)
    _name(axis, misses, marks)
    axis.set_xlabel("Published, in the unit of its row")
    axis.set_ylabel("Model, in the same unit")
    axis.grid()
    axis.legend(loc="upper left")
    axis.set_title(title, loc="left")
    return figure
