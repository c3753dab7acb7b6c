# SPDX-License-Identifier: GPL-2.0-only
"""Directories of results as objects: tables as pandas frames, figures drawn on request."""

from __future__ import annotations

import base64
import html
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import matplotlib
import pandas
from nfsrdma_figures.plotting import plot
from nfsrdma_figures.results import Manifest, ResultsError, read_object

from .errors import ScenarioError


@contextmanager
def _told() -> Iterator[None]:
    """What is wrong with results is an error of this package."""
    try:
        yield
    except ResultsError as error:
        raise ScenarioError(str(error)) from None


class PartialResults(UserWarning):
    """Results are those of a run that had not ended (--checkpoint-interval)."""


class Figures:
    """Figures that were drawn into the directory of results; a notebook shows them with their captions."""

    def __init__(self, paths: list[Path]) -> None:
        self.paths = paths

    @property
    def images(self) -> list[Path]:
        return [path for path in self.paths if path.suffix == ".png"]

    def caption(self, image: Path) -> str:
        path = image.with_suffix(".txt")
        return path.read_text(encoding="utf-8") if path in self.paths else ""

    def __iter__(self) -> Iterator[Path]:
        return iter(self.images)

    def __repr__(self) -> str:
        return f"Figures({', '.join(str(path) for path in self.images)})"

    def _repr_html_(self) -> str:
        parts = []
        for image in self.images:
            data = base64.b64encode(image.read_bytes()).decode("ascii")
            parts.append(f'<img style="max-width: 100%" src="data:image/png;base64,{data}">')
            parts.append(f"<pre>{html.escape(self.caption(image))}</pre>")
        return "\n".join(parts)


class _Results:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        try:
            self._manifest = Manifest(directory)
        except ResultsError as error:
            raise ScenarioError(str(error)) from None

    @property
    def name(self) -> str:
        """Of the scenario."""
        with _told():
            return self._manifest.name

    @property
    def digest(self) -> str:
        """Over every frame and RPC: the same scenario with the same seed has the same."""
        with _told():
            return self._manifest.digest

    @property
    def partial(self) -> str:
        """What is to be said of results of a run that had not ended when they were written; empty when it had."""
        with _told():
            return self._manifest.partial

    @property
    def settings(self) -> dict[str, str]:
        """What each section.key was configured as, with its unit."""
        with _told():
            return self._manifest.settings()

    def table(self, name: str) -> pandas.DataFrame:
        """NAME.csv of the results, read anew. ScenarioError when they have none."""
        path = self.directory / f"{name}.csv"
        try:
            return pandas.read_csv(path, low_memory=False)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error).splitlines()[0]
            raise ScenarioError(f"{path}: {reason}") from None

    def plot(self, kind: str = "auto", *, metric: str | Sequence[str] = (), **words: str) -> Figures:
        """Draws a kind of figure into the directory, as "nfsrdma plot" does.

        kind: lines, latency-throughput, heat, fairness, cdf, tail, stack, utilisation, time, or auto, what the scenario asks
        for. metric is a column of sweep.csv, or several. Other words place or select keys: x, series, panel and row, or
        the name of a key, as in plot("lines", x="workload.iodepth", **{"nfs.version": "4.1"}).
        """
        metrics = [metric] if isinstance(metric, str) else list(metric)
        given = [f"metric={name}" for name in metrics] + [f"{key}={value}" for key, value in words.items()]
        # The look of these figures is not that of others.
        with _told(), matplotlib.rc_context():
            return Figures(plot(self.directory, kind, given, tell=lambda line: None))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.directory)!r})"


class Run(_Results):
    """Results of one run."""

    @cached_property
    def summary(self) -> dict:
        """summary.json: counts, latencies, octets by form, what was verified and what was left over."""
        with _told():
            return read_object(self.directory / "summary.json")

    @cached_property
    def rpcs(self) -> pandas.DataFrame:
        """rpc.csv, a row for each RPC, and latency_ns: from arrival to completion."""
        table = self.table("rpc")
        table["latency_ns"] = table["complete_ns"] - table["arrival_ns"]
        return table

    @property
    def counters(self) -> pandas.DataFrame:
        """counters.csv: host, source, counter, value."""
        return self.table("counters")

    @property
    def utilisation(self) -> pandas.DataFrame:
        """utilisation.csv: how busy each resource was."""
        return self.table("utilisation")

    @property
    def workloads(self) -> pandas.DataFrame:
        """workloads.csv: rate and latency of each population, client and operation."""
        return self.table("workloads")

    @property
    def latency_stack(self) -> pandas.DataFrame:
        """latency-stack.csv: where RPCs spent their time, by operation and form."""
        return self.table("latency-stack")

    @property
    def captures(self) -> list[Path]:
        """The captures that the run wrote."""
        return sorted(self.directory.glob("*.pcap"))


class Sweep(_Results):
    """Results of a sweep, or of one scenario with several seeds."""

    @property
    def keys(self) -> list[str]:
        """The swept keys."""
        with _told():
            return self._manifest.swept_keys

    @cached_property
    def runs(self) -> pandas.DataFrame:
        """sweep.csv, a row for each point and seed."""
        return self.table("sweep")

    @cached_property
    def summary(self) -> pandas.DataFrame:
        """sweep-summary.csv, a row for each point: mean over the seeds, and NAME_ci95, half of its 95 % interval."""
        return self.table("sweep-summary")

    def run(self, point: int, seed: int) -> Run:
        """One run of the sweep. What runs of a sweep write beside their summary depends on section [output]."""
        path = self.directory / "points" / f"{point}-s{seed}"
        if not path.is_dir():
            raise ScenarioError(f"{path}: no such run; points are those of the table runs")
        return Run(path)


def load(directory: str | Path) -> Run | Sweep:
    """Results that were written before; with a warning if they are partial. ScenarioError when the directory has none."""
    path = Path(directory)
    with _told():
        results = Sweep(path) if Manifest(path).is_sweep else Run(path)
    if results.partial:
        warnings.warn(f"{path}: {results.partial}", PartialResults, stacklevel=2)
    return results
