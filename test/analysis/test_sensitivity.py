# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity to costs: the methods against functions whose answers are known, the table of ranges, and the program."""

from __future__ import annotations

import csv
import re
import subprocess
import sys

import numpy
import pytest
from nfsrdma_method import costs, resolved, screening
from nfsrdma_method.resolved import MethodError

#: A simulator of three costs, whose result is linear in them; with cluster.clients=2 it is another function.
FAKE = """#!{python}
import pathlib, sys
values = {{"host.server_call_cost": 5000, "host.wake_up": 1000, "rnic.doorbell": 200, "cluster.clients": 1}}
options, words = {{}}, sys.argv[2:]
for place, word in enumerate(words):
    if word == "--set":
        key, _, value = words[place + 1].partition("=")
        values[key] = int(value.removesuffix("ns"))
    elif word.startswith("--"):
        options[word] = words[place + 1] if place + 1 < len(words) else ""
if "--print-config" in words:
    print("[rnic]\\nprofile = generic-100g\\ndoorbell = 200ns\\n# not used: context_miss = 500ns\\n"
          "[host]\\nwake_up = 1us\\nserver_call_cost = 5us\\n[sweep]\\nmode = grid")
    sys.exit(0)
out = pathlib.Path(options["--out"])
out.mkdir(parents=True)
seeds = range(1, int(options["--runs"]) + 1)
factor = 2 if values["cluster.clients"] == 1 else {slope}
rows = "".join(f"0,{{seed}},0,{{1e4 + factor * values['host.server_call_cost'] + values['host.wake_up'] + {noise} * seed}},d\\n" for seed in seeds)
(out / "sweep.csv").write_text("point,seed,status,latency_mean_us,digest\\n" + rows)
(out / "manifest.json").write_text('{{"digest": "d"}}')
with open(pathlib.Path(__file__).with_suffix(".log"), "a") as log:
    log.write("run\\n")
"""


def ishigami(x):
    """Indices are 0.3139, 0.4424, 0 alone, and 0.5576, 0.4424, 0.2437 in all (Saltelli et al. 2008)."""
    x = 2 * numpy.pi * x - numpy.pi
    return numpy.sin(x[..., 0]) + 7 * numpy.sin(x[..., 1]) ** 2 + 0.1 * x[..., 2] ** 4 * numpy.sin(x[..., 0])


class TestMethods:
    def test_trajectories_move_one_factor_at_a_time_within_the_range(self):
        paths = screening.make_trajectories(5, 6, 3)
        assert paths.min() >= 0 and paths.max() <= 1
        moved = numpy.abs(numpy.diff(paths, axis=1)) > 1e-12
        assert (moved.sum(axis=2) == 1).all() and (moved.sum(axis=1) == 1).all()
        assert numpy.abs(numpy.diff(paths, axis=1)).max() == pytest.approx(screening.STEP)

    def test_effects_of_a_linear_function_are_its_slopes(self):
        paths = screening.make_trajectories(3, 4, 1)
        found = screening.measure_effects(paths, paths @ numpy.array([1.0, -2.0, 0.0]))
        assert [effect.mean for effect in found] == pytest.approx([1, -2, 0])
        assert [effect.absolute for effect in found] == pytest.approx([1, 2, 0])
        assert [effect.deviation for effect in found] == pytest.approx([0, 0, 0], abs=1e-12)

    def test_an_effect_that_hangs_on_another_has_a_deviation(self):
        paths = screening.make_trajectories(2, 20, 1)
        found = screening.measure_effects(paths, paths[..., 0] * paths[..., 1])
        assert min(effect.deviation for effect in found) > 0.2

    def test_indices_of_the_ishigami_function(self):
        first, total = screening.measure_indices(ishigami(screening.make_sample(3, 2048, 1)), 1)
        assert [index.share for index in first] == pytest.approx([0.3139, 0.4424, 0.0], abs=0.03)
        assert [index.share for index in total] == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.03)
        for index, truth in zip((*first, *total), (0.3139, 0.4424, 0.0, 0.5576, 0.4424, 0.2437)):
            assert index.low - 0.02 <= truth <= index.high + 0.02

    def test_a_large_mean_does_not_hide_the_indices(self):
        sample = screening.make_sample(2, 16, 1)
        first, total = screening.measure_indices(1e6 + sample @ numpy.array([2.0, 1.0]), 1)
        assert [index.share for index in first] == pytest.approx([0.8, 0.2], abs=0.1)
        assert [index.share for index in total] == pytest.approx([0.8, 0.2], abs=0.1)

    def test_what_does_not_vary_has_no_indices(self):
        first, total = screening.measure_indices(numpy.ones((4, 8)), 1)
        assert [index.share for index in (*first, *total)] == [0, 0, 0, 0]


class TestTable:
    @pytest.fixture(scope="class")
    def keys(self, simulator):
        listed = subprocess.run([simulator, "--list-keys"], capture_output=True, text=True, check=True).stdout
        return dict(line.split()[:2] for line in listed.splitlines()[1:])

    def test_has_every_time_and_rate_of_hosts_devices_and_storage(self, keys):
        known = {row.key for row in costs.read_table()}
        timed = {key for key, kind in keys.items() if kind in ("time", "rate") and key.partition(".")[0] in ("rnic", "host", "storage")}
        assert len(timed) > 30 and timed - known == set()

    def test_has_keys_and_profiles_that_exist(self, keys, root):
        for row in costs.read_table():
            assert keys.get(row.key) in ("time", "rate"), row.key
            section = row.key.partition(".")[0]
            assert row.profile == "*" or (root / "scenarios" / "profiles" / section / f"{row.profile}.ini").exists(), row

    def test_a_value_of_a_profile_lies_within_its_range(self, root):
        rows = costs.read_table()
        for path in sorted((root / "scenarios" / "profiles").glob("*/*.ini")):
            section = path.parent.name
            text = re.sub(r"\s+#.*", "", path.read_text())
            values = dict(re.findall(r"^(\w+) = (\S+)$", text, re.MULTILINE))
            config = resolved.Resolved("", {f"{section}.{key}": value for key, value in values.items()} | {f"{section}.profile": path.stem})
            outside = [cost.key for cost in costs.find_costs(config, rows) if "lies outside" in cost.source]
            assert outside == [], path.name

    def test_sections_of_profiles_and_percentages(self):
        config = resolved.parse("[rnic]\nprofile = software-iwarp\ndoorbell = 1us\nwqe_fetch = 0ns\npcie_rate = 80Gbps\n[host]\nwake_up = 9us\nmap_cost = 100ns\n")
        found = {cost.key: cost for cost in costs.find_costs(config, costs.read_table(), frozenset({"rnic.pcie_rate"}))}
        assert set(found) == {"rnic.doorbell", "host.wake_up", "host.map_cost"}
        assert (found["rnic.doorbell"].low, found["rnic.doorbell"].high) == (1000, 3000)
        assert (found["host.map_cost"].at(0), found["host.map_cost"].at(1), found["host.map_cost"].at(0.5)) == ("50ns", "150ns", "100ns")
        wake_up = found["host.wake_up"]
        assert (wake_up.low, wake_up.high) == (4500, 13500) and "lies outside 1us to 3us" in wake_up.source

    def test_hosts_of_a_named_section_have_costs_of_their_own(self):
        config = resolved.parse("[rnic]\nprofile = generic-100g\ndoorbell = 300ns\n[rnic old]\nprofile = software-iwarp\ndoorbell = 2us\n")
        found = {cost.key: (cost.low, cost.value, cost.high) for cost in costs.find_costs(config, costs.read_table())}
        assert found == {"rnic.doorbell": (200, 300, 400), "rnic old.doorbell": (1000, 2000, 3000)}

    @pytest.mark.parametrize(
        ("line", "message"),
        [("host.wake_up,*,1us,3us,somewhere", "source: got 'somewhere'"), ("host.wake_up,*,,,estimate", "a setting has no range"),
         ("host.wake_up,*,1us,3us,setting: x", "a setting has no range")],
    )  # fmt: skip
    def test_rows_that_say_nothing_are_refused(self, tmp_path, line, message):
        (tmp_path / "t.csv").write_text(f"{','.join(costs.COLUMNS)}\n{line}\n")
        with pytest.raises(MethodError, match=re.escape(message)):
            costs.read_table(tmp_path / "t.csv")


class TestProgram:
    @pytest.fixture
    def fake(self, tmp_path):
        def make(slope=2.0, noise=0.0):
            program = tmp_path / "fake"
            program.write_text(FAKE.format(python=sys.executable, slope=slope, noise=noise))
            program.chmod(0o755)
            (tmp_path / "a.ini").write_text("# anything\n")
            return program

        return make

    def run(self, run_program, tmp_path, program, *words):
        return run_program("sensitivity.py", tmp_path / "a.ini", "--simulator", program, "--metric", "latency_mean_us", "--out", tmp_path / "out",
                           "--jobs", "2", *words)  # fmt: skip

    def test_finds_the_number_that_carries_a_result(self, tmp_path, fake, run_program):
        done = self.run(run_program, tmp_path, fake(), "--seeds", "2", "--trajectories", "2", "--base", "8")
        assert done.returncode == 0, done.stderr
        with open(tmp_path / "out" / "sensitivity.csv", newline="") as file:
            rows = {row["key"]: row for row in csv.DictReader(file)}
        assert list(rows) == ["host.server_call_cost", "host.wake_up", "rnic.doorbell"]
        # Twice the range of 5 us, and once that of 2 us.
        assert [float(row["mean_effect"]) for row in rows.values()] == pytest.approx([10000, 2000, 0], rel=1e-3, abs=1e-9)
        assert float(rows["host.server_call_cost"]["total"]) > 0.8 and rows["rnic.doorbell"]["total"] == ""
        caption = (tmp_path / "out" / "sensitivity.txt").read_text()
        assert "It hangs on host.server_call_cost (estimate, " in caption and "With nominal costs: 21000" in caption
        assert (tmp_path / "out" / "sensitivity.png").exists()

    def test_an_interrupted_study_goes_on(self, tmp_path, fake, run_program):
        program = fake()
        words = ("--seeds", "2", "--trajectories", "1", "--base", "0")
        assert self.run(run_program, tmp_path, program, *words).returncode == 0
        first = (tmp_path / "out" / "places.csv").read_bytes()
        runs = len((tmp_path / "fake.log").read_text().splitlines())
        assert self.run(run_program, tmp_path, program, *words).returncode == 0
        assert len((tmp_path / "fake.log").read_text().splitlines()) == runs == 5
        assert (tmp_path / "out" / "places.csv").read_bytes() == first

    def test_a_conclusion_that_flips_is_named(self, tmp_path, fake, run_program):
        # B pays 1 x cost and 3000 more: higher where the cost is below 3000 ns, of 2500 to 7500.
        program = fake(slope=1.0)
        program.write_text(program.read_text().replace("{1e4 + factor", "{(1e4 if factor == 2 else 1.3e4) + 0.5 * seed + factor"))
        done = self.run(run_program, tmp_path, program, "--b", "cluster.clients=2", "--seeds", "2", "--trajectories", "4", "--base", "0")
        assert done.returncode == 0, done.stderr
        caption = (tmp_path / "out" / "sensitivity.txt").read_text()
        assert "Conclusion with nominal costs: B is lower." in caption
        assert "THE CONCLUSION FLIPS at" in caption and "to: B is higher" in caption
        assert "A step of one cost alone flips it: host.server_call_cost." in caption

    def test_a_conclusion_that_holds_is_said_to(self, tmp_path, fake, run_program):
        done = self.run(run_program, tmp_path, fake(slope=1.0), "--b", "cluster.clients=2", "--seeds", "2", "--trajectories", "2", "--base", "0")
        assert done.returncode == 0, done.stderr
        assert "It holds at all 9 places." in done.stdout

    def test_no_difference_is_said_to_be_none(self, tmp_path, fake, run_program):
        done = self.run(run_program, tmp_path, fake(), "--b", "cluster.clients=2", "--seeds", "2", "--trajectories", "1", "--base", "0")
        assert "no difference shown. A difference is shown at 0 of 5 places." in done.stdout

    def test_what_cannot_be_studied_is_one_line(self, tmp_path, fake, run_program):
        done = self.run(run_program, tmp_path, fake(), "--metric", "speed")
        assert done.returncode == 2 and "column speed is missing" in done.stderr.splitlines()[-1]
        done = self.run(run_program, tmp_path, fake(), "--cost", "host.patience")
        assert done.returncode == 2 and "--cost host.patience: no cost that the scenario pays; those are rnic.doorbell" in done.stderr
        assert not (tmp_path / "out" / "sensitivity.csv").exists()

    def test_a_sweep_has_to_be_one_point(self, tmp_path, simulator, run_program):
        done = run_program("sensitivity.py", "reply-mechanism", "--simulator", simulator, "--out", tmp_path / "out")
        assert done.returncode == 2 and "is swept over 6 values; --set workload.large_directory_fraction=VALUE chooses one" in done.stderr

    def test_of_the_simulator_itself(self, tmp_path, simulator, run_program):
        """One operation at a time: each RPC's latency has every cost of the client's calls in it once."""
        (tmp_path / "a.ini").write_text("[cluster]\nclients = 1\n[workload]\nkind = mix\noperations = 20\noperation_mix = getattr:1\n")
        words = [word for key in ("host.client_call_cost", "storage.metadata_cost", "host.poll_cost") for word in ("--cost", key)]
        done = self.run(run_program, tmp_path, simulator, *words, "--seeds", "2", "--trajectories", "1", "--base", "0")
        assert done.returncode == 0, done.stderr
        with open(tmp_path / "out" / "sensitivity.csv", newline="") as file:
            effects = {row["key"]: float(row["mean_effect"]) for row in csv.DictReader(file)}
        assert effects["host.client_call_cost"] == pytest.approx(5.0, abs=0.2)
        assert effects["host.poll_cost"] < 0.2
        assert effects["storage.metadata_cost"] == pytest.approx(3.0, abs=0.2)


class TestEstimates:
    """What a run says of the costs that it paid."""

    @pytest.fixture
    def run(self, tmp_path, monkeypatch, run_program):
        program = tmp_path / "fake"
        program.write_text(FAKE.format(python=sys.executable, slope=2.0, noise=0.0))
        program.chmod(0o755)
        (tmp_path / "a.ini").write_text("# anything\n")
        (tmp_path / "out").mkdir()
        monkeypatch.chdir(tmp_path)
        return lambda *words: run_program("estimates.py", "--simulator", program, "out", "a.ini", *words)

    def test_costs_that_are_paid_are_counted_and_listed(self, tmp_path, run):
        done = run("--set", "cluster.clients=2")
        assert done.returncode == 0, done.stderr
        with open(tmp_path / "out" / "costs.csv", newline="") as file:
            rows = {row["key"]: row for row in csv.DictReader(file)}
        assert set(rows) == {"rnic.doorbell", "host.wake_up", "host.server_call_cost"}
        assert (rows["rnic.doorbell"]["low"], rows["rnic.doorbell"]["value"], rows["rnic.doorbell"]["high"]) == ("200ns", "200ns", "400ns")
        estimates = sum(row["source"].startswith("estimate") for row in rows.values())
        assert 0 < estimates < 3
        assert f"costs: 3 are paid, {estimates} of them estimates (out/costs.csv)" in done.stdout
        assert "costs: ./start sensitivity a.ini says on which of them a result hangs" in done.stdout

    def test_a_study_of_the_scenario_is_used(self, tmp_path, run, run_program):
        study = ("sensitivity.py", "a.ini", "--simulator", tmp_path / "fake", "--metric", "latency_mean_us", "--out", "results/sensitivity-a")
        assert run_program(*study, "--seeds", "2", "--trajectories", "2", "--base", "0").returncode == 0
        done = run()
        assert "costs: latency_mean_us hangs on host.server_call_cost (estimate), host.wake_up (" in done.stdout
        assert "rnic.doorbell" not in done.stdout and "(results/sensitivity-a)" in done.stdout

    def test_what_is_no_study_is_one_line(self, tmp_path, run):
        study = tmp_path / "results" / "sensitivity-a"
        study.mkdir(parents=True)
        (study / "sensitivity.txt").write_text("Command: ./start sensitivity a.ini --metric latency_mean_us\n")
        (study / "sensitivity.csv").write_text("key,source\nrnic.doorbell,estimate\n")
        done = run()
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "mean_absolute_effect were expected" in done.stderr

    def test_results_that_are_not_there_are_one_line(self, run, tmp_path):
        (tmp_path / "out").rmdir()
        done = run()
        assert done.returncode == 2 and done.stderr == "estimates: out: no such results directory\n"
