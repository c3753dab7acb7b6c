# SPDX-License-Identifier: GPL-2.0-only
"""Two sweeps compared pair by pair: statistics against theory, what cannot be paired, and the command."""

from __future__ import annotations

import csv
import json
import random
import subprocess

import numpy
import pytest
from nfsrdma_figures import paired
from nfsrdma_figures.results import ResultsError

KEY = "rpcrdma.inline_threshold"


def make_sweep(directory, runs, keys=(), settings=None):
    """A sweep of rows (point, seed, values of keys, metric); a metric of None is a run that did not end."""
    directory.mkdir()
    names = [name for name, _ in settings or []]
    config: dict = {}
    for name, value in settings or []:
        section, _, key = name.partition(".")
        config.setdefault(section, {})[key] = value
    manifest = {"scenario_file": f"{directory.name}.ini", "config": config, "digest": f"digest-of-{directory.name}",
                "sweep": {"keys": list(keys), "seeds": sorted({seed for _, seed, _, _ in runs})}, "names": names}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    with open(directory / "sweep.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["point", "seed", *keys, "status", "rate", "digest"])
        for point, seed, values, metric in runs:
            row = [metric, "d"] if metric is not None else ["", ""]
            writer.writerow([point, seed, *values, 0 if metric is not None else 3, *row])
    return directory


def compare(a, b, test="t"):
    return paired.compare(paired.read_side(a), paired.read_side(b), ("rate",), test)


def runs_of(values):
    return [(0, seed, (), value) for seed, value in enumerate(values, 1)]


class TestStatistics:
    def test_paired_t_of_a_worked_example(self):
        # Differences 1, 2, 3, 4: mean 2.5, standard deviation 1.291, t = 3.873 with 3 degrees of freedom.
        mean, low, high, p, effect = paired.measure(numpy.array([1.0, 2.0, 3.0, 4.0]), "t")
        assert mean == 2.5
        assert (low, high) == pytest.approx((2.5 - 2.0543, 2.5 + 2.0543), abs=1e-3)
        assert p == pytest.approx(0.0305, abs=1e-4)
        assert effect == pytest.approx(1.9365, abs=1e-4)

    def test_signed_ranks_of_differences_with_one_sign(self):
        # Of 2^8 signs of ranks two are as extreme.
        p = paired.measure(numpy.arange(1.0, 9.0), "wilcoxon")[3]
        assert p == pytest.approx(2 / 2**8)

    def test_interval_holds_the_true_mean_in_95_of_100(self):
        generator = numpy.random.default_rng(7)
        held = 0
        for _ in range(1000):
            _, low, high, _, _ = paired.measure(generator.normal(3.0, 2.0, 8), "t")
            held += low <= 3.0 <= high
        assert 930 <= held <= 970

    def test_no_difference_is_shown_too_often_in_five_of_100(self):
        generator = numpy.random.default_rng(11)
        below = sum(paired.measure(generator.normal(0.0, 1.0, 10), "t")[3] < 0.05 for _ in range(1000))
        assert 30 <= below <= 70

    def test_holm_corrects_each_by_what_is_left(self):
        def difference(p):
            return paired.Difference("all", "rate", 5, 0, 1.0, 2.0, 1.0, 0.5, 1.5, p, 1.0)

        corrected = [d.corrected_p for d in paired.correct([difference(p) for p in (0.04, 0.01, 0.03, 0.005)])]
        assert corrected == pytest.approx([0.06, 0.03, 0.06, 0.02])
        assert [d.verdict for d in paired.correct([difference(0.04)])] == ["B is higher"]


class TestPairs:
    def test_pairs_find_what_the_spread_between_seeds_hides(self, tmp_path):
        generator = random.Random(3)
        levels = [generator.uniform(50, 150) for _ in range(10)]
        a = make_sweep(tmp_path / "a", runs_of(levels))
        b = make_sweep(tmp_path / "b", runs_of([level + 1 + generator.uniform(-0.5, 0.5) for level in levels]))
        (found,) = compare(a, b)
        assert found.verdict == "B is higher"
        assert found.low > 0.5 and found.high < 1.5
        assert found.pairs == 10

    def test_what_is_equal_is_said_to_be(self, tmp_path):
        a = make_sweep(tmp_path / "a", runs_of([5, 6, 7]))
        b = make_sweep(tmp_path / "b", runs_of([5, 6, 7]))
        (found,) = compare(a, b)
        assert found.verdict == "equal in every pair"
        assert (found.p, found.low, found.high) == (1.0, 0.0, 0.0)

    def test_runs_that_did_not_end_are_left_out_with_their_pair(self, tmp_path):
        a = make_sweep(tmp_path / "a", runs_of([1, None, 3, 4]))
        b = make_sweep(tmp_path / "b", runs_of([2, 3, 4.5, None]))
        (found,) = compare(a, b)
        assert (found.pairs, found.left_out, found.mean_a) == (2, 2, 2)

    def test_points_are_paired_by_the_values_of_their_keys(self, tmp_path):
        def runs(order):
            return [(point, seed, (value,), int(value) + seed) for point, value in enumerate(order) for seed in (1, 2)]

        a = make_sweep(tmp_path / "a", runs(["1024", "4096"]), [KEY])
        b = make_sweep(tmp_path / "b", runs(["1024", "4096"]), [KEY])
        assert [(d.point, d.difference) for d in compare(a, b)] == [(f"{KEY}=1024", 0), (f"{KEY}=4096", 0)]

    def test_a_swept_key_with_one_value_is_what_is_compared(self, tmp_path):
        a = make_sweep(tmp_path / "a", [(0, seed, ("1024",), seed) for seed in (1, 2, 3)], [KEY])
        b = make_sweep(tmp_path / "b", [(0, seed, ("4096",), 2 * seed) for seed in (1, 2, 3)], [KEY])
        assert [(d.point, d.difference) for d in compare(a, b)] == [("all", 2)]

    def test_a_percentile_is_compared_where_ten_rpcs_lie_beyond_it(self, tmp_path):
        for name, more in (("a", 0), ("b", 3)):
            make_sweep(tmp_path / name, [(0, seed, (), seed + more) for seed in (1, 2, 3)])
            table = (tmp_path / name / "sweep.csv").read_text().splitlines()
            counts = ["rpcs,latency_p99_us", *(f"{rpcs},{seed + more}" for seed, rpcs in ((1, 1000), (2, 1000), (3, 999 + more)))]
            (tmp_path / name / "sweep.csv").write_text("".join(f"{row},{more_of}\n" for row, more_of in zip(table, counts)))
        a, b = (paired.read_side(tmp_path / name) for name in ("a", "b"))
        metrics = ("rate", "latency_p99_us")
        found = paired.compare(a, b, metrics)
        assert [d.metric for d in found] == ["rate"]
        assert "Not compared: latency_p99_us at 1 points" in paired.write_caption(a, b, found, metrics, "t")
        with pytest.raises(ResultsError, match="latency_p99_us: no run has 10 RPCs beyond it"):
            paired.compare(a, b, ("latency_p99_us",))

    @pytest.mark.parametrize(
        ("of_a", "of_b", "test", "message"),
        [
            ((runs_of([1, 2]), []), ([(0, 1, ("1",), 1)], [KEY]), "t", f"b: swept over {KEY}, but"),
            ((runs_of([1, 2]), []), (runs_of([None, 2]), []), "t", "all: 1 seeds that ended on both sides, expected at least 2"),
            ((runs_of([1, 2]), []), (runs_of([1, 2]), []), "wilcoxon", "expected at least 6"),
            (
                ([(0, 1, ("1",), 1), (1, 1, ("2",), 1)], [KEY]),
                ([(0, 1, ("1",), 1), (1, 1, ("3",), 1)], [KEY]),
                "t",
                f"the sweeps have not the same points: {KEY}=2",
            ),
            ((runs_of([1, 2]) * 2, []), (runs_of([1, 2]), []), "t", "a/sweep.csv: two runs of one point and seed"),
        ],
    )
    def test_what_cannot_be_paired_is_refused(self, tmp_path, of_a, of_b, test, message):
        a, b = (make_sweep(tmp_path / name, *side) for name, side in (("a", of_a), ("b", of_b)))
        with pytest.raises(ResultsError) as error:
            compare(a, b, test)
        assert message in str(error.value).replace(str(tmp_path) + "/", "")


class TestProgram:
    @pytest.fixture
    def sides(self, tmp_path):
        return [
            str(make_sweep(tmp_path / name, runs_of(values), (), [(KEY, size), ("link.mtu", "1500")]))
            for name, values, size in (("a", [5, 6, 7], "4096B"), ("b", [6, 7.5, 8], "8192B"))
        ]

    def run(self, root, *arguments):
        program = [str(root / "analysis" / "compare.py"), *arguments]
        return subprocess.run(program, capture_output=True, text=True, check=False, timeout=60)

    def test_table_caption_and_files(self, root, tmp_path, sides):
        out = tmp_path / "out"
        ended = self.run(root, *sides, "--out", str(out), "--metric", "rate")
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "B is higher" in ended.stdout
        caption = (out / "compare.txt").read_text()
        assert f"{KEY}: A 4096B, B 8192B" in caption and "link.mtu" not in caption
        assert "digest-of-a" in caption and "paired t test" in caption and "3 pairs" in caption
        with open(out / "compare.csv", newline="") as file:
            (row,) = csv.DictReader(file)
        assert float(row["difference"]) == pytest.approx(7 / 6)
        first = (out / "compare.png").read_bytes()
        self.run(root, *sides, "--out", str(out), "--metric", "rate")
        assert (out / "compare.png").read_bytes() == first

    def test_an_unknown_metric_is_one_line(self, root, tmp_path, sides):
        ended = self.run(root, *sides, "--out", str(tmp_path / "out"), "--metric", "speed")
        assert ended.returncode == 2
        assert ended.stderr == f"compare: {sides[0]}/sweep.csv: column speed is missing\n"
        assert not (tmp_path / "out").exists()
