# SPDX-License-Identifier: GPL-2.0-only
"""An installed tree, and commands that see no other."""

from __future__ import annotations

import subprocess
from pathlib import Path


def call(*command: object, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False,
                          env={"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment})  # fmt: skip


def install(build: Path, folder: Path) -> Path:
    """Installs what is built in build, and moves it. Returns the prefix."""
    done = call("cmake", "--install", build, "--prefix", folder / "first", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "first").rename(folder / "moved")
    return folder / "moved"
