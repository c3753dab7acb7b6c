# SPDX-License-Identifier: GPL-2.0-only
"""Figure of guesses at STags: those that met an STag, as bars, a bar for each way to choose STags."""

from __future__ import annotations

import pandas

from . import style

STRATEGY = "rpcrdma.server_registration_strategy"
DOMAINS = "rnic.protection_domains"
INDICES = "rnic.stag_indices"
KEYS = "rnic.stag_keys"
KEYS_OF_BARS = (STRATEGY, DOMAINS, INDICES, KEYS)

#: What a guess came to, from the worst on, with the names of adversaries.csv.
OUTCOMES = (
    ("Octets of others written or read", ("placed", "read"), style.VERMILION, ""),
    ("STag good, range not", ("found",), style.ORANGE, "//"),
    ("Of another protection domain", ("foreign",), style.SKY, ".."),
    ("Unknown or unanswered", ("unknown", "unanswered"), "#d8d8d8", ""),
)
_KEYS = {"fixed": "fixed keys", "counter": "counted keys", "random": "random keys"}


def name_bar(strategy: str, domains: str, indices: str, keys: str) -> str:
    """What is told of a bar: a domain for each connection, scattered indices, or the keys; and the strategy."""
    if domains == "connection":
        name = "a domain for each connection"
    elif indices == "scattered":
        name = "scattered indices"
    else:
        name = _KEYS.get(keys, keys)
    return name if strategy == "frwr" else f"{name}, {strategy}"


def count_guesses(rows: pandas.DataFrame) -> pandas.DataFrame:
    """Shares of guesses by bar (rows, in the order of points) and outcome (columns)."""
    bars: dict[str, dict[str, float]] = {}
    for _, part in rows.groupby(rows["point"].astype(int)):
        first = part.iloc[0]
        counts = part.groupby("what")["count"].sum()
        found = {label: float(sum(counts.get(name, 0) for name in names)) for label, names, _, _ in OUTCOMES}
        total = sum(found.values())
        bars[name_bar(*(first[key] for key in KEYS_OF_BARS))] = {
            label: count / total if total else 0.0 for label, count in found.items()
        }
    return pandas.DataFrame.from_dict(bars, orient="index")


def draw_guesses(rows: pandas.DataFrame, title: str):
    shares = count_guesses(rows)
    figure, axes = style.new_figure(figsize=(style.WIDTH_INCHES, 0.32 * len(shares) + 1.0))
    places = range(len(shares))
    left = [0.0] * len(shares)
    for label, _, colour, hatch in OUTCOMES[:-1]:
        values = [100 * value for value in shares[label]]
        axes.barh(places, values, left=left, height=0.66, color=colour, hatch=hatch, edgecolor="white", linewidth=0.4, label=label)
        left = [start + value for start, value in zip(left, values)]
    for place, (_, share) in zip(places, shares.iterrows()):
        hits = 100 * (share[OUTCOMES[0][0]] + share[OUTCOMES[1][0]])
        axes.annotate(
            f"{hits:.3g} % good", (left[place], place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=7
        )
    axes.set_yticks(places, shares.index)
    axes.set_ylim(len(shares) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 1.25 * max(left) if max(left) > 0 else 1)
    axes.set_xlabel("Guesses (%)")
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=3, handlelength=1.6, columnspacing=1.6)
    figure.suptitle(f"{title}: what guesses at STags of the server come to", x=0.01, ha="left", fontsize=8)
    height = figure.get_size_inches()[1]
    figure.tight_layout(pad=0.4, rect=(0, 0.24 / height, 0.97, 0.985))
    return figure
