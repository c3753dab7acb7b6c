# SPDX-License-Identifier: GPL-2.0-only
"""NFS version 4 COMPOUNDs (RFC 7531, RFC 5662, RFC 7863, RFC 8276), and those of its callback program.

A COMPOUND is a list of CompoundOperation. decode_arguments() and decode_results() give the keys that nfs3 has, by
what the operations do together; besides "operations": their names, "compound": their list, and of arguments
"minor". An operation that Linux's client does not send ends the list, and is the last one of "operations".
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .nfs3 import Entry
from .nfs4_attributes import ace, array, attributes, bitmap, file_handle, of_object, time
from .nfs4_operations import NAMES
from .nfs4_status import Status
from .xdr import XdrError, XdrReader

PROCEDURES = ("NULL", "COMPOUND")
CALLBACK_PROCEDURES = ("CB_NULL", "CB_COMPOUND")
_CALLBACK_OPERATIONS = {3: "CB_GETATTR", 4: "CB_RECALL", 8: "CB_RECALL_ANY", 10: "CB_RECALL_SLOT", 11: "CB_SEQUENCE"}
_ENABLING = "SEQUENCE PUTFH PUTROOTFH PUTPUBFH SAVEFH RESTOREFH GETFH GETATTR ACCESS CB_SEQUENCE".split()
_STABLE = ("UNSTABLE", "DATA_SYNC", "FILE_SYNC")
_CREATE_MODES = ("UNCHECKED", "GUARDED", "EXCLUSIVE", "EXCLUSIVE4_1")
_CREATE_TYPES = {1: "REG", 2: "DIR", 3: "BLK", 4: "CHR", 5: "LNK", 6: "SOCK", 7: "FIFO"}


@dataclass(slots=True)
class CompoundOperation:
    """One operation: its name, where it is in the message, and its fields or those of its result.

    data is where the octets of a bulk item are that did not leave the message by a Write chunk; length is the item's.
    """

    name: str
    start: int
    end: int = 0
    fields: dict = field(default_factory=dict)
    data: tuple[int, int] | None = None
    length: int | None = None


def _stateid(reader: XdrReader) -> bytes:
    return reader.fixed(16)


def _change(reader: XdrReader) -> tuple[bool, int, int]:
    return reader.boolean(), reader.hyper(), reader.hyper()


def _choice(names, index: int) -> str:
    if not 0 <= index < len(names):
        raise XdrError(f"{index} is no value of the type")
    return names[index]


def _item(reader: XdrReader, operation: CompoundOperation, reducible: bool) -> bytes:
    start = reader.position + 4
    octets = reader.reducible_opaque() if reducible else reader.opaque()
    operation.length = len(octets)
    if reader.position > start:
        operation.data = (start, reader.position)
    return octets


def _create(reader: XdrReader, operation: CompoundOperation) -> dict:
    kind = reader.uint()
    result: dict = {"type": _CREATE_TYPES.get(kind, str(kind))}
    if kind == 5:
        result["target"] = _item(reader, operation, False).decode("utf-8", "surrogateescape")
    elif kind in (3, 4):
        result["device"] = (reader.uint(), reader.uint())
    return result | {"name": reader.string(), "attributes": attributes(reader)}


def _open(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"seqid": reader.uint(), "access": reader.uint(), "deny": reader.uint()}
    result |= {"clientid": reader.hyper(), "owner": reader.opaque(1024)}
    if reader.boolean():
        result["how"] = _choice(_CREATE_MODES, reader.uint())
        if result["how"].startswith("EXCLUSIVE"):
            reader.fixed(8)
        if result["how"] != "EXCLUSIVE":
            result["attributes"] = attributes(reader)
    claim = reader.uint()
    result["claim"] = claim
    if claim == 1:
        reader.uint()
    if claim in (2, 5):
        result["stateid"] = _stateid(reader)
    if claim in (0, 2, 3):
        result["name"] = reader.string()
    if claim > 6:
        raise XdrError(f"open_claim_type4 is {claim}")
    return result


def _write(reader: XdrReader, operation: CompoundOperation) -> dict:
    result = {"stateid": _stateid(reader), "offset": reader.hyper(), "stable": _choice(_STABLE, reader.uint())}
    result["count"] = len(_item(reader, operation, False))
    return result


def _lock(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"locktype": reader.uint(), "reclaim": reader.boolean(), "offset": reader.hyper()}
    result["length"] = reader.hyper()
    if reader.boolean():
        reader.uint()
        result["stateid"] = _stateid(reader)
        reader.uint()
        result |= {"clientid": reader.hyper(), "owner": reader.opaque(1024)}
    else:
        result["stateid"] = _stateid(reader)
        reader.uint()
    return result


def _implementation(reader: XdrReader) -> tuple[str, str, str]:
    return reader.string(), reader.string(), time(reader)


def _exchange_id(reader: XdrReader, operation: CompoundOperation) -> dict:
    result = {"verifier": reader.fixed(8), "owner": reader.opaque(1024), "flags": reader.uint()}
    protection = reader.uint()
    if protection == 1:
        bitmap(reader), bitmap(reader)
    elif protection:
        raise XdrError("state protection by SSV is not decoded")
    return result | {"implementation": array(reader, _implementation)}


def _channel(reader: XdrReader) -> list[int]:
    values = [reader.uint() for _ in range(6)]
    array(reader, XdrReader.uint)
    return values


def _security(reader: XdrReader) -> int:
    flavor = reader.uint()
    if flavor == 1:
        reader.uint(), reader.string(), reader.uint(), reader.uint(), array(reader, XdrReader.uint)
    elif flavor:
        raise XdrError(f"callback security of flavor {flavor} is not decoded")
    return flavor


def _create_session(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"clientid": reader.hyper(), "sequence": reader.uint(), "flags": reader.uint()}
    result |= {"fore": _channel(reader), "back": _channel(reader), "program": reader.uint()}
    return result | {"security": array(reader, _security)}


def _sequence(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"session": reader.fixed(16), "sequence": reader.uint(), "slot": reader.uint()}
    return result | {"highest": reader.uint(), "cache": reader.boolean()}


def _copy(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"stateid": _stateid(reader), "stateid2": _stateid(reader), "offset": reader.hyper()}
    result |= {"offset2": reader.hyper(), "count": reader.hyper()}
    reader.boolean(), reader.boolean()
    if reader.uint():
        raise XdrError("COPY between servers is not decoded")
    return result


def _space(reader: XdrReader, operation: CompoundOperation) -> dict:
    return {"stateid": _stateid(reader), "offset": reader.hyper(), "count": reader.hyper()}


def _none(reader: XdrReader, operation: CompoundOperation) -> dict:
    return {}


_ARGUMENTS = {
    "ACCESS": lambda reader, _: {"access": reader.uint()},
    "CLOSE": lambda reader, _: {"seqid": reader.uint(), "stateid": _stateid(reader)},
    "COMMIT": lambda reader, _: {"offset": reader.hyper(), "count": reader.uint()},
    "CREATE": _create,
    "DELEGRETURN": lambda reader, _: {"stateid": _stateid(reader)},
    "GETATTR": lambda reader, _: {"request": bitmap(reader)},
    "GETFH": _none,
    "LINK": lambda reader, _: {"name": reader.string()},
    "LOCK": _lock,
    "LOCKT": lambda reader, _: {
        "locktype": reader.uint(),
        "offset": reader.hyper(),
        "length": reader.hyper(),
        "clientid": reader.hyper(),
        "owner": reader.opaque(1024),
    },
    "LOCKU": lambda reader, _: {
        "locktype": reader.uint(),
        "seqid": reader.uint(),
        "stateid": _stateid(reader),
        "offset": reader.hyper(),
        "length": reader.hyper(),
    },
    "LOOKUP": lambda reader, _: {"name": reader.string()},
    "LOOKUPP": _none,
    "OPEN": _open,
    "OPEN_CONFIRM": lambda reader, _: {"stateid": _stateid(reader), "seqid": reader.uint()},
    "OPEN_DOWNGRADE": lambda reader, _: {
        "stateid": _stateid(reader),
        "seqid": reader.uint(),
        "access": reader.uint(),
        "deny": reader.uint(),
    },
    "PUTFH": lambda reader, _: {"object": file_handle(reader)},
    "PUTROOTFH": _none,
    "READ": lambda reader, _: {"stateid": _stateid(reader), "offset": reader.hyper(), "count": reader.uint()},
    "READDIR": lambda reader, _: {
        "cookie": reader.hyper(),
        "verifier": reader.fixed(8),
        "dircount": reader.uint(),
        "maxcount": reader.uint(),
        "request": bitmap(reader),
    },
    "READLINK": _none,
    "REMOVE": lambda reader, _: {"name": reader.string()},
    "RENAME": lambda reader, _: {"name": reader.string(), "name2": reader.string()},
    "RENEW": lambda reader, _: {"clientid": reader.hyper()},
    "RESTOREFH": _none,
    "SAVEFH": _none,
    "SETATTR": lambda reader, _: {"stateid": _stateid(reader), "attributes": attributes(reader)},
    "SETCLIENTID": lambda reader, _: {
        "verifier": reader.fixed(8),
        "owner": reader.opaque(1024),
        "program": reader.uint(),
        "netid": reader.string(),
        "address": reader.string(),
        "ident": reader.uint(),
    },
    "SETCLIENTID_CONFIRM": lambda reader, _: {"clientid": reader.hyper(), "confirm": reader.fixed(8)},
    "WRITE": _write,
    "RELEASE_LOCKOWNER": lambda reader, _: {"clientid": reader.hyper(), "owner": reader.opaque(1024)},
    "EXCHANGE_ID": _exchange_id,
    "CREATE_SESSION": _create_session,
    "DESTROY_SESSION": lambda reader, _: {"session": reader.fixed(16)},
    "FREE_STATEID": lambda reader, _: {"stateid": _stateid(reader)},
    "TEST_STATEID": lambda reader, _: {"stateids": array(reader, _stateid)},
    "SECINFO_NO_NAME": lambda reader, _: {"style": reader.uint()},
    "SEQUENCE": _sequence,
    "DESTROY_CLIENTID": lambda reader, _: {"clientid": reader.hyper()},
    "RECLAIM_COMPLETE": lambda reader, _: {"one": reader.boolean()},
    "ALLOCATE": _space,
    "COPY": _copy,
    "DEALLOCATE": _space,
    "SEEK": lambda reader, _: {"stateid": _stateid(reader), "offset": reader.hyper(), "what": reader.uint()},
    "CLONE": lambda reader, _: {
        "stateid": _stateid(reader),
        "stateid2": _stateid(reader),
        "offset": reader.hyper(),
        "offset2": reader.hyper(),
        "count": reader.hyper(),
    },
    "GETXATTR": lambda reader, _: {"name": reader.string()},
    "SETXATTR": lambda reader, _: {"option": reader.uint(), "name": reader.string(), "value": reader.opaque()},
    "LISTXATTRS": lambda reader, _: {"cookie": reader.hyper(), "maxcount": reader.uint()},
    "REMOVEXATTR": lambda reader, _: {"name": reader.string()},
    "CB_RECALL": lambda reader, _: {
        "stateid": _stateid(reader),
        "truncate": reader.boolean(),
        "object": file_handle(reader),
    },
    "CB_GETATTR": lambda reader, _: {"object": file_handle(reader), "request": bitmap(reader)},
    "CB_RECALL_ANY": lambda reader, _: {"keep": reader.uint(), "mask": bitmap(reader)},
    "CB_RECALL_SLOT": lambda reader, _: {"target": reader.uint()},
    "CB_SEQUENCE": lambda reader, operation: _sequence(reader, operation)
    | {"referring": array(reader, lambda lists: (lists.fixed(16), array(lists, lambda call: call.fixed(8))))},
}


def _read_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    eof = reader.boolean()
    return {"eof": eof, "count": len(_item(reader, operation, True))}


def _delegation(reader: XdrReader) -> dict:
    kind = reader.uint()
    result: dict = {"delegation": kind}
    if kind in (1, 2):
        result["delegation_stateid"] = _stateid(reader)
        reader.boolean()
        if kind == 2:
            reader.fixed(12)
        ace(reader)
    elif kind == 3:
        if reader.uint() in (1, 2):
            reader.boolean()
    return result


def _open_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"stateid": _stateid(reader), "change": _change(reader), "rflags": reader.uint()}
    result["set"] = bitmap(reader)
    return result | _delegation(reader)


def _readdir_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"verifier": reader.fixed(8), "entries": []}
    while reader.boolean():
        cookie, name, values = reader.hyper(), reader.string(), attributes(reader)
        number = values.get("fileid", 0)
        result["entries"].append(Entry(name, cookie, number, of_object(values), values.get("filehandle")))
    return result | {"eof": reader.boolean()}


def _security_flavor(reader: XdrReader) -> int:
    flavor = reader.uint()
    if flavor == 6:
        reader.opaque(), reader.uint(), reader.uint()
    return flavor


def _exchange_id_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"clientid": reader.hyper(), "sequence": reader.uint(), "flags": reader.uint()}
    protection = reader.uint()
    if protection == 1:
        bitmap(reader), bitmap(reader)
    elif protection:
        raise XdrError("state protection by SSV is not decoded")
    reader.hyper()
    result |= {"owner": reader.opaque(1024), "scope": reader.opaque(1024)}
    return result | {"implementation": array(reader, _implementation)}


def _create_session_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"session": reader.fixed(16), "sequence": reader.uint(), "flags": reader.uint()}
    return result | {"fore": _channel(reader), "back": _channel(reader)}


def _sequence_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"session": reader.fixed(16), "sequence": reader.uint(), "slot": reader.uint()}
    return result | {"highest": reader.uint(), "target": reader.uint(), "flags": reader.uint()}


def _callback_sequence_result(reader: XdrReader, operation: CompoundOperation) -> dict:
    result: dict = {"session": reader.fixed(16), "sequence": reader.uint(), "slot": reader.uint()}
    return result | {"highest": reader.uint(), "target": reader.uint()}


def _write_response(reader: XdrReader) -> dict:
    array(reader, _stateid)
    return {"count": reader.hyper(), "stable": reader.uint(), "verifier": reader.fixed(8)}


_STATEID_RESULT = lambda reader, _: {"stateid": _stateid(reader)}  # noqa: E731
_CHANGE_RESULT = lambda reader, _: {"change": _change(reader)}  # noqa: E731
_RESULTS = {
    "ACCESS": lambda reader, _: {"supported": reader.uint(), "access": reader.uint()},
    "CLOSE": _STATEID_RESULT,
    "COMMIT": lambda reader, _: {"verifier": reader.fixed(8)},
    "CREATE": lambda reader, _: {"change": _change(reader), "set": bitmap(reader)},
    "GETATTR": lambda reader, _: {"attributes": attributes(reader)},
    "GETFH": lambda reader, _: {"handle": file_handle(reader)},
    "LINK": _CHANGE_RESULT,
    "LOCK": _STATEID_RESULT,
    "LOCKU": _STATEID_RESULT,
    "OPEN": _open_result,
    "OPEN_CONFIRM": _STATEID_RESULT,
    "OPEN_DOWNGRADE": _STATEID_RESULT,
    "READ": _read_result,
    "READDIR": _readdir_result,
    "READLINK": lambda reader, operation: {
        "target": _item(reader, operation, True).decode("utf-8", "surrogateescape")
    },
    "REMOVE": _CHANGE_RESULT,
    "RENAME": lambda reader, _: {"change": _change(reader), "change2": _change(reader)},
    "SETCLIENTID": lambda reader, _: {"clientid": reader.hyper(), "confirm": reader.fixed(8)},
    "WRITE": lambda reader, _: {"count": reader.uint(), "stable": reader.uint(), "verifier": reader.fixed(8)},
    "EXCHANGE_ID": _exchange_id_result,
    "CREATE_SESSION": _create_session_result,
    "TEST_STATEID": lambda reader, _: {"statuses": array(reader, XdrReader.uint)},
    "SECINFO_NO_NAME": lambda reader, _: {"flavors": array(reader, _security_flavor)},
    "SEQUENCE": _sequence_result,
    "COPY": lambda reader, _: _write_response(reader) | {"how": (reader.boolean(), reader.boolean())},
    "SEEK": lambda reader, _: {"eof": reader.boolean(), "offset": reader.hyper()},
    "GETXATTR": lambda reader, _: {"value": reader.opaque()},
    "SETXATTR": _CHANGE_RESULT,
    "LISTXATTRS": lambda reader, _: {
        "cookie": reader.hyper(),
        "names": array(reader, XdrReader.string),
        "eof": reader.boolean(),
    },
    "REMOVEXATTR": _CHANGE_RESULT,
    "CB_SEQUENCE": _callback_sequence_result,
    "CB_GETATTR": lambda reader, _: {"attributes": attributes(reader)},
}


def _decode_result(name: str, reader: XdrReader, operation: CompoundOperation) -> dict:
    status = reader.uint()
    result: dict = {"status": status}
    if name == "SETATTR":
        return result | {"set": bitmap(reader)}
    if status == Status.NFS4ERR_DENIED and name in ("LOCK", "LOCKT"):
        result |= {"offset": reader.hyper(), "length": reader.hyper(), "locktype": reader.uint()}
        return result | {"clientid": reader.hyper(), "owner": reader.opaque(1024)}
    if status == Status.NFS4_OK and name in _RESULTS:
        result |= _RESULTS[name](reader, operation)
    return result


def _operations(reader: XdrReader, names: dict[int, str], decode) -> list[CompoundOperation]:
    operations = []
    for _ in range(reader.uint()):
        start = reader.position
        number = reader.uint()
        name = names.get(number, f"OP{number}")
        operation = CompoundOperation(name, start)
        operations.append(operation)
        if name not in _ARGUMENTS:
            return operations
        operation.fields = decode(name, reader, operation)
        operation.end = reader.position
    if reader.remaining:
        raise XdrError(f"{reader.remaining} octets are left over")
    return operations


def decode_arguments(procedure: str, reader: XdrReader) -> dict:
    """COMPOUND4args or CB_COMPOUND4args."""
    if procedure not in ("COMPOUND", "CB_COMPOUND"):
        return {}
    names = NAMES
    reader.opaque()
    result: dict = {"minor": reader.uint()}
    if procedure == "CB_COMPOUND":
        reader.uint()
        names = _CALLBACK_OPERATIONS
    compound = _operations(reader, names, lambda name, reader, operation: _ARGUMENTS[name](reader, operation))
    return result | {"operations": tuple(op.name for op in compound), "compound": compound} | _together(compound)


def decode_results(procedure: str, reader: XdrReader) -> dict:
    """COMPOUND4res or CB_COMPOUND4res."""
    if procedure not in ("COMPOUND", "CB_COMPOUND"):
        return {"status": 0}
    result: dict = {"status": reader.uint()}
    reader.opaque()
    names = NAMES if procedure == "COMPOUND" else _CALLBACK_OPERATIONS
    compound = _operations(reader, names, _decode_result)
    for operation in compound:
        fields = operation.fields
        if operation.name == "GETATTR" and "attributes" in fields:
            result["attributes"] = of_object(fields["attributes"])
        elif operation.name in ("GETFH", "READ", "READDIR", "READLINK", "WRITE"):
            result |= {key: fields[key] for key in ("handle", "count", "eof", "entries", "target") if key in fields}
    if result.get("attributes", ...) is None:
        del result["attributes"]
    return result | {"operations": tuple(op.name for op in compound), "compound": compound}


def main_operation(operations: tuple[str, ...]) -> str:
    """The operation that a COMPOUND is for."""
    for name in operations:
        if name not in _ENABLING:
            return name
    return operations[-1] if operations else "COMPOUND"


def _together(compound: list[CompoundOperation]) -> dict:
    """The arguments of the operation that a COMPOUND is for, by the keys that nfs3 has."""
    handles = [operation.fields["object"] for operation in compound if operation.name == "PUTFH"]
    result: dict = {}
    main = main_operation(tuple(operation.name for operation in compound))
    if main in ("LINK", "RENAME") and len(handles) == 2:
        result = {"object": handles[0], "object2": handles[1]}
    elif handles:
        result = {"object": handles[-1]}
    for operation in compound:
        if operation.name != main:
            continue
        fields = operation.fields
        keys = "name name2 offset count length stable how access cookie dircount maxcount target locktype".split()
        result |= {key: fields[key] for key in keys if key in fields}
        if main == "LINK":
            result["name2"] = result.pop("name")
        values = fields.get("attributes")
        if isinstance(values, dict):
            result |= {key: values[key] for key in ("mode", "size") if key in values}
    return result
