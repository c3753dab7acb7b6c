# SPDX-License-Identifier: GPL-2.0-only
"""figures.py on invented results."""

from __future__ import annotations

import json

import pandas
import pytest
import synthetic_results
from nfsrdma_figures import attacks, curves, facets, framing, reassembly, sweep, units

NETWORK = {
    "link": {"rate": "10Gbps", "delay": "50ns", "mtu": "1500B", "switch_latency": "450ns"},
    "middlebox": {"latency": "450ns"},
    "tcp": {"timestamps": "true"},
    "workload": {"io_sizes": "1048576:1"},
}
FRAMING = {"link.mtu": ["1500", "9000"], "rnic.mpa_markers": ["false", "true"], "rnic.mpa_crc": ["false", "true"]}
REASSEMBLY = {
    "cluster.clients": ["2", "8"],
    "middlebox.drop": ["0.001", "0.01"],
    "middlebox.mode": ["none", "recut"],
    "rnic.mpa_markers": ["false", "true"],
}
HOST_BOUND = {"host.server_cores": ["1", "2", "4"], "rnic.profile": ["generic-100g", "software-iwarp"]}
HOST = {
    "host": {"server_call_cost": "5us"},
    "rnic": {"tx_per_wqe": "1us", "tx_per_fpdu": "800ns"},
}
CURVES = {
    "reply-mechanism": {
        "workload.large_directory_fraction": ["0", "0.5", "1"],
        "rpcrdma.profile": ["linux-6.1", "read-chunk-replies", "pull-invalidates", "message-continuation", "large-threshold"],
    },
    "credit-policies": {
        "cluster.clients": ["4", "16"],
        "rpcrdma.server_credit_grant": ["fixed", "fair-share", "adaptive"],
    },
    "inline-policies": {
        "cluster.clients": ["2", "8"],
        "rpcrdma.profile": ["linux-6.1", "large-threshold", "threshold-memory-share", "threshold-observed"],
    },
    "registration-policies": {
        "workload.io_sizes": ["4096:1", "65536:1"],
        "rpcrdma.profile": ["linux-6.1", "client-invalidates", "short-page-lists", "large-threshold"],
    },
    "registration-strategies": {
        "workload.io_sizes": ["4096:1", "65536:1"],
        "rpcrdma.client_registration_strategy": [
            "frwr", "memory-window", "regular", "all-physical", "preregistered", "cache",
        ],
    },
    "rdma-against-tcp": {
        "workload.io_sizes": ["4096:1", "65536:1"],
        "cluster.transport": ["rdma", "tcp"],
    },
    "cancelled-share": {
        "adversary storm.every": ["0.0001", "0.0064"],
        "rpcrdma.profile": ["linux-6.1", "read-chunk-replies", "message-continuation"],
    },
    "connection-churn": {
        "adversary churn.hosts": ["client-0", "client-0..1", "client-0..7"],
        "rnic.connection_rate": ["0", "100"],
    },
    "drip-fed-startup": {
        "adversary drip.hosts": ["client-0", "client-0..1", "client-0..7"],
        "rnic.startups_per_peer": ["0", "2"],
    },
    "loss": {"middlebox.drop": ["0.0001", "0.01"], "workload.readwrite": ["randread", "randwrite"]},
    "credits": {"workload.io_sizes": ["4096:1", "262144:1"], "rpcrdma.server_credits": ["1", "8", "64"]},
    "credit-sensitivity": {
        "workload.io_sizes": ["1048576:1", "4096:1"],
        "rpcrdma.server_credits": ["4", "64", "128"],
    },
    "pull-up": {
        "workload.io_sizes": ["512:1", "4096:1"],
        "rpcrdma.client_buffer_size": ["256", "1048576"],
    },
    "remote-invalidation": {
        "workload.io_sizes": ["4096:1", "65536:1"],
        "rpcrdma.server_invalidation": ["never", "linux"],
        "workload.queue_depth": ["1", "16"],
    },
}
THRESHOLDS = {"rpcrdma.inline_threshold": ["1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB", "64KiB"]}


def files_of(directory):
    """Figures and their captions."""
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.suffix in (".png", ".pdf", ".txt")}


@pytest.mark.parametrize(
    "make, expected",
    [
        (synthetic_results.make_replay, {"latency.png", "latency.pdf", "latency.txt", "forms.png", "forms.pdf", "forms.txt"}),
        (lambda path: synthetic_results.make_sweep(path, THRESHOLDS), {"sweep.png", "sweep.pdf", "sweep.txt"}),
        (
            lambda path: synthetic_results.make_sweep(path, THRESHOLDS | {"cluster.clients": ["1", "8"]}, seeds=2),
            {"sweep.png", "sweep.pdf", "sweep.txt"},
        ),
        (
            lambda path: synthetic_results.make_sweep(path, {"rpcrdma.registration": ["a", "b"]}, seeds=1),
            {"sweep.png", "sweep.pdf", "sweep.txt"},
        ),
        (lambda path: synthetic_results.make_sweep(path, {}, seeds=4), {"sweep.png", "sweep.pdf", "sweep.txt"}),
        (
            lambda path: synthetic_results.make_sweep(path, FRAMING, 2, NETWORK, "framing-cost"),
            {"framing-cost.png", "framing-cost.pdf", "framing-cost.txt"},
        ),
        (
            lambda path: synthetic_results.make_sweep(path, REASSEMBLY, 3, NETWORK, "reassembly-memory"),
            {"reassembly-memory.png", "reassembly-memory.pdf", "reassembly-memory.txt"},
        ),
        (
            lambda path: synthetic_results.make_sweep(path, HOST_BOUND, 2, HOST, "host-bound"),
            {"host-bound.png", "host-bound.pdf", "host-bound.txt"},
        ),
    ],
    ids=["replay", "sweep", "sweep of two keys", "sweep of names", "seeds only", "framing", "reassembly", "host"],
)
def test_figures_are_made_and_repeat_to_the_octet(tmp_path, run_program, make, expected):
    directories = [make(tmp_path / name / "results") for name in ("a", "b")]
    for directory in directories:
        done = run_program("figures.py", directory)
        assert done.returncode == 0 and done.stderr == ""
        assert {line.rsplit("/", 1)[1] for line in done.stdout.splitlines() if " against " not in line} == expected
    first, second = map(files_of, directories)
    assert set(first) == expected
    assert first == second
    for name, octets in first.items():
        if name.endswith(".txt"):
            assert b"Digest of the results: digest-of-" in octets and b"Seeds: 1" in octets and b"\nn: " in octets
            continue
        assert octets.startswith(b"%PDF" if name.endswith(".pdf") else b"\x89PNG")
        assert b"CreationDate" not in octets and len(octets) > 5000


def test_other_results_give_other_figures(tmp_path, run_program):
    made = []
    for seed in (1, 2):
        directory = synthetic_results.make_replay(tmp_path / str(seed), seed)
        run_program("figures.py", directory)
        made.append(files_of(directory)["latency.png"])
    assert made[0] != made[1]


def test_fonts_are_embedded_as_outlines_not_bitmaps(tmp_path, run_program):
    directory = synthetic_results.make_sweep(tmp_path, THRESHOLDS)
    run_program("figures.py", directory)
    octets = (directory / "sweep.pdf").read_bytes()
    assert b"/TrueType" in octets or b"/CIDFontType2" in octets
    assert b"/Type3" not in octets and b"/Subtype /Image" not in octets


@pytest.mark.parametrize("name", sorted(CURVES))
def test_curves_are_named_and_repeat_to_the_octet(tmp_path, run_program, name):
    assert set(curves.FIGURES[name].keys) == set(CURVES[name])
    directories = [synthetic_results.make_sweep(tmp_path / part, CURVES[name], 3, {}, name) for part in ("a", "b")]
    for directory in directories:
        done = run_program("figures.py", directory)
        assert done.returncode == 0 and done.stderr == ""
    first, second = map(files_of, directories)
    assert set(first) == {f"{name}.{kind}" for kind in ("png", "pdf", "txt")}
    assert first == second


@pytest.mark.parametrize(
    "value, place", [("client-0", "1"), ("client-4", "1"), ("client-0..7", "8"), ("server-2..3", "2"), ("4096:1", "4096")]
)
def test_hosts_lie_along_the_axis_by_their_number(value, place):
    assert curves._place(value) == place


def test_a_sweep_of_other_keys_cannot_be_drawn_as_curves(tmp_path, run_program):
    directory = synthetic_results.make_sweep(tmp_path, THRESHOLDS, 1, {}, "credits")
    done = run_program("figures.py", directory)
    assert done.returncode == 2
    assert "column rpcrdma.server_credits is missing" in done.stderr


def change_manifest(directory, **changes):
    path = directory / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def drop_column(directory):
    path = directory / "rpc.csv"
    path.write_text(path.read_text().replace("complete_ns", "finished"))


def spoil_cell(directory, line, place, text):
    path = directory / "rpc.csv"
    lines = path.read_text().splitlines(keepends=True)
    cells = lines[line - 1].split(",")
    lines[line - 1] = ",".join([*cells[:place], text, *cells[place + 1 :]])
    path.write_text("".join(lines))


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def keep_header_only(directory):
    path = directory / "rpc.csv"
    path.write_text(path.read_text().splitlines(keepends=True)[0])


@pytest.mark.parametrize(
    "spoil, message",
    [
        (lambda directory: (directory / "manifest.json").unlink(), "manifest.json: No such file"),
        (lambda directory: (directory / "manifest.json").write_text("{"), "manifest.json: not JSON"),
        (lambda directory: change_manifest(directory, figures=["pie"]), "unknown figure pie; known are cancelled-share, connection-churn"),
        (lambda directory: change_manifest(directory, figures=["sweep"]), "sweep.keys is no list"),
        (lambda directory: (directory / "rpc.csv").unlink(), "rpc.csv: No such file"),
        (drop_column, "rpc.csv: column complete_ns is missing"),
        (keep_header_only, "rpc.csv: no rows"),
        (lambda directory: (directory / "manifest.json").write_text("[" * 100_000), "manifest.json: not JSON"),
        (lambda directory: change_manifest(directory, figures="replay"), "manifest.json: figures: got 'replay', expected a list of names"),
        (lambda directory: change_manifest(directory, scenario_file=7), "manifest.json: scenario_file: got 7, expected a path"),
        (lambda directory: change_manifest(directory, name="\ud800"), "manifest.json: not JSON (half of a surrogate pair)"),
        (lambda directory: spoil_cell(directory, 5, 10, "-1"), "rpc.csv: line 5: column submit_ns: got '-1', expected a number"),
        (lambda directory: spoil_cell(directory, 5, 10, "nan"), "rpc.csv: line 5: column submit_ns: got 'nan', expected a number"),
        (lambda directory: spoil_cell(directory, 5, 11, "1,1"), "rpc.csv: line 5: 28 values under 27 columns"),
        (lambda directory: spoil_cell(directory, 5, 11, '"'), "rpc.csv: line 951: not a table with commas"),
        (lambda directory: cut(directory / "rpc.csv"), "rpc.csv: line 951: cut short, it does not end"),
        (lambda directory: (directory / "rpc.csv").write_bytes(b"client\n\xff\n"), "rpc.csv: line 2: not text in UTF-8"),
        (lambda directory: (directory / "rpc.csv").write_text("client,client\n"), "rpc.csv: line 1: column 'client' is there twice"),
        (lambda directory: (directory / "rpc.csv").write_text(""), "rpc.csv: is empty"),
    ],
)
def test_unusable_results_are_one_line(tmp_path, run_program, spoil, message):
    directory = synthetic_results.make_replay(tmp_path)
    spoil(directory)
    done = run_program("figures.py", directory)
    assert done.returncode == 2
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert files_of(directory) == {}


GUESSES = (
    "point,seed,rpcrdma.server_registration_strategy,rnic.protection_domains,rnic.stag_indices,rnic.stag_keys,"
    "name,role,host,what,count\n"
    "0,1,frwr,device,sequential,fixed,g,guessed-stags,client-0,found,30\n"
    "0,1,frwr,device,sequential,fixed,g,guessed-stags,client-0,unknown,70\n"
    "1,1,frwr,connection,sequential,fixed,g,guessed-stags,client-0,foreign,5\n"
    "1,1,frwr,connection,sequential,fixed,g,guessed-stags,client-0,unanswered,15\n"
    "2,1,all-physical,device,sequential,fixed,g,guessed-stags,client-0,placed,1\n"
)


def test_shares_of_guesses(tmp_path, run_program):
    directory = synthetic_results.make_sweep(tmp_path, {}, 1, {}, "guessed-stags")
    (directory / "adversaries.csv").write_text(GUESSES)
    done = run_program("figures.py", directory)
    assert done.returncode == 0 and done.stderr == ""
    assert set(files_of(directory)) == {"guessed-stags.png", "guessed-stags.pdf", "guessed-stags.txt"}
    rows = pandas.read_csv(directory / "adversaries.csv", dtype={"point": str})
    shares = attacks.count_guesses(rows)
    assert list(shares.index) == ["fixed keys", "a domain for each connection", "fixed keys, all-physical"]
    assert shares.loc["fixed keys"].tolist() == pytest.approx([0, 0.3, 0, 0.7])
    assert shares.loc["a domain for each connection"].tolist() == pytest.approx([0, 0, 0.25, 0.75])
    assert shares.loc["fixed keys, all-physical"].tolist() == pytest.approx([1, 0, 0, 0])


def test_a_combination_that_is_missing_is_named(tmp_path, run_program):
    values = {"faults.fault": ["none", "50th fpdu: drop"], "nfs.version": ["3", "4.1"]}
    directory = synthetic_results.make_sweep(tmp_path, values, 1, {}, "fault-cost")
    path = directory / "sweep.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    done = run_program("figures.py", directory)
    assert done.returncode == 2
    assert done.stderr == f"figures: {path}: no row with faults.fault = 50th fpdu: drop and nfs.version = 4.1\n"


def test_a_dollar_in_a_name_is_a_dollar(tmp_path, run_program):
    directory = synthetic_results.make_sweep(tmp_path, {"faults.$x_{$": ["a$^$", "b$_{$"]}, 1)
    change_manifest(directory, scenario_file="$y_{$.ini")
    assert run_program("figures.py", directory).returncode == 0


def test_a_sweep_of_three_keys_has_panels(tmp_path, run_program):
    values = {"a.a": ["1", "2"], "b.b": ["1", "2"], "c.c": ["1", "2"]}
    directory = synthetic_results.make_sweep(tmp_path, values)
    done = run_program("figures.py", directory)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(files_of(directory)) == {"sweep.png", "sweep.pdf", "sweep.txt"}


def test_a_sweep_of_four_keys_has_a_figure_for_each_metric(tmp_path, run_program):
    values = {"link.mtu": ["1500", "9000"], "cluster.clients": ["1", "4"], "nfs.version": ["3", "4.1"], "ipsec.mode": ["none", "tunnel"]}
    directory = synthetic_results.make_sweep(tmp_path, values, seeds=2)
    result = run_program("figures.py", directory)
    assert result.returncode == 0, result.stderr
    names = {path.name for path in directory.glob("sweep-*.png")}
    assert names == {f"sweep-{metric}.png" for metric in facets.METRICS}
    assert all((directory / name).with_suffix(suffix).exists() for name in names for suffix in (".pdf", ".txt"))


def test_interval_is_students(tmp_path):
    mean, half = sweep.mean_and_half_width([10.0, 12.0, 14.0])
    assert mean == 12.0
    assert half == pytest.approx(4.30265 * 2.0 / 3**0.5, rel=1e-5)
    assert sweep.mean_and_half_width([5.0]) == (5.0, 0.0)


@pytest.mark.parametrize(
    "values, base, unit, logarithmic, labels",
    [
        (["1KiB", "2KiB", "64KiB"], "", "KiB", True, ["1", "2", "64"]),
        (["1024", "4096", "65536"], "B", "KiB", True, ["1", "4", "64"]),
        (["1000B", "1KiB"], "", "octets", False, ["1000", "1024"]),
        (["500ns", "1us", "2ms"], "", "ns", True, ["500", "1000", "2e+06"]),
        (["1e-06", "2e-06", "1.6e-05"], "s", "µs", True, ["1", "2", "16"]),
        (["10000000000", "25000000000"], "bps", "Gbps", False, ["10", "25"]),
        (["1", "2", "3"], "", "", False, ["1", "2", "3"]),
        (["frwr", "pool"], "", "", False, ["frwr", "pool"]),
    ],
)
def test_axis_of_a_key(values, base, unit, logarithmic, labels):
    axis = sweep.key_axis("section.key", values, base)
    assert (axis.unit, axis.logarithmic, [axis.labels[value] for value in values]) == (unit, logarithmic, labels)


@pytest.mark.parametrize(
    "text, unit", [("4096B", "B"), ("64KiB", "B"), ("1.5us", "s"), ("100Gbps", "bps"), ("8", ""), ("frwr", "")]
)
def test_unit_of_swept_numbers_comes_from_the_configuration(text, unit):
    assert units.base_unit(text) == unit


@pytest.mark.parametrize(
    "mtu, timestamps, markers, mulpdu",
    [
        (1500, False, True, 1442),
        (1500, False, False, 1454),
        (1500, True, True, 1430),
        (1500, True, False, 1442),
        (9000, False, True, 8882),
        (9000, False, False, 8954),
    ],
)
def test_mulpdu_of_rfc_5044(mtu, timestamps, markers, mulpdu):
    assert framing.Framing(mtu, markers, timestamps).mulpdu == mulpdu


def test_wire_octets_counted_by_hand():
    # Two full segments of 1428 payload octets in FPDUs of 1448, and one of 144 in an FPDU of 164.
    plain = framing.Framing(1500, False)
    assert plain.wire_octets(3000) == 2 * (38 + 1500) + (38 + 52 + 2 + 14 + 144 + 4)
    # 1416 payload octets: 2 + 14 + 1416 + 4 is 1436, and one marker for each 508 octets.
    marked = framing.Framing(1500, True)
    assert marked.wire_octets(1416 * 508) == 508 * (38 + 52 + 1436) + 1436 * 4


def test_goodput_is_the_share_of_payload():
    assert framing.Framing(1500, False).goodput(10e9, 1428) == pytest.approx(10e9 * 1428 / 1538)


def test_formulas_of_appendix_b():
    path = reassembly.Path(rate=8e9, delay=1e-3, emss=1500)
    # Its example: 1 GB/s, 10,000 connections and 1500 octets take 15 MB, not aligned.
    assert path.buffer_size_naf(10_000) == pytest.approx(15e6, rel=0.001)
    assert path.buffer_size_af(10_000) == 1500
    assert path.buffer_size_tcp(2) == pytest.approx(2e6)


def test_values_in_base_units():
    assert units.in_base_units("450ns") == pytest.approx(450e-9)
    assert units.in_base_units("4KiB") == 4096
    assert units.in_base_units("10Gbps") == 10e9
    assert units.in_base_units("12") == 12
    assert units.in_base_units("a lot") is None
