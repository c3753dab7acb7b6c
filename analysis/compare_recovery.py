#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare how Linux and the model came through loss and restarts: captures at the client.

REAL is a capture of Linux; each SIMULATED is one of the same work, as of several seeds: of these the least,
the median and the largest value are shown. Counted are RPCs and those sent again, connections and how they ended,
segments with data and repeated ones of each side, times of repair, of RPCs and of pauses. Then the connections
and, if calls were sent again, the order of RPCs from there on. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

import entry
from nfsrdma_capture.errors import CaptureError
from nfsrdma_capture.recovery import Recovery, read_recovery


def _milliseconds(time: float | None) -> float | None:
    return None if time is None else time / 1e6


def _median(values: list[int]) -> float | None:
    return _milliseconds(statistics.median(values)) if values else None


def _largest(values: list[int]) -> float | None:
    return _milliseconds(max(values)) if values else None


def _measures(recovery: Recovery) -> dict[str, float | None]:
    repairs = recovery.client.repairs + recovery.server.repairs
    measures = {
        "RPCs": len(recovery.rpcs),
        "RPCs sent again": recovery.resent,
        "RPCs without reply": sum(rpc.completed is None for rpc in recovery.rpcs),
        "connections established": sum(connection.established is not None for connection in recovery.connections),
        "attempts refused": sum(connection.refused is not None for connection in recovery.connections),
        "segments with data, client": recovery.client.segments,
        "repeated, client": recovery.client.repeated,
        "segments with data, server": recovery.server.segments,
        "repeated, server": recovery.server.repeated,
        "repeated, % of all": 100 * recovery.share,
        "time of repair, median ms": _median(repairs),
        "time of repair, largest ms": _largest(repairs),
        "longest silence in RPCs, ms": _milliseconds(recovery.longest_silence),
        "pauses before attempts, ms": _milliseconds(sum(recovery.pauses())),
    }
    for name in ("READ", "WRITE"):
        durations = [rpc.duration for rpc in recovery.rpcs if rpc.name == name and rpc.duration is not None]
        measures[f"{name}, median ms"] = _median(durations)
        measures[f"{name}, largest ms"] = _largest(durations)
    return measures


def _shown(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _list_measures(real: Recovery, simulated: list[Recovery]) -> list[str]:
    expected = _measures(real)
    found = [_measures(recovery) for recovery in simulated]
    lines = [f"{'':28} {'Linux':>10} {'least':>10} {'median':>10} {'largest':>10}"]
    for name, value in expected.items():
        values = [measures[name] for measures in found if measures[name] is not None]
        columns = [min(values), statistics.median_low(values), max(values)] if values else [None] * 3
        lines.append(f"{name:28} {_shown(value):>10} " + " ".join(f"{_shown(column):>10}" for column in columns))
    return lines


def _list_connections(title: str, recovery: Recovery) -> list[str]:
    lines = ["", f"{title}: connections, ms"]
    for number, connection in enumerate(recovery.connections, 1):
        parts = [f"{number}  SYN {connection.opened / 1e6:.3f}"]
        if connection.syns > 1:
            parts.append(f"{connection.syns} SYNs")
        if connection.refused is not None:
            parts.append(f"refused {connection.refused / 1e6:.3f}")
        if connection.mpa_request is not None:
            answer = "no answer" if connection.operational is None else f"Reply {connection.operational / 1e6:.3f}"
            parts.append(f"MPA Request {connection.mpa_request / 1e6:.3f}, {answer}")
        if connection.ended is not None:
            parts.append(f"{connection.end} of the {connection.ended_by} {connection.ended / 1e6:.3f}")
        lines.append("; ".join(parts))
    return lines


def _list_order(real: Recovery, simulated: Recovery) -> list[str]:
    orders = real.recovery_order(), simulated.recovery_order()
    if not orders[0] and not orders[1]:
        return []
    lines = ["", f"{'RPCs from the first one sent again on: Linux':48} model"]
    for index in range(max(map(len, orders))):
        names = [order[index] if index < len(order) else "-" for order in orders]
        lines.append(f"{names[0]:48} {names[1]}")
    lines.append("same order" if orders[0] == orders[1] else "not the same order")
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real", type=Path, metavar="REAL")
    parser.add_argument("simulated", type=Path, nargs="+", metavar="SIMULATED")
    options = parser.parse_args(arguments)
    try:
        real = read_recovery(options.real)
        simulated = [read_recovery(path) for path in options.simulated]
    except CaptureError as error:
        print(f"compare_recovery: {error}", file=sys.stderr)
        return 2
    lines = _list_measures(real, simulated)
    lines += _list_connections("Linux", real) + _list_connections("model", simulated[0])
    lines += _list_order(real, simulated[0])
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    entry.run(main)
