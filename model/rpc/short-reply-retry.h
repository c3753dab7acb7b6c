/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NFSRDMA_RPC_SHORT_REPLY_RETRY_H
#define NFSRDMA_RPC_SHORT_REPLY_RETRY_H

#include "rpc/message.h"
#include "rpc/payload.h"
#include "rpc/record.h"

#include <cstdint>
#include <optional>

namespace ns3::nfsrdma
{

/**
 * \brief Short Reply chunk retry, RFC 8267 section 3.1, for one call: when a call whose reply has
 * no known maximum fails as it does when there was no room for the reply, it is made again, as
 * another RPC, with a larger Reply chunk, whatever the requester would offer without
 * (RpcReplyEstimate::outgrown).
 *
 * Such failures are RDMA_ERROR, and GARBAGE_ARGS or SYSTEM_ERR by the RPC layer of the server. As
 * they have other reasons too, the attempts are bounded. One that could have no more room than the
 * one before is not made, nor one after a call that was never sent or had room for any reply.
 */
class ShortReplyRetry
{
  public:
    /// What became of the question for another attempt.
    enum class Verdict
    {
        AGAIN,     ///< There is to be one: GetReply() has more room.
        NOT_SHORT, ///< It did not fail for want of room, or is not eligible.
        ATTEMPTS,  ///< There were as many as may be.
        LARGEST    ///< There is no more room than it had.
    };

    /// \param attempts RPCs for the call at most, the first included
    /// \param growth how many times the room of the attempt before each further one has at least;
    /// what the estimate says is always had
    ShortReplyRetry(const RpcPayload& arguments,
                    const RpcReplyEstimate& reply,
                    uint32_t attempts,
                    uint32_t growth);

    /// \return whether calls with such a reply are made again at all.
    static bool IsEligible(const RpcReplyEstimate& reply)
    {
        return !reply.bounded;
    }

    /**
     * \brief The last attempt has ended.
     * \param record how: its outcome, and the room it had
     * \param refusal the status of a reply that was accepted without SUCCESS
     * \param largest octets that an attempt can have room for
     */
    Verdict Next(const RpcRecord& record, std::optional<RpcAcceptStatus> refusal, uint64_t largest);

    [[nodiscard]] const RpcPayload& GetArguments() const
    {
        return m_arguments;
    }

    [[nodiscard]] const RpcReplyEstimate& GetReply() const
    {
        return m_reply;
    }

    /// \return attempts made, the one under way included.
    [[nodiscard]] uint32_t GetAttempts() const
    {
        return m_attempts;
    }

  private:
    RpcPayload m_arguments;
    RpcReplyEstimate m_reply;
    uint32_t m_limit;
    uint32_t m_growth;
    uint32_t m_attempts{1};
};

} // namespace ns3::nfsrdma

#endif // NFSRDMA_RPC_SHORT_REPLY_RETRY_H
