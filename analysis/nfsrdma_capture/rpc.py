# SPDX-License-Identifier: GPL-2.0-only
"""ONC RPC version 2 message headers (RFC 5531)."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from .xdr import XdrError, XdrReader

CALL, REPLY = 0, 1
AUTH_NONE, AUTH_SYS = 0, 1
PROGRAM_NFS, PROGRAM_NFSACL, PROGRAM_CALLBACK = 100003, 100227, 0x40000000

_ACCEPT_STATUS = (
    "SUCCESS",
    "PROG_UNAVAIL",
    "PROG_MISMATCH",
    "PROC_UNAVAIL",
    "GARBAGE_ARGS",
    "SYSTEM_ERR",
)


@dataclass(frozen=True, slots=True)
class Credential:
    """AUTH_SYS credential, or flavor alone for any other."""

    flavor: int
    machine: str = ""
    uid: int = 0
    gid: int = 0
    gids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CallHeader:
    xid: int
    program: int
    version: int
    procedure: int
    credential: Credential
    octets: int


@dataclass(frozen=True, slots=True)
class ReplyHeader:
    """outcome is SUCCESS or the name of what the RPC layer answered instead."""

    xid: int
    outcome: str
    octets: int


def message_direction(octets: bytes) -> int | None:
    """CALL or REPLY, None when the octets hold neither."""
    reader = XdrReader(octets)
    try:
        reader.uint()
        direction = reader.uint()
    except XdrError:
        return None
    return direction if direction in (CALL, REPLY) else None


def decode_call(octets: bytes) -> CallHeader:
    reader = XdrReader(octets)
    xid, direction, rpc_version, program, version, procedure = (reader.uint() for _ in range(6))
    if direction != CALL or rpc_version != 2:
        raise XdrError("not an RPC call")
    credential = _decode_credential(reader)
    reader.uint()
    reader.opaque(400)
    return CallHeader(xid, program, version, procedure, credential, reader.position)


def decode_reply(octets: bytes) -> ReplyHeader:
    reader = XdrReader(octets)
    xid, direction, rejected = (reader.uint() for _ in range(3))
    if direction != REPLY:
        raise XdrError("not an RPC reply")
    if rejected:
        reason = "RPC_MISMATCH" if reader.uint() == 0 else "AUTH_ERROR"
        return ReplyHeader(xid, reason, reader.position)
    reader.uint()
    reader.opaque(400)
    status = reader.uint()
    outcome = _ACCEPT_STATUS[status] if status < len(_ACCEPT_STATUS) else f"ACCEPT_{status}"
    return ReplyHeader(xid, outcome, reader.position)


def _decode_credential(reader: XdrReader) -> Credential:
    flavor = reader.uint()
    return _credential(flavor, reader.opaque(400))


@functools.lru_cache(maxsize=1024)
def _credential(flavor: int, octets: bytes) -> Credential:
    body = XdrReader(octets)
    if flavor != AUTH_SYS:
        return Credential(flavor)
    body.uint()
    machine = body.string(255)
    uid, gid = body.uint(), body.uint()
    gids = tuple(body.uint() for _ in range(min(body.uint(), 16)))
    return Credential(flavor, machine, uid, gid, gids)
