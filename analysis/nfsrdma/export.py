# SPDX-License-Identifier: GPL-2.0-only
"""Results of one run in the formats of other programs, for those who have readers for them.

fio            fio's JSON ("--output-format=json+"): a job for each workload of kind fio, all its clients together
rdma           what "rdma -j statistic show link" prints: an object for each host, with the counters of its RNIC
openmetrics    OpenMetrics text: counters, utilisation and latencies, for dashboards
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pandas

from .errors import ScenarioError
from .results import Run

#: The percentiles that fio lists by default.
FIO_PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
#: Keys of [workload] that are options of fio, by the same name.
FIO_OPTIONS = (
    "readwrite bs bssplit iodepth numjobs size nrfiles rwmixread runtime ramp_time direct rate_iops fsync fdatasync end_fsync "
    "percentage_random random_distribution"
).split()
_QUANTILES = {"0.5": "latency_p50_us", "0.9": "latency_p90_us", "0.99": "latency_p99_us", "0.999": "latency_p999_us"}


def fio(run: Run) -> str:
    """ScenarioError when the run has no workload of kind fio.

    Latencies are those of histograms.csv: a bin stands for its largest latency, which is at most 1/64 too large, and minimum,
    standard deviation and percentiles are of bins. Submission costs no time of its own here: slat_ns is 0, lat_ns is clat_ns.
    """
    workloads = run.workloads
    workloads = workloads[(workloads["kind"] == "fio") & (workloads["client"] == "all")]
    if workloads.empty:
        raise ScenarioError(f"{run.directory}: no workload of kind fio")
    histograms = run.table("histograms")
    histograms = histograms[histograms["measure"] == "workload"]
    jobs = [
        _fio_job(run, name, items, histograms[histograms["population"] == name]) for name, items in workloads.groupby("workload")
    ]
    document = {"fio version": "nfsrdma", "timestamp": 0, "timestamp_ms": 0, "time": "", "jobs": jobs}
    return json.dumps(document, indent=2) + "\n"


def _fio_job(run: Run, name: str, items: pandas.DataFrame, histograms: pandas.DataFrame) -> dict[str, Any]:
    settings = run.settings
    section = "workload" if f"workload {name}.kind" not in settings else f"workload {name}"
    options = {option: settings[f"{section}.{option}"] for option in FIO_OPTIONS if settings.get(f"{section}.{option}")}
    job: dict[str, Any] = {"jobname": name, "groupid": 0, "error": 0, "eta": 0, "elapsed": math.ceil(items["seconds"].max())}
    job["job options"] = {"name": name, **options}
    for direction in ("read", "write", "trim"):
        row = items[items["item"] == direction]
        job[direction] = _fio_direction(row.iloc[0] if len(row) else None, histograms[histograms["operation"] == direction])
    return job


def _fio_direction(row: pandas.Series | None, bins: pandas.DataFrame) -> dict[str, Any]:
    octets, operations, seconds = (0, 0, 0.0) if row is None else (int(row["octets"]), int(row["operations"]), float(row["seconds"]))
    rate = octets / seconds if seconds else 0.0
    none = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    latency = none if row is None else _fio_latency(row, bins)
    return {
        "io_bytes": octets,
        "io_kbytes": octets // 1024,
        "bw_bytes": round(rate),
        "bw": round(rate / 1024),
        "iops": operations / seconds if seconds else 0.0,
        "runtime": round(seconds * 1000),
        "total_ios": operations,
        "short_ios": 0,
        "drop_ios": 0,
        "slat_ns": dict(none),
        "clat_ns": latency,
        "lat_ns": latency,
    }


def _fio_latency(row: pandas.Series, bins: pandas.DataFrame) -> dict[str, Any]:
    bins = bins.sort_values("low_ns")
    counts, tops = bins["count"].to_numpy(), bins["high_ns"].to_numpy()
    total = int(counts.sum())
    if total == 0:
        return {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    middles = (bins["low_ns"].to_numpy() + tops) / 2
    mean = float((middles * counts).sum() / total)
    variance = float((counts * (middles - mean) ** 2).sum() / total)
    reached = counts.cumsum()
    percentiles = {f"{share:f}": int(tops[(reached >= share / 100 * total).argmax()]) for share in FIO_PERCENTILES}
    return {
        "min": int(bins["low_ns"].iloc[0]),
        "max": round(row["latency_max_us"] * 1000),
        "mean": row["latency_mean_us"] * 1000,
        "stddev": math.sqrt(variance),
        "N": total,
        "percentile": percentiles,
        "bins": {str(int(top)): int(count) for top, count in zip(tops, counts)},
    }


def rdma(run: Run) -> str:
    """A host is a link, numbered from 1 in the order of counters.csv."""
    table = run.counters
    table = table[table["source"] == "rdma"]
    links = [
        {"ifindex": index, "ifname": str(host), "port": 1, **{row.counter: int(row.value) for row in rows.itertuples()}}
        for index, (host, rows) in enumerate(table.groupby("host", sort=False), 1)
    ]
    return json.dumps(links) + "\n"


def openmetrics(run: Run) -> str:
    """Counters as nfsrdma_SOURCE_COUNTER; every sample has the labels scenario and seed."""
    common = {"scenario": run.name, "seed": run.settings.get("cluster.seed", "")}
    lines: list[str] = []

    def family(name: str, kind: str, meaning: str, unit: str = "") -> None:
        lines.append(f"# TYPE {name} {kind}")
        if unit:
            lines.append(f"# UNIT {name} {unit}")
        lines.append(f"# HELP {name} {meaning}")

    def sample(name: str, value: float, **labels: object) -> None:
        given = ",".join(f'{key}="{_escape(str(text))}"' for key, text in {**common, **labels}.items())
        lines.append(f"{name}{{{given}}} {value!r}")

    for (source, counter), rows in run.counters.groupby(["source", "counter"], sort=False):
        name = "nfsrdma_" + re.sub(r"[^A-Za-z0-9_]", "_", f"{source}_{counter}")
        is_peak = counter.endswith("_peak")
        family(name, "gauge" if is_peak else "counter", f"Counter {counter} of {source}, see counters.csv.")
        for row in rows.itertuples():
            sample(name if is_peak else f"{name}_total", float(row.value), host=row.host)
    family("nfsrdma_utilisation_ratio", "gauge", "Busy time over the time measured.", "ratio")
    for row in run.utilisation.dropna(subset=["utilisation"]).itertuples():
        sample("nfsrdma_utilisation_ratio", float(row.utilisation), host=row.host, resource=row.resource)
    workloads = run.workloads
    workloads = workloads[workloads["client"] == "all"]
    family("nfsrdma_operations_per_second", "gauge", "Operations of a workload that ended in the measurement, a second.")
    for row in workloads.itertuples():
        sample("nfsrdma_operations_per_second", float(row.per_second), workload=row.workload, operation=row.item)
    family("nfsrdma_operation_seconds", "summary", "Latency of operations that arrived in the measurement.", "seconds")
    for _, row in workloads.iterrows():
        labels = {"workload": row["workload"], "operation": row["item"]}
        for quantile, column in _QUANTILES.items():
            if not pandas.isna(row[column]):
                sample("nfsrdma_operation_seconds", float(row[column]) / 1e6, **labels, quantile=quantile)
        if not pandas.isna(row["latency_mean_us"]):
            sample("nfsrdma_operation_seconds_sum", float(row["latency_mean_us"]) * float(row["operations"]) / 1e6, **labels)
        sample("nfsrdma_operation_seconds_count", int(row["operations"]), **labels)
    return "\n".join([*lines, "# EOF"]) + "\n"


def _escape(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


FORMATS: dict[str, Callable[[Run], str]] = {"fio": fio, "rdma": rdma, "openmetrics": openmetrics}
