# SPDX-License-Identifier: GPL-2.0-only
"""Values of keys with their units, as scenarios and manifests have them."""

from __future__ import annotations

import re

VALUE = re.compile(r"([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z/%]*)")
BINARY_UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
SCALES = (
    {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0},
    {"bps": 1.0, "kbps": 1e3, "Kbps": 1e3, "Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12},
)


def base_unit(text: str) -> str:
    """Unit in which sweep.csv gives a key whose configured value is text: B, s, bps, or none."""
    match = VALUE.fullmatch(text.strip())
    if match is None or not match[2]:
        return ""
    if match[2] in BINARY_UNITS:
        return "B"
    return next((unit for scale in SCALES if match[2] in scale for unit in scale if scale[unit] == 1.0), "")


def in_base_units(text: str) -> float | None:
    """A configured value as a number: octets, seconds, bit/s; None when it is none."""
    match = VALUE.fullmatch(text.strip())
    if match is None:
        return None
    scales = (BINARY_UNITS, *SCALES)
    return float(match[1]) * next((scale[match[2]] for scale in scales if match[2] in scale), 1.0)
