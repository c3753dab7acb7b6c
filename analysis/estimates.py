#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Say how many of the costs that a run paid are estimates, and whether its result hangs on one.

Writes costs.csv into RESULTS: each cost that SCENARIO pays with OPTIONS, those of nfsrdma-sim run, its range and where that is
from (uncertainty.csv). What a result hangs on is known where "sensitivity" has studied the scenario, with whatever settings,
into results/sensitivity-SCENARIO. Exit status: 0 done; 2 unusable input.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from pathlib import Path

import entry
from nfsrdma_figures.results import ResultsError
from nfsrdma_method import costs
from nfsrdma_method.place import COMMAND
from nfsrdma_method.resolved import SIMULATOR, MethodError, find_scenario, resolve
from nfsrdma_method.study import MATTERS

COLUMNS = "key low value high source".split()
#: Costs of a study that are named.
MOST = 4


def is_estimate(source: str) -> bool:
    return re.match(r"estimate\b", source) is not None


def kind_of(source: str) -> str:
    return next(kind for kind in costs.KINDS if re.match(rf"{kind}\b", source))


def write_costs(found: list[costs.Cost], path: Path) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            [cost.key, cost.tell(cost.low), cost.tell(cost.value), cost.tell(cost.high), cost.source] for cost in found
        )


def read_study(directory: Path) -> str | None:
    """What a study says the result hangs on; None when there is none."""
    table, caption = directory / "sensitivity.csv", directory / "sensitivity.txt"
    if not table.is_file() or not caption.is_file():
        return None
    metric = re.search(r"^Command: .*--metric (\S+)", caption.read_text(encoding="utf-8"), re.MULTILINE)
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    try:
        effects = [(float(row["mean_absolute_effect"]), row["key"], kind_of(row["source"])) for row in rows]
    except (KeyError, TypeError, ValueError, StopIteration):
        raise ResultsError(f"{table}: no table of a study: key, source and mean_absolute_effect were expected") from None
    if metric is None or not effects:
        raise ResultsError(f"{caption}: no caption of a study with costs: a command with --metric was expected")
    largest = max(effects)[0]
    carrying = [effect for effect in sorted(effects, key=lambda effect: -effect[0])[:MOST] if effect[0] >= MATTERS * largest]
    if largest == 0:
        return f"{metric[1]} hangs on no cost ({directory})"
    return f"{metric[1]} hangs on " + ", ".join(f"{key} ({kind})" for _, key, kind in carrying) + f" ({directory})"


def report(results: Path, scenario: str, options: list[str], simulator: Path) -> str:
    path = find_scenario(scenario)
    found = costs.find_costs(resolve(str(path), options, simulator), costs.read_table())
    if not results.is_dir():
        raise ResultsError(f"{results}: no such results directory")
    write_costs(found, results / "costs.csv")
    guessed = sum(is_estimate(cost.source) for cost in found)
    lines = [f"costs: {len(found)} are paid, {guessed} of them estimates ({results / 'costs.csv'})"]
    study = read_study(Path("results") / f"sensitivity-{path.stem}")
    lines.append(f"costs: {study or f'{COMMAND} sensitivity {scenario} says on which of them a result hangs'}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    parser.add_argument("results", type=Path, metavar="RESULTS")
    parser.add_argument("scenario", metavar="SCENARIO")
    parser.add_argument("options", nargs=argparse.REMAINDER, metavar="OPTIONS")
    words = parser.parse_args(arguments)
    try:
        print(report(words.results, words.scenario, words.options, words.simulator))
    except (MethodError, ResultsError, OSError) as error:
        print(f"estimates: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    entry.run(main)
