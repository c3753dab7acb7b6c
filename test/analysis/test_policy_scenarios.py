# SPDX-License-Identifier: GPL-2.0-only
"""What the scenarios that compare policies and faults say of themselves, in small variants."""

from __future__ import annotations

import csv
import subprocess

import pytest


@pytest.fixture
def run(tmp_path, simulator, root):
    """Runs a scenario with options. Returns rows of sweep.csv, and of workloads.csv of all clients if there is one."""

    def run(scenario, *options):
        command = [simulator, "run", root / "scenarios" / f"{scenario}.ini", "--out", tmp_path / "out", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        tables = []
        for name in ("sweep.csv", "workloads.csv"):
            path = tmp_path / "out" / name
            with open(path, encoding="utf-8", newline="") as file:
                tables.append([row for row in csv.DictReader(file) if row.get("client", "all") == "all"])
        return tables

    return run


def test_adaptive_credits_give_the_rate_of_fixed_ones_at_a_fraction_of_the_memory(run):
    rows, workloads = run("credit-policies", "--runs", "1", "--set", "sweep.cluster.clients=32,",
                          "--set", "workload busy.runtime=2ms", "--set", "workload quiet.runtime=2ms")
    memory, rate = {}, {}
    for row in rows:
        policy = row["rpcrdma.server_credit_grant"]
        memory[policy] = float(row["server_receive_octets"])
        busy = [work for work in workloads if work["point"] == row["point"] and work["workload"] == "busy"]
        rate[policy] = float(busy[0]["per_second"])
    assert set(memory) == {"fixed", "fair-share", "adaptive"}
    assert rate["adaptive"] > 0.8 * rate["fixed"]
    assert memory["adaptive"] < 0.25 * memory["fixed"]
    # The same bound on memory by equal shares holds the busy ones up.
    assert memory["fair-share"] < 0.25 * memory["fixed"]
    assert rate["fair-share"] < 0.5 * rate["fixed"]


def test_policies_for_thresholds_save_registrations_or_memory(run):
    rows, _ = run("inline-policies", "--runs", "1", "--set", "sweep.cluster.clients=16,")
    memory = {row["rpcrdma.profile"]: float(row["server_receive_octets"]) for row in rows}
    registrations = {row["rpcrdma.profile"]: float(row["registrations_per_rpc"]) for row in rows}
    latency = {row["rpcrdma.profile"]: float(row["latency_mean_us"]) for row in rows}
    assert all(row["status"] == "0" for row in rows)
    assert 0.6 < registrations["linux-6.1"] < 0.8
    for profile in ("large-threshold", "threshold-memory-share", "threshold-observed"):
        assert registrations[profile] < 0.1, profile
        assert abs(latency[profile] - latency["linux-6.1"]) < 0.05 * latency["linux-6.1"], profile
    assert memory["large-threshold"] > 16 * 64 * 65536
    assert memory["threshold-memory-share"] <= (16 << 20) + 16 * 75 * 1024
    assert memory["threshold-observed"] <= memory["linux-6.1"]


def test_ways_to_register_memory_differ_as_said(run):
    rows, _ = run("registration-policies", "--set", "workload.operations=100", "--set",
                  "sweep.workload.io_sizes=4096:1, 262144:1")
    found = {(row["rpcrdma.profile"], row["workload.io_sizes"]): row for row in rows}
    registrations = {key: float(row["registrations_per_rpc"]) for key, row in found.items()}
    latency = {key: float(row["latency_mean_us"]) for key, row in found.items()}
    small, large = "4096:1", "262144:1"
    assert registrations["linux-6.1", small] == registrations["linux-6.1", large] == 1
    assert registrations["short-page-lists", large] == 4 and registrations["short-page-lists", small] == 1
    assert registrations["large-threshold", small] == 0 and registrations["large-threshold", large] == 1
    for size in (small, large):
        assert 3 < latency["client-invalidates", size] - latency["linux-6.1", size] < 8
    assert latency["large-threshold", small] < latency["linux-6.1", small]
    assert latency["short-page-lists", large] > latency["linux-6.1", large]


def test_registration_strategies_differ_as_said(run):
    rows, _ = run("registration-strategies", "--set", "workload.operations=200", "--set",
                  "sweep.workload.io_sizes=4096:1, 262144:1")
    found = {(row["rpcrdma.client_registration_strategy"], row["workload.io_sizes"]): row for row in rows}
    registrations = {key: float(row["registrations_per_rpc"]) for key, row in found.items()}
    latency = {key: float(row["latency_mean_us"]) for key, row in found.items()}
    left_valid = {key: float(row["client_left_valid"]) for key, row in found.items()}
    small, large = "4096:1", "262144:1"
    for size in (small, large):
        for strategy in ("frwr", "memory-window", "regular"):
            assert registrations[strategy, size] == 1 and left_valid[strategy, size] == 0
        for strategy in ("all-physical", "preregistered"):
            assert registrations[strategy, size] == 0 and left_valid[strategy, size] > 0
        assert registrations["cache", size] < 0.1 and left_valid["cache", size] > 0
        assert float(found["cache", size]["client_cache_hits"]) > 100
        assert latency["all-physical", size] < latency["frwr", size] < latency["regular", size]
    assert float(found["preregistered", large]["client_copied_octets"]) >= 200 * 262144
    assert latency["preregistered", small] < latency["regular", small]
    assert latency["preregistered", large] > latency["frwr", large]


def test_each_fault_costs_what_is_said(run):
    rows, _ = run("fault-cost", "--set", "sweep.nfs.version=3,")
    without = float(rows[0]["duration_s"])
    assert rows[0]["faults.fault"] == "none"
    cost = {row["faults.fault"]: float(row["duration_s"]) - without for row in rows[1:]}
    assert len(cost) == 9
    for fault, least, most in (
        ("50th read-response: drop", 1e-6, 1e-3),
        ("50th read-response: corrupt 3 bits", 1e-5, 1e-3),
        ("at 3ms on client-0: link-down for 5ms", 4e-3, 30e-3),
        ("at 3ms: partition client-0 | server-0 for 50ms", 45e-3, 0.2),
        ("at 3ms on server-0: thread-stall for 20ms", 15e-3, 25e-3),
        ("at 3ms on client-0: qp-error", 1e-5, 1e-3),
        ("at 3ms on client-0: rnic-reset for 10ms", 4.9, 5.1),
        ("at 3ms: restart for 50ms on server-0", 2.95, 3.1),
        ("at 3ms: crash for 50ms on server-0", 45e-3, 0.3),
    ):
        assert least < cost[fault] < most, fault


def test_loss_costs_goodput(run):
    rows, _ = run("loss", "--runs", "1", "--set", "sweep.middlebox.drop=0,0.03", "--set", "workload.requests=20",
                  "--set", "sweep.workload.readwrite=randread,")
    goodput = [float(row["goodput_bps"]) for row in rows]
    assert goodput[1] < 0.5 * goodput[0] and goodput[0] > 0.85 * 25e9
    assert float(rows[1]["latency_p99_us"]) > 2 * float(rows[0]["latency_p99_us"])
    assert [row["retransmissions"] for row in rows] == ["0", "0"]
