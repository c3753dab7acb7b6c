#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Vary each cost of the model within its uncertainty, and say which numbers carry a result.

A scenario with one point: the result is METRIC, a column of sweep.csv. With --a or --b it is the difference of two settings,
B less A in percent of A, of runs with the same seeds, and a conclusion that flips somewhere is named. All costs that the
scenario pays are screened (Morris), for the few that matter Sobol's indices follow. uncertainty.csv has the ranges. Writes
sensitivity.csv, places.csv, sensitivity.png, .pdf and .txt, the caption. Exit status: 0 done; 2 unusable input; 3 a run did
not come to its end.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import shlex
import sys
from pathlib import Path

import entry
from nfsrdma_figures import sensitivity, style
from nfsrdma_figures.results import ResultsError
from nfsrdma_method import costs, study
from nfsrdma_method.packing import commit
from nfsrdma_method.place import COMMAND
from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError, find_scenario, list_files, resolve
from nfsrdma_method.study import Plan, Study

COLUMNS = (
    "key low nominal high source mean_effect mean_absolute_effect deviation first_order first_ci95_low first_ci95_high total "
    "total_ci95_low total_ci95_high flips"
).split()


def rows(found: Study) -> list[list]:
    """What sensitivity.csv has below COLUMNS."""
    lines = []
    for finding in found.findings:
        cost, effect = finding.cost, finding.effect
        indices: list = []
        for index in (finding.first, finding.total):
            indices += [index.share, index.low, index.high] if index else [""] * 3
        lines.append([cost.key, cost.tell(cost.low), cost.tell(cost.value), cost.tell(cost.high), cost.source, effect.mean,
                      effect.absolute, effect.deviation, *indices, finding.flips])  # fmt: skip
    return lines


def label_of(plan: Plan) -> str:
    return f"{plan.metric}, B less A (% of A)" if plan.is_difference else plan.metric


def write_table(found: Study) -> str:
    """The study for people."""
    lines = [f"{'cost':36} {'range':>22} {'effect':>11} {'deviation':>11} {'alone':>7} {'in all':>7}"]
    lines.append("-" * len(lines[0]))
    for finding in found.findings:
        cost = finding.cost
        shares = [f"{index.share:7.2f}" if index else " " * 7 for index in (finding.first, finding.total)]
        lines.append(
            f"{cost.key:36} {cost.tell(cost.low) + ' to ' + cost.tell(cost.high):>22} {finding.effect.mean:+11.4g} "
            f"{finding.effect.deviation:11.4g} {shares[0]} {shares[1]}".rstrip()
        )
    return "\n".join(lines) + "\n"


def write_caption(found: Study, command: str) -> str:
    plan, values = found.plan, [output.value for output in found.places.values()]
    carrying = [finding for finding in found.findings if finding.first] or found.findings[:1]
    lines = [
        f"Effect of each cost, over the whole of its range, on {label_of(plan)}; n: {len(found.places)} places of the costs, "
        f"{plan.seeds} runs of {len(plan.sides)} setting(s) at each, seeds the same.",
        f"With nominal costs: {found.nominal.value:.6g}, 95 % interval (Student's t) {found.nominal.low:.6g} to "
        f"{found.nominal.high:.6g}; over all places {min(values):.6g} to {max(values):.6g}.",
    ]
    if carrying[0].effect.absolute > 0:
        lines.append("It hangs on " + ", ".join(
            f"{finding.cost.key} ({finding.cost.source.partition(':')[0].partition(',')[0]}"
            + (f", {100 * finding.total.share:.0f} % of the variance" if finding.total else "") + ")"
            for finding in carrying) + ".")  # fmt: skip
    else:
        lines.append("No cost changes it.")
    lines += conclude(found) if plan.is_difference else []
    lines += [
        "Screening: Morris, trajectories on 4 levels. Indices: Saltelli 2010 and Jansen 1999 over a scrambled Sobol sequence, other "
        "costs nominal; intervals by bootstrap.",
        f"Command: {command}",
        f"Commit: {commit() or 'unknown'}",
        f"Digest of the places: {digest_of(found)}",
    ]
    return "\n".join(lines) + "\n"


def conclude(found: Study) -> list[str]:
    """Whether the sign of a difference holds wherever the costs may lie."""
    flips, lost, count = found.flips(), found.lost(), len(found.places)
    if found.nominal.verdict == "no difference shown":
        shown = [(row, output) for row, output in found.places.items() if output.verdict != "no difference shown"]
        lines = [f"Conclusion with nominal costs: no difference shown. A difference is shown at {len(shown)} of {count} places."]
        return lines + ([f"  {shown[0][1].verdict} with {' '.join(shown[0][0])}"] if shown else [])
    lines = [f"Conclusion with nominal costs: {found.nominal.verdict}."]
    if not flips and not lost:
        return [*lines, f"It holds at all {count} places."]
    if flips:
        lines.append(f"THE CONCLUSION FLIPS at {len(flips)} of {count} places, to: {flips[0][1].verdict}.")
        lines.append(f"  {flips[0][1].value:+.4g} with {' '.join(flips[0][0])}")
        alone = [finding.cost.key for finding in found.findings if finding.flips]
        if alone:
            lines.append(f"  A step of one cost alone flips it: {', '.join(alone)}.")
    if lost:
        lines.append(f"No difference is shown at {len(lost)} of {count} places.")
    return lines


def digest_of(found: Study) -> str:
    text = "\n".join(f"{' '.join(row)} {output.value!r}" for row, output in sorted(found.places.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def run(options: argparse.Namespace) -> tuple[str, list[Path]]:
    path = find_scenario(options.scenario)
    both = tuple(word for setting in options.set for word in ("--set", setting))
    of_sides = [options.a, options.b] if options.a or options.b else [[]]
    sides = tuple((*both, *(word for setting in of_side for word in ("--set", setting))) for of_side in of_sides)
    fixed = frozenset(setting.partition("=")[0] for setting in (*options.a, *options.b))
    rows_of_table = costs.read_table()
    found: dict[str, costs.Cost] = {}
    inputs = hashlib.sha256(options.simulator.read_bytes())
    for side in sides:
        resolved = resolve(str(path), side, options.simulator)
        study.require_one_point(resolved)
        inputs.update(resolved.text.encode())
        for file in (path, *list_files(path, resolved).values()):
            inputs.update(file.read_bytes())
        for cost in costs.find_costs(resolved, rows_of_table, fixed):
            found.setdefault(cost.key, cost)
    for key in options.cost:
        if key not in found:
            raise MethodError(f"--cost {key}: no cost that the scenario pays; those are {', '.join(found)}")
    if options.cost:
        found = {key: found[key] for key in options.cost}
    if not found:
        raise MethodError(f"{options.scenario}: pays no cost that {costs.TABLE.name} knows")
    plan = Plan(str(path), sides, options.metric, options.seeds, options.simulator, options.out, options.jobs, inputs.hexdigest())


    def tell(text: str) -> None:
        print(f"sensitivity: {text}", file=sys.stderr)

    done = study.carry_out(plan, list(found.values()), options.trajectories, options.most, options.base, tell)
    return write(done, options)


def write(done: Study, options: argparse.Namespace) -> tuple[str, list[Path]]:
    words = [word for name in ("set", "a", "b", "cost") for setting in getattr(options, name) for word in (f"--{name}", setting)]
    numbers = [f"--{name}={getattr(options, name)}" for name in ("seeds", "trajectories", "most", "base")]
    command = shlex.join([COMMAND, "sensitivity", options.scenario, "--metric", options.metric, *words, *numbers])
    figure = sensitivity.draw(
        [finding.cost.key for finding in done.findings],
        [(finding.effect.absolute, finding.effect.deviation) for finding in done.findings],
        [(finding.first, finding.total) for finding in done.findings if finding.first],
        label_of(done.plan),
        f"{Path(options.scenario).stem}: sensitivity to costs",
    )
    caption = write_caption(done, command)
    out = options.out
    for name, header, lines in (
        ("sensitivity.csv", COLUMNS, rows(done)),
        ("places.csv", ["value", "ci95_low", "ci95_high", "verdict", "settings"],
         [[output.value, output.low, output.high, output.verdict if done.plan.is_difference else "", " ".join(row)]
          for row, output in sorted(done.places.items())]),
    ):  # fmt: skip
        with open(out / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            writer.writerows(lines)
    (out / "sensitivity.txt").write_text(caption, encoding="utf-8")
    paths = style.save(figure, out, "sensitivity")
    return write_table(done) + "\n" + caption, [out / "sensitivity.csv", out / "places.csv", *paths, out / "sensitivity.txt"]


def count(least: int):
    def parse(text: str) -> int:
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"got {text!r}, expected a number of at least {least}")
        return int(text)

    return parse


def power_of_two(text: str) -> int:
    if not text.isdigit() or (int(text) & (int(text) - 1)) != 0:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a power of 2, or 0 for no indices")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", metavar="SCENARIO")
    parser.add_argument("--metric", default="rpcs_per_second", metavar="COLUMN", help="of sweep.csv (default: rpcs_per_second)")
    for name, help_text in (("set", "for all runs"), ("a", "of A alone"), ("b", "of B alone")):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="KEY=VALUE", help=f"set a key, {help_text}")
    parser.add_argument("--cost", action="append", default=[], metavar="KEY", help="vary this cost; may be repeated (default: all)")
    parser.add_argument("--seeds", type=count(2), default=3, metavar="N", help="runs at each place (default: 3)")
    parser.add_argument("--trajectories", type=count(1), default=4, metavar="N", help="of the screening (default: 4)")
    parser.add_argument("--most", type=count(0), default=4, metavar="N", help="costs that get indices (default: 4)")
    parser.add_argument("--base", type=power_of_two, default=32, metavar="N", help="size of the sample for indices (default: 32)")
    parser.add_argument("--jobs", type=count(1), default=os.cpu_count() or 1, metavar="N", help="runs at a time")
    parser.add_argument("--out", type=Path, metavar="DIR", help="default: results/sensitivity-SCENARIO")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    options.out = options.out or Path("results") / f"sensitivity-{Path(options.scenario).stem}"
    try:
        text, paths = run(options)
    except (MethodError, ResultsError, RunError) as error:
        print(f"sensitivity: {error}", file=sys.stderr)
        return 3 if isinstance(error, RunError) else 2
    except OSError as error:
        print(f"sensitivity: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(text, end="")
    for path in paths:
        print(path)
    return 0


if __name__ == "__main__":
    entry.run(main)
