# SPDX-License-Identifier: GPL-2.0-only
"""The gallery: its table, its page, and small runs of it."""

from __future__ import annotations

import re
import struct
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

from nfsrdma_figures import asked
import make_gallery
import pytest
import synthetic_results
from nfsrdma_figures import curves, faults, gallery_page, gallery_table, style
from nfsrdma_figures.gallery_table import FIGURES, PERFTEST, Figure
from nfsrdma_figures.results import ResultsError
from test_figures import CURVES, FRAMING, HOST, HOST_BOUND, NETWORK, REASSEMBLY, THRESHOLDS
from test_incast_figure import make_incast

VOID = {"meta", "img", "br", "link", "hr", "input"}
FAULTS = {"faults.fault": ["none", "50th fpdu: drop", "at 1ms: crash for 1ms on server-0"], "nfs.version": ["3", "4.1"]}
SMALL = (
    Figure("latency", "Latency & forms", "Of <few> RPCs.", "linux-replay", data="rpc.csv"),
    Figure("forms", "Forms", "The same run.", "linux-replay", data="rpc.csv"),
    Figure(
        "inline-threshold", "A sweep", "Two points.", "inline-threshold",
        ("--set", "sweep.rpcrdma.inline_threshold=1KiB,4KiB", "--set", "workload.operations=30", "--runs", "1"),
        drawn="sweep",
    ),
    Figure("own", "Drawn by a function", "Of the same results.", "linux-replay", data="rpc.csv",
           draw=lambda results: _line(results)),
)  # fmt: skip


def _line(results):
    figure, axes = style.new_figure()
    axes.plot([0, (results / "rpc.csv").stat().st_size])
    return figure


class Page(HTMLParser):
    """Checks what HTML 5 wants of a page this simple, and keeps its links."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.links, self.names, self.texts = [], [], [], []
        self.tags = set()
        assert text.startswith("<!DOCTYPE html>\n")
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)) and all(value is not None for _, value in attributes)
        attributes = dict(attributes)
        if tag == "img":
            assert attributes["alt"] and int(attributes["width"]) > 0
        if "id" in attributes:
            assert attributes["id"] not in self.names
            self.names.append(attributes["id"])
        self.links += [attributes[name] for name in ("href", "src") if name in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def check_page(directory):
    page = Page((directory / "index.html").read_text(encoding="utf-8"))
    assert {"html", "head", "title", "body", "h1", "figure", "figcaption"} <= page.tags
    assert not page.tags & {"script", "link", "iframe"}
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.names
        else:
            assert not re.match(r"[a-z]+:|//|/", link), f"{link} is not below the page"
            assert (directory / link).is_file(), link
    return page


def test_the_table_names_scenarios_and_figures_that_are_there(root):
    assert len(FIGURES) >= 12
    assert len({figure.name for figure in FIGURES}) == len(FIGURES)
    for figure in FIGURES:
        assert re.fullmatch(r"[a-z0-9-]+", figure.name)
        assert figure.title and figure.caption.endswith(".")
        if figure.scenario == PERFTEST:
            continue
        text = next(root.glob(f"scenarios/*/{figure.scenario}.ini")).read_text(encoding="utf-8")
        if figure.draw is None and "[sweep]" in text:
            named = re.search(r"^figure = (\S+)$", text, re.M)
            assert (named[1] if named else "sweep") == (figure.drawn or figure.name)
            assert (figure.drawn or figure.name) in asked.DRAWERS


def test_every_figure_of_curves_is_in_the_gallery():
    assert set(curves.FIGURES) <= {figure.name for figure in FIGURES}


def test_every_scenario_of_the_table_resolves(root, simulator):
    for scenario, options in sorted({figure.run for figure in FIGURES if figure.scenario != PERFTEST}):
        done = subprocess.run(
            [simulator, "run", scenario, *options, "--print-config"],
            capture_output=True, text=True, check=False,
        )
        assert done.returncode == 0, done.stderr


def test_a_small_gallery(tmp_path, simulator, capfd):
    gallery = make_gallery.Gallery(tmp_path / "gallery", simulator, SMALL)
    gallery.make(SMALL)
    directory = gallery.directory
    page = check_page(directory)
    assert page.names == [figure.name for figure in SMALL]
    text = "".join(page.texts)
    for figure in SMALL:
        assert figure.title in text and figure.caption in text
        assert gallery.command_of(figure) in text
        octets = (directory / f"{figure.name}.png").read_bytes()
        assert octets.startswith(b"\x89PNG") and (directory / f"{figure.name}.pdf").read_bytes().startswith(b"%PDF")
        dots_per_metre = struct.unpack(">I", octets[octets.index(b"pHYs") + 4 :][:4])[0]
        assert dots_per_metre >= 200 / 0.0254 - 1
    assert "./start run inline-threshold --set sweep.rpcrdma.inline_threshold=1KiB,4KiB" in text
    # One run of a scenario is enough for all its figures.
    assert capfd.readouterr().err.count("linux-replay:") == 1
    before = (directory / "forms.png").read_bytes()
    (directory / "forms.png").unlink()
    gallery.make(make_gallery.choose(SMALL, ["forms"]))
    assert (directory / "forms.png").read_bytes() == before
    assert check_page(directory).names == page.names


def test_a_run_that_fails_is_told(tmp_path, simulator):
    wrong = replace(SMALL[0], options=("--set", "cluster.clients=0"))
    with pytest.raises(make_gallery.RunError, match="linux-replay .*: exit status 2"):
        make_gallery.Gallery(tmp_path, simulator, (wrong,)).make([wrong])


def test_unknown_names_are_refused(tmp_path, run_program):
    done = run_program("make_gallery.py", tmp_path / "g", "--only", "nonesuch")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "no figure nonesuch; known are sequence-read, " in done.stderr
    assert not (tmp_path / "g").exists()
    with pytest.raises(ResultsError):
        make_gallery.choose(SMALL, ["nonesuch"])


def test_the_list_has_every_figure(run_program):
    lines = run_program("make_gallery.py", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [figure.name for figure in FIGURES]


def test_an_image_that_is_none_is_refused(tmp_path, run_program):
    (tmp_path / "latency.png").write_bytes(b"\x89PNG")
    done = run_program("make_gallery.py", tmp_path, "--page")
    assert (done.returncode, done.stderr) == (2, f"figures: {tmp_path / 'latency.png'}: not an image in PNG\n")


def test_the_page_escapes_what_it_is_told(tmp_path):
    exhibit = gallery_page.Exhibit("a", 'T<i> & "q"', "C<script>", "run 'x' > y", "d a/b.csv", 10)
    page = Page(gallery_page.render([exhibit]))
    assert "script" not in page.tags and "d%20a/b.csv" in page.links


def _looks(artists):
    return [(artist.get_linestyle(), str(artist.get_marker()), artist.get_fillstyle()) for artist in artists]


@pytest.mark.parametrize(
    "make",
    [
        lambda path: synthetic_results.make_sweep(path, THRESHOLDS),
        lambda path: synthetic_results.make_sweep(path, FRAMING, 2, NETWORK, "framing-cost"),
        lambda path: synthetic_results.make_sweep(path, REASSEMBLY, 3, NETWORK, "reassembly-memory"),
        lambda path: synthetic_results.make_sweep(path, HOST_BOUND, 2, HOST, "host-bound"),
        lambda path: synthetic_results.make_sweep(path, FAULTS, 2, {}, "fault-cost"),
        make_incast,
        *[
            lambda path, name=name: synthetic_results.make_sweep(path, CURVES[name], 2, {}, name)
            for name in sorted(curves.FIGURES)
            if not any(":" in metric.column for metric in curves.FIGURES[name].metrics)
        ],
    ],
)
def test_what_a_legend_names_differs_without_colour(tmp_path, monkeypatch, make):
    drawn = []
    monkeypatch.setattr(style, "save", lambda figure, directory, name: drawn.append(figure) or [])
    directory = tmp_path / "results"
    directory.mkdir()
    asked.draw(make(directory))
    assert drawn
    for figure in drawn:
        for axes in figure.axes:
            handles, labels = axes.get_legend_handles_labels()
            lines = [handle[0] if hasattr(handle, "lines") and handle[0] is not None else handle for handle in handles]
            looks = _looks(line for line in lines if hasattr(line, "get_marker"))
            assert len(set(looks)) == len(looks), labels
            hatches = [patch.patches[0].get_hatch() for patch in lines if hasattr(patch, "patches")]
            assert len(set(hatches)) == len(hatches), labels


def test_added_time_is_that_above_a_run_without_a_fault(tmp_path):
    rows = [("none", "3", 1.0), ("a", "3", 1.5), ("none", "4.1", 2.0), ("a", "4.1", 2.25)]
    import pandas

    table = pandas.DataFrame(rows, columns=[faults.FAULT, faults.VERSION, "duration_s"])
    added = faults.added_time(table)
    assert added["3", "a"] == pytest.approx(0.5) and added["4.1", "a"] == pytest.approx(0.25)
    assert len(added) == 2 and gallery_table.PERFTEST == "perftest"
