# SPDX-License-Identifier: GPL-2.0-only
"""The oracle's programs against an exhaustive search, and against what theory says."""

from __future__ import annotations

import csv
import itertools
import subprocess

import numpy
import pytest

from nfsrdma_method import oracle
from nfsrdma_method.regret import Connection


def exhaustive(costs, switch):
    stages, width = costs.shape
    return min(
        sum(costs[stage, choice] for stage, choice in enumerate(choices))
        + switch * sum(a != b for a, b in zip(choices, choices[1:]))
        for choices in itertools.product(range(width), repeat=stages)
    )


def cost_of(plan, costs, switch):
    return sum(costs[stage, choice] for stage, choice in enumerate(plan.choices)) + switch * plan.switches


@pytest.mark.parametrize("seed", range(20))
def test_the_changing_plan_is_that_of_an_exhaustive_search(seed):
    generator = numpy.random.default_rng(seed)
    costs = generator.integers(0, 20, size=(7, 3)).astype(float)
    for switch in (0, 1, 5, 100):
        plan = oracle.best_changing(costs, switch)
        assert plan.cost == exhaustive(costs, switch)
        assert cost_of(plan, costs, switch) == plan.cost
        assert plan.cost <= oracle.best_fixed(costs).cost


def test_without_a_price_each_stage_has_its_own_best():
    costs = numpy.array([[3.0, 1.0], [1.0, 4.0], [5.0, 2.0]])
    plan = oracle.best_changing(costs, 0)
    assert plan.choices == (1, 0, 1) and plan.cost == 4


def test_with_a_price_that_nothing_is_worth_it_is_the_best_fixed_one():
    costs = numpy.random.default_rng(1).random((50, 4))
    plan, fixed = oracle.best_changing(costs, 1e9), oracle.best_fixed(costs)
    assert plan.choices == fixed.choices
    assert plan.cost == pytest.approx(fixed.cost)


def test_a_constant_trace_has_no_switch():
    plan = oracle.best_changing(numpy.tile([2.0, 1.0, 3.0], (1000, 1)), 0.001)
    assert plan.switches == 0 and set(plan.choices) == {1}


@pytest.mark.parametrize("season, switches, cost", [(9, 0, 18), (11, 1, 21), (19, 1, 29), (21, 3, 30)])
def test_it_switches_when_a_season_is_longer_than_a_switch_is_dear(season, switches, cost):
    """Ski rental: a stage in the wrong season costs 1, a switch 10. A visit between two seasons costs two switches, the last one."""
    costs = numpy.array([[0.0, 1.0] if stage // season % 2 == 0 else [1.0, 0.0] for stage in range(4 * season)])
    plan = oracle.best_changing(costs, 10)
    assert (plan.switches, plan.cost) == (switches, cost)


@pytest.mark.parametrize("seed", range(20))
def test_the_allocation_is_that_of_an_exhaustive_search(seed):
    generator = numpy.random.default_rng(seed)
    costs = generator.integers(0, 30, size=(4, 3)).tolist()
    sizes = generator.integers(1, 6, size=(4, 3)).tolist()
    for budget in (3, 7, 12, 30):
        found = [
            sum(costs[i][choice] for i, choice in enumerate(choices))
            for choices in itertools.product(range(3), repeat=4)
            if sum(sizes[i][choice] for i, choice in enumerate(choices)) <= budget
        ]
        plan = oracle.allocate(costs, sizes, budget)
        assert (plan.cost if plan else None) == (min(found) if found else None)
        if plan:
            assert sum(costs[i][choice] for i, choice in enumerate(plan.choices)) == plan.cost
            assert sum(sizes[i][choice] for i, choice in enumerate(plan.choices)) <= budget


def test_more_room_never_costs_more_and_room_for_all_is_free():
    costs, sizes = [[9, 4, 0]] * 5, [[1, 2, 4]] * 5
    found = [oracle.allocate(costs, sizes, budget).cost for budget in range(5, 21)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 45 and found[-1] == 0


def test_calls_wait_as_in_a_queue_with_as_many_servers():
    assert oracle.waiting([0, 0, 0, 0], [10] * 4, 1) == 0 + 10 + 20 + 30
    assert oracle.waiting([0, 0, 0, 0], [10] * 4, 2) == 0 + 0 + 10 + 10
    assert oracle.waiting([0, 1, 30], [10, 10, 10], 1) == 9
    assert oracle.waiting([0, 0, 0, 0], [10] * 4, 4) == 0


def test_a_queue_with_one_server_waits_as_erlang_says():
    """M/D/1 at half load: the mean wait is rho / (2 (1 - rho)) services (Pollaczek and Khinchine)."""
    generator = numpy.random.default_rng(3)
    arrivals = numpy.cumsum(generator.exponential(200.0, 200_000)).tolist()
    mean = oracle.waiting(arrivals, [100] * len(arrivals), 1) / len(arrivals)
    assert mean == pytest.approx(0.5 / (2 * 0.5) * 100, rel=0.03)


def waits_of(calls, beginnings, credits):
    """How long calls wait, instant by instant: the longest waiting one begins as soon as fewer are under way than credits allow."""
    waiting, ends, waited, ahead, now = [], [], 0, list(calls), 0
    while ahead or waiting:
        while ahead and ahead[0][0] <= now:
            waiting.append(ahead.pop(0))
        ends = [end for end in ends if end > now]
        allowed = credits[sum(begins <= now for begins in beginnings[1:])]
        while waiting and len(ends) < allowed:
            ends.append(now + waiting.pop(0)[1])
        waited += len(waiting)
        now += 1
    return waited


def random_calls(generator, most):
    return sorted((int(generator.integers(0, 60)), int(generator.integers(1, 40))) for _ in range(generator.integers(1, most)))


@pytest.mark.parametrize("seed", range(20))
def test_credits_that_change_are_those_of_an_exhaustive_search(seed):
    generator = numpy.random.default_rng(seed)
    beginnings, choices = [0, 20, 45], (1, 2, 4)
    calls = [random_calls(generator, 8) for _ in range(2 + seed % 2)]
    lines = [oracle.Line([call[0] for call in one], [call[1] for call in one], beginnings) for one in calls]
    plans = list(itertools.product(choices, repeat=3))
    alone = [{plan: waits_of(one, beginnings, plan) for plan in plans} for one in calls]
    for budget in (len(calls), len(calls) + 1, len(calls) + 3, 4 * len(calls)):
        wanted = min(
            sum(waits[plan] for waits, plan in zip(alone, together))
            for together in itertools.product(plans, repeat=len(calls))
            if all(sum(credits) <= budget for credits in zip(*together))
        )
        found = oracle.CreditPlanner(lines, 3, choices, budget).plan(None)
        assert (found.cost, found.is_exact) == (wanted, True)
        assert sum(alone[place][plan] for place, plan in enumerate(zip(*found.credits))) == wanted
        assert max(map(sum, found.credits)) <= budget
        hurried = oracle.CreditPlanner(lines, 3, choices, budget, most_states=1, most_allocations=1).plan(None)
        assert hurried.bound <= wanted <= hurried.cost
        assert max(map(sum, hurried.credits)) <= budget
    assert oracle.CreditPlanner(lines, 3, choices, len(calls) - 1).plan(None) is None


@pytest.mark.parametrize("seed", range(5))
def test_credits_that_stay_the_same_have_calls_wait_as_in_a_queue(seed):
    calls = random_calls(numpy.random.default_rng(seed), 30)
    arrivals, services = [call[0] for call in calls], [call[1] for call in calls]
    for credits in (1, 2, 5):
        line, state, waited = oracle.Line(arrivals, services, [0, 15, 30, 50]), oracle.QueueState(), 0
        for window in range(4):
            more, state = line.advance(state, window, credits)
            waited += more
        assert waited == oracle.waiting(arrivals, services, credits)


def test_credits_follow_demand_from_one_connection_to_another():
    """Two bursts of eight calls, one after the other: each gets all but one of the nine credits, where the same for all is too few."""
    lines = [oracle.Line([begin] * 8 + [200], [50] * 9, [0, 100]) for begin in (0, 100)]
    found = oracle.CreditPlanner(lines, 2, (1, 2, 4, 8), 9).plan((4, 4))
    assert (found.cost, found.credits) == (0, ((8, 1), (1, 8)))
    assert oracle.CreditPlanner(lines, 1, (1, 2, 4, 8), 9).plan((4, 4)) is not None
    assert oracle.waiting([0] * 8, [50] * 8, 4) == 200


def test_the_credits_of_a_thousand_connections_have_a_bound():
    generator = numpy.random.default_rng(7)
    calls = [random_calls(generator, 8) for _ in range(1100)]
    lines = [oracle.Line([call[0] for call in one], [call[1] for call in one], [0, 20, 45]) for one in calls]
    found = oracle.CreditPlanner(lines, 3, (1, 2, 4), 1500).plan(None)
    assert 0 < found.bound < found.cost
    assert max(map(sum, found.credits)) <= 1500


def test_a_reply_in_parts_that_no_send_could_carry_costs_what_its_chunk_does():
    """So it is of more than 256 KiB, for which there is no cost of an inline reply."""
    connection = Connection()
    for column in ("read_segments", "write_segments", "reply_segments", "write_chunk_bytes", "reply_chunk_bytes", "reply_read_bytes"):
        connection.columns[column] = [0, 0]
    connection.columns |= {"slot_ns": [0, 1], "call_inline_cost_ns": [100.0, 100.0], "reply_inline_cost_ns": [300.0, None]}
    connection.columns["reply_chunk_cost_ns"] = [7000.0, 9000.0]
    assert connection.paid() == 100 + 300 + 100 + 9000


@pytest.fixture
def sweep(tmp_path, simulator):
    """Runs a sweep of inline-policies.ini, or a single point of it; returns its directory and rows of sweep.csv."""

    def run(name, *options):
        command = [simulator, "run", "inline-policies", "--out", tmp_path / name, "--runs", "1", "--set", "output.rpc_csv=true"]
        settings = ["sweep.cluster.clients=2,", *options]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return tmp_path / name, read_rows(tmp_path / name / "sweep.csv")

    return run


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("options", [(), ("rpcrdma.client_remote_invalidation=false",)])
def test_the_oracles_fixed_choice_is_as_fast_in_the_simulator_as_any_policy(sweep, run_program, options):
    """What costs say holds in the simulator within 1 % of the mean latency, whether chunks are cheap or dear."""
    directory, rows = sweep("policies", *options)
    assert run_program("oracle", directory).returncode == 0
    regrets = read_rows(directory / "regret.csv")
    assert len(regrets) == len(rows) == 4
    for row in regrets:
        assert float(row["oracle_cost_ns"]) <= float(row["fixed_cost_ns"]) <= float(row["cost_ns"]) + 1e-3
        assert float(row["operation_cost_ns"]) <= float(row["fixed_cost_ns"]) + 1e-3
        assert float(row["regret_ns"]) >= 0
        assert float(row["wait_bound_us"]) <= float(row["oracle_wait_us"]) <= float(row["fixed_wait_us"])
    columns = ("regret_ns", "regret_share", "wait_us", "oracle_wait_us", "wait_bound_us", "wait_regret_us")
    for time in range(2):
        told = read_rows(directory / "sweep.csv")
        assert list(told[0]) == [*rows[0], *columns]
        assert [[row[name] for name in columns] for row in told] == [[row[name] for name in columns] for row in regrets]
        assert [[row[name] for name in rows[0]] for row in told] == [list(row.values()) for row in rows]
        assert time or run_program("oracle", directory).returncode == 0
    drawn = run_program("plot", directory, "lines", "metric=regret_ns")
    assert drawn.returncode == 0, drawn.stderr
    assert max(float(row["regret_share"]) for row in regrets) > 0.01
    best = regrets[0]
    thresholds = [f"rpcrdma.client_inline_send={best['best_call_threshold']}B",
                  f"rpcrdma.client_inline_receive={best['best_reply_threshold']}B",
                  f"rpcrdma.server_inline_receive={best['best_call_threshold']}B",
                  f"rpcrdma.server_inline_send={best['best_reply_threshold']}B"]  # fmt: skip
    _, replayed = sweep("replayed", *options, *thresholds, "sweep.rpcrdma.profile=linux-6.1,")
    latency = min(float(row["latency_mean_us"]) for row in rows)
    assert float(replayed[0]["latency_mean_us"]) <= 1.01 * latency


def test_credits_that_are_withheld_are_regretted(tmp_path, simulator, run_program):
    """A client with 16 READs under way and 2 credits waits; with 16 it does not, and the oracle finds no better."""
    waits = {}
    for credits in (2, 16):
        command = [simulator, "run", "inline-policies", "--out", tmp_path / str(credits), "--runs", "1"]
        for setting in ("sweep.cluster.clients=1,", "sweep.rpcrdma.profile=linux-6.1,", "workload.queue_depth=16",
                        "output.rpc_csv=true", f"rpcrdma.server_credits={credits}"):  # fmt: skip
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        assert run_program("oracle", tmp_path / str(credits), "--memory", "16MiB").returncode == 0
        (row,) = read_rows(tmp_path / str(credits) / "regret.csv")
        waits[credits] = float(row["wait_us"])
        assert float(row["wait_regret_us"]) == pytest.approx(waits[credits] - float(row["oracle_wait_us"]), abs=2e-3)
        assert float(row["oracle_wait_us"]) < 0.1 * waits[2]
    assert waits[2] > 20 * waits[16]


def test_bad_input_is_told_in_one_line(tmp_path, simulator, run_program):
    def refuse(*arguments):
        done = run_program("oracle", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        return done.stderr

    assert "no such results directory" in refuse(tmp_path / "none")
    for switch in ("10", "soon", "-1us", "nan"):
        assert f"--switch: got '{switch}', expected a time with its unit" in refuse(tmp_path, f"--switch={switch}")
    for windows in ("0", "-1", "many", "10001"):
        assert f"--windows: got '{windows}', expected a number of windows" in refuse(tmp_path, f"--windows={windows}")
    assert "--memory: got '0B', expected a number of octets" in refuse(tmp_path, "--memory=0B")
    command = [simulator, "run", "inline-policies", "--out", tmp_path / "out", "--runs", "1", "--set", "sweep.cluster.clients=1,"]
    subprocess.run(command, capture_output=True, check=True, timeout=300)
    told = refuse(tmp_path / "out")
    assert "rpc.csv: no such file; a sweep writes it with --set output.rpc_csv=true" in told
    assert not (tmp_path / "out" / "regret.csv").exists()
