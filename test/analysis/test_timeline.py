# SPDX-License-Identifier: GPL-2.0-only
"""The timeline of a connection loss: what a run writes, and what is made of it."""

from __future__ import annotations

import subprocess

from nfsrdma_figures import asked
import pytest
from nfsrdma_figures import timeline
from nfsrdma_figures.results import ResultsError


def run(simulator, root, directory, *options):
    scenario = "connection-loss"
    command = [simulator, "run", scenario, "--out", directory, *options]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert finished.returncode == 0, finished.stderr
    return directory, [line for line in finished.stdout.splitlines() if line.startswith("digest")]


def recovered(seen):
    return [event for event in seen.events[seen.events["kind"] == "recovery"]["what"] if event.startswith("EXCHANGE_ID")]


@pytest.fixture(scope="module")
def lost(simulator, root, tmp_path_factory):
    return run(simulator, root, tmp_path_factory.mktemp("lost") / "out")


def test_scenario_keeps_its_promise(lost):
    seen = timeline.read_timeline(lost[0])
    samples = seen.samples
    repeated = samples["client_retransmissions"] + samples["server_retransmissions"]
    before_restart = samples["time_ns"] < 30e6
    assert repeated[samples["time_ns"] < 10e6].max() == 0
    assert repeated[before_restart].iloc[-1] > 0
    assert repeated.iloc[-1] == repeated[before_restart].iloc[-1]
    connections = list(seen.events[seen.events["kind"] == "connection"]["what"])
    assert connections.count("connected") == 2
    assert "lost: closed by the other host (FIN)" in connections
    assert len(recovered(seen)) == 3   # Linux sends two when it mounts.
    down = samples[(samples["time_ns"] > 10.5e6) & (samples["time_ns"] < 16e6)]
    assert (down["in_use"] == 16).all() and down["rpcs"].nunique() == 1
    away = samples[(samples["time_ns"] > 31e6) & (samples["time_ns"] < 40e6)]
    assert (away["in_use"] == 0).all() and (away["credits"] == 0).all() and (away["pending"] == 16).all()
    assert samples["rpcs"].iloc[-1] > away["rpcs"].iloc[-1]


def test_without_faults_nothing_is_lost(simulator, root, lost, tmp_path):
    faults = ("--set", "faults.link-down=none", "--set", "faults.restart=none")
    seen = timeline.read_timeline(run(simulator, root, tmp_path / "quiet", *faults)[0])
    assert seen.samples[["client_retransmissions", "server_retransmissions"]].to_numpy().max() == 0
    assert list(seen.events[seen.events["kind"] == "connection"]["what"]) == ["connected"]
    assert len(recovered(seen)) == 2
    assert (seen.samples["credits"].iloc[8:] == 64).all()


def test_looking_changes_nothing(simulator, root, lost, tmp_path):
    directory, digest = run(simulator, root, tmp_path / "blind", "--set", "output.timeline=0ns")
    assert digest == lost[1]
    assert not (directory / "timeline.csv").exists() and not (directory / "events.csv").exists()
    again, _ = run(simulator, root, tmp_path / "again")
    for name in ("timeline.csv", "events.csv"):
        assert (again / name).read_bytes() == (lost[0] / name).read_bytes()


def test_figure_has_states_and_marks(lost):
    seen = timeline.read_timeline(lost[0])
    marks = timeline.list_marks(seen)
    texts = [mark.text for mark in marks]
    assert [(round(mark.time * 1e3), round(mark.until * 1e3)) for mark in marks if mark.until] == [(10, 16), (30, 40)]
    assert sum(text.startswith("fault") for text in texts) == 2
    assert any("DESTROY_SESSION failed, CREATE_SESSION failed, EXCHANGE_ID" in text for text in texts)
    for host in ("client-0", "server-0"):
        assert [name for _, _, name in timeline.list_states(seen, host, "qp")] == ["RTS", "RTS"]
        assert [name for _, _, name in timeline.list_states(seen, host, "tcp")].count("ESTABLISHED") == 2
    paths = asked.draw(lost[0])
    assert [path.name for path in paths] == ["connection-loss.png", "connection-loss.pdf", "connection-loss.txt"]
    first = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in asked.draw(lost[0])] == first


def test_marks_close_together_share_a_number():
    marks = [timeline.Mark(time, "") for time in (0.1, 0.101, 0.102, 0.5)]
    assert [text for text, _ in timeline._label_marks(marks, 0, 1)] == ["1-3", "4"]


def test_says_what_is_missing(tmp_path, lost):
    with pytest.raises(ResultsError, match="timeline = "):
        timeline.read_timeline(tmp_path)
    with pytest.raises(ResultsError, match="client-7"):
        timeline.read_timeline(lost[0], "client-7")
