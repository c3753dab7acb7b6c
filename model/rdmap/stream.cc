/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/stream.h"

#include <utility>

namespace ns3::nfsrdma
{

RdmapStream::RdmapStream(UlpduStream& lower,
                         RdmapConsumer& consumer,
                         const RdmapStreamOptions& options)
    : m_consumer(consumer),
      m_responses(options.ird),
      m_sender(lower, m_responses, m_reads, options),
      m_receiver(consumer, m_responses, m_reads, options)
{
}

void
RdmapStream::StartSend(RdmapOpcode opcode,
                       uint32_t length,
                       Stag invalidateStag,
                       PayloadSource source)
{
    if (!m_failed)
    {
        m_sender.StartSend(opcode, length, invalidateStag, std::move(source));
    }
}

void
RdmapStream::StartWrite(Stag stag, uint64_t offset, uint32_t length, PayloadSource source)
{
    if (!m_failed)
    {
        m_sender.StartWrite(stag, offset, length, std::move(source));
    }
}

void
RdmapStream::StartReadRequest(const RdmaReadRequest& request)
{
    if (!m_failed)
    {
        m_sender.StartReadRequest(request);
    }
}

void
RdmapStream::StartImmediate(RdmapOpcode opcode, const ImmediateData& data)
{
    if (!m_failed)
    {
        m_sender.StartImmediate(opcode, data);
    }
}

void
RdmapStream::StartAtomic(const AtomicRequest& request)
{
    if (!m_failed)
    {
        m_sender.StartAtomic(request);
    }
}

void
RdmapStream::Fail(const TerminateMessage& message)
{
    if (m_failed)
    {
        return;
    }
    m_failed = true;
    m_sender.StartTerminate(message);
    m_consumer.StreamFailed(message);
    m_consumer.EmissionReady();
}

void
RdmapStream::ReceiveUlpdu(ByteSpan ulpdu, bool placed)
{
    if (m_failed)
    {
        return;
    }
    const bool readyToReceive = m_reads.AwaitsReadyToReceive();
    const auto received = m_receiver.Receive(ulpdu, placed);
    if (m_failed)
    {
        m_responses.Clear();
        return;
    }
    if (!received)
    {
        Fail(received.error());
        return;
    }
    if (readyToReceive && !m_reads.AwaitsReadyToReceive())
    {
        m_consumer.EmissionReady();
        return;
    }
    if (*received == RdmapOpcode::TERMINATE)
    {
        m_failed = true;
        m_sender.Abandon();
    }
    m_consumer.SegmentReceived(*received, IsLastSegment(ulpdu));
    if (*received == RdmapOpcode::TERMINATE)
    {
        m_consumer.TerminateReceived(m_receiver.GetPeerTerminate());
    }
    else if (*received == RdmapOpcode::READ_REQUEST || *received == RdmapOpcode::ATOMIC_REQUEST)
    {
        m_consumer.EmissionReady();
    }
}

} // namespace ns3::nfsrdma
