# SPDX-License-Identifier: GPL-2.0-only
"""Partial results: what --checkpoint-interval writes while a run goes on, and what reads it."""

from __future__ import annotations

import csv
import errno
import filecmp
import json
import os
import signal
import subprocess
import sys
import time
import warnings

import nfsrdma
import pytest

#: Long enough to be killed in the middle: some seconds.
LONG = ("mdtest", "--set", "workload.items=400", "--set", "output.timeline=1ms")
SHORT = ("mdtest", "--set", "workload.items=3")

#: renameat2() that fails for the reason SHIM_ERRNO: in all processes, or in copies of the first one.
SHIM = r"""
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
static const pid_t first = getpid();
extern "C" int renameat2(int, const char*, int, const char*, unsigned);
extern "C" int
renameat2(int from, const char* old, int to, const char* fresh, unsigned flags)
{
    if (getpid() != first || std::strcmp(std::getenv("SHIM_BY"), "all") == 0)
    {
        errno = std::atoi(std::getenv("SHIM_ERRNO"));
        return -1;
    }
    return int(syscall(SYS_renameat2, from, old, to, fresh, flags));
}
"""


@pytest.fixture
def run(simulator):
    def run(out, scenario, *options):
        command = [simulator, "run", *scenario, "--out", out, *options]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)

    return run


def read_manifest(directory):
    try:
        return json.loads((directory / "manifest.json").read_text())
    except FileNotFoundError:
        return None


def kill_after_partial(simulator, out, least, interval="2ms"):
    """Kills a long run once it has been writing partial results for so many simulated seconds."""
    process = subprocess.Popen(
        [simulator, "run", *LONG, "--out", out, "--checkpoint-interval", interval],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        manifest = read_manifest(out)
        if manifest and manifest.get("partial", {}).get("simulated_s", 0) >= least:
            break
        time.sleep(0.01)
    assert process.poll() is None, "the run was over before"
    process.send_signal(signal.SIGKILL)
    process.wait()


def check_whole(directory):
    """Every file that the manifest lists is there and whole. Returns the manifest."""
    manifest = read_manifest(directory)
    assert set(manifest["outputs"]) == {path.name for path in directory.iterdir()}
    summary = json.loads((directory / "summary.json").read_text())
    assert summary["partial"] is True and summary["exit_status"] is None
    assert summary["simulated_s"] == pytest.approx(manifest["partial"]["simulated_s"])
    for path in directory.glob("*.csv"):
        text = path.read_text()
        assert text.endswith("\n"), path
        with open(path, encoding="utf-8", newline="") as file:
            lengths = {len(row) for row in csv.reader(file)}
        assert len(lengths) == 1, path
    with open(directory / "rpc.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert max(float(row["complete_ns"]) for row in rows) <= summary["simulated_s"] * 1e9 + 1
    assert len(rows) >= summary["rpcs"]
    return manifest


def test_results_are_the_same_with_and_without(run, tmp_path):
    without, with_them = tmp_path / "without", tmp_path / "with"
    options = ("--set", "output.timeline=100us", "--set", "output.pcap=client-0", "--set", "output.queue_sample=50us")
    assert run(without, SHORT, *options).returncode == 0
    done = run(with_them, SHORT, *options, "--checkpoint-interval", "2ms")
    assert done.returncode == 0 and done.stderr == ""
    names = sorted(path.name for path in without.iterdir())
    assert sorted(path.name for path in with_them.iterdir()) == names
    assert filecmp.cmpfiles(without, with_them, names, shallow=False) == (names, [], [])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["with", "without"]


def test_a_run_that_is_killed_leaves_the_last_ones(run, simulator, tmp_path):
    out = tmp_path / "out"
    kill_after_partial(simulator, out, 0.01)
    manifest = check_whole(out)
    assert manifest["partial"]["simulated_s"] >= 0.01
    with pytest.warns(nfsrdma.PartialResults, match="partial results: the run was not over after"):
        results = nfsrdma.load(out)
    assert len(results.rpcs) > 100 and results.summary["rpcs"] > 100
    assert "not over after" in results.partial
    caption = results.plot("cdf", series="operation")
    assert "Not complete: partial results" in caption.caption(caption.images[0])


def test_the_programs_say_that_they_are_partial(root, simulator, tmp_path):
    out = tmp_path / "out"
    kill_after_partial(simulator, out, 0.004)
    done = subprocess.run(
        [sys.executable, root / "analysis" / "export.py", out, "openmetrics"],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0 and done.stdout
    assert done.stderr.startswith(f"export: {out}: partial results") and done.stderr.count("\n") == 1
    done = subprocess.run(
        [sys.executable, root / "analysis" / "plot.py", out, "utilisation"],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0 and f"{out}: partial results" in done.stdout


@pytest.mark.parametrize("moment", range(3))
def test_a_kill_at_any_moment_leaves_whole_results(simulator, tmp_path, moment):
    out = tmp_path / "out"
    process = subprocess.Popen(
        [simulator, "run", *LONG, "--out", out, "--checkpoint-interval", "1ms"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and read_manifest(out) is None:
        time.sleep(0.005)
    time.sleep(0.31 * moment)
    assert process.poll() is None, "the run was over before it was killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    check_whole(out)


def test_a_run_takes_the_place_of_partial_results(run, simulator, tmp_path):
    out = tmp_path / "out"
    kill_after_partial(simulator, out, 0.004)
    done = run(out, SHORT, "--checkpoint-interval", "1ms")
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(out)
    assert "partial" not in manifest
    assert set(manifest["outputs"]) == {path.name for path in out.iterdir()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nfsrdma.load(out).partial == ""


def test_a_link_stays_one(run, tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    done = run(link, SHORT, "--checkpoint-interval", "1ms")
    assert done.returncode == 0 and done.stderr == ""
    assert link.is_symlink() and read_manifest(real) == read_manifest(link) is not None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]
    assert "partial" not in read_manifest(real)


def test_the_working_directory_is_not_replaced(simulator, tmp_path):
    here = tmp_path / "here"
    here.mkdir()
    command = [simulator, "run", *SHORT, "--out", "."]
    done = subprocess.run([*command, "--checkpoint-interval", "1ms"],
                          capture_output=True, text=True, check=False, cwd=here, timeout=300)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("--checkpoint-interval: got ") and "working directory" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["here"] and not list(here.iterdir())
    inode = here.stat().st_ino
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=here, timeout=300)
    assert done.returncode == 0, done.stderr
    assert here.stat().st_ino == inode and read_manifest(here) is not None


def test_what_a_killed_run_leaves_beside_its_results_is_removed(run, tmp_path):
    for name in ("out.writing", "out.partial"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rpc.csv").write_text("half\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes").write_text("mine\n")
    assert run(tmp_path / "out", SHORT).returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "notes").read_text() == "mine\n"


def test_results_that_were_being_replaced_are_put_back(run, tmp_path):
    out, replaced = tmp_path / "out", tmp_path / "out.replaced"
    assert run(out, SHORT).returncode == 0
    names = sorted(path.name for path in out.iterdir())
    out.rename(replaced)
    done = run(out, SHORT, "--set", "output.rpc_csv=false")
    assert done.returncode == 0, done.stderr
    assert not replaced.exists() and set(path.name for path in out.iterdir()) < set(names)


@pytest.fixture
def without_exchange(tmp_path_factory):
    """Environment in which directories cannot be exchanged: for this reason, by all or by the copies that write partial results."""
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.cc").write_text(SHIM)
    subprocess.run(["c++", "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.cc"], check=True)

    def make(reason, by):
        return {**os.environ, "LD_PRELOAD": str(folder / "shim.so"), "SHIM_ERRNO": str(reason), "SHIM_BY": by}

    return make


def test_a_file_system_that_cannot_exchange_has_the_same_results(simulator, without_exchange, tmp_path):
    out = tmp_path / "out"
    done = subprocess.run([simulator, "run", *SHORT, "--out", out, "--checkpoint-interval", "1ms"],
                          capture_output=True, text=True, check=False, timeout=300,
                          env=without_exchange(errno.EINVAL, "all"))
    assert done.returncode == 0 and done.stderr == ""
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert "partial" not in read_manifest(out)


def test_copies_that_fail_say_so_once_and_leave_nothing(simulator, without_exchange, tmp_path):
    out = tmp_path / "out"
    done = subprocess.run([simulator, "run", *SHORT, "--out", out, "--checkpoint-interval", "1ms"],
                          capture_output=True, text=True, check=False, timeout=300,
                          env=without_exchange(errno.EACCES, "copies"))
    assert done.returncode == 0
    first, second = done.stderr.splitlines()
    assert "Permission denied" in first
    assert second == "nfsrdma-sim: partial results could not be written; the run goes on"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert "partial" not in read_manifest(out)


def test_a_parent_that_ignores_its_children_changes_nothing(simulator, tmp_path):
    done = subprocess.run([simulator, "run", *SHORT, "--out", tmp_path / "out", "--checkpoint-interval", "1ms"],
                          capture_output=True, text=True, check=False, timeout=300,
                          preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.parametrize("text", ["0s", "-1ms", "often", "1", ""])
def test_an_interval_is_a_time(run, tmp_path, text):
    done = run(tmp_path / "out", SHORT, "--checkpoint-interval", text)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith("--checkpoint-interval: got ") and "expected a time of more than 0s" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_sweep_keeps_the_runs_that_have_ended_anyway(run, tmp_path):
    done = run(tmp_path / "out", ("credits",), "--checkpoint-interval", "1ms")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "a scenario without section [sweep]" in done.stderr
    assert not (tmp_path / "out").exists()


def test_files_of_others_are_not_replaced(run, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    done = run(out, SHORT, "--checkpoint-interval", "1ms")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "notes.txt" in done.stderr
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_what_is_no_time_in_a_manifest_is_one_line(run, tmp_path):
    out = tmp_path / "out"
    assert run(out, SHORT).returncode == 0
    manifest = read_manifest(out)
    manifest["partial"] = {"simulated_s": "soon"}
    (out / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(nfsrdma.ScenarioError, match="manifest.json: partial: got"):
        nfsrdma.load(out)
