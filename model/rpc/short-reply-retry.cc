/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/short-reply-retry.h"

#include <algorithm>

namespace ns3::nfsrdma
{
namespace
{

/// No client has memory for a larger reply.
constexpr uint64_t LARGEST_REPLY = 1U << 30;

bool
MeansNoRoom(RpcOutcome outcome, std::optional<RpcAcceptStatus> refusal)
{
    if (outcome == RpcOutcome::REJECTED)
    {
        return refusal == RpcAcceptStatus::GARBAGE_ARGS || refusal == RpcAcceptStatus::SYSTEM_ERR;
    }
    return outcome == RpcOutcome::TRANSPORT_ERROR;
}

} // namespace

ShortReplyRetry::ShortReplyRetry(const RpcPayload& arguments,
                                 const RpcReplyEstimate& reply,
                                 uint32_t attempts,
                                 uint32_t growth)
    : m_arguments(arguments),
      m_reply(reply),
      m_limit(attempts),
      m_growth(growth)
{
}

ShortReplyRetry::Verdict
ShortReplyRetry::Next(const RpcRecord& record,
                      std::optional<RpcAcceptStatus> refusal,
                      uint64_t largest)
{
    const uint64_t room = record.replyRoom;
    if (!IsEligible(m_reply) || !MeansNoRoom(record.outcome, refusal) || room == 0)
    {
        return Verdict::NOT_SHORT;
    }
    if (m_attempts >= m_limit)
    {
        return Verdict::ATTEMPTS;
    }
    const uint64_t expected = m_reply.GetIrreducible();
    const uint64_t wanted =
        std::min(std::max(expected, room * m_growth), std::min(largest, LARGEST_REPLY));
    const uint64_t rest = expected - m_reply.tail;
    if (wanted <= room || wanted < rest)
    {
        return Verdict::LARGEST;
    }
    ++m_attempts;
    m_reply.tail = static_cast<uint32_t>(wanted - rest);
    m_reply.outgrown = room;
    return Verdict::AGAIN;
}

} // namespace ns3::nfsrdma
