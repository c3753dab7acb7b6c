# SPDX-License-Identifier: GPL-2.0-only
"""effect.py: an effect is shown when there is one, and not when there is none."""

from __future__ import annotations

import subprocess

import numpy
import pandas
import pytest
import synthetic_results
from nfsrdma_figures import effect, facets, request
from scipy import stats

KEY = "a.load"


def make_table(means, seeds, noise, seed=1):
    """Runs of each seed share what the seed does; noise is what is left."""
    generator = numpy.random.default_rng(seed)
    common = generator.normal(0, 10, seeds)
    return pandas.DataFrame(
        [
            {"point": str(point), "seed": number, KEY: str(2**point), "rate": mean + common[number] + generator.normal(0, noise)}
            for point, mean in enumerate(means)
            for number in range(seeds)
        ]
    )


def find(table):
    curves = pandas.Series("", index=table.index)
    return effect.find_effects(table, KEY, table[KEY], curves, ["rate"])


def test_an_effect_is_shown_though_seeds_differ_more_than_points():
    (found,) = find(make_table([100, 100, 108], 5, 0.5))
    assert found.verdict == "an effect is shown" and found.highest[0] == "4" and found.seeds == 5
    assert 5 < found.percent < 12 and found.p < 1e-6
    assert found.tell().startswith("rate against a.load: ") and "; an effect is shown (p = " in found.tell()


def test_a_small_effect_is_called_small():
    (found,) = find(make_table([100, 101], 8, 0.1))
    assert found.verdict == "an effect is shown, and it is small"


def test_no_effect_is_said():
    (found,) = find(make_table([100, 100, 100, 100], 5, 1))
    assert found.verdict == "no effect shown" and "no effect shown" in found.tell()


def test_equal_runs_have_no_effect():
    (found,) = find(make_table([100, 100], 3, 0))
    assert found.p == 1 and "at every value" in find(make_table([100, 100], 3, 0).assign(rate=7.0))[0].tell()


def test_a_shift_without_noise_is_certain():
    (found,) = find(make_table([100, 300], 3, 0))
    assert found.p == 0 and "times" in found.tell()


def test_the_p_value_is_that_of_the_paired_t_test_for_two_points():
    table = make_table([100, 101], 6, 1)
    runs = table.pivot(index="seed", columns=KEY, values="rate")
    assert effect.p_of(runs.to_numpy()) == pytest.approx(stats.ttest_rel(runs["1"], runs["2"]).pvalue, rel=1e-9)


def test_false_alarms_are_as_many_as_the_level_says():
    alarms = sum(find(make_table([100] * 5, 5, 3, seed))[0].p < effect.LEVEL for seed in range(400))
    assert 0.02 < alarms / 400 < 0.09


def test_seeds_without_a_run_at_some_point_are_left_out():
    table = make_table([100, 120, 140], 5, 1).drop(index=[3])
    (found,) = find(table)
    assert found.seeds == 4


@pytest.mark.parametrize("table", [make_table([100], 5, 1), make_table([100, 120], 1, 1)])
def test_nothing_is_said_of_one_point_or_one_seed(table):
    assert find(table) == []


def test_a_percentile_that_runs_do_not_carry_is_left_out():
    table = make_table([100, 120], 5, 1)
    table.loc[2, "rate"] = numpy.nan
    assert find(table) == []


def test_each_curve_is_told_by_its_keys():
    table = pandas.concat([make_table([100, 120], 4, 1).assign(**{"b.policy": name}) for name in ("one", "two")], ignore_index=True)
    found = facets.effects_of(table, [KEY, "b.policy"], request.parse([f"x={KEY}"]), {}, ["rate"])
    assert [e.curve for e in found] == ["policy one", "policy two"]


def test_captions_and_console_tell_effects(tmp_path, run_program):
    results = synthetic_results.make_sweep(tmp_path / "sweep", {KEY: ["1", "2", "4"]}, 3)
    told = [line for line in run_program("figures.py", results).stdout.splitlines() if " against " in line]
    assert told and all(line in (results / "sweep.txt").read_text() for line in told)
    run_program("plot.py", results, "lines", "metric=latency_mean_us")
    assert "latency_mean_us against a.load" in (results / "lines.txt").read_text()


SCENARIO = """[cluster]
clients = 2
[workload]
kind = mix
operations = 400
queue_depth = 8
files = 8
file_size = 16KiB
operation_mix = read:1,write:1
io_sizes = 4096:1
[rnic]
register_base = {cost}
[sweep]
rpcrdma.inline_threshold = 1KiB, 16KiB
seeds = 4
"""


@pytest.mark.parametrize(("cost", "least", "most"), [("30us", 15, 1000), ("100ns", 0, 15)])
def test_the_inline_threshold_matters_as_much_as_registration_costs(tmp_path, simulator, run_program, cost, least, most):
    (tmp_path / "threshold.ini").write_text(SCENARIO.format(cost=cost))
    done = subprocess.run(
        [simulator, "run", "threshold.ini", "--out", "out", "--jobs", "2"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    run_program("figures.py", tmp_path / "out")
    table = pandas.read_csv(tmp_path / "out/sweep.csv", dtype={"rpcrdma.inline_threshold": str})
    key = "rpcrdma.inline_threshold"
    (found,) = facets.effects_of(table, [key], request.parse([]), {}, ["rpcs_per_second"])
    assert least <= found.percent <= most
    if least:
        assert found.verdict == "an effect is shown" and found.highest[0].startswith("16")
