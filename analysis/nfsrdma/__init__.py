# SPDX-License-Identifier: GPL-2.0-only
"""Runs simulated NFS/RDMA clusters from Python, and gives their results as pandas frames.

    import nfsrdma

    run = nfsrdma.run("linux-replay", {"cluster.clients": 8})
    run.rpcs["latency_ns"].describe()

    sweep = nfsrdma.sweep("credits", {"rpcrdma.server_credits": [8, 32, 128]}, seeds=5)
    sweep.summary[["rpcrdma.server_credits", "latency_p99_us"]]
    sweep.plot("lines", metric="latency_p99_us")

    nfsrdma.load("results/credits")                # results of an earlier run, or of the command line

A scenario is a file, or a name that the simulator knows. Keys and their values are those of scenario files; nfsrdma-sim
--list-keys lists them. Columns of frames are those of the files of results, with the unit in the name.
"""

from .errors import NfsRdmaError, NotVerified, ScenarioError, Stalled
from .results import Figures, PartialResults, Run, Sweep, load
from .simulation import run, sweep

__all__ = [
    "Figures",
    "NfsRdmaError",
    "NotVerified",
    "PartialResults",
    "Run",
    "ScenarioError",
    "Stalled",
    "Sweep",
    "load",
    "run",
    "sweep",
]
