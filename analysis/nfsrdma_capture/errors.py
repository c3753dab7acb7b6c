# SPDX-License-Identifier: GPL-2.0-only
"""Errors a user can cause."""


class CaptureError(Exception):
    """A capture that cannot be used; the text is one line for the user."""
