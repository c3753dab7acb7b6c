# SPDX-License-Identifier: GPL-2.0-only
"""RPC exchanges of an RPC-over-RDMA connection: calls paired with replies, chunks put back in place."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

from . import iwarp, rpc, rpcrdma
from .connection import INITIATOR, RESPONDER, Connection
from .xdr import XdrError


_MAX_ZEROS = 1 << 22


@dataclass(frozen=True, slots=True)
class RpcMessage:
    """One RPC message with its transport header.

    octets is the RPC message with everything but Write chunks put back; reduced holds the contents of the
    Write chunks: both are put together anew each time. unreduced_octets counts both, pads included. whole is false
    when chunk data is missing in the capture. inline_octets is the length of the Send.
    """

    xid: int
    first_frame: int
    first_time_ns: int
    frame: int
    time_ns: int
    send_opcode: int
    inline_octets: int
    header: rpcrdma.Header
    unreduced_octets: int
    whole: bool
    _parts: _CallParts | _ReplyParts = field(repr=False, compare=False)

    @property
    def octets(self) -> bytes:
        return self._parts.assemble()[0]

    @property
    def reduced(self) -> tuple[bytes, ...]:
        return self._parts.assemble()[1]


@dataclass(slots=True, eq=False)
class Exchange:
    """A call, the reply to it (None if the capture has none) and times it was sent again."""

    connection: Connection
    call: RpcMessage
    call_header: rpc.CallHeader | None
    reply: RpcMessage | None = None
    reply_header: rpc.ReplyHeader | None = None
    resent_frames: list[int] = field(default_factory=list)
    from_responder: bool = False


@dataclass
class ExchangeTable:
    """Exchanges of a connection in call order; strays are Sends that are no paired RPC message, by reason.

    strays_since is the time of the first of them, None without any.
    """

    exchanges: list[Exchange] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    strays_since: int | None = None

    def stray(self, time_ns: int, reason: str) -> None:
        self.strays.append(reason)
        self.strays_since = time_ns if self.strays_since is None else self.strays_since


class _RemoteMemory:
    """What one peer put into the other's registered memory, by STag, in the order it was put there."""

    def __init__(self) -> None:
        self._frames: dict[int, list[int]] = {}
        self._pieces: dict[int, list[tuple[int, bytes]]] = {}

    def place(self, frame: int, stag: int, offset: int, octets: bytes) -> None:
        self._frames.setdefault(stag, []).append(frame)
        self._pieces.setdefault(stag, []).append((offset, octets))

    def fetch(self, segment, octets: int, from_frame: int, to_frame: int) -> tuple[bytes, bool]:
        """Octets of a segment placed between two frames; false if some were not."""
        frames = self._frames.get(segment.handle, [])
        pieces = self._pieces.get(segment.handle, [])
        placed = []
        for index in range(bisect.bisect_left(frames, from_frame), bisect.bisect_right(frames, to_frame)):
            offset, payload = pieces[index]
            start = offset - segment.offset
            if 0 <= start and start + len(payload) <= octets:
                placed.append((start, payload))
        memory = bytearray(max((start + len(payload) for start, payload in placed), default=0))
        for start, payload in placed:
            memory[start : start + len(payload)] = payload
        return bytes(memory), sum(len(payload) for _, payload in placed) >= octets


@dataclass(slots=True)
class _Pending:
    direction: int
    send: iwarp.Send
    header: rpcrdma.Header
    end_frame: int | None = None


def _sink_memory(connection: Connection) -> tuple[_RemoteMemory, _RemoteMemory]:
    """Memory of each peer as the capture shows it: by RDMA Write into it, by RDMA Read out of it."""
    memories = (_RemoteMemory(), _RemoteMemory())
    requests: dict[tuple[int, int], list[iwarp.ReadRequest]] = {}
    for direction, message in connection.messages:
        other = RESPONDER if direction == INITIATOR else INITIATOR
        if isinstance(message, iwarp.ReadRequest):
            requests.setdefault((direction, message.sink_stag), []).append(message)
        elif isinstance(message, iwarp.Tagged) and message.opcode == iwarp.WRITE:
            memories[other].place(message.frame, message.stag, message.offset, message.payload)
        elif isinstance(message, iwarp.Tagged) and message.opcode == iwarp.READ_RESPONSE:
            for request in reversed(requests.get((other, message.stag), [])):
                distance = message.offset - request.sink_offset
                if 0 <= distance and distance + len(message.payload) <= request.octets:
                    memories[direction].place(
                        message.frame, request.source_stag, request.source_offset + distance, message.payload
                    )
                    break
    return memories


def _padded(octets: int) -> int:
    return (octets + 3) // 4 * 4


@dataclass(frozen=True, slots=True)
class _CallParts:
    """A call with its Read chunks; they lie in the memory of the peer that sent it."""

    memory: _RemoteMemory
    call: _Pending
    last_frame: int

    def assemble(self) -> tuple[bytes, tuple[bytes, ...], bool]:
        """Octets, contents of Write chunks, and whether nothing is missing."""
        send, header = self.call.send, self.call.header
        end = self.call.end_frame or self.last_frame
        body = bytearray(send.payload[header.octets :])
        whole = True
        for chunk in header.read_chunks:
            data, found = _contents(self.memory, chunk, send.frame, end)
            whole = whole and found
            position = chunk[0].position
            if position > 0:
                data += bytes(_padded(len(data)) - len(data))
            if position > len(body):
                whole = False
            body[position:position] = data
        return bytes(body), (), whole


@dataclass(frozen=True, slots=True)
class _ReplyParts:
    """A reply with its Reply chunk; the chunks lie in the memory of the peer that called."""

    memory: _RemoteMemory
    call: _Pending
    reply: _Pending

    def assemble(self) -> tuple[bytes, tuple[bytes, ...], bool]:
        send, header = self.reply.send, self.reply.header
        first = self.call.send.frame
        body, whole = send.payload[header.octets :], True
        if header.message_type == rpcrdma.RDMA_NOMSG:
            data, whole = _contents(self.memory, header.reply or (), first, send.frame)
            body = bytes(data)
        reduced = []
        for chunk in header.writes:
            data, found = _contents(self.memory, chunk, first, send.frame)
            whole = whole and found
            if data:
                reduced.append(bytes(data))
        return body, tuple(reduced), whole


def _contents(memory: _RemoteMemory, chunk, first: int, last: int) -> tuple[bytearray, bool]:
    data = bytearray()
    whole = True
    for segment in chunk:
        octets, found = memory.fetch(segment, segment.octets, first, last)
        # A damaged header may ask for gigabytes: what is missing is zeros, up to a limit.
        missing = min(segment.octets, _MAX_ZEROS) - len(octets) if len(data) < _MAX_ZEROS else 0
        data += octets + bytes(max(0, missing))
        whole = whole and found
    return data, whole


class _Assembler:
    def __init__(self, connection: Connection) -> None:
        self._memories = _sink_memory(connection)
        self._last_frame = max((message.frame for _, message in connection.messages), default=0)

    def call(self, pending: _Pending) -> RpcMessage:
        return _message(pending, _CallParts(self._memories[pending.direction], pending, self._last_frame))

    def reply(self, pending: _Pending, call: _Pending) -> RpcMessage:
        return _message(pending, _ReplyParts(self._memories[call.direction], call, pending))


def _message(pending: _Pending, parts: _CallParts | _ReplyParts) -> RpcMessage:
    send, header = pending.send, pending.header
    body, reduced, whole = parts.assemble()
    return RpcMessage(
        header.xid,
        send.first_frame,
        send.first_time_ns,
        send.frame,
        send.time_ns,
        send.opcode,
        len(send.payload),
        header,
        len(body) + sum(_padded(len(data)) for data in reduced),
        whole,
        parts,
    )


def _is_call(header: rpcrdma.Header, payload: bytes, answers: bool) -> bool | None:
    if header.message_type in (rpcrdma.RDMA_MSG, rpcrdma.RDMA_MSGP):
        direction = rpc.message_direction(payload[header.octets :])
        return None if direction is None else direction == rpc.CALL
    if header.message_type == rpcrdma.RDMA_NOMSG:
        return bool(header.reads) or not answers
    return None


def read_exchanges(connection: Connection) -> ExchangeTable:
    """All RPC exchanges of a connection, both directions of calling."""
    table = ExchangeTable()
    assembler = _Assembler(connection)
    open_calls: dict[tuple[int, int], int] = {}
    pairs: list[tuple[Exchange, _Pending, _Pending | None]] = []
    for direction, send in connection.messages:
        if not isinstance(send, iwarp.Send):
            continue
        other = RESPONDER if direction == INITIATOR else INITIATOR
        try:
            header = rpcrdma.decode_header(send.payload)
        except ValueError as error:
            table.stray(send.time_ns, f"frame {send.frame}: Send without RPC-over-RDMA header ({error})")
            continue
        waiting = open_calls.get((other, header.xid))
        is_call = _is_call(header, send.payload, waiting is not None)
        pending = _Pending(direction, send, header)
        if is_call:
            exchange = Exchange(connection, None, None, from_responder=direction == RESPONDER)
            open_calls[(direction, header.xid)] = len(pairs)
            pairs.append((exchange, pending, None))
        elif waiting is not None and (is_call is False or header.message_type == rpcrdma.RDMA_ERROR):
            index = open_calls.pop((other, header.xid))
            exchange, call, _ = pairs[index]
            call.end_frame = send.frame
            pairs[index] = (exchange, call, pending)
        else:
            reason = f"frame {send.frame}: {header.message_name} 0x{header.xid:08x} belongs to no call"
            table.stray(send.time_ns, reason)
    for exchange, call, reply in pairs:
        exchange.call = assembler.call(call)
        try:
            exchange.call_header = rpc.decode_call(exchange.call.octets)
        except XdrError:
            exchange.call_header = None
        if reply is not None:
            exchange.reply = assembler.reply(reply, call)
            exchange.reply_header = _reply_header(exchange.reply)
        table.exchanges.append(exchange)
    return table


def _reply_header(reply: RpcMessage) -> rpc.ReplyHeader | None:
    if reply.header.message_type == rpcrdma.RDMA_ERROR:
        return rpc.ReplyHeader(reply.xid, "RDMA_ERROR", 0)
    try:
        return rpc.decode_reply(reply.octets)
    except XdrError:
        return None
