# SPDX-License-Identifier: GPL-2.0-only
"""The frame of the programs that draw figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from .results import ResultsError


def run(name: str, description: str, draw: Callable[[Path], list[Path]], arguments: list[str] | None = None) -> int:
    """Has draw() work on the directory that the command line names; prints the paths it returns.

    Returns the exit status: 0 done, 2 unusable input, of which one line on stderr tells.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="RESULTS_DIR")
    options = parser.parse_args(arguments)
    return report(name, lambda: draw(options.results))


def report(name: str, work: Callable[[], list[Path]]) -> int:
    """Does the work of a program and prints the paths it returns.

    Returns the exit status: 0 done, 2 unusable input, of which one line on stderr tells.
    """
    try:
        paths = work()
    except ResultsError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{name}: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    for path in paths:
        print(path)
    return 0
