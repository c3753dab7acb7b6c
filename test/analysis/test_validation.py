# SPDX-License-Identifier: GPL-2.0-only
"""Published measurements re-enacted: the experiments of the project, their results as they are kept, bounds, and the programs."""

from __future__ import annotations

import csv
import re

import pytest
from nfsrdma_method.resolved import MethodError
from nfsrdma_validation import bounds, enact, fit, rows, verdict
from nfsrdma_validation.experiment import read_experiment
from nfsrdma_validation.expression import Expression, ExpressionError

TABLE = rows.read_rows()
PATHS = enact.find_experiments(rows.FOLDER)

OWN = """[validation]
what = small Writes of our machine
role = predict
metric = run.t_typical_us
published = {published}
unit = us
bound = absolute

[run run]
program = write-lat
options = -s 8 -n 20
"""


def read_results() -> list[dict[str, str]]:
    with open(rows.FOLDER / "results.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class TestProject:
    @pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
    def test_an_experiment_is_of_a_row_and_says_what_it_models(self, path):
        one = read_experiment(path, TABLE)
        assert one.row is not None and one.name == one.row.id.lower()
        comment = path.read_text(encoding="utf-8").partition("\n\n")[0]
        assert comment.startswith("# ") and len(comment) > 60
        assert one.published or one.bound == "shape"

    def test_every_row_is_re_enacted_or_said_not_to_be(self):
        named = [name for one in verdict.read_unmodelled(TABLE) for name in one.rows]
        enacted = [read_experiment(path, TABLE).row.id for path in PATHS]
        assert sorted(named + enacted) == sorted(TABLE)

    def test_as_many_rows_as_are_asked_for(self):
        roles = [read_experiment(path, TABLE).role for path in PATHS]
        assert len(roles) >= 45 and roles.count("predict") >= 25

    def test_kept_results_are_of_these_experiments(self):
        kept = {line["experiment"]: line["digest"] for line in read_results()}
        assert kept == {path.stem: read_experiment(path, TABLE).digest() for path in PATHS}, "./start validate has to run again"

    def test_the_document_is_that_of_the_kept_results(self):
        text = (rows.FOLDER / "RESULTS.md").read_text(encoding="utf-8")
        lines = [line for line in text.splitlines() if re.match(r"\| \[\w+\]\(\w+\.ini\)", line)]
        cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
        kept = read_results()
        assert len(cells) == len(kept)
        for found, line in zip(cells, kept):
            assert found[0] == f"[{line['row']}]({line['experiment']}.ini)"
            columns = ("what", "model", "published", "unit", "ratio", "bound", "role")
            assert found[1:8] == [line[column] for column in columns]
            assert found[8].strip("\\* ") == line["verdict"]

    def test_a_miss_is_explained_and_nothing_else_is(self):
        explained = {path.stem for path in PATHS if read_experiment(path, TABLE).miss}
        assert explained == {line["experiment"] for line in read_results() if line["verdict"] == "miss"}

    def test_numbers_of_the_table_are_read(self):
        assert TABLE["N29"].numbers == [4, 8, 15, 15.5, 15.8]
        assert TABLE["D01"].numbers == [300000, 400000]
        assert TABLE["N12"].numbers == [300000]
        assert TABLE["M04"].numbers == [-20]
        assert TABLE["R15"].numbers == [10.4, 4.64]
        assert TABLE["N14"].numbers == [32, 64]


class TestExpression:
    def test_arithmetic_over_names(self):
        values = {"a.b": 6.0, "R07": [320.0, 390.0]}
        assert Expression("a.b / 2, -1 + max(a.b, 7), R07").evaluate(values.__getitem__) == [3, 6, 320, 390]
        assert Expression("R07[1] / R07[0]").evaluate(values.__getitem__) == [390 / 320]

    @pytest.mark.parametrize("text", ["", "1 +", "a.b ** 2", "__import__('os')", "a()", "a.b if 1 else 2", "'text'", "(1).real", "a[b]"])
    def test_nothing_else_is_one(self, text):
        with pytest.raises(ExpressionError):
            Expression(text)

    @pytest.mark.parametrize("text", ["1 / (a - a)", "b[2]", "b + 1"])
    def test_what_has_no_value_is_refused(self, text):
        with pytest.raises(ExpressionError):
            Expression(text).evaluate({"a": 1.0, "b": [1.0, 2.0]}.__getitem__)


class TestBounds:
    @pytest.mark.parametrize("kind, model, good", [
        ("ratio", 1.15, True), ("ratio", 1.16, False), ("ratio", 0.84, False), ("absolute", 1.5, True), ("absolute", 1.51, False),
        ("absolute", 0.66, False), ("count", 1, True), ("count", 1.01, False), ("absolute", -1, False),
    ])  # fmt: skip
    def test_a_bound_ends_where_it_says(self, kind, model, good):
        assert bounds.agrees(kind, [model], [1.0]) == good

    def test_each_number_has_to_be_within(self):
        assert bounds.agrees("ratio", [1.0, 1.1], [1.0, 1.0]) and not bounds.agrees("ratio", [1.0, 1.2], [1.0, 1.0])
        assert not bounds.agrees("ratio", [1.0], [1.0, 1.0])

    @pytest.mark.parametrize("text, values, good", [
        ("rising to 3, flat within 10% from 3", [4, 8, 15, 15.5, 15.8], True),
        ("rising to 3, flat within 10% from 3", [4, 8, 15, 15.5, 17], False),
        ("rising to 3, flat within 10% from 3", [4, 4, 15, 15.5, 15.8], False),
        ("falling", [3, 2, 1], True), ("falling", [3, 2, 2], False),
        ("above 1, below 2", [1.5], True), ("above 1, below 2", [2.5], False), ("above N12[0]", [300001], True),
    ])  # fmt: skip
    def test_shapes(self, text, values, good):
        clauses = bounds.read_property(text, len(values))
        assert all(clause.holds(values, lambda name: TABLE[name].numbers) for clause in clauses) == good

    @pytest.mark.parametrize("text", ["wobbling", "rising from 2 to 2", "rising to 4", "flat", "flat within 5", ""])
    def test_what_is_no_shape_is_refused(self, text):
        with pytest.raises(ValueError):
            bounds.read_property(text, 3)


class TestTablesOfARun:
    """What a metric asks of utilisation.csv and lockstat.csv."""

    @pytest.fixture
    def directory(self, tmp_path):
        (tmp_path / "results").mkdir()
        (tmp_path / "results" / "utilisation.csv").write_text(
            "host,resource,places,mean_number,utilisation,peak_number\nclient-0,work_queue,4,0.5,0.125,\nclient-0,core 1,1,0.25,0.25,\n"
        )
        (tmp_path / "results" / "lockstat.csv").write_text(
            "host,class,acquisitions,contentions,waittime_total_ns,waittime_max_ns,holdtime_total_ns\nserver-0,sp_lock,7,3,6000,4000,700\n"
        )
        return tmp_path

    @pytest.mark.parametrize("name, value", [
        ("mean.client_0.work_queue", 0.5), ("mean.client_0.core_1", 0.25), ("lock.server_0.sp_lock.contentions", 3),
        ("lock.server_0.sp_lock.waittime_total", 6e-6), ("lock.server_0.sp_lock.holdtime_total", 7e-7),
    ])  # fmt: skip
    def test_numbers_are_found(self, directory, name, value):
        run = read_experiment(rows.FOLDER / "n32.ini", TABLE).runs[0]
        assert enact._look_up(directory, run, name) == pytest.approx(value)

    @pytest.mark.parametrize("name", ["mean.client_1.cores", "lock.server_0.sp_lock.host", "lock.server_0.zone_lock.contentions"])
    def test_what_is_not_there_is_refused(self, directory, name):
        run = read_experiment(rows.FOLDER / "n32.ini", TABLE).runs[0]
        with pytest.raises(ExpressionError):
            enact._look_up(directory, run, name)


class TestSaysLittle:
    @pytest.mark.parametrize("row, model, little", [
        ("m04", 0.99, True), ("m04", 0.7, False), ("n66", 1.0, True), ("n16", 1.0, False), ("r18", 1.55, False), ("n65", 17.5, False),
        ("d07", 799.5, True), ("n12", 300001, False),
    ])  # fmt: skip
    def test_a_number_that_no_effect_would_give_is_marked(self, row, model, little):
        outcome = verdict.Outcome(read_experiment(rows.FOLDER / f"{row}.ini", TABLE), (model,))
        assert bool(verdict.tell_little(outcome)) == little


class TestRefusals:
    @pytest.mark.parametrize("change, message", [
        (("role = predict", "rule = predict"), "4: rule: got 'predict', expected a key of [validation]"),
        (("role = predict", "role = predicted"), "3: role: got 'predicted', expected one of fit, predict"),
        (("what = small Writes of our machine", "row = N999"), "2: row: got 'N999', expected the id of a published row"),
        (("run.t_typical_us", "runs.t_typical_us"), "4: metric: got 'runs.t_typical_us', expected RUN.PATH"),
        (("run.t_typical_us", "run.t_typical_us +"), "4: metric: got 'run.t_typical_us +'"),
        (("= absolute", "= about"), "7: bound: got 'about', expected one of ratio, absolute, count, shape"),
        (("= absolute", "= shape"), "property: got ''"),
        (("write-lat", "write-lot"), "10: program: got 'write-lot'"),
        (("-n 20", "--csv x"), "11: options: got '--csv'"),
        (("unit = us", "fits = host.wake_up 1us 2us"), "6: fits: got 'host.wake_up', expected a key that"),
        (("unit = us", "system = nowhere"), "6: system: got 'nowhere', expected one of"),
        (("published = {published}", "published = R07"), "4: metric: got 'run.t_typical_us', expected as many numbers as are published, 2"),
        (("published = {published}", "published = R99"), "5: published: got 'R99', expected the id of a published row"),
    ])  # fmt: skip
    def test_one_line_says_file_line_key_and_what_was_expected(self, tmp_path, run_program, simulator, change, message):
        message = re.sub(r"^4: rule", "3: rule", message)
        text = OWN.replace(*change).replace("{published}", "0.8")
        path = tmp_path / "own.ini"
        path.write_text(text)
        done = run_program("validate", "--experiment", path, "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert f"{path}:" in done.stderr and message in done.stderr
        assert not (tmp_path / "out").exists()

    def test_an_unknown_column_is_refused_with_those_there_are(self, tmp_path, run_program, simulator):
        path = tmp_path / "own.ini"
        path.write_text(OWN.replace("t_typical_us", "t_median").replace("{published}", "0.8"))
        done = run_program("validate", "--experiment", path, "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and f"{path}:4: metric: got 't_median', expected a column" in done.stderr
        assert not (tmp_path / "out").exists()

    def test_the_simulator_s_refusal_names_the_line_of_the_experiment(self, tmp_path, run_program, simulator):
        path = tmp_path / "own.ini"
        head = "[validation]\nwhat = x\nrole = predict\nmetric = run.rpcs\nbound = count\npublished = 1\n\n"
        path.write_text(head + "[cluster]\nclients = many\n")
        done = run_program("validate", "--experiment", path, "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and f"{path}:9: cluster.clients: got 'many'" in done.stderr
        assert not (tmp_path / "out").exists()

    def test_a_row_that_is_not_re_enacted(self, tmp_path, run_program, simulator):
        done = run_program("validate", "--rows", "N46", "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and "--rows: got 'N46', expected rows that are re-enacted" in done.stderr
        assert not (tmp_path / "out").exists()

    def test_a_table_without_a_column(self, tmp_path, run_program, simulator):
        (tmp_path / "table.csv").write_text("id,value\nN01,3\n")
        done = run_program("validate", "--table", tmp_path / "table.csv", "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and f"{tmp_path}/table.csv:1: what: no such column" in done.stderr
        assert not (tmp_path / "out").exists()


class TestProgram:
    def test_a_measurement_of_one_s_own_is_predicted(self, tmp_path, run_program, simulator):
        path = tmp_path / "own.ini"
        for published, status, word in (("0.8", 0, "within"), ("80", 1, "miss"), ("", 0, "predicted")):
            path.write_text(OWN.replace("{published}", published))
            done = run_program("validate", "--experiment", path, "--out", tmp_path / "out", "--simulator", simulator)
            assert done.returncode == status, done.stderr
            with open(tmp_path / "out" / "results.csv", encoding="utf-8", newline="") as file:
                line = next(csv.DictReader(file))
            assert line["verdict"] == word and float(line["model"]) == pytest.approx(0.74, abs=0.2)
            for name in ("RESULTS.md", "points.csv", "validation.png", "validation.pdf"):
                assert (tmp_path / "out" / name).stat().st_size > 0

    def test_another_table_has_other_values(self, tmp_path, run_program, simulator):
        with open(rows.TABLE, encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        with open(tmp_path / "table.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(lines[0]))
            writer.writeheader()
            writer.writerows({**line, "value": "9.30" if line["id"] == "R02" else line["value"]} for line in lines)
        done = run_program("validate", "--table", tmp_path / "table.csv", "--rows", "R02", "--out", tmp_path / "out",
                           "--simulator", simulator)  # fmt: skip
        assert done.returncode == 1 and "9.3 " in done.stdout


class TestCalibration:
    """Values that the model itself has made, with parameters that are known."""

    KNOWN = {"doorbell": 470, "pcie_latency": 620}

    @pytest.fixture
    def folder(self, tmp_path):
        (tmp_path / "systems").mkdir()
        (tmp_path / "systems" / "machine.ini").write_text(
            "[rnic]\nprofile = generic-100g\ndoorbell = 200ns\npcie_latency = 350ns\nregister_base = 300ns\n"
        )
        for name, options in (("w01", "-s 8 -n 50"), ("w02", "-s 64 -n 50 -I 0")):
            (tmp_path / f"{name}.ini").write_text(
                f"[validation]\nrow = {name.upper()}\nrole = fit\nmetric = run.t_typical_us\nbound = ratio\nsystem = machine\n"
                "fits = rnic.doorbell 50ns 2us, rnic.pcie_latency 50ns 3us, rnic.register_base 10ns 1us\n"
                f"\n[run run]\nprogram = write-lat\noptions = {options}\n"
            )
        return tmp_path

    def write_table(self, folder, simulator):
        table = "id,what,setup,value,unit,source\nW01,a,b,1,us,c\nW02,a,b,1,us,c\n"
        (folder / "table.csv").write_text(table)
        enactor = enact.Enactor(folder / "made", simulator)
        values = {f"rnic.{key}": f"{value}ns" for key, value in self.KNOWN.items()}
        made = []
        for name in ("w01", "w02"):
            one = read_experiment(folder / f"{name}.ini", rows.read_rows(folder / "table.csv"))
            made.append(enactor.evaluate(one, values)[0])
        (folder / "table.csv").write_text(table.replace("b,1", f"b,{made[0]}", 1).replace("b,1,", f"b,{made[1]},"))
        return made

    def test_known_parameters_are_recovered_and_what_no_row_feels_is_undetermined(self, folder, run_program, simulator):
        made = self.write_table(folder, simulator)
        assert made[0] != made[1]
        profile = folder / "found.ini"
        command = ["--table", folder / "table.csv", "--experiments", folder, "--profile", profile, "--out", folder / "out",
                   "--simulator", simulator]  # fmt: skip
        done = run_program("calibrate", *command)
        assert done.returncode == 0, done.stderr
        text = profile.read_text()
        for key, value in self.KNOWN.items():
            found = re.search(rf"# (W\d\d(?:, W\d\d)*): (\d+)ns to (\d+)ns \(95 %\)\n{key} = (\d+)ns\n", text)
            assert found, text
            assert int(found[4]) == pytest.approx(value, rel=0.02)
            assert int(found[2]) < value < int(found[3])
        assert "# undetermined\nregister_base = 300ns\n" in text
        assert re.search(r"rnic\.register_base +- +undetermined +-\n", done.stdout)
        profile.unlink()
        again = run_program("calibrate", *command)
        assert again.stdout == done.stdout and profile.read_text() == text

    def test_bounds_that_differ_are_refused(self, folder, run_program, simulator):
        path = folder / "w02.ini"
        path.write_text(path.read_text().replace("50ns 2us", "50ns 3us"))
        (folder / "table.csv").write_text("id,what,setup,value,unit,source\nW01,a,b,1,us,c\nW02,a,b,1,us,c\n")
        done = run_program("calibrate", "--table", folder / "table.csv", "--experiments", folder, "--out", folder / "out",
                           "--simulator", simulator)  # fmt: skip
        assert done.returncode == 2 and "w02.ini: fits: rnic.doorbell: has other bounds" in done.stderr
        assert not (folder / "out").exists()

    def test_systems_are_fitted_apart(self):
        groups = fit.group([read_experiment(path, TABLE) for path in PATHS])
        assert len(groups) > 3 and all(one.role == "fit" for group in groups.values() for one in group)

    def test_an_unknown_system_is_refused(self, tmp_path, run_program, simulator):
        done = run_program("calibrate", "--system", "nothing", "--out", tmp_path / "out", "--simulator", simulator)
        assert done.returncode == 2 and "--system: got 'nothing', expected a system that is fitted" in done.stderr
        with pytest.raises(MethodError):
            rows.read_rows(tmp_path / "absent.csv")
