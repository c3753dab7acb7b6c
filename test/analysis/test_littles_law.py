# SPDX-License-Identifier: GPL-2.0-only
"""Little's law, L = lambda W, in each phase of every scenario of this project.

L is the integral of the number of RPCs under way, made of the times in rpc.csv one by one; lambda comes from what the run
has counted itself as ended in the phase, and W in the window from its own mean latencies, of its histogram and of its
latency stack. Calls and octets are conserved, too. RPCs that are under way when a phase begins or ends belong to it in part, and bound how far both may differ.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas
import pytest
from nfsrdma_figures.results import read_table

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "results"))
import witness  # noqa: E402

SCENARIOS = [name for name in witness.all_names() if not name.startswith("replay-")]


@dataclass(frozen=True)
class Phase:
    """RPCs from begin to end, both of it, in ns."""

    rpcs: pandas.DataFrame
    begin: int
    end: int

    def number(self) -> float:
        """L: the mean number under way, by a walk over all arrivals and ends."""
        inside = self.rpcs[(self.rpcs["arrival_ns"] <= self.end) & (self.rpcs["complete_ns"] >= self.begin)]
        events = [(max(time, self.begin), 1) for time in inside["arrival_ns"]]
        events += [(min(time, self.end), -1) for time in inside["complete_ns"]]
        area, under_way, last = 0, 0, self.begin
        for time, change in sorted(events):
            area += under_way * (time - last)
            under_way += change
            last = time
        assert under_way == 0
        return area / (self.end - self.begin)

    def arrived(self) -> pandas.DataFrame:
        return self.rpcs[self.rpcs["arrival_ns"].between(self.begin, self.end)]

    def ended(self) -> pandas.DataFrame:
        return self.rpcs[self.rpcs["complete_ns"].between(self.begin, self.end)]

    def check(self, ended: int, wait_ns: float) -> None:
        """lambda is ended over the length; wait_ns is W."""
        length = self.end - self.begin
        arrived, left = self.arrived(), self.ended()
        crossing = arrived.index.symmetric_difference(left.index)
        stay = self.rpcs["complete_ns"] - self.rpcs["arrival_ns"]
        through = (self.rpcs["arrival_ns"] < self.begin) & (self.rpcs["complete_ns"] > self.end)
        bound = (stay[crossing].sum() + stay[through].sum() + abs(len(left) - len(arrived)) * wait_ns) / length
        assert abs(self.number() - ended / length * wait_ns) <= bound + 1e-6 * (1 + self.number())


def read_run(directory: Path) -> tuple[dict, pandas.DataFrame]:
    texts = ("outcome", "status", "phase")
    rpcs = read_table(directory / "rpc.csv", ["arrival_ns", "complete_ns", *texts], texts, may_be_empty=True)
    return json.loads((directory / "summary.json").read_text()), rpcs


def check_run(directory: Path) -> int:
    """Returns how many phases there were to look at."""
    summary, rpcs = read_run(directory)
    window = summary["window"]
    begin, end = round(window["begins_s"] * 1e9), round(window["ends_s"] * 1e9)
    assert not any(balance["broken"] for balance in summary["conservation"].values())
    work = rpcs[rpcs["phase"] != "setup"]
    assert len(rpcs) - len(work) == window["rpcs_of_setup"]
    looked = 0
    if end > begin:
        succeeded = work[(work["outcome"] == "SUCCESS") & work["status"].isin(("0", ""))]
        phase = Phase(succeeded, begin, end)
        rate = summary["rpcs_per_second"] * summary["duration_s"]
        assert rate == pytest.approx(summary["rpcs"]) and summary["duration_s"] * 1e9 == pytest.approx(end - begin)
        if len(phase.arrived()):
            for wait in (summary["latency_us"]["mean"], summary["latency_stack"]["all"]["mean_us"]):
                phase.check(summary["rpcs"], wait * 1e3)
            looked += 1
    edges = {"warm-up": (min(work["arrival_ns"], default=begin), begin - 1, window["rpcs_of_warm_up"]),
             "drain": (end + 1, max(rpcs["complete_ns"], default=end), window["rpcs_of_drain"] + window["rpcs_of_unmount"])}
    for first, last, counted in edges.values():
        phase = Phase(work, first, last)
        if last <= first or not len(phase.ended()):
            continue
        assert len(phase.ended()) == counted
        stays = phase.arrived() if len(phase.arrived()) else phase.ended()
        phase.check(counted, (stays["complete_ns"] - stays["arrival_ns"]).mean())
        looked += 1
    return looked


@pytest.mark.parametrize("name", SCENARIOS)
def test_holds_in_each_phase(name, simulator, tmp_path):
    scenario = next(witness.SCENARIOS.glob(f"**/{name}.ini"))
    command = [simulator, "run", scenario, "--out", tmp_path / "out", "--jobs", "1", "--set", "output.rpc_csv=true"]
    if witness.has_sweep(scenario):
        command += ["--runs", "1"]
    for setting in witness.REDUCED.get(name, []):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode in (0, 1, 3), done.stderr
    runs = sorted((tmp_path / "out").glob("points/*/")) or [tmp_path / "out"]
    assert sum(check_run(run) for run in runs if (run / "rpc.csv").exists()) >= 1


def test_a_mean_that_is_wrong_is_found():
    """1000 RPCs of 100 us, ten of them under way at a time."""
    rpcs = pandas.DataFrame({"arrival_ns": [10_000 * place for place in range(1000)]})
    rpcs["complete_ns"] = rpcs["arrival_ns"] + 100_000
    phase = Phase(rpcs, 1_000_000, 9_000_000)
    assert phase.number() == pytest.approx(10, abs=0.01)
    phase.check(len(phase.ended()), 100_000)
    for ended, wait in ((len(phase.ended()), 80_000), (len(phase.ended()) * 8 // 10, 100_000)):
        with pytest.raises(AssertionError):
            phase.check(ended, wait)
