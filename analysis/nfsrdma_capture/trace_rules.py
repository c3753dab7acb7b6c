# SPDX-License-Identifier: GPL-2.0-only
"""What the simulator takes in a trace and its tree; a capture may hold what no client can do again.

A row that breaks a rule is kept as one of program UNREAD, into which a replay does not look.
"""

from __future__ import annotations

import re
from collections import Counter

_MAX32 = 0xFFFFFFFF
_MAX_MODE = 0o7777
_MAX_NAME_OCTETS = 255
_SPEC = re.compile(r"(FIFO|SOCK|(CHR|BLK):\d+:\d+)")
_TIME = re.compile(r"(\d+)\.(\d{9})")
_OBJECT_ALONE = ("GETATTR", "READLINK", "FSSTAT", "FSINFO", "PATHCONF", "STATFS", "SETATTR", "ACCESS", "GETACL", "SETACL")
_OBJECT_AND_NAME = ("LOOKUP", "REMOVE", "RMDIR", "CREATE", "MKDIR", "SYMLINK", "MKNOD", "RENAME")
_NEEDED = {
    **dict.fromkeys(_OBJECT_ALONE, ("object",)),
    **dict.fromkeys(_OBJECT_AND_NAME, ("object", "name")),
    **dict.fromkeys(("READ", "WRITE", "COMMIT"), ("object", "offset", "count")),
    "READDIR": ("object", "cookie", "maxcount"),
    "READDIRPLUS": ("object", "cookie", "dircount", "maxcount"),
    "SYMLINK": ("object", "name", "target"),
    "RENAME": ("object", "name", "object2", "name2"),
    "LINK": ("object", "object2", "name2"),
    "ACCESS": ("object", "access"),
    "GETACL": ("object", "mask"),
    "SETACL": ("object", "mask"),
}
_KEPT = ("time", "reply_time", "client", "call_octets", "reply_octets")
UNREAD = "UNREAD"


def broken_rule(row: dict) -> str | None:
    """Why the simulator would refuse a row of NFSv2, NFSv3 or NFSACL; None when it would not."""
    for key in _NEEDED.get(row["operation"], ()):
        if row[key] == "":
            return f"no {key}"
    if row["program"] == "NFS3" and row["operation"] == "MKNOD" and not _SPEC.fullmatch(row["spec"]):
        return "no kind of special file"
    if row["mode"] and int(row["mode"], 8) > _MAX_MODE:
        return f"mode {row['mode']}"
    for key in ("atime", "mtime", "guard"):
        found = _TIME.fullmatch(row[key])
        if row[key] not in ("", "server") and (not found or int(found[1]) > _MAX32):
            return f"{key} {row[key]}"
    return None


def unread(row: dict) -> dict:
    """A row in the place of one that cannot be replayed."""
    kept = dict.fromkeys(row, "") | {key: row[key] for key in _KEPT}
    return kept | {"program": UNREAD, "operation": f"{row['program']} {row['operation']}"}


def in_order(row: dict) -> dict:
    """A row whose reply does not come before its call: damaged captures have such."""
    if row["reply_time"] and _nanoseconds(row["reply_time"]) < _nanoseconds(row["time"]):
        return row | {"reply_time": row["time"]}
    return row


def _nanoseconds(text: str) -> int:
    return int(text.replace(".", ""))


def handle_octets(root: int, other: int) -> str:
    """Lengths of handles, 0 for those that the simulator cannot have."""
    root = root if 8 <= root <= 64 else 0
    other = other if 16 <= other <= 64 else 0
    return f"handle_octets root={root} other={other}"


def is_file_name(name: str) -> bool:
    octets = name.encode("utf-8", "surrogateescape")
    return name not in ("", ".", "..") and b"/" not in octets and len(octets) <= _MAX_NAME_OCTETS


def tree_acl(text: str) -> str:
    """An access list, empty unless it is a valid one (posix_acl_valid() of Linux)."""
    if not text:
        return ""
    kinds = Counter(kind if not number else "named" for kind, number, _ in (e.split(":") for e in text.split(",")))
    once = all(kinds[kind] == 1 for kind in ("user", "group", "other"))
    return text if once and kinds["mask"] <= 1 and (not kinds["named"] or kinds["mask"]) else ""


def one_line(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
