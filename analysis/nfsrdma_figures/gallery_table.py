# SPDX-License-Identifier: GPL-2.0-only
"""The figures of the gallery: what is run, what is drawn of it, and what to see there.

To add a figure, add a Figure to FIGURES. The runs of figures that name the same scenario and options are one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nfsrdma_method.regret import write_table

from . import facets, regret, request, sequence
from .results import Manifest, read_columns
from .units import base_unit


@dataclass(frozen=True)
class Figure:
    """A figure of the gallery.

    name is that of NAME.png and NAME.pdf, title and caption are shown with it. scenario is a file of scenarios/
    without .ini, run with options; drawn is the name under which figures.py draws the figure, if it is another one.
    data is the table that it shows, in the results of the run. draw, if given, draws the figure instead of
    figures.py: it takes the directory of the results and returns a matplotlib figure. statuses are those that the
    simulator may end with: a run under attack may well fail.
    """

    name: str
    title: str
    caption: str
    scenario: str
    options: tuple[str, ...] = ()
    drawn: str = ""
    data: str = "sweep.csv"
    draw: Callable[[Path], object] | None = None
    statuses: tuple[int, ...] = (0,)

    @property
    def run(self) -> tuple[str, tuple[str, ...]]:
        return self.scenario, self.options


def draw_lines(results: Path, *words: str):
    """The figure that "plot RESULTS lines WORD..." draws, of metrics in one row of panels each."""
    manifest = Manifest(results)
    keys = manifest.swept_keys
    chosen = request.parse(words, ("metric",))
    table = read_columns(results, keys, list(facets.metrics_of(chosen)))
    units = {key: base_unit(manifest.text(key)) for key in keys}
    (drawing,) = facets.draw_lines(table, keys, chosen, units, manifest.name)
    return drawing.figure


def draw_regret(results: Path, columns: tuple[str, ...]):
    """The panels of regret.csv that have those columns, which is written first."""
    write_table(results)
    table, keys = regret.read(results)
    return regret.draw(table, keys, Manifest(results).name, columns)


#: Options with which a sweep writes what regret is found from.
_WITH_RPCS = ("--set", "output.rpc_csv=true")

#: Instead of a scenario: the programs like perftest's, under every RNIC profile.
PERFTEST = "perftest"

FIGURES = (
    Figure(
        "sequence-read",
        "A READ, message by message",
        "The client registers memory and offers it as Write chunk; the server fills it with RDMA Writes, and its reply "
        "invalidates it.",
        "sequence",
        data="messages.csv",
        draw=partial(sequence.draw_operation, operation="READ"),
    ),
    Figure(
        "sequence-write",
        "A WRITE, message by message",
        "The client offers its data as Read chunk; the server fetches them with an RDMA Read before a thread takes the "
        "call.",
        "sequence",
        data="messages.csv",
        draw=partial(sequence.draw_operation, operation="WRITE"),
    ),
    Figure(
        "latency",
        "Latency of a recorded mount",
        "Every RPC of the replayed Linux recording as a point, quartiles as a box, the median marked, and the 90th "
        "percentile where ten RPCs lie beyond it; by operation.",
        "linux-replay",
        data="rpc.csv",
    ),
    Figure(
        "forms",
        "Transfer forms of a recorded mount",
        "How the RPCs of the same run were carried: inline, or with Read, Write and Reply chunks. They are those of "
        "the recording, RPC by RPC.",
        "linux-replay",
        data="rpc.csv",
    ),
    Figure(
        "inline-threshold",
        "Where the inline threshold should lie",
        "Rate, latency and registrations of small operations against the inline threshold. A larger one saves "
        "registrations, until all data of this mix go inline.",
        "inline-threshold",
        drawn="sweep",
    ),
    Figure(
        "reply-mechanism",
        "Room for replies of unknown size",
        "Listings that may be small or large. A Reply chunk costs a registration for each; a Read chunk of the server "
        "costs something only for those that turn out large; a large threshold costs memory for receives.",
        "reply-mechanism",
    ),
    Figure(
        "slow-requesters",
        "Requesters that are slow, or dead",
        "What a client costs that takes replies late, or is gone without a word, by the way in which replies come: time of "
        "RPCs, the server's memory, how long replies stay exposed, and waits for credits. Lines end at the peak, or the longest.",
        "slow-requesters",
    ),
    Figure(
        "credits",
        "Credits and what they cost",
        "Large READs and WRITEs fill the link with few credits, small ones gain up to 16; the server pays in receive "
        "buffers.",
        "credits",
    ),
    Figure(
        "credit-sensitivity",
        "Which I/O needs more than 64 credits",
        "READs of 1 MiB over eight connections fill a long link with any number of credits; small ones need 128 on "
        "each connection.",
        "credit-sensitivity",
    ),
    Figure(
        "credit-policies",
        "Policies for credits",
        "Two busy clients and more and more quiet ones. Fixed grants, as Linux's, cost memory for each client; a fair "
        "share of a pool holds the busy ones up; grants that adapt to use give them what they need at little memory.",
        "credit-policies",
    ),
    Figure(
        "inline-policies",
        "Policies for inline thresholds",
        "READs of 4 KiB from more and more clients. A fixed threshold of 64 KiB saves registrations and costs receive buffers "
        "for every credit; a server that shares out memory bounds them, and clients that ask for what their messages need keep "
        "the server's below Linux's.",
        "inline-policies",
    ),
    Figure(
        "inline-regret",
        "What policies for inline thresholds cost beyond an oracle",
        "READs of 4 KiB and GETATTRs, by what their forms cost on an idle path. An oracle that knows the whole trace registers memory for "
        "each READ, which the server's Send takes back: to copy 4 KiB costs more. Linux's 4 KiB do the same and regret nothing.",
        "inline-policies",
        _WITH_RPCS,
        data="regret.csv",
        draw=partial(draw_regret, columns=("regret_ns",)),
    ),
    Figure(
        "credit-regret",
        "What policies for credits cost beyond an oracle",
        "How long calls wait for credits beyond what they would have to, had each connection in each window of time the best number within "
        "the receive memory that the run had. Equal shares withhold from the busy ones what the quiet ones do not use.",
        "credit-policies",
        _WITH_RPCS,
        data="regret.csv",
        draw=partial(draw_regret, columns=("wait_regret_us",)),
    ),
    Figure(
        "registration-policies",
        "How memory is made known",
        "Single READs and WRITEs under four ways to register memory: Linux's, without remote invalidation, with short "
        "page lists, and inline as far as a large threshold allows.",
        "registration-policies",
    ),
    Figure(
        "registration-strategies",
        "Six strategies for registration",
        "Fast registration, windows, verbs, one STag for all memory, buffers to copy to, and a cache of regions: latency, "
        "registrations and the client's processor. The last three leave memory open to the server.",
        "registration-strategies",
    ),
    Figure(
        "rdma-against-tcp",
        "RDMA against TCP on the same hosts",
        "READs and WRITEs of one client, by their size. Over TCP the client's cores copy every octet, and packets pass soft "
        "interrupts; over RDMA the RNIC places data, and cores pay for registration and completions.",
        "rdma-against-tcp",
    ),
    Figure(
        "pull-up",
        "Copying or mapping what is sent inline",
        "Data of a WRITE that fit inline are copied into the Send, which costs time for each octet, or mapped and "
        "gathered from where they are, which costs a fixed time.",
        "pull-up",
    ),
    Figure(
        "remote-invalidation",
        "Send with Invalidate",
        "The server's Send invalidates the client's memory, or the client does it itself before the RPC may end.",
        "remote-invalidation",
    ),
    Figure(
        "host-bound",
        "Cores or RNIC",
        "Small RPCs to one server: its cores are the limit until its RNIC is. Dashed: what so many cores can do; "
        "dotted: what the engine can do.",
        "host-bound",
    ),
    Figure(
        "linux-kernels",
        "Three kernels",
        "The same reads and writes under the client and server of Linux 6.1, 6.12 and of 2026, by how many are outstanding at each client. "
        "Threads of 6.1 wait for RDMA Reads and for Sends. Beyond the 128 slots of a connection, requests wait for a slot, and up to "
        "7.0 sleep with it for a quarter of a second.",
        "linux-kernels",
        draw=lambda results: draw_lines(
            results, "x=workload.iodepth", "series=kernel.profile", "metric=rpcs_per_second", "metric=latency_mean_us",
        ),
    ),
    Figure(
        "shared-tree",
        "Files that one changes and others read",
        "Readers who open files for four reads of what they keep, and one client that changes them. With NFSv3 each open asks for "
        "attributes; with NFSv4.1 delegations spare it, but the writer's open waits for their recall.",
        "shared-tree",
        draw=lambda results: draw_lines(
            results, "x=cluster.clients", "series=nfs.version", "metric=rpcs_per_second", "metric=latency_mean_us",
            "metric=registrations_per_rpc",
        ),
    ),
    Figure(
        "incast",
        "Sixteen flows through one link",
        "CUBIC and Reno fill the queue before the narrow link and lose frames; DCTCP holds it where the switch marks.",
        "incast",
    ),
    Figure(
        "reassembly-memory",
        "Memory to put FPDUs together",
        "Octets that wait in the receiver behind a gap, against loss and connections. Segments that begin with FPDUs, "
        "or markers, let them go to their place at once. Grey: the formulas of RFC 5044 appendix B.2.",
        "reassembly-memory",
    ),
    Figure(
        "loss",
        "Lost segments",
        "Goodput and p99 latency of large READs and WRITEs against the share of segments that a path loses.",
        "loss",
    ),
    Figure(
        "connection-loss",
        "A connection lost and recovered",
        "A client of NFSv4.1 whose link is down for 6 ms, and whose server is restarted later: throughput, credits, "
        "congestion windows, repeated segments and states against time.",
        "connection-loss",
        data="timeline.csv",
    ),
    Figure(
        "fault-cost",
        "What one fault costs",
        "The time by which one fault makes the same work longer. What TCP repairs costs its timers; what ends a "
        "connection that nobody answers again costs Linux's waits.",
        "fault-cost",
    ),
    Figure(
        "guessed-stags",
        "Guessed STags",
        "A client aims RDMA Writes at STags around one it has seen. What a guess comes to depends on keys, indices and "
        "protection domains of the server's RNIC, and on how its memory is registered.",
        "guessed-stags",
        data="adversaries.csv",
        statuses=(0, 1),
    ),
    Figure(
        "connection-churn",
        "Connections made and reset",
        "Adversaries make connections and reset them; a server with one core has less and less left for two honest "
        "clients. A rate for each peer makes their number meaningless.",
        "churn-attackers",
    ),
    Figure(
        "drip-fed-startup",
        "Startups that never end",
        "Adversaries hold places in the listener's backlog with MPA Requests that they never finish. Four fill it, and "
        "keep an honest client out until it tries again; a limit for each peer leaves room.",
        "drip-feed-attackers",
    ),
    Figure(
        "cancelled-share",
        "Calls given up",
        "A call given up costs the connection when the server writes into its invalidated Reply chunk, and nothing when the "
        "reply comes as Read chunk.",
        "cancelled-share",
    ),
    Figure(
        "framing-cost",
        "What markers and CRCs cost",
        "Goodput with and without markers and CRCs, measured (points) and by exact arithmetic (lines).",
        "framing-cost",
    ),
    Figure(
        "perftest",
        "Verbs alone",
        "Latency and bandwidth of Send, RDMA Write and RDMA Read against message size, for every RNIC profile.",
        PERFTEST,
        data="generic-100g-read-lat.csv",
    ),
)
