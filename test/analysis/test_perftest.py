# SPDX-License-Identifier: GPL-2.0-only
"""perftest_figure.py on invented tables."""

from __future__ import annotations

import pytest
from nfsrdma_figures import perftest, style, work_stages
from nfsrdma_figures.results import ResultsError

SIZES = [2 << power for power in range(23)]
HEAD = "program,profile,link_bps,mtu,queue_pairs,bytes,iterations,"
LATENCY_HEAD = HEAD + "t_min_us,t_max_us,t_typical_us,t_avg_us,t_stdev_us,t_p99_us,t_p999_us"
BANDWIDTH_HEAD = HEAD + "peak_bps,average_bps,messages_per_second"


def make_tables(directory, profiles={"fast-100g": (1, 100e9), "slow-40g": (9, 40e9)}):
    directory.mkdir(parents=True)
    for profile, (base, rate) in profiles.items():
        start = f"{profile},{rate:.0f},9000,1"
        for verb in ("send", "write", "read"):
            lines = [LATENCY_HEAD]
            for size in SIZES:
                time = base + size * 8 / rate * 1e6
                lines.append(f"{verb}-lat,{start},{size},10," + ",".join([f"{time:.4f}"] * 4 + ["0"] + [f"{time:.4f}"] * 2))
            (directory / f"{profile}-{verb}-lat.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
            lines = [BANDWIDTH_HEAD]
            for size in SIZES:
                bits = min(size * 8e6, rate * 0.98)
                lines.append(f"{verb}-bw,{start},{size},10,{bits:.0f},{bits:.0f},{bits / size / 8:.0f}")
            (directory / f"{profile}-{verb}-bw.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return directory


def lines_of(axes):
    return {line.get_label(): line for line in axes.get_lines() if not line.get_label().startswith("_")}


def test_the_figure_repeats_to_the_octet(tmp_path, run_program):
    directories = [make_tables(tmp_path / name / "results") for name in ("a", "b")]
    for directory in directories:
        done = run_program("perftest_figure.py", directory)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines() == [str(directory / f"perftest.{kind}") for kind in ("png", "pdf")]
    for kind in ("png", "pdf"):
        first, second = ((directory / f"perftest.{kind}").read_bytes() for directory in directories)
        assert first == second and len(first) > 10000


def test_every_panel_has_every_profile_and_the_links(tmp_path):
    figure = perftest.draw_perftest(perftest.read_runs(make_tables(tmp_path / "results")))
    panels = figure.get_axes()
    assert [panel.get_title() for panel in panels[:3]] == ["Send", "RDMA Write", "RDMA Read"]
    for panel in panels:
        lines = lines_of(panel)
        assert list(lines) == ["fast-100g", "slow-40g"]
        assert all(list(line.get_xdata()) == SIZES for line in lines.values())
    for panel in panels[3:]:
        rates = {line.get_ydata()[0] for line in panel.get_lines() if line.get_color() == style.GREY}
        assert rates == {100, 40}
        assert max(lines_of(panel)["slow-40g"].get_ydata()) == pytest.approx(40 * 0.98)


def test_values_are_the_typical_latency_and_the_average_goodput(tmp_path):
    directory = make_tables(tmp_path / "results", {"one": (3, 100e9)})
    path = directory / "one-read-lat.csv"
    path.write_text(LATENCY_HEAD + "\nread-lat,one,100000000000,9000,1,2,10,1,2,3.5,4,5,6,7\n", encoding="utf-8")
    path = directory / "one-read-bw.csv"
    path.write_text(BANDWIDTH_HEAD + "\nread-bw,one,100000000000,9000,1,2,10,7e9,5e9,1\n", encoding="utf-8")
    panels = perftest.draw_perftest(perftest.read_runs(directory)).get_axes()
    assert list(lines_of(panels[2])["one"].get_ydata()) == [3.5]
    assert list(lines_of(panels[5])["one"].get_ydata()) == [5]


def test_fastest_profile_first(tmp_path):
    profiles = {"a": (9, 100e9), "b": (1, 100e9), "c": (4, 100e9)}
    assert perftest.order_profiles(perftest.read_runs(make_tables(tmp_path / "results", profiles))) == ["b", "c", "a"]


@pytest.mark.parametrize("kind", ["lat", "bw"])
def test_one_kind_alone_can_be_drawn(tmp_path, kind):
    directory = make_tables(tmp_path / "results")
    for path in directory.glob(f"*-{kind}.csv"):
        path.unlink()
    assert perftest.draw_perftest(perftest.read_runs(directory)).get_axes()


@pytest.mark.parametrize(
    "name, text, problem",
    [
        ("a-send-lat.csv", HEAD + "t_min_us\na,b,1,1,1,1,1,1\n", "column t_typical_us is missing"),
        ("a-send-bw.csv", BANDWIDTH_HEAD + "\n", "no rows"),
        ("a-send-bw.csv", BANDWIDTH_HEAD + "\na,b,1,1,1,x,1,1,1,1\n", "line 2: column bytes: got 'x', expected a number that is not negative"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(tmp_path, run_program, name, text, problem):
    directory = tmp_path / "results"
    directory.mkdir()
    (directory / name).write_text(text, encoding="utf-8")
    done = run_program("perftest_figure.py", directory)
    assert done.returncode == 2
    assert done.stderr == f"perftest_figure: {directory / name}: {problem}\n"
    assert list(directory.iterdir()) == [directory / name]


def test_a_directory_without_tables_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="no tables of test programs"):
        perftest.read_runs(tmp_path)
    with pytest.raises(ResultsError, match="no such results directory"):
        perftest.read_runs(tmp_path / "nothing")


STAGES_HEAD = "side,queue_pair,id,kind,status,posted_ns,post,doorbell,gather,cqe,total"


def write_stages(directory, name, rows):
    directory.mkdir(parents=True, exist_ok=True)
    lines = [STAGES_HEAD, *(f"{side},1,1,{kind},SUCCESS,0,{stages}" for side, kind, stages in rows)]
    (directory / f"{name}.stages").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_stages_are_means_of_the_clients_work(tmp_path):
    rows = [
        ("client", "RDMA_WRITE", "80,200,400,20,700"),
        ("client", "RDMA_WRITE", "80,200,600,20,900"),
        ("server", "RDMA_WRITE", "1,1,1,1,4"),
        ("client", "SEND", "9,9,9,9,36"),
    ]
    write_stages(tmp_path, "mine-write-lat", rows)
    table = work_stages.read_stages(tmp_path)
    (row,) = table.to_dict("records")
    assert (row["profile"], row["verb"], row["n"]) == ("mine", "RDMA Write", 2)
    assert [row[name] for name in ("post", "doorbell", "gather", "cqe")] == [80, 200, 500, 20]
    (axes,) = work_stages.draw(table).get_axes()
    assert sum(patch.get_width() for patch in axes.patches) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("name", "row", "problem"),
    (
        ("mine-write-lat", ("client", "RDMA_WRITE", "80,200,400,20,701"), "do not add up"),
        ("mine-write-lat", ("client", "SEND", "80,200,400,20,700"), "no RDMA_WRITE of the client"),
        ("mine-write-bw", ("client", "RDMA_WRITE", "80,200,400,20,700"), "no table of send-lat"),
    ),
)
def test_stages_that_are_unusable_are_refused(tmp_path, name, row, problem):
    write_stages(tmp_path, name, [row])
    with pytest.raises(ResultsError, match=problem):
        work_stages.read_stages(tmp_path)


def test_stages_are_drawn_beside_the_figure(tmp_path, run_program):
    directory = make_tables(tmp_path / "results")
    write_stages(directory, "fast-100g-write-lat", [("client", "RDMA_WRITE", "80,200,400,20,700")])
    done = run_program("perftest_figure.py", directory)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[2:] == [str(directory / f"work-stages.{kind}") for kind in ("png", "pdf")]
