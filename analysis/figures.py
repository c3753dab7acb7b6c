#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Draw the figures of a results directory, as PNG and PDF into it.

Which figures is said by manifest.json: "replay" draws latency and forms from rpc.csv; "sweep",
every other name ("reassembly-memory", "credits", ...) draws a figure of that name from sweep.csv. Prints the
paths. The same results give the same files. Exit status: 0 done, 2 unusable input.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from nfsrdma_figures import (
    attacks,
    curves,
    faults,
    framing,
    host,
    incast,
    program,
    reassembly,
    replay,
    sequence,
    style,
    sweep,
    timeline,
)
from nfsrdma_figures.results import (
    ResultsError,
    add_workload_columns,
    read_columns,
    read_manifest,
    read_rpcs,
    read_sweep,
    read_table,
)


def draw_replay(directory: Path, manifest: dict) -> list[Path]:
    rpcs = read_rpcs(directory)
    name = _scenario_name(directory, manifest)
    paths = style.save(replay.draw_latency(rpcs, f"{name}: latency by operation"), directory, "latency")
    return paths + style.save(replay.draw_forms(rpcs, f"{name}: transfer forms by operation"), directory, "forms")


def draw_sweep(directory: Path, manifest: dict) -> list[Path]:
    description = manifest.get("sweep")
    keys = description.get("keys") if isinstance(description, dict) else None
    if not isinstance(keys, list):
        raise ResultsError(f"{directory / 'manifest.json'}: figures ask for a sweep, but sweep.keys is no list")
    table = read_sweep(directory, keys)
    name = _scenario_name(directory, manifest)
    units = {key: sweep.base_unit(_configured(manifest, key)) for key in keys}
    if not keys:
        # Several seeds of one configuration: a single position, named after the scenario.
        keys = ["scenario"]
        table["scenario"] = name
    return style.save(sweep.draw_sweep(table, keys, name, units), directory, "sweep")


def draw_reassembly(directory: Path, manifest: dict) -> list[Path]:
    keys = ["cluster.clients", "middlebox.drop", "middlebox.mode", "rnic.mpa_markers"]
    table = read_columns(directory, keys, ["reassembly_peak_octets", "reassembly_mean_octets"])
    mtu, emss = _segment(manifest)
    rate = sweep.in_base_units(_configured(manifest, "link.rate"))
    links, frame = 3, (mtu + framing.ETHERNET) * 8 / rate
    passage = sum(sweep.in_base_units(_configured(manifest, key)) for key in ("link.switch_latency", "middlebox.latency"))
    delay = 2 * (links * sweep.in_base_units(_configured(manifest, "link.delay")) + passage) + links * frame
    path = reassembly.Path(rate, delay, emss)
    figure = reassembly.draw_reassembly(table, path, _scenario_name(directory, manifest))
    return style.save(figure, directory, "reassembly-memory")


def draw_framing(directory: Path, manifest: dict) -> list[Path]:
    table = read_columns(directory, ["link.mtu", "rnic.mpa_markers", "rnic.mpa_crc"], ["goodput_bps"])
    rate = sweep.in_base_units(_configured(manifest, "link.rate"))
    message = int(_configured(manifest, "workload.io_sizes").partition(":")[0])
    timestamps = _configured(manifest, "tcp.timestamps") == "true"
    figure = framing.draw_framing(table, rate, message, timestamps, _scenario_name(directory, manifest))
    return style.save(figure, directory, "framing-cost")


def draw_host(directory: Path, manifest: dict) -> list[Path]:
    table = read_columns(directory, [host.CORES, host.PROFILE], ["rpcs_per_second", "server_cpu_busy"])
    engine_costs = {}
    for _, row in table.drop_duplicates(host.PROFILE).iterrows():
        point = read_manifest(directory / "points" / f"{row['point']}-s{row['seed']}")
        costs = (_configured(point, key) for key in ("rnic.tx_per_wqe", "rnic.tx_per_fpdu"))
        engine_costs[row[host.PROFILE]] = sum(map(sweep.in_base_units, costs))
    call_cost = sweep.in_base_units(_configured(manifest, "host.server_call_cost"))
    figure = host.draw_host(table, call_cost, engine_costs, _scenario_name(directory, manifest))
    return style.save(figure, directory, "host-bound")


def draw_incast(directory: Path, manifest: dict) -> list[Path]:
    table = read_columns(directory, [incast.CONTROL, incast.DIRECTION], ["queue_mean_octets", "frames_dropped"])
    reads = table[table[incast.DIRECTION] == table[incast.DIRECTION].iloc[0]]
    queues = {}
    for _, row in reads.drop_duplicates(incast.CONTROL).iterrows():
        point = directory / "points" / f"{row['point']}-s{row['seed']}"
        samples = read_table(point / "queues.csv", ["time_s", "queue_octets"])
        port = samples.groupby(["switch", "peer"])["queue_octets"].sum().idxmax()
        queues[row[incast.CONTROL]] = samples[(samples["switch"] == port[0]) & (samples["peer"] == port[1])]
    sizes = (_configured(manifest, key) for key in ("link.mark_threshold", "topology.trunk_queue"))
    threshold, room = map(sweep.in_base_units, sizes)
    title = (
        f"{_scenario_name(directory, manifest)}: {_configured(manifest, 'cluster.clients')} clients and one server "
        f"over a link of {_configured(manifest, 'topology.trunk_rate')}"
    )
    return style.save(incast.draw_incast(table, queues, threshold, room, title), directory, "incast")


def draw_faults(directory: Path, manifest: dict) -> list[Path]:
    table = read_columns(directory, [faults.FAULT, faults.VERSION], ["duration_s"])
    if faults.NONE not in set(table[faults.FAULT]):
        raise ResultsError(f"{directory / 'sweep.csv'}: no run without a fault")
    return style.save(faults.draw_faults(table, _scenario_name(directory, manifest)), directory, "fault-cost")


def draw_guesses(directory: Path, manifest: dict) -> list[Path]:
    text = ("point", *attacks.KEYS_OF_BARS, "what")
    rows = read_table(directory / "adversaries.csv", ["point", *attacks.KEYS_OF_BARS, "what", "count"], text)
    return style.save(attacks.draw_guesses(rows, _scenario_name(directory, manifest)), directory, "guessed-stags")


def draw_curves(name: str, directory: Path, manifest: dict) -> list[Path]:
    figure = curves.FIGURES[name]
    columns = [metric.column for metric in figure.metrics]
    table = read_columns(directory, figure.keys, [column for column in columns if ":" not in column])
    table = add_workload_columns(directory, table, [column for column in columns if ":" in column])
    return style.save(curves.draw_curves(table, figure, _scenario_name(directory, manifest)), directory, name)


def draw_sequences(directory: Path, manifest: dict) -> list[Path]:
    """A chart for each operation of messages.csv, of its first RPC."""
    table = sequence.read_messages(directory)
    paths = []
    for operation in dict.fromkeys(name for name in table["operation"] if name):
        chart = sequence.make_chart(sequence.choose(table, None, operation, 1))
        name = "sequence-" + operation.lower().replace(" ", "-")
        (directory / f"{name}.txt").write_text(sequence.draw_text(chart), encoding="utf-8")
        paths += [directory / f"{name}.txt", *style.save(sequence.draw_chart(chart), directory, name)]
    return paths


def draw_loss(directory: Path, manifest: dict) -> list[Path]:
    seen = timeline.read_timeline(directory)
    title = f"{_scenario_name(directory, manifest)}: {seen.client}"
    return style.save(timeline.draw_timeline(seen, title), directory, "connection-loss")


def _segment(manifest: dict) -> tuple[int, int]:
    """MTU and EMSS."""
    mtu = int(sweep.in_base_units(_configured(manifest, "link.mtu")))
    return mtu, framing.Framing(mtu, False, _configured(manifest, "tcp.timestamps") == "true").emss


def _configured(manifest: dict, key: str) -> str:
    """Value of section.key with its unit, as the manifest records it."""
    section, _, name = key.partition(".")
    values = (manifest.get("config") or {}).get(section)
    return str(values.get(name, "")) if isinstance(values, dict) else ""


def _scenario_name(directory: Path, manifest: dict) -> str:
    scenario_file = manifest.get("scenario_file")
    return Path(scenario_file).stem if scenario_file else directory.resolve().name


DRAWERS = {
    "replay": draw_replay,
    "sweep": draw_sweep,
    "reassembly-memory": draw_reassembly,
    "framing-cost": draw_framing,
    "host-bound": draw_host,
    "incast": draw_incast,
    "sequence": draw_sequences,
    "connection-loss": draw_loss,
    "fault-cost": draw_faults,
    "guessed-stags": draw_guesses,
    **{name: partial(draw_curves, name) for name in curves.FIGURES},
}


def draw(directory: Path) -> list[Path]:
    """Draws what the manifest asks for; ResultsError if it cannot."""
    manifest = read_manifest(directory)
    paths = []
    for name in manifest.get("figures") or []:
        if name not in DRAWERS:
            known = ", ".join(sorted(DRAWERS))
            raise ResultsError(f"{directory / 'manifest.json'}: unknown figure {name}; known are {known}")
        paths += DRAWERS[name](directory, manifest)
    return paths


def main(arguments: list[str] | None = None) -> int:
    return program.run("figures", __doc__, draw, arguments)


if __name__ == "__main__":
    sys.exit(main())
