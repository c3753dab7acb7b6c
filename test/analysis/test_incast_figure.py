# SPDX-License-Identifier: GPL-2.0-only
"""The figure of a narrow link, on invented results."""

from __future__ import annotations

import json

from nfsrdma_figures import asked
import pytest
from nfsrdma_figures import incast
from nfsrdma_figures.results import ResultsError

CONTROLS = ("TcpDctcp", "TcpCubic")


def make_incast(directory, controls=CONTROLS):
    directory.mkdir(exist_ok=True)
    rows = ["point,seed,workload.readwrite,tcp.congestion_control,queue_mean_octets,frames_dropped"]
    point = 0
    for direction in ("randread", "randwrite"):
        for level, control in enumerate(controls):
            rows.append(f"{point},1,{direction},{control},{65536 * (1 + 5 * level)},{level * 100}")
            folder = directory / "points" / f"{point}-s1"
            folder.mkdir(parents=True)
            samples = ["time_s,switch,peer,queue_octets", "0.000000000,left,server-0,900"]
            samples += [f"{time * 5e-6:.9f},right,left,{65536 * (1 + level) + time % 7 * 900}" for time in range(200)]
            (folder / "queues.csv").write_text("\n".join(samples) + "\n")
            point += 1
    (directory / "sweep.csv").write_text("\n".join(rows) + "\n")
    config = {
        "cluster": {"clients": "16"},
        "link": {"mark_threshold": "65536B"},
        "topology": {"trunk_queue": "524288B", "trunk_rate": "10Gbps"},
    }
    manifest = {"name": "incast", "scenario_file": "incast.ini", "figures": ["incast"], "config": config,
                "sweep": {"keys": [], "seeds": [1]}, "digest": "d"}
    (directory / "manifest.json").write_text(json.dumps(manifest))
    return directory


def test_draws_the_queue_of_the_narrow_link(tmp_path):
    paths = asked.draw(make_incast(tmp_path / "one"))
    assert [path.name for path in paths] == ["incast.png", "incast.pdf", "incast.txt"]
    again = asked.draw(make_incast(tmp_path / "two"))
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in again]


def test_names_the_controls():
    assert [incast._name(name) for name in (*CONTROLS, "TcpBbr", "TcpVegas")] == ["DCTCP", "CUBIC", "BBR", "Vegas"]


def test_says_which_table_is_missing(tmp_path):
    directory = make_incast(tmp_path / "one")
    (directory / "points" / "1-s1" / "queues.csv").unlink()
    with pytest.raises(ResultsError, match="queues.csv"):
        asked.draw(directory)
