# SPDX-License-Identifier: GPL-2.0-only
"""What the RPCs of a run cost, against the least that they could have cost: regret of policies for thresholds and credits.

Costs of forms are those of rpc.csv (call_inline_cost_ns and so on), for the forms that were taken as for those that were not, so that
a regret is a difference of like numbers. What thresholds there are to choose from follows from the messages: between two sizes that
occur, in steps of 1 KiB (RFC 8797), nothing changes.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy

from nfsrdma_figures.results import POINTS, Manifest, ResultsError, read_object, read_table
from nfsrdma_figures.rpc_table import read_rpcs

from . import oracle

#: Octets that Linux's client sets aside for the largest header with 4 segments: of a call, of a reply.
CALL_RESERVE, REPLY_RESERVE = 148, 100
UNIT, LARGEST = 1024, 256 * 1024
#: Credits that a connection may have.
CREDITS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
COLUMNS = (
    "client server connection phase operation outcome slot_ns connected_ns credit_ns send_ns reply_ns read_segments write_segments "
    "reply_segments write_chunk_bytes reply_chunk_bytes reply_read_bytes call_reason call_bytes reply_maximum_bytes "
    "call_inline_cost_ns call_chunk_cost_ns reply_inline_cost_ns reply_chunk_cost_ns"
).split()
#: Of regret.csv, behind point, seed and the keys of a sweep.
TABLE_COLUMNS = (
    "rpcs cost_ns best_call_threshold best_reply_threshold fixed_cost_ns operation_cost_ns memory_cost_ns oracle_cost_ns switches "
    "regret_ns regret_share wait_us fixed_wait_us oracle_wait_us wait_bound_us wait_regret_us"
).split()
#: Those that sweep.csv has, too, where it was asked for.
SWEEP_COLUMNS = "regret_ns regret_share wait_us oracle_wait_us wait_bound_us wait_regret_us".split()
#: Windows of time in which the oracle may give a connection other credits.
WINDOWS = 32


@dataclass
class Connection:
    """The RPCs of a connection, in the order in which they were sent; an array for each column of the same length."""

    columns: dict[str, list] = field(default_factory=lambda: defaultdict(list))

    def __len__(self) -> int:
        return len(self.columns["slot_ns"])

    def costs(self, side: str, size: str, reserve: int, thresholds: list[int]) -> numpy.ndarray:
        """What each RPC costs under each threshold, ns."""
        chunk = numpy.array(self.columns[f"{side}_chunk_cost_ns"], dtype=float)
        whole = numpy.array([numpy.inf if cost is None else cost for cost in self.columns[f"{side}_inline_cost_ns"]])
        needed = numpy.array(self.columns[size])[:, None] + reserve
        fits = (needed <= numpy.array(thresholds)[None, :]) & numpy.isfinite(whole)[:, None]
        return numpy.where(fits, whole[:, None], chunk[:, None])

    def call_costs(self, thresholds: list[int]) -> numpy.ndarray:
        return self.costs("call", "call_bytes", CALL_RESERVE, thresholds)

    def reply_costs(self, thresholds: list[int]) -> numpy.ndarray:
        return self.costs("reply", "reply_maximum_bytes", REPLY_RESERVE, thresholds)

    def paid(self) -> float:
        """What the forms that were taken cost, ns. A reply in parts that no Send could carry has the cost of its chunk."""
        total = 0.0
        of = self.columns
        for place in range(len(self)):
            call = "chunk" if of["read_segments"][place] else "inline"
            moved = of["write_chunk_bytes"][place] + of["reply_chunk_bytes"][place] + of["reply_read_bytes"][place]
            reply = "chunk" if moved or of["write_segments"][place] + of["reply_segments"][place] else "inline"
            replied = of[f"reply_{reply}_cost_ns"][place]
            total += of[f"call_{call}_cost_ns"][place] + (of["reply_chunk_cost_ns"][place] if replied is None else replied)
        return total

    def waited(self) -> int:
        """How long calls waited for a credit, in all, ns."""
        return sum(max(0, got - asked) for got, asked in zip(self.columns["credit_ns"], self.columns["slot_ns"]))

    def services(self) -> list[int]:
        """How long each call had its credit, ns."""
        return [max(0, end - sent) for end, sent in zip(self.columns["reply_ns"], self.columns["send_ns"])]

    def waiting(self, credits: int) -> int:
        """How long they would have waited with so many credits all the time, ns."""
        return oracle.waiting(self.columns["slot_ns"], self.services(), credits)


def read_connections(path: Path) -> tuple[dict[tuple, Connection], float]:
    """Connections of rpc.csv with the RPCs over RDMA that were measured and succeeded; and what a connection takes to be made, ns."""
    if not path.is_file():
        raise ResultsError(f"{path}: no such file; a sweep writes it with --set output.rpc_csv=true")
    table = read_rpcs(path)
    for column in COLUMNS:
        if column not in table:
            raise ResultsError(f"{path}: column {column} is missing")
    made = [
        connected - slot
        for connected, slot in zip(table["connected_ns"], table["slot_ns"])
        if connected is not None and slot is not None and connected > slot
    ]
    found: dict[tuple, Connection] = defaultdict(Connection)
    order = sorted(range(len(table["slot_ns"])), key=lambda place: (table["slot_ns"][place] or 0, place))
    for place in order:
        told = table["call_reason"][place] and table["reply_chunk_cost_ns"][place] is not None
        if told and table["outcome"][place] == "SUCCESS" and table["phase"][place] == "measurement":
            connection = found[tuple(table[name][place] for name in ("client", "server", "connection"))]
            for column in COLUMNS:
                connection.columns[column].append(table[column][place])
    if not found:
        raise ResultsError(f"{path}: no RPC over RDMA that was measured")
    return dict(found), float(numpy.median(made)) if made else 0.0


def thresholds_for(sizes: list[int], reserve: int) -> list[int]:
    """The thresholds that make a difference: the least, and those that just carry a message there is."""
    needed = {-(-(size + reserve) // UNIT) * UNIT for size in sizes}
    return sorted({UNIT} | {size for size in needed if size <= LARGEST})


@dataclass(frozen=True)
class Regret:
    """Of one run; costs and waits of a mean RPC, ns."""

    rpcs: int
    cost: float  #: of the forms that were taken
    call_threshold: int  #: the best thresholds that are the same for all, all the time
    reply_threshold: int
    fixed_cost: float
    operation_cost: float  #: each operation with thresholds of its own
    memory_cost: float | None  #: each connection with its own, with no more receive memory than there was; None: there is none
    oracle_cost: float  #: each connection with its own, which change when that pays
    switches: int
    wait: float  #: for credits
    fixed_wait: float | None  #: with credits of each connection that stay the same, no more than there was memory for
    oracle_wait: float | None  #: with credits that change from window to window, at no time more than there was memory for
    wait_bound: float | None  #: no such credits wait less; oracle_wait, where that was found to be the least

    @property
    def regret(self) -> float:
        return self.cost - self.oracle_cost

    @property
    def wait_regret(self) -> float | None:
        return None if self.oracle_wait is None else self.wait - self.oracle_wait


def assess(path: Path, switch: float | None, credits: int, memory: float, receive: int, windows: int = WINDOWS) -> Regret:
    """The regret of the run whose rpc.csv is path.

    switch: what another threshold costs a connection, ns; None: what a connection took to be made. credits: of a connection, for which
    receives are kept. memory: octets of the receives of all servers. receive: octets of one of them. windows: of equal length, in
    which a connection may have other credits.
    """
    connections, made = read_connections(path)
    switch = made if switch is None else switch
    every = list(connections.values())
    count = sum(map(len, every))
    calls = thresholds_for([size for one in every for size in one.columns["call_bytes"]], CALL_RESERVE)
    replies = thresholds_for([size for one in every for size in one.columns["reply_maximum_bytes"]], REPLY_RESERVE)
    of_calls = [one.call_costs(calls) for one in every]
    of_replies = [one.reply_costs(replies) for one in every]
    all_calls, all_replies = numpy.concatenate(of_calls), numpy.concatenate(of_replies)
    fixed = oracle.best_fixed(all_calls), oracle.best_fixed(all_replies)
    operations = numpy.array([name for one in every for name in one.columns["operation"]])
    by_operation = sum(
        costs[operations == name].sum(axis=0).min() for name in sorted(set(operations)) for costs in (all_calls, all_replies)
    )
    cost, switches = 0.0, 0
    for call, reply in zip(of_calls, of_replies):
        both = (call[:, :, None] + reply[:, None, :]).reshape(len(call), -1)
        plan = oracle.best_changing(both, switch)
        cost, switches = cost + plan.cost, switches + plan.switches
    fitted = oracle.allocate(
        [call.sum(axis=0).tolist() for call in of_calls],
        [[threshold // UNIT for threshold in calls]] * len(every),
        min(int(memory // (credits * UNIT)), len(every) * calls[-1] // UNIT),
    )
    replies_alone = sum(float(reply.sum(axis=0).min()) for reply in of_replies)
    fixed_waits = allocate_credits(every, int(memory // receive))
    waits = plan_credits(every, int(memory // receive), windows, fixed_waits)
    return Regret(
        count,
        sum(one.paid() for one in every) / count,
        calls[fixed[0].choices[0]],
        replies[fixed[1].choices[0]],
        (fixed[0].cost + fixed[1].cost) / count,
        float(by_operation) / count,
        None if fitted is None else (fitted.cost + replies_alone) / count,
        cost / count,
        switches,
        sum(one.waited() for one in every) / count,
        None if fixed_waits is None else fixed_waits.cost / count,
        None if waits is None else waits.cost / count,
        None if waits is None else waits.bound / count,
    )


def allocate_credits(connections: list[Connection], budget: int) -> oracle.Plan | None:
    """The credits of each connection that have calls wait the least, together no more than budget; None: not one for each."""
    waits = []
    for connection in connections:
        found: list[float] = []
        for credits in CREDITS:
            found.append(float(connection.waiting(credits)) if not found or found[-1] > 0 else 0.0)
        waits.append(found)
    return oracle.allocate(waits, [list(CREDITS)] * len(connections), min(budget, len(connections) * CREDITS[-1]))


def plan_credits(connections: list[Connection], budget: int, windows: int, fixed: oracle.Plan | None) -> oracle.CreditPlan | None:
    """The credits of each connection in each window that have calls wait the least; fixed: the best of those that stay the same."""
    if fixed is None:
        return None
    first = min(connection.columns["slot_ns"][0] for connection in connections)
    last = max(connection.columns["slot_ns"][-1] for connection in connections)
    beginnings = [first + (last - first) * number // windows for number in range(windows)]
    lines = [oracle.Line(connection.columns["slot_ns"], connection.services(), beginnings) for connection in connections]
    planner = oracle.CreditPlanner(lines, windows, CREDITS, min(budget, len(lines) * CREDITS[-1]))
    return planner.plan(tuple(CREDITS[choice] for choice in fixed.choices))


def runs_of(directory: Path, manifest: Manifest) -> list[tuple[list[str], Path, float]]:
    """Of each run the cells that tell it apart, its results, and the most receive memory that a server of it had, octets."""
    if not manifest.is_sweep:
        summary = read_object(directory / "summary.json")
        memory = (summary.get("server_memory") or {}).get("receive_buffers_peak_octets")
        if not isinstance(memory, int):
            raise ResultsError(f"{directory / 'summary.json'}: server_memory.receive_buffers_peak_octets is no number")
        return [([], directory, float(memory))]
    names = ["point", "seed", *manifest.swept_keys]
    table = read_table(directory / "sweep.csv", [*names, "server_receive_octets"], names, POINTS)
    return [
        ([row[name] for name in names], directory / "points" / f"{row['point']}-s{row['seed']}", row["server_receive_octets"])
        for _, row in table.iterrows()
    ]


def assess_run(results: Path, memory: float, had: float, switch: float | None, windows: int) -> Regret:
    """memory: of all servers; 0: had, what one of them had, for each."""
    manifest = Manifest(results)
    receive = manifest.number("rpcrdma.server_inline_receive") or manifest.number("rpcrdma.inline_threshold")
    credits = int(manifest.number("rpcrdma.server_credits", 1))
    servers = manifest.number("cluster.servers", 1)
    return assess(results / "rpc.csv", switch, credits, memory or had * servers, int(receive), windows)


def cells_of(found: Regret) -> list:
    def tell(value: float | None, unit: float = 1.0) -> str:
        return "" if value is None else f"{value / unit:.3f}"

    return [
        found.rpcs, tell(found.cost), found.call_threshold, found.reply_threshold, tell(found.fixed_cost), tell(found.operation_cost),
        tell(found.memory_cost), tell(found.oracle_cost), found.switches, tell(found.regret), f"{found.regret / found.oracle_cost:.6f}",
        tell(found.wait, 1e3), tell(found.fixed_wait, 1e3), tell(found.oracle_wait, 1e3), tell(found.wait_bound, 1e3),
        tell(found.wait_regret, 1e3),
    ]  # fmt: skip


def write_table(
    directory: Path, switch: float | None = None, memory: float | None = None, windows: int = WINDOWS
) -> list[tuple[list[str], Regret]]:
    """Writes regret.csv of the sweep or the run in directory; gives each run's cells, point and seed first, and regret.

    memory: octets of the servers' receives; None: what each run had.
    """
    manifest = Manifest(directory)
    heads = ["point", "seed", *manifest.swept_keys] if manifest.is_sweep else []
    found = [(cells, assess_run(results, memory or 0.0, had, switch, windows)) for cells, results, had in runs_of(directory, manifest)]
    with open(directory / "regret.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*heads, *TABLE_COLUMNS])
        writer.writerows([*cells, *cells_of(one)] for cells, one in found)
    return found


def add_columns(directory: Path, found: list[tuple[list[str], Regret]]) -> None:
    """Gives sweep.csv the columns of SWEEP_COLUMNS, or their values again; empty in the rows of runs without results."""
    path = directory / "sweep.csv"
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    kept = [place for place, name in enumerate(rows[0]) if name not in SWEEP_COLUMNS]
    point, seed = rows[0].index("point"), rows[0].index("seed")
    places = [TABLE_COLUMNS.index(name) for name in SWEEP_COLUMNS]
    regrets = {tuple(map(str, cells[:2])): [str(cells_of(one)[place]) for place in places] for cells, one in found}
    written = path.with_suffix(".csv.part")
    with open(written, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*(rows[0][place] for place in kept), *SWEEP_COLUMNS])
        for row in rows[1:]:
            writer.writerow([*(row[place] for place in kept), *regrets.get((row[point], row[seed]), [""] * len(SWEEP_COLUMNS))])
    written.replace(path)
