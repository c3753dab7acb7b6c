# SPDX-License-Identifier: GPL-2.0-only
"""The pages that the documentation is made of; all of it is made where Sphinx and Doxygen are installed.

NFSRDMA_READERS=required has a program that is not there fail the test and not skip it.
"""

from __future__ import annotations

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
    assert "| `rate` | rate | `100Gbps` | rate of every link, each direction |" in page


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
    if os.environ.get("NFSRDMA_READERS") != "required":
        pytest.skip("it takes half a minute: the nightly run makes it")
    assert make_docs.main(["--out", str(tmp_path / "docs"), "--simulator", str(simulator)]) == 0
    page = (tmp_path / "docs/index.html").read_text()
    assert 'href="api/index.html"' in page and 'href="tutorial.html"' in page
    assert "QueuePair" in (tmp_path / "docs/api/annotated.html").read_text()


def test_a_simulator_that_is_not_there_is_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(make_docs.shutil, "which", lambda name: name)
    assert make_docs.main(["--out", str(tmp_path / "docs"), "--simulator", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"docs: {tmp_path}/none: No such file or directory\n"
    monkeypatch.setattr(make_docs.shutil, "which", lambda name: None)
    assert make_docs.main([]) == 2
    assert capsys.readouterr().err == "docs: sphinx-build: not found\n"
