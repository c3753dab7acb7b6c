# SPDX-License-Identifier: GPL-2.0-only
"""Traces: operations of a capture as rows that the simulator replays, and the export they began with."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from . import rpc, trace_rules
from .operation import CaptureContents, Operation
from .tree import COLUMNS as TREE_COLUMNS
from .tree import InitialTree

COLUMNS = (
    "time reply_time client program operation object name object2 name2 offset count stable how mode uid gid size "
    "atime mtime guard access cookie dircount maxcount target spec mask acl default_acl status result_object result_count result_eof "
    "result_entries result_acl result_default_acl call_octets reply_octets"
).split()
REPLAYED_PROGRAMS = ("NFS2", "NFSACL2", "NFS3", "NFSACL3")
_STATUS = re.compile(r"NFS3\w+|\d+")
_CREATING = ("CREATE", "MKDIR", "SYMLINK", "MKNOD")
_PLAIN_ARGUMENTS = (
    "name name2 offset count stable how uid gid size atime mtime guard dircount maxcount target spec acl default_acl".split()
)


@dataclass(frozen=True)
class Trace:
    """Rows and metadata as they are written; remarks are about what a replay cannot know."""

    metadata: list[str]
    rows: list[dict]
    tree_rows: list[dict]
    remarks: list[str]


class Judgement:
    """Which answers of the server a replay can be held to: those before something is missing in the capture.

    Missing is what the capture itself shows to be so (CaptureContents.gap_ns), and what must have happened between two
    operations that contradict each other. Operations that overlap may have been done in any order.
    """

    def __init__(self, contents: CaptureContents, tree: InitialTree) -> None:
        self._tree = tree
        self._latest_ns = 0
        self._contradictions = 0
        self.gap_ns = contents.gap_ns
        self.contradicting: Operation | None = None
        self.unjudged = 0

    def take(self, operation: Operation) -> bool:
        """Whether an operation that the tree has just followed is before the gap."""
        if self._tree.contradictions > self._contradictions:
            self._contradictions = self._tree.contradictions
            if operation.called_ns >= self._latest_ns and self._is_before(operation):
                self.gap_ns = operation.called_ns
                self.contradicting = operation
        reply = operation.exchange.reply
        self._latest_ns = max(self._latest_ns, reply.time_ns if reply else operation.called_ns)
        judged = self._is_before(operation)
        self.unjudged += not judged and reply is not None
        return judged

    def _is_before(self, operation: Operation) -> bool:
        return self.gap_ns is None or operation.called_ns < self.gap_ns

    def remarks(self) -> list[str]:
        lines = []
        if self.contradicting is not None:
            frame = self.contradicting.exchange.call.frame
            lines.append(
                f"frame {frame}: {self.contradicting.title} {self.contradicting.status} contradicts what went before: "
                "the capture lacks what happened between"
            )
        if self.unjudged:
            lines.append(f"{self.unjudged} replies may depend on what the capture lacks: a replay is not held to them")
        return lines


class Clients:
    """Who made the calls of a trace, by the index in its rows, and with which credentials."""

    def __init__(self) -> None:
        self._indices: dict[str, int] = {}
        self._credentials: dict[str, Counter] = {}

    def take(self, operation: Operation) -> int:
        """Index of the client of an operation, whose credential counts from then on."""
        header = operation.exchange.call_header
        credentials = self._credentials.setdefault(operation.client, Counter())
        if header and header.credential.flavor == rpc.AUTH_SYS:
            credentials[header.credential] += 1
        return self._indices.setdefault(operation.client, len(self._indices))

    def remarks(self) -> list[str]:
        return [
            f"client {address} used {len(used)} credentials: the most frequent is kept"
            for address, used in self._credentials.items()
            if len(used) > 1
        ]

    def lines(self) -> list[str]:
        """Metadata: a line for each client."""
        lines = []
        for address, index in self._indices.items():
            used = self._credentials[address]
            credential = used.most_common(1)[0][0] if used else rpc.Credential(rpc.AUTH_NONE)
            gids = ",".join(map(str, credential.gids))
            lines.append(
                f"client={index} address={address} machine={_word(credential.machine)} "
                f"uid={credential.uid} gid={credential.gid} gids={gids}"
            )
        return lines


def heading(kind: str, contents: CaptureContents, handle_octets: dict[str, int]) -> list[str]:
    """Metadata: what kind of trace it is, where it comes from, and how long its handles are, given by object."""
    root = handle_octets.get("root", 0)
    others = Counter(octets for identifier, octets in handle_octets.items() if identifier != "root")
    other = others.most_common(1)[0][0] if others else 0
    source = trace_rules.one_line(contents.path.name)
    return [kind, f"source={source}", trace_rules.handle_octets(root, other)]


def new_row(columns: list[str], operation: Operation, origin_ns: int, client: int) -> dict:
    """A row with what every trace has of an operation; its other columns are empty."""
    call, reply = operation.exchange.call, operation.exchange.reply
    return dict.fromkeys(columns, "") | {
        "time": _seconds(call.first_time_ns - origin_ns),
        "reply_time": _seconds(reply.time_ns - origin_ns) if reply else "",
        "client": client,
        "program": operation.program,
        "operation": operation.name,
        "status": operation.status,
        "call_octets": call.unreduced_octets if call.whole else 0,
        "reply_octets": reply.unreduced_octets if reply and reply.whole else 0,
    }


class _TraceBuilder:
    def __init__(self, contents: CaptureContents) -> None:
        self._contents = contents
        self._tree = InitialTree()
        self._judgement = Judgement(contents, self._tree)
        self._clients = Clients()
        self._handle_octets: dict[str, int] = {}
        self._next_cookies: dict[tuple[str, str], int] = {}
        self._remarks: list[str] = []

    @property
    def gap_ns(self) -> int | None:
        return self._judgement.gap_ns

    def build(self) -> Trace:
        operations = self._contents.operations
        origin = operations[0].exchange.call.first_time_ns
        rows = [self._row(operation, origin) for operation in operations]
        tree_rows = self._tree.rows()
        self._remarks += self._judgement.remarks() + tree_remarks(self._tree)
        return Trace(self._metadata(), rows, tree_rows, self._remarks)

    def _metadata(self) -> list[str]:
        others = {octets for identifier, octets in self._handle_octets.items() if identifier != "root"}
        if len(others) > 1:
            self._remarks.append(f"handles have {sorted(others)} octets: other= is the most frequent")
        self._remarks += self._clients.remarks()
        return heading("nfsrdma-trace 1", self._contents, self._handle_octets) + self._clients.lines()

    def _row(self, operation: Operation, origin_ns: int) -> dict:
        row = new_row(COLUMNS, operation, origin_ns, self._clients.take(operation))
        if operation.is_unread:
            return trace_rules.in_order(trace_rules.unread(row))
        self._fill_arguments(row, operation)
        self._fill_results(row, operation)
        # What the RPC layer answered in the place of results is no status.
        if not self._judgement.take(operation) or not _STATUS.fullmatch(operation.status):
            row["status"] = ""
        broken = trace_rules.broken_rule(row) if operation.program in REPLAYED_PROGRAMS else None
        if broken is not None:
            self._remarks.append(f"frame {operation.exchange.call.frame}: {operation.title}: {broken}: cannot be replayed")
            row = trace_rules.unread(row)
        return trace_rules.in_order(row)

    def _identify(self, operation: Operation, handle: bytes) -> str:
        identifier = self._tree.identify(operation.exchange.connection.responder[0], handle)
        self._handle_octets[identifier] = len(handle)
        return identifier

    def _fill_arguments(self, row: dict, operation: Operation) -> None:
        arguments = operation.arguments
        for key in ("object", "object2"):
            if key in arguments:
                row[key] = self._identify(operation, arguments[key])
        for key in _PLAIN_ARGUMENTS:
            if key in arguments:
                row[key] = arguments[key]
        if "mode" in arguments:
            row["mode"] = f"{arguments['mode']:04o}"
        if "access" in arguments:
            row["access"] = f"0x{arguments['access']:x}"
        if "mask" in arguments:
            row["mask"] = f"0x{arguments['mask']:x}"
        if "cookie" in arguments:
            row["cookie"] = self._cookie(operation, row["object"], arguments["cookie"])

    def _cookie(self, operation: Operation, directory: str, cookie: int) -> str:
        if cookie == 0:
            return "start"
        if cookie != self._next_cookies.get((operation.client, directory)):
            self._remarks.append(
                f"frame {operation.exchange.call.frame}: {operation.name} from cookie {cookie}, "
                "which is not the last one this client was given: replayed as a continuation"
            )
        return "next"

    def _fill_results(self, row: dict, operation: Operation) -> None:
        results = operation.results
        server = operation.exchange.connection.responder[0]
        tree = self._tree
        subject = row["object"]
        if operation.program in ("NFS2", "NFS3") and subject and results:
            if operation.name in ("WRITE", "SETATTR") and operation.status == "NFS3_OK":
                tree.changes(subject, results.get("pre_size"))
            self._follow_names(row, operation, server)
        if "attributes" in results and subject:
            tree.saw(subject, results["attributes"])
        if "attributes2" in results and row["object2"]:
            tree.saw(row["object2"], results["attributes2"])
        if "handle_attributes" in results and row["result_object"]:
            tree.saw(row["result_object"], results["handle_attributes"])
        if "count" in results:
            row["result_count"] = results["count"]
        self._follow_acls(row, operation)
        if "eof" in results:
            row["result_eof"] = int(results["eof"])
        if operation.name == "READLINK" and "target" in results:
            tree.read_link(subject, results["target"])

    def _follow_acls(self, row: dict, operation: Operation) -> None:
        results, subject = operation.results, row["object"]
        if operation.name == "GETACL":
            for key in ("acl", "default_acl"):
                if key in results:
                    row[f"result_{key}"] = results[key]
                    self._tree.saw_acl(subject, key, results[key])
        elif operation.name == "SETACL" and operation.status == "NFS3_OK":
            self._tree.changes_acl(subject, "acl")
            self._tree.changes_acl(subject, "default_acl")
        elif operation.name == "SETATTR" and operation.status == "NFS3_OK" and "mode" in operation.arguments:
            self._tree.changes_acl(subject, "acl")

    def _follow_names(self, row: dict, operation: Operation, server: str) -> None:
        tree, name, status = self._tree, operation.name, operation.status
        results, subject = operation.results, row["object"]
        if status == "NFS3_OK":
            if name == "LOOKUP":
                row["result_object"] = self._looked_up(row, operation, server)
            elif name in _CREATING:
                is_new = name != "CREATE" or row["how"] == "GUARDED"
                made = tree.created(server, subject, row["name"], results.get("handle"), is_new=is_new)
                row["result_object"] = made or ""
                if "handle" in results:
                    self._identify(operation, results["handle"])
            elif name == "LINK":
                tree.created(server, row["object2"], row["name2"], operation.arguments["object"], is_link=True)
            elif name in ("REMOVE", "RMDIR"):
                tree.removed(subject, row["name"], "DIR" if name == "RMDIR" else "REG")
            elif name == "RENAME":
                tree.renamed(subject, row["name"], row["object2"], row["name2"])
            elif name in ("READDIR", "READDIRPLUS"):
                self._listing(row, operation, server)
        elif status == "NFS3ERR_EXIST" and name in (*_CREATING, "LINK"):
            where = (row["object2"], row["name2"]) if name == "LINK" else (subject, row["name"])
            tree.existed(*where, "REG")
        elif status == "NFS3ERR_NOTEMPTY" and name == "RMDIR":
            tree.not_empty(subject, row["name"])
        elif status == "NFS3ERR_NOENT" and name in ("LOOKUP", "REMOVE", "RMDIR"):
            tree.not_there(subject, row["name"])

    def _looked_up(self, row: dict, operation: Operation, server: str) -> str:
        results = operation.results
        if row["name"] in (".", ".."):
            return self._identify(operation, results["handle"])
        child = self._tree.found(
            server, row["object"], row["name"], results["handle"], results.get("handle_attributes"), listed=False
        )
        self._handle_octets[child] = len(results["handle"])
        return child

    def _listing(self, row: dict, operation: Operation, server: str) -> None:
        entries = operation.results["entries"]
        row["result_entries"] = len(entries)
        if entries:
            self._next_cookies[(operation.client, row["object"])] = entries[-1].cookie
        for entry in entries:
            if entry.name in (".", ".."):
                continue
            child = self._tree.found(
                server, row["object"], entry.name, entry.handle, entry.attributes, listed=True
            )
            if entry.handle is not None:
                self._handle_octets[child] = len(entry.handle)


def tree_remarks(tree: InitialTree) -> list[str]:
    """Lines on objects whose place in the export the capture does not tell."""
    lines = [f"name of {one} is not in the capture: placed as /unnamed-{one}" for one in tree.unnamed]
    return lines + [f"{one} has a name or place that no export can give it: left out" for one in tree.unplaced]


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds // 1_000_000_000}.{nanoseconds % 1_000_000_000:09d}"


def _word(text: str) -> str:
    return "".join(character if character.isprintable() and character != " " else "?" for character in text)


def find_gap(contents: CaptureContents) -> int | None:
    """The time from which on a replay is not held to what the server answered; None: it always is."""
    if not any(operation.program in REPLAYED_PROGRAMS for operation in contents.operations):
        return contents.gap_ns
    builder = _TraceBuilder(contents)
    builder.build()
    return builder.gap_ns


def build_trace(contents: CaptureContents) -> Trace:
    return _TraceBuilder(contents).build()


def write_trace(trace: Trace, basename: Path) -> tuple[Path, Path]:
    """Writes BASENAME.trace.csv and BASENAME.tree.csv; returns their paths."""
    trace_path = basename.with_name(basename.name + ".trace.csv")
    tree_path = basename.with_name(basename.name + ".tree.csv")
    trace_path.parent.mkdir(parents=True, exist_ok=True)
    _write(trace_path, trace.metadata, COLUMNS, trace.rows)
    _write(tree_path, trace.metadata[:2], TREE_COLUMNS, trace.tree_rows)
    return trace_path, tree_path


def _write(path: Path, metadata: list[str], columns, rows: list[dict]) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.writelines(f"# {line}\n" for line in metadata)
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
