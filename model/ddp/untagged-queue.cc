/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ddp/untagged-queue.h"

#include <limits>

namespace ns3::nfsrdma
{

DdpUntaggedQueue::DdpUntaggedQueue(uint32_t firstMsn)
    : m_msn(firstMsn)
{
}

tl::expected<void, DdpError>
DdpUntaggedQueue::Accept(const DdpUntaggedHeader& header, uint32_t payloadLength)
{
    if (header.messageSequenceNumber != m_msn)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_MSN_RANGE);
    }
    if (header.messageOffset != m_messageOffset)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_INVALID_MO);
    }
    if (payloadLength > MAX_MESSAGE - m_messageOffset)
    {
        return tl::make_unexpected(DdpError::UNTAGGED_TOO_LONG);
    }
    m_messageOffset += payloadLength;
    if (header.last)
    {
        ++m_msn;
        m_messageOffset = 0;
    }
    return {};
}

bool
DdpUntaggedQueue::IsAhead(const DdpUntaggedHeader& header, uint32_t payloadLength) const
{
    constexpr uint32_t HALF = 0x80000000;
    const uint32_t distance = header.messageSequenceNumber - m_msn;
    const bool yetToCome =
        distance == 0 ? header.messageOffset >= m_messageOffset : distance < HALF;
    return yetToCome && payloadLength <= MAX_MESSAGE - header.messageOffset;
}

tl::expected<void, DdpError>
CheckTaggedRange(const DdpTaggedHeader& header, uint32_t length)
{
    if (length != 0 && header.taggedOffset > std::numeric_limits<uint64_t>::max() - (length - 1))
    {
        return tl::make_unexpected(DdpError::TAGGED_WRAP);
    }
    return {};
}

} // namespace ns3::nfsrdma
