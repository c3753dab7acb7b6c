# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a study of sensitivity: what each cost does, and shares of the variance of the few that matter."""

from __future__ import annotations

from . import style

_MOST_ROWS = 24
# Of first-order and total indices: place beside the row, colour, hatch, name.
_LOOKS = ((-0.19, style.BLUE, "", "alone"), (0.19, style.ORANGE, "////", "in all"))


def draw(names: list[str], effects: list[tuple[float, float]], indices: list[tuple], label: str, title: str):
    """effects are mean absolute effect and deviation, in the order of names; indices first and total of the first few."""
    rows = min(len(names), _MOST_ROWS)
    figure, (left, right) = style.new_figure(
        1, 2, figsize=(style.WIDTH_INCHES, 0.2 * rows + 1.0), sharey=True, layout="constrained",
        gridspec_kw={"width_ratios": (1.3, 1)},
    )  # fmt: skip
    means, deviations = zip(*effects[:rows])
    outline = {"edgecolor": style.BLACK, "linewidth": 0.4}
    left.barh(range(rows), means, 0.7, color=style.SKY, label="mean absolute effect", **outline)
    left.plot(deviations, range(rows), "D", color=style.VERMILION, markersize=3.2, linestyle="", label="their deviation")
    left.set_yticks(range(rows), names[:rows])
    left.set_ylim(rows - 0.4, -0.6)
    left.set_xlim(left=0)
    left.set_xlabel(f"Effect of the whole range on\n{label}")
    left.legend(loc="lower right")
    for place, (first, total) in enumerate(indices):
        for index, (shift, colour, hatch, name) in zip((first, total), _LOOKS):
            look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.3}
            right.barh(place + shift, index.share, 0.36, label=name if place == 0 else None, **look)
            right.plot([index.low, index.high], [place + shift] * 2, color=style.BLACK, linewidth=0.8)
    right.set_xlabel("Share of the variance (Sobol)\nof those that matter")
    right.set_xlim(max(-0.25, min(0.0, right.get_xlim()[0])), min(1.25, right.get_xlim()[1]))
    if indices:
        right.legend(loc="lower right")
    else:
        right.text(0.5, 0.5, "not computed", transform=right.transAxes, ha="center")
    for axis in (left, right):
        axis.grid(axis="x")
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure
