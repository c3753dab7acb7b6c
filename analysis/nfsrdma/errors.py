# SPDX-License-Identifier: GPL-2.0-only
"""What can go wrong with a run; each text is one line."""

from __future__ import annotations


class NfsRdmaError(Exception):
    """The base of all errors of this package."""


class ScenarioError(NfsRdmaError):
    """The scenario, a key or a value is wrong, or results cannot be read; nothing was written (exit status 2)."""


class NotVerified(NfsRdmaError):
    """The run ended, and its verification failed (exit status 1); its results are in the directory."""


class Stalled(NfsRdmaError):
    """The run made no more progress (exit status 3)."""
