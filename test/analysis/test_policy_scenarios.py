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
        command = [simulator, "run", scenario, "--out", tmp_path / "out", *options]
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


def test_calls_given_up_cost_connections_where_replies_are_written(run):
    rows, _ = run("cancelled-share", "--set", "sweep.adversary storm.every=6400us,400us")
    found = {(row["adversary storm.every"], row["rpcrdma.profile"]): row for row in rows}
    lost = {key: int(row["connections_lost"]) for key, row in found.items()}
    rate = {key: float(row["rpcs_per_second"]) for key, row in found.items()}
    p99 = {key: float(row["latency_p99_us"]) for key, row in found.items()}
    often, seldom, written, read = "4e-04", "0.0064", "linux-6.1", "read-chunk-replies"
    assert all(row["status"] == "0" for row in rows)
    assert lost[often, written] > 10 and lost[often, read] == lost[seldom, read] == 0
    assert lost[often, "message-continuation"] == lost[seldom, "message-continuation"] == 0
    assert rate[often, "message-continuation"] == pytest.approx(rate[often, read], rel=0.02)
    assert 0.85 < rate[often, written] / rate[often, read] < 0.95
    assert p99[often, written] > 1.7 * p99[often, read]
    assert rate[seldom, written] > 0.99 * rate[seldom, read]


def test_churn_costs_less_and_less_with_a_rate_for_each_peer(run):
    rows, _ = run("churn-attackers", "--set", "workload.requests=200", "--set",
                  "sweep.adversary churn.hosts=client-0, client-0..7")
    rate = {(row["adversary churn.hosts"], row["rnic.connection_rate"]): float(row["rpcs_per_second"]) for row in rows}
    assert rate["client-0", "0"] < 0.65 * rate["client-0", "100"]
    assert rate["client-0..7", "0"] < 0.4 * rate["client-0", "0"]
    assert rate["client-0..7", "100"] > 0.9 * rate["client-0", "100"]


def test_startups_that_never_end_keep_others_out_without_a_limit(run):
    rows, _ = run("drip-feed-attackers", "--set", "sweep.adversary drip.hosts=client-0, client-0..3")
    duration = {(row["adversary drip.hosts"], row["rnic.startups_per_peer"]): float(row["simulated_s"]) for row in rows}
    assert all(row["status"] == "0" for row in rows)
    assert duration["client-0..3", "0"] > 1
    assert max(duration["client-0", "0"], duration["client-0", "2"], duration["client-0..3", "2"]) < 0.01


@pytest.mark.parametrize("tcp, drop, slower", (("ns3", 0.03, 2), ("offload", 0.08, 2)))
def test_loss_costs_goodput(run, tcp, drop, slower):
    # RACK (RFC 8985) finds repetitions that are lost again; ns-3's TCP waits for its timer.
    rows, _ = run("loss", "--runs", "1", "--set", f"sweep.middlebox.drop=0,{drop}", "--set", "workload.requests=20",
                  "--set", "sweep.workload.readwrite=randread,", "--set", f"rnic.tcp={tcp}")
    goodput = [float(row["goodput_bps"]) for row in rows]
    assert goodput[1] < 0.5 * goodput[0] and goodput[0] > 0.85 * 25e9
    assert float(rows[1]["latency_mean_us"]) > slower * float(rows[0]["latency_mean_us"])
    assert int(rows[1]["fast_retransmits"]) > 100 and rows[0]["frames_lost"] == "0"
    assert [row["retransmissions"] for row in rows] == ["0", "0"]


def test_the_inline_threshold_has_an_effect_that_can_be_seen(run):
    """Registrations become fewer, and with them the latency and its tail, seed by seed."""
    rows, _ = run("inline-threshold", "--runs", "3", "--set", "workload.operations=500",
                  "--set", "sweep.rpcrdma.inline_threshold=1KiB, 4KiB, 16KiB, 64KiB")
    seeds = {row["seed"] for row in rows}
    assert len(seeds) == 3 and len(rows) == 12
    for seed in seeds:
        points = [row for row in rows if row["seed"] == seed]
        registrations = [float(row["registrations_per_rpc"]) for row in points]
        assert registrations == sorted(registrations, reverse=True) and registrations[-1] < 0.2 * registrations[0]
        first, last = points[0], points[-1]
        assert float(last["latency_mean_us"]) < 0.97 * float(first["latency_mean_us"])
        assert float(last["latency_p99_us"]) < 0.85 * float(first["latency_p99_us"])
        assert float(last["rpcs_per_second"]) > 1.03 * float(first["rpcs_per_second"])


def test_message_continuation_spares_registrations_and_round_trips(run):
    rows, _ = run("reply-mechanism", "--runs", "1", "--set", "sweep.workload.large_directory_fraction=0, 1",
                  "--set", "workload.operations=500")
    found = {(float(row["workload.large_directory_fraction"]), row["rpcrdma.profile"]): row for row in rows}
    latency = {key: float(row["latency_mean_us"]) for key, row in found.items()}
    registrations = {key: float(row["registrations_per_rpc"]) for key, row in found.items()}
    assert all(row["status"] == "0" for row in rows)
    assert registrations[1, "message-continuation"] == registrations[0, "message-continuation"] == 0
    assert registrations[1, "linux-6.1"] > 2 and registrations[1, "read-chunk-replies"] > 0.9
    assert latency[1, "message-continuation"] < latency[1, "pull-invalidates"] < latency[1, "read-chunk-replies"]
    assert latency[0, "message-continuation"] == latency[0, "read-chunk-replies"]
    assert float(found[1, "message-continuation"]["server_exposed_peak_octets"]) == 0


@pytest.mark.parametrize("profile", ["rfc8166", "rfc8267", "rfc8797", "draft-read-chunks"])
@pytest.mark.parametrize("key", ["client_reply_messages=8", "server_message_continuation=true"])
def test_no_specification_has_message_continuation(simulator, tmp_path, profile, key):
    both = ["--set", "rpcrdma.client_reply_messages=8", "--set", "rpcrdma.server_message_continuation=true"]
    command = [simulator, "run", "sequence", "--out", tmp_path / "out", *both,
               "--set", f"rpcrdma.profile={profile}", "--set", f"rpcrdma.{key}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"profile {profile} has no message continuation" in done.stderr
    assert not (tmp_path / "out").exists()


def test_clients_that_disconnect_lose_no_notice(run):
    rows, _ = run("reply-mechanism", "--runs", "6", "--set", "sweep.workload.large_directory_fraction=0.7,",
                  "--set", "sweep.rpcrdma.profile=read-chunk-replies,", "--set", "cluster.clients=8",
                  "--set", "workload.operations=400", "--set", "workload.queue_depth=4",
                  "--set", "rpcrdma.client_reply_mechanism=reply-chunk-never",
                  "--set", "rpcrdma.client_pull_notice=piggyback", "--set", "rpcrdma.client_piggyback_delay=10us")
    assert len(rows) == 6 and all(row["status"] == "0" for row in rows)


def test_slow_and_dead_requesters_keep_what_they_pull(run):
    rows, workloads = run("slow-requesters", "--runs", "1")
    assert all(row["status"] == "0" for row in rows)
    kinds = {"none": "prompt", "at 5ms": "slow", "at 10ms": "dead"}
    found = {(next(kind for word, kind in kinds.items() if row["faults.requester"].startswith(word)), row["rpcrdma.profile"]): row
             for row in rows}
    assert len(found) == 24
    pulled = ("draft-read-chunks", "read-chunk-replies", "pull-invalidates", "notices-on-credits")
    pushed = ("linux-6.1", "client-invalidates", "large-threshold", "message-continuation")
    for profile in pulled:
        longest = {kind: float(found[kind, profile]["exposed_longest_stay_us"]) for kind in kinds.values()}
        assert longest["prompt"] < 60 and 700 < longest["slow"] < 900 and 9_500 < longest["dead"] < 10_500, profile
        assert 20 < float(found["prompt", profile]["exposed_stay_us"]) < 28
    for profile in pushed:
        assert all(found[kind, profile]["exposed_stay_us"] == "" for kind in kinds.values())
    memory = {profile: float(found["prompt", profile]["server_memory_peak_octets"]) for profile in (*pulled, *pushed)}
    assert memory["message-continuation"] < memory["linux-6.1"] < 0.4 * memory["read-chunk-replies"]
    assert memory["notices-on-credits"] < 0.5 * memory["read-chunk-replies"]
    assert memory["large-threshold"] > 3 * memory["read-chunk-replies"]
    waits = {key: float(row["stack_credit_us"]) for key, row in found.items()}
    assert waits["prompt", "notices-on-credits"] > 3 and waits["slow", "notices-on-credits"] > 6
    assert waits["prompt", "read-chunk-replies"] == 0
    others = {row["point"]: float(row["latency_mean_us"]) for row in workloads
              if row["workload"] == "others" and row["item"] == "readdirplus"}
    for profile in (*pulled, *pushed):
        times = [others[found[kind, profile]["point"]] for kind in kinds.values()]
        assert max(times) < 1.04 * min(times), profile


def test_kerberos_costs_what_is_said(run):
    rows, _ = run("krb5-cost")
    assert all(row["status"] == "0" for row in rows)
    rate = {(row["workload.io_sizes"], row["nfs.client_security"]): float(row["rpcs_per_second"]) for row in rows}
    small, large = "4096:1", "262144:1"
    for size in (small, large):
        assert rate[size, "krb5p"] < rate[size, "krb5i"] < rate[size, "krb5"] <= 1.001 * rate[size, "sys"]
    assert rate[large, "krb5"] > 0.99 * rate[large, "sys"]
    assert 0.4 < rate[large, "krb5p"] / rate[large, "sys"] < 0.6
    said = {small: {"sys": 492_000, "krb5": 437_000, "krb5i": 304_000, "krb5p": 257_000},
            large: {"sys": 38_000, "krb5": 38_000, "krb5i": 32_000, "krb5p": 19_000}}
    for size, rates in said.items():
        for security, rpcs in rates.items():
            assert rate[size, security] == pytest.approx(rpcs, rel=0.02), (size, security)
