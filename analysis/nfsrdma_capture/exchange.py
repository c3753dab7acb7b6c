# SPDX-License-Identifier: GPL-2.0-only
"""RPC exchanges of an RPC-over-RDMA connection: calls paired with replies, chunks put back in place."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

from . import iwarp, rpc, rpcrdma
from .connection import INITIATOR, RESPONDER, Connection
from .xdr import XdrError


@dataclass(frozen=True)
class RpcMessage:
    """One RPC message with its transport header.

    octets is the RPC message with everything but Write chunks put back; reduced holds the contents of the
    Write chunks; unreduced_octets counts both, pads included. whole is false when chunk data is missing in
    the capture. inline_octets is the length of the Send.
    """

    xid: int
    first_frame: int
    first_time_ns: int
    frame: int
    time_ns: int
    send_opcode: int
    inline_octets: int
    header: rpcrdma.Header
    octets: bytes
    reduced: tuple[bytes, ...]
    unreduced_octets: int
    whole: bool


@dataclass
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
    """Exchanges of a connection in call order; strays are Sends that are no paired RPC message, by reason."""

    exchanges: list[Exchange] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)


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
        memory = bytearray(octets)
        covered = 0
        for index in range(bisect.bisect_left(frames, from_frame), bisect.bisect_right(frames, to_frame)):
            offset, payload = pieces[index]
            start = offset - segment.offset
            if 0 <= start and start + len(payload) <= octets:
                memory[start : start + len(payload)] = payload
                covered += len(payload)
        return bytes(memory), covered >= octets


@dataclass
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


class _Assembler:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._memories = _sink_memory(connection)
        self._last_frame = max((message.frame for _, message in connection.messages), default=0)

    def call(self, pending: _Pending) -> RpcMessage:
        """The call with its Read chunks; they lie in the memory of the peer that sent it."""
        send, header = pending.send, pending.header
        memory = self._memories[pending.direction]
        end = pending.end_frame or self._last_frame
        body = bytearray(send.payload[header.octets :])
        whole = True
        for chunk in header.read_chunks:
            data = bytearray()
            for segment in chunk:
                octets, found = memory.fetch(segment, segment.octets, send.frame, end)
                data += octets
                whole = whole and found
            position = chunk[0].position
            if position > 0:
                data += bytes(_padded(len(data)) - len(data))
            if position > len(body):
                whole = False
            body[position:position] = data
        return self._message(send, header, bytes(body), (), len(body), whole)

    def reply(self, pending: _Pending, call: _Pending) -> RpcMessage:
        """The reply with its Reply chunk; the chunks lie in the memory of the peer that called."""
        send, header = pending.send, pending.header
        memory = self._memories[call.direction]
        whole = True

        def contents(chunk) -> bytes:
            nonlocal whole
            data = bytearray()
            for segment in chunk:
                octets, found = memory.fetch(segment, segment.octets, call.send.frame, send.frame)
                data += octets
                whole = whole and found
            return bytes(data)

        if header.message_type == rpcrdma.RDMA_NOMSG:
            body = contents(header.reply or ())
        else:
            body = send.payload[header.octets :]
        reduced = tuple(data for data in map(contents, header.writes) if data)
        total = len(body) + sum(_padded(len(data)) for data in reduced)
        return self._message(send, header, body, reduced, total, whole)

    @staticmethod
    def _message(send, header, body, reduced, total, whole) -> RpcMessage:
        return RpcMessage(
            header.xid,
            send.first_frame,
            send.first_time_ns,
            send.frame,
            send.time_ns,
            send.opcode,
            len(send.payload),
            header,
            body,
            reduced,
            total,
            whole,
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
            table.strays.append(f"frame {send.frame}: Send without RPC-over-RDMA header ({error})")
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
            table.strays.append(f"frame {send.frame}: {header.message_name} 0x{header.xid:08x} belongs to no call")
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
