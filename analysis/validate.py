#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Re-enact published measurements, and say how near the model comes.

An experiment is a file of scenarios/validation: a scenario, a number that it gives and the published one that this is held
against (nfsrdma_validation/experiment.py has the keys). Prints a table, and what cannot be re-enacted; writes RESULTS.md,
results.csv, points.csv, validation.png and .pdf. --experiment predicts a measurement of one's own. Exit status: 0 all within
their bounds; 1 a miss; 2 unusable input, nothing is written; 3 a run did not come to its end.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from pathlib import Path

import entry
from nfsrdma_figures import style, validation
from nfsrdma_figures.results import ResultsError
from nfsrdma_method.resolved import SIMULATOR, MethodError, RunError
from nfsrdma_validation import bounds, enact, verdict
from nfsrdma_validation.experiment import Experiment, read_experiment
from nfsrdma_validation.ini import nearest
from nfsrdma_validation.rows import FOLDER, TABLE, read_rows
from nfsrdma_validation.verdict import Outcome


def choose(options: argparse.Namespace, rows) -> list[Experiment]:
    """The experiments asked for; MethodError for a row that none is of."""
    if options.experiment:
        return [read_experiment(path, rows) for path in options.experiment]
    found = [read_experiment(path, rows) for path in enact.find_experiments(options.experiments)]
    if not found:
        raise MethodError(f"{options.experiments}: no experiment, expected files *.ini with a section [validation]")
    if not options.rows:
        return found
    wanted = [row.strip() for row in options.rows.split(",")]
    known = sorted({one.label for one in found})
    for row in wanted:
        if row not in known:
            raise MethodError(f"--rows: got '{row}', expected rows that are re-enacted: {nearest(row, known)}")
    return [one for one in found if one.label in wanted]


def make_marks(outcomes: list[Outcome]) -> list[validation.Mark]:
    marks = []
    for outcome in outcomes:
        one = outcome.experiment
        for model, published in zip(outcome.model, one.published if len(one.published) == len(outcome.model) else []):
            if model > 0 and published > 0 and one.bound != "shape":
                marks.append(validation.Mark(one.label, one.unit, model, published, one.role, outcome.verdict))
    return marks


def run(options: argparse.Namespace) -> tuple[str, int]:
    rows = read_rows(options.table)
    experiments = choose(options, rows)
    whole = not options.experiment and not options.rows
    unmodelled = verdict.read_unmodelled(rows) if whole and options.experiments == FOLDER else []
    enactor = enact.Enactor(options.out / "runs", options.simulator)
    enactor.check(experiments)
    enactor.prepare(experiments, options.jobs)
    outcomes = [Outcome(one, tuple(enactor.evaluate(one))) for one in experiments]
    return write(outcomes, unmodelled, rows, options), int(any(outcome.verdict == "miss" for outcome in outcomes))


def write(outcomes: list[Outcome], unmodelled, rows, options: argparse.Namespace) -> str:
    out = options.out
    marks = make_marks(outcomes)
    (out / "RESULTS.md").write_text(verdict.write_document(outcomes, unmodelled, rows), encoding="utf-8")
    for name, columns, lines in (
        ("results.csv", verdict.COLUMNS, [list(outcome.cells().values()) for outcome in outcomes]),
        ("points.csv", ("row", "unit", "model", "published", "role", "verdict"),
         [[mark.row, mark.unit, f"{mark.model:.6g}", f"{mark.published:.6g}", mark.role, mark.verdict] for mark in marks]),
    ):  # fmt: skip
        with open(out / name, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(lines)
    paths = style.save(validation.draw(marks, bounds.FACTOR, f"{len(marks)} published numbers"), out, "validation")
    text = verdict.write_table(outcomes) + "\n" + verdict.summarise(outcomes) + "\n"
    if unmodelled:
        text += "\nNot re-enacted\n"
        for one in unmodelled:
            text += f"  {one.mechanism}: {', '.join(one.rows)}\n    {one.reason}\n"
    return text + "\n" + "\n".join(map(str, [out / "RESULTS.md", out / "results.csv", out / "points.csv", *paths])) + "\n"


def count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, expected a number of at least 1")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", type=Path, default=TABLE, metavar="CSV", help="published rows (default: those of the project)")
    parser.add_argument("--experiments", type=Path, default=FOLDER, metavar="DIR", help="default: scenarios/validation")
    parser.add_argument("--experiment", type=Path, action="append", default=[], metavar="FILE.ini",
                        help="this one alone; may be repeated")  # fmt: skip
    parser.add_argument("--rows", default="", metavar="N12,R12", help="only experiments of these rows")
    parser.add_argument("--jobs", type=count, default=os.cpu_count() or 1, metavar="N", help="runs at a time")
    parser.add_argument("--out", type=Path, default=Path("results/validation"), metavar="DIR", help="default: results/validation")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    options.simulator = options.simulator.resolve()
    fresh = not options.out.exists()
    try:
        text, status = run(options)
    except (MethodError, ResultsError, RunError) as error:
        print(f"validate: {error}", file=sys.stderr)
        enact.remove_unused(options.out, fresh)
        return 3 if isinstance(error, RunError) else 2
    except OSError as error:
        print(f"validate: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(text, end="")
    return status


if __name__ == "__main__":
    entry.run(main)
