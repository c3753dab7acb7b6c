# SPDX-License-Identifier: GPL-2.0-only
"""How much memory reading captures may take."""

from __future__ import annotations

from .errors import CaptureError

MIB = 1 << 20


class Budget:
    """Octets that may be kept, of all captures that are read with it.

    Besides payloads it counts about what Python keeps for each connection, message and RPC.
    """

    CONNECTION = 3000
    HELD_SEGMENT = 150
    MESSAGE = 300
    SEND = 2200
    COMPOUND_OPERATION = 800
    ENTRY = 400

    def __init__(self, limit: int = 800 * MIB) -> None:
        self._limit = limit
        self._kept = 0

    def spend(self, octets: int) -> None:
        """CaptureError, without the name of the file, when there is no more."""
        self._kept += octets
        if self._kept > self._limit:
            raise CaptureError(f"takes more than {self._limit // MIB} MiB of memory: cut it in parts with editcap -c")
