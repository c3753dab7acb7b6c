# SPDX-License-Identifier: GPL-2.0-only
"""Programs that read results, on results of which a file is damaged: a figure or one line, never a traceback."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
import synthetic_results
from damaged_results import damaged_copy
from nfsrdma_figures import style
from test_figures import CURVES, FRAMING, HOST, HOST_BOUND, NETWORK, REASSEMBLY, THRESHOLDS
from test_gallery import FAULTS
from test_incast_figure import make_incast
from test_perftest import make_tables

#: How often each directory is damaged: .ci/nightly has it larger.
TIMES = int(os.environ.get("NFSRDMA_RESULT_DAMAGES", "3"))
SEED = int(os.environ.get("NFSRDMA_RESULT_SEED", "1"))

INVENTED = {
    "replay": synthetic_results.make_replay,
    "sweep": lambda path: synthetic_results.make_sweep(path, THRESHOLDS | {"cluster.clients": ["1", "8"]}, 2),
    "framing-cost": lambda path: synthetic_results.make_sweep(path, FRAMING, 2, NETWORK, "framing-cost"),
    "reassembly-memory": lambda path: synthetic_results.make_sweep(path, REASSEMBLY, 2, NETWORK, "reassembly-memory"),
    "host-bound": lambda path: synthetic_results.make_sweep(path, HOST_BOUND, 1, HOST, "host-bound"),
    "fault-cost": lambda path: synthetic_results.make_sweep(path, FAULTS, 2, {}, "fault-cost"),
    "incast": make_incast,
    **{
        name: lambda path, name=name: synthetic_results.make_sweep(path, CURVES[name], 2, {}, name)
        for name in ("credit-policies", "remote-invalidation", "connection-churn", "loss")
    },
}


@pytest.fixture(autouse=True)
def coarse_figures(monkeypatch):
    """Figures are laid out and drawn, but of few dots: of thousands nobody looks at one."""

    def save(figure, directory, name):
        path = directory / f"{name}.png"
        figure.savefig(path, dpi=20)
        style.plt.close(figure)
        return [path]

    monkeypatch.setattr(style, "save", save)


def one_line(done, program):
    """What a program may do with results that it cannot use; or it did not need what is spoilt."""
    assert done.returncode in (0, 2), done.stderr
    if done.returncode == 2:
        assert done.stderr.startswith(f"{program}: ") and done.stderr.count("\n") == 1, done.stderr
        assert done.stdout == ""


#: A run that writes all files that there are, and a sweep; both with what draws of them.
RUN = """
[cluster]
clients = 2
[workload]
kind = mix
operations = 40
files = 4
file_size = 16KiB
io_sizes = 512:1,16384:1
[output]
messages = first 1 READ, first 1 WRITE
timeline = 250us
trace_events = true
resources = true
ports = true
queue_sample = 100us
pcap = client-0
[faults]
lost = 20th fpdu: drop
"""
SWEEP = """
[workload]
kind = mix
operations = 30
files = 2
file_size = 8KiB
[sweep]
seeds = 2
rpcrdma.inline_threshold = 1KiB, 4KiB
"""
RESULT_PROGRAMS = {
    "figures": lambda directory: [directory],
    "sequence": lambda directory: [directory, "--operation", "READ"],
    # What lines are made of, figures draws, too.
    "plot": lambda directory: [directory, *(("cdf", "series=rpcrdma.inline_threshold") if (directory / "points").is_dir() else ("time",))],
    "perftest_figure": lambda directory: [directory],
    "make_gallery": lambda directory: [directory, "--page"],
}
CAPTURE_PROGRAMS = {
    "trace_from_pcap": lambda capture: [capture, "--out", capture.parent / "trace"],
    "compare_capture": lambda capture: [capture, capture],
    "compare_recovery": lambda capture: [capture, capture],
    "check_capture": lambda capture: [capture],
}


def name_figures(directory: Path, figures: list[str]) -> None:
    path = directory / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"figures": figures}), encoding="utf-8")


@pytest.fixture(scope="module")
def real(simulator, tmp_path_factory):
    """Directories of a run and of a sweep, and of the sweep as two shards."""
    place = tmp_path_factory.mktemp("real")
    made = {}
    for name, text, shards in (("run", RUN, ()), ("sweep", SWEEP, ()), ("1", SWEEP, ("1/2",)), ("2", SWEEP, ("2/2",))):
        (place / "a.ini").write_text(text)
        options = [part for shard in shards for part in ("--shard", shard)]
        done = subprocess.run(
            [simulator, "run", place / "a.ini", "--out", place / name, *options], capture_output=True, text=True, errors="replace", check=False
        )
        assert done.returncode == 0, done.stderr
        made[name] = place / name
    name_figures(made["run"], ["replay", "sequence", "connection-loss"])
    name_figures(made["sweep"], ["sweep"])
    return made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ("run", "sweep"))
def test_no_program_ends_in_a_traceback_whatever_file_is_damaged(tmp_path, run_program, real, name):
    # As they are, there is something to draw, so that what is refused is refused for its damage.
    shutil.copytree(real[name], tmp_path / "whole")
    whole = run_program("figures.py", tmp_path / "whole")
    assert whole.returncode == 0 and whole.stdout != "", whole.stderr
    generator = random.Random(f"{name} {SEED}")
    refused = 0
    for time in range(12 * TIMES):
        directory = tmp_path / "spoilt"
        spoilt = damaged_copy(real[name], directory, generator)
        is_capture = spoilt.suffix == ".pcap"
        programs = CAPTURE_PROGRAMS if is_capture else RESULT_PROGRAMS
        for program, arguments in programs.items():
            try:
                done = run_program(f"{program}.py", *arguments(spoilt if is_capture else directory))
            except Exception as error:
                raise AssertionError(f"{program} on {name}, damage {time} to {spoilt}: {error!r}") from error
            if not is_capture:
                one_line(done, "figures" if program == "make_gallery" else program)
                refused += done.returncode == 2 and str(spoilt) in done.stderr
            assert done.returncode in (0, 1, 2)
    # Not of files that nothing reads.
    assert refused >= TIMES


def test_merge_refuses_shards_of_which_a_file_is_damaged(tmp_path, simulator, real):
    def merge(one: Path):
        shutil.rmtree(tmp_path / "merged", ignore_errors=True)
        return subprocess.run(
            [simulator, "merge", one, real["2"], "--out", tmp_path / "merged"], capture_output=True, text=True, errors="replace", check=False
        )

    assert merge(real["1"]).returncode == 0
    generator = random.Random(f"shards {SEED}")
    refused = 0
    for time in range(8 * TIMES):
        spoilt = damaged_copy(real["1"], tmp_path / "spoilt", generator)
        done = merge(tmp_path / "spoilt")
        assert done.returncode in (0, 2), f"damage {time} to {spoilt}: {done.stderr}"
        if done.returncode == 2:
            refused += 1
            assert done.stderr.count("\n") == 1 and str(tmp_path) in done.stderr, f"{time} {spoilt}: {done.stderr}"
            assert not (tmp_path / "merged" / "sweep.csv").exists()
    assert refused > TIMES


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", INVENTED)
def test_damage_to_results_is_one_line(tmp_path, run_program, name):
    directory = INVENTED[name](tmp_path / "results")
    generator = random.Random(f"{name} {SEED}")
    for time in range(TIMES):
        spoilt = damaged_copy(directory, tmp_path / "spoilt", generator)
        try:
            one_line(run_program("figures.py", tmp_path / "spoilt"), "figures")
        except Exception as error:
            raise AssertionError(f"{name}, damage {time} to {spoilt}: {error!r}") from error


def test_the_simulator_refuses_damaged_scenarios_traces_and_topologies(tmp_path, simulator, root, real):
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    for path in (root / "scenarios" / "traces").glob("linux-6.1-nfs-v3-loss3.*"):
        shutil.copy(path, inputs)
    (inputs / "replay.ini").write_text(
        "[link]\nrate = 1Gbps\n[workload]\nkind = replay\ntrace = linux-6.1-nfs-v3-loss3\n[cluster]\nclients = 1\n"
    )
    shutil.copy(root / "test" / "data" / "keys" / "rack.txt", inputs)
    (inputs / "rack.ini").write_text(
        "[cluster]\nclients = 2\n[topology]\nshape = file\nfile = rack.txt\n[workload]\nkind = mix\noperations = 10\nfiles = 2\n"
    )
    # An interrupted sweep: all that it has but for the table.
    shutil.copytree(real["1"], inputs / "sweep")
    (inputs / "a.ini").write_text(SWEEP)

    def run(directory: Path, name: str, *options):
        out = directory / "sweep" if name == "a" else directory / f"out-{name}"
        return subprocess.run(
            [simulator, "run", directory / f"{name}.ini", "--out", out, *options],
            capture_output=True, text=True, errors="replace", check=False, timeout=60,
        )  # fmt: skip

    runs = {"replay": (), "rack": (), "a": ("--shard", "1/2")}
    shutil.copytree(inputs, tmp_path / "whole")
    for name, options in runs.items():
        done = run(tmp_path / "whole", name, *options)
        assert done.returncode == 0, f"{name}: {done.stderr}"
    generator = random.Random(f"inputs {SEED}")
    refused = 0
    for time in range(8 * TIMES):
        spoilt = damaged_copy(inputs, tmp_path / "spoilt", generator)
        for name, options in runs.items():
            done = run(tmp_path / "spoilt", name, *options)
            said = f"{name}, damage {time} to {spoilt}: {done.returncode} {done.stderr[-500:]}"
            assert done.returncode in (0, 1, 2, 3), said
            if done.returncode == 2:
                refused += 1
                lines = [line for line in done.stderr.splitlines() if not line.endswith("runs are done already")]
                assert len(lines) == 1 and (str(tmp_path) in lines[0] or lines[0].startswith("--shard: ")), said
    assert refused > TIMES
