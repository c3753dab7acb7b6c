/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpcrdma/policy/inline-threshold-review.h"

#include "rpcrdma/message/transport-header.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3::nfsrdma
{
namespace
{

bool
IsFarFrom(uint32_t wanted, uint32_t advertised)
{
    return wanted >= 2 * advertised || 2 * wanted <= advertised;
}

} // namespace

void
MessageLengths::Count(uint64_t octets)
{
    if (octets == 0 || octets > RpcRdmaPrivateData::MAXIMUM_INLINE)
    {
        return;
    }
    ++m_counts[(octets - 1) / UNIT];
    if (++m_total >= WINDOW)
    {
        std::for_each(m_counts.begin(), m_counts.end(), [](uint32_t& count) { count /= 2; });
        m_total = std::accumulate(m_counts.begin(), m_counts.end(), 0U);
    }
}

std::optional<uint32_t>
MessageLengths::GetQuantile(double share, uint32_t maximum) const
{
    const auto end = m_counts.begin() + std::min<std::size_t>(maximum / UNIT, m_counts.size());
    const uint32_t total = std::accumulate(m_counts.begin(), end, 0U);
    const auto enough = static_cast<uint32_t>(std::ceil(share * total));
    uint32_t carried = 0;
    for (auto step = m_counts.begin(); step != end; ++step)
    {
        carried += *step;
        if (carried >= std::max(enough, 1U))
        {
            return static_cast<uint32_t>(step - m_counts.begin() + 1) * UNIT;
        }
    }
    return std::nullopt;
}

InlineThresholds
InlineThresholdReview::Choose() const
{
    InlineSituation situation;
    situation.maximum = m_settings.maximum;
    const InlineThresholds& maximum = m_settings.maximum;
    situation.needed = {GetNeeded(m_calls, maximum.send), GetNeeded(m_replies, maximum.receive)};
    return m_settings.policy->Choose(situation);
}

uint32_t
InlineThresholdReview::GetNeeded(const MessageLengths& lengths, uint32_t maximum) const
{
    const uint32_t ofShare = lengths.GetQuantile(m_settings.share, maximum).value_or(FIRST);
    const bool isSure = m_settings.period > 0 && lengths.GetTotal() >= SURE;
    const uint32_t ofFirst =
        isSure ? lengths.GetQuantile(1, std::min(FIRST, maximum)).value_or(0) : FIRST;
    return std::max(ofShare, ofFirst);
}

InlineThresholds
InlineThresholdReview::Start()
{
    m_counted = 0;
    m_advertised = Choose();
    return m_advertised;
}

void
InlineThresholdReview::Count(const RpcTransportCall& call, const InlineLimits& limits)
{
    m_calls.Count(uint64_t{InlineLimits::GetCallHeaderReserve(limits.segments)} +
                  call.call.GetLength());
    const RpcRecord& record = call.record;
    const bool isOffered = record.writeSegments > 0 || record.replySegments > 0;
    const uint32_t largest = call.reply.GetTotal();
    const uint64_t decisive =
        isOffered || largest <= limits.maxReply
            ? largest
            : record.replyInlineBytes + record.replyReadBytes - RpcRdmaHeader::MINIMUM_SIZE;
    m_replies.Count(InlineLimits::GetReplyHeaderReserve(limits.segments) + decisive);
    ++m_counted;
}

bool
InlineThresholdReview::WantsOthers()
{
    if (m_settings.period == 0 || m_counted < m_settings.period)
    {
        return false;
    }
    m_counted = 0;
    const InlineThresholds wanted = Choose();
    return IsFarFrom(wanted.send, m_advertised.send) ||
           IsFarFrom(wanted.receive, m_advertised.receive);
}

} // namespace ns3::nfsrdma
