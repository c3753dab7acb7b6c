# SPDX-License-Identifier: GPL-2.0-only
"""Pairs the RPCs of two captures and compares how they crossed the wire."""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from dataclasses import dataclass, field

from .connection import Connection
from .exchange import RpcMessage
from .iwarp import INVALIDATING
from .operation import CaptureContents, Operation, count_versions, of_versions
from .trace import find_gap

SUPPORTED_PROGRAMS = ("NFS2", "NFSACL2", "NFS3", "NFSACL3", "NFS4")
ASPECTS = ("status", "form", "segments", "lengths", "inline", "credits", "invalidation")
_NAMING = ("LOOKUP", "CREATE", "MKDIR", "SYMLINK", "MKNOD", "OPEN")
_IDENTIFYING = (
    "name name2 offset count stable how mode uid gid size access dircount maxcount target spec guard mask acl "
    "default_acl operations length locktype".split()
)


@dataclass(frozen=True)
class Disagreement:
    aspect: str
    item: str
    real: str
    simulated: str


@dataclass(frozen=True)
class Pair:
    """A real operation and its simulated counterpart; identified is false if only their order pairs them.

    unjudged are disagreements that may come from what the capture of the real one lacks: they do not count.
    """

    real: Operation
    simulated: Operation
    identified: bool
    disagreements: tuple[Disagreement, ...]
    unjudged: tuple[Disagreement, ...] = ()

    def agrees_on(self, aspect: str) -> bool:
        return all(disagreement.aspect != aspect for disagreement in self.disagreements)


@dataclass
class Comparison:
    """Result of compare(); unsupported are real operations of other programs without counterpart.

    lacking are real operations without counterpart that the capture has not whole, or that may depend on what it
    lacks; unforeseen are simulated ones without counterpart where that is so; others are real operations of a version
    of NFS that is not simulated. private_data has a line for each connection whose private data differ.
    """

    pairs: list[Pair] = field(default_factory=list)
    missing: list[Operation] = field(default_factory=list)
    extra: list[Operation] = field(default_factory=list)
    unsupported: list[Operation] = field(default_factory=list)
    lacking: list[Operation] = field(default_factory=list)
    unforeseen: list[Operation] = field(default_factory=list)
    others: list[Operation] = field(default_factory=list)
    gap_ns: int | None = None
    connections: int = 0
    private_data: list[str] = field(default_factory=list)

    def operations(self) -> list[str]:
        return sorted({pair.real.title for pair in self.pairs})

    @property
    def has_gap(self) -> bool:
        """Whether the real capture lacks something."""
        return self.gap_ns is not None or bool(self.lacking)

    def agrees(self, aspects) -> bool:
        if self.missing or self.extra or self.private_data or not self.pairs:
            return False
        return all(pair.agrees_on(aspect) for pair in self.pairs for aspect in aspects)


class _Paths:
    """Paths by which the handles of one client became known."""

    def __init__(self) -> None:
        self._paths: dict[bytes, str] = {}

    def of(self, handle: bytes) -> str:
        if not self._paths:
            self._paths[handle] = "/"
        return self._paths.get(handle, "?")

    def learn(self, operation: Operation) -> None:
        arguments, results = operation.arguments, operation.results
        if "object" not in arguments:
            return
        parent = self.of(arguments["object"]).rstrip("/")
        if operation.name in _NAMING and "handle" in results and arguments.get("name", ".") not in (".", ".."):
            self._paths.setdefault(results["handle"], f"{parent}/{arguments['name']}")
        for entry in results.get("entries", ()):
            if entry.handle is not None and entry.name not in (".", ".."):
                self._paths.setdefault(entry.handle, f"{parent}/{entry.name}")


@dataclass(frozen=True)
class _Keyed:
    operation: Operation
    keys: tuple[tuple, ...]


def _keyed(operations: list[Operation]) -> list[_Keyed]:
    paths = _Paths()
    keyed = []
    for operation in operations:
        arguments = operation.arguments
        plain = tuple((name, arguments[name]) for name in _IDENTIFYING if name in arguments)
        plain += (("cookie", arguments.get("cookie", 0) != 0),)
        where = tuple(paths.of(arguments[name]) for name in ("object", "object2") if name in arguments)
        kind = (operation.program, operation.name)
        keyed.append(_Keyed(operation, (kind + (where,) + plain, kind + plain, kind)))
        paths.learn(operation)
    return keyed


def clients_of(contents: CaptureContents, by_address: bool) -> list[list[Operation]]:
    """Operations per client: clients in order of first call, or of address."""
    grouped: dict[str, list[Operation]] = {}
    for operation in contents.operations:
        grouped.setdefault(operation.client, []).append(operation)
    addresses = list(grouped)
    if by_address:
        addresses.sort(key=lambda text: (ipaddress.ip_address(text).version, int(ipaddress.ip_address(text))))
    return [grouped[address] for address in addresses]


def compare(real: CaptureContents, simulated: CaptureContents, client: int | None = None) -> Comparison:
    """Compares each simulated client i with real client i modulo their number, or with the one given.

    Pairing goes by procedure and arguments, first with the path of the object, then without, then by order.
    """
    comparison = Comparison()
    versions = set(count_versions(simulated))
    if versions & set(count_versions(real)):
        real, comparison.others = of_versions(real, versions)
    comparison.gap_ns = find_gap(real)
    real_clients = clients_of(real, by_address=False)
    for index, operations in enumerate(clients_of(simulated, by_address=True)):
        counterpart = real_clients[(index if client is None else client) % len(real_clients)]
        _compare_client(comparison, counterpart, operations)
        _compare_startups(comparison, _connections_of(counterpart), _connections_of(operations))
    return comparison


def _connections_of(operations: list[Operation]) -> list[Connection]:
    """Connections that the calls went over, in order."""
    found = {id(operation.exchange.connection): operation.exchange.connection for operation in operations}
    return sorted(found.values(), key=lambda connection: connection.first_frame)


def _compare_startups(comparison: Comparison, real: list[Connection], simulated: list[Connection]) -> None:
    for number, (first, second) in enumerate(zip(real, simulated)):
        comparison.connections += 1
        for name, ours, theirs in zip(("MPA Request", "MPA Reply"), first.startups, second.startups):
            data = [startup.upper_private_data.hex() if startup else "none" for startup in (ours, theirs)]
            if data[0] != data[1]:
                comparison.private_data.append(f"connection {number} {name} {data[0]} != {data[1]}")


def _compare_client(comparison: Comparison, real: list[Operation], simulated: list[Operation]) -> None:
    open_real, open_simulated = _keyed(real), _keyed(simulated)
    found: list[tuple[Operation, Operation, bool]] = []
    for level in range(3):
        waiting: dict[tuple, list[_Keyed]] = defaultdict(list)
        for item in open_simulated:
            waiting[item.keys[level]].append(item)
        for queue in waiting.values():
            queue.reverse()
        unpaired = []
        for item in open_real:
            queue = waiting[item.keys[level]]
            if queue:
                found.append((item.operation, queue.pop().operation, level < 2))
            else:
                unpaired.append(item)
        open_real = unpaired
        left = {id(item) for queue in waiting.values() for item in queue}
        open_simulated = [item for item in open_simulated if id(item) in left]
    found.sort(key=lambda pair: (pair[0].exchange.call.first_time_ns, pair[0].exchange.call.first_frame))
    # Where some are missing, those that are there may be paired with others of their kind.
    uncertain = {item.operation.title for item in open_real + open_simulated}
    comparison.pairs += [
        _pair(a, b, identified, a.title not in uncertain, comparison.gap_ns) for a, b, identified in found
    ]
    for item in open_real:
        operation = item.operation
        if not operation.is_whole or _is_behind(operation, comparison.gap_ns):
            comparison.lacking.append(operation)
        elif operation.program in SUPPORTED_PROGRAMS:
            comparison.missing.append(operation)
        else:
            comparison.unsupported.append(operation)
    extra = [item.operation for item in open_simulated]
    (comparison.extra if comparison.gap_ns is None else comparison.unforeseen).extend(extra)


def _is_behind(operation: Operation, gap_ns: int | None) -> bool:
    return gap_ns is not None and operation.called_ns >= gap_ns


def _pair(real: Operation, simulated: Operation, identified: bool, certain: bool, gap_ns: int | None) -> Pair:
    differences = tuple(_differences(real, simulated))
    if not _is_behind(real, gap_ns):
        return Pair(real, simulated, identified, differences)
    # A call that is whole can be judged still; not so one that may be another, and what the server answers.
    is_judged = identified and certain and real.is_whole
    judged = tuple(one for one in differences if is_judged and one.item.startswith("call "))
    return Pair(real, simulated, identified, judged, tuple(one for one in differences if one not in judged))


def _differences(real: Operation, simulated: Operation):
    if real.status and real.status != simulated.status:
        yield Disagreement("status", "status", real.status, simulated.status or "no reply")
    for direction in ("call", "reply"):
        first, second = getattr(real.exchange, direction), getattr(simulated.exchange, direction)
        if first is None or second is None:
            continue
        ours, theirs = _aspects(first), _aspects(second)
        for (aspect, item), value in ours.items():
            other = theirs[(aspect, item)]
            if value != other:
                yield Disagreement(aspect, f"{direction} {item}", _shown(value), _shown(other))


def _aspects(message: RpcMessage) -> dict[tuple[str, str], object]:
    header = message.header
    lists = {
        "Read": header.read_chunks,
        "Write": header.writes,
        "Reply": () if header.reply is None else (header.reply,),
    }
    result: dict[tuple[str, str], object] = {
        ("form", "message type"): header.message_name,
        ("form", "Position-Zero Read chunk"): 0 in header.read_positions,
    }
    for name, chunks in lists.items():
        result[("form", f"{name} chunks")] = len(chunks)
        result[("segments", f"{name} chunk segments")] = tuple(len(chunk) for chunk in chunks)
        result[("lengths", f"{name} chunk lengths")] = tuple(
            tuple(segment.octets for segment in chunk) for chunk in chunks
        )
    result[("lengths", "Read chunk positions")] = header.read_positions
    result[("inline", "inline octets")] = message.inline_octets
    result[("credits", "rdma_credit")] = header.credits
    result[("invalidation", "Send with Invalidate")] = message.send_opcode in INVALIDATING
    return result


def _shown(value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        parts = [_shown(part) for part in value]
        return "(" + " ".join(parts) + ")" if value and isinstance(value[0], tuple) else "/".join(parts) or "none"
    return str(value)
