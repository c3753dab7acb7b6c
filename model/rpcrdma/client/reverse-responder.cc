/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/client/reverse-responder.h"

#include "rpc/flatten.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3::nfsrdma
{

NS_LOG_COMPONENT_DEFINE("NfsRdmaRpcRdmaReverseResponder");

namespace
{

constexpr uint32_t CALL = 0;

} // namespace

RpcRdmaReverseResponder::RpcRdmaReverseResponder(
    RpcRdmaReverseSettings settings,
    Ptr<HostMemory> memory,
    Ptr<QueuePair> pair,
    RpcRdmaSendRoom& room,
    uint32_t threshold,
    std::shared_ptr<RpcRdmaReverseStatistics> statistics,
    Disconnect disconnect)
    : m_settings(std::move(settings)),
      m_memory(memory),
      m_pair(pair),
      m_room(room),
      m_threshold(threshold),
      m_statistics(std::move(statistics)),
      m_disconnect(std::move(disconnect))
{
}

bool
RpcRdmaReverseResponder::IsCall(ByteSpan message)
{
    ByteReader reader(message);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (!header)
    {
        return false;
    }
    if (header->proc == RpcRdmaProc::NOMSG)
    {
        return !header->chunks.readList.empty() && header->chunks.readList.front().position == 0;
    }
    if (header->proc != RpcRdmaProc::MSG || reader.Remaining() < std::size_t{2} * XDR_WORD)
    {
        return false;
    }
    const uint32_t xid = reader.ReadU32();
    const uint32_t type = reader.ReadU32();
    return xid == header->xid && type == CALL;
}

void
RpcRdmaReverseResponder::HandleCall(ByteSpan message)
{
    ByteReader reader(message);
    const auto header = RpcRdmaHeader::Decode(reader);
    if (!header || !m_pair)
    {
        ++m_statistics->dropped;
        return;
    }
    RpcRdmaHeader answer;
    answer.xid = header->xid;
    answer.credit = m_settings.credits;
    if (!header->chunks.IsEmpty())
    {
        NS_LOG_LOGIC("a reverse call with chunks is refused");
        ++m_statistics->errChunk;
        answer.proc = RpcRdmaProc::ERROR;
        answer.error = RpcRdmaErrorCode::ERR_CHUNK;
        Send(answer, {});
        return;
    }
    if (m_inService >= GetReceives(m_settings.credits))
    {
        NS_LOG_LOGIC("more reverse calls than there is room for");
        ++m_statistics->overflows;
        m_disconnect("more calls of the server in service than twice client_reverse_credits");
        return;
    }
    RpcReceivedMessage call;
    const ByteSpan octets = reader.Rest();
    call.octets.assign(octets.data(), octets.data() + octets.size());
    ++m_inService;
    ++m_statistics->calls;
    const bool isCall = m_settings.server->Receive(
        std::move(call),
        [self = Ptr<RpcRdmaReverseResponder>(this), xid = header->xid](RpcPayload&& payload) {
            self->Reply(xid, std::move(payload));
        });
    if (!isCall)
    {
        --m_inService;
        ++m_statistics->dropped;
    }
}

void
RpcRdmaReverseResponder::Reply(uint32_t xid, RpcPayload&& payload)
{
    --m_inService;
    if (!m_pair || payload.octets.empty())
    {
        ++m_statistics->dropped;
        return;
    }
    RpcRdmaHeader header;
    header.xid = xid;
    header.credit = m_settings.credits;
    if (RpcRdmaHeader::MINIMUM_SIZE + payload.GetLength() > m_threshold)
    {
        ++m_statistics->errChunk;
        header.proc = RpcRdmaProc::ERROR;
        header.error = RpcRdmaErrorCode::ERR_CHUNK;
        Send(header, {});
        return;
    }
    ++m_statistics->replies;
    Send(header, Flatten(payload, m_memory));
}

void
RpcRdmaReverseResponder::Send(const RpcRdmaHeader& header, ByteSpan payload)
{
    const uint32_t headerLength = header.GetEncodedSize();
    ByteVector message(headerLength + payload.size());
    ByteWriter writer(message);
    header.Encode(writer);
    std::copy(payload.begin(), payload.end(), message.begin() + headerLength);

    if (m_free.empty())
    {
        m_free.push_back(m_buffers.size());
        m_buffers.emplace_back(m_memory, m_threshold);
    }
    const std::size_t number = m_free.back();
    const Ptr<HostCpu> cpu = m_pair->GetDevice().GetHostCpu();
    cpu->Run(*m_pair->GetThread(), cpu->GetCopyTime(payload.size()));
    m_buffers[number].Write(0, message);
    SendWorkRequest send;
    send.opcode = WorkRequestOpcode::SEND;
    send.id = FIRST_WORK_ID + number;
    send.signaled = true;
    send.elements.push_back(
        {m_buffers[number].GetAddress(), static_cast<uint32_t>(message.size())});
    std::vector<SendWorkRequest> chain;
    chain.push_back(std::move(send));
    if (const auto posted = m_room.Post(std::move(chain)); !posted)
    {
        m_disconnect(std::string("a reply to the server cannot be posted: ") +
                     ToString(posted.error()));
        return;
    }
    m_free.pop_back();
}

bool
RpcRdmaReverseResponder::HandleCompletion(const WorkCompletion& completion)
{
    if (completion.id < FIRST_WORK_ID || completion.id - FIRST_WORK_ID >= m_buffers.size())
    {
        return false;
    }
    m_free.push_back(static_cast<std::size_t>(completion.id - FIRST_WORK_ID));
    return true;
}

void
RpcRdmaReverseResponder::Close()
{
    m_pair = nullptr;
    m_disconnect = nullptr;
    m_buffers.clear();
    m_free.clear();
}

} // namespace ns3::nfsrdma
