# SPDX-License-Identifier: GPL-2.0-only
"""Plugins: shared objects, built against an installed tree, that a scenario names with cluster.plugins."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from installed_tree import call

SMALL = """[cluster]
plugins = {plugin}

[workload]
kind = fio
requests = 40
iodepth = 8
size = 64KiB
{more}"""


@pytest.fixture(scope="module")
def plugins(root, prefix, tmp_path_factory) -> Path:
    """A folder with examples/own-policy and the plugins of test/plugin, built out of tree."""
    folder = tmp_path_factory.mktemp("plugins")
    for project, source in (("own-policy", root / "examples" / "own-policy"), ("plugin", root / "test" / "plugin")):
        shutil.copytree(source, folder / project, ignore=shutil.ignore_patterns("build"))
        for command in (
            ["cmake", "-S", project, "-B", f"{project}/build", f"-DCMAKE_PREFIX_PATH={prefix}"],
            ["cmake", "--build", f"{project}/build"],
        ):
            done = call(*command, cwd=folder)
            assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture
def run(prefix, plugins, tmp_path):
    """Runs nfsrdma-sim of the installed tree on a scenario with a plugin. Returns how it ended and its results."""

    def run_scenario(plugin: str, more: str = "", *options: str):
        scenario = tmp_path / "scenario.ini"
        scenario.write_text(SMALL.format(plugin=plugins / plugin, more=more))
        out = tmp_path / "out"
        return call(prefix / "bin" / "nfsrdma-sim", "run", scenario, "--out", out, *options, cwd=tmp_path), out

    return run_scenario


EVERY_KIND = "plugin/build/libevery-kind.so"


def read_summary(out: Path) -> dict:
    return json.loads((out / "summary.json").read_text())


def test_the_example_is_swept_as_the_policies_of_the_simulator(prefix, plugins, tmp_path):
    scenario = plugins / "own-policy" / "own-policy.ini"
    done = call(prefix / "bin" / "nfsrdma", "run", scenario, "--out", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = list(csv.DictReader((tmp_path / "out" / "sweep.csv").open()))
    rate = {row["rpcrdma.server_headroom"]: float(row["rpcs_per_second"]) for row in rows}
    assert {row["status"] for row in rows} == {"0"}
    assert rate == pytest.approx(rate | {"0": 185_000, "8": 886_000}, rel=0.02), "as own-policy.ini says"
    assert rate["0"] < rate["1"] < rate["2"] < rate["4"] < rate["8"]
    assert list((tmp_path / "out").glob("*.png"))


def test_the_manifest_names_the_plugin_with_version_and_digest(run, plugins):
    done, out = run("own-policy/build/libheadroom.so", "[rpcrdma]\nserver_credit_grant = headroom\n")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((out / "manifest.json").read_text())
    digest = hashlib.sha256((plugins / "own-policy/build/libheadroom.so").read_bytes()).hexdigest()
    assert manifest["plugins"] == [{"name": "headroom", "version": "1.0", "file": "libheadroom.so", "sha256": digest}]
    assert manifest["config"]["rpcrdma"]["server_headroom"] == "2"


def test_a_run_without_plugins_names_none(prefix, tmp_path):
    done = call(prefix / "bin" / "nfsrdma-sim", "run", "linux-replay", "--out", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "plugins" not in (tmp_path / "out" / "manifest.json").read_text()


def test_keys_of_plugins_are_listed_with_what_they_need(prefix, plugins, tmp_path):
    simulator = prefix / "bin" / "nfsrdma-sim"
    listed = call(simulator, "--list-keys", "--set", f"cluster.plugins={plugins / EVERY_KIND}", cwd=tmp_path).stdout
    lines = {line.split()[0]: line for line in listed.splitlines() if line}
    assert "[only with cluster.transport = rdma; rpcrdma.client_inline_policy = fraction]" in lines["rpcrdma.client_fraction"]
    assert "rpcrdma.server_fraction" not in lines
    assert "(one of mix, replay, fio, mdtest, listing, acl, lock, poll, none)" in lines["workload.kind"]
    assert "[only with workload.kind = poll]" in lines["workload.polled"]
    assert "[only with storage.model = pausing]" in lines["storage.pause_every"]
    assert "hang-up" in lines["adversary.role"]
    assert "adversary.hang_up_quietly" in lines
    bare = call(simulator, "--list-keys", cwd=tmp_path).stdout
    assert "storage.model" not in bare and "lock, poll" not in bare
    scenario = plugins / "own-policy" / "own-policy.ini"
    assert "rpcrdma.server_headroom " in call(simulator, "run", scenario, "--list-keys", cwd=tmp_path).stdout


def test_an_inline_policy_decides_what_is_advertised(run):
    more = "direct = true\nbs = 4KiB\nreadwrite = write\n[rpcrdma]\ninline_threshold = 16KiB\n"
    whole, out = run(EVERY_KIND, more)
    assert whole.returncode == 0, whole.stderr
    assert set(read_summary(out)["forms"]) == {"msg/inline"}
    divided, out = run(EVERY_KIND, more + "client_inline_policy = fraction\nclient_fraction = 16\n")
    assert divided.returncode == 0, divided.stderr
    assert set(read_summary(out)["forms"]) == {"msg+R/inline"}


def test_a_policy_that_breaks_its_guarantee_fails_the_run(run):
    more = "[rpcrdma]\nserver_inline_send = 16KiB\nserver_inline_receive = 16KiB\nclient_inline_policy = {}\n"
    kept, out = run("plugin/build/liboverlarge.so", more.format("fixed"))
    assert kept.returncode == 0, kept.stderr
    assert "broken_guarantees" not in read_summary(out)
    broken, out = run("plugin/build/liboverlarge.so", more.format("overlarge"))
    assert broken.returncode == 1
    lines = [line for line in read_summary(out)["broken_guarantees"] if "largest Send to the server" in line]
    assert lines == [f"client-{client}: client_inline_policy, server_inline_policy: octets of the largest Send to the server "
                     "8192, at most 4096 (client_inline_send)" for client in (0, 1)]
    assert f"guarantee broken: {lines[0]}" in broken.stdout + broken.stderr


def test_a_text_of_a_policy_has_no_bar(run):
    more = "[rpcrdma]\nclient_inline_policy = fraction\nclient_reason = {}\n"
    told, _ = run(EVERY_KIND, more.format("memory = small"))
    assert told.returncode == 0, told.stderr
    refused, _ = run(EVERY_KIND, more.format("small|memory"))
    assert refused.returncode == 2
    assert "rpcrdma.client_reason: got 'small|memory', expected a text without '|'" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_workload_runs_and_is_reported_as_any_other(run):
    done, out = run(EVERY_KIND, "[workload poll]\nkind = poll\nbs = 4KiB\n")
    assert done.returncode == 2, "bs is of fio alone"
    assert "workload poll.bs" in done.stderr and done.stderr.count("\n") == 1
    assert not out.exists()
    more = "[workload poll]\nkind = poll\npolled = 3\nrequests = 30\ndirectory = here\n[nfs]\nversion = 4.1\n[storage]\nmetadata_cost = 5us\n"
    done, out = run(EVERY_KIND, more)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {(row["client"], row["item"]): row for row in csv.DictReader((out / "workloads.csv").open())
            if row["workload"] == "poll"}  # fmt: skip
    assert rows["all", "poll"]["operations"] == "60"
    assert rows["all", "poll"]["errors"] == "0"


def test_a_model_of_storage_says_how_long_the_device_takes(run):
    more = "direct = true\nreadwrite = write\n[storage]\nmodel = pausing\npause_every = {}\npause = 3ms\n"
    seldom, out = run(EVERY_KIND, more.format(1000000))
    assert seldom.returncode == 0, seldom.stderr
    quick = read_summary(out)["latency_us"]["mean"]
    often, out = run(EVERY_KIND, more.format(5))
    assert often.returncode == 0, often.stderr
    # One request in five waits for 3 ms, those of files that are made, too.
    assert quick + 400 < read_summary(out)["latency_us"]["mean"] < quick + 1000


def test_an_adversary_breaks_rules_that_are_reported(run):
    more = "[adversary rude]\nrole = hang-up\nhosts = client-1\nhang_up_quietly = true\nevery = 50us\ncount = 5\n"
    done, out = run(EVERY_KIND, more)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "rude,client-1,server-0,hung up" in (out / "adversaries.csv").read_text()


def change_mark(source: Path, target: Path, old: bytes, new: bytes) -> Path:
    content = source.read_bytes()
    assert content.count(old) >= 1
    target.write_bytes(content.replace(old, new))
    return target


@pytest.mark.parametrize(
    "old, new, expected",
    [
        (b"|0.1.0|", b"|0.2.0|", "a plugin built with nfsrdma 0.1.0 and ns-3 3.37, not with nfsrdma 0.2.0 and ns-3 3.37"),
        (b"|3.37|", b"|3.48|", "a plugin built with nfsrdma 0.1.0 and ns-3 3.37, not with nfsrdma 0.1.0 and ns-3 3.48"),
        (b"@(#)nfsrdma plugin|", b"@(#)something else|", "a shared object made with NFSRDMA_PLUGIN (helper/plugin.h)"),
    ],
)
def test_a_plugin_of_another_version_is_refused_in_one_line(run, plugins, tmp_path, old, new, expected):
    other = change_mark(plugins / "own-policy/build/libheadroom.so", tmp_path / "libother.so", old, new)
    done, out = run(str(other))
    assert done.returncode == 2
    assert done.stderr == f"{tmp_path}/scenario.ini:2: cluster.plugins: got '{other}', expected {expected}\n"
    assert not out.exists()


@pytest.mark.parametrize(
    "plugin, expected",
    [
        ("missing.so", "expected a file that can be read"),
        ("own-policy", "expected a file that can be read"),
        ("own-policy/headroom.cc", "expected a shared object made with NFSRDMA_PLUGIN (helper/plugin.h)"),
        ("plugin/build/libtaken-name.so", "expected a plugin that adds what is new: there is a fixed already"),
        ("plugin/build/libtaken-key.so", "got two keys of that name, expected plugins whose keys have names of their own"),
    ],
)
def test_what_is_no_plugin_is_refused_in_one_line(run, plugin, expected):
    done, out = run(plugin)
    assert done.returncode == 2
    assert expected in done.stderr and done.stderr.count("\n") == 1
    assert not out.exists()


def test_a_copy_of_a_plugin_is_refused_in_one_line(run, plugins, tmp_path):
    first = plugins / "own-policy/build/libheadroom.so"
    copy = shutil.copy(first, tmp_path / "libcopy.so")
    done, out = run(f"{first}, {copy}")
    assert done.returncode == 2, done.stderr
    assert f"'{copy}', expected a plugin of another name than {first}" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not out.exists()


def test_a_pipe_is_refused_and_not_waited_for(run, tmp_path):
    os.mkfifo(tmp_path / "pipe.so")
    done, out = run(str(tmp_path / "pipe.so"))
    assert done.returncode == 2
    assert "expected a file that can be read" in done.stderr and done.stderr.count("\n") == 1
    assert not out.exists()


def test_a_damaged_plugin_is_refused_in_one_line(run, plugins, tmp_path):
    whole = (plugins / "own-policy/build/libheadroom.so").read_bytes()
    cut = tmp_path / "libcut.so"
    cut.write_bytes(b"\0" * 64 + whole[64:])
    done, out = run(str(cut))
    assert done.returncode == 2
    assert "expected a shared object that can be loaded (" in done.stderr and done.stderr.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize(
    "more, key",
    [
        ("[rpcrdma]\nserver_headroom = 3\n", "rpcrdma.server_headroom"),
        ("[rpcrdma]\nserver_credit_grant = headroom\nserver_headroom = 5000\n", "rpcrdma.server_headroom"),
        ("[sweep]\ncluster.plugins = a.so, b.so\n", "cluster.plugins"),
    ],
)
def test_keys_of_plugins_are_checked_as_any_other(run, more, key):
    done, out = run("own-policy/build/libheadroom.so", more)
    assert done.returncode == 2
    assert key in done.stderr and done.stderr.count("\n") == 1
    assert not out.exists()


def test_the_printed_scenario_runs_from_everywhere(run, prefix, plugins, tmp_path):
    more = "[rpcrdma]\nserver_credit_grant = headroom\nserver_headroom = 7\n"
    printed, _ = run("own-policy/build/libheadroom.so", more, "--print-config")
    assert printed.returncode == 0, printed.stderr
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "same.ini").write_text(printed.stdout)
    first, out = run("own-policy/build/libheadroom.so", more)
    again = call(prefix / "bin" / "nfsrdma-sim", "run", "same.ini", "--out", "again", cwd=elsewhere)
    assert (first.returncode, again.returncode) == (0, 0), first.stderr + again.stderr
    assert (elsewhere / "again" / "rpc.csv").read_bytes() == (out / "rpc.csv").read_bytes()


def test_an_artifact_has_no_plugins(prefix, plugins, tmp_path, root):
    scenario = plugins / "own-policy" / "own-policy.ini"
    program = [root / "analysis" / "artifact.py", scenario, "--out", tmp_path / "a.tar.gz", "--simulator", prefix / "bin" / "nfsrdma-sim"]
    done = call(*program, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("artifact: cluster.plugins: an archive holds no programs") and done.stderr.count("\n") == 1
