# SPDX-License-Identifier: GPL-2.0-only
"""plot.py: where keys lie, what curves and captions say, and that percentiles need ten samples beyond them."""

from __future__ import annotations

import csv
import json
import subprocess

import numpy
import pandas
import pytest
import synthetic_results
from nfsrdma_figures import distribution, facets, histogram, measured, percentile, phases, request, shares, stack, timeline
from nfsrdma_figures.results import ResultsError, read_table

KEYS = {"a.load": ["1", "2", "4"], "b.policy": ["one", "two"], "c.size": ["4KiB", "64KiB"], "d.hosts": ["1", "2"]}


@pytest.fixture
def sweep(tmp_path):
    return synthetic_results.make_sweep(tmp_path / "sweep", KEYS, 3)


@pytest.fixture
def replay(tmp_path):
    return synthetic_results.make_replay(tmp_path / "run")


def change_table(path, change):
    """Has change() work on the rows of a table, dictionaries of texts."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        change(row)
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def histogram_rows(latencies_us: list[float], operation: str = "READ") -> str:
    counts = histogram.Histogram.of(latencies_us).counts()
    return "".join(f"rpc,fio,{operation},0,{bound},{count}\n" for bound, count in counts.items())


class TestHistogram:
    def test_a_sum_is_the_histogram_of_all_in_whatever_order(self):
        generator = numpy.random.default_rng(3)
        parts = [list(generator.lognormal(4, 2, size)) for size in (1, 50, 400)]
        whole = histogram.Histogram.of(sum(parts, []))
        histograms = [histogram.Histogram.of(part) for part in parts]
        assert histogram.add(histograms) == whole == histogram.add(reversed(histograms))
        assert histogram.add([histogram.add(histograms[:2]), histograms[2]]) == whole and len(whole) == 451

    def test_quantiles_are_at_most_a_64th_too_large(self):
        shares = numpy.array([0.001, 0.5, 0.9, 0.99, 0.999, 1.0])
        for seed in range(20):
            latencies = numpy.round(numpy.random.default_rng(seed).lognormal(4, 3, 1000), 3)
            exact = numpy.quantile(latencies, shares, method="inverted_cdf")
            found = histogram.Histogram.of(latencies).quantiles(shares)
            assert (found >= exact - 1e-9).all() and (found <= exact * (1 + 1 / 64) + 1e-9).all()

    @pytest.mark.parametrize("kind", ["cdf", "tail"])
    def test_a_run_without_table_of_rpcs_is_drawn_from_them(self, replay, run_program, kind):
        (replay / "rpc.csv").unlink()
        rows = histogram_rows(list(range(1, 201))) + histogram_rows([7] * 30, "WRITE")
        (replay / "histograms.csv").write_text(f"measure,population,operation,low_ns,high_ns,count\n{rows}")
        assert run_program("plot.py", replay, kind).returncode == 0
        caption = (replay / f"{kind}.txt").read_text()
        assert "READ: n = 200; drawn to p = 0.95" in caption and "WRITE: n = 30;" in caption
        assert "at most 1/64 too large" in caption
        refused = run_program("plot.py", replay, kind, "series=form")
        assert refused.returncode == 2 and "rpc.csv: not there" in refused.stderr
        refused = run_program("plot.py", replay, kind, "operation=SEEK")
        assert refused.returncode == 2 and "operations are READ, WRITE" in refused.stderr

    def test_runs_of_a_sweep_are_pooled(self, sweep, run_program):
        points = sorted((sweep / "points").iterdir())
        for place, point in enumerate(points):
            (point / "histograms.csv").write_text(
                f"measure,population,operation,low_ns,high_ns,count\n{histogram_rows([5 + place] * 40)}")
        words = ("cdf", "series=a.load", "b.policy=one", "c.size=4KiB", "d.hosts=1")
        assert run_program("plot.py", sweep, *words).returncode == 0
        assert "1: n = 40 + 40 + 40;" in (sweep / "cdf.txt").read_text()
        assert run_program("plot.py", sweep, *words, "pooled=yes").returncode == 0
        caption = (sweep / "cdf.txt").read_text()
        assert "1: n = 120;" in caption and "the RPCs of 3 runs as one sample" in caption
        assert run_program("plot.py", sweep, *words, "pooled=perhaps").returncode == 2


class TestSteadyState:
    @pytest.mark.parametrize(
        ("verdicts", "told"),
        [({}, "not looked for"), (dict.fromkeys(range(72), "1"), "found in all 72 runs that looked for it"),
         ({0: "0", 1: "1", 3: "0"}, "none in 2 of 3 runs (0-s1, 1-s1)"),
         (dict.fromkeys(range(12), "0"), "none in 12 of 12 runs (0-s1, 0-s2, 0-s3, 1-s1, 1-s2, 1-s3, 2-s1, 2-s2, 2-s3, 3-s1 and 2 more)")],
    )  # fmt: skip
    def test_runs_without_one_are_counted_by_the_caption(self, sweep, run_program, verdicts, told):
        places = iter(range(72))
        change_table(sweep / "sweep.csv", lambda row: row.update(steady=verdicts.get(next(places), "")))
        assert run_program("plot.py", sweep, "lines", "metric=latency_mean_us").returncode == 0
        assert f"\nSteady state: {told}\n" in (sweep / "lines-latency_mean_us.txt").read_text()

    @pytest.mark.parametrize(("steady", "told"), [(True, "found"), (False, "none"), (None, "not looked for")])
    def test_of_a_run(self, replay, run_program, steady, told):
        path = replay / "summary.json"
        summary = json.loads(path.read_text())
        summary["window"]["steady_state"] = {"steady": steady}
        path.write_text(json.dumps(summary))
        assert run_program("plot.py", replay, "tail").returncode == 0
        assert f"\nSteady state: {told}\n" in (replay / "tail.txt").read_text()


class TestPercentile:
    @pytest.mark.parametrize(("share", "least"), [(0.5, 20), (0.9, 100), (0.99, 1000), (0.999, 10000)])
    def test_ten_samples_lie_beyond(self, share, least):
        assert percentile.least_count(share) == least
        assert percentile.carries(share, least) and not percentile.carries(share, least - 1)

    def test_columns_of_percentiles_are_known(self):
        names = ("latency_p999_us", "quiet:read:latency_p99_us", "p50", "latency_mean_us", "server_exposed_peak_octets")
        assert [percentile.share_of(name) for name in names] == [0.999, 0.99, 0.5, None, None]

    def test_a_percentile_of_115_samples_is_not_read(self, tmp_path):
        path = tmp_path / "workloads.csv"
        path.write_text("operations,latency_p90_us,latency_p999_us\n115,5,9\n10000,6,10\n3,,\n")
        table = read_table(path, ["latency_p90_us", "latency_p999_us"])
        assert table["latency_p90_us"].tolist()[:2] == [5, 6] and numpy.isnan(table["latency_p90_us"][2])
        assert numpy.isnan(table["latency_p999_us"][0]) and table["latency_p999_us"][1] == 10

    def test_a_percentile_that_is_no_number_is_refused(self, tmp_path):
        path = tmp_path / "workloads.csv"
        path.write_text("operations,latency_p99_us\n5,nine\n")
        with pytest.raises(ResultsError, match="line 2: column latency_p99_us: got 'nine'"):
            read_table(path, ["latency_p99_us"])


class TestPlaces:
    def place(self, *words, roles=request.ROLES, **values):
        rows = [{}]
        for key, texts in (values or KEYS).items():
            rows = [row | {key: text} for row in rows for text in texts]
        table = pandas.DataFrame(rows)
        return request.place(table, list(table), request.parse(words, ("metric",)), roles)

    def test_keys_without_a_place_get_one(self):
        assert self.place() == {"x": ("a.load",), "series": ("c.size",), "panel": ("d.hosts",), "row": ("b.policy",)}

    def test_what_is_asked_for_comes_first(self):
        placed = self.place("x=c.size", "row=a.load")
        assert placed["x"] == ("c.size",) and placed["row"] == ("a.load",)
        assert set(placed["series"] + placed["panel"]) == {"b.policy", "d.hosts"}

    def test_what_is_left_is_told_apart_by_the_series(self):
        placed = self.place("x=a.load", "panel=d.hosts", roles=("x", "series", "panel"))
        assert placed["series"] == ("c.size", "b.policy") and placed["row"] == ()

    @pytest.mark.parametrize(
        ("words", "message"),
        [(("y=a.load",), "y=a.load: expected one of x="), (("x=a.load", "series=a.load"), "a.load: has two places"),
         (("nonsense",), "nonsense: expected"), (("x=",), "x=: expected")],
    )  # fmt: skip
    def test_words_that_make_no_sense_are_one_line(self, words, message):
        with pytest.raises(ResultsError) as error:
            request.parse(words, ("metric",))
        assert message in str(error.value)

    def test_a_size_finds_its_number_of_octets(self):
        table = pandas.DataFrame({"c.size": ["4096", "65536"], "point": ["0", "1"]})
        kept = request.keep(table, ["c.size"], request.parse(["c.size=64KiB"]), {"c.size": "B"})
        assert list(kept["point"]) == ["1"]
        with pytest.raises(ResultsError, match="no run with 1KiB; its values are 4096, 65536"):
            request.keep(table, ["c.size"], request.parse(["c.size=1KiB"]), {"c.size": "B"})


class TestSweep:
    def test_four_keys_and_a_metric_in_rows_and_columns(self, sweep, run_program):
        words = ["x=a.load", "series=b.policy", "panel=c.size", "row=d.hosts", "metric=latency_mean_us"]
        done = run_program("plot.py", sweep, "lines", *words)
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.rsplit("/", 1)[1] for line in done.stdout.split()] == [f"lines-latency_mean_us.{kind}" for kind in ("png", "pdf", "txt")]
        caption = (sweep / "lines-latency_mean_us.txt").read_text()
        for part in ("n: 3 runs for each of 24 points", "Seeds: 1 to 3", "95 % intervals", "Digest of the results: digest-of-synthetic",
                     f"./start plot RESULTS lines {' '.join(words)}", "Window: "):  # fmt: skip
            assert part in caption
        first = (sweep / "lines-latency_mean_us.png").read_bytes()
        run_program("plot.py", sweep, "lines", *words)
        assert (sweep / "lines-latency_mean_us.png").read_bytes() == first

    def test_each_panel_has_the_runs_of_its_values(self, sweep):
        keys = list(KEYS)
        table = read_table(sweep / "sweep.csv", ["point", "seed", *keys, "latency_mean_us"], ("point", *keys))
        chosen = request.parse(["x=a.load", "series=b.policy", "panel=c.size", "row=d.hosts", "metric=latency_mean_us"], ("metric",))
        (drawing,) = facets.draw_lines(table, keys, chosen, {}, "title")
        panels = [axis for axis in drawing.figure.axes if axis.lines]
        assert len(panels) == 4
        drawn = sorted(round(float(y), 6) for axis in panels for container in axis.containers for y in container[0].get_ydata())
        expected = sorted(round(float(y), 6) for y in table.groupby("point")["latency_mean_us"].mean())
        assert drawn == expected

    def test_a_combination_without_points_has_no_panel_and_leaves_its_labels_to_others(self, sweep):
        keys = list(KEYS)
        table = read_table(sweep / "sweep.csv", ["point", "seed", *keys, "latency_mean_us"], ("point", *keys))
        first_size, first_hosts = table["c.size"].iloc[0], table["d.hosts"].iloc[0]
        table = table[(table["c.size"] != first_size) | (table["d.hosts"] != first_hosts)]
        chosen = request.parse(["x=a.load", "series=b.policy", "panel=c.size", "row=d.hosts", "metric=latency_mean_us"], ("metric",))
        (drawing,) = facets.draw_lines(table, keys, chosen, {}, "title")
        panels = [axis for axis in drawing.figure.axes if axis.axison]
        assert len(panels) == 3
        titles = [axis.get_title(loc="left") for axis in panels]
        assert sum("c.size" in title for title in titles) == 2, "a column is told where it begins"
        assert sum("d.hosts" in title for title in titles) == 3
        assert sum(axis.get_ylabel() != "" for axis in panels) == 2 and sum(axis.get_xlabel() != "" for axis in panels) == 2

    def test_runs_too_short_for_a_percentile_are_left_out_and_told(self, sweep, run_program):
        def shorten(row):
            if row["a.load"] == "1":
                row["rpcs"] = "999"

        change_table(sweep / "sweep.csv", shorten)
        assert run_program("plot.py", sweep, "lines", "metric=latency_p99_us").returncode == 0
        caption = (sweep / "lines-latency_p99_us.txt").read_text()
        assert "Left out: latency_p99_us of 24 of 72 runs" in caption
        change_table(sweep / "sweep.csv", lambda row: row.update(rpcs="115"))
        done = run_program("plot.py", sweep, "lines", "metric=latency_p99_us")
        assert done.returncode == 2 and "no run has 10 RPCs beyond it" in done.stderr

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("waves",), "waves: no kind of figure"),
            (("lines", "x=e.e"), "e.e: not a key of this sweep; those are a.load, b.policy, c.size, d.hosts"),
            (("lines", "metric=speed"), "sweep.csv: column speed is missing"),
            (("lines", "metric=a:b"), "metric: expected a column of sweep.csv or WORKLOAD:ITEM:COLUMN"),
            (("lines", "b.policy=three"), "b.policy: no run with three; its values are one, two"),
            (("heat", "row=a.load"), "row=a.load: this figure has no row"),
            (("heat", "a.load=1", "b.policy=one", "c.size=4KiB", "d.hosts=1"), "a heat map needs two keys"),
            (("latency-throughput", "throughput=rpcs", "throughput=rpcs"), "throughput= was given 2 times"),
            (("cdf",), "a.load: has several values in this sweep"),
            (("cdf", "series=colour"), "cdf: expected series=KEY"),
            (("utilisation", "x=a.load"), "utilisation: got x=a.load"),
        ],
    )
    def test_what_cannot_be_drawn_is_one_line_and_nothing_written(self, sweep, run_program, words, message):
        before = set(sweep.iterdir())
        done = run_program("plot.py", sweep, *words)
        assert done.returncode == 2
        assert done.stderr.startswith("plot: ") and message in done.stderr and done.stderr.count("\n") == 1
        assert set(sweep.iterdir()) == before

    def test_fields_of_a_heat_map_are_the_means(self, sweep, run_program):
        assert run_program("plot.py", sweep, "heat", "x=a.load", "series=b.policy", "c.size=4KiB", "d.hosts=1", "metric=rpcs").returncode == 0
        keys = list(KEYS)
        table = read_table(sweep / "sweep.csv", ["point", "seed", *keys, "latency_mean_us"], ("point", *keys))
        chosen = request.parse(["x=a.load", "series=b.policy", "panel=c.size", "panel=d.hosts", "metric=latency_mean_us"], ("metric",))
        (drawing,) = facets.draw_heat(table, keys, chosen, {}, "title")
        texts = [text.get_text() for axis in drawing.figure.axes for text in axis.texts]
        assert sorted(texts) == sorted(f"{mean:.3g}" for mean in table.groupby("point")["latency_mean_us"].mean())

    def test_fairness_of_a_sweep(self, sweep, run_program):
        done = run_program("plot.py", sweep, "fairness", "workload=quiet", "d.hosts=1")
        assert (done.returncode, done.stderr) == (0, "")
        assert "jain_index, max_min_share against a.load" in (sweep / "fairness.txt").read_text()


class TestKnee:
    def test_of_an_open_queue_lies_at_half_the_capacity(self):
        # M/M/1 with service rate 1: latency 1 / (1 - load), power load (1 - load), greatest at 0.5.
        loads = numpy.linspace(0.1, 0.9, 9)
        assert facets.find_knee(loads, 1 / (1 - loads)) == facets.Knee(4, True)

    def test_is_not_invented_where_the_range_does_not_reach_it(self):
        loads = numpy.linspace(0.1, 0.4, 4)
        assert not facets.find_knee(loads, 1 / (1 - loads)).inside

    def test_is_told_by_the_caption(self, tmp_path, run_program):
        directory = synthetic_results.make_sweep(tmp_path / "sweep", {"a.load": ["1", "2", "3", "4"]}, 2)
        rates = {"1": (100, 10), "2": (200, 11), "3": (220, 30), "4": (221, 90)}

        def set_numbers(row):
            row["rpcs_per_second"], row["latency_mean_us"] = map(str, rates[row["a.load"]])

        change_table(directory / "sweep.csv", set_numbers)
        assert run_program("plot.py", directory, "latency-throughput", "metric=latency_mean_us").returncode == 0
        caption = (directory / "latency-throughput.txt").read_text()
        assert "Knee of latency_mean_us: a.load = 2, 200 at 11." in caption


def test_the_caption_has_the_command_of_the_manifest(sweep, run_program):
    path = sweep / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"command": "nfsrdma-sim run a.ini --set b.c=5"}))
    assert run_program("plot.py", sweep, "lines", "metric=rpcs").returncode == 0
    assert "\nData: nfsrdma-sim run a.ini --set b.c=5\n" in next(sweep.glob("lines*.txt")).read_text()


class TestDistributionOfSweep:
    @pytest.fixture
    def sweep_of_runs(self, tmp_path):
        """Two points and three seeds, each run with its RPCs."""
        directory = synthetic_results.make_sweep(tmp_path / "sweep", {"a.load": ["1", "2"]}, 3)
        for place in sorted((directory / "points").iterdir()):
            point, _, seed = place.name.partition("-s")
            run = synthetic_results.make_replay(tmp_path / place.name, int(seed) + 10 * int(point))
            for name in ("rpc.csv", "summary.json"):
                (place / name).write_bytes((run / name).read_bytes())
        return directory

    def test_of_one_point_over_its_seeds(self, sweep_of_runs, run_program):
        done = run_program("plot.py", sweep_of_runs, "cdf", "a.load=2", "operation=LOOKUP", "series=all")
        assert (done.returncode, done.stderr) == (0, "")
        caption = (sweep_of_runs / "cdf.txt").read_text()
        assert "all RPCs: n = 529 + 529 + 529;" in caption and "mean over 3 runs, shaded its 95 % interval" in caption

    def test_of_all_points(self, sweep_of_runs, run_program):
        done = run_program("plot.py", sweep_of_runs, "tail", "series=a.load")
        assert (done.returncode, done.stderr) == (0, "")
        caption = (sweep_of_runs / "tail.txt").read_text()
        assert caption.count(": n = 941 + 941 + 941;") == 2

    def test_several_points_in_one_curve_are_refused(self, sweep_of_runs, run_program):
        done = run_program("plot.py", sweep_of_runs, "cdf")
        assert done.returncode == 2
        assert done.stderr == "plot: a.load: has several values in this sweep; choose one as a.load=VALUE, or all as series=a.load\n"

    def test_runs_without_their_rpcs_say_how_to_get_them(self, sweep, run_program):
        words = [f"{key}={values[0]}" for key, values in KEYS.items()]
        done = run_program("plot.py", sweep, "cdf", *words)
        assert done.returncode == 2 and "only with --set output.rpc_csv=true" in done.stderr


class TestRun:
    def test_quantiles_are_nearest_ranks_as_far_as_ten_lie_beyond(self):
        sample = numpy.arange(1.0, 1001.0)
        given = distribution.shares_of(1000)
        assert given[-1] == pytest.approx(0.99) and given[0] == pytest.approx(0.01)
        mean, half = distribution.quantiles([sample], given)
        assert mean[-1] == 990 and not half.any()
        mean, half = distribution.quantiles([sample, sample + 2], numpy.array([0.5]))
        assert mean[0] == 501 and half[0] == pytest.approx(12.706, abs=1e-3)
        assert len(distribution.shares_of(19)) == 0

    @pytest.mark.parametrize("kind", ["cdf", "tail"])
    def test_distributions_of_operations(self, replay, run_program, kind):
        done = run_program("plot.py", replay, kind)
        assert (done.returncode, done.stderr) == (0, "")
        caption = (replay / f"{kind}.txt").read_text()
        assert "LOOKUP: n = 529; drawn to p = 0.981096, beyond which 10 RPCs lie." in caption
        assert "no interval is given" in caption and "Digest of the results: digest-of-1" in caption

    def test_runs_side_by_side(self, tmp_path, replay, run_program):
        other = synthetic_results.make_replay(tmp_path / "other", 2)
        done = run_program("plot.py", replay, "cdf", f"with={other}", "operation=READ")
        assert (done.returncode, done.stderr) == (0, "")
        caption = (replay / "cdf.txt").read_text()
        assert "run: n = 110" in caption and "other: n = 110" in caption

    def test_only_what_arrived_in_the_window_and_succeeded_is_measured(self, replay):
        rows = measured.read_all(replay)
        assert len(measured.read_measured(replay)) == len(rows) - 9  # one arrives each 1000 ns, the window begins at 10 us
        (replay / "summary.json").write_text(json.dumps({"window": {"begins_s": 0.0001, "ends_s": 0.0003}}))
        assert len(measured.read_measured(replay)) == 201
        # The first 170 are GETATTRs, of which 71 lie in the window.
        change_table(replay / "rpc.csv", lambda row: row.update(status="2" if row["operation"] == "GETATTR" else "0"))
        assert len(measured.read_measured(replay)) == 130

    def test_latency_counts_from_the_arrival_where_there_is_one(self, replay):
        lines = (replay / "rpc.csv").read_text().splitlines()
        lines = [lines[0] + ",arrival_ns"] + [f"{line},{int(line.split(',')[10]) - 500}" for line in lines[1:]]
        before = measured.read_all(replay)["latency_us"]
        (replay / "rpc.csv").write_text("\n".join(lines) + "\n")
        assert (measured.read_all(replay)["latency_us"] - before).to_numpy() == pytest.approx(0.5)

    def test_jains_index_and_the_max_min_share(self):
        assert shares.jain_index([1, 1, 1, 1]) == 1 and shares.jain_index([1, 0, 0, 0]) == 0.25
        assert shares.jain_index([1, 2, 3]) == pytest.approx(36 / 42)
        assert shares.max_min_share([1, 2, 3]) == 0.5 and shares.max_min_share([0, 4]) == 0
        assert shares.jain_index([0, 0]) == 1

    def test_fairness_utilisation_and_time(self, replay, run_program):
        for kind, said in (("fairness", "all clients: 1 clients, Jain's index 1.000000"), ("utilisation", "n: 1 resources"),
                           ("time", "Phases: set-up 0 s to 1e-05 s; measurement 1e-05 s to")):  # fmt: skip
            done = run_program("plot.py", replay, kind)
            assert (done.returncode, done.stderr) == (0, ""), kind
            assert said in (replay / f"{kind}.txt").read_text()

    def test_bins_hold_every_rpc_once(self, replay):
        rpcs = measured.read_all(replay)
        edges, rates, lines = phases.bin_rpcs(rpcs)
        assert (rates * edges[1]).sum() == pytest.approx(len(rpcs))
        assert numpy.isnan(lines["p99"]).all() and not numpy.isnan(lines["p50"]).all()

    def test_a_stack_adds_up_or_is_refused(self, replay, run_program):
        path = replay / "latency-stack.csv"
        path.write_text("operation,form,rpcs,queue_ns,wire_ns,total_ns\nREAD,msg+W,2,3000,5000,8000\nLOOKUP,msg/inline,1,0,700,700\n")
        table, segments = stack.read_stack(replay)
        figure = stack.draw(table, segments, "title")
        assert segments == ["queue_ns", "wire_ns"]
        assert [bar.get_width() for bar in figure.axes[0].patches] == pytest.approx([1.5, 0, 2.5, 0.7])
        assert run_program("plot.py", replay, "stack").returncode == 0
        assert "Not drawn" not in (replay / "stack.txt").read_text()
        many = "".join(f"OPERATION{row},msg/inline,1,5,5,10\n" for row in range(60))
        path.write_text(path.read_text() + many)
        assert run_program("plot.py", replay, "stack").returncode == 0
        assert "Not drawn: 22 operations and forms with fewer RPCs." in (replay / "stack.txt").read_text()
        path.write_text(path.read_text().replace("8000", "8001"))
        done = run_program("plot.py", replay, "stack")
        assert done.returncode == 2 and "READ msg+W: segments add up to 8000 ns, not 8001" in done.stderr


def test_a_rate_is_shown_in_a_unit_in_which_it_can_be_seen():
    assert timeline.rate_unit(3.2e9) == ("Gbit/s", 1e9)
    assert timeline.rate_unit(4.1e5) == ("kbit/s", 1e3)
    assert timeline.rate_unit(12) == ("bit/s", 1.0)


def test_the_throughput_of_a_slow_run_fills_its_panel():
    times = numpy.arange(0, 11) * 1_000_000
    columns = {name: numpy.zeros(11) for name in timeline.NUMBERS} | {"time_ns": times, "sent_octets": numpy.arange(11) * 10}
    samples = pandas.DataFrame(columns)
    events = pandas.DataFrame(columns=timeline.EVENT_COLUMNS)
    figure = timeline.draw_timeline(timeline.Timeline("client-0", samples, events, pandas.DataFrame(columns=timeline.FAULT_COLUMNS)), "slow")
    panel = figure.axes[0]
    assert panel.get_ylabel() == "Throughput\n(kbit/s)"
    assert panel.get_ylim()[1] < 1.5 * max(panel.lines[0].get_ydata())


def test_start_draws_a_plot(root, sweep):
    done = subprocess.run([root / "start", "plot", sweep, "lines", "metric=rpcs"], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (sweep / "lines-rpcs.png").exists()
