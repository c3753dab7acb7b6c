/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-recorder.h"

#include "helper/rpc-message-size.h"
#include "helper/rpc-operation.h"

#include <array>
#include <charconv>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t FLUSH_AT = 1U << 16;

void
AppendNumber(std::string& text, uint64_t number)
{
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void
AppendTime(std::string& text, Time time)
{
    AppendNumber(text, static_cast<uint64_t>(time.GetNanoSeconds()));
}

/// \param passed whether the RPC has come so far
void
AppendTimeIf(std::string& text, bool passed, Time time)
{
    if (passed)
    {
        AppendTime(text, time);
    }
}

void
AppendXid(std::string& text, uint32_t xid)
{
    text += "0x";
    for (int shift = 28; shift >= 0; shift -= 4)
    {
        text += "0123456789abcdef"[xid >> shift & 15U];
    }
}

template <uint32_t RpcRow::*FIELD>
void
AppendOf(std::string& text, const RpcRow& row)
{
    AppendNumber(text, row.*FIELD);
}

template <typename Number, Number RpcRecord::*FIELD>
void
AppendField(std::string& text, const RpcRow& row)
{
    AppendNumber(text, row.record.*FIELD);
}

template <Time RpcRecord::*FIELD>
void
AppendMark(std::string& text, const RpcRow& row)
{
    AppendTime(text, row.record.*FIELD);
}

/// Of a call that has come to its transport's queue.
template <Time RpcRecord::*FIELD>
void
AppendSentMark(std::string& text, const RpcRow& row)
{
    AppendTimeIf(text, row.record.transmissions > 0, row.record.*FIELD);
}

template <Time RpcServiceTimes::*FIELD>
void
AppendService(std::string& text, const RpcRow& row)
{
    if (row.service != nullptr)
    {
        AppendTime(text, row.service->*FIELD);
    }
}

/// Of a call that has turned to the storage.
template <Time RpcServiceTimes::*FIELD>
void
AppendStorage(std::string& text, const RpcRow& row)
{
    if (row.service != nullptr)
    {
        AppendTimeIf(text, !row.service->storageBegan.IsZero(), row.service->*FIELD);
    }
}

/// Of a form that is possible.
template <std::optional<Time> FormCosts::*FIELD>
void
AppendCost(std::string& text, const RpcRow& row)
{
    if (row.costs != nullptr && row.costs->*FIELD)
    {
        AppendTime(text, *(row.costs->*FIELD));
    }
}

template <uint64_t GET(const RpcRecord&)>
void
AppendSize(std::string& text, const RpcRow& row)
{
    AppendNumber(text, GET(row.record));
}

} // namespace

const std::vector<RpcColumn>&
GetRpcColumns()
{
    using Record = RpcRecord;
    using Service = RpcServiceTimes;
    static const std::vector<RpcColumn> columns{
        {"client", "number of the client, from 0", AppendOf<&RpcRow::client>},
        {"server", "number of its server, from 0", AppendOf<&RpcRow::server>},
        {"connection",
         "number of the connection that carried it, of the client's, from 0",
         AppendField<uint32_t, &Record::connection>},
        {"workload",
         "name of the client's workload; of several, joined by +",
         [](std::string& text, const RpcRow& row) { text += row.workload; }},
        {"phase",
         "setup, measure or drain: when it was submitted, or for drain ended",
         [](std::string& text, const RpcRow& row) { text += row.phase; }},
        {"xid",
         "transaction identifier",
         [](std::string& text, const RpcRow& row) { AppendXid(text, row.record.xid); }},
        {"program", "program number of ONC RPC", AppendField<uint32_t, &Record::program>},
        {"version", "version of the program", AppendField<uint32_t, &Record::version>},
        {"procedure", "procedure number", AppendField<uint32_t, &Record::procedure>},
        {"operation",
         "name of the procedure, or what a COMPOUND is for",
         [](std::string& text, const RpcRow& row) { text += GetOperationName(row.record); }},
        {"outcome",
         "SUCCESS, or how it failed below its program",
         [](std::string& text, const RpcRow& row) { text += ToString(row.record.outcome); }},
        {"status", "status of the program", AppendField<uint32_t, &Record::programStatus>},
        {"form",
         "transfer form: call and reply, inline or by which chunks",
         [](std::string& text, const RpcRow& row) { text += row.record.GetForm(); }},
        {"arrival_ns", "the application wanted what it is for", AppendMark<&Record::arrived>},
        {"ask_ns",
         "the program wanted it, before it waited for a slot of its session",
         AppendMark<&Record::asked>},
        {"submit_ns", "the RPC client got it", AppendMark<&Record::submitted>},
        {"attempt_ns", "the same for the latest of several attempts", AppendMark<&Record::begun>},
        {"transport_ns",
         "the transport got it, encoded and with its credential",
         AppendSentMark<&Record::handed>},
        {"slot_ns", "it got a slot of the transport", AppendSentMark<&Record::slot>},
        {"connected_ns",
         "the connection was made that carried it first, perhaps long before",
         AppendSentMark<&Record::connected>},
        {"credit_ns", "it was its turn, and there was a credit", AppendSentMark<&Record::credit>},
        {"first_send_ns", "its first transmission was posted", AppendSentMark<&Record::firstSent>},
        {"send_ns",
         "posted: the latest transmission was given to the send queue",
         AppendMark<&Record::sent>},
        {"server_arrival_ns",
         "its first octet came to the server",
         AppendService<&Service::arrived>},
        {"server_receive_ns",
         "the server's transport took the message",
         AppendService<&Service::received>},
        {"server_queue_ns",
         "the server had all of it, Read chunks too",
         AppendService<&Service::queued>},
        {"thread_ns", "a thread of the server took it", AppendService<&Service::started>},
        {"storage_begin_ns",
         "the server's program turned to the storage",
         AppendStorage<&Service::storageBegan>},
        {"storage_end_ns", "the storage was through", AppendStorage<&Service::storageEnded>},
        {"server_reply_ns",
         "the reply was given to the server's send queue",
         AppendService<&Service::posted>},
        {"reply_ns", "the client's transport took the reply", AppendMark<&Record::replied>},
        {"end_ns", "its memory was invalidated", AppendMark<&Record::ended>},
        {"complete_ns", "the program was called back", AppendMark<&Record::completed>},
        {"call_type", "rdma_proc of the call", AppendField<uint32_t, &Record::callType>},
        {"reply_type", "rdma_proc of the reply", AppendField<uint32_t, &Record::replyType>},
        {"call_inline_bytes",
         "octets of the call's Send",
         AppendField<uint32_t, &Record::callInlineBytes>},
        {"reply_inline_bytes",
         "octets of the reply's Send",
         AppendField<uint32_t, &Record::replyInlineBytes>},
        {"read_segments",
         "segments of the call's Read list",
         AppendField<uint32_t, &Record::readSegments>},
        {"write_chunks", "Write chunks of the call", AppendField<uint32_t, &Record::writeChunks>},
        {"write_segments", "their segments", AppendField<uint32_t, &Record::writeSegments>},
        {"reply_segments",
         "segments of the Reply chunk offered",
         AppendField<uint32_t, &Record::replySegments>},
        {"read_chunk_bytes",
         "octets offered in Read chunks",
         AppendField<uint64_t, &Record::readChunkBytes>},
        {"write_chunk_bytes",
         "octets returned in Write chunks",
         AppendField<uint64_t, &Record::writeChunkBytes>},
        {"reply_chunk_bytes",
         "octets returned in the Reply chunk",
         AppendField<uint64_t, &Record::replyChunkBytes>},
        {"reply_read_segments",
         "segments of the reply's Read chunk",
         AppendField<uint32_t, &Record::replyReadSegments>},
        {"reply_read_bytes",
         "octets pulled from it",
         AppendField<uint64_t, &Record::replyReadBytes>},
        {"registrations",
         "memory regions registered for it",
         AppendField<uint32_t, &Record::registrations>},
        {"transmissions",
         "how often the call was sent",
         AppendField<uint32_t, &Record::transmissions>},
        {"attempts", "RPCs made for the call", AppendField<uint32_t, &Record::attempts>},
        {"reconnects",
         "connections that ended while it was under way on them",
         AppendField<uint32_t, &Record::reconnects>},
        {"remote_invalidated",
         "1: the reply's Send invalidated its memory",
         [](std::string& text, const RpcRow& row) {
             text += row.record.remotelyInvalidated ? "1" : "0";
         }},
        {"call_reason",
         "why the call took its form",
         [](std::string& text, const RpcRow& row) { text += ToString(row.record.callReason); }},
        {"reply_reason",
         "why the reply took its form",
         [](std::string& text, const RpcRow& row) { text += ToString(row.record.replyReason); }},
        {"call_bytes", "octets of the whole call", AppendSize<GetCallMessageSize>},
        {"call_reducible_bytes",
         "octets of these that Read chunks may carry",
         AppendField<uint64_t, &Record::callReducible>},
        {"reply_bytes", "octets of the whole reply", AppendSize<GetReplyMessageSize>},
        {"reply_maximum_bytes",
         "octets of the largest possible reply",
         AppendField<uint64_t, &Record::replyMaximum>},
        {"reply_reducible_bytes",
         "octets of these that Write chunks may carry",
         AppendField<uint64_t, &Record::replyReducible>},
        {"call_inline_cost_ns",
         "what the call adds to the RPC on an idle path when it is inline",
         AppendCost<&FormCosts::callInline>},
        {"call_chunk_cost_ns", "the same with a Read chunk", AppendCost<&FormCosts::callChunk>},
        {"reply_inline_cost_ns",
         "what the reply adds when it is inline",
         AppendCost<&FormCosts::replyInline>},
        {"reply_chunk_cost_ns",
         "the same with a Write chunk or a Reply chunk",
         AppendCost<&FormCosts::replyChunk>}};
    return columns;
}

RpcRecorder::RpcRecorder(std::ostream& stream)
    : m_stream(stream)
{
    for (const auto& column : GetRpcColumns())
    {
        m_buffer += (m_buffer.empty() ? "" : ",") + std::string(column.name);
    }
    m_buffer += '\n';
}

RpcRecorder::~RpcRecorder()
{
    Flush();
}

void
RpcRecorder::Add(const RpcRow& row)
{
    bool isFirst = true;
    for (const auto& column : GetRpcColumns())
    {
        if (!isFirst)
        {
            m_buffer += ',';
        }
        isFirst = false;
        column.append(m_buffer, row);
    }
    m_buffer += '\n';
    if (m_buffer.size() >= FLUSH_AT)
    {
        Flush();
    }
}

void
RpcRecorder::Flush()
{
    m_stream.write(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
    m_buffer.clear();
}

} // namespace ns3::nfsrdma
