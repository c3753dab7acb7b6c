#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Say what each run of a sweep, or a run, has cost beyond what it could have cost: the regret of its policies.

An oracle knows the whole trace, rpc.csv. It chooses inline thresholds, for each connection by dynamic programming, which change where
that pays for the switch; the best ones that stay the same; the best for each operation; the best for each connection with no more
receive memory than the run had. And it gives out credits, a number for each connection in each window of time, that have calls wait
the least with the receives that there were. Writes regret.csv, regret.png, .pdf and .txt into the directory, and gives sweep.csv of a
sweep columns of its own. A sweep has rpc.csv with --set output.rpc_csv=true. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import entry
from nfsrdma_figures import regret as figure_of
from nfsrdma_figures import program, style
from nfsrdma_figures.caption import write_caption
from nfsrdma_figures.results import Manifest, ResultsError, shown
from nfsrdma_figures.units import in_base_units
from nfsrdma_method import regret
from nfsrdma_method.place import COMMAND

MOST_WINDOWS = 10_000

def write(directory: Path, switch: float | None, memory: float | None, windows: int) -> str:
    manifest = Manifest(directory)
    found = regret.write_table(directory, switch, memory, windows)
    if manifest.is_sweep:
        regret.add_columns(directory, found)
    table, keys = figure_of.read(directory)
    style.save(figure_of.draw(table, keys, manifest.name), directory, "regret")
    price = "what a connection took to be made" if switch is None else f"{switch:g} ns"
    caption = write_caption(
        manifest,
        "what RPCs cost beyond an oracle that knows the whole trace; mean of an RPC",
        f"{sum(one.rpcs for _, one in found)} RPCs of {len(found)} runs",
        [f"A change of thresholds is a reconnection and costs {price}; "
         f"credits of a connection change between {windows} windows of time."],
        f"{COMMAND} oracle {directory}",
    )
    (directory / "regret.txt").write_text(caption, encoding="utf-8")
    lines = []
    for cells, one in found:
        wait = ""
        if one.wait_regret is not None:
            least = "" if one.wait_bound >= one.oracle_wait else f", the least is not below {one.wait_bound / 1e3:.2f}"
            wait = f", credits {one.wait / 1e3:.2f} us less {one.oracle_wait / 1e3:.2f} ({one.fixed_wait / 1e3:.2f} fixed{least})"
        lines.append(
            f"{' '.join(cells[2:]) or manifest.name}: forms {one.cost:.0f} ns an RPC, oracle {one.oracle_cost:.0f} "
            f"({one.switches} switches), regret {one.regret:.0f} ns ({100 * one.regret / one.oracle_cost:.2f} %); best fixed thresholds "
            f"{one.call_threshold} and {one.reply_threshold}, {one.fixed_cost:.0f} ns{wait}"
        )
    return "\n".join(lines) + "\n"


def nanoseconds(text: str) -> float:
    seconds = None if text[-1:].isdigit() else in_base_units(text)
    if seconds is None or not 0 <= seconds < math.inf:
        raise ResultsError(f"--switch: got {shown(text)}, expected a time with its unit, such as 10us")
    return 1e9 * seconds


def octets(text: str) -> float:
    number = in_base_units(text)
    if number is None or not 0 < number < math.inf:
        raise ResultsError(f"--memory: got {shown(text)}, expected a number of octets, such as 16MiB")
    return number


def count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MOST_WINDOWS:
        raise ResultsError(f"--windows: got {shown(text)}, expected a number of windows, 1 to {MOST_WINDOWS}")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    parser.add_argument("--switch", metavar="TIME", help="what another threshold costs a connection; default: what "
                        "connections took to be made")  # fmt: skip
    parser.add_argument("--memory", metavar="OCTETS", help="of the servers' receives; default: what the run had")
    parser.add_argument("--windows", metavar="N", help="in which a connection may have other credits, of equal length; default: "
                        f"{regret.WINDOWS}; 1: credits stay the same")  # fmt: skip
    options = parser.parse_args(arguments)

    def work() -> list[Path]:
        switch = None if options.switch is None else nanoseconds(options.switch)
        memory = None if options.memory is None else octets(options.memory)
        windows = regret.WINDOWS if options.windows is None else count(options.windows)
        print(write(options.results, switch, memory, windows), end="")
        return [options.results / f"regret.{name}" for name in ("csv", "txt", "png", "pdf")]

    return program.report("oracle", work)


if __name__ == "__main__":
    entry.run(main)
