# SPDX-License-Identifier: GPL-2.0-only
"""NFS operations of a capture: exchanges of all connections in call order, decoded to arguments and results."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import nfs2, nfs3, nfs4, nfs4_operations, nfs4_status, nfsacl2, nfsacl3, rpc
from .budget import Budget
from .connection import ConnectionTable, read_connections
from .errors import CaptureError
from .exchange import Exchange, read_exchanges
from .xdr import XdrError, XdrReader

NFS_PORT = 20049
_CHUNK_MISSING = "arguments: chunk data missing in the capture"
_PROGRAM_NAMES = {rpc.PROGRAM_NFS: "NFS", rpc.PROGRAM_NFSACL: "NFSACL", rpc.PROGRAM_CALLBACK: "NFSCB"}


@dataclass(slots=True, eq=False)
class Operation:
    """One RPC as the NFS layer sees it.

    name is the procedure, of a COMPOUND the operation that it is for. status is the nfsstat3 or nfsstat4 name, the name of the RPC-level outcome, or empty without reply. note says why
    arguments or results are missing, empty when they are not.
    """

    exchange: Exchange
    client: str
    program: str
    name: str
    arguments: dict = field(default_factory=dict)
    results: dict = field(default_factory=dict)
    status: str = ""
    note: str = ""

    @property
    def title(self) -> str:
        return f"{self.program} {self.name}"

    @property
    def called_ns(self) -> int:
        return self.exchange.call.first_time_ns

    @property
    def version(self) -> str:
        """Version of NFS, "4.1" with the minor one, that it is of; empty when of none or of any."""
        if self.program == "NFS4":
            return f"4.{self.arguments['minor']}" if "minor" in self.arguments else ""
        return self.program[-1] if self.program in ("NFS2", "NFSACL2", "NFS3", "NFSACL3") else ""

    @property
    def is_whole(self) -> bool:
        """Whether the capture has all of the call, and it could be read."""
        return self.exchange.call_header is not None and not self.note.startswith("arguments: ")

    @property
    def is_unread(self) -> bool:
        """Whether what the call asks for is not known; of a WRITE the octets that are to be written do not matter."""
        return self.note.startswith("arguments: ") and not (self.note == _CHUNK_MISSING and self.name == "WRITE")


@dataclass
class CaptureContents:
    """Operations in call order, and remarks about what could not be read.

    gap_ns is the time from which on something is missing: None when the capture has all that was said. What the server
    answers to later calls may depend on what is missing.
    """

    path: Path
    connections: ConnectionTable
    operations: list[Operation]
    remarks: list[str]
    gap_ns: int | None = None


def read_operations(path: Path, budget: Budget | None = None) -> CaptureContents:
    """All RPCs of a capture. CaptureError if it cannot be read or has no RPC-over-RDMA call."""
    table = read_connections(path, budget)
    remarks: list[str] = list(table.remarks)
    gaps: list[int | None] = []
    for connection in table.unreadable:
        remarks.append(f"{connection.label}: begun before the capture, without MPA startup: not read")
        if NFS_PORT in (connection.initiator[1], connection.responder[1]):
            gaps.append(0)
    exchanges: list[Exchange] = []
    for connection in table.iwarp:
        remarks += [f"{connection.label}: {fault}" for fault in connection.faults]
        found = read_exchanges(connection)
        remarks += [f"{connection.label}: {stray}" for stray in found.strays]
        exchanges += found.exchanges
        gaps += connection.gap_ns, found.strays_since
    if not exchanges:
        reason = "no RPC-over-RDMA call" if table.iwarp else "no iWARP connection with its MPA startup"
        details = "".join(f"; {remark}" for remark in remarks[: len(table.remarks) + 2])
        raise CaptureError(f"{path}: {reason} in {table.frames} frames{details}")
    exchanges.sort(key=lambda exchange: (exchange.call.first_time_ns, exchange.call.first_frame))
    operations = [_kept(path, _operation(exchange), table.budget) for exchange in _merge_resent(exchanges)]
    gaps += [operation.called_ns for operation in operations if _lacks_something(operation)]
    gap_ns = min((gap for gap in gaps if gap is not None), default=None)
    return CaptureContents(Path(path), table, operations, remarks, gap_ns)


def _kept(path: Path, operation: Operation, budget: Budget) -> Operation:
    results = operation.results
    compounds = len(operation.arguments.get("compound", ())) + len(results.get("compound", ()))
    try:
        budget.spend(compounds * Budget.COMPOUND_OPERATION + len(results.get("entries", ())) * Budget.ENTRY)
    except CaptureError as error:
        raise CaptureError(f"{path}: {error}") from None
    return operation


def _lacks_something(operation: Operation) -> bool:
    reply = operation.exchange.reply
    return not operation.is_whole or reply is None or not reply.whole


def _merge_resent(exchanges: list[Exchange]) -> list[Exchange]:
    """Calls sent again (same client, XID, procedure) after a lost connection are one exchange."""
    merged: list[Exchange] = []
    last: dict[tuple, Exchange] = {}
    for exchange in exchanges:
        header = exchange.call_header
        client = exchange.connection.initiator[0]
        key = (client, exchange.call.xid, header and (header.program, header.procedure), exchange.from_responder)
        first = last.get(key)
        if first is not None and _is_resent(first, exchange):
            first.resent_frames.append(exchange.call.frame)
            if exchange.reply is not None:
                first.reply, first.reply_header = exchange.reply, exchange.reply_header
            if not first.call.whole:
                times = {key: getattr(first.call, key) for key in ("first_frame", "first_time_ns", "frame", "time_ns")}
                first.call, first.call_header = replace(exchange.call, **times), exchange.call_header
            first.connection = exchange.connection
            continue
        last[key] = exchange
        merged.append(exchange)
    return merged


def _is_resent(first: Exchange, again: Exchange) -> bool:
    answered = first.reply_header is not None and first.reply_header.outcome == "SUCCESS"
    same_call = first.call.octets[:64] == again.call.octets[:64]
    return not answered and first.connection is not again.connection and same_call


def program_name(program: int, version: int) -> str:
    name = _PROGRAM_NAMES.get(program)
    return f"{name}{version}" if name else f"PROGRAM{program}v{version}"


def procedure_name(program: str, procedure: int) -> str:
    names = {
        "NFS2": nfs2.PROCEDURES,
        "NFSACL2": nfsacl2.PROCEDURES,
        "NFS3": nfs3.PROCEDURES,
        "NFSACL3": nfsacl3.PROCEDURES,
        "NFS4": nfs4.PROCEDURES,
        "NFSCB1": nfs4.CALLBACK_PROCEDURES,
    }.get(program, ())
    return names[procedure] if procedure < len(names) else f"PROC{procedure}"


def _operation(exchange: Exchange) -> Operation:
    client = exchange.connection.initiator[0]
    header = exchange.call_header
    if header is None:
        return Operation(exchange, client, "UNKNOWN", exchange.call.header.message_name, note="call has no RPC header")
    program = program_name(header.program, header.version)
    operation = Operation(exchange, client, program, procedure_name(program, header.procedure))
    decoders = {
        "NFS2": (nfs2.decode_arguments, nfs2.decode_results, nfs2.PROCEDURES),
        "NFSACL2": (nfsacl2.decode_arguments, nfsacl2.decode_results, nfsacl2.PROCEDURES),
        "NFS3": (nfs3.decode_arguments, nfs3.decode_results, nfs3.PROCEDURES),
        "NFSACL3": (nfsacl3.decode_arguments, nfsacl3.decode_results, nfsacl3.PROCEDURES),
        "NFS4": (nfs4.decode_arguments, nfs4.decode_results, nfs4.PROCEDURES),
        "NFSCB1": (nfs4.decode_arguments, nfs4.decode_results, nfs4.CALLBACK_PROCEDURES),
    }.get(program)
    decodable = decoders is not None and operation.name in decoders[2]
    if decodable:
        try:
            operation.arguments = decoders[0](operation.name, XdrReader(exchange.call.octets, header.octets))
        except XdrError as error:
            operation.note = f"arguments: {error}"
        if not exchange.call.whole and not operation.note:
            operation.note = _CHUNK_MISSING
    else:
        operation.note = "not decoded"
    _decode_reply(operation, decoders[1] if decodable else None)
    if operation.arguments.get("operations"):
        operation.name = nfs4.main_operation(operation.arguments["operations"])
    return operation


def _decode_reply(operation: Operation, decode) -> None:
    reply, header = operation.exchange.reply, operation.exchange.reply_header
    if reply is None:
        return
    if header is None:
        operation.status = "UNREADABLE"
        operation.note = operation.note or "reply has no RPC header"
        return
    if header.outcome != "SUCCESS":
        operation.status = header.outcome
        return
    if decode is None:
        return
    try:
        reader = XdrReader(reply.octets, header.octets, reply.reduced)
        operation.results = decode(operation.name, reader)
        names = nfs4_status if operation.program in ("NFS4", "NFSCB1") else nfs3
        operation.status = names.status_name(operation.results["status"])
    except XdrError as error:
        operation.status = "UNREADABLE"
        operation.note = operation.note or f"results: {error}"


def count_by_title(operations) -> Counter:
    return Counter(operation.title for operation in operations)


_CHANGING = nfs4_operations.CHANGING | set(
    "SETATTR WRITE CREATE MKDIR SYMLINK MKNOD REMOVE RMDIR RENAME LINK SETACL".split()
)


def count_versions(contents: CaptureContents) -> Counter:
    """Operations of each version of NFS, "4.1" with the minor one."""
    return Counter(operation.version for operation in contents.operations if operation.version)


def of_versions(contents: CaptureContents, versions) -> tuple[CaptureContents, list[Operation]]:
    """The contents without the operations of other versions of NFS, and these.

    What the others have changed is missing for those that are left.
    """
    families = {version[0] for version in versions}

    def is_kept(operation: Operation) -> bool:
        if operation.version:
            return operation.version in versions
        return operation.program not in ("NFS4", "NFSCB1") or "4" in families

    others = [operation for operation in contents.operations if not is_kept(operation)]
    kept = [operation for operation in contents.operations if is_kept(operation)]
    gaps = [operation.called_ns for operation in others if operation.name in _CHANGING]
    gaps += [] if contents.gap_ns is None else [contents.gap_ns]
    return replace(contents, operations=kept, gap_ns=min(gaps, default=None)), others
