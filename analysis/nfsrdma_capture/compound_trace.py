# SPDX-License-Identifier: GPL-2.0-only
"""Traces of NFSv4: COMPOUNDs of a capture as rows, and the export they began with.

Of each COMPOUND a row has the operations as octets (hexadecimal), without those of READ and WRITE data, and the same
of its results. What a server chooses (handles, stateids, client IDs, sessions, cookies, verifiers) is there as it was
recorded: a replay puts in its place what its own server chose in the result that gave it. Slots are the replaying
client's own.
"""

from __future__ import annotations

from pathlib import Path

from . import trace_rules
from .nfs4 import CompoundOperation
from .nfs4_acl import UnknownWho, posix_lists
from .nfs4_attributes import of_object
from .nfs4_status import Status
from .operation import CaptureContents, Operation
from .trace import Clients, Judgement, Trace, _write, heading, new_row, tree_remarks
from .tree import COLUMNS as TREE_COLUMNS
from .tree import InitialTree

COLUMNS = (
    "time reply_time client program minor operation operations object name object2 name2 offset count status "
    "result_object compound items results result_compound result_items acl_octets call_octets reply_octets"
).split()

_SUPPORTED_ATTRS = 0
_ACL = 12
_DIRECTORY = 2
_BULK = ("READ", "WRITE")


class _CompoundTraceBuilder:
    def __init__(self, contents: CaptureContents) -> None:
        self._contents = contents
        self.tree = InitialTree()
        self._judgement = Judgement(contents, self.tree)
        self._clients = Clients()
        self.handle_octets: dict[str, int] = {}
        self._outside: set[bytes] = set()
        self._remarks: list[str] = []

    def build(self) -> Trace:
        operations = self._contents.operations
        self._name_root(operations)
        origin = operations[0].exchange.call.first_time_ns
        rows = [self._row(operation, origin) for operation in operations]
        tree_rows = self.tree.rows()
        self._remarks += self._judgement.remarks() + tree_remarks(self.tree)
        return Trace(self._metadata(), rows, tree_rows, self._remarks)

    def _name_root(self, operations: list[Operation]) -> None:
        """The root of the replay is what was mounted: the last object that a client asked for what it supports."""
        asked: list[bytes] = []
        for operation in operations:
            for one in operation.arguments.get("compound") or []:
                handle = operation.arguments.get("object")
                if one.name == "GETATTR" and _SUPPORTED_ATTRS in one.fields["request"] and handle not in (None, *asked):
                    asked.append(handle)
        if not asked:
            return
        self.identify(operations[0], asked[-1])
        for handle in asked[:-1]:
            self._outside.add(handle)
            self.tree.is_outside(operations[0].exchange.connection.responder[0], handle)

    def _metadata(self) -> list[str]:
        return heading("nfsrdma-compounds 1", self._contents, self.handle_octets) + self._clients.lines()

    def _row(self, operation: Operation, origin_ns: int) -> dict:
        call, reply = operation.exchange.call, operation.exchange.reply
        arguments, results = operation.arguments, operation.results
        row = new_row(COLUMNS, operation, origin_ns, self._clients.take(operation))
        row["minor"] = arguments.get("minor", "")
        row["operations"] = " ".join(arguments.get("operations", ()))
        for key in ("name", "name2", "offset", "count"):
            if key in arguments:
                row[key] = arguments[key]
        for key in ("object", "object2"):
            if key in arguments:
                row[key] = self.identify(operation, arguments[key])
        if "compound" in arguments and call.whole:
            row["compound"], row["items"] = _octets(call.octets, arguments["compound"])
            row["acl_octets"] = _acl_room(operation)
        if "compound" in results and reply is not None and reply.whole:
            row["results"] = len(results["compound"])
            row["result_compound"], row["result_items"] = _octets(reply.octets, results["compound"])
        if operation.program == "NFS4":
            row["result_object"] = self._follow(operation)
        for one in arguments.get("compound", ()):
            if one.name.startswith("CB_") and "object" in one.fields:
                row["object"] = self.identify(operation, one.fields["object"])
        if not self._judgement.take(operation):
            row["status"] = ""
        return trace_rules.in_order(row)

    def identify(self, operation: Operation, handle: bytes) -> str:
        identifier = self.tree.identify(operation.exchange.connection.responder[0], handle)
        if handle not in self._outside:
            self.handle_octets[identifier] = len(handle)
        return identifier

    def _follow(self, operation: Operation) -> str:
        """Walks through a COMPOUND with its current and saved handle; the name of the object that it ends at."""
        walk = _Walk(self, operation)
        asked = operation.arguments.get("compound") or []
        answered = operation.results.get("compound") or []
        for index, result in enumerate(answered):
            if index < len(asked) and asked[index].name == result.name:
                walk.step(asked[index], result, answered[index + 1 :])
        return walk.current if walk.current and walk.found else ""


class _Walk:
    """The current and saved object of a COMPOUND while it is followed."""

    def __init__(self, builder: _CompoundTraceBuilder, operation: Operation) -> None:
        self._builder = builder
        self._tree = builder.tree
        self._operation = operation
        self._server = operation.exchange.connection.responder[0]
        self._saved = ""
        self.current = ""
        self.found = False

    def step(self, asked: CompoundOperation, result: CompoundOperation, later: list[CompoundOperation]) -> None:
        status, fields = result.fields.get("status"), asked.fields
        if status != Status.NFS4_OK:
            if status == Status.NFS4ERR_NOTEMPTY and asked.name == "REMOVE":
                self._tree.not_empty(self.current, fields["name"])
            elif status == Status.NFS4ERR_NOENT and asked.name in ("LOOKUP", "REMOVE") and self.current:
                self._tree.not_there(self.current, fields["name"])
            elif status == Status.NFS4ERR_EXIST and "name" in fields and self.current:
                self._tree.existed(self.current, fields["name"], "REG")
            return
        if asked.name == "PUTFH":
            self.current = self._builder.identify(self._operation, fields["object"])
        elif asked.name == "PUTROOTFH":
            self.current = ""
        elif asked.name == "SAVEFH":
            self._saved = self.current
        elif asked.name == "RESTOREFH":
            self.current = self._saved
        elif asked.name == "GETFH" and not self.current:
            self.current = self._builder.identify(self._operation, result.fields["handle"])
        elif asked.name == "GETATTR" and self.current:
            self._saw(result.fields.get("attributes", {}))
        elif asked.name == "READLINK":
            self._tree.read_link(self.current, result.fields["target"])
        elif asked.name == "READDIR":
            self._listing(result)
        elif asked.name in ("WRITE", "SETATTR"):
            self._tree.changes(self.current, None)
            if fields.get("attributes", {}).keys() & {"acl", "mode"}:
                self._tree.changes_acl(self.current, "acl")
                self._tree.changes_acl(self.current, "default_acl")
        elif asked.name in ("LOOKUP", "OPEN", "CREATE", "LINK", "REMOVE", "RENAME"):
            self._name(asked, later)

    def _saw(self, values: dict) -> None:
        attributes = of_object(values)
        if attributes is not None:
            self._tree.saw(self.current, attributes)
        if "acl" in values:
            try:
                lists = posix_lists(values["acl"], values.get("type") == _DIRECTORY)
            except UnknownWho:
                return
            for key, text in zip(("acl", "default_acl"), lists):
                self._tree.saw_acl(self.current, key, text)

    def _listing(self, result: CompoundOperation) -> None:
        for entry in result.fields["entries"]:
            child = self._tree.found(
                self._server, self.current, entry.name, entry.handle, entry.attributes, listed=True
            )
            if entry.handle is not None:
                self._builder.handle_octets[child] = len(entry.handle)

    def _name(self, asked: CompoundOperation, later: list[CompoundOperation]) -> None:
        fields, parent = asked.fields, self.current
        handle = next((one.fields.get("handle") for one in later if one.name == "GETFH"), None)
        if asked.name == "REMOVE":
            self._tree.removed(parent, fields["name"], "REG")
        elif asked.name == "RENAME":
            self._tree.renamed(self._saved, fields["name"], parent, fields["name2"])
        elif asked.name == "LINK":
            self._linked(parent, fields["name"])
        elif asked.name == "CREATE" or "how" in fields:
            made = self._tree.created(self._server, parent, fields["name"], handle)
            self._go_to(made, handle)
        elif "name" in fields and parent:
            values = next((one.fields.get("attributes") for one in later if one.name == "GETATTR"), None)
            attributes = of_object(values) if values else None
            self._go_to(
                self._tree.found(self._server, parent, fields["name"], handle, attributes, listed=False), handle
            )

    def _linked(self, parent: str, name: str) -> None:
        handles = [one.fields["object"] for one in self._operation.arguments["compound"] if one.name == "PUTFH"]
        if handles:
            self._tree.created(self._server, parent, name, handles[0], is_link=True)

    def _go_to(self, identifier: str | None, handle: bytes | None) -> None:
        self.current = identifier or ""
        self.found = True
        if identifier and handle is not None:
            self._builder.handle_octets[identifier] = len(handle)


def _octets(message: bytes, compound: list[CompoundOperation]) -> tuple[str, str]:
    """Operations without the octets of their items, and "length:position" of each item, in order.

    The position is that of the item in the octets, where it has been left out; results: of each READ and READLINK.
    """
    octets = bytearray()
    items = []
    for operation in compound:
        if not operation.end:
            break
        kept = operation.data is not None and operation.name not in _BULK
        start, end = operation.data if operation.data and not kept else (operation.end, operation.end)
        octets += message[operation.start : start]
        if operation.length is not None and not kept:
            items.append(f"{operation.length}:{len(octets)}")
        octets += message[end : operation.end]
    return octets.hex(), " ".join(items)


def _acl_room(operation: Operation) -> int | str:
    """Octets that the client had pages for, of a GETATTR that asks for an ACL."""
    asks = any(one.name == "GETATTR" and _ACL in one.fields["request"] for one in operation.arguments["compound"])
    reply = operation.exchange.call.header.reply
    return reply[1].octets if asks and reply is not None and len(reply) == 3 else ""


def build_compound_trace(contents: CaptureContents) -> Trace:
    return _CompoundTraceBuilder(contents).build()


def write_compound_trace(trace: Trace, basename: Path) -> tuple[Path, Path]:
    """Writes BASENAME.trace.csv and BASENAME.tree.csv; returns their paths."""
    trace_path = basename.with_name(basename.name + ".trace.csv")
    tree_path = basename.with_name(basename.name + ".tree.csv")
    trace_path.parent.mkdir(parents=True, exist_ok=True)
    _write(trace_path, trace.metadata, COLUMNS, trace.rows)
    _write(tree_path, ["nfsrdma-trace 1", trace.metadata[1]], TREE_COLUMNS, trace.tree_rows)
    return trace_path, tree_path
