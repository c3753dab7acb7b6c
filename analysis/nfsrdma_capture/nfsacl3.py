# SPDX-License-Identifier: GPL-2.0-only
"""NFSACL version 3 arguments and results (fs/nfs_common/nfsacl.c of Linux), and access lists as text.

The keys are those of nfs3; further mask, acl and default_acl: lists in the short text form of acl(5), without
the mask entry that Linux adds to a minimal list on the wire.
"""

from __future__ import annotations

from . import nfs3
from .xdr import XdrError, XdrReader

PROCEDURES = ("NULL", "GETACL", "SETACL")
ACL, ACL_COUNT, DEFAULT_ACL, DEFAULT_ACL_COUNT = 1, 2, 4, 8
_DEFAULT_FLAG = 0x1000
_MAX_ENTRIES = 1024
_USER_OBJ, _USER, _GROUP_OBJ, _GROUP, _MASK, _OTHER = 1, 2, 4, 8, 16, 32
_NAMES = {_USER_OBJ: "user", _USER: "user", _GROUP_OBJ: "group", _GROUP: "group", _MASK: "mask", _OTHER: "other"}


def _entries(reader: XdrReader) -> list[tuple[int, int, int]]:
    """Entries of a list as (tag, id, permissions), sorted."""
    count, length = reader.uint(), reader.uint()
    if count > _MAX_ENTRIES or length > count:
        raise XdrError(f"access list of {count} entries, {length} of them there")
    entries = []
    for _ in range(length):
        tag, identifier, permissions = (reader.uint() for _ in range(3))
        tag &= ~_DEFAULT_FLAG
        if tag not in _NAMES:
            raise XdrError(f"access list entry of type {tag}")
        entries.append((tag, identifier, permissions & 7))
    return sorted(entries)


def _text(entries: list[tuple[int, int, int]]) -> str:
    permissions = {tag: bits for tag, _, bits in entries}
    if len(entries) == 4 and _MASK in permissions and permissions[_MASK] == permissions.get(_GROUP_OBJ):
        entries = [entry for entry in entries if entry[0] != _MASK]
    words = []
    for tag, identifier, bits in entries:
        who = str(identifier) if tag in (_USER, _GROUP) else ""
        letters = "".join(letter if bits & bit else "-" for letter, bit in (("r", 4), ("w", 2), ("x", 1)))
        words.append(f"{_NAMES[tag]}:{who}:{letters}")
    return ",".join(words)


def is_minimal(text: str) -> bool:
    """True for a list that says no more than a mode."""
    return len(text.split(",")) <= 3


def settable_lists(reader: XdrReader) -> dict:
    """What a SETACL sets, behind its mask."""
    result: dict = {}
    access, default = _entries(reader), _entries(reader)
    for key, tag in (("uid", _USER_OBJ), ("gid", _GROUP_OBJ)):
        result |= {key: identifier for entry, identifier, _ in access if entry == tag}
    return result | {"acl": _text(access), "default_acl": _text(default)}


def given_lists(reader: XdrReader) -> dict:
    """The mask of a GETACL's results, and the lists that it says are there."""
    mask = reader.uint()
    access, default = _entries(reader), _entries(reader)
    lists = {"acl": _text(access)} if mask & ACL else {}
    return lists | ({"default_acl": _text(default)} if mask & DEFAULT_ACL else {})


def decode_arguments(operation: str, reader: XdrReader) -> dict:
    """Arguments of a procedure; XdrError if they do not hold what the procedure takes."""
    if operation == "NULL":
        return nfs3.whole({}, reader)
    result = {"object": nfs3.file_handle(reader), "mask": reader.uint()}
    if operation == "SETACL":
        result |= settable_lists(reader)
    return nfs3.whole(result, reader)


def decode_results(operation: str, reader: XdrReader) -> dict:
    """Results of a procedure, status first; XdrError if they do not hold what the procedure gives."""
    if operation == "NULL":
        return nfs3.whole({"status": 0}, reader)
    result = {"status": reader.uint()} | nfs3.post_attributes(reader)
    if operation == "GETACL" and result["status"] == 0:
        result |= given_lists(reader)
    return nfs3.whole(result, reader)
