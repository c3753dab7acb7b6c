# SPDX-License-Identifier: GPL-2.0-only
"""NFSACL version 2 arguments and results, with the keys of nfsacl3."""

from __future__ import annotations

from . import nfs2, nfsacl3
from .nfs3 import whole
from .xdr import XdrReader

PROCEDURES = ("NULL", "GETACL", "SETACL", "GETATTR", "ACCESS")


def decode_arguments(operation: str, reader: XdrReader) -> dict:
    """Arguments of a procedure; XdrError if they do not hold what the procedure takes."""
    if operation == "NULL":
        return whole({}, reader)
    result = {"object": nfs2.file_handle(reader)}
    if operation == "ACCESS":
        result["access"] = reader.uint()
    elif operation in ("GETACL", "SETACL"):
        result["mask"] = reader.uint()
        result |= nfsacl3.settable_lists(reader) if operation == "SETACL" else {}
    return whole(result, reader)


def decode_results(operation: str, reader: XdrReader) -> dict:
    """Results of a procedure, status first; XdrError if they do not hold what the procedure gives."""
    if operation == "NULL":
        return whole({"status": 0}, reader)
    result = {"status": reader.uint()}
    if result["status"] == 0:
        result["attributes"] = nfs2.attributes(reader)
        if operation == "GETACL":
            result |= nfsacl3.given_lists(reader)
        elif operation == "ACCESS":
            result["access"] = reader.uint()
    return whole(result, reader)
