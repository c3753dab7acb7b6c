/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/rpc-recorder.h"

#include "helper/rpc-operation.h"

#include <array>
#include <charconv>

namespace ns3::nfsrdma
{

namespace
{

constexpr std::size_t FLUSH_AT = 1U << 16;

void
AppendNumber(std::string& row, uint64_t number)
{
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    row.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
    row += ',';
}

void
AppendTime(std::string& row, Time time)
{
    AppendNumber(row, static_cast<uint64_t>(time.GetNanoSeconds()));
}

void
AppendText(std::string& row, const std::string& text)
{
    row += text;
    row += ',';
}

void
AppendXid(std::string& row, uint32_t xid)
{
    row += "0x";
    for (int shift = 28; shift >= 0; shift -= 4)
    {
        row += "0123456789abcdef"[xid >> shift & 15U];
    }
    row += ',';
}

} // namespace

RpcRecorder::RpcRecorder(std::ostream& stream)
    : m_stream(stream),
      m_buffer("client,server,xid,program,version,procedure,operation,outcome,status,form,"
               "submit_ns,send_ns,reply_ns,complete_ns,call_type,reply_type,call_inline_bytes,"
               "reply_inline_bytes,read_segments,write_chunks,write_segments,reply_segments,"
               "read_chunk_bytes,write_chunk_bytes,reply_chunk_bytes,reply_read_segments,"
               "reply_read_bytes,registrations,transmissions,attempts,remote_invalidated\n")
{
}

RpcRecorder::~RpcRecorder()
{
    Flush();
}

void
RpcRecorder::Add(uint32_t client, uint32_t server, const RpcRecord& record)
{
    AppendNumber(m_buffer, client);
    AppendNumber(m_buffer, server);
    AppendXid(m_buffer, record.xid);
    AppendNumber(m_buffer, record.program);
    AppendNumber(m_buffer, record.version);
    AppendNumber(m_buffer, record.procedure);
    AppendText(m_buffer, GetOperationName(record));
    AppendText(m_buffer, ToString(record.outcome));
    AppendNumber(m_buffer, record.programStatus);
    AppendText(m_buffer, record.GetForm());
    AppendTime(m_buffer, record.submitted);
    AppendTime(m_buffer, record.sent);
    AppendTime(m_buffer, record.replied);
    AppendTime(m_buffer, record.completed);
    AppendNumber(m_buffer, record.callType);
    AppendNumber(m_buffer, record.replyType);
    AppendNumber(m_buffer, record.callInlineBytes);
    AppendNumber(m_buffer, record.replyInlineBytes);
    AppendNumber(m_buffer, record.readSegments);
    AppendNumber(m_buffer, record.writeChunks);
    AppendNumber(m_buffer, record.writeSegments);
    AppendNumber(m_buffer, record.replySegments);
    AppendNumber(m_buffer, record.readChunkBytes);
    AppendNumber(m_buffer, record.writeChunkBytes);
    AppendNumber(m_buffer, record.replyChunkBytes);
    AppendNumber(m_buffer, record.replyReadSegments);
    AppendNumber(m_buffer, record.replyReadBytes);
    AppendNumber(m_buffer, record.registrations);
    AppendNumber(m_buffer, record.transmissions);
    AppendNumber(m_buffer, record.attempts);
    m_buffer += record.remotelyInvalidated ? "1\n" : "0\n";
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
