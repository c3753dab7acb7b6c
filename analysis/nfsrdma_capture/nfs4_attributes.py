# SPDX-License-Identifier: GPL-2.0-only
"""Attributes of NFS version 4 (RFC 7531, RFC 5662, RFC 7863, RFC 8275, RFC 8276)."""

from __future__ import annotations

from . import nfs3
from .xdr import XdrError, XdrReader

FILE_TYPES = ("", "REG", "DIR", "BLK", "CHR", "LNK", "SOCK", "FIFO", "ATTRDIR", "NAMEDATTR")
_FILE_HANDLE_OCTETS = 128


def file_handle(reader: XdrReader) -> bytes:
    """nfs_fh4."""
    return reader.opaque(_FILE_HANDLE_OCTETS)


def time(reader: XdrReader) -> str:
    """nfstime4."""
    seconds, nanoseconds = reader.hyper(), reader.uint()
    return f"{seconds}.{nanoseconds:09d}"


def bitmap(reader: XdrReader) -> frozenset[int]:
    """bitmap4 as the set of its numbers."""
    words = [reader.uint() for _ in range(_count(reader))]
    return frozenset(32 * index + bit for index, word in enumerate(words) for bit in range(32) if word >> bit & 1)


def _count(reader: XdrReader) -> int:
    count = reader.uint()
    if count * 4 > reader.remaining:
        raise XdrError(f"array of {count} elements passes the end of the message")
    return count


def array(reader: XdrReader, element) -> list:
    """A counted array of what element reads."""
    return [element(reader) for _ in range(_count(reader))]


def ace(reader: XdrReader) -> tuple[int, int, int, str]:
    """nfsace4."""
    return reader.uint(), reader.uint(), reader.uint(), reader.string()


def _uint(reader: XdrReader) -> int:
    return reader.uint()


def _hyper(reader: XdrReader) -> int:
    return reader.hyper()


def _boolean(reader: XdrReader) -> bool:
    return reader.boolean()


def _string(reader: XdrReader) -> str:
    return reader.string()


def _two_uints(reader: XdrReader) -> tuple[int, int]:
    return reader.uint(), reader.uint()


def _two_hypers(reader: XdrReader) -> tuple[int, int]:
    return reader.hyper(), reader.hyper()


def _set_time(reader: XdrReader) -> str:
    return time(reader) if reader.boolean() else "server"


def _acl(reader: XdrReader) -> list:
    return array(reader, ace)


def _label(reader: XdrReader) -> tuple[int, int, bytes]:
    return reader.uint(), reader.uint(), reader.opaque()


def _layout_types(reader: XdrReader) -> list[int]:
    return array(reader, _uint)


_ATTRIBUTES = {
    0: ("supported_attrs", bitmap),
    1: ("type", _uint),
    2: ("fh_expire_type", _uint),
    3: ("change", _hyper),
    4: ("size", _hyper),
    5: ("link_support", _boolean),
    6: ("symlink_support", _boolean),
    7: ("named_attr", _boolean),
    8: ("fsid", _two_hypers),
    9: ("unique_handles", _boolean),
    10: ("lease_time", _uint),
    11: ("rdattr_error", _uint),
    12: ("acl", _acl),
    13: ("aclsupport", _uint),
    14: ("archive", _boolean),
    15: ("cansettime", _boolean),
    16: ("case_insensitive", _boolean),
    17: ("case_preserving", _boolean),
    18: ("chown_restricted", _boolean),
    19: ("filehandle", file_handle),
    20: ("fileid", _hyper),
    21: ("files_avail", _hyper),
    22: ("files_free", _hyper),
    23: ("files_total", _hyper),
    25: ("hidden", _boolean),
    26: ("homogeneous", _boolean),
    27: ("maxfilesize", _hyper),
    28: ("maxlink", _uint),
    29: ("maxname", _uint),
    30: ("maxread", _hyper),
    31: ("maxwrite", _hyper),
    32: ("mimetype", _string),
    33: ("mode", _uint),
    34: ("no_trunc", _boolean),
    35: ("numlinks", _uint),
    36: ("owner", _string),
    37: ("owner_group", _string),
    38: ("quota_avail_hard", _hyper),
    39: ("quota_avail_soft", _hyper),
    40: ("quota_used", _hyper),
    41: ("rawdev", _two_uints),
    42: ("space_avail", _hyper),
    43: ("space_free", _hyper),
    44: ("space_total", _hyper),
    45: ("space_used", _hyper),
    46: ("system", _boolean),
    47: ("time_access", time),
    48: ("time_access_set", _set_time),
    49: ("time_backup", time),
    50: ("time_create", time),
    51: ("time_delta", time),
    52: ("time_metadata", time),
    53: ("time_modify", time),
    54: ("time_modify_set", _set_time),
    55: ("mounted_on_fileid", _hyper),
    56: ("dir_notif_delay", time),
    57: ("dirent_notif_delay", time),
    60: ("change_policy", _two_hypers),
    62: ("fs_layout_types", _layout_types),
    64: ("layout_types", _layout_types),
    65: ("layout_blksize", _uint),
    66: ("layout_alignment", _uint),
    73: ("retention_hold", _hyper),
    74: ("mode_set_masked", _two_uints),
    75: ("suppattr_exclcreat", bitmap),
    76: ("fs_charset_cap", _uint),
    77: ("clone_blksize", _uint),
    78: ("space_freed", _hyper),
    79: ("change_attr_type", _uint),
    80: ("sec_label", _label),
    81: ("mode_umask", _two_uints),
    82: ("xattr_support", _boolean),
}


def attributes(reader: XdrReader) -> dict:
    """fattr4 by the RFCs' names; from the first attribute that is not known here on none is read."""
    numbers = sorted(bitmap(reader))
    values = XdrReader(reader.opaque())
    result: dict = {}
    for number in numbers:
        if number not in _ATTRIBUTES:
            return result
        name, decode = _ATTRIBUTES[number]
        result[name] = decode(values)
    if values.remaining:
        raise XdrError(f"{values.remaining} octets are left over after the attributes")
    return result


def _identifier(name: str) -> int:
    return int(name) if name.isdigit() else 0


def of_object(values: dict) -> nfs3.Attributes | None:
    """What a trace keeps of an object's attributes; None unless type and mode are among them."""
    kind = values.get("type", 0)
    if not 0 < kind < len(FILE_TYPES) or "mode" not in values:
        return None
    return nfs3.Attributes(
        FILE_TYPES[kind],
        values["mode"],
        values.get("numlinks", 1),
        _identifier(values.get("owner", "")),
        _identifier(values.get("owner_group", "")),
        values.get("size", 0),
        values.get("rawdev", (0, 0)),
        values.get("fileid", 0),
    )
