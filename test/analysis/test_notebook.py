# SPDX-License-Identifier: GPL-2.0-only
"""The notebook of analysis/ runs from its first cell to its last, where nbconvert is installed.

NFSRDMA_READERS=required has the test fail and not skip where it is not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess

import pytest

NAME = "inline-threshold.ipynb"


def test_the_notebook_is_kept_without_results(root):
    notebook = json.loads((root / "analysis" / NAME).read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 6
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_every_cell_runs_and_the_figure_is_shown(root, simulator, tmp_path):
    program = shutil.which("jupyter-nbconvert", path="/usr/bin")
    if program is None or importlib.util.find_spec("ipykernel") is None:
        assert os.environ.get("NFSRDMA_READERS") != "required", "jupyter-nbconvert or python3-ipykernel is not installed"
        pytest.skip("jupyter-nbconvert or python3-ipykernel is not installed")
    shutil.copy(root / "analysis" / NAME, tmp_path)
    done = subprocess.run(
        [program, "--to", "notebook", "--execute", "--output", "done.ipynb", NAME], cwd=tmp_path, capture_output=True, text=True,
        check=False, env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(root / "analysis"), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    cells = [cell for cell in json.loads((tmp_path / "done.ipynb").read_text())["cells"] if cell["cell_type"] == "code"]
    shown = [output for cell in cells for output in cell["outputs"]]
    assert any("data:image/png;base64" in "".join(output.get("data", {}).get("text/html", "")) for output in shown)
    assert "".join(cells[-1]["outputs"][-1]["text"]).startswith("lowest mean latency with a threshold of ")
    progress = "".join("".join(output.get("text", "")) for output in shown if output.get("name") == "stderr")
    assert "9 of 9 runs" in progress
