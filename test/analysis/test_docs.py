# SPDX-License-Identifier: GPL-2.0-only
"""The pages that the documentation is made of; all of it is made where Sphinx and Doxygen are installed.

NFSRDMA_READERS=required has a program that is not there fail the test and not skip it.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys

import make_docs
import pytest


@pytest.fixture(scope="module")
def listing(simulator) -> str:
    return subprocess.run([simulator, "--list-keys"], check=True, capture_output=True, text=True).stdout


def test_every_key_has_its_row(listing):
    page = make_docs.describe_keys(listing)
    names = [line.split()[0] for line in listing.splitlines()[1:]]
    assert len(names) > 700 and len(set(names)) == len(names)
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    told = [f"{part.split()[0]}.{name}" for part in sections for name in re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)]
    assert told == names
    for line in page.splitlines():
        if line.startswith("| `"):
            assert len(re.split(r"(?<!\\)\|", line)) == 6, line
    assert "| `rate` | rate | `100Gbps` | rate of every link in each direction |" in page


def test_every_scenario_has_its_comment(root):
    page = make_docs.describe_scenarios()
    scenarios = [path for path in root.glob("scenarios/*/*.ini") if path.parent.name not in ("profiles", "validation")]
    assert len(scenarios) > 80
    for path in scenarios:
        assert f"\n### {path.stem}\n" in page
    assert "\n```\nPAUSE and its price." in page


def test_markdown_does_not_take_text_for_its_own():
    assert make_docs.escape("a_b *c* <d> [e] f|g") == r"a\_b \*c\* \<d\> \[e\] f\|g"


def test_links_of_a_document_lead_to_copies(root, tmp_path):
    make_docs.copy_with_links(root / "README.md", tmp_path)
    assert (tmp_path / "README.md").read_text() == (root / "README.md").read_text()
    assert (tmp_path / "analysis/gallery/latency.png").exists()
    assert not (tmp_path / "helper").exists(), "documents have their own turn"


def test_classes_are_in_the_group_of_their_storey(root):
    sys.path.insert(0, str(root / "analysis/guide"))
    from group_by_storey import group

    for header in ("model/mpa/tcp-engine.h", "model/rnic/queue/async-event.h", "helper/cluster.h"):
        text = (root / header).read_text()
        grouped = group(root / header, text)
        storey = header.split("/")[1] if header.startswith("model") else "helper"
        assert grouped.count(f"\\addtogroup {storey} */ /** @{{ */") == 1 == grouped.count("/** @} */")
        assert grouped.count("\n") == text.count("\n"), "warnings name lines"


def test_each_storey_has_a_group(root):
    groups = re.findall(r"\\defgroup (\w+) ", (root / "analysis/guide/storeys.dox").read_text())
    assert sorted(groups) == sorted(["helper", *(path.name for path in (root / "model").iterdir() if path.is_dir())])


def test_the_whole_is_made_without_a_warning(simulator, tmp_path):
    for program in ("sphinx-build", "doxygen"):
        if shutil.which(program) is None:
            assert os.environ.get("NFSRDMA_READERS") != "required", f"{program} is not installed"
            pytest.skip(f"{program} is not installed")
    assert make_docs.main(["--out", str(tmp_path / "docs"), "--simulator", str(simulator)]) == 0
    page = (tmp_path / "docs/index.html").read_text()
    assert 'href="api/index.html"' in page and 'href="analysis/guide/tutorial.html"' in page
    assert "QueuePair" in (tmp_path / "docs/api/annotated.html").read_text()


def test_a_simulator_that_is_not_there_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(make_docs.shutil, "which", lambda name: name)
    assert make_docs.main(["--out", str(tmp_path / "docs"), "--simulator", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"docs: {tmp_path}/none: No such file or directory\n"
    monkeypatch.setattr(make_docs.shutil, "which", lambda name: None)
    assert make_docs.main([]) == 2
    assert capsys.readouterr().err == "docs: sphinx-build: not found\n"


def commands_of(page: str) -> list[list[str]]:
    """The commands of ./start in a page of the guide, as words."""
    return [line.split()[1:] for line in re.findall(r"^    (\./start .*)$", page, re.MULTILINE)]


def test_the_tutorial_works_and_says_what_one_sees(root, simulator, tmp_path, run_program, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (root / "analysis/guide/tutorial.md").read_text()
    lines = re.search(r"    # READs of 1 KiB.*?\n\n(?=\S)", page, re.DOTALL)[0]
    scenario = "\n".join(line.removeprefix("    ") for line in lines.splitlines())
    (tmp_path / "small-reads.ini").write_text(scenario)
    (tmp_path / "one-size.ini").write_text(scenario[: scenario.index("[sweep]")])
    done = {}
    for command, *words in commands_of(page):
        if command == "run":
            figure = words.index("--figure") if "--figure" in words else len(words)
            name = words[0].removesuffix(".ini")
            out = [] if "--out" in words else ["--out", f"results/{name}"]
            run = subprocess.run([simulator, "run", *words[:figure], *out], capture_output=True, text=True, check=False)
            assert run.returncode == 0, run.stderr
            if figure < len(words):
                assert run_program("plot.py", f"results/{name}", "lines", *words[figure + 1 :]).returncode == 0
        elif command == "plot":
            assert run_program("plot.py", *words).returncode == 0
        else:
            assert command in ("compare", "sensitivity", "artifact", "reproduce")
        done[command] = done.get(command, 0) + 1
    assert done["run"] == 4 and done["plot"] == 3
    with open("results/small-reads/sweep-summary.csv", encoding="utf-8") as file:
        rows = {(row["workload.bs"], row["rpcrdma.inline_threshold"]): row for row in csv.DictReader(file)}
    small, large = rows["4096", "1024"], rows["4096", "8192"]
    told = [f"{float(row[f'latency_{p}_us']):.1f} us" for p in ("p50", "p99") for row in (small, large)]
    assert told == re.findall(r"[\d.]+ us", page[page.index("For\n4 KiB it is") : page.index("For 16 KiB")])
    assert float(rows["16384", "32768"]["latency_p50_us"]) - float(rows["16384", "8192"]["latency_p50_us"]) == pytest.approx(2, abs=0.1)


def test_the_first_steps_work(root, simulator, tmp_path, run_program):
    page = (root / "analysis/guide/getting-started.md").read_text()
    commands = commands_of(page)
    assert [words[0] for words in commands] == ["run", "run", "sequence", "run"]
    for command, *words in commands:
        if command == "run":
            out = [] if "--out" in words else ["--out", "results/linux-replay"]
            done = subprocess.run([simulator, "run", *words, *out], capture_output=True, text=True, check=False, cwd=tmp_path)
            assert done.returncode == 0 and "digest" in done.stdout, done.stderr
    assert (tmp_path / "results/linux-replay/client-0.pcap").exists()
    assert run_program("sequence.py", tmp_path / "results/linux-replay", *commands[2][2:]).returncode == 0
    assert "636 operations" in page
