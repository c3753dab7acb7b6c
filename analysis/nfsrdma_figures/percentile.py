# SPDX-License-Identifier: GPL-2.0-only
"""Which percentiles a sample carries: those with at least LEAST_BEYOND samples beyond them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

#: Samples that must lie beyond a percentile: fewer, and it is the latency of a handful of requests.
LEAST_BEYOND = 10

#: Columns of counts, best first: how many samples the percentiles of a row have.
COUNTS = ("operations", "rpcs", "count")


def least_count(share: float) -> int:
    """Samples that a percentile, 0 < share < 1, needs: 20 for the median, 1000 for p99, 10 000 for p99.9."""
    return math.ceil(LEAST_BEYOND / min(share, 1 - share) - 1e-6)


def carries(share: float, count: float) -> bool:
    return count >= least_count(share)


def share_of(column: str) -> float | None:
    """0.999 of latency_p999_us; None of a column that is no percentile."""
    match = re.search(r"(?:^|_)p(\d{2,4})(?:_|$)", column)
    return float(f"0.{match[1]}") if match and int(match[1]) else None


def highest_carried(count: int, shares: Iterable[float]) -> float | None:
    """The largest of some shares that count samples carry."""
    return max((share for share in shares if carries(share, count)), default=None)
