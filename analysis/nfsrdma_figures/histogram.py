# SPDX-License-Identifier: GPL-2.0-only
"""Latency histograms of histograms.csv: buckets whose upper bound is at most 1/64 above each latency in them.

Those of several clients, runs and points can be added, in any order: the sum is the histogram of all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy

from .results import ResultsError, read_table

#: Columns by which the RPCs of histograms.csv can be told apart.
SPLITS = ("operation", "workload", "all")


class Histogram:
    """Counts by the upper bound of their bucket, in ns."""

    def __init__(self, counts: dict[int, int]) -> None:
        self._bounds = numpy.array(sorted(counts), dtype=numpy.int64)
        self._counts = numpy.array([counts[bound] for bound in sorted(counts)], dtype=numpy.int64)

    @classmethod
    def of(cls, latencies: Iterable[float]) -> Histogram:
        """Of latencies in us, in the buckets of histograms.csv."""
        counts: dict[int, int] = {}
        for latency in latencies:
            bound = upper_bound(round(latency * 1e3))
            counts[bound] = counts.get(bound, 0) + 1
        return cls(counts)

    def __len__(self) -> int:
        return int(self._counts.sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Histogram) and self.counts() == other.counts()

    def counts(self) -> dict[int, int]:
        return {int(bound): int(count) for bound, count in zip(self._bounds, self._counts)}

    def quantiles(self, shares: numpy.ndarray) -> numpy.ndarray:
        """Latencies in us that shares of the RPCs do not exceed (nearest rank): upper bounds of their buckets."""
        # As numpy's inverted_cdf: a share that is a whole number of RPCs but for rounding is that number.
        ranks = numpy.maximum(numpy.ceil(numpy.asarray(shares) * len(self) - 1e-9), 1)
        places = numpy.searchsorted(numpy.cumsum(self._counts), ranks)
        return self._bounds[numpy.minimum(places, len(self._bounds) - 1)] / 1e3


def upper_bound(nanoseconds: int) -> int:
    """Of the bucket that a latency belongs to: 64 buckets for each power of two."""
    shift = max(0, nanoseconds.bit_length() - 7)
    return ((nanoseconds >> shift) + 1 << shift) - 1


def add(histograms: Iterable[Histogram]) -> Histogram:
    """All of them as one sample."""
    counts: dict[int, int] = {}
    for histogram in histograms:
        for bound, count in histogram.counts().items():
            counts[bound] = counts.get(bound, 0) + count
    return Histogram(counts)


def read_histograms(directory: Path, split: str, operations: Iterable[str] = ()) -> list[tuple[str, Histogram]]:
    """Of the RPCs measured in a run, by one of SPLITS; only some operations, if any are named."""
    path = directory / "histograms.csv"
    columns = ["measure", "population", "operation", "high_ns", "count"]
    table = read_table(path, columns, columns[:3], may_be_empty=True)
    rpcs = table[table["measure"] == "rpc"]
    if rpcs.empty:
        raise ResultsError(f"{path}: no RPC that succeeded in the window measured")
    known = sorted(set(rpcs["operation"]))
    for name in operations:
        if name not in known:
            raise ResultsError(f"{path}: no {name} measured; operations are {', '.join(known)}")
    if operations:
        rpcs = rpcs[rpcs["operation"].isin(list(operations))]
    if split == "all":
        groups = [("", rpcs)]
    else:
        groups = list(rpcs.groupby({"operation": "operation", "workload": "population"}[split]))
    return [
        (str(name), Histogram({int(bound): int(count) for bound, count in group.groupby("high_ns")["count"].sum().items()}))
        for name, group in groups
    ]
