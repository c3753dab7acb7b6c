# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps as jobs of GNU parallel and of a Slurm of one node, whose daemons are this test's own processes.

NFSRDMA_READERS=required has a batch system that is not there fail the test and not skip it.
"""

from __future__ import annotations

import getpass
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
from nfsrdma_method import submission
from nfsrdma_method.resolved import MethodError

SCENARIO = """
[cluster]
clients = 2
[workload]
kind = mix
operations = 40
files = 2
[sweep]
seeds = 2
nfs.threads = 2, 4, 8
"""
#: Once each for the shard that is lost or slow: what a machine does that goes down, or has no time.
UNRELIABLE = """#!/bin/bash
shard="--shard {shard}/3"
if [[ " $* " == *" $shard "* && " $* " != *" --status "* && ! -e {marker} ]]; then
  touch {marker}
  {does}
fi
exec {simulator} "$@"
"""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"


def require(*names: str) -> None:
    for name in names:
        if shutil.which(name, path=PATH) is None:
            assert os.environ.get("NFSRDMA_READERS") != "required", f"{name} is not installed"
            pytest.skip(f"{name} is not installed")


def octets_of(directory: Path) -> dict[str, bytes]:
    """What the simulator wrote, without the figure that is drawn of it."""
    drawn = ("sweep.png", "sweep.pdf", "sweep.txt")
    files = (path for path in directory.rglob("*") if path.is_file() and path.name not in drawn)
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def whole(simulator, tmp_path_factory) -> dict[str, bytes]:
    """The results of the sweep in one piece."""
    directory = tmp_path_factory.mktemp("whole")
    (directory / "a.ini").write_text(SCENARIO)
    subprocess.run([simulator, "run", "a.ini", "--out", "a"], cwd=directory, check=True, capture_output=True)
    return octets_of(directory / "a")


@pytest.fixture
def submit(root, simulator, tmp_path):
    """Runs the program in a directory with scenario a.ini."""
    (tmp_path / "a.ini").write_text(SCENARIO)

    def run(*words, program=simulator, environment=None, scenario="a.ini"):
        return subprocess.run(
            ["/usr/bin/python3", root / "analysis" / "submit.py", scenario, *words, "--simulator", program],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
            env={**os.environ, **(environment or {})},
        )

    return run


@pytest.fixture
def unreliable(simulator, tmp_path):
    """A simulator that does something else the first time that a shard is to be run."""

    def make(shard: int, does: str) -> Path:
        program = tmp_path / "unreliable"
        program.write_text(UNRELIABLE.format(shard=shard, does=does, marker=tmp_path / "marker", simulator=shlex.quote(str(simulator))))
        program.chmod(0o755)
        return program

    return make


def find_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(holds, what: str, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """A Slurm of one node with munge; gives the environment of its commands."""
    require("munged", "slurmctld", "slurmd", "sbatch", "squeue")
    home = tmp_path_factory.mktemp("slurm")
    # munged wants directories that nobody else can write, but everyone can pass.
    home.chmod(0o755)
    (home / "key").write_bytes(secrets.token_bytes(128))
    (home / "key").chmod(0o600)
    for name in ("state", "spool"):
        (home / name).mkdir()
    host, user = socket.gethostname().partition(".")[0], getpass.getuser()
    lines = {
        "ClusterName": "test",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmctldPort": find_port(),
        "SlurmdPort": find_port(),
        "AuthType": "auth/munge",
        "AuthInfo": f"socket={home}/munge",
        "CredType": "cred/munge",
        "SlurmUser": user,
        "SlurmdUser": user,
        "StateSaveLocation": home / "state",
        "SlurmdSpoolDir": home / "spool",
        "SlurmctldPidFile": home / "slurmctld.pid",
        "SlurmdPidFile": home / "slurmd.pid",
        "SlurmctldLogFile": home / "slurmctld.log",
        "SlurmdLogFile": home / "slurmd.log",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "MpiDefault": "none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_Core_Memory",
        "SchedulerParameters": "sched_interval=1,sched_min_interval=0,batch_sched_delay=0",
        "ReturnToService": 2,
    }
    text = "".join(f"{key}={value}\n" for key, value in lines.items())
    text += f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} RealMemory=1000\n"
    text += "PartitionName=all Nodes=ALL Default=YES State=UP\n"
    (home / "slurm.conf").write_text(text)
    environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(home / "slurm.conf")}
    munge = ["munged", "--foreground", "--force", f"--key-file={home}/key", f"--socket={home}/munge"]
    munge += [f"--{name}-file={home}/munged.{name}" for name in ("pid", "log", "seed")]
    daemons = []
    try:
        for words in (munge, ["slurmctld", "-c", "-D"], ["slurmd", "-D", "-N", host]):
            with open(home / f"{words[0]}.out", "wb") as log:
                daemons.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log))
            wait_for((home / "munge").exists, "munged made no socket", 20)

        def is_idle():
            done = subprocess.run(["sinfo", "-h", "-o", "%t"], env=environment, capture_output=True, text=True, check=False)
            return done.stdout.strip() == "idle"

        wait_for(is_idle, f"Slurm does not come up; its logs are in {home}", 60)
        yield environment
    finally:
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(20)


def wait_for_jobs(environment) -> None:
    def is_empty():
        done = subprocess.run(["squeue", "-h"], env=environment, capture_output=True, text=True, check=True)
        return not done.stdout.strip()

    wait_for(is_empty, "jobs do not end")


def one_error(done, *texts):
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    for text in texts:
        assert text in done.stderr


def test_scripts_are_written_and_nothing_runs(tmp_path, submit):
    done = submit("--slurm", "--shards", "3", "--cpus", "2", "--time", "1-02:00:00", "--mem", "4G", "--sbatch=--partition=long")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a: 6 runs in 3 shards; done: 0 runs, 0 shards\nwritten\n")
    jobs = tmp_path / "results/a-jobs"
    assert sorted(path.name for path in jobs.iterdir()) == ["log", "merge.sh", "shards.sh", "submit.sh"]
    shards = (jobs / "shards.sh").read_text()
    for directive in ("--cpus-per-task=2", "--time=1-02:00:00", "--mem=4G", "--partition=long", "--requeue"):
        assert f"#SBATCH {directive}\n" in shards
    assert "#SBATCH --partition=long\n" in (jobs / "merge.sh").read_text()
    assert "--array=1-3 " in (jobs / "submit.sh").read_text()


def test_commands_of_the_guide_are_taken(root, submit, tmp_path):
    (tmp_path / "machines.txt").write_text(":\n")
    lines = re.findall(r"^    \./start submit (\S+) (.*) --run$", (root / "analysis/guide/sweeps.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 2
    for scenario, words in lines:
        done = submit(*words.split(), scenario=scenario)
        assert done.returncode == 0 and " in 16 shards;" in done.stdout, done.stderr


def test_start_has_the_commands_of_the_installed_program(root):
    listed = subprocess.run([root / "analysis" / "nfsrdma.sh", "commands"], check=True, capture_output=True, text=True).stdout
    names = re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)
    assert "submit" in names and "run" in names
    # Without words each of these says what it wants, and builds nothing.
    for name in set(names) & {"submit", "run", "explore", "merge", "plot", "parquet", "export", "compare", "oracle", "replay", "check-capture", "sequence"}:
        done = subprocess.run([root / "start", name], capture_output=True, text=True, check=False)
        assert done.returncode == 2 and done.stderr.startswith(f"start: {name}: "), done.stderr


def test_any_scheduler_that_numbers_its_tasks_can_run_the_scripts(tmp_path, submit, whole):
    assert submit("--slurm", "--shards", "3").returncode == 0
    jobs = tmp_path / "results/a-jobs"
    for index in "312":
        subprocess.run([jobs / "shards.sh", index], check=True, capture_output=True, cwd="/")
    subprocess.run([jobs / "merge.sh"], check=True, capture_output=True, cwd="/")
    assert octets_of(tmp_path / "results/a") == whole


def test_parallel_gives_the_files_of_one_machine(tmp_path, submit, whole):
    require("parallel")
    done = submit("--parallel", "--run", "--out", "elsewhere", "--time", "10", "--mem", "10M", "--at-once", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a: 6 runs in 6 shards;")
    assert octets_of(tmp_path / "elsewhere") == whole and (tmp_path / "elsewhere/sweep.png").exists()


def test_only_shards_that_have_not_finished_are_run_again(tmp_path, submit, unreliable, whole):
    require("parallel")
    program = unreliable(2, "kill -9 $$")
    done = submit("--parallel", "--shards", "3", "--run", program=program)
    assert done.returncode == 2 and "also 2/3" in done.stderr
    assert not (tmp_path / "results/a").exists()
    kept = next((tmp_path / "results/a-jobs/shard-1-of-3/points").glob("*/manifest.json"))
    stamp = kept.stat().st_mtime_ns
    done = submit("--parallel", "--run", program=program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("a: 6 runs in 3 shards; done: 4 runs, 2 shards\n")
    assert kept.stat().st_mtime_ns == stamp
    assert octets_of(tmp_path / "results/a") == whole


def test_a_run_that_was_killed_is_named_and_done_again(tmp_path, submit, simulator):
    require("parallel")
    assert submit("--parallel", "--shards", "3", "--run").returncode == 0
    lost = tmp_path / "results/a-jobs/shard-2-of-3/points/0-s2"
    shutil.rmtree(lost)
    lost.mkdir()
    (lost / "failure.json").write_text('{"exit_status": 1, "reason": "ended by signal 9"}')
    done = submit("--parallel")
    assert done.returncode == 0
    assert "done: 5 runs, 2 shards\nshard 2: run 0-s2: ended by signal 9\n" in done.stdout
    assert submit("--parallel", "--run").returncode == 0
    assert (lost / "manifest.json").exists()


def test_retries_submit_what_was_lost(tmp_path, submit, unreliable, whole):
    require("parallel")
    done = submit("--parallel", "--shards", "3", "--run", "--retries", "1", program=unreliable(3, "kill -9 $$"))
    assert done.returncode == 0, done.stderr
    assert "done: 0 runs" in done.stdout and "done: 4 runs, 2 shards" in done.stdout
    assert octets_of(tmp_path / "results/a") == whole


def test_slurm_gives_the_files_of_one_machine(tmp_path, submit, slurm, whole):
    done = submit("--slurm", "--shards", "3", "--mem", "200M", "--time", "5", "--run", environment=slurm)
    assert done.returncode == 0, done.stderr
    assert re.search(r"submitted the shards as job array \d+, and the merge as job \d+\n$", done.stdout)
    wait_for_jobs(slurm)
    log = tmp_path / "results/a-jobs/log"
    assert octets_of(tmp_path / "results/a") == whole, "".join(path.read_text() for path in log.iterdir())
    assert "digest" in (log / "merge.txt").read_text() and "shard 2/3, 2 of 6 runs" in (log / "shard-2.txt").read_text()


def test_slurm_runs_lost_shards_again(tmp_path, submit, slurm, unreliable, whole):
    program = unreliable(2, "kill -9 $$")
    assert submit("--slurm", "--shards", "3", "--run", "--retries", "1", program=program, environment=slurm).returncode == 0
    wait_for((tmp_path / "results/a/manifest.json").exists, "no merge")
    wait_for_jobs(slurm)
    assert octets_of(tmp_path / "results/a") == whole
    assert "--array=2 " in (tmp_path / "results/a-jobs/submit.sh").read_text()


def test_jobs_in_the_queue_are_not_submitted_twice(tmp_path, submit, slurm, unreliable):
    program = unreliable(1, "sleep 600")
    assert submit("--slurm", "--shards", "3", "--run", program=program, environment=slurm).returncode == 0
    wait_for((tmp_path / "marker").exists, "no shard began")
    one_error(submit("--slurm", "--run", program=program, environment=slurm), "has not ended; wait for it, or scancel")
    for identifier in (tmp_path / "results/a-jobs/slurm-jobs").read_text().split():
        subprocess.run(["scancel", identifier], env=slurm, check=True)
    wait_for_jobs(slurm)


def test_shards_of_another_sweep_are_refused_and_stay(tmp_path, submit):
    assert submit("--slurm", "--shards", "2").returncode == 0
    jobs = tmp_path / "results/a-jobs"
    subprocess.run([jobs / "shards.sh", "1"], check=True, capture_output=True)
    before = octets_of(jobs)
    one_error(submit("--slurm", "--set", "nfs.threads=1", "--runs", "4"), "shard-1-of-2/shard.json", "nfs.threads")
    one_error(submit("--slurm", "--shards", "3"), "has shards of 2; --shards 2 goes on with those, --fresh discards all")
    one_error(submit("--slurm", "--shards", "7", "--fresh"), "--shards: got 7, expected at most 6")
    assert octets_of(jobs) == before
    assert submit("--slurm", "--shards", "2", "--set", "nfs.threads=1", "--runs", "4", "--fresh").returncode == 0
    assert not (jobs / "shard-1-of-2").exists()


def test_paths_may_have_blanks_and_be_of_this_very_directory(tmp_path, submit, slurm, whole):
    (tmp_path / "my sweep.ini").write_text(SCENARIO)
    done = submit("--slurm", "--shards", "2", "--run", "--folder", ".", "--out", "my results", environment=slurm, scenario="my sweep.ini")
    assert done.returncode == 0, done.stderr
    wait_for_jobs(slurm)
    told = octets_of(tmp_path / "my results")
    assert {name: octets for name, octets in told.items() if name.endswith(".csv")} == {
        name: octets for name, octets in whole.items() if name.endswith(".csv")
    }


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--slurm", "--shards", "1"], "--shards: got 1, expected a number from 2"),
        (["--slurm", "--shards", "7"], "--shards: got 7, expected at most 6, the runs of a"),
        (["--slurm", "--cpus", "0"], "--cpus: got 0"),
        (["--slurm", "--out", "/"], "--out: got '/', expected a directory with a name"),
        (["--slurm", "--retries", "-1"], "--retries: got -1"),
        (["--slurm", "--time", "soon"], "--time: got 'soon', expected minutes"),
        (["--slurm", "--mem", "lots"], "--mem: got 'lots', expected a size as 900M or 4G"),
        (["--slurm", "--hosts", "h"], "--at-once and --hosts are for --parallel"),
        (["--parallel", "--hosts", "h"], "--hosts: h: no such file"),
        (["--parallel", "--at-once", "0"], "--at-once: got 0"),
        (["--parallel", "--sbatch=-x"], "--sbatch is for --slurm"),
        (["--parallel", "--set", "nfs.thread=2"], "nfs.thread"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(tmp_path, submit, words, text):
    one_error(submit(*words), text)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ini"]


def test_a_scenario_without_a_sweep_is_refused(submit):
    one_error(submit("--slurm", scenario="linux-replay"), "a scenario with section [sweep]")


def test_a_batch_system_that_is_not_there_is_named(submit, tmp_path):
    one_error(submit("--slurm", "--run", environment={"PATH": str(tmp_path)}), "sbatch: not found; without --run")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 5400), ("90:30", 5430), ("01:30:05", 5405), ("2-03", 183600), ("2-03:30", 185400), ("1-00:00:01", 86401)],
)
def test_times_are_those_of_sbatch(text, seconds):
    assert submission.seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["0", "00:00", "1:2:3:4", "-5", "1h", "1.5"])
def test_other_times_are_refused(text):
    with pytest.raises(MethodError):
        submission.seconds_of(text)


def test_indices_are_ranges():
    assert submission.ranges([1, 2, 3, 5, 7, 8]) == "1-3,5,7-8" and submission.ranges([4]) == "4" and submission.ranges([]) == ""
