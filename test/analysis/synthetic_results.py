# SPDX-License-Identifier: GPL-2.0-only
"""Results directories with invented numbers in the layout nfsrdma-sim writes, for tests of the figures."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

RPC_HEADER = (
    "client,server,xid,program,version,procedure,operation,outcome,status,form,submit_ns,send_ns,reply_ns,complete_ns,"
    "call_type,reply_type,call_inline_bytes,reply_inline_bytes,read_segments,write_chunks,write_segments,"
    "reply_segments,read_chunk_bytes,write_chunk_bytes,reply_chunk_bytes,registrations,remote_invalidated"
).split(",")
SWEEP_FIXED = (
    "rpcs,errors,simulated_s,duration_s,rpcs_per_second,latency_mean_us,latency_p50_us,latency_p99_us,registrations_per_rpc,"
    "bytes_inline,bytes_read_chunk,bytes_write_chunk,bytes_reply_chunk,goodput_bps,reassembly_peak_octets,"
    "reassembly_mean_octets,fpdus_placed_ahead,server_cpu_busy,client_cpu_busy,server_core_us_per_rpc,client_core_us_per_rpc,server_receive_octets,server_exposed_peak_octets,"
    "connections_lost,retransmissions,digest"
).split(",")
# operation, procedure, RPCs, typical latency in us, share of RPCs with each form
_MIX = (
    ("GETATTR", 1, 170, 14, {"inline": 1.0}),
    ("LOOKUP", 3, 529, 16, {"inline": 1.0}),
    ("ACCESS", 4, 23, 14, {"inline": 1.0}),
    ("READLINK", 5, 2, 25, {"reply": 1.0}),
    ("READ", 6, 110, 35, {"inline": 0.2, "write": 0.8}),
    ("WRITE", 7, 100, 120, {"inline": 0.3, "read": 0.7}),
    ("CREATE", 8, 10, 60, {"inline": 1.0}),
    ("SYMLINK", 10, 2, 70, {"inline": 0.5, "read": 0.5}),
    ("READDIRPLUS", 17, 3, 300, {"reply": 1.0}),
    ("COMMIT", 21, 1, 900, {"inline": 1.0}),
)


def _write_csv(path: Path, header: list[str], rows: list[dict]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def make_replay(directory: Path, seed: int = 1) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    generator = random.Random(seed)
    rows = []
    now = 0
    for operation, procedure, count, typical, forms in _MIX:
        for _ in range(count):
            form = generator.choices(list(forms), list(forms.values()))[0]
            latency = int(1000 * typical * generator.lognormvariate(0, 0.35))
            now += 1000
            row = dict.fromkeys(RPC_HEADER, 0)
            row |= {
                "xid": f"0x{len(rows):08x}",
                "program": 100003,
                "version": 3,
                "procedure": procedure,
                "operation": operation,
                "outcome": "SUCCESS",
                "form": form,
                "submit_ns": now,
                "send_ns": now + 500,
                "reply_ns": now + latency - 300,
                "complete_ns": now + latency,
                "call_inline_bytes": 132,
                "reply_inline_bytes": 140,
                "read_segments": int(form == "read"),
                "write_chunks": int(form == "write"),
                "write_segments": int(form == "write"),
                "reply_segments": 3 * (form == "reply"),
            }
            rows.append(row)
    _write_csv(directory / "rpc.csv", RPC_HEADER, rows)
    manifest = {"name": "synthetic", "scenario_file": "scenarios/synthetic.ini", "figures": ["replay"], "sweep": None, "seed": 1,
                "digest": f"digest-of-{seed}"}
    (directory / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    summary = {"window": {"begins_s": 1e-5, "ends_s": now / 1e9}, "hosts": [{"host": "server-0", "cpu_busy": 0.25}]}
    (directory / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    return directory


def make_sweep(
    directory: Path, values: dict[str, list[str]], seeds: int = 5, config: dict | None = None, figure: str = "sweep"
) -> Path:
    """A full factorial over values, a dictionary of key to texts; config and figure are the manifest's."""
    directory.mkdir(parents=True, exist_ok=True)
    generator = random.Random(7)
    points = [{}]
    for key, texts in values.items():
        points = [point | {key: text} for point in points for text in texts]
    rows = []
    for index, point in enumerate(points):
        level = index / max(1, len(points) - 1)
        for seed in range(1, seeds + 1):
            noise = generator.gauss(1, 0.03)
            rate = 90000 * (0.5 + 0.5 * level) * noise
            rows.append(
                dict.fromkeys(SWEEP_FIXED, 0)
                | point
                | {
                    "point": index,
                    "seed": seed,
                    "rpcs": 10000,
                    "simulated_s": f"{0.011 * (1 + index) * noise:.6f}",
                    "duration_s": f"{0.01 * (1 + index) * noise:.6f}",
                    "rpcs_per_second": f"{rate:.3f}",
                    "latency_p50_us": f"{28 / (0.6 + 0.4 * level) * noise:.3f}",
                    "latency_p99_us": f"{95 / (0.6 + 0.4 * level) * generator.gauss(1, 0.08):.3f}",
                    "registrations_per_rpc": f"{0.7 * (1 - 0.8 * level) * noise:.4f}",
                    "goodput_bps": f"{9e9 * (1 + 0.05 * level) * noise:.0f}",
                    "reassembly_peak_octets": int(1e5 * level * noise),
                    "reassembly_mean_octets": f"{1e3 * level * noise:.1f}",
                    "server_cpu_busy": f"{min(1, level * noise):.4f}",
                    "client_cpu_busy": f"{min(1, level * noise):.4f}",
                    "server_core_us_per_rpc": f"{8 * noise:.3f}",
                    "client_core_us_per_rpc": f"{12 * noise:.3f}",
                    "latency_mean_us": f"{30 / (0.6 + 0.4 * level) * noise:.3f}",
                    "server_receive_octets": int(4096 * (1 + 100 * level)),
                    "server_exposed_peak_octets": int(1e6 * level * noise),
                    "connections_lost": int(100 * level * noise),
                }
            )
    _write_csv(directory / "sweep.csv", ["point", "seed", *values, *SWEEP_FIXED], rows)
    workloads = [
        {"point": row["point"], "seed": row["seed"], "workload": workload, "kind": "fio", "client": client, "item": "read",
         "per_second": 1e5 * (1 + row["point"]), "latency_p90_us": 70 + row["point"],
         "latency_p99_us": 90 + row["point"]}
        for row in rows for workload in ("busy", "quiet", "honest") for client in ("all", "0")
    ]  # fmt: skip
    _write_csv(directory / "workloads.csv", list(workloads[0]), workloads)
    manifest = {
        "name": "synthetic",
        "scenario_file": "scenarios/policies/inline-threshold.ini",
        "figures": [figure],
        "config": config or {},
        "digest": "digest-of-synthetic",
        "sweep": {"keys": list(values), "seeds": list(range(1, seeds + 1))},
    }
    for row in rows:
        point = directory / "points" / f"{row['point']}-s{row['seed']}"
        point.mkdir(parents=True)
        (point / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (directory / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return directory
