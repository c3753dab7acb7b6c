/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdmap/outstanding-reads.h"

namespace ns3::nfsrdma
{

void
OutstandingReads::Add(const RdmaReadRequest& request)
{
    m_requests.push_back(request);
}

tl::expected<void, TerminateReason>
OutstandingReads::Accept(const DdpTaggedHeader& header, uint32_t payloadLength)
{
    if (m_requests.empty())
    {
        return tl::make_unexpected(TerminateReason::From(RdmapError::OPERATION_UNEXPECTED_OPCODE));
    }
    const RdmaReadRequest& oldest = m_requests.front();
    if (header.stag != oldest.sinkStag)
    {
        return tl::make_unexpected(TerminateReason::From(DdpError::TAGGED_INVALID_STAG));
    }
    const uint32_t left = oldest.length - m_received;
    const bool continues = header.taggedOffset == oldest.sinkOffset + m_received;
    const bool fits = header.last ? payloadLength == left : payloadLength <= left;
    if (!continues || !fits)
    {
        return tl::make_unexpected(TerminateReason::From(DdpError::TAGGED_BOUNDS));
    }
    m_received += payloadLength;
    return {};
}

void
OutstandingReads::Complete()
{
    m_requests.pop_front();
    m_received = 0;
}

uint32_t
OutstandingReads::GetCount() const
{
    return static_cast<uint32_t>(m_requests.size());
}

} // namespace ns3::nfsrdma
