#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Make the gallery of figures in one directory: run, draw, and write index.html.

Each figure is NAME.png and NAME.pdf; the results it was drawn from are below results/. A sweep that was interrupted
goes on. Exit status: 0 done, 1 a run failed, 2 unusable input.
"""

from __future__ import annotations

import argparse
import hashlib
import shlex
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import entry
from nfsrdma_figures import asked, gallery_page, perftest, style
from nfsrdma_figures.gallery_table import FIGURES, PERFTEST, Figure
from nfsrdma_figures.results import ResultsError
from nfsrdma_method.place import SIMULATOR

ROOT = Path(__file__).resolve().parents[1]
PERFTEST_PROGRAMS = ("send-lat", "write-lat", "read-lat", "send-bw", "write-bw", "read-bw")
# Of the page; at 200 dpi a figure of full width has 1260.
PIXELS_PER_INCH, DOTS_PER_INCH = 120, 200


class RunError(Exception):
    """A run that did not end well; the text is one line for the user."""


class Gallery:
    """A directory with figures, the results they are drawn from, and the page."""

    def __init__(self, directory: Path, simulator: Path, table: tuple[Figure, ...] = FIGURES, root: Path = ROOT):
        self.directory = directory
        self.simulator = simulator
        self.table = table
        self.root = root

    def results_of(self, figure: Figure) -> Path:
        """Named after the scenario; with options there may be several of one."""
        name = figure.scenario
        if figure.options:
            name += "-" + hashlib.sha256("\0".join(figure.options).encode()).hexdigest()[:8]
        return self.directory / "results" / name

    def command_of(self, figure: Figure) -> str:
        if figure.scenario == PERFTEST:
            return "./start perftest"
        return " ".join(["./start run", figure.scenario, *map(shlex.quote, figure.options)])

    def make(self, chosen: Iterable[Figure]) -> None:
        """Runs and draws the figures chosen, then writes the page of all that are there."""
        self.directory.mkdir(parents=True, exist_ok=True)
        done: set[Path] = set()
        for figure in chosen:
            results = self.results_of(figure)
            if results not in done:
                self._run(figure, results)
                done.add(results)
            self._draw(figure, results)
            print(self.directory / f"{figure.name}.png", flush=True)
        self.write_page()

    def write_page(self) -> Path:
        exhibits = [
            gallery_page.Exhibit(
                figure.name,
                figure.title,
                figure.caption,
                self.command_of(figure),
                str((self.results_of(figure) / figure.data).relative_to(self.directory)),
                png_width(self.directory / f"{figure.name}.png") * PIXELS_PER_INCH // DOTS_PER_INCH,
            )
            for figure in self.table
            if (self.directory / f"{figure.name}.png").exists()
        ]
        page = self.directory / "index.html"
        page.write_text(gallery_page.render(exhibits), encoding="utf-8")
        return page

    def _run(self, figure: Figure, results: Path) -> None:
        began = time.monotonic()
        if figure.scenario == PERFTEST:
            self._run_perftest(results)
        else:
            self._call([self.simulator, "run", figure.scenario, *figure.options, "--out", results], figure)
        print(f"{figure.scenario}: {time.monotonic() - began:.0f} s", file=sys.stderr)

    def _run_perftest(self, results: Path) -> None:
        results.mkdir(parents=True, exist_ok=True)
        for profile in sorted((self.root / "scenarios/profiles/rnic").glob("*.ini")):
            for name in PERFTEST_PROGRAMS:
                table = results / f"{profile.stem}-{name}.csv"
                command = [self.simulator.parent / name, "-a", "--mtu", "9000", "--profile", profile.stem, "--csv", table]
                self._call(command, None)

    def _call(self, command: list, figure: Figure | None) -> None:
        done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode not in (figure.statuses if figure else (0,)):
            raise RunError(f"{shlex.join(map(str, command))}: exit status {done.returncode}")

    def _draw(self, figure: Figure, results: Path) -> None:
        if figure.draw is not None:
            style.save(figure.draw(results), self.directory, figure.name)
            return
        if figure.scenario == PERFTEST:
            style.save(perftest.draw_perftest(perftest.read_runs(results)), self.directory, figure.name)
            return
        for path in asked.draw(results):
            if path.stem == (figure.drawn or figure.name):
                shutil.copyfile(path, self.directory / f"{figure.name}{path.suffix}")


def png_width(path: Path) -> int:
    """In dots; ResultsError when the file is no PNG."""
    octets = path.read_bytes()[:20]
    if not octets.startswith(b"\x89PNG\r\n\x1a\n") or len(octets) < 20:
        raise ResultsError(f"{path}: not an image in PNG")
    return struct.unpack(">I", octets[16:20])[0]


def choose(table: tuple[Figure, ...], names: list[str]) -> list[Figure]:
    known = {figure.name: figure for figure in table}
    for name in names:
        if name not in known:
            raise ResultsError(f"no figure {name}; known are {', '.join(known)}")
    return [figure for figure in table if not names or figure.name in names]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, nargs="?", default=Path("results/figures"), metavar="DIR")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this figure; may be given again")
    parser.add_argument("--list", action="store_true", help="print the names of the figures and stop")
    parser.add_argument("--page", action="store_true", help="write index.html again and stop")
    parser.add_argument("--simulator", type=Path, default=SIMULATOR, metavar="FILE")
    options = parser.parse_args(arguments)
    if options.list:
        for figure in FIGURES:
            print(f"{figure.name:20} {figure.title}")
        return 0
    gallery = Gallery(options.directory, options.simulator)
    try:
        if options.page:
            print(gallery.write_page())
            return 0
        gallery.make(choose(FIGURES, options.only))
    except (ResultsError, RunError, OSError) as error:
        print(f"figures: {error}", file=sys.stderr)
        return 1 if isinstance(error, RunError) else 2
    print(options.directory / "index.html")
    return 0


if __name__ == "__main__":
    entry.run(main)
