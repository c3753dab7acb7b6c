#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare two sweeps, pair by pair of runs with the same seed: is B better than A, and how sure is that?

Both directories are results of nfsrdma-sim with several seeds (--runs N, or a sweep over the same keys). Prints a table
and writes compare.csv, compare.png, compare.pdf and compare.txt, the caption of the figure. Exit status: 0 done, 2
unusable input.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import entry
from nfsrdma_figures import paired, program, style


def compare(options: argparse.Namespace) -> str:
    metrics = tuple(dict.fromkeys(options.metric or paired.METRICS))
    a, b = (paired.read_side(directory) for directory in (options.a, options.b))
    found = paired.compare(a, b, metrics, options.test)
    title = f"A {a.name}, B {b.name}" if a.name != b.name else "; ".join(paired.list_changes(a, b)[:2]) or a.name
    figure = paired.draw(found, title)
    caption = paired.write_caption(a, b, found, metrics, options.test)
    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "compare.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(paired.COLUMNS)
        writer.writerows(paired.rows(found))
    (options.out / "compare.txt").write_text(caption, encoding="utf-8")
    style.save(figure, options.out, "compare")
    return paired.write_table(found) + "\n" + caption


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("a", type=Path, metavar="A_DIR")
    parser.add_argument("b", type=Path, metavar="B_DIR")
    parser.add_argument("--out", type=Path, required=True, help="directory of what is written")
    parser.add_argument(
        "--metric", action="append", help=f"a column of sweep.csv; may be repeated (default: {', '.join(paired.METRICS)})"
    )
    parser.add_argument("--test", choices=sorted(paired.TESTS), default="t", help="paired t test, or Wilcoxon's of ranks")
    options = parser.parse_args(arguments)

    def write() -> list[Path]:
        print(compare(options), end="")
        return [options.out / f"compare.{name}" for name in ("csv", "txt", "png", "pdf")]

    return program.report("compare", write)


if __name__ == "__main__":
    entry.run(main)
