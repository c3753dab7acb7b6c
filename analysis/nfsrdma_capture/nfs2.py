# SPDX-License-Identifier: GPL-2.0-only
"""NFS version 2 arguments and results (RFC 1094), with the keys and names of nfs3.

A READDIR's count is that of its results. A CREATE whose mode has the type of a special file has a spec, as MKNOD of
version 3.
"""

from __future__ import annotations

from .nfs3 import FILE_TYPES, Attributes, Entry, whole
from .xdr import XdrError, XdrReader

PROCEDURES = (
    "NULL GETATTR SETATTR ROOT LOOKUP READLINK READ WRITECACHE WRITE CREATE REMOVE RENAME LINK SYMLINK MKDIR RMDIR "
    "READDIR STATFS"
).split()
_HANDLE_OCTETS = 32
_UNSET = 0xFFFFFFFF
_SERVER_TIME = 1_000_000
_PERMISSIONS = 0o7777
_SPECIAL_TYPES = {0o010000: "FIFO", 0o020000: "CHR", 0o060000: "BLK", 0o140000: "SOCK"}
_FIFO = 8
_VOID = ("NULL", "ROOT", "WRITECACHE")


def file_handle(reader: XdrReader) -> bytes:
    """fhandle."""
    return reader.fixed(_HANDLE_OCTETS)


def _device(number: int) -> tuple[int, int]:
    """Major and minor number (new_decode_dev() of Linux)."""
    return (number & 0xFFF00) >> 8, (number & 0xFF) | ((number >> 12) & 0xFFF00)


def attributes(reader: XdrReader) -> Attributes:
    """fattr."""
    kind, mode, nlink, uid, gid, size = (reader.uint() for _ in range(6))
    reader.uint()
    device = _device(reader.uint())
    reader.fixed(8)
    file_id = reader.uint()
    reader.fixed(24)
    name = "FIFO" if kind == _FIFO else FILE_TYPES[kind] if kind < len(FILE_TYPES) else ""
    if not name:
        raise XdrError(f"{kind} is no type of a file")
    return Attributes(name, mode & _PERMISSIONS, nlink, uid, gid, size, device, file_id)


def _settable(reader: XdrReader) -> dict:
    result = {key: value for key in ("mode", "uid", "gid", "size") if (value := reader.uint()) != _UNSET}
    times = {key: (reader.uint(), reader.uint()) for key in ("atime", "mtime")}
    of_server = times["mtime"][0] != _UNSET and times["mtime"][1] == _SERVER_TIME
    for key, (seconds, microseconds) in times.items():
        if seconds != _UNSET:
            result[key] = "server" if of_server else f"{seconds}.{microseconds * 1000:09d}"
    return result


def _permitted(settable: dict) -> dict:
    if "mode" in settable:
        settable["mode"] &= _PERMISSIONS
    return settable


def _directory_operation(reader: XdrReader) -> dict:
    return {"object": file_handle(reader), "name": reader.string(255)}


def _arguments_object(reader: XdrReader) -> dict:
    return {"object": file_handle(reader)}


def _arguments_setattr(reader: XdrReader) -> dict:
    return _arguments_object(reader) | _permitted(_settable(reader))


def _arguments_read(reader: XdrReader) -> dict:
    result = _arguments_object(reader) | {"offset": reader.uint(), "count": reader.uint()}
    reader.uint()
    return result


def _arguments_write(reader: XdrReader) -> dict:
    result = _arguments_object(reader)
    reader.uint()
    result["offset"] = reader.uint()
    reader.uint()
    result["count"] = len(reader.opaque())
    return result


def _arguments_create(reader: XdrReader) -> dict:
    result = _directory_operation(reader) | _settable(reader)
    kind = _SPECIAL_TYPES.get(result.get("mode", 0) & ~_PERMISSIONS)
    if kind in ("CHR", "BLK") and "size" in result:
        major, minor = _device(result.pop("size"))
        result["spec"] = f"{kind}:{major}:{minor}"
    elif kind:
        result["spec"] = "SOCK" if kind == "SOCK" else "FIFO"
    return _permitted(result)


def _arguments_mkdir(reader: XdrReader) -> dict:
    return _directory_operation(reader) | _permitted(_settable(reader))


def _arguments_symlink(reader: XdrReader) -> dict:
    result = _directory_operation(reader) | {"target": reader.string()}
    return result | _permitted(_settable(reader))


def _arguments_rename(reader: XdrReader) -> dict:
    source, target = _directory_operation(reader), _directory_operation(reader)
    return source | {"object2": target["object"], "name2": target["name"]}


def _arguments_link(reader: XdrReader) -> dict:
    result = _arguments_object(reader)
    target = _directory_operation(reader)
    return result | {"object2": target["object"], "name2": target["name"]}


def _arguments_readdir(reader: XdrReader) -> dict:
    return _arguments_object(reader) | {"cookie": reader.uint(), "maxcount": reader.uint()}


_ARGUMENTS = {
    "SETATTR": _arguments_setattr,
    "LOOKUP": _directory_operation,
    "READ": _arguments_read,
    "WRITE": _arguments_write,
    "CREATE": _arguments_create,
    "REMOVE": _directory_operation,
    "RENAME": _arguments_rename,
    "LINK": _arguments_link,
    "SYMLINK": _arguments_symlink,
    "MKDIR": _arguments_mkdir,
    "RMDIR": _directory_operation,
    "READDIR": _arguments_readdir,
}


def decode_arguments(operation: str, reader: XdrReader) -> dict:
    """Arguments of a procedure; XdrError if they do not hold what the procedure takes."""
    if operation in _VOID:
        return whole({}, reader)
    return whole(_ARGUMENTS.get(operation, _arguments_object)(reader), reader)


def _results_attributes(reader: XdrReader) -> dict:
    return {"attributes": attributes(reader)}


def _results_object(reader: XdrReader) -> dict:
    return {"handle": file_handle(reader), "handle_attributes": attributes(reader)}


def _results_readlink(reader: XdrReader) -> dict:
    return {"target": reader.reducible_opaque().decode("utf-8", "surrogateescape")}


def _results_read(reader: XdrReader) -> dict:
    return _results_attributes(reader) | {"count": len(reader.reducible_opaque())}


def _results_readdir(reader: XdrReader) -> dict:
    entries: list[Entry] = []
    while reader.boolean():
        file_id, name, cookie = reader.uint(), reader.string(255), reader.uint()
        entries.append(Entry(name, cookie, file_id))
    return {"entries": entries, "eof": reader.boolean()}


def _results_statfs(reader: XdrReader) -> dict:
    reader.fixed(20)
    return {}


_RESULTS = {
    "GETATTR": _results_attributes,
    "SETATTR": _results_attributes,
    "LOOKUP": _results_object,
    "READLINK": _results_readlink,
    "READ": _results_read,
    "WRITE": _results_attributes,
    "CREATE": _results_object,
    "MKDIR": _results_object,
    "READDIR": _results_readdir,
    "STATFS": _results_statfs,
}


def decode_results(operation: str, reader: XdrReader) -> dict:
    """Results of a procedure, status first; XdrError if they do not hold what the procedure gives."""
    if operation in _VOID:
        return whole({"status": 0}, reader)
    status = reader.uint()
    decoder = _RESULTS.get(operation)
    return whole({"status": status} | (decoder(reader) if decoder and status == 0 else {}), reader)
