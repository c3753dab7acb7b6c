# SPDX-License-Identifier: GPL-2.0-only
"""The figures that a scenario asks for, as manifest.json of its results says."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from nfsrdma_method.place import COMMAND

from . import (
    attacks,
    curves,
    facets,
    faults,
    framing,
    host,
    incast,
    reassembly,
    replay,
    request,
    requesters,
    sequence,
    style,
    sweep,
    timeline,
)
from .caption import write_caption
from .gallery_table import FIGURES
from .results import (
    Manifest,
    ResultsError,
    add_workload_columns,
    read_columns,
    read_rpcs,
    read_sweep,
    read_table,
    require_combinations,
)
from .units import base_unit


def draw_replay(manifest: Manifest) -> list[Path]:
    rpcs = read_rpcs(manifest.directory)
    name = manifest.name
    paths = style.save(replay.draw_latency(rpcs, f"{name}: latency by operation"), manifest.directory, "latency")
    return paths + style.save(replay.draw_forms(rpcs, f"{name}: transfer forms by operation"), manifest.directory, "forms")


def draw_sweep(manifest: Manifest) -> list[Path]:
    keys = manifest.swept_keys
    table = read_sweep(manifest.directory, keys)
    units = {key: base_unit(manifest.text(key)) for key in keys}
    if not keys:
        # Several seeds of one configuration: a single position, named after the scenario.
        keys = ["scenario"]
        table["scenario"] = manifest.name
    if len(keys) > 2:
        chosen = request.parse([f"metric={metric}" for metric in facets.METRICS], ("metric",))
        table = read_columns(manifest.directory, keys, list(facets.METRICS))
        paths = []
        for drawing in facets.draw_lines(table, keys, chosen, units, manifest.name):
            name = f"sweep-{drawing.name}" if drawing.name else "sweep"
            paths += style.save(drawing.figure, manifest.directory, name)
        return paths
    return style.save(sweep.draw_sweep(table, keys, manifest.name, units), manifest.directory, "sweep")


def draw_reassembly(manifest: Manifest) -> list[Path]:
    numbers = ["cluster.clients", "middlebox.drop", "reassembly_peak_octets", "reassembly_mean_octets"]
    table = read_columns(manifest.directory, ["middlebox.mode", "rnic.mpa_markers"], numbers)
    mtu = int(manifest.number("link.mtu", framing.LEAST_MTU))
    emss = framing.Framing(mtu, False, manifest.flag("tcp.timestamps")).emss
    rate = manifest.number("link.rate", 1)
    links, frame = 3, (mtu + framing.ETHERNET) * 8 / rate
    passage = sum(map(manifest.number, ("link.switch_latency", "middlebox.latency")))
    delay = 2 * (links * manifest.number("link.delay") + passage) + links * frame
    figure = reassembly.draw_reassembly(table, reassembly.Path(rate, delay, emss), manifest.name)
    return style.save(figure, manifest.directory, "reassembly-memory")


def draw_framing(manifest: Manifest) -> list[Path]:
    table = read_columns(manifest.directory, ["rnic.mpa_markers", "rnic.mpa_crc"], ["link.mtu", "goodput_bps"])
    if table["link.mtu"].min() < framing.LEAST_MTU:
        raise ResultsError(f"{manifest.directory / 'sweep.csv'}: column link.mtu: got {table['link.mtu'].min()}, expected an MTU")
    rate = manifest.number("link.rate", 1)
    message = manifest.number("workload.io_sizes", 1)
    figure = framing.draw_framing(table, rate, int(message), manifest.flag("tcp.timestamps"), manifest.name)
    return style.save(figure, manifest.directory, "framing-cost")


def draw_host(manifest: Manifest) -> list[Path]:
    table = read_columns(manifest.directory, [host.PROFILE], [host.CORES, "rpcs_per_second", "server_cpu_busy"])
    engine_costs = {}
    for _, row in table.drop_duplicates(host.PROFILE).iterrows():
        point = _point(manifest, row)
        engine_costs[row[host.PROFILE]] = point.number("rnic.tx_per_wqe") + point.number("rnic.tx_per_fpdu", 1e-12)
    figure = host.draw_host(table, manifest.number("host.server_call_cost", 1e-12), engine_costs, manifest.name)
    return style.save(figure, manifest.directory, "host-bound")


def draw_incast(manifest: Manifest) -> list[Path]:
    keys = [incast.CONTROL, incast.DIRECTION]
    table = read_columns(manifest.directory, keys, ["queue_mean_octets", "frames_dropped"])
    require_combinations(manifest.directory / "sweep.csv", table, keys)
    reads = table[table[incast.DIRECTION] == table[incast.DIRECTION].iloc[0]]
    queues = {}
    for _, row in reads.drop_duplicates(incast.CONTROL).iterrows():
        path = _point_directory(manifest, row) / "queues.csv"
        samples = read_table(path, ["time_s", "switch", "peer", "queue_octets"], ("switch", "peer"))
        port = samples.groupby(["switch", "peer"])["queue_octets"].sum().idxmax()
        queues[row[incast.CONTROL]] = samples[(samples["switch"] == port[0]) & (samples["peer"] == port[1])]
    threshold, room = manifest.number("link.mark_threshold"), manifest.number("topology.trunk_queue", 1)
    title = (
        f"{manifest.name}: {manifest.text('cluster.clients')} clients and one server "
        f"over a link of {manifest.text('topology.trunk_rate')}"
    )
    return style.save(incast.draw_incast(table, queues, threshold, room, title), manifest.directory, "incast")


def draw_faults(manifest: Manifest) -> list[Path]:
    path = manifest.directory / "sweep.csv"
    table = read_columns(manifest.directory, [faults.FAULT, faults.VERSION], ["duration_s"])
    require_combinations(path, table, [faults.FAULT, faults.VERSION])
    if set(table[faults.FAULT]) <= {faults.NONE} or faults.NONE not in set(table[faults.FAULT]):
        raise ResultsError(f"{path}: no runs with a fault and without")
    return style.save(faults.draw_faults(table, manifest.name), manifest.directory, "fault-cost")


def draw_requesters(manifest: Manifest) -> list[Path]:
    keys = [requesters.REQUESTER, requesters.MECHANISM]
    table = read_columns(manifest.directory, keys, [column for column in requesters.COLUMNS if ":" not in column])
    require_combinations(manifest.directory / "sweep.csv", table, keys)
    table = add_workload_columns(manifest.directory, table, [column for column in requesters.COLUMNS if ":" in column])
    return style.save(requesters.draw_requesters(table, manifest.name), manifest.directory, "slow-requesters")


def draw_guesses(manifest: Manifest) -> list[Path]:
    columns = ["point", *attacks.KEYS_OF_BARS, "what", "count"]
    rows = read_table(manifest.directory / "adversaries.csv", columns, (*attacks.KEYS_OF_BARS, "what"))
    return style.save(attacks.draw_guesses(rows, manifest.name), manifest.directory, "guessed-stags")


def draw_curves(name: str, manifest: Manifest) -> list[Path]:
    figure = curves.FIGURES[name]
    columns = [metric.column for metric in figure.metrics]
    table = read_columns(manifest.directory, figure.keys, [column for column in columns if ":" not in column])
    table = add_workload_columns(manifest.directory, table, [column for column in columns if ":" in column])
    return style.save(curves.draw_curves(table, figure, manifest.name), manifest.directory, name)


def draw_sequences(manifest: Manifest) -> list[Path]:
    """A chart for each operation of messages.csv, of its first RPC."""
    table = sequence.read_messages(manifest.directory)
    paths = []
    for operation in dict.fromkeys(name for name in table["operation"] if name):
        chart = sequence.make_chart(sequence.choose(table, None, operation, 1))
        paths += sequence.write_chart(chart, manifest.directory, "sequence-" + operation.lower().replace(" ", "-"))
    return paths


def draw_loss(manifest: Manifest) -> list[Path]:
    seen = timeline.read_timeline(manifest.directory)
    title = f"{manifest.name}: {seen.client}"
    return style.save(timeline.draw_timeline(seen, title), manifest.directory, "connection-loss")


def _point_directory(manifest: Manifest, row) -> Path:
    return manifest.directory / "points" / f"{row['point']}-s{row['seed']}"


def _point(manifest: Manifest, row) -> Manifest:
    return Manifest(_point_directory(manifest, row))


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
    "slow-requesters": draw_requesters,
    **{name: partial(draw_curves, name) for name in curves.FIGURES},
}


def effects_of(manifest: Manifest) -> list[str]:
    """What the key along x of the figure of a sweep does to what is drawn, a line each."""
    keys = manifest.swept_keys
    if not keys:
        return []
    units = {key: base_unit(manifest.text(key)) for key in keys}
    if len(keys) > 2:
        metrics, table = facets.METRICS, read_columns(manifest.directory, keys, list(facets.METRICS))
        words = []
    else:
        metrics, table = sweep.COLUMNS, read_sweep(manifest.directory, keys)
        words = [f"x={sweep.choose_axes(table, keys, units)[0].key}"]
    return [effect.tell() for effect in facets.effects_of(table, keys, request.parse(words), units, metrics)]


def draw_caption(manifest: Manifest, name: str) -> tuple[Path, list[str]]:
    """Writes NAME.txt; returns the effects that it tells of, too."""
    captions = {figure.drawn or figure.name: figure.caption for figure in FIGURES}
    if manifest.is_sweep:
        runs = read_columns(manifest.directory, [], []).groupby("point").size()
        each = str(runs.min()) if runs.min() == runs.max() else f"{runs.min()} to {runs.max()}"
        samples = f"{each} runs for each of {len(runs)} points"
        interval = "One run of each point: no intervals."
        if runs.max() > 1:
            interval = "Means over the seeds; bars are 95 % intervals (Student's t)."
    else:
        samples, interval = "1 run", "One run: no intervals."
    shows = captions.get(name, "rate, latency and registrations" if name == "sweep" else name)
    path = manifest.directory / f"{name}.txt"
    effects = effects_of(manifest) if name == "sweep" else []
    path.write_text(write_caption(manifest, shows, samples, [interval, *effects], f"{COMMAND} plot RESULTS auto"), encoding="utf-8")
    return path, effects


def draw(directory: Path, tell: Callable[[str], None] = lambda line: None) -> list[Path]:
    """Draws what the manifest asks for; ResultsError if it cannot. Effects found are told, a line each."""
    manifest = Manifest(directory)
    if manifest.partial:
        tell(f"{directory}: {manifest.partial}")
    paths = []
    for name in manifest.figures:
        if name not in DRAWERS:
            known = ", ".join(sorted(DRAWERS))
            raise ResultsError(f"{manifest.path}: unknown figure {name}; known are {known}")
        paths += DRAWERS[name](manifest)
    # A sequence chart is there as text, too: NAME.txt.
    captioned = [path for path in paths if path.suffix == ".png" and path.with_suffix(".txt") not in paths]
    for path in captioned:
        caption, effects = draw_caption(manifest, path.stem)
        paths.append(caption)
        for line in effects:
            tell(line)
    return paths
