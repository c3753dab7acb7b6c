# SPDX-License-Identifier: GPL-2.0-only
"""NFS version 3 arguments and results (RFC 1813).

decode_arguments() and decode_results() return dictionaries. Arguments use the keys of the trace format;
file handles stay octets. Results: status, attributes (of the object acted on), pre_size, handle and
handle_attributes of the object returned, count, eof, target, entries, access.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from .xdr import XdrError, XdrReader

PROCEDURES = (
    "NULL GETATTR SETATTR LOOKUP ACCESS READLINK READ WRITE CREATE MKDIR SYMLINK MKNOD REMOVE RMDIR RENAME LINK "
    "READDIR READDIRPLUS FSSTAT FSINFO PATHCONF COMMIT"
).split()
STABLE = ("UNSTABLE", "DATA_SYNC", "FILE_SYNC")
CREATE_HOW = ("UNCHECKED", "GUARDED", "EXCLUSIVE")
FILE_TYPES = ("", "REG", "DIR", "BLK", "CHR", "LNK", "SOCK", "FIFO")


class Status(enum.IntEnum):
    NFS3_OK = 0
    NFS3ERR_PERM = 1
    NFS3ERR_NOENT = 2
    NFS3ERR_IO = 5
    NFS3ERR_NXIO = 6
    NFS3ERR_ACCES = 13
    NFS3ERR_EXIST = 17
    NFS3ERR_XDEV = 18
    NFS3ERR_NODEV = 19
    NFS3ERR_NOTDIR = 20
    NFS3ERR_ISDIR = 21
    NFS3ERR_INVAL = 22
    NFS3ERR_FBIG = 27
    NFS3ERR_NOSPC = 28
    NFS3ERR_ROFS = 30
    NFS3ERR_MLINK = 31
    NFS3ERR_NAMETOOLONG = 63
    NFS3ERR_NOTEMPTY = 66
    NFS3ERR_DQUOT = 69
    NFS3ERR_STALE = 70
    NFS3ERR_REMOTE = 71
    NFS3ERR_BADHANDLE = 10001
    NFS3ERR_NOT_SYNC = 10002
    NFS3ERR_BAD_COOKIE = 10003
    NFS3ERR_NOTSUPP = 10004
    NFS3ERR_TOOSMALL = 10005
    NFS3ERR_SERVERFAULT = 10006
    NFS3ERR_BADTYPE = 10007
    NFS3ERR_JUKEBOX = 10008


def status_name(status: int) -> str:
    try:
        return Status(status).name
    except ValueError:
        return str(status)


@dataclass(frozen=True, slots=True)
class Attributes:
    """fattr3; type is the trace format's name, device (major, minor)."""

    type: str
    mode: int
    nlink: int
    uid: int
    gid: int
    size: int
    device: tuple[int, int]
    file_id: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a directory listing; attributes and handle are None where the server left them out."""

    name: str
    cookie: int
    file_id: int
    attributes: Attributes | None = None
    handle: bytes | None = None


def _choice(names, index: int) -> str:
    if index >= len(names) or not names[index]:
        raise XdrError(f"{index} is no value of the type")
    return names[index]


def file_handle(reader: XdrReader) -> bytes:
    """nfs_fh3."""
    return reader.opaque(64)


def _seconds(reader: XdrReader) -> str:
    seconds, nanoseconds = reader.uint(), reader.uint()
    return f"{seconds}.{nanoseconds:09d}"


def _attributes(reader: XdrReader) -> Attributes:
    file_type = _choice(FILE_TYPES, reader.uint())
    mode, nlink, uid, gid = (reader.uint() for _ in range(4))
    size = reader.hyper()
    reader.hyper()
    device = (reader.uint(), reader.uint())
    reader.hyper()
    file_id = reader.hyper()
    reader.fixed(24)
    return Attributes(file_type, mode, nlink, uid, gid, size, device, file_id)


def _post_attributes(reader: XdrReader) -> Attributes | None:
    return _attributes(reader) if reader.boolean() else None


def _wcc(reader: XdrReader) -> dict:
    result = {}
    if reader.boolean():
        result["pre_size"] = reader.hyper()
        reader.fixed(16)
    attributes = _post_attributes(reader)
    if attributes is not None:
        result["attributes"] = attributes
    return result


def _settable(reader: XdrReader) -> dict:
    result: dict = {}
    if reader.boolean():
        result["mode"] = reader.uint()
    if reader.boolean():
        result["uid"] = reader.uint()
    if reader.boolean():
        result["gid"] = reader.uint()
    if reader.boolean():
        result["size"] = reader.hyper()
    for key in ("atime", "mtime"):
        how = reader.uint()
        if how == 1:
            result[key] = "server"
        elif how == 2:
            result[key] = _seconds(reader)
        elif how > 2:
            raise XdrError(f"time_how is {how}")
    return result


def _directory_operation(reader: XdrReader) -> dict:
    return {"object": file_handle(reader), "name": reader.string(4096)}


def _arguments_object(reader: XdrReader) -> dict:
    return {"object": file_handle(reader)}


def _arguments_setattr(reader: XdrReader) -> dict:
    result = {"object": file_handle(reader), **_settable(reader)}
    if reader.boolean():
        result["guard"] = _seconds(reader)
    return result


def _arguments_access(reader: XdrReader) -> dict:
    return {"object": file_handle(reader), "access": reader.uint()}


def _arguments_read(reader: XdrReader) -> dict:
    return {"object": file_handle(reader), "offset": reader.hyper(), "count": reader.uint()}


def _arguments_write(reader: XdrReader) -> dict:
    result = _arguments_read(reader)
    result["stable"] = _choice(STABLE, reader.uint())
    reader.opaque()
    return result


def _arguments_create(reader: XdrReader) -> dict:
    result = _directory_operation(reader)
    result["how"] = _choice(CREATE_HOW, reader.uint())
    if result["how"] == "EXCLUSIVE":
        reader.fixed(8)
    else:
        result |= _settable(reader)
    return result


def _arguments_mkdir(reader: XdrReader) -> dict:
    return _directory_operation(reader) | _settable(reader)


def _arguments_symlink(reader: XdrReader) -> dict:
    result = _directory_operation(reader) | _settable(reader)
    result["target"] = reader.string()
    return result


def _arguments_mknod(reader: XdrReader) -> dict:
    result = _directory_operation(reader)
    kind = _choice(FILE_TYPES, reader.uint())
    if kind in ("CHR", "BLK"):
        result |= _settable(reader)
        result["spec"] = f"{kind}:{reader.uint()}:{reader.uint()}"
    else:
        if kind in ("SOCK", "FIFO"):
            result |= _settable(reader)
        result["spec"] = kind
    return result


def _arguments_rename(reader: XdrReader) -> dict:
    source, target = _directory_operation(reader), _directory_operation(reader)
    return source | {"object2": target["object"], "name2": target["name"]}


def _arguments_link(reader: XdrReader) -> dict:
    file = file_handle(reader)
    target = _directory_operation(reader)
    return {"object": file, "object2": target["object"], "name2": target["name"]}


def _arguments_readdir(reader: XdrReader) -> dict:
    result = {"object": file_handle(reader), "cookie": reader.hyper()}
    reader.fixed(8)
    result["maxcount"] = reader.uint()
    return result


def _arguments_readdirplus(reader: XdrReader) -> dict:
    result = {"object": file_handle(reader), "cookie": reader.hyper()}
    reader.fixed(8)
    result["dircount"], result["maxcount"] = reader.uint(), reader.uint()
    return result


_ARGUMENTS = {
    "NULL": lambda reader: {},
    "SETATTR": _arguments_setattr,
    "LOOKUP": _directory_operation,
    "ACCESS": _arguments_access,
    "READ": _arguments_read,
    "WRITE": _arguments_write,
    "CREATE": _arguments_create,
    "MKDIR": _arguments_mkdir,
    "SYMLINK": _arguments_symlink,
    "MKNOD": _arguments_mknod,
    "REMOVE": _directory_operation,
    "RMDIR": _directory_operation,
    "RENAME": _arguments_rename,
    "LINK": _arguments_link,
    "READDIR": _arguments_readdir,
    "READDIRPLUS": _arguments_readdirplus,
    "COMMIT": _arguments_read,
}


def decode_arguments(operation: str, reader: XdrReader) -> dict:
    """Arguments of an NFSv3 procedure; XdrError if they do not hold what the procedure takes."""
    return whole(_ARGUMENTS.get(operation, _arguments_object)(reader), reader)


def post_attributes(reader: XdrReader) -> dict:
    """post_op_attr, as attributes when they are there."""
    attributes = _post_attributes(reader)
    return {} if attributes is None else {"attributes": attributes}


def _results_lookup(reader: XdrReader) -> dict:
    result: dict = {"handle": file_handle(reader)}
    attributes = _post_attributes(reader)
    if attributes is not None:
        result["handle_attributes"] = attributes
    return result | post_attributes(reader)


def _results_access(reader: XdrReader) -> dict:
    return post_attributes(reader) | {"access": reader.uint()}


def _results_readlink(reader: XdrReader) -> dict:
    return post_attributes(reader) | {"target": reader.reducible_opaque().decode("utf-8", "surrogateescape")}


def _results_read(reader: XdrReader) -> dict:
    result = post_attributes(reader)
    result["count"], result["eof"] = reader.uint(), reader.boolean()
    reader.reducible_opaque()
    return result


def _results_write(reader: XdrReader) -> dict:
    result = _wcc(reader)
    result["count"], result["stable"] = reader.uint(), reader.uint()
    reader.fixed(8)
    return result


def _results_commit(reader: XdrReader) -> dict:
    result = _wcc(reader)
    reader.fixed(8)
    return result


def _results_server(octets: int):
    """Decoder of post-operation attributes and properties of the server, of which nothing is kept."""

    def decode(reader: XdrReader) -> dict:
        result = post_attributes(reader)
        reader.fixed(octets)
        return result

    return decode


def _results_create(reader: XdrReader) -> dict:
    result: dict = {}
    if reader.boolean():
        result["handle"] = file_handle(reader)
    attributes = _post_attributes(reader)
    if attributes is not None:
        result["handle_attributes"] = attributes
    return result | _wcc(reader)


def _results_rename(reader: XdrReader) -> dict:
    result = _wcc(reader)
    second = _wcc(reader)
    return result | {f"{key}2": value for key, value in second.items()}


def _results_link(reader: XdrReader) -> dict:
    result = post_attributes(reader)
    return result | {f"{key}2": value for key, value in _wcc(reader).items()}


def _entries(reader: XdrReader, plus: bool) -> dict:
    result = post_attributes(reader)
    reader.fixed(8)
    entries: list[Entry] = []
    while reader.boolean():
        file_id, name, cookie = reader.hyper(), reader.string(4096), reader.hyper()
        attributes = _post_attributes(reader) if plus else None
        handle = file_handle(reader) if plus and reader.boolean() else None
        entries.append(Entry(name, cookie, file_id, attributes, handle))
    result["entries"], result["eof"] = entries, reader.boolean()
    return result


_RESULTS = {
    "GETATTR": lambda reader: {"attributes": _attributes(reader)},
    "SETATTR": _wcc,
    "LOOKUP": _results_lookup,
    "ACCESS": _results_access,
    "READLINK": _results_readlink,
    "READ": _results_read,
    "WRITE": _results_write,
    "CREATE": _results_create,
    "MKDIR": _results_create,
    "SYMLINK": _results_create,
    "MKNOD": _results_create,
    "REMOVE": _wcc,
    "RMDIR": _wcc,
    "RENAME": _results_rename,
    "LINK": _results_link,
    "READDIR": lambda reader: _entries(reader, plus=False),
    "READDIRPLUS": lambda reader: _entries(reader, plus=True),
    "FSSTAT": _results_server(52),
    "FSINFO": _results_server(48),
    "PATHCONF": _results_server(24),
    "COMMIT": _results_commit,
}
_FAILURES = {
    "GETATTR": lambda reader: {},
    "SETATTR": _wcc,
    "WRITE": _wcc,
    "CREATE": _wcc,
    "MKDIR": _wcc,
    "SYMLINK": _wcc,
    "MKNOD": _wcc,
    "REMOVE": _wcc,
    "RMDIR": _wcc,
    "RENAME": _results_rename,
    "LINK": _results_link,
    "COMMIT": _wcc,
}


def decode_results(operation: str, reader: XdrReader) -> dict:
    """Results of an NFSv3 procedure, status first; XdrError if they do not hold what the procedure gives."""
    if operation == "NULL":
        return whole({"status": 0}, reader)
    status = reader.uint()
    decoder = _RESULTS[operation] if status == 0 else _FAILURES.get(operation, post_attributes)
    return whole({"status": status} | decoder(reader), reader)


def whole(result: dict, reader: XdrReader) -> dict:
    """result, or XdrError when something is left to read."""
    if reader.remaining:
        raise XdrError(f"{reader.remaining} octets follow the last item")
    return result

