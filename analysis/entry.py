# SPDX-License-Identifier: GPL-2.0-only
"""How the programs of this folder begin and end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

# Before Matplotlib is imported: programs draw into files, whatever screen there is.
os.environ["MPLBACKEND"] = "Agg"


def run(main: Callable[[], int]) -> None:
    """Ends the process with the status of main(); quietly when who reads its output has enough, or it is interrupted."""
    for number in (signal.SIGPIPE, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    sys.exit(main())
