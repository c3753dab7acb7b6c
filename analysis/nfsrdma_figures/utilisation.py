# SPDX-License-Identifier: GPL-2.0-only
"""How busy each link, engine, bus, core, thread and lock was, as shares of the time measured."""

from __future__ import annotations

from pathlib import Path

from . import style
from .results import ResultsError, read_object, read_table

MOST_ROWS = 30


def read_shares(directory: Path) -> dict[str, float]:
    """The utilisation, 0 to 1, by name: of utilisation.csv, else of the processors and resources of summary.json."""
    path = directory / "utilisation.csv"
    if path.exists():
        columns = ["host", "resource", "utilisation"]
        table = read_table(path, columns, columns, {"utilisation": r"(?:[0-9]+(?:\.[0-9]+)?)?"})
        # A queue without bound has none.
        return {f"{row.host} {row.resource}": float(row.utilisation) for row in table.itertuples() if row.utilisation}
    path = directory / "summary.json"
    summary = read_object(path)
    shares: dict[str, float] = {}
    try:
        for host in summary.get("hosts", []):
            shares[f"{host['host']} cores"] = float(host["cpu_busy"])
        for resource in summary.get("resources", []):
            if resource["places"]:
                shares[f"{resource['host']} {resource['resource']}"] = float(resource["utilisation"])
    except (TypeError, KeyError, ValueError, AttributeError):
        raise ResultsError(f"{path}: hosts or resources: not as a run writes them") from None
    if not shares:
        raise ResultsError(f"{path}: nothing whose utilisation is told; [output] resources = true measures more")
    return shares


def draw(shares: dict[str, float], title: str):
    """The busiest as bars, from the top."""
    rows = sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:MOST_ROWS]
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES * 0.75, 0.2 * len(rows) + 0.9), layout="constrained")
    axes.barh(range(len(rows)), [100 * share for _, share in rows], 0.7, color=style.SKY, edgecolor=style.BLACK, linewidth=0.4)
    for place, (_, share) in enumerate(rows):
        axes.annotate(f"{100 * share:.1f}", (100 * share, place), (3, 0), textcoords="offset points", va="center", fontsize=7)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 108)
    axes.set_xlabel("Utilisation (% of the time measured)")
    axes.grid(axis="x")
    figure.suptitle(title, x=0.01, ha="left", fontsize=8.5)
    return figure
