# SPDX-License-Identifier: GPL-2.0-only
"""Every kind of figure that can be drawn of results, by its name and where keys of a sweep lie."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas
from nfsrdma_method.place import COMMAND

from . import asked, distribution, facets, histogram, measured, phases, request, shares, stack, style, utilisation
from .caption import write_caption
from .facets import Drawing
from .request import Request
from .results import POINTS, Manifest, ResultsError, add_workload_columns, read_table
from .units import base_unit

#: Columns by which curves of one run may be told apart.
SPLITS = ("operation", "form", "client", "workload", "all")
_MOST_CURVES = 8
FAIRNESS = {"jain_index": shares.jain_index, "max_min_share": shares.max_min_share}


def read_sweep(manifest: Manifest, chosen: Request, columns: list[str]) -> tuple[pandas.DataFrame, list[str], dict[str, str]]:
    """The rows kept of sweep.csv, with some columns; the swept keys; their units."""
    keys = manifest.swept_keys
    units = {key: base_unit(manifest.text(key)) for key in keys}
    plain = [column for column in columns if ":" not in column]
    table = read_table(manifest.directory / "sweep.csv", ["point", "seed", *keys, *plain], ("point", *keys), POINTS)
    try:
        table = add_workload_columns(manifest.directory, table, [column for column in columns if ":" in column])
    except ValueError:
        raise ResultsError("metric: expected a column of sweep.csv or WORKLOAD:ITEM:COLUMN") from None
    return request.keep(table, keys, chosen, units), keys, units


def tell_runs(table: pandas.DataFrame) -> str:
    """How many runs a figure of a sweep rests on."""
    runs = table.groupby("point").size()
    each = str(runs.min()) if runs.min() == runs.max() else f"{runs.min()} to {runs.max()}"
    return f"{each} runs for each of {len(runs)} points"


def draw_of_sweep(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    chosen = request.parse(words, ("metric", "throughput"))
    columns = list(facets.metrics_of(chosen))
    if kind == "latency-throughput":
        columns += [chosen.option("throughput", "rpcs_per_second"), "latency_p99_us", "latency_mean_us"]
    table, keys, units = read_sweep(manifest, chosen, list(dict.fromkeys(columns)))
    drawings = facets.KINDS[kind](table, keys, chosen, units, manifest.name)
    return [(drawing, tell_runs(table)) for drawing in drawings]


def draw_distribution(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    chosen = request.parse(words, ("with", "operation", "pooled"))
    pooled = chosen.option("pooled", "no")
    others = [Manifest(Path(name)) for name in chosen.options.get("with", ())]
    series = chosen.roles.get("series", ())
    splits = [name for name in series if "." not in name]
    split = splits[0] if splits else "all" if others or series else "operation"
    if len(splits) > 1 or split not in SPLITS or set(chosen.roles) - {"series"} or pooled not in ("yes", "no"):
        raise ResultsError(
            f"{kind}: expected series=KEY, series= one of {', '.join(SPLITS)}, operation=NAME, pooled=yes, KEY=VALUE or with=DIR"
        )
    curves: dict[str, list] = {}
    for results in (manifest, *others):
        prefix = results.directory.resolve().name if others else ""
        for text, directories in runs_of(results, chosen, [name for name in series if "." in name]).items():
            for directory in directories:
                for name, sample in split_latencies(directory, split, chosen.options.get("operation", ())):
                    label = " ".join(part for part in (prefix, text, name) if part)
                    curves.setdefault(label or "all RPCs", []).append(sample)
    names = sorted(curves, key=lambda name: (-sum(map(len, curves[name])), name))
    curves = {name: curves[name] for name in names[:_MOST_CURVES]}
    runs = max(map(len, curves.values()))
    if pooled == "yes":
        curves = {name: [distribution.pool(samples)] for name, samples in curves.items()}
    figure = distribution.draw(curves, f"{manifest.name}: latency, to where {distribution.LEAST_BEYOND} RPCs lie beyond", kind == "tail")
    shows = f"share of RPCs that took {'longer' if kind == 'tail' else 'no longer'} than a time; " + (
        f"the RPCs of {runs} runs as one sample; RPCs of a run are not independent of each other, so that no interval is given."
        if pooled == "yes" else
        f"each quantile is the mean over {runs} runs, shaded its 95 % interval (Student's t)." if runs > 1
        else "one run, whose RPCs are not independent of each other, so that no interval is given."
    )  # fmt: skip
    notes = (*distribution.notes(curves), *tell_left(len(names), _MOST_CURVES, "others with fewer RPCs"))
    return [(Drawing("", figure, shows, notes), f"{sum(map(len, sum(curves.values(), [])))} RPCs of {runs} runs")]


def split_latencies(directory: Path, split: str, operations: Sequence[str]) -> list[tuple[str, distribution.Sample]]:
    """The latencies measured in a run: of rpc.csv where it is there, else the histograms."""
    has_histograms = split in histogram.SPLITS and (directory / "histograms.csv").exists()
    if has_histograms and not (directory / "rpc.csv").exists():
        return histogram.read_histograms(directory, split, operations)
    return [(name, group["latency_us"].to_numpy()) for name, group in split_rpcs(directory, split, operations)]


def split_rpcs(directory: Path, split: str, operations: Sequence[str]) -> list[tuple[str, pandas.DataFrame]]:
    """The RPCs measured in a run, by the values of a column; only some operations, if any are named."""
    path = directory / "rpc.csv"
    rpcs = measured.read_measured(directory)
    for name in operations:
        if name not in set(rpcs["operation"]):
            raise ResultsError(f"{path}: no {name} measured; operations are {', '.join(sorted(set(rpcs['operation'])))}")
    if operations:
        rpcs = rpcs[rpcs["operation"].isin(operations)]
    if split == "all":
        return [("", rpcs)]
    if split not in rpcs:
        raise ResultsError(f"{path}: column {split} is missing")
    return [(str(name), group) for name, group in rpcs.groupby(split)]


def runs_of(manifest: Manifest, chosen: Request, series: list[str]) -> dict[str, list[Path]]:
    """Directories of runs by the values of the keys in series; all other keys of a sweep must have one value."""
    if not manifest.is_sweep:
        if series or chosen.kept:
            raise ResultsError(f"{manifest.directory}: is one run, without keys to choose by")
        return {"": [manifest.directory]}
    table, keys, units = read_sweep(manifest, Request({"series": tuple(series)}, {}, chosen.kept, ()), [])
    for key in keys:
        if key not in series and table[key].nunique() > 1:
            raise ResultsError(f"{key}: has several values in this sweep; choose one as {key}=VALUE, or all as series={key}")
    texts = request.combine(table, series, units)
    return {
        text: [manifest.directory / "points" / f"{row.point}-s{row.seed}" for row in table[texts == text].itertuples()]
        for text in request.in_order(table, series, units)
    }


def draw_fairness(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    if manifest.is_sweep:
        return draw_fairness_of_sweep(manifest, words)
    request.parse(words)
    if words:
        raise ResultsError(f"fairness of a run: got {words[0]}, expected no more")
    rpcs = measured.read_measured(manifest.directory)
    seconds = measured.window_s(manifest.directory)
    populations = rpcs.groupby("workload") if "workload" in rpcs else [("all clients", rpcs)]
    rates = {str(name): {str(client): len(group) / seconds for client, group in part.groupby("client")} for name, part in populations}
    figure = shares.draw(rates, f"{manifest.name}: RPCs a second of each client")
    notes = tuple(
        f"{name}: {len(part)} clients, Jain's index {shares.jain_index(list(part.values())):.6f}, max-min share "
        f"{shares.max_min_share(list(part.values())):.6f}." for name, part in rates.items()
    )  # fmt: skip
    shows = "RPCs completed in the window over its length, by client from least to most; dashed: the equal share. One run, no interval."
    return [(Drawing("", figure, shows, notes), f"{len(rpcs)} RPCs of {rpcs['client'].nunique()} clients")]


def draw_fairness_of_sweep(manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    """Of the operations a second of each client in workloads.csv, all items of a workload together."""
    chosen = request.parse(words, ("workload",))
    table, keys, units = read_sweep(manifest, chosen, [])
    path = manifest.directory / "workloads.csv"
    rows = read_table(path, ["point", "seed", "workload", "client", "per_second"], ("point", "workload", "client"))
    rows = rows[rows["client"] != "all"]
    workload = chosen.option("workload", rows["workload"].iloc[0] if len(rows) else "")
    rows = rows[rows["workload"] == workload]
    if rows.empty:
        raise ResultsError(f"{path}: no clients of workload {workload}")
    rates = rows.groupby(["point", "seed", "client"])["per_second"].sum().groupby(["point", "seed"])
    for name, function in FAIRNESS.items():
        shown = rates.apply(function).rename(name).reset_index()
        table = table.merge(shown, on=["point", "seed"], how="left")
    chosen = Request(chosen.roles, {"metric": tuple(FAIRNESS)}, chosen.kept, chosen.words)
    drawings = facets.draw_lines(table, keys, chosen, units, f"{manifest.name}, workload {workload}")
    return [(drawing, tell_runs(table)) for drawing in drawings]


def draw_stack(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    refuse_words(kind, words)
    table, segments = stack.read_stack(manifest.directory)
    figure = stack.draw(table, segments, f"{manifest.name}: where the time of an RPC went")
    shows = "mean time of an RPC in each segment, whose sum is its latency, by operation and form. One run, no interval."
    notes = tell_left(len(table), stack.MOST_ROWS, "operations and forms with fewer RPCs")
    return [(Drawing("", figure, shows, notes), f"{table['rpcs'].sum():.0f} RPCs")]


def draw_utilisation(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    refuse_words(kind, words)
    found = utilisation.read_shares(manifest.directory)
    figure = utilisation.draw(found, f"{manifest.name}: the busiest")
    notes = tell_left(len(found), utilisation.MOST_ROWS, "resources that were less busy")
    shows = "busy time over the time measured, the busiest first. One run, no interval."
    return [(Drawing("", figure, shows, notes), f"{len(found)} resources")]


def draw_time(kind: str, manifest: Manifest, words: list[str]) -> list[tuple[Drawing, str]]:
    refuse_words(kind, words)
    rpcs = measured.read_all(manifest.directory)
    spans = phases.read_phases(manifest.directory, rpcs)
    marks = phases.read_marks(manifest.directory, int(rpcs["complete_ns"].max()))
    figure = phases.draw(rpcs, spans, marks, f"{manifest.name}: rate and latency against time")
    shows = (
        f"RPCs completed a second, and latency of those that arrived, in {phases.BINS} bins of equal length; a percentile only "
        f"in bins that have {distribution.LEAST_BEYOND} RPCs beyond it. One run, no interval."
    )
    return [(Drawing("", figure, shows, tuple(phases.notes(spans, marks))), f"{len(rpcs)} RPCs, of all phases")]


def tell_left(there: int, drawn: int, what: str) -> tuple[str, ...]:
    return (f"Not drawn: {there - drawn} {what}.",) if there > drawn else ()


def refuse_words(kind: str, words: list[str]) -> None:
    if words:
        raise ResultsError(f"{kind}: got {words[0]}, expected no more")


KINDS: dict[str, Callable[[str, Manifest, list[str]], list[tuple[Drawing, str]]]] = {
    **{kind: draw_of_sweep for kind in facets.KINDS},
    "cdf": draw_distribution,
    "tail": draw_distribution,
    "fairness": draw_fairness,
    "stack": draw_stack,
    "utilisation": draw_utilisation,
    "time": draw_time,
}


def plot(directory: Path, kind: str, words: list[str], tell: Callable[[str], None] = print) -> list[Path]:
    """Draws and writes; returns the paths. ResultsError if it cannot, and nothing is written then."""
    if kind == "auto":
        refuse_words(kind, words)
        return asked.draw(directory, tell)
    if kind not in KINDS:
        raise ResultsError(f"{kind}: no kind of figure; known are auto, {', '.join(KINDS)}")
    manifest = Manifest(directory)
    if kind in facets.KINDS and not manifest.is_sweep:
        raise ResultsError(f"{directory}: {kind} draws a sweep, and this is one run")
    drawn = KINDS[kind](kind, manifest, words)
    if manifest.partial:
        tell(f"{directory}: {manifest.partial}")
    command = shlex.join([COMMAND, "plot", "RESULTS", kind, *words])
    captions = [
        write_caption(manifest, drawing.shows, samples, list(drawing.notes), command) for drawing, samples in drawn
    ]
    paths = []
    for (drawing, _), caption in zip(drawn, captions):
        name = "-".join(part for part in (kind, drawing.name.replace(":", "-")) if part)
        paths += style.save(drawing.figure, directory, name)
        paths.append(directory / f"{name}.txt")
        paths[-1].write_text(caption, encoding="utf-8")
    return paths
