/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rpc/short-reply-retry.h"

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

bool
ShortReplyRetry::IsEligible(const RpcReplyEstimate& reply)
{
    return !reply.bounded;
}

bool
ShortReplyRetry::Next(RpcOutcome outcome, std::optional<RpcAcceptStatus> refusal)
{
    const uint64_t total = m_reply.GetTotal();
    if (m_attempts >= m_limit || !IsEligible(m_reply) || !MeansNoRoom(outcome, refusal) ||
        total * m_growth > LARGEST_REPLY)
    {
        return false;
    }
    ++m_attempts;
    m_reply.tail += static_cast<uint32_t>(total * (m_growth - 1));
    return true;
}

const RpcPayload&
ShortReplyRetry::GetArguments() const
{
    return m_arguments;
}

const RpcReplyEstimate&
ShortReplyRetry::GetReply() const
{
    return m_reply;
}

uint32_t
ShortReplyRetry::GetAttempts() const
{
    return m_attempts;
}

} // namespace ns3::nfsrdma
